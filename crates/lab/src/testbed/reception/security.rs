//! Signature and encryption (section B of the checklist).

use crate::testbed::bench::Bench;
use crate::testbed::case::{CaseArea, ENCRYPTION, Expect, SIGNATURE, TestCase, act, reception};
use crate::testbed::forge::sign::{Style, TokenReference};
use crate::testbed::forge::{Forge, ForgeError, TestMessage, edit, replaced};
use crate::testbed::test_identities::TestIdentity;
use crate::testbed::verdict::{CaseFailure, CaseFixer, CaseVerdict, wrong};
use futures::FutureExt;
use quoin_peppol::as4::As4Answer;

/// The cases.
pub(crate) static CASES: &[TestCase] = &[
    reception(
        "B-06a",
        "a message that is not signed is refused",
        "B-06; AS4 profile 7",
        Expect::Error(SIGNATURE),
        unsigned,
    ),
    reception(
        "B-06b",
        "a message that is not encrypted is refused",
        "B-06; AS4 profile 7",
        Expect::Error(&["EBMS:0102", "EBMS:0103", "EBMS:0004"]),
        plain,
    ),
    reception(
        "B-06c",
        "SHA-1 digests are refused",
        "B-06; eDelivery AS4 1.14",
        Expect::Error(SIGNATURE),
        |forge| resigned(forge, "SHA-1 digests", &Style { sha1: true, ..Style::default() }),
    ),
    reception(
        "B-06d",
        "other ways to encrypt are refused",
        "B-05, B-06; eDelivery AS4 1.14",
        Expect::Error(ENCRYPTION),
        |forge| {
            forge.on_the_wire(&[
                edit("AES-CBC", "2009/xmlenc11#aes128-gcm", "2001/04/xmlenc#aes128-cbc"),
                edit("RSA 1.5", "2009/xmlenc11#rsa-oaep", "2001/04/xmlenc#rsa-1_5"),
                edit("OAEP with SHA-1", "2009/xmlenc11#rsa-oaep", "2001/04/xmlenc#rsa-oaep-mgf1p"),
                edit("MGF1 with SHA-1", "xmlenc11#mgf1sha256", "xmlenc11#mgf1sha1"),
            ])
        },
    ),
    reception(
        "B-04",
        "a certificate that is not named by a direct reference is refused",
        "B-04; AS4 profile 7",
        Expect::Error(SIGNATURE),
        |forge| {
            let token = TokenReference::Thumbprint;
            resigned(forge, "a thumbprint", &Style { token, ..Style::default() })
        },
    ),
    reception(
        "B-07a",
        "a header, body or signature that was changed on the way is refused",
        "B-07; XML Signature 1.1, 3.2",
        Expect::Error(SIGNATURE),
        |forge| {
            forge.on_the_wire(&[
                edit("another sender", ">{from}</eb:Property>", ">9915:somebody</eb:Property>"),
                edit("another receiver", ">{to}</eb:Property>", ">9915:somebody</eb:Property>"),
                edit("a blank in the body", "</S12:Body>", " </S12:Body>"),
                edit("another digest", "<ds:DigestValue>", "<ds:DigestValue>AAAA"),
                edit("another value", "<ds:SignatureValue>", "<ds:SignatureValue>AAAA"),
            ])
        },
    ),
    reception(
        "B-07b",
        "a signature that leaves something out is refused",
        "B-02, B-07; AS4 profile 7",
        Expect::Error(SIGNATURE),
        |forge| {
            let mut all = Vec::new();
            for without in ["Messaging", "Body", "attachment"] {
                let style = Style { without, ..Style::default() };
                all.extend(resigned(forge, &format!("without {without}"), &style)?);
            }
            Ok(all)
        },
    ),
    reception(
        "B-07c",
        "an id that is there twice is refused: what is signed is what is read",
        "B-07; signature wrapping",
        Expect::Error(&["EBMS:0009", "EBMS:0101", "EBMS:0103", "EBMS:0004"]),
        wrapped,
    ),
    reception(
        "B-07d",
        "a transform that could select something else is refused",
        "B-07; XML Signature 1.1, 8.1",
        Expect::Error(SIGNATURE),
        |forge| {
            let transform = Some("http://www.w3.org/TR/1999/REC-xslt-19991116");
            resigned(forge, "XSLT", &Style { transform, ..Style::default() })
        },
    ),
    reception(
        "B-07e",
        "two signatures are refused",
        "B-07; AS4 profile 7",
        Expect::Error(&["EBMS:0009", "EBMS:0101", "EBMS:0103"]),
        |forge| {
            let mut forged = forge.good()?;
            let signature = forged.cut("<ds:Signature ", "</ds:Signature>")?;
            forged.edit("</wsse:Security>", &format!("{signature}{signature}</wsse:Security>"))?;
            Ok(vec![forged.message("the signature twice")])
        },
    ),
    reception(
        "B-08",
        "prefixes that are named as inclusive are honoured",
        "B-08; Exclusive XML Canonicalization 1.0",
        Expect::Receipt,
        |forge| {
            let mut all = Vec::new();
            for prefixes in ["S12", "S12 eb wsse wsu"] {
                let style = Style { prefixes, ..Style::default() };
                all.extend(resigned(forge, &format!("PrefixList {prefixes:?}"), &style)?);
            }
            Ok(all)
        },
    ),
    reception(
        "B-10",
        "the signer is who eb:From says",
        "B-10; AS4 profile 5",
        Expect::Error(&["EBMS:0004", "EBMS:0101", "EBMS:0103"]),
        |forge| {
            forge.signed(&[edit("another seat", ">{own}</eb:PartyId>", ">POP000999</eb:PartyId>")])
        },
    ),
    reception(
        "B-12c",
        "a document type declaration is refused, and no entity is expanded",
        "B-12; SOAP 1.2, 5",
        Expect::Error(&["EBMS:0004", "EBMS:0007", "EBMS:0009", "EBMS:0103"]),
        declarations,
    ),
    reception(
        "B-12d",
        "XML that is nested without end is refused in time",
        "B-12; limits before any cryptography",
        Expect::NoReceipt,
        |forge| {
            let mut forged = forge.good()?;
            let deep = format!("{}{}</S12:Header>", "<a>".repeat(NESTED), "</a>".repeat(NESTED));
            forged.edit("</S12:Header>", &deep)?;
            Ok(vec![forged.message("100,000 elements in one another")])
        },
    ),
    act(
        "C-11",
        CaseArea::Reception,
        "every failure to decrypt reads the same",
        "C-11; B-05",
        |bench| undecipherable(bench).map(CaseVerdict::from).boxed(),
    ),
];

