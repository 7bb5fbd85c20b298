//! What a kind of invoice has, and what it has not; days.

use super::{child, children, content, fa, is_correction, kind, text};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag;
use quoin_model::text::trimmed;
use quoin_xml::tree::Element;

pub(super) const RULES: &[Rule] = &[
    Rule::new("QUOIN-FA-NAMESPACE", namespace).at(Flag::Fatal, document),
    Rule::new("QUOIN-FA-CORRECTED", corrected).at(Flag::Fatal, content),
    Rule::new("QUOIN-FA-NO-CORRECTION", no_correction).at(Flag::Fatal, content),
    Rule::new("QUOIN-FA-ORIGINAL", original).at(Flag::Warning, originals),
    Rule::new("QUOIN-FA-ORIGINAL-DAY", original_day).at(Flag::Warning, originals),
    Rule::new("QUOIN-FA-ADVANCE-RATE", advance_rate).at(Flag::Fatal, content),
    Rule::new("QUOIN-FA-SECTION", section).at(Flag::Warning, content),
    Rule::new("QUOIN-FA-NO-ROWS", no_rows).at(Flag::Fatal, content),
    Rule::new("QUOIN-FA-PERIOD", period).at(Flag::Fatal, periods),
    Rule::new("QUOIN-FA-SALE-DAY", sale_day).at(Flag::Warning, content),
    Rule::new("QUOIN-FA-FUTURE", future).at(Flag::Warning, content),
    Rule::new("QUOIN-FA-AGREED-CURRENCY", agreed_currency).at(Flag::Fatal, content),
];

/// What only a correction has.
const OF_CORRECTIONS: [&str; 8] = [
    "PrzyczynaKorekty",
    "TypKorekty",
    "DaneFaKorygowanej",
    "OkresFaKorygowanej",
    "NrFaKorygowany",
    "Podmiot1K",
    "Podmiot2K",
    "P_15ZK",
];

fn originals<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    fa(facts).into_iter().flat_map(|fa| children(fa, "DaneFaKorygowanej")).for_each(visit);
}

fn periods<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    fa(facts).and_then(|fa| child(fa, "OkresFa")).into_iter().for_each(visit);
}

fn is_foreign(fa: Element<'_>) -> bool {
    text(fa, "KodWaluty") != "PLN"
}

/// The namespace of FA(3), form 1-0E.
const FA_3: &str = "http://crd.gov.pl/wzor/2025/06/25/13775/";

fn document<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    visit(facts.root());
}

/// The system knows the form by its namespace.
fn namespace<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(RuleVerdict::of(case.at.namespace() == FA_3).expected(FA_3))
}

/// A correction names what it corrects.
fn corrected<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = !is_correction(case) || child(case.at, "DaneFaKorygowanej").is_some();
    let place = child(case.at, "RodzajFaktury");
    Ok(RuleVerdict::of(holds).found(kind(case)).element(place))
}

/// Nothing else has what a correction has.
fn no_correction<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if is_correction(case) {
        return Ok(RuleVerdict::Holds);
    }
    let wrong = OF_CORRECTIONS.iter().find_map(|name| child(case.at, name));
    Ok(RuleVerdict::of(wrong.is_none()).found(kind(case)).element(wrong))
}

/// The number of the system begins with the NIP of the seller that had it.
fn original<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let number = text(case.at, "NrKSeFFaKorygowanej");
    let before = fa(case).and_then(|fa| child(fa, "Podmiot1K"));
    let sellers = [child(case.root(), "Podmiot1"), before];
    let mut nips = sellers
        .into_iter()
        .flatten()
        .filter_map(|party| child(party, "DaneIdentyfikacyjne").map(|own| text(own, "NIP")));
    let holds = number.is_empty() || nips.any(|nip| !nip.is_empty() && number.starts_with(&*nip));
    let place = child(case.at, "NrKSeFFaKorygowanej");
    Ok(RuleVerdict::of(holds).found(number).element(place))
}

/// What is corrected was issued before, or on the same day.
fn original_day<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let (day, issued) =
        (text(case.at, "DataWystFaKorygowanej"), fa(case).map(|fa| text(fa, "P_1")));
    let issued = issued.unwrap_or_default();
    let holds = day.len() != 10 || issued.len() != 10 || day <= issued;
    let place = child(case.at, "DataWystFaKorygowanej");
    Ok(RuleVerdict::of(holds).found(day).expected(issued).element(place))
}

/// `KursWalutyZ` is the rate of an advance payment in another currency.
fn advance_rate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let place = child(case.at, "KursWalutyZ");
    let is_advance = matches!(&*kind(case), "ZAL" | "KOR_ZAL");
    let holds = place.is_none() || (is_advance && is_foreign(case.at));
    Ok(RuleVerdict::of(holds).found(kind(case)).element(place))
}

/// An order belongs to an advance payment; its invoices are named by what settles them.
fn section<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = kind(case);
    let wrong = match &*own {
        "VAT" | "UPR" | "KOR" => {
            child(case.at, "Zamowienie").or_else(|| child(case.at, "FakturaZaliczkowa"))
        }
        "ROZ" | "KOR_ROZ" => child(case.at, "Zamowienie"),
        _ => None,
    };
    Ok(RuleVerdict::of(wrong.is_none()).found(own).element(wrong))
}

/// An invoice says what was sold.
fn no_rows<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = kind(case);
    let holds = own != "VAT" || child(case.at, "FaWiersz").is_some();
    Ok(RuleVerdict::of(holds).found(own))
}

/// A period ends when it has begun.
fn period<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let (from, to) = (text(case.at, "P_6_Od"), text(case.at, "P_6_Do"));
    let holds = from.len() != 10 || to.len() != 10 || from <= to;
    Ok(RuleVerdict::of(holds).found(to).expected(from).element(child(case.at, "P_6_Do")))
}

/// The day of sale is that of all rows, or each row has its own.
fn sale_day<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let of_all = child(case.at, "P_6").or_else(|| child(case.at, "OkresFa"));
    let of_row = children(case.at, "FaWiersz").find_map(|row| child(row, "P_6A"));
    Ok(RuleVerdict::of(of_all.is_none() || of_row.is_none()).element(of_row))
}

/// The hours of Warsaw.
const HOURS: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

/// The system refuses a day of issue after that of receipt, which is one of Poland.
fn future<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(place) = child(case.at, "P_1") else { return Ok(RuleVerdict::Holds) };
    let (day, today) = (trimmed(place), case.today(HOURS).to_string());
    let holds = day.len() != 10 || *day <= *today;
    Ok(RuleVerdict::of(holds).found(day).expected(today).element(Some(place)))
}

/// A currency is agreed on where the invoice itself is in zloty.
fn agreed_currency<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let terms = child(case.at, "WarunkiTransakcji");
    let place = terms.and_then(|terms| child(terms, "WalutaUmowna"));
    let is_zloty = place.is_some_and(|place| trimmed(place) == "PLN");
    let holds = place.is_none() || !(is_foreign(case.at) || is_zloty);
    Ok(RuleVerdict::of(holds).found(text(case.at, "KodWaluty")).element(place))
}
