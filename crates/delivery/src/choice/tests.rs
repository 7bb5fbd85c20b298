//! The table of cases of the choice of a channel (interface specification 6, rules 2 to 4).

use super::*;
use crate::hook;

mod cases;

use cases::CASES;

/// The kinds that one case is asked with.
#[derive(Debug, Clone, Copy)]
struct CaseKinds {
    channel: ActionKind,
    other: ActionKind,
    nothing: ActionKind,
}

const MAIL: CaseKinds =
    CaseKinds { channel: ActionKind::Mail, other: ActionKind::Sftp, nothing: ActionKind::Batch };

/// Every channel but the network, with each other one, and with each kind that is none.
fn all_kinds() -> Vec<CaseKinds> {
    let kinds = || hook::kinds().map(|row| row.kind);
    let channels = || kinds().filter(|kind| channel::row(*kind).is_some_and(|row| !row.network));
    let others = || kinds().filter(|kind| channel::row(*kind).is_none());
    let with = |channel| {
        channels().flat_map(move |other| {
            others().map(move |nothing| CaseKinds { channel, other, nothing })
        })
    };
    channels().flat_map(with).collect()
}

/// A hook in short, as [`cases`] writes it.
fn hook_of(text: &str, kinds: CaseKinds) -> ChannelHook {
    let (place, rest) = text.split_once(':').unwrap();
    let (id, rest) = rest.split_once('=').unwrap();
    let (topics, kind) = rest.split_once('!').unwrap();
    ChannelHook {
        id: id.parse().unwrap(),
        key: format!("{place}.{id}").parse().unwrap(),
        of_party: place == "party",
        kind: match kind {
            "c" => kinds.channel,
            "d" => kinds.other,
            "p" => NETWORK.hook.kind,
            "n" => kinds.nothing,
            other => panic!("{other} is no kind"),
        },
        topics: topics.split(' ').map(|topic| topic.parse().unwrap()).collect(),
        output: Vec::new(),
        filter: None,
    }
}

fn hook(text: &str) -> ChannelHook {
    hook_of(text, MAIL)
}

#[test]
fn a_channel_wants_what_its_filter_says() {
    let filter = Some(r#"recipient == "0106:87654321""#.parse().unwrap());
    let mail = ChannelHook { filter, ..hook("env:mail=Send*!c") };
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
    let of = |text: &str, channel: ActionKind| hook_of(text, CaseKinds { channel, ..MAIL });
    let hooks = [
        of("env:1=Send*!c", ActionKind::Cxml),
        of("env:2=Send*!c", ActionKind::TradingNetwork),
        of("env:dico=Send*!c", ActionKind::Dico),
        of("env:3=Send* Send*Fallback!c", ActionKind::Collaboration),
    ];
    for (family, order) in [
        (Family::Invoice, &["1", "2", "dico", "peppol", "peppol-fallback"][..]),
        (Family::Order, &["1", "2", "dico", "peppol", "peppol-fallback"]),
        (Family::InvoiceResponse, &["peppol", "peppol-fallback"]),
        (Family::Document, &["peppol", "peppol-fallback"]),
        (Family::MessageLevelStatus, &["peppol"]),
    ] {
        let chosen = select(&hooks, family, None).unwrap();
        let names: Vec<&str> = chosen.order.iter().map(|channel| &*channel.name).collect();
        assert_eq!(names, order, "{family:?}");
    }
    let first = &hooks[..1];
    assert!(select(first, Family::InvoiceResponse, Some("1")).is_err());
    assert!(select(first, Family::Order, Some("1")).is_ok());
}

#[test]
fn the_choice_follows_the_table() {
    assert!(CASES.len() >= 40);
    let kinds = all_kinds();
    assert!(kinds.len() >= 9, "{kinds:?}");
    for (case, kinds) in CASES.iter().flat_map(|case| kinds.iter().map(move |kind| (case, *kind))) {
        let mut turned: Vec<&str> = case.hooks.to_vec();
        turned.reverse();
        for hooks in [case.hooks.to_vec(), turned] {
            let hooks: Vec<ChannelHook> = hooks.iter().map(|text| hook_of(text, kinds)).collect();
            let forced = Some(case.forced).filter(|forced| !forced.is_empty());
            let what = format!("{}, with {kinds:?}", case.what);
            let channels = match select(&hooks, Family::Invoice, forced) {
                Ok(channels) => channels,
                Err(unknown) => {
                    assert!(case.order.is_empty(), "{what}: {unknown}");
                    continue;
                }
            };
            let names = |list: &[ChannelOption]| -> Vec<String> {
                list.iter().map(|channel| channel.name.clone()).collect()
            };
            let found = (names(&channels.order), names(&channels.fallback));
            assert_eq!(found, (texts(case.order), texts(case.fallback)), "{what}");
        }
    }
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_forced_channel_stands_alone() {
    let hooks = ["env:mail=Send*!c", "env:late=Send*Fallback Send*!c"];
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
    let hooks = [hook("env:1=Send*!c"), hook("party:1=Send*!c")];
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
    let hooks = [hook("env:mail=Send*!c"), hook("env:web=Send*!n")];
    for asked in ["web", "dico", "peppol-fallback", "Peppol"] {
        let refused = select(&hooks, Family::Order, Some(asked)).unwrap_err();
        assert_eq!(refused.known, "mail, peppol");
        assert!(refused.to_string().contains(asked), "{refused}");
    }
}

#[test]
fn a_hook_that_is_no_channel_of_the_family_is_told_apart_from_none() {
    let hook =
        ChannelHook { id: "net".parse().unwrap(), kind: ActionKind::Cxml, ..ChannelHook::peppol() };
    let told = |hooks: &[ChannelHook], family| {
        select(hooks, family, Some("net")).expect_err("none").to_string()
    };
    let said = told(std::slice::from_ref(&hook), Family::InvoiceResponse);
    assert!(said.starts_with("there is no channel \"net\" for this document: a hook"), "{said}");
    assert!(
        said.contains("no form of InvoiceResponse, only of Invoice, Order; there are"),
        "{said}"
    );
    let deaf = ChannelHook { topics: "InvoiceSent".parse().into_iter().collect(), ..hook };
    let said = told(&[deaf], Family::Invoice);
    assert!(said.contains("listens to neither SendInvoice nor SendInvoiceFallback"), "{said}");
    let said = told(&[], Family::Invoice);
    assert_eq!(said, "there is no channel \"net\" for this document; there are: peppol");
}

#[test]
fn all_families_but_the_networks_own_have_channels() {
    let mail = ["env:mail=Send*!c"];
    for family in [Family::Invoice, Family::Order, Family::InvoiceResponse, Family::Document] {
        assert_eq!(chosen(&mail, family, None).0, ["mail", "peppol"]);
    }
    assert_eq!(chosen(&mail, Family::MessageLevelStatus, None).0, ["peppol"]);
}

#[test]
fn what_comes_after_a_channel() {
    let hooks = ["env:first=Send*!c", "env:z=Send*!c", "env:late=Send*Fallback!c"].map(hook);
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
    // Peppol did not reach it either: what stands behind it applies (specification 6, rule 2).
    assert_eq!(name(channels.after_unreachable(at("z"))), Some("late".to_owned()));
    assert_eq!(name(channels.after_unreachable(at("late"))), None);
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
