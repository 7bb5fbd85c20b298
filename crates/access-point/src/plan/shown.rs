//! Secrets that stand in a document. Where a network has a form of its own its channel writes the
//! header, and the one of the upload stays here; over any other channel the document goes as it is.

use quoin_delivery::Event;
use quoin_formats::Syntax;

use super::{Plan, rejection};

/// What lets somebody into a network, in the header of a message of cXML.
const SECRETS: [&str; 2] = ["SharedSecret", "CredentialMac"];

/// Whether a document of this kind may show a secret.
pub fn may_show_a_secret(plan: &Plan) -> bool {
    plan.content.syntax == Some(Syntax::Cxml)
}

/// Why a document does not leave as it is: it would show a secret to whoever gets it.
pub fn shown_secret(document: &[u8]) -> Option<Box<Event>> {
    let parsed = quoin_formats::read(document);
    let header = parsed.root()?.elements().find(|child| child.local() == "Header")?;
    let within = |name: &str| {
        let ends = header.elements();
        let credentials = ends.flat_map(|end| end.elements());
        credentials.flat_map(|own| own.elements()).any(|child| child.local() == name)
    };
    let name = SECRETS.into_iter().find(|name| within(name))?;
    let text = format!(
        "The document has a secret in its header, cXML/Header/Sender/Credential/{name}, and over \
         this channel it would go as it is, so that whoever gets it had the secret. Leave {name} \
         out; a hook of the network writes it itself."
    );
    Some(rejection("QUOIN-SECRET", text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_in_the_header_only_and_never_repeated() {
        let sample = include_str!("../../../formats/samples/cxml.xml");
        let Some(refusal) = shown_secret(sample.as_bytes()) else { panic!("there is one") };
        let Event::Rejected { summary, .. } = *refusal else { panic!("{refusal:?}") };
        assert!(
            summary.contains("SharedSecret") && !summary.contains("not-for-lists"),
            "{summary}"
        );
        let without = sample.replace("<SharedSecret>not-for-lists</SharedSecret>", "");
        assert!(shown_secret(without.as_bytes()).is_none());
        let elsewhere = without.replacen("<Comments", "<SharedSecret>x</SharedSecret><Comments", 1);
        assert!(shown_secret(elsewhere.as_bytes()).is_none());
        assert!(shown_secret(b"<Invoice/>").is_none() && shown_secret(b"").is_none());
    }
}
