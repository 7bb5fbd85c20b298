//! Rows: payloads, packages and the connection test, and what real senders send.

use data_encoding::BASE64;

use super::super::names::*;
use super::super::*;
use super::fixture::*;

#[track_caller]
fn edited(from: &str, to: &str) -> As4Refusal {
    Forged::new().edit(from, to).signed().refused()
}

#[test]
fn a_14_the_body_is_empty_and_the_payload_follows_the_soap_part() {
    let sent = sent();
    let parts = parse_mime(&sent.http.content_type, &sent.http.body).unwrap();
    assert_eq!(parts.len(), 2);
    assert!(parts[0].header("content-type").unwrap().starts_with("application/soap+xml"));
    let envelope = String::from_utf8(parts[0].body.to_vec()).unwrap();
    let document = parse(&envelope);
    assert_eq!(find(&document, "Body").children().count(), 0);
    let href = find(&document, "PartInfo").attribute("href").unwrap();
    assert_eq!(href.strip_prefix("cid:"), parts[1].content_id());
}

#[test]
fn a_14_a_payload_in_the_body_is_refused() {
    let refusal = edited("</S12:Body>", "<x/></S12:Body>");
    assert_eq!(refusal.code, EbmsCode::ProcessingModeMismatch);
}

#[test]
fn a_14_one_payload_is_announced_and_attached() {
    let forged = Forged::new();
    let start = forged.envelope.find("<eb:PartInfo").unwrap();
    let end = forged.envelope.find("</eb:PayloadInfo>").unwrap();
    let part = forged.envelope[start..end].to_owned();
    assert_eq!(edited(&part, "").code, EbmsCode::ValueInconsistent);
    assert_eq!(edited(&part, &part.repeat(2)).code, EbmsCode::ValueInconsistent);
    let http = forged.http();
    let more = [
        &http.body[..http.body.len() - "--frontier--\r\n".len()],
        b"--frontier\r\nContent-ID: <more>\r\n\r\nmore\r\n--frontier--\r\n",
    ]
    .concat();
    let refusal = open(&HttpMessage { body: more, ..http }).unwrap_err();
    assert_eq!(refusal.code, EbmsCode::MimeInconsistency);
}

#[test]
fn a_14_an_announced_payload_that_is_not_there_is_refused() {
    let mut forged = Forged::new();
    forged.headers = "Content-ID: <another>\r\n".to_owned();
    let refusal = forged.refused();
    assert_eq!(refusal.code, EbmsCode::ExternalPayloadError);
    let envelope = soap(Forged::new().envelope);
    assert_eq!(open(&envelope).unwrap_err().code, EbmsCode::ExternalPayloadError);
}

#[test]
fn a_15_part_properties_are_checked() {
    let mime = "<eb:Property name=\"MimeType\">application/xml</eb:Property>";
    let gzip = "<eb:Property name=\"CompressionType\">application/gzip</eb:Property>";
    assert!(Forged::new().envelope.contains(&format!("{mime}{gzip}")));
    assert_eq!(edited(mime, "").code, EbmsCode::InvalidHeader);
    assert_eq!(
        edited("\"MimeType\">application/xml", "\"MimeType\">image/png").code,
        EbmsCode::InvalidHeader
    );
    assert_eq!(
        edited(">application/gzip<", ">application/brotli<").code,
        EbmsCode::DecompressionFailure
    );
    let set = |name: &str| format!("{gzip}<eb:Property name=\"CharacterSet\">{name}</eb:Property>");
    assert_eq!(edited(gzip, &set("klingon")).code, EbmsCode::InvalidHeader);
    for (from, to) in [
        ("\"MimeType\">application/xml", "\"MimeType\">text/xml".to_owned()),
        // Media types are of any case, and may have parameters (RFC 2045, section 5.1).
        ("\"MimeType\">application/xml", "\"MimeType\">APPLICATION/XML".to_owned()),
        ("\"MimeType\">application/xml", "\"MimeType\">application/xml; charset=UTF-8".to_owned()),
        (">application/gzip<", ">Application/GZIP<".to_owned()),
        (gzip, set("UTF-8")),
        (gzip, set("utf-16")),
    ] {
        Forged::new().edit(from, &to).signed().open().unwrap();
    }
}

