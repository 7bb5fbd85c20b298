//! Destinations that are taken and those that are not.

use super::*;

#[test]
fn the_secret_is_behind_the_hash() {
    let action =
        HookAction::parse("https://erp.example/e?x=1#s3cret#2", &Allowed::default()).unwrap();
    assert_eq!(action.url, "https://erp.example/e?x=1");
    assert_eq!(action.secret.as_ref().unwrap().reveal(), "s3cret#2");
    assert!(!format!("{action:?}").contains("s3cret"));
    assert_eq!(HookAction::parse("https://erp.example", &Allowed::default()).unwrap().secret, None);
}

#[test]
fn what_is_not_called_is_refused() {
    let parse = |text: &str| HookAction::parse(text, &Allowed::default()).unwrap_err();
    let none = format!("the mail hook: {}", crate::mail::MailError::NoServer);
    assert_eq!(parse("mailto:a@b.example"), ActionError::Channel(none));
    assert_eq!(parse("ftp://a.example"), ActionError::Kind("ftp".into()));
    assert_eq!(parse("peppol#s"), ActionError::NotSigned);
    assert!(matches!(parse("batch://zip?period=1"), ActionError::Batch(_)));
    assert!(matches!(
        parse("http://erp.example/"),
        ActionError::Address(AddressRefusal::Scheme(_))
    ));
    assert!(matches!(
        parse("https://10.0.0.1/#s"),
        ActionError::Address(AddressRefusal::Private { .. })
    ));
    for hostless in ["https:///x", "https://", "https:x", "https://\\\\x", "https://?x"] {
        let refused = parse(hostless);
        let is_address = matches!(refused, ActionError::Address(AddressRefusal::NotAnAddress(_)));
        assert!(is_address || matches!(refused, ActionError::Kind(_)), "{hostless}: {refused:?}");
    }
    let long = format!("https://erp.example/{}", "a".repeat(4_000));
    assert_eq!(parse(&long), ActionError::TooLong(4_020));
    let said = parse(&format!("peppol:{}#geheim", "a".repeat(4_000))).to_string();
    assert!(!said.contains("geheim"), "{said}");
    assert_eq!(parse("https://erp.example/#"), ActionError::Secret(UnusableSecret));
    assert_eq!(parse("https://erp.example/#a b"), ActionError::Secret(UnusableSecret));
}

#[test]
fn a_refusal_lists_how_actions_begin() {
    let refused = ActionError::Kind("ftp".to_owned()).to_string();
    let first = "the action starts with \"ftp\"; expected an https address, mailto:, sftp://, \
                 sftpfrom://, mailfrom://, cxml://, tradingnetwork://, dico://, collaboration://, ";
    assert!(refused.starts_with(first), "{refused}");
    assert!(refused.ends_with(", batch://zip, ksef or peppol"), "{refused}");
    assert!(kinds().all(|row| refused.contains(row.told)), "{refused}");
}

#[test]
fn the_other_kinds_are_taken_as_they_are() {
    let senders = crate::mail::Senders {
        from: crate::mail::mailbox("a@example.org").unwrap(),
        domains: Vec::new(),
    };
    let allowed = Allowed { senders: Some(senders), ..Allowed::default() };
    for (action, kind) in [
        ("peppol", ActionKind::Peppol),
        ("batch://zip?period=00:15:00&maxBatchSize=100", ActionKind::Batch),
        ("mailto:b@example.net?includeAttachment=true", ActionKind::Mail),
    ] {
        let read = HookAction::parse(action, &allowed).unwrap();
        assert_eq!((read.kind, read.url.as_str(), read.secret), (kind, action, None));
    }
}

#[test]
fn a_scheme_has_no_case() {
    let senders = crate::mail::Senders {
        from: crate::mail::mailbox("a@example.org").unwrap(),
        domains: Vec::new(),
    };
    let allowed = Allowed { senders: Some(senders), ..Allowed::default() };
    for (action, url) in [
        ("HTTPS://erp.example/E#S", "https://erp.example/E"),
        ("MailTo:B@example.net", "mailto:B@example.net"),
        (
            "Batch://zip?period=00:15:00&maxBatchSize=100",
            "batch://zip?period=00:15:00&maxBatchSize=100",
        ),
    ] {
        assert_eq!(HookAction::parse(action, &allowed).unwrap().url, url);
    }
}
