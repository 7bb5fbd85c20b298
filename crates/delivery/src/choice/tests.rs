//! The table of cases of the choice of a channel (interface specification 6, rules 2 to 4).

use super::*;

/// `party:id=topics!kind`: a hook in short. `m` is mail, `s` SFTP, `p` Peppol, `w` a webhook.
fn hook(text: &str) -> ChannelHook {
    let (place, rest) = text.split_once(':').unwrap();
    let (id, rest) = rest.split_once('=').unwrap();
    let (topics, kind) = rest.split_once('!').unwrap();
    ChannelHook {
        id: id.parse().unwrap(),
        key: format!("{place}.{id}").parse().unwrap(),
        of_party: place == "party",
        kind: match kind {
            "m" => ActionKind::Mail,
            "s" => ActionKind::Sftp,
            "p" => ActionKind::Peppol,
            "c" => ActionKind::Cxml,
            "t" => ActionKind::TradingNetwork,
            "d" => ActionKind::Dico,
            "x" => ActionKind::Collaboration,
            _ => ActionKind::Web,
        },
        topics: topics.split(' ').map(|topic| topic.parse().unwrap()).collect(),
        output: Vec::new(),
        filter: None,
    }
}

#[test]
fn a_channel_wants_what_its_filter_says() {
    let filter = Some(r#"recipient == "0106:87654321""#.parse().unwrap());
    let mail = ChannelHook { filter, ..hook("env:mail=Send*!m") };
    let facts = |recipient: &str| [("recipient".to_owned(), recipient.to_owned())].into();
    assert!(mail.wants(&facts("0106:87654321")));
    assert!(!mail.wants(&facts("0106:12345678")));
    assert!(ChannelHook::peppol().wants(&facts("")));
}

fn chosen(hooks: &[&str], family: Family, forced: Option<&str>) -> (Vec<String>, Vec<String>) {
    let hooks: Vec<ChannelHook> = hooks.iter().map(|text| hook(text)).collect();
    let channels = select(&hooks, family, forced).unwrap();
    let names = |list: &[ChannelOption]| list.iter().map(|channel| channel.name.clone()).collect();
    (names(&channels.order), names(&channels.fallback))
}

#[test]
fn a_network_with_forms_of_its_own_is_no_channel_for_other_documents() {
    let hooks =
        ["env:1=Send*!c", "env:2=Send*!t", "env:dico=Send*!d", "env:3=Send* Send*Fallback!x"];
    for (family, order) in [
        (Family::Invoice, &["1", "2", "dico", "peppol", "peppol-fallback"][..]),
        (Family::Order, &["1", "2", "dico", "peppol", "peppol-fallback"]),
        (Family::InvoiceResponse, &["peppol", "peppol-fallback"]),
        (Family::Document, &["peppol", "peppol-fallback"]),
        (Family::MessageLevelStatus, &["peppol"]),
    ] {
        assert_eq!(chosen(&hooks, family, None).0, order, "{family:?}");
    }
    let hooks = [hook("env:1=Send*!c")];
    assert!(select(&hooks, Family::InvoiceResponse, Some("1")).is_err());
    assert!(select(&hooks, Family::Order, Some("1")).is_ok());
}

struct Case {
    what: &'static str,
    hooks: &'static [&'static str],
    order: &'static [&'static str],
    fallback: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case { what: "Peppol is always there", hooks: &[], order: &["peppol"], fallback: &[] },
    Case {
        what: "party before environment, whatever the id and the topic",
        hooks: &["env:1=SendInvoice!m", "party:zz=Send*!m"],
        order: &["zz", "1", "peppol"],
        fallback: &[],
    },
    Case {
        what: "a topic by name before a wildcard",
        hooks: &["env:1=Send*!m", "env:zz=SendInvoice!m"],
        order: &["zz", "1", "peppol"],
        fallback: &[],
    },
    Case {
        what: "a hook with both is one that names the topic",
        hooks: &["env:zz=Send* SendInvoice!m", "env:1=Send*!m"],
        order: &["zz", "1", "peppol"],
        fallback: &[],
    },
    Case {
        what: "ids that are numbers as integers, then texts",
        hooks: &["env:dico=Send*!m", "env:10=Send*!m", "env:02=Send*!m", "env:1=Send*!m"],
        order: &["1", "02", "10", "dico", "peppol"],
        fallback: &[],
    },
    Case {
        what: "a text behind peppol stands behind it",
        hooks: &["env:zmail=Send*!m"],
        order: &["peppol", "zmail"],
        fallback: &[],
    },
    Case {
        what: "a Peppol hook of the party replaces the one of everybody",
        hooks: &["party:peppol=Send*!p", "env:1=Send*!m"],
        order: &["peppol", "1"],
        fallback: &[],
    },
    Case {
        what: "webhooks, other topics and * are no channels",
        hooks: &["env:a=Send*!w", "env:b=SendOrder!m", "env:c=*!m"],
        order: &["peppol"],
        fallback: &[],
    },
    Case {
        what: "what only listens to the fallback is not chosen at first",
        hooks: &["env:mail=Send*Fallback!m"],
        order: &["peppol"],
        fallback: &["mail"],
    },
    Case {
        what: "what listens to both stands behind all others, under the derived name",
        hooks: &["env:1=Send*Fallback Send*!m", "env:2=Send*!m"],
        order: &["2", "peppol", "peppol-fallback"],
        fallback: &["1"],
    },
    Case {
        what: "fallbacks have the same order: party, name, id",
        hooks: &["env:1=Send*Fallback!m", "env:9=SendInvoiceFallback!m", "party:z=Send*Fallback!m"],
        order: &["peppol"],
        fallback: &["z", "9", "1"],
    },
    Case {
        what: "channels of different kinds have one order: the id decides, not the kind",
        hooks: &["env:3=Send*!m", "env:2=Send*!s", "env:1=Send*!m", "env:q=Send*!s"],
        order: &["1", "2", "3", "peppol", "q"],
        fallback: &[],
    },
    Case {
        what: "a folder of the party before a mail of everybody",
        hooks: &["env:1=SendInvoice!m", "party:files=Send*!s"],
        order: &["files", "1", "peppol"],
        fallback: &[],
    },
    Case {
        what: "a folder for another kind of document is none for this one",
        hooks: &["env:1=SendOrder!s", "env:2=SendInvoice!s"],
        order: &["2", "peppol"],
        fallback: &[],
    },
    Case {
        what: "a folder that is told what arrived is no channel",
        hooks: &["env:1=*Received!s"],
        order: &["peppol"],
        fallback: &[],
    },
    Case {
        what: "a folder stands behind Peppol, and a mail behind the folder",
        hooks: &["env:1=Send*Fallback!s", "env:2=Send*Fallback!m"],
        order: &["peppol"],
        fallback: &["1", "2"],
    },
    Case {
        what: "a folder with both topics stands behind a mail with one",
        hooks: &["env:1=Send*Fallback Send*!s", "env:2=Send*!m"],
        order: &["2", "peppol", "peppol-fallback"],
        fallback: &["1"],
    },
];

