//! Rows B-09 to B-12: who signed, whom it is for, and what never reaches a key.

use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::super::compression::{EXPANDED_BYTES, gunzip_within};
use super::super::*;
use super::fixture::*;

/// Trusts nobody.
struct Nobody;

impl Peers for Nobody {
    fn access_point(&self, _: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        Err(CertificateRefusal { reason: "it was revoked on 2026-01-01".to_owned() })
    }
}

#[test]
fn b_09_a_certificate_that_is_not_trusted_fails_authentication() {
    let http = sent().http;
    let incoming = Incoming::read(&http.content_type, &http.body).unwrap();
    let refusal = incoming.open(&seat(RECEIVER).own, &Nobody).unwrap_err();
    assert_eq!(refusal.code, EbmsCode::FailedAuthentication);
    assert_eq!(refusal.message_id.as_deref(), Some(MESSAGE_ID));
    assert!(refusal.detail.contains("revoked on 2026-01-01"), "{refusal}");
}

#[test]
fn b_09_the_claimed_signer_can_be_looked_up_before() {
    let http = sent().http;
    let incoming = Incoming::read(&http.content_type, &http.body).unwrap();
    assert_eq!(incoming.claimed_signer(), Some(seat(SENDER).own.certificate.clone()));
    let mut forged = Forged::new();
    forged.envelope = forged.envelope.replace("<ds:Signature ", "<ds:Absent ");
    forged.envelope = forged.envelope.replace("</ds:Signature>", "</ds:Absent>");
    let http = forged.http();
    assert_eq!(Incoming::read(&http.content_type, &http.body).unwrap().claimed_signer(), None);
}

#[test]
fn b_10_the_signer_is_the_party_it_comes_from() {
    let forged = Forged::new().edit(">POP000001<", ">POP000003<").signed();
    let refusal = forged.refused();
    assert_eq!(refusal.code, EbmsCode::FailedAuthentication);
    assert!(refusal.detail.contains("POP000003") && refusal.detail.contains("POP000001"));
}

#[test]
fn b_10_the_message_is_for_this_access_point() {
    let forged = Forged::new().edit(">POP000002<", ">POP000003<").signed();
    let refusal = forged.refused();
    assert_eq!(refusal.code, EbmsCode::Other);
    assert!(refusal.detail.contains("POP000003") && refusal.detail.contains("POP000002"));
}

#[test]
fn b_12_a_document_type_declaration_is_refused() {
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>";
    for dtd in ["<!DOCTYPE x>", bomb, "<!DOCTYPE x SYSTEM \"file:///etc/passwd\">"] {
        let start = "<S12:Envelope ";
        let refusal = Forged::new().edit(start, &format!("{dtd}{start}")).open().unwrap_err();
        assert_eq!(refusal.code, EbmsCode::InvalidHeader);
        assert!(refusal.detail.contains("DOCTYPE"), "{refusal}");
    }
}

#[test]
fn b_12_entities_are_refused() {
    let refusal = Forged::new().edit("conversation-1", "&lol;").open().unwrap_err();
    assert_eq!(refusal.code, EbmsCode::InvalidHeader);
    assert!(refusal.detail.contains("lol"), "{refusal}");
}

#[test]
fn b_12_depth_nodes_and_size_are_limited() {
    let end = "</S12:Body>";
    // The envelope and the body are two levels already.
    let deep = |levels: usize| format!("{}{}{end}", "<x>".repeat(levels), "</x>".repeat(levels));
    let refusal = Forged::new().edit(end, &deep(63)).open().unwrap_err();
    assert_eq!(refusal.code, EbmsCode::InvalidHeader);
    assert!(refusal.detail.contains("64 levels"), "{refusal}");
    let shallow = Forged::new().edit(end, &deep(62)).open().unwrap_err();
    assert_eq!(shallow.code, EbmsCode::ProcessingModeMismatch);
    let many = Forged::new().edit(end, &format!("{}{end}", "<x/>".repeat(20_000)));
    assert!(many.open().unwrap_err().detail.contains("20000 nodes"));
    let large = Forged::new().edit(end, &format!("{}{end}", " ".repeat(1 << 20)));
    assert!(large.open().unwrap_err().detail.contains("1048576 bytes"));
    let crowded: String = (0..300).map(|i| format!(" a{i}=\"\"")).collect();
    let crowded = Forged::new().edit("<eb:UserMessage>", &format!("<eb:UserMessage{crowded}>"));
    assert!(crowded.open().unwrap_err().detail.contains("256 attributes"));
}

#[test]
fn b_12_a_gzip_bomb_is_refused() {
    // It says itself that it becomes too large, so that nothing of it is unpacked.
    let mut bomb = dense(MEMBER).repeat(EXPANDED_BYTES / MEMBER + 1);
    let length = bomb.len();
    let said = u32::try_from(EXPANDED_BYTES + 1).unwrap();
    bomb[length - 4..].copy_from_slice(&said.to_le_bytes());
    let refusal = gunzip_within(&bomb, &mut |_| panic!("room was asked for")).unwrap_err();
    assert!(refusal.detail.contains("grows beyond"), "{refusal}");
    let refusal = Forged::new().octets(bomb).signed().refused();
    assert_eq!(refusal.code, EbmsCode::DecompressionFailure);
    assert!(refusal.detail.contains("grows beyond"), "{refusal}");
}