const NESTED: usize = 100_000;

fn resigned(forge: &Forge, what: &str, style: &Style) -> Result<Vec<TestMessage>, ForgeError> {
    let mut forged = forge.good()?;
    forged.resign(&forge.own, style)?;
    Ok(vec![forged.message(what)])
}

fn unsigned(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut signature = forge.good()?;
    signature.cut("<ds:Signature ", "</ds:Signature>")?;
    let mut header = forge.good()?;
    header.cut("<wsse:Security ", "</wsse:Security>")?;
    Ok(vec![signature.message("no ds:Signature"), header.message("no wsse:Security")])
}

/// Signed, and the attachment travels as it was signed.
fn plain(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut forged = forge.good()?;
    forged.cut("<xenc:EncryptedKey", "</xenc:EncryptedKey>")?;
    forged.cut("<xenc:EncryptedData", "</xenc:EncryptedData>")?;
    let octets = forged.octets().to_vec();
    forged.attachment()?.body = octets;
    Ok(vec![forged.message("no encryption")])
}

/// The signed element moves aside, and another one with its id takes its place.
fn wrapped(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut header = forge.good()?;
    let signed = header.cut("<eb:Messaging ", "</eb:Messaging>")?;
    let other =
        replaced(&signed, &format!(">{}</eb:Property>", forge.from), ">9915:x</eb:Property>")?;
    let aside = format!("<S12:Header><x:Aside xmlns:x=\"urn:testbed\">{signed}</x:Aside>{other}");
    header.edit("<S12:Header>", &aside)?;
    let mut body = forge.good()?;
    let signed = body.cut("<S12:Body ", "</S12:Body>")?;
    let other = replaced(&signed, "></S12:Body>", "> </S12:Body>")?;
    body.edit(
        "</S12:Header>",
        &format!("<x xmlns=\"urn:testbed\">{signed}</x></S12:Header>{other}"),
    )?;
    Ok(vec![header.message("eb:Messaging twice"), body.message("S12:Body twice")])
}

