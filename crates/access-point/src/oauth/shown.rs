//! What a server of mail was shown at its login: some answer with what they were told, and that is
//! nobody's to read.

use data_encoding::BASE64;
use quoin_model::text::plain;
use quoin_store::Secret;

use super::{OAuthLogin, TokenMechanism};

/// Letters of a name in base64 that are hidden; fewer are in any text.
const NAME: usize = 4;

/// Everything that hides a login in a text, in the forms in which a server may say it again.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ShownLogin {
    forms: Vec<String>,
}

impl ShownLogin {
    /// Name and password, as LOGIN and PLAIN say them (RFC 4616).
    pub fn password(user: &str, password: &str) -> ShownLogin {
        let mut forms = vec![password.to_owned()];
        // A quoted string of IMAP.
        forms.push(password.replace('\\', "\\\\").replace('"', "\\\""));
        // What is told in one line.
        forms.push(password.split_whitespace().collect::<Vec<_>>().join(" "));
        for clear in [
            format!("\0{user}\0{password}"),
            format!("{user}\0{user}\0{password}"),
            password.to_owned(),
        ] {
            forms.extend(encoded(&clear));
        }
        forms.extend(encoded(user).into_iter().filter(|form| form.len() >= NAME));
        ShownLogin::of(forms)
    }

    /// A token with what fetches it, as both ways say it.
    pub fn token(
        user: &str,
        place: (&str, u16),
        (login, token): (&OAuthLogin, &Secret),
    ) -> ShownLogin {
        let (client, refresh) = (&login.secrets.client, &login.secrets.refresh);
        let secrets = client.iter().chain(refresh).chain([token]).map(Secret::reveal);
        let mut forms: Vec<String> = Vec::new();
        for secret in secrets {
            forms.push(secret.to_owned());
            forms.extend(encoded(secret));
        }
        for way in [TokenMechanism::OAuthBearer, TokenMechanism::XOAuth2] {
            let first = way.first(user, place, token.reveal());
            forms.push(first.trim_end_matches('=').to_owned());
            forms.push(first);
        }
        forms.extend(encoded(user).into_iter().filter(|form| form.len() >= NAME));
        ShownLogin::of(forms)
    }

    /// Longer forms go first: a shorter one may be a part of them.
    fn of(mut forms: Vec<String>) -> ShownLogin {
        forms.retain(|form| !form.is_empty());
        forms.sort_unstable_by(|one, other| (other.len(), other).cmp(&(one.len(), one)));
        forms.dedup();
        ShownLogin { forms }
    }

    /// The same with what was shown before.
    #[must_use]
    pub fn and(&self, other: &ShownLogin) -> ShownLogin {
        ShownLogin::of(self.forms.iter().chain(&other.forms).cloned().collect())
    }

    /// What a server says, as it can be shown: without what it was shown, without control
    /// characters and those that turn the direction of writing, and only then cut.
    pub fn hidden(&self, text: &str, most: usize) -> String {
        let hide = |text: String, form: &String| text.replace(form.as_str(), "***");
        plain(&self.forms.iter().fold(text.to_owned(), hide), most)
    }
}

/// A text in base64, with and without what fills it up.
fn encoded(clear: &str) -> [String; 2] {
    let full = BASE64.encode(clear.as_bytes());
    [full.trim_end_matches('=').to_owned(), full]
}

impl std::fmt::Debug for ShownLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ShownLogin(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_that_a_server_says_again_is_hidden_in_all_its_forms() {
        let shown = ShownLogin::password("user", "s3cret-x");
        let plain = encoded("\0user\0s3cret-x");
        for told in plain.iter().chain(&encoded("s3cret-x")).chain(&encoded("user")) {
            assert_eq!(shown.hidden(&format!("535 no: {told}!"), 100), "535 no: ***!", "{told}");
        }
        assert_eq!(shown.hidden("user has s3cret-x", 100), "user has ***");
        assert_eq!(shown.hidden("no: s3cret-x", 8), "no: ***", "nothing of it is left by the cut");
        assert_eq!(format!("{shown:?}"), "ShownLogin(***)");
        assert_eq!(ShownLogin::default().hidden("as it is", 100), "as it is");
    }

    #[test]
    fn what_cannot_be_seen_is_taken_out() {
        let said = "a\u{202e}b\u{7}c\u{2066}d\u{200f}\r\ne \u{5e9}\u{5dc}";
        let plain = ShownLogin::default().hidden(said, 100);
        assert_eq!(plain, "a b c d   e \u{5e9}\u{5dc}");
    }
}
