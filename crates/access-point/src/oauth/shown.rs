//! What a server was shown to let us in: some answer with what they were told, and that is
//! nobody's to read.

mod spelled;

use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL_NOPAD, HEXLOWER, HEXUPPER};
use quoin_model::text::plain;
use quoin_store::Secret;

use super::{OAuthLogin, TokenMechanism};

/// Letters of a name in base64 that are hidden; fewer are in any text.
const NAME: usize = 4;
/// Letters of the middle of a longer text in base64 that are hidden.
const MIDDLE: usize = 6;

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

    /// A secret that a header, a message or an address carried, alone or behind `Bearer` or
    /// `Basic`. Of base64 of a longer text it is in, as `user:secret`, its own part is hidden.
    pub fn secret(secret: &str) -> ShownLogin {
        let mut clear = vec![secret.to_owned()];
        if let Some((_, shown)) = secret.trim().split_once(' ') {
            clear.push(shown.trim().to_owned());
            if let Some(login) = opened(shown.trim()) {
                clear.extend(login.split_once(':').map(|(_, password)| password.to_owned()));
                clear.push(login);
            }
        }
        let mut forms = Vec::new();
        for clear in &clear {
            for told in [clear.clone(), format!("Bearer {clear}")] {
                forms.extend(encoded(&told));
                forms.extend(encoded(&told).map(|form| form.replace('+', "-").replace('/', "_")));
                forms.extend([&HEXLOWER, &HEXUPPER].map(|hex| hex.encode(told.as_bytes())));
            }
            for before in 0..3 {
                forms.extend(middle(clear, before));
            }
        }
        forms.retain(|form| form.len() >= NAME);
        forms.extend(clear);
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

    fn of(mut forms: Vec<String>) -> ShownLogin {
        forms.retain(|form| !form.is_empty());
        forms.sort_unstable();
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
        plain(&spelled::hidden(text, &self.forms), most)
    }
}

/// A text in base64, with and without what fills it up.
fn encoded(clear: &str) -> [String; 2] {
    let full = BASE64.encode(clear.as_bytes());
    [full.trim_end_matches('=').to_owned(), full]
}

/// The login in what stands behind `Basic`.
fn opened(shown: &str) -> Option<String> {
    let bytes = BASE64_NOPAD.decode(shown.trim_end_matches('=').as_bytes()).ok()?;
    String::from_utf8(bytes).ok()
}

/// The letters of base64 that are those of a text alone, where so many bytes more than a multiple
/// of three stand before it.
fn middle(clear: &str, before: usize) -> Vec<String> {
    let bytes = [vec![0; before], clear.as_bytes().to_vec()].concat();
    let (from, until) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
    let cut = |form: String| form.get(from..until).map(str::to_owned);
    let forms = [BASE64_NOPAD.encode(&bytes), BASE64URL_NOPAD.encode(&bytes)].into_iter();
    forms.filter_map(cut).filter(|form| form.len() >= MIDDLE).collect()
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
    fn a_secret_is_hidden_in_whatever_form_it_is_told_again() {
        let secret = "p<\"&/ \u{e4}k?>~s3cret'";
        let shown = ShownLogin::secret(secret);
        let percent = |upper: bool| {
            let byte = |byte: u8| match upper {
                true => format!("%{byte:02X}"),
                false => format!("%{byte:02x}"),
            };
            secret.bytes().map(byte).collect::<String>()
        };
        let entity = |hex: bool| {
            let letter = |letter: char| match hex {
                true => format!("&#x{:x};", u32::from(letter)),
                false => format!("&#{};", u32::from(letter)),
            };
            secret.chars().map(letter).collect::<String>()
        };
        let unicode: String = secret.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        let basic = BASE64.encode(format!("user:{secret}").as_bytes());
        let bearer = format!("Bearer {secret}");
        for told in [
            secret.to_owned(),
            "p&lt;\"&amp;/ \u{e4}k?>~s3cret'".to_owned(),
            "p&lt;&quot;&amp;/ \u{e4}k?&gt;~s3cret&apos;".to_owned(),
            "p&lt;&#34;&amp;/ \u{e4}k?&gt;~s3cret&#39;".to_owned(),
            "p<\\\"&\\/ \u{e4}k?>~s3cret'".to_owned(),
            "p\\u003c\\\"\\u0026/ \\u00e4k?\\u003E~s3cret'".to_owned(),
            "p%3C%22%26%2F+%C3%A4k%3f%3e~s3cret%27".to_owned(),
            percent(true),
            percent(false),
            entity(true),
            entity(false),
            unicode,
            HEXLOWER.encode(secret.as_bytes()),
            HEXUPPER.encode(secret.as_bytes()),
            BASE64.encode(secret.as_bytes()),
            BASE64_NOPAD.encode(secret.as_bytes()),
            BASE64URL_NOPAD.encode(secret.as_bytes()),
            BASE64.encode(secret.as_bytes()).replace('+', "%2B").replace('/', "%2f"),
            BASE64.encode(bearer.as_bytes()),
            BASE64URL_NOPAD.encode(bearer.as_bytes()),
        ] {
            assert_eq!(shown.hidden(&format!("no: {told} !"), 500), "no: *** !", "{told}");
        }
        let told = shown.hidden(&basic, 500);
        assert!(told.contains("***") && told.len() < 16, "{told}");
    }

    #[test]
    fn what_looks_like_an_escape_may_be_a_part_of_the_secret() {
        let shown = ShownLogin::secret("a\\\"b&lt;+c%41 d");
        for told in [
            "a\\\"b&lt;+c%41 d",
            "a\\&quot;b&amp;lt;+c%41 d",
            "a%5C%22b%26lt%3B%2Bc%2541+d",
            "a\\\\\\\"b&lt;+c%41 d",
        ] {
            assert_eq!(shown.hidden(&format!("no: {told} !"), 500), "no: *** !", "{told}");
        }
        assert_eq!(ShownLogin::secret("abab").hidden("xabababx", 100), "x***abx");
    }

    #[test]
    fn of_a_login_in_basic_the_password_is_hidden_too() {
        let token = BASE64.encode(b"me:geheim:7");
        let shown = ShownLogin::secret(&format!("Basic {token}"));
        let said = format!("{token}, me:geheim:7, geheim:7, Basic {token}");
        assert_eq!(shown.hidden(&said, 500), "***, ***, ***, ***");
    }

    #[test]
    fn what_cannot_be_seen_is_taken_out() {
        let said = "a\u{202e}b\u{7}c\u{2066}d\u{200f}\r\ne \u{5e9}\u{5dc}";
        let plain = ShownLogin::default().hidden(said, 100);
        assert_eq!(plain, "a b c d   e \u{5e9}\u{5dc}");
    }
}