/// The scan of an empty page is hundreds of times smaller once it is compressed.
#[test]
fn b_12_a_payload_of_equal_bytes_is_no_bomb() {
    let packed = dense(4 * MEMBER);
    assert!(packed.len() * 900 < 4 * MEMBER, "{}", packed.len());
    let opened = gunzip(&packed).unwrap();
    assert!(opened.len() == 4 * MEMBER && opened.iter().all(|byte| *byte == b' '));
    let payload = vec![b'0'; 4 * MEMBER];
    let sent = sealed(&user_message(), &payload);
    assert!(open(&sent.http).unwrap().payload == payload);
}

#[test]
fn b_12_what_is_not_gzip_is_refused() {
    let whole = gzip(PAYLOAD).unwrap();
    let mut tail = whole.clone();
    tail.extend_from_slice(b"trailing");
    for octets in [PAYLOAD.to_vec(), whole[..whole.len() - 4].to_vec(), tail, Vec::new()] {
        let refusal = Forged::new().octets(octets).signed().refused();
        assert_eq!(refusal.code, EbmsCode::DecompressionFailure, "{refusal}");
    }
}

/// The last bytes of what is no gzip, or is cut off, are no length: it is not said to be too large.
#[test]
fn b_12_what_is_not_gzip_is_not_said_to_be_too_large() {
    let why = |mut octets: Vec<u8>, end: [u8; 4]| {
        octets.extend_from_slice(&end);
        gunzip(&octets).unwrap_err().detail
    };
    let whole = gzip(&PAYLOAD.repeat(100)).unwrap();
    let cut = whole[..whole.len() - 12].to_vec();
    let zlib = [&[0x78, 0x9c][..], &whole[10..]].concat();
    for end in [[0; 4], [0, 0, 0, 1], [0, 0, 0, 0x10], [0xff; 4]] {
        for no in [PAYLOAD.to_vec(), zlib.clone(), b"\x1f\x8b\x09".to_vec(), Vec::new()] {
            assert_eq!(why(no, end), "the payload is not valid gzip", "{end:?}");
        }
        let why = why(cut.clone(), end);
        assert!(why.contains("cut off") || why.contains("not valid gzip"), "{why}");
        assert!(!why.contains("grows"), "{why}");
    }
    // A large one may be either.
    let more = u32::try_from(EXPANDED_BYTES + 1).unwrap().to_le_bytes();
    let why = why(dense(MEMBER).repeat(300), more);
    assert!(why.contains("is cut off, or grows beyond"), "{why}");
}

/// Members may follow one another in a gzip file; the limit holds for all of them together.
#[test]
fn b_12_a_bomb_of_many_members_is_refused() {
    let mut members = dense(MEMBER).repeat(EXPANDED_BYTES / MEMBER);
    members.extend_from_slice(&gzip(b"1").unwrap());
    let refusal = gunzip(&members).map(|payload| payload.len()).unwrap_err();
    assert_eq!(refusal.code, EbmsCode::DecompressionFailure);
    assert!(refusal.detail.contains("grows beyond"), "{refusal}");
}

/// Whatever a payload says of its length, room for all that comes of it is asked for before it is
/// held, once and for the whole.
#[test]
fn b_12_room_is_asked_for_before_it_is_held() {
    let mut members = dense(MEMBER).repeat(8);
    members.extend_from_slice(&gzip(b"1").unwrap());
    let mut asked = Vec::new();
    let mut room = |bytes| {
        asked.push(bytes);
        bytes <= MEMBER
    };
    assert_eq!(gunzip_within(&members, &mut room), Ok(None));
    // One byte is what the last member says; then all that was counted, in place of that.
    assert_eq!(asked, [1, 8 * MEMBER + 1]);
    let whole = gunzip_within(&members, &mut |_| true).unwrap();
    assert_eq!(whole.map(|whole| whole.len()), Some(8 * MEMBER + 1));
    // One member that says less than it becomes is no gzip, for which no room is asked for.
    let mut liar = dense(MEMBER);
    let length = liar.len();
    liar[length - 4..].copy_from_slice(&1u32.to_le_bytes());
    let mut asked = Vec::new();
    let refusal = gunzip_within(&liar, &mut |bytes| {
        asked.push(bytes);
        true
    });
    assert_eq!(refusal.unwrap_err().code, EbmsCode::DecompressionFailure);
    assert_eq!(asked, [1]);
    // What it cannot become is not asked for, though it says so.
    let mut liar = gzip(b"1").unwrap();
    let length = liar.len();
    liar[length - 4..].copy_from_slice(&(200u32 << 20).to_le_bytes());
    let refusal = gunzip_within(&liar, &mut |bytes| {
        assert!(bytes < 64 << 10, "{bytes} bytes");
        true
    });
    assert_eq!(refusal.unwrap_err().code, EbmsCode::DecompressionFailure);
}

/// Bytes of a member of a gzip file.
const MEMBER: usize = 1 << 20;

/// Spaces, compressed as far as gzip goes.
fn dense(length: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![b' '; length]).unwrap();
    encoder.finish().unwrap()
}
