//! What a network sends to us: an order for a supplier, and what became of a document that was
//! sent.
//!
//! Source: cXML 1.2.063 `cXML.dtd`, `StatusUpdateRequest` with `InvoiceStatus`; user's guide.

use jiff::{SignedDuration, Timestamp};
use quoin_store::Secret;
use quoin_xml::c14n;
use quoin_xml::tree::Element;
use quoin_xml::write::{escape_attribute, escape_text};

use super::credential::{CxmlCredential, LONGEST};
use crate::partner::PartnerMode;

/// What holds nothing but what lets somebody in, wherever it stands: `Credential` may have any of
/// them (`cXML.dtd`).
const SECRETS: [&str; 3] = ["SharedSecret", "DigitalSignature", "CredentialMac"];
/// Such elements in one message.
const MOST_SECRETS: usize = 16;
/// How a message begins that is kept.
const DECLARED: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
/// The earliest time of a message that counts; one of a clock that was never set is before it.
const EARLIEST: Timestamp = Timestamp::constant(946_684_800, 0);

/// A message of a network.
#[derive(Debug)]
pub struct CxmlRequest {
    /// By which id a repeat is known.
    pub payload_id: String,
    /// When it was made, as it says; see [`CxmlRequest::made_before`].
    pub made_on: Option<Timestamp>,
    /// Whose message it is.
    pub from: CxmlCredential,
    /// For whom it is.
    pub to: CxmlCredential,
    /// What it shows to be let in.
    pub secret: Option<Secret>,
    /// The environment that it is for.
    pub mode: PartnerMode,
    /// What it says.
    pub said: CxmlSaid,
}

/// What a message of a network says.
#[derive(Debug, PartialEq, Eq)]
pub enum CxmlSaid {
    /// An order, its change or its end: its number, and the document without what lets the network
    /// in.
    Order(Option<String>, Vec<u8>),
    /// What became of a document.
    Update(CxmlUpdate),
    /// Something else, by its name.
    Other(String),
}

/// What became of a document that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CxmlUpdate {
    /// The payload id of the document.
    pub about: String,
    /// Its state: `AB`, `IP`, `AP`, `RE`, `PD` of the Invoice Response.
    pub state: &'static str,
    /// What is said of it, in words.
    pub note: String,
}

impl CxmlRequest {
    /// Reads a message. No definition is fetched, and one that declares anything is not read.
    ///
    /// # Errors
    /// What is wrong with it, for the network.
    pub fn read(body: &[u8]) -> Result<CxmlRequest, &'static str> {
        let parsed = quoin_formats::read(body);
        let root = parsed.root().filter(|root| root.local().eq_ignore_ascii_case("cXML"));
        let root = root.ok_or("expected a message of cXML")?;
        let payload_id = root.attribute("payloadID").unwrap_or_default().trim().to_owned();
        if payload_id.is_empty() || payload_id.len() > 250 {
            return Err("expected a payloadID of 1 to 250 bytes");
        }
        let header = child(root, "Header").ok_or("the Header is missing")?;
        let end = |name| child(header, name).and_then(CxmlCredential::of);
        let secret = child(header, "Sender")
            .and_then(|sender| child(sender, "Credential"))
            .and_then(|own| child(own, "SharedSecret"));
        let request = child(root, "Request").ok_or("the Request is missing")?;
        let mode = match request.attribute("deploymentMode") {
            Some("test") => PartnerMode::Test,
            _ => PartnerMode::Production,
        };
        let inner = request.elements().next().ok_or("there is nothing in the Request")?;
        let said = match inner.local() {
            "OrderRequest" => {
                let header = child(inner, "OrderRequestHeader");
                let number = header.and_then(|header| header.attribute("orderID")).map(str::trim);
                if number.is_some_and(|number| number.chars().count() > LONGEST) {
                    return Err("expected an orderID of at most 100 characters");
                }
                CxmlSaid::Order(number.map(str::to_owned), without_secrets(root)?)
            }
            "StatusUpdateRequest" => CxmlSaid::Update(update(inner)?),
            other => CxmlSaid::Other(other.chars().take(80).collect()),
        };
        let from = end("From").ok_or("the credential From is missing")?;
        let to = end("To").ok_or("the credential To is missing")?;
        if !from.fits() || !to.fits() {
            return Err(
                "expected a domain and an Identity of at most 100 characters in From and To",
            );
        }
        Ok(CxmlRequest {
            payload_id,
            made_on: root.attribute("timestamp").and_then(|text| text.trim().parse().ok()),
            from,
            to,
            secret: secret.map(|secret| Secret::new(secret.string_value().trim())),
            mode,
            said,
        })
    }

    /// When it was made, where that can be: not before the year 2000, nor more than a day from now.
    pub fn made_before(&self, now: Timestamp) -> Option<Timestamp> {
        let latest = now.saturating_add(SignedDuration::from_hours(24)).unwrap_or(Timestamp::MAX);
        self.made_on.filter(|made_on| (EARLIEST..=latest).contains(made_on))
    }
}

