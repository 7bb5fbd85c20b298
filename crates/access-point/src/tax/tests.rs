//! Tests of `tax`: which row is in force, what is written, and what is told where it cannot be.

use bytes::Bytes;
use quoin_delivery::Direction;
use quoin_delivery::tax::{INCOMPLETE, TaxAct};
use quoin_store::SubmitOptions;
use uuid::Uuid;

use super::*;
use crate::config::Config;
use crate::rules::RuleLibrary;

const SELLER: &str = "NL123456782B90";

fn profiles(rows: &str) -> TaxProfiles {
    let text = format!("[tax]\nanswer_seconds = 60\n{rows}");
    TaxProfiles::of(&Config::parse(&text).unwrap().tax)
}

fn row(country: &str, regime: &str, more: &str) -> String {
    format!(
        "[[tax.profiles]]\ncountry = \"{country}\"\nregime = \"{regime}\"\n\
         authority = \"0242:000005-TAX\"\n{more}\n"
    )
}

#[test]
fn a_report_that_is_written_again_has_the_same_uuid() {
    let one = data_uuid("0192f0c1-2b3c-8d4e-8f90-a1b2c3d4e5f6");
    assert_eq!(one, data_uuid("0192f0c1-2b3c-8d4e-8f90-a1b2c3d4e5f6"));
    assert_ne!(one, data_uuid("0192f0c1-2b3c-8d4e-8f90-a1b2c3d4e5f7"));
    assert_eq!(one.get_version_num(), 4);
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn noon(text: &str) -> Timestamp {
    format!("{text}T12:00:00Z").parse().unwrap()
}

fn written(invoice: &str, act: TaxAct, switch: Option<bool>, rows: &str) -> WrittenReport {
    let reporter = "0106:12345678".parse().unwrap();
    let owed_on: Timestamp = "2026-11-26T12:00:00Z".parse().unwrap();
    let envelope = Uuid::new_v4().to_string();
    let input = ReportInput {
        wishes: SubmitOptions::default(),
        direction: Direction::Outgoing,
        role: TaxRole::Sender,
        act,
        reporter,
        seat: "000001".to_owned(),
        envelope: Some(envelope),
        process: None,
        uuid: Uuid::new_v4(),
        switch,
        owed_on,
        day: day("2026-11-26"),
        now: owed_on,
    };
    let document = Bytes::from(invoice.to_owned());
    write(
        &ReportSource { document, travelled: None },
        &input,
        &profiles(rows),
        &RuleLibrary::builtin(),
    )
}

fn sample() -> String {
    quoin_formats::samples::invoice("0106:12345678", "0106:87654321", "INV-1")
}

#[test]
fn the_newest_row_that_has_begun_is_in_force() {
    let rows = row("BE", "vida-1.0", "") + &row("BE", "vida-1.1", "from = \"2028-01-01\"");
    let rows = profiles(&rows);
    let regime = |on| rows.of_country("BE", TaxRole::Sender, noon(on)).map(|row| row.regime).next();
    assert_eq!(regime("2027-12-31"), Some(Regime::Vida10));
    assert_eq!(regime("2028-01-01"), Some(Regime::Vida11));
    assert!(rows.of_country("NL", TaxRole::Sender, noon("2028-01-01")).next().is_none());
    let only = profiles(&row("BE", "vida-1.0", "roles = [\"C3\"]\nactive = true"));
    assert!(!only.asks(TaxRole::Sender, noon("2028-01-01")));
    assert!(only.asks(TaxRole::Receiver, noon("2028-01-01")));
    assert!(
        !profiles(&row("BE", "vida-1.0", "active = false"))
            .asks(TaxRole::Receiver, noon("2028-01-01"))
    );
}

#[test]
fn a_term_is_that_of_the_regime_unless_the_row_has_one() {
    let owed: Timestamp = "2026-11-26T12:00:00Z".parse().unwrap();
    let due = |more: &str, role| {
        let rows = profiles(&row("BE", "vida-1.1", more));
        rows.of_country("BE", role, owed).next().unwrap().due_on(role, owed).to_string()
    };
    assert_eq!(due("", TaxRole::Sender), "2026-11-27T12:00:00Z");
    assert_eq!(due("", TaxRole::Receiver), "2026-12-01T12:00:00Z");
    assert_eq!(due("term_hours = 2", TaxRole::Sender), "2026-11-26T14:00:00Z");
}

#[test]
fn a_wrong_row_is_told_with_its_place() {
    for (more, setting) in [
        ("from = \"tomorrow\"", "tax.profiles[0].from"),
        ("roles = [\"C1\"]", "tax.profiles[0].roles"),
        ("scopes = [\"EU\"]", "tax.profiles[0].scopes"),
        ("term_hours = 0", "tax.profiles[0].term_hours"),
        ("document_type = \"x\"", "tax.profiles[0].document_type"),
    ] {
        let error = Config::parse(&row("BE", "vida-1.1", more)).unwrap_err().to_string();
        assert!(error.contains(setting), "{error}");
    }
    let error = Config::parse(&row("BE", "sk-1.0", "")).unwrap_err().to_string();
    assert!(error.contains("sk-1.0 reports to SK"), "{error}");
    let foreign = row("BE", "vida-1.1", "").replace("0242:000005-TAX", "0106:12345678");
    let error = Config::parse(&foreign).unwrap_err().to_string();
    assert!(error.contains("tax.profiles[0].authority"), "{error}");
}

#[test]
fn a_report_is_written_and_keeps_the_rules_of_its_regime() {
    for (country, regime, number) in [
        ("NL", "vida-1.1", SELLER),
        ("BE", "vida-1.0", "BE0123456749"),
        ("SK", "sk-1.0", "SK2020317068"),
    ] {
        let invoice = sample().replace(SELLER, number);
        let found = written(&invoice, TaxAct::Submit, None, &row(country, regime, ""));
        let WrittenReport::Written(facts, xml) = found else { panic!("{regime}: {found:?}") };
        assert_eq!(facts.country.as_deref(), Some(country));
        assert_eq!(facts.regime.as_deref(), Some(regime));
        let report = quoin_taxdata::read_report(&quoin_formats::read(&xml)).unwrap();
        assert_eq!(report.regime.as_str(), regime);
        assert_eq!(report.invoice_uuid, facts.invoice_uuid);
    }
}

#[test]
fn what_is_not_asked_is_not_written() {
    let nl = row("NL", "vida-1.1", "");
    assert_eq!(
        written(&sample(), TaxAct::Submit, None, &row("BE", "vida-1.1", "")),
        WrittenReport::Unasked
    );
    assert_eq!(written(&sample(), TaxAct::Submit, Some(false), &nl), WrittenReport::Unasked);
    let chosen = row("NL", "vida-1.1", "chosen_parties = true");
    assert_eq!(written(&sample(), TaxAct::Submit, None, &chosen), WrittenReport::Unasked);
    let on = written(&sample(), TaxAct::Submit, Some(true), &chosen);
    assert!(matches!(on, WrittenReport::Written(..)), "{on:?}");
    // What was told once is taken back though the party is left out by now.
    let back = written(&sample(), TaxAct::Disregard, Some(false), &nl);
    assert!(matches!(back, WrittenReport::Written(..)), "{back:?}");
    let scoped = row("NL", "vida-1.1", "scopes = [\"IC\"]");
    let domestic = written(&sample(), TaxAct::Submit, None, &scoped);
    assert!(matches!(domestic, WrittenReport::NothingOwed(_)), "{domestic:?}");
    let none = written("<Order xmlns='urn:x'/>", TaxAct::Submit, None, &nl);
    assert!(matches!(none, WrittenReport::NothingOwed(_)), "{none:?}");
}

#[test]
fn each_reach_has_the_authority_of_its_row() {
    let authority = |name: &str, scopes: &str| {
        let more = format!("scopes = {scopes}\nfrom = \"2026-01-01\"");
        row("NL", "vida-1.1", &more).replace("000005-TAX", name)
    };
    let rows =
        authority("000005-HOME", r#"["D"]"#) + &authority("000005-AWAY", r#"["IC", "INTL"]"#);
    let abroad = sample().replace("NL876543214B01", "DE123456788");
    for (invoice, scope, name) in [(sample(), "D", "HOME"), (abroad.clone(), "IC", "AWAY")] {
        let found = written(&invoice, TaxAct::Submit, None, &rows);
        let WrittenReport::Written(facts, _) = found else { panic!("{scope}: {found:?}") };
        assert_eq!(facts.scope.as_deref(), Some(scope));
        assert!(facts.authority.unwrap().ends_with(name), "{scope}");
    }
    // What no row reaches is told as such.
    let home = authority("000005-HOME", r#"["D"]"#);
    let found = written(&abroad, TaxAct::Submit, None, &home);
    assert!(matches!(&found, WrittenReport::NothingOwed(why) if why.contains("IC")), "{found:?}");
}

#[test]
fn a_row_begins_with_a_day_of_its_country() {
    let rows = profiles(&row("SK", "sk-1.0", "from = \"2027-01-01\""));
    let asks = |at: &str| rows.asks(TaxRole::Sender, at.parse().unwrap());
    assert!(!asks("2026-12-31T22:59:59Z"));
    assert!(asks("2026-12-31T23:30:00Z"), "it is half past twelve there");
    let rows = profiles(&row("AE", "ae-1.0", "from = \"2027-01-01\""));
    assert!(rows.asks(TaxRole::Receiver, "2026-12-31T20:00:00Z".parse().unwrap()));
}

#[test]
fn what_the_invoice_lacks_is_named() {
    let abroad = ">AE</cbc:IdentificationCode>";
    let invoice = sample().replace(">NL</cbc:IdentificationCode>", abroad);
    let invoice = invoice.replace(SELLER, "123456782000003");
    let found = written(&invoice, TaxAct::Submit, None, &row("AE", "ae-1.0", ""));
    let WrittenReport::Unwritable(facts, reason) = found else { panic!("{found:?}") };
    assert_eq!(reason.code.as_deref(), Some(INCOMPLETE));
    assert!(!reason.findings.is_empty() && !reason.message.is_empty(), "{reason:?}");
    assert_eq!(facts.regime.as_deref(), Some("ae-1.0"));
}

const FLUX: &str = "channel = \"platform\"\nplatform = \"AB12\"\n";

fn french(regime: &str, more: &str) -> String {
    format!("[[tax.profiles]]\ncountry = \"FR\"\nregime = \"{regime}\"\n{FLUX}{more}\n")
}

#[test]
fn a_french_row_names_a_hook_and_a_platform() {
    for (row, setting) in [
        (french("flux1", "").replace("channel = \"platform\"\n", ""), "tax.profiles[0].channel"),
        (french("flux1", "").replace("\"AB12\"", "\"AB123\""), "tax.profiles[0].platform"),
        (french("flux1", "").replace("\"FR\"", "\"BE\""), "tax.profiles[0].regime"),
        (french("flux10", "period = \"week\""), "tax.profiles[0].period"),
        (french("flux10", "authority = \"0242:000005-TAX\""), "tax.profiles[0].authority"),
        (french("flux10", "scopes = [\"D\"]"), "tax.profiles[0].scopes"),
        (french("flux10", "lines = true"), "tax.profiles[0].lines"),
        (french("flux1", "period = \"month\""), "tax.profiles[0].period"),
        (french("flux1", "roles = [\"C3\"]"), "tax.profiles[0].roles"),
        (row("BE", "vida-1.1", "channel = \"platform\""), "tax.profiles[0].channel"),
        (row("BE", "vida-1.1", "channel = \"\""), "tax.profiles[0].channel"),
        (row("BE", "vida-1.1", "platform = \"AB123\""), "tax.profiles[0].platform"),
        (row("BE", "vida-1.1", "platform_name = \"x\""), "tax.profiles[0].platform_name"),
        (row("BE", "vida-1.1", "period = \"month\""), "tax.profiles[0].period"),
        (row("BE", "vida-1.1", "lines = true"), "tax.profiles[0].lines"),
    ] {
        let error = Config::parse(&row).unwrap_err().to_string();
        assert!(error.contains(setting), "{setting}: {error}");
    }
    let rows = profiles(&french("flux1", ""));
    assert!(rows.asks(TaxRole::Sender, noon("2026-11-26")));
    // The platform of the seller tells of domestic invoices.
    assert!(!rows.asks(TaxRole::Receiver, noon("2026-11-26")));
    assert!(profiles(&french("flux10", "")).asks(TaxRole::Receiver, noon("2026-11-26")));
}

#[test]
fn in_france_each_invoice_is_told_by_one_text() {
    use quoin_formats::samples::{FrenchBuyer, french_invoice};
    let both = french("flux1", "") + &french("flux10", "platform_name = \"Example\"");
    let of = |buyer| french_invoice(buyer, "0106:12345678", "0106:87654321", "F-1");
    let told = |buyer, act, switch, rows: &str| written(&of(buyer), act, switch, rows);
    let extract = told(FrenchBuyer::Company, TaxAct::Submit, None, &both);
    let WrittenReport::Written(facts, xml) = extract else { panic!("{extract:?}") };
    assert_eq!((facts.regime.as_deref(), facts.scope.as_deref()), (Some("flux1"), Some("D")));
    assert_eq!(facts.channel.as_deref(), Some("platform"));
    assert_eq!(facts.due_on.unwrap().to_string(), "2026-11-27T12:00:00Z");
    assert!(String::from_utf8(xml).unwrap().contains("F-1"));
    for (buyer, scope) in [(FrenchBuyer::Abroad, "INTL"), (FrenchBuyer::Consumer, "B2C")] {
        let waits = told(buyer, TaxAct::Submit, None, &both);
        let WrittenReport::Gathered(facts, gathered) = waits else { panic!("{waits:?}") };
        assert_eq!(
            (facts.regime.as_deref(), facts.scope.as_deref()),
            (Some("flux10"), Some(scope))
        );
        assert_eq!(gathered.declarant, "SE 732829320");
        assert_eq!(gathered.until.to_string(), "2026-12-01T00:10:00Z");
        assert_eq!(facts.due_on.unwrap().to_string(), "2026-12-11T00:00:00Z");
        // Where only the other text has a row, nothing is told.
        let other = told(buyer, TaxAct::Submit, None, &french("flux1", ""));
        assert_eq!(other, WrittenReport::Unasked);
    }
    assert_eq!(
        told(FrenchBuyer::Company, TaxAct::Submit, Some(false), &both),
        WrittenReport::Unasked
    );
    assert_eq!(
        told(FrenchBuyer::Company, TaxAct::Undelivered, None, &both),
        WrittenReport::Unasked
    );
    let back = told(FrenchBuyer::Company, TaxAct::Disregard, None, &both);
    assert!(matches!(&back, WrittenReport::NothingOwed(why) if why.contains("credit note")));
    // A company that does not say its SIREN is none abroad.
    let siren = "<cbc:CompanyID schemeID=\"0002\">552081317</cbc:CompanyID>";
    let siret = "<cbc:CompanyID schemeID=\"0009\">55208131766522</cbc:CompanyID>";
    for other in ["", siret] {
        let bare = of(FrenchBuyer::Company).replace(siren, other);
        let found = written(&bare, TaxAct::Submit, None, &both);
        let WrittenReport::Unwritable(facts, reason) = found else { panic!("{found:?}") };
        assert_eq!((facts.regime.as_deref(), facts.scope.as_deref()), (Some("flux1"), Some("D")));
        assert!(reason.findings[0].starts_with("BT-47 "), "{reason:?}");
    }
    let lacking = of(FrenchBuyer::Company).replace(">B1<", ">Z9<");
    let found = written(&lacking, TaxAct::Submit, None, &both);
    let WrittenReport::Unwritable(facts, reason) = found else { panic!("{found:?}") };
    assert_eq!(facts.regime.as_deref(), Some("flux1"));
    assert!(reason.findings[0].starts_with("BT-23 ("), "{reason:?}");
}
