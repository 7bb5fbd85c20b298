//! Tokens that are taken, and every kind that is not.

use jiff::{SignedDuration, Timestamp};

use super::*;

fn client() -> ClientRecord {
    ClientRecord {
        client_id: "erp".into(),
        organisation: "acme".into(),
        role: ClientRole::ApUser,
        secret_sha256: [0; 32],
        previous: None,
        since: Timestamp::MIN,
    }
}

fn tokens(issuer: &str) -> Tokens {
    Tokens::new(&Tokens::generate_key().unwrap(), issuer, 3600).unwrap()
}

fn now() -> Timestamp {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

#[test]
fn an_issued_token_is_taken_for_its_lifetime() {
    let tokens = tokens("https://api.example.org");
    let token = tokens.issue(&client(), now()).unwrap();
    let claims = tokens.verify(&token, now()).unwrap();
    assert_eq!((claims.org.as_str(), claims.sub.as_str()), ("acme", "erp"));
    assert_eq!(claims.exp - claims.iat, 3600);
    let late = now() + SignedDuration::from_secs(3599);
    assert!(tokens.verify(&token, late).is_ok());
    let over = now() + SignedDuration::from_secs(3600);
    assert_eq!(tokens.verify(&token, over), Err(TokenError::Expired(over)));
    let early = now() - SignedDuration::from_secs(60);
    assert_eq!(tokens.verify(&token, early), Err(TokenError::Foreign("issued in the future")));
}

#[test]
fn other_keys_issuers_and_algorithms_are_refused() {
    let ours = tokens("https://api.example.org");
    let token = ours.issue(&client(), now()).unwrap();
    let other = tokens("https://api.example.org");
    assert_eq!(other.verify(&token, now()), Err(TokenError::Signature));

    let key = Tokens::generate_key().unwrap();
    let here = Tokens::new(&key, "https://here.example", 3600).unwrap();
    let there = Tokens::new(&key, "https://there.example", 3600).unwrap();
    let token = there.issue(&client(), now()).unwrap();
    assert_eq!(here.verify(&token, now()), Err(TokenError::Foreign(OTHER_ISSUER)));

    let token = here.issue(&client(), now()).unwrap();
    let (_, rest) = token.split_once('.').unwrap();
    let none = BASE64URL_NOPAD.encode(br#"{"alg":"none"}"#);
    let unsigned = format!("{none}.{}.", rest.split_once('.').unwrap().0);
    assert!(matches!(here.verify(&unsigned, now()), Err(TokenError::Malformed(_))));
    // Of a token that names another issuer that is what is wrong, whatever it is signed with.
    let unsigned = unsigned.as_str();
    assert_eq!(there.verify(unsigned, now()), Err(TokenError::Foreign(OTHER_ISSUER)));
    let token = ours.issue(&client(), now()).unwrap();
    assert_eq!(here.verify(&token, now()), Err(TokenError::Foreign(OTHER_ISSUER)));
}

#[test]
fn a_changed_token_is_refused() {
    let tokens = tokens("https://api.example.org");
    let token = tokens.issue(&client(), now()).unwrap();
    for at in [5, token.len() / 2, token.len() - 3] {
        let mut bytes = token.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        assert!(tokens.verify(std::str::from_utf8(&bytes).unwrap(), now()).is_err(), "{at}");
    }
    for text in ["", "a", "a.b", "a.b.c", "....", &"x".repeat(5000)] {
        assert!(matches!(tokens.verify(text, now()), Err(TokenError::Malformed(_))), "{text:.20}");
    }
}

#[test]
fn the_key_set_shows_the_public_key_only() {
    let tokens = tokens("https://api.example.org");
    let set = tokens.jwks();
    let key = set["keys"][0].as_object().unwrap();
    assert_eq!(BASE64URL_NOPAD.decode(key["x"].as_str().unwrap().as_bytes()).unwrap().len(), 32);
    assert_eq!(BASE64URL_NOPAD.decode(key["y"].as_str().unwrap().as_bytes()).unwrap().len(), 32);
    assert!(!key.contains_key("d"));
}