/// A message as it is kept: without anything that lets somebody in.
fn without_secrets(root: Element<'_>) -> Result<Vec<u8>, &'static str> {
    let is_secret = |element: &Element<'_>| SECRETS.contains(&element.local());
    let secrets: Vec<Element<'_>> =
        root.descendants().filter(is_secret).take(MOST_SECRETS + 1).collect();
    if secrets.len() > MOST_SECRETS {
        return Err("expected at most 16 of SharedSecret, DigitalSignature and CredentialMac");
    }
    let mut document = DECLARED.to_vec();
    c14n::inclusive(root, &secrets, &mut document);
    Ok(document)
}

fn child<'d>(element: Element<'d>, name: &str) -> Option<Element<'d>> {
    element.elements().find(|child| child.local() == name)
}

fn update(element: Element<'_>) -> Result<CxmlUpdate, &'static str> {
    let about = child(element, "DocumentReference").and_then(|one| one.attribute("payloadID"));
    let about = about.map(str::trim).filter(|id| !id.is_empty());
    let about = about.ok_or("DocumentReference with the payloadID of the document is missing")?;
    let status = child(element, "Status").ok_or("the Status is missing")?;
    let code: u16 = status.attribute("code").and_then(|code| code.trim().parse().ok()).unwrap_or(0);
    let own = child(element, "InvoiceStatus");
    let state = match own.map(|own| own.attribute("type").unwrap_or_default()) {
        Some("processing") => "IP",
        Some("reconciled" | "paying") => "AP",
        Some("rejected" | "canceled") => "RE",
        Some("paid") => "PD",
        Some(_) => return Err("the type of InvoiceStatus is none of the definition"),
        None if (200..300).contains(&code) => "AB",
        None if code >= 400 => "RE",
        None => return Err("the code of Status is none of the definition"),
    };
    let comments = own.into_iter().flat_map(|own| {
        let comments = own.elements().filter(|child| child.local() == "Comments");
        comments.map(|one| one.string_value().into_owned())
    });
    let kind = own.and_then(|own| own.attribute("type")).unwrap_or_default().to_owned();
    let texts = [kind, status.attribute("text").unwrap_or_default().to_owned()];
    let texts = texts.into_iter().chain([status.string_value().into_owned()]).chain(comments);
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let texts: Vec<String> = texts.map(words).filter(|text| !text.is_empty()).collect();
    let note = texts.join("; ").chars().take(2_000).collect();
    Ok(CxmlUpdate { about: about.to_owned(), state, note })
}

/// The answer to a message: a `Response` with its `Status`.
pub fn response(payload_id: &str, at: Timestamp, (code, text): (u16, &str), why: &str) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str("<!DOCTYPE cXML SYSTEM \"http://xml.cxml.org/schemas/cXML/1.2.037/cXML.dtd\">\n");
    out.push_str("<cXML payloadID=\"");
    escape_attribute(payload_id, &mut out);
    out.push_str("\" timestamp=\"");
    out.push_str(&at.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string());
    out.push_str(&format!("\"><Response><Status code=\"{code}\" text=\""));
    escape_attribute(text, &mut out);
    out.push_str("\" xml:lang=\"en\">");
    escape_text(why, &mut out);
    out.push_str("</Status></Response></cXML>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(inner: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE cXML SYSTEM \"http://xml.cxml.org/x.dtd\">\n\
             <cXML payloadID=\"7@n\" timestamp=\"2026-02-03T04:05:06+01:00\"><Header>\
             <From><Credential domain=\"NetworkID\"><Identity>B</Identity></Credential></From>\
             <To><Credential domain=\"networkid\"><Identity>S</Identity></Credential></To>\
             <Sender><Credential domain=\"NetworkID\"><Identity>N</Identity><SharedSecret>hush\
             </SharedSecret></Credential></Sender></Header>{inner}</cXML>"
        )
    }

    fn said(inner: &str) -> Result<CxmlSaid, &'static str> {
        CxmlRequest::read(message(inner).as_bytes()).map(|read| read.said)
    }

    fn status(code: &str, more: &str) -> String {
        format!(
            "<Request><StatusUpdateRequest><DocumentReference payloadID=\"1@q\"/>\
             <Status code=\"{code}\" text=\"T\">why</Status>{more}</StatusUpdateRequest></Request>"
        )
    }

    #[test]
    fn an_order_is_kept_without_the_secret() {
        let order = "<Request deploymentMode=\"test\"><OrderRequest><OrderRequestHeader orderID=\" 7 \"/>\
                     </OrderRequest></Request>";
        let read = CxmlRequest::read(message(order).as_bytes()).unwrap();
        assert_eq!((read.payload_id.as_str(), read.mode), ("7@n", PartnerMode::Test));
        assert_eq!(read.from.to_string(), "NetworkID:B");
        assert!(read.to.is(&CxmlCredential::account("S")));
        assert_eq!(read.made_on.unwrap().to_string(), "2026-02-03T03:05:06Z");
        assert_eq!(read.secret.unwrap().reveal(), "hush");
        let CxmlSaid::Order(number, document) = read.said else { panic!() };
        assert_eq!(number.as_deref(), Some("7"));
        let text = String::from_utf8(document).unwrap();
        assert!(
            text.contains("<OrderRequest><OrderRequestHeader") && !text.contains("hush"),
            "{text}"
        );
    }

    #[test]
    fn no_secret_is_kept_wherever_it_stands() {
        let order = "<Request><OrderRequest><OrderRequestHeader orderID=\"7\"><OrganizationID>\
                     <Credential domain=\"d\"><Identity>own</Identity><SharedSecret>hush\
                     </SharedSecret></Credential></OrganizationID></OrderRequestHeader>\
                     </OrderRequest></Request>";
        let more = "<Identity>N</Identity><DigitalSignature><a>hush</a></DigitalSignature>\
                    <CredentialMac type=\"FromSenderCredentials\">hush</CredentialMac>\
                    <SharedSecret>other hush</SharedSecret>";
        let text = message(order).replace("<Identity>N</Identity>", more);
        let text = text.replace("<Identity>B</Identity>", &format!("{more}<Identity>B</Identity>"));
        let text = text.replace("<Identity>S</Identity>", "<Identity>S</Identity><SharedSecret/>");
        let read = CxmlRequest::read(text.as_bytes()).unwrap();
        assert_eq!(read.secret.unwrap().reveal(), "other hush");
        let CxmlSaid::Order(_, document) = read.said else { panic!() };
        let kept = String::from_utf8(document).unwrap();
        assert!(!kept.contains("hush") && !kept.contains("SharedSecret"), "{kept}");
        assert!(kept.contains("<Identity>own</Identity>") && kept.contains("orderID"), "{kept}");
        let many = text.replace("<SharedSecret/>", &"<SharedSecret/>".repeat(17));
        assert!(CxmlRequest::read(many.as_bytes()).unwrap_err().contains("at most 16"));
    }

    #[test]
    fn a_number_and_an_identity_have_a_length() {
        let order = |number: &str| {
            message(&format!(
                "<Request><OrderRequest><OrderRequestHeader orderID=\"{number}\"/></OrderRequest>\
                 </Request>"
            ))
        };
        assert!(CxmlRequest::read(order(&"\u{e4}".repeat(100)).as_bytes()).is_ok());
        let (long, good) = ("\u{e4}".repeat(101), order("7"));
        let of = |text: String| CxmlRequest::read(text.as_bytes()).unwrap_err();
        assert!(of(order(&long)).contains("orderID"));
        for (text, from) in [
            (">B<", format!(">{long}<")),
            (">S<", format!(">{long}<")),
            ("\"networkid\"", format!("\"{long}\"")),
        ] {
            assert!(of(good.replace(text, &from)).contains("at most 100"), "{text}");
        }
    }

    #[test]
    fn a_time_that_cannot_be_is_none() {
        let now = "2026-02-03T04:05:06Z".parse().unwrap();
        for (text, counts) in [
            ("2026-02-03T04:05:06Z", true),
            ("2026-02-04T04:05:06Z", true),
            ("2026-02-04T04:05:07Z", false),
            ("2000-01-01T00:00:00Z", true),
            ("1999-12-31T23:59:59Z", false),
            ("0001-01-01T00:00:00Z", false),
            ("9999-01-01T00:00:00Z", false),
            ("yesterday", false),
        ] {
            let text = message("<Request><ProfileRequest/></Request>")
                .replace("2026-02-03T04:05:06+01:00", text);
            let read = CxmlRequest::read(text.as_bytes()).unwrap();
            assert_eq!(read.made_before(now).is_some(), counts, "{text}");
        }
    }

    #[test]
    fn every_status_is_a_state() {
        for (code, kind, state) in [
            ("200", "processing", "IP"),
            ("200", "reconciled", "AP"),
            ("200", "paying", "AP"),
            ("423", "rejected", "RE"),
            ("200", "canceled", "RE"),
            ("200", "paid", "PD"),
            ("200", "", "AB"),
            ("201", "", "AB"),
            ("406", "", "RE"),
        ] {
            let more = match kind {
                "" => String::new(),
                kind => {
                    format!("<InvoiceStatus type=\"{kind}\"><Comments>c</Comments></InvoiceStatus>")
                }
            };
            let Ok(CxmlSaid::Update(update)) = said(&status(code, &more)) else { panic!("{code}") };
            assert_eq!((update.state, update.about.as_str()), (state, "1@q"), "{code} {kind}");
            assert!(update.note.contains("T; why"), "{}", update.note);
        }
    }

    #[test]
    fn what_is_wrong_is_told_to_the_network() {
        assert!(said(&status("200", "<InvoiceStatus type=\"lost\"/>")).is_err());
        assert!(said(&status("100", "")).is_err());
        assert!(said("<Request><StatusUpdateRequest/></Request>").is_err());
        assert!(said("<Request/>").is_err());
        assert!(said("").is_err());
        let other = said("<Request><ProfileRequest/></Request>").unwrap();
        assert_eq!(other, CxmlSaid::Other("ProfileRequest".to_owned()));
        for text in ["", "{}", "<cXML/>", "<!DOCTYPE cXML [<!ENTITY a 'b'>]><cXML payloadID='1'/>"]
        {
            assert!(CxmlRequest::read(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn the_answer_is_read_by_ourselves() {
        let at = "2026-02-03T04:05:06Z".parse().unwrap();
        let text = response("1\"<@q", at, (406, "Not Acceptable"), "a < b & c");
        let status = crate::cxml::CxmlStatus::read(text.as_bytes()).unwrap();
        assert_eq!((status.code, status.text.as_str()), (406, "Not Acceptable: a < b & c"));
        assert_eq!(status.payload_id, "1\"<@q");
    }
}
