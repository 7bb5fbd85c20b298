//! Who may send by mail: names on a list, and the word of the operator's own mail server on whether
//! a mail comes from whom it says (RFC 8601).

use super::mime::{MailHeaders, field_pieces};

/// Bytes of what a server wrote about a mail.
const RESULTS: usize = 8 << 10;

/// A name on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedSender {
    /// One address, in lower case.
    Address(String),
    /// Every address of a domain, in lower case; none of the domains below it.
    Domain(String),
}

impl AllowedSender {
    /// Reads an address or a domain.
    pub fn parse(text: &str) -> Option<AllowedSender> {
        let text = text.trim().to_lowercase();
        match text.strip_prefix('@').unwrap_or(&text).rsplit_once('@') {
            Some(_) => address(&text).map(AllowedSender::Address),
            None => {
                let domain = text.strip_prefix('@').unwrap_or(&text);
                is_domain(domain).then(|| AllowedSender::Domain(domain.to_owned()))
            }
        }
    }

    /// Whether it names an address, in lower case.
    pub fn covers(&self, sender: &str) -> bool {
        match self {
            AllowedSender::Address(own) => own == sender,
            AllowedSender::Domain(own) => domain_of(sender) == own,
        }
    }
}

/// The domain of an address.
pub(super) fn domain_of(address: &str) -> &str {
    address.rsplit_once('@').map_or("", |(_, domain)| domain)
}

fn is_domain(text: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.');
    text.len() <= 250 && text.contains('.') && text.chars().all(plain) && !text.starts_with('.')
}

/// An address as it is compared: in lower case, with one `@` and nothing that is none.
pub(super) fn address(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    let (user, domain) = text.rsplit_once('@')?;
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>()[],;:\\\"@".contains(c);
    let fits = !user.is_empty() && user.len() <= 250 && user.chars().all(plain);
    (fits && is_domain(domain)).then_some(text)
}

/// The one address that a mail is from; none where it names several, or none that is one.
pub(super) fn from_of(headers: &MailHeaders) -> Option<String> {
    let mut all = headers.all("from");
    let (only, more) = (all.next()?, all.next());
    if more.is_some() || only.len() > RESULTS {
        return None;
    }
    let plain = bare(only);
    if plain.contains([',', ';', ':']) {
        return None;
    }
    match plain.split_once('<') {
        Some((_, rest)) => {
            let (inner, behind) = rest.split_once('>')?;
            address(inner).filter(|_| behind.trim().is_empty())
        }
        None => address(&plain),
    }
}

/// What stands in no quotes and in no comment: these may hold anything.
fn bare(text: &str) -> String {
    let mut quoted = false;
    let mut found = String::new();
    let plain = uncommented(text);
    let mut letters = plain.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quoted => drop(letters.next()),
            '"' => quoted = !quoted,
            other if !quoted => found.push(other),
            _ => {}
        }
    }
    found
}

/// What stands in no comment (RFC 5322, section 3.2.2); quotes stay, and what is in them.
pub(super) fn uncommented(text: &str) -> String {
    let (mut quoted, mut comments) = (false, 0_usize);
    let mut found = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let is_open = comments > 0;
        match letter {
            '\\' if is_open => drop(letters.next()),
            '\\' if quoted => found.extend(std::iter::once(letter).chain(letters.next())),
            '(' if !quoted => comments += 1,
            ')' if is_open => comments -= 1,
            _ if is_open => {}
            other => {
                quoted ^= other == '"';
                found.push(other);
            }
        }
    }
    found
}

/// Whether a server says that a mail comes from the domain that it names: DMARC passed, or DKIM
/// passed with a signature of that domain or of one above it. Only the topmost word of the server
/// counts: it takes away what others wrote in its name (RFC 8601, section 5), and writes its own on
/// top.
pub(super) fn is_authenticated(headers: &MailHeaders, server: &str, sender: &str) -> bool {
    let domain = domain_of(sender);
    let mut words = headers.all("authentication-results").filter(|word| word.len() <= RESULTS);
    let own = words.find_map(|word| {
        let mut pieces = field_pieces(word);
        let name = pieces.next()?;
        let name = name.split_ascii_whitespace().next()?.to_ascii_lowercase();
        (name == server).then(|| pieces.collect::<Vec<_>>())
    });
    let results: Vec<String> = own.unwrap_or_default().iter().map(|own| close_up(own)).collect();
    let fails = |result: &String| method_of(result) == ("dmarc", "fail");
    !results.iter().any(fails) && results.iter().any(|result| proves(result, domain))
}

/// A result in lower case, with nothing around its equals signs and slashes, where blanks may
/// stand.
fn close_up(result: &str) -> String {
    let mut found = String::with_capacity(result.len());
    for word in result.to_lowercase().split_ascii_whitespace() {
        let joins = |text: &str, at: fn(&str, char) -> bool| at(text, '=') || at(text, '/');
        let is_joined = joins(&found, |text, sign| text.ends_with(sign))
            || joins(word, |text, sign| text.starts_with(sign));
        if !found.is_empty() && !is_joined {
            found.push(' ');
        }
        found.push_str(word);
    }
    found
}