#[test]
fn a_15_the_payload_is_named_by_a_cid() {
    let href = format!("href=\"cid:payload.{MESSAGE_ID}\"");
    for wrong in ["href=\"#here\"", "href=\"http://example.com/x\"", ""] {
        assert_eq!(edited(&href, wrong).code, EbmsCode::InvalidHeader, "{wrong}");
    }
}

#[test]
fn a_16_no_file_name_is_given_away() {
    let body = String::from_utf8_lossy(&sent().http.body).to_ascii_lowercase();
    assert!(!body.contains("content-disposition"));
}

#[test]
fn a_18_a_base64_part_is_read() {
    for width in [usize::MAX, 76] {
        let mut forged = Forged::new();
        forged.headers = forged.headers.replace("binary", "Base64");
        let encoded = BASE64.encode(&forged.ciphertext);
        let lines: Vec<&[u8]> = encoded.as_bytes().chunks(width).collect();
        forged.ciphertext = lines.join(&b"\r\n"[..]);
        assert_eq!(forged.open().unwrap().payload, PAYLOAD);
    }
}

#[test]
fn a_18_folded_headers_are_read() {
    let mut forged = Forged::new();
    let id = &forged.content_id;
    forged.headers =
        format!("content-id:\r\n\t<{id}>\r\nContent-Type: application/gzip;\r\n x=y\r\n");
    assert_eq!(forged.open().unwrap().payload, PAYLOAD);
}

#[test]
fn a_18_a_content_id_may_lack_its_brackets() {
    let mut forged = Forged::new();
    forged.headers = format!("CONTENT-ID: {}\r\n", forged.content_id);
    assert_eq!(forged.open().unwrap().payload, PAYLOAD);
}

#[test]
fn a_18_a_cid_may_be_percent_encoded() {
    let id = format!("cid:payload.{MESSAGE_ID}");
    let encoded = id.replace('@', "%40");
    let forged = Forged::new().edit(&id, &encoded).signed();
    assert_eq!(forged.open().unwrap().payload, PAYLOAD);
    // Some encode it in one place and not in another.
    let forged = Forged::new().edit_first(&id, &encoded).signed();
    assert_eq!(forged.open().unwrap().payload, PAYLOAD);
}

#[test]
fn a_18_ids_may_begin_with_a_digit() {
    let forged = Forged::new();
    let renamed = forged.edit("_messaging", "5f0a").edit("_body", "1").edit("_signing-token", "0");
    assert_eq!(renamed.signed().open().unwrap().payload, PAYLOAD);
}

#[test]
fn a_18_messaging_may_have_a_role() {
    let mark = "wsu:Id=\"_messaging\"";
    let role = format!("{mark} S12:role=\"{SOAP}/role/ultimateReceiver\"");
    let forged = Forged::new().edit(mark, &role).signed();
    assert_eq!(forged.open().unwrap().payload, PAYLOAD);
}

#[test]
fn a_18_must_understand_may_have_any_prefix() {
    let mark = "S12:mustUnderstand=\"true\">";
    let odd = format!("xmlns:mustUnderstand=\"{SOAP}\" mustUnderstand:mustUnderstand=\"true\">");
    let forged = Forged::new().edit_first(mark, &odd).signed();
    assert_eq!(forged.open().unwrap().payload, PAYLOAD);
}

#[test]
fn a_19_a_ping_is_received_without_a_payload() {
    let message = UserMessage {
        service: PING_SERVICE.to_owned(),
        service_type: String::new(),
        action: PING_ACTION.to_owned(),
        ..user_message()
    };
    assert!(message.is_ping());
    assert!(!user_message().is_ping());
    let forged = Forged::of(&sealed(&message, b"").http, b"");
    let header = canonical(find(&parse(&forged.envelope), "Messaging"), &[]);
    let start = header.find("<eb:MessageProperties>").unwrap();
    let end = header.find("</eb:UserMessage>").unwrap();
    let bare = forged.edit(&header[start..end], "");
    let reference = bare.envelope.split_once("<ds:Reference URI=\"cid:").unwrap().1;
    let reference = reference.split_once("</ds:Reference>").unwrap().0.to_owned();
    let bare =
        bare.edit(&format!("<ds:Reference URI=\"cid:{reference}</ds:Reference>"), "").signed();
    let received = open(&soap(bare.envelope)).unwrap();
    assert!(received.message.is_ping());
    assert_eq!(received.payload, b"");
    let own = &seat(RECEIVER).own;
    assert!(receipt(&received, own, SIGNAL_ID, now()).is_ok());
}

