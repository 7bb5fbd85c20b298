//! What an authority said against a report, told by the terms of the invoice: it names places in
//! the report, and people have to know what to change, and who can.

use quoin_model::Language;
use quoin_taxdata::{Regime, ReportPlace, WhoCanFix, of_place};

use super::{REJECTED, TaxReason, WRONG_DATA};
use crate::causes::Fixer;

/// One issue of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaxIssue<'a> {
    /// The code of its kind: `BV`.
    pub reason: Option<&'a str>,
    /// Where in the report: an XPath, the name of a term, or `NA`.
    pub place: Option<&'a str>,
    /// What is wrong.
    pub text: Option<&'a str>,
}

/// What a finding of a report is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedPlace {
    /// The terms: `BT-48`.
    pub terms: Vec<String>,
    /// The line of the invoice, from 1.
    pub line: Option<u32>,
    /// The same in words.
    pub words: String,
    /// Who can change it.
    pub fixer: Fixer,
}

/// Why a report was rejected: a line for each issue, with the terms and who can change them. Where
/// the authority finds fault only with what the service wrote beside the invoice, nobody has to
/// correct the invoice, and the code says so.
pub fn rejection(regime: Option<&str>, description: &str, issues: &[TaxIssue<'_>]) -> TaxReason {
    let regime = regime.and_then(Regime::named);
    let of = |issue: &TaxIssue<'_>| of_place(regime?, issue.place?);
    let places: Vec<Option<ReportPlace>> = issues.iter().map(of).collect();
    let is_ours = |place: &Option<ReportPlace>| {
        place.as_ref().is_some_and(|place| place.who == WhoCanFix::Provider)
    };
    let code = match !places.is_empty() && places.iter().all(is_ours) {
        true => WRONG_DATA,
        false => REJECTED,
    };
    let findings = issues.iter().zip(&places);
    TaxReason {
        code: Some(code.to_owned()),
        message: description.trim().to_owned(),
        findings: findings.map(|(issue, place)| line(issue, place.as_ref())).collect(),
    }
}

/// An issue in one line: `BV /path text [BT-48 (the VAT number of the buyer): …]`.
fn line(issue: &TaxIssue<'_>, place: Option<&ReportPlace>) -> String {
    let parts: Vec<&str> = [issue.reason, issue.place, issue.text].into_iter().flatten().collect();
    let said = parts.join(" ");
    let Some(place) = place else { return said };
    let who = match place.who {
        WhoCanFix::Issuer => "who issued the invoice can change it",
        WhoCanFix::Provider => "the operator of this service can change it",
    };
    match place.words(Language::En).as_str() {
        "" => format!("{said} [{who}]"),
        words => format!("{said} [{words}: {who}]"),
    }
}

/// What a finding of a rejected report is about, in a language; `None` where it names no place of
/// the report.
pub fn place_of(regime: &str, finding: &str, language: Language) -> Option<RejectedPlace> {
    let regime = Regime::named(regime)?;
    let mut words = finding.split_whitespace();
    let (_, place) = (words.next()?, words.next()?);
    let place = of_place(regime, place)?;
    let fixer = match place.who {
        WhoCanFix::Issuer => Fixer::Sender,
        WhoCanFix::Provider => Fixer::Us,
    };
    let words = place.words(language);
    Some(RejectedPlace { terms: place.terms, line: place.line, words, fixer })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUYER: &str = "/TaxData/ReportedTransaction/ReportedDocument/AccountingCustomerParty/Party\
                         /PartyTaxScheme/CompanyID";

    fn issue(place: &'static str) -> TaxIssue<'static> {
        TaxIssue { reason: Some("BV"), place: Some(place), text: Some("is unknown") }
    }

    #[test]
    fn a_rejection_names_the_terms_and_who_can_change_them() {
        let why = rejection(Some("vida-1.1"), " No. ", &[issue(BUYER), issue("NA")]);
        assert_eq!((why.code.as_deref(), why.message.as_str()), (Some(REJECTED), "No."));
        assert!(why.findings[0].starts_with(&format!("BV {BUYER} is unknown [BT-48 (")), "{why:?}");
        assert!(why.findings[0].ends_with("who issued the invoice can change it]"), "{why:?}");
        assert_eq!(why.findings[1], "BV NA is unknown");
        let place = place_of("vida-1.1", &why.findings[0], Language::Nl).unwrap();
        assert_eq!(
            (place.terms.as_slice(), place.fixer),
            (&["BT-48".to_owned()][..], Fixer::Sender)
        );
        assert!(place.words.contains("BT-48 (btw"), "{place:?}");
        assert_eq!(place_of("vida-1.1", &why.findings[1], Language::En), None);
    }

    #[test]
    fn what_is_beside_the_invoice_is_ours() {
        let ours = issue("/TaxData/ReceivingParty/EndpointID");
        let why = rejection(Some("sk-1.0"), "", &[ours]);
        assert_eq!(why.code.as_deref(), Some(WRONG_DATA));
        assert!(why.findings[0].contains("TDT-014"), "{why:?}");
        // One that the issuer can change is enough, and so is one of which nothing is known.
        for other in [issue(BUYER), issue("NA")] {
            let why = rejection(Some("sk-1.0"), "", &[ours, other]);
            assert_eq!(why.code.as_deref(), Some(REJECTED));
        }
        assert_eq!(rejection(None, "", &[ours]).code.as_deref(), Some(REJECTED));
        assert_eq!(rejection(Some("sk-1.0"), "", &[]).code.as_deref(), Some(REJECTED));
    }
}
