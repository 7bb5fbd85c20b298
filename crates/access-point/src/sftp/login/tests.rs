//! Tests of what logs in.

use super::*;

/// A key whose private number has 31 bytes, made for this test: it opens nothing.
const SHORT: &str = include_str!("short.key");

fn public(text: &str) -> String {
    match SftpLogin::parse(text).unwrap().method {
        LoginMethod::Key(key) => key.public_key().to_openssh().unwrap(),
        LoginMethod::Password(_) => panic!("it is read as a password"),
    }
}

#[test]
fn a_key_with_a_short_number_is_read() {
    assert!(keys::decode_secret_key(SHORT, None).is_err(), "the library reads it by now");
    assert!(public(SHORT).starts_with("ecdsa-sha2-nistp256 AAAA"));
    assert_eq!(public(&SHORT.replace('\n', "\r\n")), public(SHORT));
    // Nothing is missing any more.
    let whole = scalar::filled_up(SHORT).unwrap();
    assert_eq!((scalar::filled_up(&whole), public(&whole)), (None, public(SHORT)));
}

#[test]
fn a_password_that_a_server_says_again_is_not_told() {
    use super::super::fault::SftpFaultKind;
    let told = |login: &str, cause: &str| {
        let login = SftpLogin::parse(login).unwrap();
        login.hidden_in(SftpFault::new(SftpFaultKind::Refused, cause)).cause
    };
    assert_eq!(
        told("geheim+7", "the server says: geheim+7, geheim%2B7"),
        "the server says: ***, ***"
    );
    assert_eq!(told(SHORT, "as it is"), "as it is");
}

#[test]
fn a_broken_key_is_none_wherever_it_ends() {
    for length in 0..SHORT.len() - 1 {
        let Some(text) = SHORT.get(..length) else { continue };
        assert_eq!(scalar::filled_up(text), None);
        let ended = format!("{text}\n-----END OPENSSH PRIVATE KEY-----\n");
        if length < SHORT.len() - 45 {
            assert!(scalar::filled_up(&ended).is_none_or(|text| SftpLogin::parse(&text).is_err()));
        }
    }
}
