//! Tests of `capabilities`: what holds for each layer, and what is registered for it.

use jiff::civil::date;

use super::*;

const DAY: Date = date(2026, 9, 1);

fn states(set: &[(&str, CapabilitySetting)]) -> States {
    set.iter().map(|(name, state)| ((*name).to_owned(), *state)).collect()
}

fn shown(layers: &[&States], name: &str) -> &'static str {
    effective(layers).iter().find(|found| found.capability.name == name).unwrap().shown()
}

#[test]
fn the_lowest_layer_that_says_something_decides() {
    let (none, on, off) = (
        States::new(),
        states(&[("orders", CapabilitySetting::On)]),
        states(&[("orders", CapabilitySetting::Off)]),
    );
    let inherited = states(&[("orders", CapabilitySetting::Inherited)]);
    for (party, organisation, expected) in [
        (&none, &none, "inherited => off"),
        (&none, &on, "inherited => on"),
        (&none, &off, "inherited => off"),
        (&on, &off, "on"),
        (&off, &on, "off"),
        (&inherited, &on, "inherited => on"),
        (&inherited, &inherited, "inherited => off"),
    ] {
        assert_eq!(shown(&[party, organisation], "orders"), expected);
    }
    assert_eq!(shown(&[&none, &none], "invoices"), "inherited => on");
    assert_eq!(
        shown(&[&none, &states(&[("invoices", CapabilitySetting::Off)])], "invoices"),
        "inherited => off"
    );
}

#[test]
fn what_is_shown_can_be_written_back() {
    for (text, state) in [
        ("on", CapabilitySetting::On),
        ("off", CapabilitySetting::Off),
        ("inherited", CapabilitySetting::Inherited),
        ("inherited => on", CapabilitySetting::Inherited),
        ("inherited => off", CapabilitySetting::Inherited),
        ("On", CapabilitySetting::On),
    ] {
        assert_eq!(text.parse(), Ok(state), "{text}");
    }
    for wrong in ["", "yes", "on off", "=> on"] {
        assert!(wrong.parse::<CapabilitySetting>().is_err(), "{wrong}");
    }
}

#[test]
fn both_spellings_of_self_billing_are_one_capability() {
    assert_eq!(named("selfBilling").unwrap().name, "selfbilling");
    assert_eq!(named("invoiceresponse").unwrap().name, "invoiceResponse");
    assert!(named("everything").is_none());
}

#[test]
fn every_capability_registers_what_the_table_says() {
    let none = BTreeSet::new();
    for row in CAPABILITIES {
        let only =
            states(&[("invoices", CapabilitySetting::Off), (row.name, CapabilitySetting::On)]);
        let found = pairs(&effective(&[&only]), DAY, &none);
        let active = row.rows().filter(|(row, _)| row.may_register(DAY)).count();
        assert_eq!(found.len(), active, "{}", row.name);
        assert_eq!(active == 0, row.name == "invoice_bisv2", "{}", row.name);
    }
}

/// No document is of the abstract type, so a pattern is registered; logistics are exchanged in
/// several processes, and are named once.
#[test]
fn families_of_the_network_have_a_switch_of_their_own() {
    let only = |name: &str| {
        let states = states(&[("invoices", CapabilitySetting::Off), (name, CapabilitySetting::On)]);
        pairs(&effective(&[&states]), DAY, &BTreeSet::new())
    };
    let pint: Vec<String> = only("pint").into_iter().map(|(id, _)| id).collect();
    assert_eq!(pint.len(), 2);
    assert!(pint.iter().all(|id| {
        id.starts_with("peppol-doctype-wildcard::") && id.contains("##urn:peppol:pint:billing-1*::")
    }));
    let logistics = only("logistics");
    let types: BTreeSet<&String> = logistics.iter().map(|(id, _)| id).collect();
    assert_eq!((logistics.len(), types.len()), (14, 9));
    let said = description(named("logistics").unwrap(), DAY);
    assert_eq!(said.matches("Peppol Waybill V1").count(), 1, "{said}");
    assert_eq!(said.matches("Advanced Despatch Advice").count(), 1, "{said}");
    assert_eq!(only("despatchAdvice").len(), 1);
}

#[test]
fn a_shared_pair_is_registered_once_and_kept_while_one_capability_is_on() {
    let none = BTreeSet::new();
    let both =
        states(&[("orders", CapabilitySetting::On), ("orderResponse", CapabilitySetting::On)]);
    let all = pairs(&effective(&[&both]), DAY, &none);
    let one = states(&[("orders", CapabilitySetting::On)]);
    let less = pairs(&effective(&[&one]), DAY, &none);
    assert!(less.is_subset(&all) && less.len() < all.len());
}

#[test]
fn a_deprecated_type_stays_but_is_not_registered_anew() {
    let legacy =
        states(&[("invoices", CapabilitySetting::Off), ("invoice_bisv2", CapabilitySetting::On)]);
    let effective = effective(&[&legacy]);
    assert_eq!(pairs(&effective, DAY, &BTreeSet::new()), BTreeSet::new());
    let (row, process) = named("invoice_bisv2").unwrap().rows().next().unwrap();
    let pair = (row.id().unwrap().to_string(), format!("{}::{process}", ProcessId::SCHEME));
    let before = BTreeSet::from([pair]);
    assert_eq!(pairs(&effective, DAY, &before), before);
    assert!(description(named("invoice_bisv2").unwrap(), DAY).contains("no new registrations"));
}
