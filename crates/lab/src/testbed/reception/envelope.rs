//! The envelope of the business document (H-04 to H-08, H-10, section D of the checklist).

use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_peppol::sbdh::{MlsType, Sbdh, Scope};

use crate::testbed::case::{ENVELOPE, Expect, TestCase, reception};
use crate::testbed::forge::{Forge, ForgeError, TestMessage, edit, replaced};

const BME: &str = "Business Message Envelope 2.0.1";
const HEADER_START: &str = "<StandardBusinessDocumentHeader>";

/// The cases.
pub(crate) static CASES: &[TestCase] = &[
    reception(
        "H-04",
        "an envelope without a document is refused",
        "H-04, D-13; BME 2.0.1, 2.2",
        Expect::Error(ENVELOPE),
        empty_envelope,
    ),
    reception(
        "H-05",
        "neither envelope nor document is refused",
        "H-05, D-13; BME 2.0.1, 1.3",
        Expect::Error(ENVELOPE),
        |forge| forge.containing(&[("nothing", b""), ("white space", b"  \n"), ("text", b"hello")]),
    ),
    reception(
        "H-06",
        "a document without an envelope is refused",
        "H-06, D-01; BME 2.0.1, 1.3",
        Expect::Error(ENVELOPE),
        |forge| {
            let number = forge.number();
            let (from, to) = (forge.from.to_string(), forge.to.to_string());
            let bare = quoin_formats::samples::invoice(&from, &to, &number);
            forge.containing(&[("a bare invoice", bare.as_bytes())])
        },
    ),
    reception(
        "H-07",
        "an envelope that is not well-formed is refused",
        "H-07, D-13; XML 1.0",
        Expect::Error(ENVELOPE),
        |forge| {
            forge.enveloped(&[
                edit("a tag that is not closed", "</BusinessScope>", ""),
                edit("the end is missing", "</StandardBusinessDocument>", ""),
                edit(
                    "an entity that is not declared",
                    "<HeaderVersion>",
                    "<HeaderVersion>&nothing;",
                ),
                edit(
                    "something after the end",
                    "</StandardBusinessDocument>",
                    "</StandardBusinessDocument><more/>",
                ),
                edit("a document that is broken", "</cbc:ID>", "</cbc:Id>"),
            ])
        },
    ),
    reception(
        "H-08",
        "an envelope that lacks a mandatory field is refused",
        "H-08, D-02 to D-08; BME 2.0.1, 2.9",
        Expect::Error(ENVELOPE),
        without_each_field,
    ),
    reception(
        "D-01",
        "an envelope in an envelope, or a header alone, is refused",
        "D-01; BME 2.0.1, 2.2",
        Expect::Error(ENVELOPE),
        nested,
    ),
    reception(
        "D-02",
        "values that the envelope does not allow are refused",
        "D-02 to D-04; BME 2.0.1, 2.9",
        Expect::Error(ENVELOPE),
        |forge| {
            forge.enveloped(&[
                edit("another HeaderVersion", "<HeaderVersion>1.0<", "<HeaderVersion>2.0<"),
                edit(
                    "another authority",
                    "Authority=\"iso6523-actorid-upis\">{from}",
                    "Authority=\"urn:testbed\">{from}",
                ),
                edit(
                    "a participant without a scheme",
                    ">{to}</Identifier></Receiver>",
                    ">somebody</Identifier></Receiver>",
                ),
                edit(
                    "two receivers",
                    "<Receiver>",
                    "<Receiver><Identifier Authority=\"iso6523-actorid-upis\">9915:x</Identifier>\
                     </Receiver><Receiver>",
                ),
                edit("a time without a zone", "Z</CreationDateAndTime>", "</CreationDateAndTime>"),
                edit(
                    "a date without a time",
                    "<CreationDateAndTime>20",
                    "<CreationDateAndTime>2026-01-01</CreationDateAndTime><CreationDateAndTime>20",
                ),
            ])
        },
    ),
    reception(
        "D-04",
        "standard, type and version are those of the document type",
        "D-04; BME 2.0.1, 2.9",
        Expect::Error(ENVELOPE),
        |forge| {
            forge.enveloped(&[
                edit("another standard", "<Standard>", "<Standard>urn:testbed:"),
                edit("another version", "<TypeVersion>", "<TypeVersion>9."),
                edit("another type", "<Type>", "<Type>Not"),
            ])
        },
    ),
    reception(
        "D-08",
        "COUNTRY_C1 is a country",
        "D-08; BME 2.0.1, 2.5",
        Expect::Error(ENVELOPE),
        |forge| {
            const NL: &str = "<InstanceIdentifier>NL</InstanceIdentifier>";
            forge.enveloped(&[
                edit("small letters", NL, "<InstanceIdentifier>nl</InstanceIdentifier>"),
                edit("three letters", NL, "<InstanceIdentifier>NLD</InstanceIdentifier>"),
                edit("nothing", NL, "<InstanceIdentifier></InstanceIdentifier>"),
                edit("no country", NL, "<InstanceIdentifier>QQ</InstanceIdentifier>"),
                edit("another list", NL, "<InstanceIdentifier>UK</InstanceIdentifier>"),
            ])
        },
    ),
    reception(
        "D-11a",
        "scopes that nobody knows are let pass",
        "D-11; BME 2.0.1, 2.7",
        Expect::Receipt,
        |forge| {
            let scope = |key: &str, value: &str| Scope {
                key: key.to_owned(),
                value: value.to_owned(),
                scheme: None,
            };
            with(forge, "two unknown keys, one without a value", |sbdh| {
                sbdh.others = vec![scope("TESTBED_KEY", "value"), scope("testbed_key", "")];
            })
        },
    ),
    reception(
        "D-11b",
        "a key that is there twice is refused",
        "D-11; BME 2.0.1, 2.7",
        Expect::Error(ENVELOPE),
        |forge| {
            let country = "<Scope><Type>COUNTRY_C1</Type><InstanceIdentifier>BE\
                           </InstanceIdentifier></Scope></BusinessScope>";
            let mut draft = forge.draft()?;
            let text = String::from_utf8(draft.payload).map_err(ForgeError::of)?;
            let text = text.replacen("</BusinessScope>", country, 1);
            draft.payload = text.into_bytes();
            Ok(vec![forge.seal(&draft)?.message("COUNTRY_C1 twice")])
        },
    ),
    reception(
        "D-10",
        "MLS_TO and MLS_TYPE are taken",
        "D-09, D-10; BME 2.0.1, 2.6",
        Expect::Receipt,
        |forge| {
            let to = forge.provider().ok();
            let mut all = with(forge, "FAILURE_ONLY", |sbdh| {
                sbdh.mls_type = Some(MlsType::FailureOnly);
            })?;
            all.extend(with(forge, "MLS_TO and ALWAYS_SEND", |sbdh| {
                sbdh.mls_type = Some(MlsType::AlwaysSend);
                sbdh.mls_to = to;
            })?);
            Ok(all)
        },
    ),
    reception(
        "E-09",
        "an envelope with the pattern of a registration instead of a type is refused",
        "E-05, E-09; Policy for use of identifiers 4.4, 5.1.2",
        Expect::NoReceipt,
        |forge| {
            const PATTERN: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##\
                                   urn:peppol:pint:billing-1*::2.1";
            let mut draft = forge.draft()?;
            let text = String::from_utf8(draft.payload).map_err(ForgeError::of)?;
            let (scheme, value) = (forge.document_type.scheme(), forge.document_type.value());
            let full = format!("{value}</InstanceIdentifier><Identifier>{scheme}<");
            let pattern =
                format!("{PATTERN}</InstanceIdentifier><Identifier>peppol-doctype-wildcard<");
            draft.payload = replaced(&text, &full, &pattern)?.into_bytes();
            draft.message.action = format!("peppol-doctype-wildcard::{PATTERN}");
            Ok(vec![forge.seal(&draft)?.message("a pattern, in header and envelope")])
        },
    ),
    reception(
        "H-10a",
        "a participant that is not served here is refused",
        "H-10, C-07; AS4 profile 4",
        Expect::NotServiced,
        |forge| {
            let unknown: ParticipantId = "9915:testbed-nobody".parse().map_err(ForgeError::of)?;
            with(forge, "an unknown participant", |sbdh| sbdh.receiver = unknown)
        },
    ),
    reception(
        "H-10b",
        "a document type that the participant is not registered for is refused",
        "H-10, C-07; AS4 profile 4",
        Expect::NotServiced,
        |forge| {
            let other = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
                         Invoice##urn:quoin:testbed:no-such-profile::2.1";
            let other: DocumentTypeId = other.parse().map_err(ForgeError::of)?;
            with(forge, "an unknown document type", |sbdh| sbdh.document_type = other)
        },
    ),
    reception(
        "H-10c",
        "a process that the document type is not registered for is refused",
        "H-10, C-07; AS4 profile 4",
        Expect::NotServiced,
        |forge| {
            let other = ProcessId::new(ProcessId::SCHEME, "urn:quoin:testbed:no-such-process");
            let other = other.map_err(ForgeError::of)?;
            with(forge, "an unknown process", |sbdh| sbdh.process = other)
        },
    ),
];

