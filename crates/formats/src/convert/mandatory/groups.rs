//! What EN 16931 asks for of each group that a document may have many of, and the schemas of UBL
//! and CII with it: without it they refuse the document.

use quoin_model::en16931::{AllowanceCharge, Field, Invoice, Line, TaxCategory, VatBreakdown};
use quoin_xml::tree::Element;

use crate::writing::TargetProfile;

/// Means of payment by a credit transfer (UNTDID 4461, BR-61).
const TRANSFERS: [&str; 2] = ["30", "58"];

/// A term that each group of a kind must have.
pub(super) struct GroupTerm {
    /// Its identifier in EN 16931.
    pub(super) id: &'static str,
    /// Whether the groups are lines, or are in lines: what a profile may have none of, as it may
    /// have none of the others.
    is_of_lines: bool,
    /// The first group without it: finding the path of each would cost as much as it has siblings.
    lacking: for<'d> fn(&Invoice<'d>) -> Option<Element<'d>>,
    /// Who asks for it.
    pub(super) reason: &'static str,
}

impl GroupTerm {
    /// The first group that lacks it, where the profile has such groups.
    pub(super) fn first<'d>(
        &self,
        invoice: &Invoice<'d>,
        profile: Option<&TargetProfile>,
    ) -> Option<Element<'d>> {
        let has_groups = profile.is_none_or(|profile| match self.is_of_lines {
            true => profile.has_lines,
            false => profile.has_breakdown,
        });
        has_groups.then(|| (self.lacking)(invoice)).flatten()
    }
}

const fn of_line(
    id: &'static str,
    lacking: for<'d> fn(&Invoice<'d>) -> Option<Element<'d>>,
    reason: &'static str,
) -> GroupTerm {
    GroupTerm { is_of_lines: true, ..of_document(id, lacking, reason) }
}

const fn of_document(
    id: &'static str,
    lacking: for<'d> fn(&Invoice<'d>) -> Option<Element<'d>>,
    reason: &'static str,
) -> GroupTerm {
    GroupTerm { id, is_of_lines: false, lacking, reason }
}

/// In the order of the terms. The rules are those of EN 16931.
pub(super) const GROUPS: &[GroupTerm] = &[
    of_document(
        "BT-84",
        transfer_without_account,
        "a credit transfer must name the account to pay to (BR-61)",
    ),
    of_document(
        "BT-92",
        |own| adjustment(own.allowances(), |one| one.amount.is_filled()),
        "each allowance must have its amount, which the schema asks for too (BR-31)",
    ),
    of_document(
        "BT-95",
        |own| adjustment(own.allowances(), |one| has_code(&one.tax_category)),
        "each allowance must have a category of VAT (BR-32)",
    ),
    of_document(
        "BT-99",
        |own| adjustment(own.charges(), |one| one.amount.is_filled()),
        "each charge must have its amount, which the schema asks for too (BR-36)",
    ),
    of_document(
        "BT-102",
        |own| adjustment(own.charges(), |one| has_code(&one.tax_category)),
        "each charge must have a category of VAT (BR-37)",
    ),
    of_document(
        "BT-116",
        |own| breakdown(own, |one| one.taxable_amount.is_filled()),
        "each part of the breakdown of VAT must have its taxable amount (BR-45)",
    ),
    of_document(
        "BT-117",
        |own| breakdown(own, |one| one.tax_amount.is_filled()),
        "each part of the breakdown of VAT must have its tax, as the schema asks for too (BR-46)",
    ),
    of_document(
        "BT-118",
        |own| breakdown(own, |one| has_code(&one.category)),
        "each part of the breakdown of VAT must have its category (BR-47)",
    ),
    of_line(
        "BT-126",
        |own| line(own, |one| one.id.is_filled()),
        "each line must have its number, which the schema asks for too (BR-21)",
    ),
    of_line(
        "BT-129",
        |own| line(own, |one| one.quantity.is_filled()),
        "each line must have its quantity (BR-22)",
    ),
    of_line(
        "BT-131",
        |own| line(own, |one| one.net_amount.is_filled()),
        "each line must have its net amount, which the schema asks for too (BR-24)",
    ),
    of_line(
        "BT-136",
        |own| of_lines(own, false),
        "each allowance of a line must have its amount, which the schema asks for too (BR-41)",
    ),
    of_line(
        "BT-141",
        |own| of_lines(own, true),
        "each charge of a line must have its amount, which the schema asks for too (BR-43)",
    ),
    of_line(
        "BT-146",
        |own| line(own, |one| one.price.iter().any(|price| price.net.is_filled())),
        "each line must have the net price of its item (BR-26)",
    ),
    of_line(
        "BT-151",
        |own| line(own, |one| has_code(&one.tax_category)),
        "each line must have a category of VAT (BR-CO-4)",
    ),
    of_line(
        "BT-153",
        |own| line(own, |one| one.item.iter().any(|item| item.name.is_filled())),
        "each line must have the name of its item (BR-25)",
    ),
];

fn line<'d>(invoice: &Invoice<'d>, has: fn(&Line<'_>) -> bool) -> Option<Element<'d>> {
    invoice.lines.iter().find(|one| !has(one)).map(|one| one.element)
}

/// The first allowance or charge of a line that has no amount.
fn of_lines<'d>(invoice: &Invoice<'d>, is_charge: bool) -> Option<Element<'d>> {
    let mut all = invoice.lines.iter().flat_map(|line| &line.allowance_charges);
    all.find(|one| one.is_charge() == is_charge && !one.amount.is_filled()).map(|one| one.element)
}

fn adjustment<'i, 'd: 'i>(
    mut all: impl Iterator<Item = &'i AllowanceCharge<'d>>,
    has: fn(&AllowanceCharge<'_>) -> bool,
) -> Option<Element<'d>> {
    all.find(|one| !has(one)).map(|one| one.element)
}

fn breakdown<'d>(invoice: &Invoice<'d>, has: fn(&VatBreakdown<'_>) -> bool) -> Option<Element<'d>> {
    invoice.breakdown_in_document_currency().find(|one| !has(one)).map(|one| one.element)
}

fn has_code(category: &Field<TaxCategory<'_>>) -> bool {
    category.iter().any(|one| one.code.is_filled())
}

fn transfer_without_account<'d>(invoice: &Invoice<'d>) -> Option<Element<'d>> {
    let mut all = invoice.payment.means.iter();
    let lacks = all.find(|means| {
        let has_account = means.credit_transfers.iter().any(|one| one.account.is_filled());
        TRANSFERS.iter().any(|code| means.code.is(code)) && !has_account
    });
    lacks.map(|means| means.element)
}