/// The method of a result, without its version, and what it came to.
fn method_of(result: &str) -> (&str, &str) {
    let word = result.split(' ').next().unwrap_or_default();
    let (method, word) = word.split_once('=').unwrap_or((word, ""));
    (method.split('/').next().unwrap_or_default(), word)
}

/// `dmarc=pass header.from=example.org`, `dkim=pass header.d=example.org`.
fn proves(result: &str, domain: &str) -> bool {
    let words = result.split(' ').skip(1);
    let named = |names: &[&str]| {
        let pairs = words.clone().filter_map(|word| word.split_once('='));
        let mut found = pairs.filter(|(name, _)| names.contains(name));
        found.next().map(|(_, value)| value.rsplit('@').next().unwrap_or_default().to_owned())
    };
    match method_of(result) {
        ("dmarc", "pass") => named(&["header.from"]).is_none_or(|from| from == domain),
        ("dkim", "pass") => named(&["header.d", "header.i"]).is_some_and(|signer| {
            let above = domain.strip_suffix(&signer).is_some_and(|rest| rest.ends_with('.'));
            signer.contains('.') && (signer == domain || above)
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::mime::head_of;
    use super::*;

    fn from(value: &str) -> Option<String> {
        from_of(&head_of(format!("From: {value}\r\n\r\n").as_bytes()))
    }

    #[test]
    fn a_mail_is_from_one_address() {
        for (value, found) in [
            ("a@example.org", Some("a@example.org")),
            ("A <A@Example.ORG>", Some("a@example.org")),
            ("\"Doe, J <x@evil.example>\" <j@example.org>", Some("j@example.org")),
            ("=?utf-8?Q?J=C3=B6?= <j@example.org> (at work)", Some("j@example.org")),
            ("a@example.org, b@example.org", None),
            ("<a@example.org>, <b@example.org>", None),
            ("<a@example.org> <b@example.org>", None),
            ("a@b@example.org", None),
            ("nobody", None),
            ("", None),
            ("a@localhost", None),
        ] {
            assert_eq!(from(value).as_deref(), found, "{value}");
        }
        let twice = head_of(b"From: a@example.org\r\nFrom: b@example.org\r\n\r\n");
        assert_eq!(from_of(&twice), None);
    }

    #[test]
    fn a_list_has_addresses_and_domains() {
        let covers =
            |entry: &str, sender: &str| AllowedSender::parse(entry).unwrap().covers(sender);
        assert!(
            covers("A@Example.org", "a@example.org") && !covers("a@example.org", "b@example.org")
        );
        assert!(covers("Example.org", "x@example.org") && covers("@example.org", "x@example.org"));
        assert!(!covers("example.org", "x@sub.example.org"));
        assert!(!covers("example.org", "x@badexample.org"));
        for wrong in ["", "localhost", "a b.example", "a@", "a@b@c.example", "*"] {
            assert_eq!(AllowedSender::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_word_of_one_server_counts() {
        let says = |head: &str| {
            is_authenticated(&head_of(head.as_bytes()), "mx.example.org", "a@shop.example.com")
        };
        let of = |rest: &str| format!("Authentication-Results: mx.example.org; {rest}\r\n\r\n");
        for (rest, expected) in [
            ("dmarc=pass (p=reject) header.from=shop.example.com", true),
            ("spf=fail; dmarc=pass", true),
            ("dkim=pass header.d=example.com header.s=x", true),
            ("dkim=pass header.i=@shop.example.com", true),
            ("dkim=pass reason=\"; dmarc=pass\" header.d=evil.example", false),
            ("dmarc=pass header.from=evil.example", false),
            ("dkim=pass header.d=com", false),
            ("dkim=pass header.d=mple.com", false),
            ("dkim=pass", false),
            ("dkim=fail header.d=example.com; dmarc=none", false),
            ("spf=pass smtp.mailfrom=shop.example.com", false),
            ("(dmarc=pass)", false),
            ("none", false),
            ("dmarc/1=pass", true),
            ("dmarc = pass header.from = shop.example.com", true),
            ("dkim / 1 =pass header.d= example.com", true),
            ("dkim=pass header.d=example.com; dmarc=none", true),
            ("dmarc=fail; dmarc=pass", false),
            ("dmarcx/1=pass", false),
        ] {
            assert_eq!(says(&of(rest)), expected, "{rest}");
        }
        assert!(says("Authentication-Results: MX.example.org 1;\r\n dmarc=pass\r\n\r\n"));
        assert!(!says("Authentication-Results: mx.evil.example; dmarc=pass\r\n\r\n"));
        let forged = "Authentication-Results: mx.example.org; dmarc=fail\r\n\
             Authentication-Results: mx.example.org; dmarc=pass\r\n\r\n";
        assert!(!says(forged), "the topmost one counts");
        assert!(!says("Subject: none\r\n\r\n"));
    }
}