/// A message with another header of the envelope.
fn with(
    forge: &Forge,
    what: &str,
    change: impl FnOnce(&mut Sbdh),
) -> Result<Vec<TestMessage>, ForgeError> {
    let number = forge.number();
    let mut sbdh = forge.sbdh();
    change(&mut sbdh);
    let (from, to) = (sbdh.sender.to_string(), sbdh.receiver.to_string());
    let document = match &forge.document {
        Some(document) => document.clone(),
        None => quoin_formats::samples::invoice(&from, &to, &number),
    };
    let draft = forge.draft_of(&sbdh, &document, &number)?;
    Ok(vec![forge.seal(&draft)?.message(what)])
}

fn empty_envelope(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut draft = forge.draft()?;
    let text = String::from_utf8(draft.payload).map_err(ForgeError::of)?;
    let end = "</StandardBusinessDocumentHeader>";
    let (header, _) = text.split_once(end).ok_or_else(|| ForgeError(format!("no {end}")))?;
    draft.payload = format!("{header}{end}</StandardBusinessDocument>").into_bytes();
    Ok(vec![forge.seal(&draft)?.message("the header alone")])
}

/// The elements that must be there, and the keys of the scopes that must be there.
const FIELDS: &[(&str, &str)] = &[
    ("<HeaderVersion>", "</HeaderVersion>"),
    ("<Sender>", "</Sender>"),
    ("<Receiver>", "</Receiver>"),
    ("<DocumentIdentification>", "</DocumentIdentification>"),
    ("<Standard>", "</Standard>"),
    ("<TypeVersion>", "</TypeVersion>"),
    ("<InstanceIdentifier>", "</InstanceIdentifier>"),
    ("<Type>", "</Type>"),
    ("<CreationDateAndTime>", "</CreationDateAndTime>"),
    ("<BusinessScope>", "</BusinessScope>"),
    ("<Scope><Type>DOCUMENTID", "</Scope>"),
    ("<Scope><Type>PROCESSID", "</Scope>"),
    ("<Scope><Type>COUNTRY_C1", "</Scope>"),
    (HEADER_START, "</StandardBusinessDocumentHeader>"),
];

