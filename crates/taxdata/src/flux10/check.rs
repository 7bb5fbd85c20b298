//! What the portal would refuse, found before the file is written.

use jiff::civil::Date;
use quoin_model::Language;
use quoin_model::codes::is_credit_note_type;

use super::{
    EReport, EReportContent, EReportInvoice, EReportParty, InvoicePayment, PaymentTotal, SalesTotal,
};
use crate::missing::MissingTerm;

/// A term that breaks a rule of the portal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{term} of {of} is \"{value}\": {why}")]
pub struct EReportBreach {
    /// The term: `TT-19`.
    pub term: &'static str,
    /// Of what: the file, or the number of an invoice.
    pub of: String,
    /// The value, cut.
    pub value: String,
    /// What it must be.
    pub why: &'static str,
}

/// Breaches that are told at most.
const MOST: usize = 200;

/// The rates of VAT that France has or had.
const RATES: &[&str] = &[
    "0", "0.9", "1.05", "1.75", "2.1", "5.5", "7", "8.5", "9.2", "9.6", "10", "13", "19.6", "20",
    "20.6",
];
const KINDS: &[&str] = &[
    "261", "380", "381", "384", "386", "389", "393", "396", "471", "472", "473", "500", "501",
    "502", "503",
];
const CASES: &[&str] =
    &["B1", "S1", "M1", "B2", "S2", "M2", "B4", "S4", "M4", "S5", "S6", "B7", "S7"];
const DUE_CODES: &[&str] = &["5", "29", "72", "3", "35", "432"];
const CATEGORIES: &[&str] = &["S", "E", "AE", "K", "G", "O", "Z"];
const SALES: &[&str] = &["TLB1", "TPS1", "TNT1", "TMA1"];

struct Breaches {
    found: Vec<EReportBreach>,
    of: String,
}

impl Breaches {
    fn need(&mut self, holds: bool, term: &'static str, value: &str, why: &'static str) {
        if !holds && self.found.len() < MOST {
            let value = quoin_model::text::shortened(value).into_owned();
            self.found.push(EReportBreach { term, of: self.of.clone(), value, why });
        }
    }
}

/// What the portal would refuse of a file; nothing where it can be written.
pub fn check(report: &EReport) -> Vec<EReportBreach> {
    let mut out = Breaches { found: check_head(report), of: "the file".to_owned() };
    match &report.content {
        EReportContent::Transactions { invoices, totals } => {
            let some = !invoices.is_empty() || !totals.is_empty();
            out.need(some, "TB-2", "", "a file tells at least one invoice or total");
            invoices.iter().for_each(|one| invoice(&mut out, one));
            totals.iter().for_each(|one| sold(&mut out, one));
        }
        EReportContent::Payments { invoices, totals } => {
            let some = !invoices.is_empty() || !totals.is_empty();
            out.need(some, "TB-3", "", "a file tells at least one payment");
            invoices.iter().for_each(|one| paid(&mut out, one));
            totals.iter().for_each(|one| payment(&mut out, one));
        }
    }
    out.found
}

/// What the portal would refuse of a file whatever it tells: who tells it, about which period.
pub fn check_head(report: &EReport) -> Vec<EReportBreach> {
    let mut out = Breaches { found: Vec::new(), of: "the file".to_owned() };
    identifier(&mut out, "TT-1", &report.id, 50);
    let platform = report.platform.chars().count() == 4;
    out.need(platform, "TT-8", &report.platform, "the number of a platform is four characters");
    siren(&mut out, "TT-13", &report.siren);
    let named = |name: &str| !name.trim().is_empty();
    out.need(named(&report.platform_name), "TT-9", "", "the platform has a name");
    out.need(named(&report.declarant_name), "TT-14", "", "the declarant has a name");
    year(&mut out, "TT-3", report.created.date());
    let (first, last) = report.period;
    year(&mut out, "TT-17", first);
    year(&mut out, "TT-18", last);
    out.need(last > first, "TT-18", &last.to_string(), "the last day is after the first");
    out.found
}

