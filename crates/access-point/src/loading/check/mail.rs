//! Mistakes of the mail server, of who may send by it, and of where mail comes back to.

use super::ConfigProblems;
use crate::config::{Config, MailSection};
use crate::mail::{ReturnAddress, is_below, token_login};
use crate::mailbox::MailboxTarget;

pub(super) fn look(found: &mut ConfigProblems, config: &Config) {
    let mail = &config.mail;
    match mail.parsed_server() {
        Err(wrong) => found.add("mail.server", wrong),
        Ok(None) => {}
        Ok(Some(_)) => {
            let from = mail.from.as_deref().map(crate::mail::mailbox);
            match from {
                Some(Ok(from)) => signers(found, mail, from.email.domain()),
                _ => found.add("mail.from", "must be a mail address, since mail.server is set"),
            }
        }
    }
    let given = usize::from(mail.password.is_some()) + usize::from(mail.oauth.is_some());
    if given != usize::from(mail.username.is_some()) {
        let why = "username belongs to a password or to oauth: set it with one of them, or none";
        found.add("mail", why);
    }
    for (name, section) in [("mail.oauth", &mail.oauth), ("mail.bounce_oauth", &mail.bounce_oauth)]
    {
        if let Some(Err(wrong)) = section.as_ref().map(token_login) {
            found.add(name, wrong);
        }
    }
    for domain in mail.from_domains.iter().filter(|domain| !is_domain(domain)) {
        let text = format!("expected the domain of a mail address alone, found {domain:?}");
        found.add("mail.from_domains", text);
    }
    for dkim in &mail.dkim {
        let name = |text: &str| {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
            !text.is_empty() && text.len() <= 250 && text.chars().all(plain)
        };
        if !name(&dkim.domain) || !name(&dkim.selector) {
            found.add("mail.dkim", "domain and selector must be names of the DNS");
        }
        if dkim.key_file.is_some() == dkim.token.is_some() {
            found.add("mail.dkim", "set key_file or token, one of them");
        }
    }
    bounces(found, mail);
}

fn is_domain(text: &str) -> bool {
    !text.contains(char::is_whitespace) && lettre::Address::new("postmaster", text).is_ok()
}

/// A domain signs the mail that comes from it, or from one below it.
fn signers(found: &mut ConfigProblems, mail: &MailSection, own: &str) {
    for dkim in &mail.dkim {
        let signs = |from: &str| is_below(from, &dkim.domain);
        if !signs(own) && !mail.from_domains.iter().any(|from| signs(from)) {
            let text = format!(
                "{:?} signs no mail: expected the domain of mail.from ({own}) or one of \
                 mail.from_domains, or one above it",
                dkim.domain
            );
            found.add("mail.dkim", text);
        }
    }
}

fn bounces(found: &mut ConfigProblems, mail: &MailSection) {
    let address = mail.bounce_address.as_deref().map(ReturnAddress::parse);
    if let Some(Err(wrong)) = address {
        found.add("mail.bounce_address", wrong);
    }
    if mail.bounce_address.is_some() != mail.bounce_mailbox.is_some() {
        let (there, other) = match mail.bounce_address.is_some() {
            true => ("mail.bounce_address", "mail.bounce_mailbox"),
            false => ("mail.bounce_mailbox", "mail.bounce_address"),
        };
        let why = match mail.bounce_address.is_some() {
            true => "nobody would read what comes back",
            false => "nothing would come back to it",
        };
        found.add(there, format!("is set, but {other} is not: {why}"));
    }
    let logins = [mail.bounce_password.is_some(), mail.bounce_oauth.is_some()];
    let given = logins.iter().filter(|is_there| **is_there).count();
    if given != usize::from(mail.bounce_mailbox.is_some()) {
        let why = "bounce_mailbox belongs to bounce_password or bounce_oauth: set it with one of \
            them, or none";
        found.add("mail", why);
    }
    let password = mail.bounce_password.as_ref().map_or("-", |password| password.expose());
    if let Some(place) = &mail.bounce_mailbox
        && let Err(wrong) = MailboxTarget::own(place, password)
    {
        let form = "expected imaps://user@host:port/folder, parts percent-encoded";
        found.add("mail.bounce_mailbox", format!("{wrong}; {form}"));
    }
}
