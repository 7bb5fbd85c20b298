//! The package: parts that are missing, too many, written in other ways.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quoin_xml::base64;

use crate::testbed::case::{Expect, PACKAGE, TestCase, reception};
use crate::testbed::forge::package::MessageAttachment;
use crate::testbed::forge::sign::Style;
use crate::testbed::forge::{Forge, ForgeError, TestMessage};

/// The cases.
pub(crate) static CASES: &[TestCase] = &[
    reception(
        "A-14a",
        "a payload in the SOAP body is refused",
        "A-14; AS4 profile 9",
        Expect::Error(PACKAGE),
        |forge| {
            let mut forged = forge.good()?;
            forged.edit("</S12:Body>", "<Invoice xmlns=\"urn:testbed\"></Invoice></S12:Body>")?;
            forged.resign(&forge.own, &Style::default())?;
            Ok(vec![forged.message("an element in the body")])
        },
    ),
    reception(
        "A-14b",
        "a part that is announced and missing, or there and not announced, is refused",
        "A-14; ebMS 3.0 core 5.2.2.12",
        Expect::Error(PACKAGE),
        parts_that_differ,
    ),
    reception(
        "A-14c",
        "two payloads in one message are refused",
        "A-14; AS4 profile 9",
        Expect::Error(PACKAGE),
        two_payloads,
    ),
    reception(
        "A-14d",
        "a part that comes twice is refused",
        "A-14; RFC 2392",
        Expect::NoReceipt,
        |forge| {
            let mut forged = forge.good()?;
            let again = forged.attachment()?.clone();
            forged.package.parts.push(again);
            Ok(vec![forged.message("the same Content-ID twice")])
        },
    ),
    reception(
        "A-16",
        "a package that is cut off, or names a start that is not there, is refused",
        "RFC 2046, 5.1.1; RFC 2387",
        Expect::NoReceipt,
        broken_packages,
    ),
    reception(
        "A-18b",
        "what correct peers write otherwise is taken: base64, folded heads, capitals",
        "A-18; RFC 2045, RFC 2392",
        Expect::Receipt,
        habits,
    ),
    reception(
        "A-18c",
        "a reference to the payload in percent-encoded characters is understood",
        "A-18; RFC 2392, 2",
        Expect::Receipt,
        |forge| {
            let mut percent = forge.good()?;
            let id = percent.attachment()?.content_id().unwrap_or_default();
            let written = utf8_percent_encode(&id, NON_ALPHANUMERIC).to_string();
            percent.edit(&format!("href=\"cid:{id}\""), &format!("href=\"cid:{written}\""))?;
            percent.resign(&forge.own, &Style::default())?;
            Ok(vec![percent.message("a percent-encoded cid")])
        },
    ),
    reception(
        "B-03",
        "a payload that is not compressed is refused, not guessed at",
        "B-03; AS4 profile 10, WSS SwA 1.1, 5.4",
        Expect::Error(&["EBMS:0004", "EBMS:0009", "EBMS:0010", "EBMS:0101", "EBMS:0303"]),
        |forge| {
            let draft = forge.draft()?;
            let mut forged = forge.seal(&draft)?;
            forged.refill(draft.payload)?;
            forged
                .edit("<eb:Property name=\"CompressionType\">application/gzip</eb:Property>", "")?;
            forged.resign(&forge.own, &Style::default())?;
            Ok(vec![forged.message("plain XML")])
        },
    ),
    reception(
        "B-12a",
        "a payload that is announced as gzip and is none, or is cut off, is refused",
        "B-12, C-09; RFC 1952",
        Expect::Error(&["EBMS:0004", "EBMS:0303"]),
        |forge| {
            let mut plain = forge.good()?;
            plain.refill(b"this is not gzip".to_vec())?;
            plain.resign(&forge.own, &Style::default())?;
            let mut cut = forge.good()?;
            let half = cut.octets().len() / 2;
            cut.refill(cut.octets().get(..half).unwrap_or_default().to_vec())?;
            cut.resign(&forge.own, &Style::default())?;
            Ok(vec![plain.message("not gzip"), cut.message("half of it")])
        },
    ),
    reception(
        "B-12b",
        "a payload that grows beyond all measure is refused in time",
        "B-12; checklist: an output cap",
        Expect::NoReceipt,
        |forge| {
            let mut draft = forge.draft()?;
            draft.payload = vec![b' '; BOMB_BYTES];
            draft.number.clear();
            Ok(vec![forge.seal(&draft)?.message("one megabyte that becomes 300")])
        },
    ),
];