fn without_each_field(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let one = |(open, close): &(&str, &str)| {
        let mut draft = forge.draft()?;
        let text = String::from_utf8(draft.payload).map_err(ForgeError::of)?;
        let missing = || ForgeError(format!("the envelope ({BME}) has no {open}"));
        let from = text.find(open).ok_or_else(missing)?;
        let rest = text.get(from..).unwrap_or_default();
        let cut = rest.find(close).ok_or_else(missing)? + close.len();
        let cut = rest.get(..cut).unwrap_or_default();
        draft.payload = text.replacen(cut, "", 1).into_bytes();
        let name = open.trim_start_matches("<Scope><Type>").trim_matches(['<', '>']);
        Ok(forge.seal(&draft)?.message(format!("without {name}")))
    };
    FIELDS.iter().map(one).collect()
}

fn nested(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut inside = forge.draft()?;
    let text = String::from_utf8(inside.payload).map_err(ForgeError::of)?;
    let whole = text.split_once("?>").map_or(text.as_str(), |(_, rest)| rest).trim();
    let end = "</StandardBusinessDocumentHeader>";
    let (header, _) = text.split_once(end).ok_or_else(|| ForgeError(format!("no {end}")))?;
    inside.payload = format!("{header}{end}{whole}</StandardBusinessDocument>").into_bytes();
    let mut alone = forge.draft()?;
    let from = text.find(HEADER_START).unwrap_or_default();
    let to = text.find(end).unwrap_or_default() + end.len();
    let header = text.get(from..to).unwrap_or_default();
    let namespace = quoin_peppol::sbdh::NAMESPACE;
    let rooted = format!("<StandardBusinessDocumentHeader xmlns=\"{namespace}\">");
    alone.payload = header.replacen(HEADER_START, &rooted, 1).into_bytes();
    Ok(vec![
        forge.seal(&inside)?.message("an envelope in an envelope"),
        forge.seal(&alone)?.message("a header without an envelope"),
    ])
}