/// What the portal would refuse of one invoice.
pub(crate) fn check_invoice(own: &EReportInvoice) -> Vec<EReportBreach> {
    let mut out = Breaches { found: Vec::new(), of: String::new() };
    invoice(&mut out, own);
    out.found
}

/// What the portal would refuse of sales to consumers.
pub(super) fn sales(own: &SalesTotal) -> Vec<EReportBreach> {
    let mut out = Breaches { found: Vec::new(), of: String::new() };
    sold(&mut out, own);
    out.found
}

/// The terms of the invoice that terms of a file tell.
const OF_INVOICE: &[(&str, &str)] = &[
    ("TT-19", "BT-1"),
    ("TT-20", "BT-2"),
    ("TT-21", "BT-3"),
    ("TT-22", "BT-5"),
    ("TT-24", "BT-8"),
    ("TT-28", "BT-23"),
    ("TT-30", "BT-25"),
    ("TT-31", "BT-26"),
    ("TG-11", "BG-3"),
    ("TT-33-1", "BT-30"),
    ("TT-33", "BT-30"),
    ("TT-34", "BT-31"),
    ("TT-37", "BT-47"),
    ("TT-36", "BT-47"),
    ("TT-38", "BT-48"),
    ("TT-43", "BT-74"),
    ("TT-51", "BT-109"),
    ("TT-52", "BT-110"),
    ("TG-23", "BG-23"),
    ("TT-54", "BT-116"),
    ("TT-55", "BT-117"),
    ("TT-56", "BT-118"),
    ("TT-57", "BT-119"),
    ("TT-58", "BT-120"),
    ("TT-59", "BT-121"),
    ("TT-77", "BT-2"),
    ("TT-78", "BT-5"),
    ("TT-80", "BT-8"),
    ("TT-81", "BT-23"),
    ("TT-82", "BT-109"),
    ("TT-83", "BT-110"),
    ("TG-32", "BG-23"),
    ("TT-86", "BT-119"),
    ("TT-87", "BT-116"),
    ("TT-88", "BT-117"),
];

impl EReportBreach {
    /// The term of the invoice that has to change; `None` where it is one of the file.
    pub fn term_of_invoice(&self) -> Option<&'static str> {
        OF_INVOICE.iter().find(|row| row.0 == self.term).map(|row| row.1)
    }

    /// The breach in one line that begins with the term of the invoice.
    pub fn line(&self) -> String {
        let EReportBreach { term, value, why, .. } = self;
        let own = self.term_of_invoice().unwrap_or(term);
        let words = MissingTerm::known(own, Language::En).unwrap_or("term of the file");
        format!("{own} ({words}, {term}) is \"{value}\": {why}")
    }
}

fn identifier(out: &mut Breaches, term: &'static str, text: &str, most: usize) {
    let fits = text.chars().count() <= most && !text.is_empty();
    out.need(fits, term, text, "an identifier has 1 to 35 characters, that of a file 50");
    let letters = |c: char| c.is_ascii_alphanumeric() || " -+_/".contains(c);
    out.need(text.chars().all(letters), term, text, "only letters, digits and -+_/ are allowed");
    let tidy = !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ");
    out.need(tidy, term, text, "blanks stand alone and inside");
}

fn siren(out: &mut Breaches, term: &'static str, text: &str) {
    out.need(digits(text, 9..=9), term, text, "a SIREN is nine digits");
}

