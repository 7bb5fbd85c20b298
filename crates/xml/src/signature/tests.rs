//! What a signature must look like before its value is looked at.

use super::*;
use crate::tree::{Document, Limits};

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
