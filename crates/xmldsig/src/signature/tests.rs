//! What a signature must look like before its value is looked at.

use super::*;
use quoin_xml::tree::{Document, Limits};

const SIGNATURE: &str = r##"<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>
<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"><ec:InclusiveNamespaces
xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="a b"/></ds:CanonicalizationMethod>
<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>
<ds:Reference URI="#x"><ds:Transforms><ds:Transform Algorithm="t"/></ds:Transforms>
<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>
<ds:DigestValue>AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=</ds:DigestValue></ds:Reference>
</ds:SignedInfo><ds:SignatureValue>AA==</ds:SignatureValue><ds:KeyInfo/></ds:Signature>"##;

fn refusal(from: &str, to: &str) -> SignatureError {
    let text = SIGNATURE.replacen(from, to, 1);
    assert_ne!(text, SIGNATURE, "the case changes nothing");
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    read(document.root(), Canonicalization::Exclusive).unwrap_err()
}

#[test]
fn a_signature_is_read() {
    let document = Document::parse(SIGNATURE.as_bytes(), &Limits::default()).unwrap();
    let signature = read(document.root(), Canonicalization::Exclusive).unwrap();
    assert_eq!(signature.references.len(), 1);
    assert_eq!(signature.references[0].uri, "#x");
    assert_eq!(signature.references[0].transforms[0].algorithm, "t");
    assert_eq!(signature.value, [0]);
    assert!(matches!(
        read(document.root(), Canonicalization::Inclusive),
        Err(SignatureError::Algorithm { part: "CanonicalizationMethod", .. })
    ));
}

#[test]
fn anything_outside_the_profile_is_refused() {
    use SignatureError as E;
    let sha1 = "http://www.w3.org/2000/09/xmldsig#sha1";
    let digest = refusal("http://www.w3.org/2001/04/xmlenc#sha256", sha1);
    assert!(matches!(digest, E::Algorithm { part: "DigestMethod", found, .. } if found == sha1));
    let method = refusal("#rsa-sha256", "#rsa-sha1");
    assert!(matches!(method, E::Algorithm { part: "SignatureMethod", .. }));
    assert!(matches!(refusal("URI=\"#x\"", ""), E::Missing("Reference/@URI")));
    assert!(matches!(refusal("AA==", "?"), E::Encoding("SignatureValue")));
    assert!(matches!(refusal("AAA=", "AA=="), E::Encoding("DigestValue")));
    assert!(matches!(refusal("<ds:KeyInfo/>", ""), E::Missing("KeyInfo")));
    let two = refusal("<ds:KeyInfo/>", "<ds:KeyInfo/><ds:KeyInfo/>");
    assert!(matches!(two, E::Ambiguous(what) if what == "KeyInfo"));
    let reference = "</ds:Reference>";
    let many = format!("{reference}{}", "<ds:Reference/>".repeat(REFERENCES));
    assert!(matches!(refusal(reference, &many), E::Ambiguous(_)));
}

#[test]
fn a3_signed_info_holds_what_the_schema_has_and_nothing_else() {
    use SignatureError as E;
    let place = "</ds:SignedInfo>";
    for more in ["<x/>", "<ds:Object/>", "text", "<?x y?>", "<ds:Reference2/>"] {
        let error = refusal(place, &format!("{more}{place}"));
        assert!(
            matches!(&error, E::Unexpected { parent, .. } if parent == "ds:SignedInfo"),
            "{error}"
        );
    }
    let inside = refusal("<ds:DigestMethod ", "<ds:DigestMethod a='b' ");
    assert!(matches!(inside, E::Unexpected { .. }), "{inside}");
    let transform =
        refusal("Algorithm=\"t\"/>", "Algorithm=\"t\"><ds:XPath>x</ds:XPath></ds:Transform>");
    assert!(matches!(transform, E::Unexpected { .. }), "{transform}");
    // Comments and white space are no part of what is signed.
    let text = SIGNATURE.replacen(place, &format!("<!-- c --> \n{place}"), 1);
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    assert!(read(document.root(), Canonicalization::Exclusive).is_ok());
}

#[test]
fn a3_a_list_of_prefixes_is_short() {
    let list = |count: usize| {
        let prefixes: Vec<String> = (0..count).map(|at| format!("p{at}")).collect();
        SIGNATURE.replacen("\"a b\"", &format!("\"{}\"", prefixes.join(" ")), 1)
    };
    let outcome = |text: String| {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        read(document.root(), Canonicalization::Exclusive).map(|_| ())
    };
    assert_eq!(outcome(list(PREFIXES)), Ok(()));
    assert_eq!(outcome(list(PREFIXES + 1)), Err(SignatureError::Prefixes));
    let long = SIGNATURE.replacen("\"a b\"", &format!("\"{}\"", "x".repeat(1025)), 1);
    assert_eq!(outcome(long), Err(SignatureError::Prefixes));
}