fn digits(text: &str, count: std::ops::RangeInclusive<usize>) -> bool {
    count.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn year(out: &mut Breaches, term: &'static str, day: Date) {
    let own = day.year();
    out.need((2000..=2099).contains(&own), term, &day.to_string(), "the year is 2000 to 2099");
}

fn listed(out: &mut Breaches, term: &'static str, text: &str, list: &[&str]) {
    out.need(list.contains(&text), term, text, "the code is not one of its list");
}

fn currency(out: &mut Breaches, term: &'static str, text: &str) {
    let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    out.need(is_code, term, text, "a currency is three capital letters");
}

/// A number of at most 19 digits, with so many behind the point.
fn number(out: &mut Breaches, term: &'static str, text: &str, signed: bool, behind: usize) {
    let plain = if signed { text.strip_prefix('-').unwrap_or(text) } else { text };
    let (whole, rest) = plain.split_once('.').unwrap_or((plain, "0"));
    let all = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let fits = all(whole) && all(rest) && rest.len() <= behind;
    let short = text.chars().filter(|c| *c != '.').count() <= 19;
    out.need(fits && short, term, text, "the number has too many digits, or is none");
}

fn rate(out: &mut Breaches, term: &'static str, text: &str) {
    let plain = match text.split_once('.') {
        Some((whole, rest)) => match rest.trim_end_matches('0') {
            "" => whole.to_owned(),
            rest => format!("{whole}.{rest}"),
        },
        None => text.to_owned(),
    };
    out.need(RATES.contains(&plain.as_str()), term, text, "France has no such rate of VAT");
}

/// Hundredths, of an amount that was found to be one.
fn cents(text: &str) -> Option<i128> {
    let plain = text.strip_prefix('-').unwrap_or(text);
    let (whole, rest) = plain.split_once('.').unwrap_or((plain, ""));
    let rest = format!("{rest:0<2}");
    let value = format!("{whole}{}", rest.get(..2)?).parse::<i128>().ok()?;
    Some(if text.starts_with('-') { -value } else { value })
}

/// The sum of parts is the total, within a cent for each part.
fn adds_up<'a>(
    out: &mut Breaches,
    term: &'static str,
    total: &str,
    parts: impl Iterator<Item = &'a str>,
) {
    let parts: Option<Vec<i128>> = parts.map(cents).collect();
    if let (Some(own), Some(parts)) = (cents(total), parts) {
        let difference = (own - parts.iter().sum::<i128>()).abs();
        out.need(difference <= 1, term, total, "the parts do not add up to the total");
    }
}

fn party(out: &mut Breaches, terms: [&'static str; 3], own: &EReportParty) {
    let [scheme, id, vat] = terms;
    listed(out, scheme, &own.scheme, &["0002", "0223", "0227", "0228", "0229"]);
    match own.scheme.as_str() {
        "0002" | "0229" => out.need(digits(&own.id, 9..=9), id, &own.id, "it is nine digits"),
        "0228" => out.need(digits(&own.id, 9..=10), id, &own.id, "it is nine or ten digits"),
        _ => {
            let fits = (1..=18).contains(&own.id.chars().count());
            out.need(fits, id, &own.id, "it has 1 to 18 characters");
        }
    }
    if matches!(own.scheme.as_str(), "0002" | "0223") {
        out.need(own.vat_number.is_some(), vat, "", "its VAT number has to be there");
    }
    if let Some(country) = &own.country {
        let is_code = country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase());
        out.need(is_code, id, country, "a country is two capital letters");
    }
}