#[test]
fn the_choice_follows_the_table() {
    for case in CASES {
        let (order, fallback) = chosen(case.hooks, Family::Invoice, None);
        assert_eq!((order, fallback), (texts(case.order), texts(case.fallback)), "{}", case.what);
        let mut turned: Vec<&str> = case.hooks.to_vec();
        turned.reverse();
        let (order, _) = chosen(&turned, Family::Invoice, None);
        assert_eq!(order, texts(case.order), "{}, in any order of registration", case.what);
    }
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_forced_channel_stands_alone() {
    let hooks = ["env:mail=Send*!m", "env:late=Send*Fallback Send*!m"];
    for (forced, order, fallback) in [
        ("peppol", vec!["peppol"], vec![]),
        ("mail", vec!["mail"], vec![]),
        ("late", vec!["peppol-fallback"], vec![]),
        ("peppol-fallback", vec!["peppol-fallback"], vec![]),
    ] {
        let found = chosen(&hooks, Family::Invoice, Some(forced));
        assert_eq!(found, (texts(&order), texts(&fallback)), "{forced}");
    }
}

#[test]
fn c_24_a_party_and_its_environment_may_use_one_id() {
    let hooks = [hook("env:1=Send*!m"), hook("party:1=Send*!m")];
    let forced = select(&hooks, Family::Invoice, Some("1")).unwrap();
    assert_eq!(forced.order[0].hook, "party.1", "the party goes before");
    let all = select(&hooks, Family::Invoice, None).unwrap();
    let keys: Vec<&str> = all.order.iter().map(|channel| channel.hook.as_str()).collect();
    assert_eq!(keys, ["party.1", "env.1", "peppol"]);
    let second = all.after_unreachable(&all.order[0]).unwrap();
    assert_eq!(second.hook, "env.1");
    let current = all.current(Some(&second.hook)).unwrap();
    assert_eq!(all.after_unreachable(current).unwrap().hook, "peppol", "and so to the end");
}

#[test]
fn a_channel_that_is_not_there_is_refused_with_those_that_are() {
    let hooks = [hook("env:mail=Send*!m"), hook("env:web=Send*!w")];
    for asked in ["web", "dico", "peppol-fallback", "Peppol"] {
        let refused = select(&hooks, Family::Order, Some(asked)).unwrap_err();
        assert_eq!(refused.known, "mail, peppol");
        assert!(refused.to_string().contains(asked), "{refused}");
    }
}

#[test]
fn all_families_but_the_networks_own_have_channels() {
    let mail = ["env:mail=Send*!m"];
    for family in [Family::Invoice, Family::Order, Family::InvoiceResponse, Family::Document] {
        assert_eq!(chosen(&mail, family, None).0, ["mail", "peppol"]);
    }
    assert_eq!(chosen(&mail, Family::MessageLevelStatus, None).0, ["peppol"]);
}

#[test]
fn what_comes_after_a_channel() {
    let hooks = ["env:first=Send*!m", "env:z=Send*!m", "env:late=Send*Fallback!m"].map(hook);
    let channels = select(&hooks, Family::Invoice, None).unwrap();
    let at = |id: &str| {
        let key = if id == PEPPOL { id.to_owned() } else { format!("env.{id}") };
        channels.current(Some(&key)).unwrap()
    };
    let name = |channel: Option<&ChannelOption>| channel.map(|channel| channel.name.clone());
    assert_eq!(name(channels.current(None)), Some("first".to_owned()));
    assert_eq!(name(channels.current(Some("removed"))), Some("first".to_owned()));
    assert_eq!(name(channels.after_unreachable(at("peppol"))), Some("z".to_owned()));
    assert_eq!(name(channels.after_failure(at("peppol"))), Some("late".to_owned()));
    assert_eq!(name(channels.after_unreachable(at("z"))), None);
    assert_eq!(name(channels.after_failure(at("z"))), None, "a mail has no fallback");
    assert_eq!(channels.names(), ["first", "peppol", "z", "late"]);
}

proptest::proptest! {
    /// The order of ids is total, and that of their numbers where both are numbers.
    #[test]
    fn ids_have_one_order(a in "[0-9]{1,4}|[a-z0-9]{1,4}", b in "[0-9]{1,4}|[a-z0-9]{1,4}") {
        proptest::prop_assert_eq!(by_id(&a, &b), by_id(&b, &a).reverse());
        proptest::prop_assert_eq!(by_id(&a, &b).is_eq(), a == b);
        if let (Ok(x), Ok(y)) = (a.parse::<u32>(), b.parse::<u32>())
            && x != y
        {
            proptest::prop_assert_eq!(by_id(&a, &b), x.cmp(&y));
        }
    }
}
