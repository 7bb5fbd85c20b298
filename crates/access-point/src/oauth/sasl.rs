//! How a token is shown to a server of mail: OAUTHBEARER (RFC 7628), and XOAUTH2, which is older
//! and which large providers have instead.

use data_encoding::BASE64;
use quoin_model::text::plain;
use serde::Deserialize;

/// Bytes of a challenge that are read.
const CHALLENGE: usize = 4 << 10;

/// One of the two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenMechanism {
    /// RFC 7628.
    OAuthBearer,
    /// That of before.
    XOAuth2,
}

impl TokenMechanism {
    /// The way that a server offers, by the names of all that it offers.
    pub fn offered<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<TokenMechanism> {
        let all = [TokenMechanism::OAuthBearer, TokenMechanism::XOAuth2];
        let offers =
            |own: &TokenMechanism| names.clone().any(|name| name.eq_ignore_ascii_case(own.name()));
        all.into_iter().find(offers)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            TokenMechanism::OAuthBearer => "OAUTHBEARER",
            TokenMechanism::XOAuth2 => "XOAUTH2",
        }
    }

    /// What is said first, in base64: who it is, where, and the token.
    pub fn first(self, user: &str, (host, port): (&str, u16), token: &str) -> String {
        let text = match self {
            TokenMechanism::OAuthBearer => {
                // A comma and an equals sign end a name (RFC 5801, section 4).
                let user = user.replace('=', "=3D").replace(',', "=2C");
                format!(
                    "n,a={user},\u{1}host={host}\u{1}port={port}\u{1}auth=Bearer {token}\u{1}\u{1}"
                )
            }
            TokenMechanism::XOAuth2 => format!("user={user}\u{1}auth=Bearer {token}\u{1}\u{1}"),
        };
        BASE64.encode(text.as_bytes())
    }

    /// What is said to a server that refuses and tells why, before it ends the exchange.
    pub fn after_refusal(self) -> &'static str {
        match self {
            // The base64 of one byte, 1 (RFC 7628, section 3.2.3).
            TokenMechanism::OAuthBearer => "AQ==",
            TokenMechanism::XOAuth2 => "",
        }
    }
}

#[derive(Deserialize, Default)]
struct RefusedToken {
    #[serde(default)]
    status: String,
    #[serde(default)]
    scope: Option<String>,
}

/// What a server said of a token that it refuses, for people (RFC 7628, section 3.2.2); nothing
/// where it said nothing that can be read.
pub fn told_in(challenge: &str) -> Option<String> {
    let challenge = challenge.trim();
    let bytes = (challenge.len() <= CHALLENGE).then(|| BASE64.decode(challenge.as_bytes()).ok());
    let read: RefusedToken = serde_json::from_slice(&bytes??).ok()?;
    let short = |text: &str| plain(text, 200);
    let status = short(&read.status);
    if status.is_empty() {
        return None;
    }
    let scope = read.scope.as_deref().map(short).filter(|scope| !scope.is_empty());
    Some(match scope {
        Some(scope) => format!("it says {status} of the token, and asks for the scope {scope:?}"),
        None => format!("it says {status} of the token"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clear(text: &str) -> String {
        String::from_utf8(BASE64.decode(text.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn a_token_is_shown_as_each_way_has_it() {
        let place = ("imap.example.org", 993);
        let first = TokenMechanism::OAuthBearer.first("a=b,c@example.org", place, "t.1");
        assert_eq!(
            clear(&first),
            "n,a=a=3Db=2Cc@example.org,\u{1}host=imap.example.org\u{1}port=993\u{1}\
             auth=Bearer t.1\u{1}\u{1}"
        );
        let first = TokenMechanism::XOAuth2.first("a@example.org", place, "t.1");
        assert_eq!(clear(&first), "user=a@example.org\u{1}auth=Bearer t.1\u{1}\u{1}");
        assert_eq!(clear(TokenMechanism::OAuthBearer.after_refusal()), "\u{1}");
    }

    #[test]
    fn the_newer_way_is_taken_where_there_are_both() {
        for (offered, taken) in [
            ("PLAIN XOAUTH2 OAUTHBEARER", Some(TokenMechanism::OAuthBearer)),
            ("PLAIN xoauth2", Some(TokenMechanism::XOAuth2)),
            ("PLAIN LOGIN", None),
            ("", None),
        ] {
            assert_eq!(TokenMechanism::offered(offered.split(' ')), taken, "{offered}");
        }
    }

    #[test]
    fn what_a_server_says_of_a_token_is_read() {
        let told = |text: &str| told_in(&BASE64.encode(text.as_bytes()));
        let said = told(r#"{"status":"invalid_token","scope":"mail","schemes":"bearer"}"#).unwrap();
        assert!(said.contains("invalid_token") && said.contains("\"mail\""), "{said}");
        assert!(told(r#"{"status":"400"}"#).unwrap().contains("400"));
        for none in ["", "{}", "[]", "no"] {
            assert_eq!(told(none), None, "{none}");
        }
        assert_eq!(told_in("***"), None);
        assert_eq!(told_in(&"A".repeat(CHALLENGE + 4)), None);
    }
}
