//! Tests of `mail::action`: each parameter, and each way to get one wrong.

use super::*;

fn senders() -> Senders {
    Senders {
        from: mailbox("Invoices <invoices@example.org>").unwrap(),
        domains: vec!["example.com".to_owned()],
    }
}

fn read(text: &str) -> Result<MailAction, MailError> {
    MailAction::parse(text, Some(&senders()))
}

#[test]
fn every_parameter_is_read() {
    let action = read(
        "mailto:a%2Bb@example.net,second@example.net?includeAttachment=true\
         &targetDocumentTypeId=busdox-docid-qns%3A%3Ax&filename=invoice-%7B%7Bnumber%7D%7D.xml\
         &excludePrimaryAttachment=true&excludeAdditionalAttachments=false\
         &fallbackEmail=fall@example.net&replyTo=reply@example.net\
         &bcc=one@example.net,two@example.net&from=sales@example.com",
    )
    .unwrap();
    let emails = |list: &[Mailbox]| list.iter().map(|m| m.email.to_string()).collect::<Vec<_>>();
    assert_eq!(emails(&action.to), ["a+b@example.net", "second@example.net"]);
    assert_eq!(emails(&action.bcc), ["one@example.net", "two@example.net"]);
    assert!(action.include_attachment && action.exclude_primary && !action.exclude_additional);
    assert_eq!(action.target.as_deref(), Some("busdox-docid-qns::x"));
    assert_eq!(action.filename, "invoice-{{number}}.xml");
    for (found, expected) in [
        (action.fallback, "fall@example.net"),
        (action.reply_to, "reply@example.net"),
        (action.from, "sales@example.com"),
    ] {
        assert_eq!(found.unwrap().email.to_string(), expected);
    }
    let plain = read("mailto:a@example.net").unwrap();
    assert_eq!(plain.filename, "{{id}}{{extension}}");
    assert!(!plain.include_attachment && plain.from.is_none());
    assert!(read("mailto:?fallbackEmail=a@example.net").unwrap().to.is_empty());
}

#[test]
fn what_cannot_work_is_refused_by_name() {
    for (action, word) in [
        ("mailto:nobody", "mail address"),
        ("mailto:", "fallbackEmail"),
        ("mailto:a@example.net?colour=red", "colour"),
        ("mailto:a@example.net?includeAttachment=yes", "true or false"),
        ("mailto:a@example.net?bcc=x", "bcc"),
        ("mailto:a@example.net?from=a@bank.example", "example.com, example.org"),
        ("mailto:a@example.net?filename={{name}}", "one of id, number"),
        ("mailto:a@example.net?filename={{id", "one of id, number"),
        ("mailto:a@example.net?filename=", "one of id, number"),
        ("mailto:a%0d%0aBcc:x@example.net", "mail address"),
    ] {
        let refused = read(action).unwrap_err().to_string();
        assert!(refused.contains(word), "{action}: {refused}");
    }
    let none = MailAction::parse("mailto:a@example.net", None).unwrap_err();
    assert_eq!(none, MailError::NoServer);
    let many = ["a@example.net"; 11].join(",");
    assert!(read(&format!("mailto:{many}")).is_err());
}

#[test]
fn a_comma_within_quotes_is_no_end_of_an_address() {
    let both = "mailto:%22Doe%2C%20J%22%20%3Ca%40example.org%3E,b@example.org%2Cc@example.org";
    let action = read(both).unwrap();
    let emails: Vec<String> = action.to.iter().map(|found| found.email.to_string()).collect();
    assert_eq!(emails, ["a@example.org", "b@example.org", "c@example.org"]);
    assert_eq!(action.to[0].name.as_deref(), Some("Doe, J"));
    let quoted = "mailto:a@example.org?bcc=%22D%5C%22oe%2C%20J%22%20%3Cb@example.org%3E";
    assert_eq!(read(quoted).unwrap().bcc[0].name.as_deref(), Some("D\"oe, J"));
}

#[test]
fn a_domain_is_written_as_servers_are_asked_for_it() {
    let action = read("mailto:info@m%C3%BCller.de,J%20%3Cj@B%C3%BCcher.example%3E").unwrap();
    let emails: Vec<String> = action.to.iter().map(|found| found.email.to_string()).collect();
    assert_eq!(emails, ["info@xn--mller-kva.de", "j@xn--bcher-kva.example"]);
    assert_eq!(mailbox("plain@Example.org").unwrap().email.to_string(), "plain@Example.org");
}

/// Mail has the document as it is.
#[test]
fn a_target_is_a_document_type_and_no_format() {
    let ubl = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice\
               %23%23urn:cen.eu:en16931:2017::2.1";
    let checked = |target: &str| {
        let action = format!("mailto:a@example.net?targetDocumentTypeId={target}");
        read(&action).unwrap().check_target()
    };
    checked(ubl).unwrap();
    read("mailto:a@example.net").unwrap().check_target().unwrap();
    for other in ["cii", "", "urn:cen.eu:en16931:2017", "busdox-docid-qns::x"] {
        let refused = checked(other).unwrap_err().to_string();
        assert!(refused.contains("mail has a document as it is"), "{other}: {refused}");
    }
}