fn invoice(out: &mut Breaches, own: &EReportInvoice) {
    out.of = format!("invoice {}", quoin_model::text::shortened(&own.number));
    identifier(out, "TT-19", &own.number, 35);
    year(out, "TT-20", own.issued);
    listed(out, "TT-21", &own.type_code, KINDS);
    currency(out, "TT-22", &own.currency);
    listed(out, "TT-28", &own.process, CASES);
    let last = matches!(own.process.as_str(), "B4" | "S4" | "M4");
    let advance = matches!(own.type_code.as_str(), "386" | "500" | "503");
    out.need(!(last && advance), "TT-28", &own.process, "an advance is no final invoice");
    if let Some(code) = &own.tax_due_code {
        listed(out, "TT-24", code, DUE_CODES);
    }
    references(out, own);
    party(out, ["TT-33-1", "TT-33", "TT-34"], &own.seller);
    party(out, ["TT-37", "TT-36", "TT-38"], &own.buyer);
    if let Some((Some(first), Some(last))) = own.period {
        out.need(last > first, "TT-43", &last.to_string(), "the last day is after the first");
    }
    if let Some(total) = &own.total {
        number(out, "TT-51", total, true, 2);
    }
    number(out, "TT-52", &own.tax, true, 2);
    out.need(!own.vat.is_empty(), "TG-23", "", "VAT is told by category and rate");
    let exempt = own.vat.iter().any(|part| part.category.as_deref() == Some("E"));
    let numbered = own.seller.vat_number.is_some() || own.representative.is_some();
    out.need(!exempt || numbered, "TT-34", "", "an exemption needs the VAT number of the seller");
    for part in &own.vat {
        number(out, "TT-54", &part.taxable, true, 2);
        number(out, "TT-55", &part.tax, true, 2);
        rate(out, "TT-57", &part.rate);
        if let Some(category) = &part.category {
            listed(out, "TT-56", category, CATEGORIES);
        }
        let reasoned = part.reason.is_some() && part.reason_code.is_some();
        let needed = part.category.as_deref() == Some("E");
        out.need(!needed || reasoned, "TT-58", "", "an exemption has a reason and its code");
        let waived = part.reason_code.as_deref() == Some("VATEX-FR-CNWVAT");
        let credit = is_credit_note_type(&own.type_code);
        out.need(!waived || credit, "TT-59", "VATEX-FR-CNWVAT", "it is for credit notes only");
    }
    if own.currency == "EUR" {
        if let Some(total) = &own.total {
            adds_up(out, "TT-51", total, own.vat.iter().map(|part| part.taxable.as_str()));
        }
        adds_up(out, "TT-52", &own.tax, own.vat.iter().map(|part| part.tax.as_str()));
    }
}

fn references(out: &mut Breaches, own: &EReportInvoice) {
    for (number, day) in &own.references {
        identifier(out, "TT-30", number, 35);
        if let Some(day) = day {
            year(out, "TT-31", *day);
        }
    }
    let dated = own.references.iter().any(|(_, day)| day.is_some());
    let count = own.references.len();
    match own.type_code.as_str() {
        "384" | "471" | "472" | "473" => {
            out.need(
                count == 1 && dated,
                "TG-11",
                "",
                "a correction names one invoice and its day",
            );
        }
        code if is_credit_note_type(code) => {
            out.need(dated, "TG-11", "", "a credit note names an invoice and its day");
        }
        _ => {}
    }
}

fn sold(out: &mut Breaches, own: &SalesTotal) {
    out.of = format!("sales of {}", own.day);
    year(out, "TT-77", own.day);
    currency(out, "TT-78", &own.currency);
    listed(out, "TT-81", &own.category, SALES);
    if let Some(code) = &own.tax_due_code {
        listed(out, "TT-80", code, DUE_CODES);
    }
    number(out, "TT-82", &own.total, true, 2);
    number(out, "TT-83", &own.tax, true, 2);
    out.need(!own.parts.is_empty(), "TG-32", "", "sales are told by rate");
    for (percent, taxable, tax) in &own.parts {
        rate(out, "TT-86", percent);
        number(out, "TT-87", taxable, true, 2);
        number(out, "TT-88", tax, true, 2);
    }
    if own.currency == "EUR" {
        adds_up(out, "TT-82", &own.total, own.parts.iter().map(|(_, taxable, _)| taxable.as_str()));
        adds_up(out, "TT-83", &own.tax, own.parts.iter().map(|(_, _, tax)| tax.as_str()));
    }
}

fn paid(out: &mut Breaches, own: &InvoicePayment) {
    out.of = format!("invoice {}", quoin_model::text::shortened(&own.number));
    identifier(out, "TT-90", &own.number, 35);
    year(out, "TT-91", own.issued);
    parts(out, &own.payment);
}

fn payment(out: &mut Breaches, own: &PaymentTotal) {
    out.of = format!("payments of {}", own.day);
    parts(out, own);
}

fn parts(out: &mut Breaches, own: &PaymentTotal) {
    year(out, "TT-92", own.day);
    out.need(!own.parts.is_empty(), "TG-36", "", "payments are told by rate");
    for (percent, amount) in &own.parts {
        rate(out, "TT-93", percent);
        number(out, "TT-95", amount, false, 6);
    }
}
