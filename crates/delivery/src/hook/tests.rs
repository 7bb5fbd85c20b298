//! Tests of `hook`: what a hook is, hears and publishes.

use super::*;

#[test]
fn the_action_names_the_kind() {
    for (action, kind) in [
        ("https://erp.example.org/", Some(ActionKind::Web)),
        ("http://127.0.0.1/", Some(ActionKind::Web)),
        ("mailto:a@example.org?bcc=b@example.org", Some(ActionKind::Mail)),
        ("sftp://a@files.example.org/in", Some(ActionKind::Sftp)),
        ("sftpfrom://a@files.example.org/out", Some(ActionKind::SftpFrom)),
        ("mailfrom://a@mail.example.org?from=example.org", Some(ActionKind::MailFrom)),
        ("cxml://net.example.org/cxml", Some(ActionKind::Cxml)),
        ("tradingnetwork://net.example.org/cxml", Some(ActionKind::TradingNetwork)),
        ("dico://net.example.org/dico", Some(ActionKind::Dico)),
        ("collaboration://net.example.org/in", Some(ActionKind::Collaboration)),
        ("batch://zip?period=00:15:00", Some(ActionKind::Batch)),
        ("peppol", Some(ActionKind::Peppol)),
        ("peppolx", None),
        ("ftp://x", None),
        ("", None),
    ] {
        assert_eq!(ActionKind::of(action), kind, "{action}");
    }
    for row in kinds() {
        assert_eq!(ActionKind::of(row.prefix), Some(row.kind));
    }
}

#[test]
fn texts_list_how_actions_begin() {
    use ActionKind::{Collaboration, Cxml, Dico, Mail, Peppol, Sftp, TradingNetwork, Web};
    let said = |own: &[ActionKind], word: &str, say: fn(&KindRow) -> String| {
        listed(kinds().filter(|row| own.contains(&row.kind)), word, say)
    };
    let own = [Web, Mail, Sftp, Cxml, TradingNetwork, Dico, Collaboration, Peppol];
    assert_eq!(
        said(&own, "or", |row| row.told.to_owned()),
        "an https address, mailto:, sftp://, cxml://, tradingnetwork://, dico://, \
         collaboration:// or peppol"
    );
    let networks = [Dico, Collaboration];
    assert_eq!(said(&networks, "and", KindRow::quoted), "`dico://` and `collaboration://`");
    assert_eq!(said(&[Web, Peppol], "or", KindRow::quoted), "an https address or `peppol`");
    assert_eq!(said(&[Web], "or", KindRow::quoted), "an https address");
}

#[test]
fn each_kind_hears_what_it_can_act_on() {
    let all: Vec<TopicPattern> =
        ["*", "Send*", "Receive*", "Send*Fallback"].iter().map(|t| t.parse().unwrap()).collect();
    use SubscriptionMatch::{Call, Collect, Nothing};
    for (topic, web, mail, batch, sftp) in [
        (Topic::INVOICE_RECEIVED, Call, Call, Collect, Call),
        (Topic::INVOICE_RECEIVED_ERROR, Call, Call, Collect, Call),
        (Topic::INVOICE_SENT_RETRY, Call, Call, Nothing, Nothing),
        (Topic::INVOICE_SENT, Call, Call, Collect, Nothing),
        (Topic::SEND_INVOICE, Nothing, Nothing, Nothing, Nothing),
        (Topic::SEND_INVOICE_FALLBACK, Nothing, Nothing, Nothing, Nothing),
        (Topic::RECEIVE_INVOICE, Call, Call, Nothing, Call),
        (Topic::HOOK_SENT_ERROR, Call, Nothing, Nothing, Nothing),
        (Topic::INVOICE_RECEIVED_BATCHED, Call, Call, Nothing, Nothing),
        (Topic::PING, Call, Call, Nothing, Call),
    ] {
        let found = [ActionKind::Web, ActionKind::Mail, ActionKind::Batch, ActionKind::Sftp]
            .map(|kind| kind.hears(&all, topic));
        assert_eq!(found, [web, mail, batch, sftp], "{topic}");
        assert_eq!(ActionKind::Peppol.hears(&all, topic), Nothing);
    }
    assert_eq!(ActionKind::Web.hears(&[], Topic::PING), Call, "a ping goes to every hook");
    assert_eq!(ActionKind::Web.hears(&[], Topic::INVOICE_SENT), Nothing);
}

#[test]
fn a_hook_that_only_takes_documents_has_no_use_for_other_events() {
    for (topic, sftp, from, batch) in [
        (Topic::SEND_ORDER, true, true, false),
        (Topic::SEND_ORDER_FALLBACK, true, false, false),
        (Topic::ORDER_RECEIVED, true, false, true),
        (Topic::INVOICE_SENT, false, false, true),
        (Topic::HOOK_SENT, false, false, false),
    ] {
        let found = [ActionKind::Sftp, ActionKind::SftpFrom, ActionKind::Batch]
            .map(|kind| kind.can_use(topic));
        assert_eq!(found, [sftp, from, batch], "{topic}");
        assert!(ActionKind::Mail.can_use(topic));
    }
}

#[test]
fn output_rows_cover_codes_classes_and_everything() {
    let row = |when: &str, topic| Output { when: when.to_owned(), topic };
    let rows = [
        row("200", Topic::INVOICE_CLEARED),
        row("5xx", Topic::INVOICE_CLEARED_ERROR),
        row("*", Topic::SEND_INVOICE),
    ];
    let at = |code: &'static str| published(&rows, code).collect::<Vec<_>>();
    assert_eq!(at("200"), [Topic::INVOICE_CLEARED, Topic::SEND_INVOICE]);
    assert_eq!(at("503"), [Topic::INVOICE_CLEARED_ERROR, Topic::SEND_INVOICE]);
    assert_eq!(at("404"), [Topic::SEND_INVOICE]);
}
