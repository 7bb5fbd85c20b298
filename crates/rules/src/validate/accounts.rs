//! Accounts to pay to: the check digits of an IBAN. A finding of our own: no rule of EN 16931 or
//! Peppol asks for them, and a payment to such an account comes back.
//!
//! Source: ISO 13616-1, with the check digits of ISO/IEC 7064 (MOD 97-10).

use crate::own;
use crate::validate::Sink;
use quoin_formats::ubl::{CAC, CBC};
use quoin_formats::{CII_AGGREGATES, CROSS_INDUSTRY_INVOICE};
use quoin_model::text::SPACE;
use quoin_xml::tree::Element;

/// Characters of an IBAN without spaces.
const LENGTHS: std::ops::RangeInclusive<usize> = 15..=34;

/// Where they stand, by names from the document element down.
const UBL: &[ElementName] = &[(CAC, "PaymentMeans"), (CAC, "PayeeFinancialAccount"), (CBC, "ID")];
const CII_ACCOUNTS: &[ElementName] = &[
    (CROSS_INDUSTRY_INVOICE, "SupplyChainTradeTransaction"),
    (CII_AGGREGATES, "ApplicableHeaderTradeSettlement"),
    (CII_AGGREGATES, "SpecifiedTradeSettlementPaymentMeans"),
    (CII_AGGREGATES, "PayeePartyCreditorFinancialAccount"),
];
const CII_IDS: [ElementName; 2] = [(CII_AGGREGATES, "IBANID"), (CII_AGGREGATES, "ProprietaryID")];

/// A namespace and a local name.
type ElementName = (&'static str, &'static str);

/// Checks the accounts of the payee.
pub(crate) fn check<'d>(root: Element<'d>, sink: &mut Sink<'d>) {
    let ids = match super::is_cii(root) {
        true => {
            let accounts = at(vec![root], CII_ACCOUNTS);
            CII_IDS.iter().flat_map(|id| at(accounts.clone(), &[*id])).collect()
        }
        false => at(vec![root], UBL),
    };
    for id in ids {
        let text = quoin_model::text::trimmed(id);
        let Some(right) = wrong_digits(&text) else { continue };
        let row = &own::CHECKSUM_IBAN;
        let message = format!(
            "The account {text} has the form of an IBAN with wrong check digits: expected \
             {right:02} behind the country. {}",
            row.remedy
        );
        sink.own(row, Some(id), Some(&text), || message);
    }
}

fn at<'d>(from: Vec<Element<'d>>, path: &[ElementName]) -> Vec<Element<'d>> {
    path.iter().fold(from, |all, (namespace, local)| {
        all.into_iter().flat_map(|own| own.children_named(namespace, local)).collect()
    })
}

/// The check digits that an IBAN should have, where it has others; `None` of what is no IBAN.
fn wrong_digits(text: &str) -> Option<u32> {
    let plain: String = text.chars().filter(|letter| !SPACE.contains(letter)).collect();
    let (country, rest) = plain.split_at_checked(2)?;
    let (digits, account) = rest.split_at_checked(2)?;
    let is_iban = LENGTHS.contains(&plain.len())
        && country.bytes().all(|byte| byte.is_ascii_uppercase())
        && account.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let digits: u32 = digits.parse().ok().filter(|_| is_iban)?;
    let signs = account.chars().chain(country.chars()).chain("00".chars());
    let remainder = signs.filter_map(|sign| sign.to_digit(36)).fold(0, |sum, value| {
        let shift = if value < 10 { 10 } else { 100 };
        (sum * shift + value) % 97
    });
    let right = 98 - remainder;
    (right != digits).then_some(right)
}

#[test]
fn check_digits_are_computed() {
    for right in ["NL91ABNA0417164300", "GB82 WEST 1234 5698 7654 32", "BE68539007547034"] {
        assert_eq!(wrong_digits(right), None, "{right}");
    }
    assert_eq!(wrong_digits("NL92ABNA0417164300"), Some(91));
    assert_eq!(wrong_digits("NL91ABNA0417164301"), Some(64));
    for other in ["123456789012345", "NL91", "NLAAABNA0417164300", "nl92abna0417164300", ""] {
        assert_eq!(wrong_digits(other), None, "{other}");
    }
}
