//! What EN 16931 asks for of each group that a document may have many of, and the schemas of UBL
//! and CII with it: without it they refuse the document.

use quoin_model::en16931::{
    AllowanceCharge, Classification, DocumentReference, Field, Identifier, Invoice, Line,
    PaymentMeans, Quantity, TaxCategory, VatBreakdown,
};
use quoin_xml::tree::Element;

use crate::writing::TargetProfile;

/// Means of payment by a credit transfer (UNTDID 4461, BR-61).
const TRANSFERS: [&str; 2] = ["30", "58"];

/// Categories of which the breakdown says why there is no VAT.
const EXPLAINED: [&str; 5] = ["E", "AE", "K", "G", "O"];

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
        "BT-59",
        |own| own.payee.iter().find(|one| !one.name.is_filled()).map(|one| one.element),
        "the payee must have a name (BR-17)",
    ),
    of_document(
        "BT-81",
        |own| own.payment.means.iter().find(|one| is_unnamed(one)).map(|one| one.element),
        "how to pay must be said by a code, which the schema asks for too (BR-49)",
    ),
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
        "BT-97",
        |own| adjustment(own.allowances(), has_reason),
        "each allowance must have its reason, in words or as a code (BT-98) (BR-33, BR-CO-21)",
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
        "BT-104",
        |own| adjustment(own.charges(), has_reason),
        "each charge must have its reason, in words or as a code (BT-105) (BR-38, BR-CO-22)",
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
    of_document(
        "BT-119",
        |own| {
            breakdown(own, |one| one.category.iter().any(|own| own.rate.is_filled() || own.is("O")))
        },
        "each part of the breakdown of VAT must have its rate, unless it is not subject to VAT \
         (BR-48)",
    ),
    of_document(
        "BT-120",
        |own| breakdown(own, |one| one.category.iter().all(is_explained)),
        "each part of the breakdown without VAT must say why, in words or as a code (BT-121) \
         (BR-E-10, BR-AE-10, BR-IC-10, BR-G-10, BR-O-10)",
    ),
    of_document(
        "BT-122",
        |own| without_id(&own.references.supporting_documents),
        "each supporting document must have its reference (BR-52)",
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
        "BT-130",
        |own| line(own, |one| one.quantity.iter().any(is_measured)),
        "each quantity must have its unit (BR-23)",
    ),
    of_line(
        "BT-131",
        |own| line(own, |one| one.net_amount.is_filled()),
        "each line must have its net amount, which the schema asks for too (BR-24)",
    ),
    of_line(
        "BT-136",
        |own| of_lines(own, false, |one| one.amount.is_filled()),
        "each allowance of a line must have its amount, which the schema asks for too (BR-41)",
    ),
    of_line(
        "BT-139",
        |own| of_lines(own, false, has_reason),
        "each allowance of a line must have its reason, in words or as a code (BT-140) (BR-42, \
         BR-CO-23)",
    ),
    of_line(
        "BT-141",
        |own| of_lines(own, true, |one| one.amount.is_filled()),
        "each charge of a line must have its amount, which the schema asks for too (BR-43)",
    ),
    of_line(
        "BT-144",
        |own| of_lines(own, true, has_reason),
        "each charge of a line must have its reason, in words or as a code (BT-145) (BR-44, \
         BR-CO-24)",
    ),
    of_line(
        "BT-146",
        |own| line(own, |one| one.price.iter().any(|price| price.net.is_filled())),
        "each line must have the net price of its item (BR-26)",
    ),
    of_line(
        "BT-151",
        |own| line(own, |one| has_code(&one.tax_category)),
        "each line must have a category of VAT (BR-CO-04)",
    ),
    of_line(
        "BT-152",
        |own| line(own, |one| has_rate(&one.tax_category)),
        "each line must have its rate of VAT, unless it is not subject to VAT (BR-S-05, BR-Z-05, \
         BR-E-05, BR-AE-05, BR-IC-05, BR-G-05, BR-AF-05, BR-AG-05)",
    ),
    of_line(
        "BT-153",
        |own| line(own, |one| one.item.iter().any(|item| item.name.is_filled())),
        "each line must have the name of its item (BR-25)",
    ),
    of_line(
        "BT-157",
        |own| line(own, |one| one.item.iter().flat_map(|item| &item.standard_id).all(is_schemed)),
        "the standard identifier of an item must have its scheme (BR-64)",
    ),
    of_line(
        "BT-158",
        |own| {
            line(own, |one| one.item.iter().flat_map(|item| &item.classifications).all(is_of_list))
        },
        "the class of an item must have its scheme (BR-65)",
    ),
];

fn line<'d>(invoice: &Invoice<'d>, has: fn(&Line<'_>) -> bool) -> Option<Element<'d>> {
    invoice.lines.iter().find(|one| !has(one)).map(|one| one.element)
}

/// The first allowance or charge of a line that has not what is asked for.
fn of_lines<'d>(
    invoice: &Invoice<'d>,
    is_charge: bool,
    has: fn(&AllowanceCharge<'_>) -> bool,
) -> Option<Element<'d>> {
    let all = invoice.lines.iter().flat_map(|line| &line.allowance_charges);
    adjustment(all.filter(|one| one.is_charge() == is_charge), has)
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

/// The first reference that says something and no number.
fn without_id<'d>(all: &[DocumentReference<'d>]) -> Option<Element<'d>> {
    all.iter().find(|one| !one.id.is_filled()).map(|one| one.element)
}

fn has_reason(one: &AllowanceCharge<'_>) -> bool {
    one.reason.is_filled() || one.reason_code.is_filled()
}

/// Whether there is no category, or it has its rate, which one outside the scope of VAT has not.
fn has_rate(category: &Field<TaxCategory<'_>>) -> bool {
    category.iter().all(|one| one.rate.is_filled() || !one.code.is_filled() || one.is("O"))
}

fn is_explained(category: &TaxCategory<'_>) -> bool {
    let is_said = category.exemption_reason.is_filled();
    let is_coded = category.exemption_reason_code.is_filled();
    !EXPLAINED.iter().any(|code| category.is(code)) || is_said || is_coded
}

fn is_measured(quantity: &Quantity<'_>) -> bool {
    quantity.unit().is_some_and(|unit| !unit.is_blank())
}

/// Whether a way to pay says where to or by what, and not how. A reference alone is none.
fn is_unnamed(means: &PaymentMeans<'_>) -> bool {
    let has_account = means.credit_transfers.is_present() || means.direct_debit.is_present();
    let is_said = has_account || means.card.is_present() || means.text.is_filled();
    is_said && !means.code.is_filled()
}

fn is_schemed(id: &Identifier<'_>) -> bool {
    id.is_blank() || id.scheme().is_some_and(|scheme| !scheme.is_blank())
}

fn is_of_list(class: &Classification<'_>) -> bool {
    let mut codes = class.code.iter().filter(|code| !code.is_blank());
    codes.all(|code| code.list().is_some_and(|list| !list.is_blank()))
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