/// What the bomb grows to.
const BOMB_BYTES: usize = 300 << 20;

fn parts_that_differ(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut missing = forge.good()?;
    missing.package.parts.clear();
    let mut renamed = forge.good()?;
    for line in &mut renamed.attachment()?.head {
        if line.starts_with("Content-ID:") {
            *line = "Content-ID: <another@testbed.quoin.test>".to_owned();
        }
    }
    let mut more = forge.good()?;
    more.package.parts.push(stowaway());
    Ok(vec![
        missing.message("the part is missing"),
        renamed.message("the part has another Content-ID"),
        more.message("a part that nobody announced"),
    ])
}

fn stowaway() -> MessageAttachment {
    let head = ["Content-Type: text/plain", "Content-ID: <stowaway@testbed.quoin.test>"];
    MessageAttachment { head: head.map(str::to_owned).to_vec(), body: b"hello".to_vec() }
}

fn two_payloads(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut forged = forge.good()?;
    forged.package.parts.push(stowaway());
    let part = "<eb:PartInfo href=\"cid:stowaway@testbed.quoin.test\"><eb:PartProperties>\
                <eb:Property name=\"MimeType\">application/xml</eb:Property>\
                <eb:Property name=\"CompressionType\">application/gzip</eb:Property>\
                </eb:PartProperties></eb:PartInfo></eb:PayloadInfo>";
    forged.edit("</eb:PayloadInfo>", part)?;
    forged.resign(&forge.own, &Style::default())?;
    Ok(vec![forged.message("two announced payloads")])
}

fn broken_packages(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut cut = forge.good()?.message("the closing boundary is missing");
    let length = cut.sent.http.body.len();
    cut.sent.http.body.truncate(length - 60);
    let mut start = forge.good()?;
    start.package.content_type =
        format!("{}; start=\"<nobody@testbed.quoin.test>\"", start.package.content_type)
            .replacen("start=", "was=", 1);
    let mut boundary = forge.good()?.message("no boundary in the content type");
    "multipart/related; type=\"application/soap+xml\""
        .clone_into(&mut boundary.sent.http.content_type);
    Ok(vec![cut, start.message("start names no part"), boundary])
}

fn habits(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut encoded = forge.good()?;
    let attachment = encoded.attachment()?;
    attachment.body = lines(&base64::encode(&attachment.body)).into_bytes();
    for line in &mut attachment.head {
        *line = line.replace("Encoding: binary", "Encoding: base64");
    }
    let mut folded = forge.good()?;
    for line in &mut folded.attachment()?.head {
        *line = line.replacen(": ", ":\r\n\t", 1);
    }
    let mut lower = forge.good()?;
    for line in &mut lower.attachment()?.head {
        if let Some((name, value)) = line.split_once(": ") {
            *line = format!("{}: {value}", name.to_ascii_uppercase());
        }
    }
    Ok(vec![
        encoded.message("the attachment in base64"),
        folded.message("folded heads"),
        lower.message("names of headers in capitals"),
    ])
}

/// Base64 in lines of 76 characters.
fn lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 38);
    for (at, character) in text.chars().enumerate() {
        if at > 0 && at % 76 == 0 {
            out.push_str("\r\n");
        }
        out.push(character);
    }
    out
}