fn declarations(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    const BOMB: &str = "<!DOCTYPE e [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">\
                        <!ENTITY c \"&b;&b;&b;&b;&b;&b;\">]>";
    let file = "<!DOCTYPE e [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>";
    let mut all = forge.on_the_wire(&[edit(
        "SOAP with a declaration",
        "<S12:Envelope ",
        "<!DOCTYPE e><S12:Envelope ",
    )])?;
    for (what, text) in [("SOAP with an entity bomb", BOMB), ("SOAP with a file", file)] {
        let mut forged = forge.good()?;
        forged.edit("<S12:Envelope ", &format!("{text}<S12:Envelope "))?;
        all.push(forged.message(what));
    }
    let mut draft = forge.draft()?;
    let text = String::from_utf8(draft.payload).map_err(ForgeError::of)?;
    let declared = format!("?>{BOMB}");
    draft.payload = replaced(&text, "?>", &declared)?.into_bytes();
    all.push(forge.seal(&draft)?.message("an envelope with an entity bomb"));
    Ok(all)
}

/// A broken ciphertext, a broken key and the key of somebody else must not be told apart.
async fn undecipherable(bench: &Bench) -> Result<String, CaseFailure> {
    let forge = &bench.forge;
    let built = undecipherable_messages(bench).map_err(|error| {
        wrong("messages to send", error.to_string(), "case C-11").by(CaseFixer::Testbed)
    })?;
    let mut texts = Vec::new();
    for message in &built {
        let answered = bench.exchange(message).await?;
        bench.note("C-11", &message.number, 0);
        let Ok(As4Answer::Errors(errors)) = &answered.signal else {
            return Err(bench.wrong_at(message, "an error signal (EBMS:0102)", "no error signal"));
        };
        let Some(error) = errors.iter().find(|error| ENCRYPTION.contains(&&*error.code)) else {
            let found = errors.first().map(ToString::to_string).unwrap_or_default();
            return Err(bench.wrong_at(message, "EBMS:0102 FailedDecryption", found));
        };
        texts.push(error.to_string().replace(&message.sent.message_id, ""));
    }
    let same = texts.windows(2).all(|pair| pair.first() == pair.last());
    match (same, built.last()) {
        (true, _) => {
            let text = texts.first().cloned().unwrap_or_default();
            Ok(format!("{} ways to fail, one text: {text}", texts.len()))
        }
        (false, Some(message)) => {
            let expected = "the same text for every failure to decrypt";
            Err(bench.wrong_at(message, expected, texts.join(" | ")))
        }
        (false, None) => Err(wrong("messages", "none", forge.run.clone()).by(CaseFixer::Testbed)),
    }
}

fn undecipherable_messages(bench: &Bench) -> Result<Vec<TestMessage>, ForgeError> {
    let forge = &bench.forge;
    let mut flipped = forge.good()?;
    let body = &mut flipped.attachment()?.body;
    let middle = body.len() / 2;
    if let Some(byte) = body.get_mut(middle) {
        *byte ^= 1;
    }
    let mut cut = forge.good()?;
    cut.attachment()?.body.truncate(8);
    let mut key = forge.good()?;
    let value = key.cut("<xenc:CipherValue>", "</xenc:CipherValue>")?;
    let inner = value.trim_start_matches("<xenc:CipherValue>");
    let first = if inner.starts_with('A') { "B" } else { "A" };
    let other = format!("<xenc:CipherValue>{first}{}", inner.get(1..).unwrap_or_default());
    key.edit("<xenc:CipherData>", &format!("<xenc:CipherData>{other}"))?;
    let own = bench.wardrobe.peer(TestIdentity::Ap).map_err(ForgeError::of)?;
    let other = forge.seal_as(&forge.draft()?, &forge.own, &own)?;
    Ok(vec![
        flipped.message("one bit of the attachment flipped"),
        cut.message("the attachment cut to eight bytes"),
        key.message("another wrapped key"),
        other.message("encrypted to somebody else"),
    ])
}
