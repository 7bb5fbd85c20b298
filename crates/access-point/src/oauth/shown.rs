//! What a server was shown to let us in: some answer with what they were told, and that is
//! nobody's to read.

mod spelled;

use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL_NOPAD, HEXLOWER, HEXUPPER};
use quoin_model::text::plain;
use quoin_store::Secret;
use url::form_urlencoded::byte_serialize;

use super::{OAuthLogin, TokenMechanism};
use crate::net::HttpAnswer;

/// Letters of a name in base64, and of a part of what was shown, that are hidden; fewer are in any
/// text.
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
        forms.extend(ShownLogin::secret(password).forms);
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
    /// `Basic`, and as a form carries it (RFC 6749, section 2.3.1). Of base64 of a longer text it
    /// is in, as `user:secret`, its own part is hidden.
    pub fn secret(secret: &str) -> ShownLogin {
        let mut clear = vec![secret.to_owned()];
        if let Some((_, shown)) = secret.trim().split_once(' ') {
            clear.push(shown.trim().to_owned());
            if let Some(login) = opened(shown.trim()) {
                clear.extend(login.split_once(':').map(|(_, password)| password.to_owned()));
                clear.push(login);
            }
        }
        let formed: Vec<String> = clear.iter().map(|clear| form(clear)).collect();
        clear.extend(formed);
        clear.sort_unstable();
        clear.dedup();
        clear.retain(|part| part == secret || part.len() >= NAME);
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

    /// The same; nothing of one that is so short that it is in any text.
    pub fn long_secret(secret: &str) -> ShownLogin {
        if secret.len() < NAME { ShownLogin::default() } else { ShownLogin::secret(secret) }
    }

    /// What a call showed in its headers: a token that was fetched for it, too.
    pub fn of_call(answer: &HttpAnswer) -> ShownLogin {
        let shown = answer.shown.iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        shown.fold(ShownLogin::default(), |all, one| all.and(&ShownLogin::secret(&one)))
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
        plain(&spelled::hidden(text, &self.forms, false), most)
    }

    /// What the body of an answer says, as it can be shown: without what its call showed in headers
    /// either. Of a body that is not whole, the end goes where it may be the beginning of something
    /// that was shown.
    pub fn hidden_in(&self, answer: &HttpAnswer, most: usize) -> String {
        let ShownLogin { forms } = self.and(&ShownLogin::of_call(answer));
        let text = String::from_utf8_lossy(&answer.body);
        plain(spelled::hidden(&text, &forms, answer.cut.is_some()).trim(), most)
    }
}

/// A text in base64, with and without what fills it up.
fn encoded(clear: &str) -> [String; 2] {
    let full = BASE64.encode(clear.as_bytes());
    [full.trim_end_matches('=').to_owned(), full]
}

/// A text as a form carries it.
fn form(clear: &str) -> String {
    byte_serialize(clear.as_bytes()).collect()
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
    fn a_secret_is_hidden_as_a_form_and_the_head_of_a_client_carry_it() {
        let secret = "FFF+/=&s3cret \u{e4}";
        let shown = ShownLogin::secret(secret);
        let carried = form(secret);
        assert_eq!(
            shown.hidden(&format!("a=b&client_secret={carried}&c"), 500).matches("***").count(),
            1
        );
        assert_eq!(shown.hidden(&format!("me:{carried}!"), 500), "me:***!");
        assert_eq!(shown.hidden(&format!("me:{}!", form(&carried)), 500), "me:***!");
        let head = BASE64.encode(format!("me:{carried}").as_bytes());
        let told = shown.hidden(&head, 500);
        assert!(told.contains("***") && told.len() < 16, "{told}");
        assert_eq!(ShownLogin::secret(&format!("Basic {head}")).hidden(&carried, 500), "***");
    }

    #[test]
    fn what_a_call_showed_is_hidden_also_where_its_answer_is_cut() {
        let token = "fetched.token-of+the/hook=".repeat(40);
        let answer = |said: &str, is_cut: bool| HttpAnswer {
            status: 400,
            headers: hyper::HeaderMap::new(),
            body: said.to_owned().into(),
            cut: is_cut.then_some(crate::net::CallError::TooLarge(9)),
            elapsed: std::time::Duration::ZERO,
            repeated: false,
            shown: vec![format!("Bearer {token}").parse().unwrap()],
        };
        let shown = ShownLogin::default();
        let whole = answer(&format!("no: {token} !"), false);
        assert_eq!(shown.hidden_in(&whole, 500), "no: *** !");
        let escaped = token.replace('+', "%2B").replace('/', "&#47;");
        for said in [token.as_str(), &form(&token), &escaped] {
            for length in [6, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 300, 1_000] {
                let cut = answer(&format!("no: {}", &said[..length]), true);
                assert_eq!(shown.hidden_in(&cut, 500), "no: ***", "{length} of {said}");
            }
        }
        assert_eq!(shown.hidden_in(&answer("no: fetc", true), 500), "no: fetc");
        assert_eq!(shown.hidden_in(&answer("no: fetched", false), 500), "no: fetched");
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