/// A header of somebody else, before ours.
fn with_header(header: &str) -> Forged {
    Forged::new().edit("<S12:Header>", &format!("<S12:Header>{header}"))
}

#[test]
fn c_32_a_header_that_must_be_understood_and_is_not_is_a_fault() {
    for mark in ["S12:mustUnderstand=\"true\"", "S12:mustUnderstand=\"1\""] {
        let refusal = with_header(&format!("<x:Odd xmlns:x=\"urn:x\" {mark}/>")).signed().open();
        let refusal = refusal.unwrap_err();
        assert_eq!(refusal.code, EbmsCode::InvalidHeader, "{refusal}");
        assert!(refusal.detail.contains("x:Odd must be understood"), "{refusal}");
    }
    let role = "S12:role=\"urn:somebody:else\" S12:mustUnderstand=\"true\"";
    for fine in ["", "S12:mustUnderstand=\"false\"", role] {
        with_header(&format!("<x:Odd xmlns:x=\"urn:x\" {fine}/>")).signed().open().unwrap();
    }
}

/// Each node on the way may have a security header of its own (Web Services Security 1.1.1).
#[test]
fn a_security_header_for_another_node_is_not_ours() {
    let security = |role: &str| {
        let mark = "S12:mustUnderstand=\"true\"";
        format!("<w:Security xmlns:w=\"{WSSE}\" {role} {mark}><w:x></w:x></w:Security>")
    };
    let other = security("S12:role=\"urn:somebody:else\"");
    assert_eq!(with_header(&other).signed().open().unwrap().payload, PAYLOAD);
    let two = format!("{other}{}", other.replace("else", "third"));
    assert_eq!(with_header(&two).signed().open().unwrap().payload, PAYLOAD);
    for ours in ["", &format!("S12:role=\"{SOAP}/role/ultimateReceiver\"")] {
        let refusal = with_header(&security(ours)).signed().open().unwrap_err();
        assert_eq!(refusal.code, EbmsCode::PolicyNoncompliance, "{refusal}");
        assert!(refusal.detail.contains("more than one wsse:Security"), "{refusal}");
    }
}

#[test]
fn c_32_text_in_the_signed_body_is_refused() {
    let document = parse(&Forged::new().envelope);
    let body = canonical(find(&document, "Body"), &[]);
    let start = body.split_once('>').unwrap().0;
    let forged = Forged::new();
    let found = forged.envelope.find("<S12:Body").unwrap();
    let written = forged.envelope[found..].split_inclusive('>').next().unwrap().to_owned();
    assert!(!start.is_empty());
    let (from, opened) = match written.strip_suffix("/>") {
        Some(open) => (written.clone(), format!("{open}>")),
        None => (format!("{written}</S12:Body>"), written.clone()),
    };
    let filled =
        |text: &str| forged.clone().edit(&from, &format!("{opened}{text}</S12:Body>")).signed();
    let refusal = filled("pay 100 to me").open().unwrap_err();
    assert_eq!(refusal.code, EbmsCode::ProcessingModeMismatch, "{refusal}");
    filled("\n  ").open().unwrap();
}

#[test]
fn c_32_a_message_whose_time_is_over_is_refused_with_room_for_clocks() {
    let wsu = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    let stamped = |until: &str| {
        let stamp = format!(
            "<t:Timestamp xmlns:t=\"{wsu}\"><t:Created>2026-11-21T09:00:00Z</t:Created>\
             <t:Expires>{until}</t:Expires></t:Timestamp></wsse:Security>"
        );
        Forged::new().edit("</wsse:Security>", &stamp).signed().open()
    };
    let late = stamped("2026-11-21T09:54:59.000Z").unwrap().check_time(now()).unwrap_err();
    assert_eq!(late.code, EbmsCode::FailedAuthentication, "{late}");
    assert_eq!(late.message_id.as_deref(), Some(MESSAGE_ID));
    for fine in ["2026-11-21T09:55:01Z", "2026-11-21T10:30:00Z"] {
        stamped(fine).unwrap().check_time(now()).unwrap();
    }
    assert_eq!(stamped("tomorrow").unwrap_err().code, EbmsCode::InvalidHeader);
    Forged::new().open().unwrap().check_time(now()).unwrap();
}
