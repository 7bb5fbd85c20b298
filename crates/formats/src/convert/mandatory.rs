//! Terms that a specification asks for and that the source has not: the target says that it follows
//! the specification, and does not. What each specification asks for is in [`terms`].

mod terms;

use quoin_model::en16931::Invoice;
use quoin_xml::tree::Element;

use super::{ConversionRequest, ConversionTarget};
use crate::profiles::Profile;
use crate::writing::{Loss, LossKind};
use terms::{BESIDE, EVERY, SPECIFICATIONS, TermGroup};

/// A row for each term that the specification which is asked for must have and the source has not.
/// What was found lost is known.
pub(super) fn missing(
    invoice: &Invoice<'_>,
    request: &ConversionRequest<'_>,
    losses: &[Loss],
) -> Vec<Loss> {
    let profile = request.specification.and_then(Profile::of);
    let packages = profile.map(|profile| profile.packages).unwrap_or_default();
    let is_of = |name: &&str| packages.iter().any(|package| package.starts_with(name));
    let row = SPECIFICATIONS.iter().find(|(name, _)| is_of(name));
    let of_specification = row.map(|(_, terms)| *terms).unwrap_or_default();
    let is_json = invoice.syntax() == quoin_model::en16931::InvoiceSyntax::Json;
    let follows = |id: &str| match id {
        "BT-23" => request.process.is_some(),
        "BT-34" | "BT-49" => request.ends_follow,
        _ => false,
    };
    let of_every = if is_json { EVERY } else { &[] };
    let is_lost = |one: &Loss| one.kind == LossKind::Lost && one.term == Some("BT-6");
    let is_standard = [ConversionTarget::UBL, ConversionTarget::CII].contains(&request.target);
    let is_other = invoice.syntax() != request.target.0;
    let has_currency = is_standard && is_other && !losses.iter().any(is_lost);
    let beside = if has_currency { BESIDE } else { &[] };
    let terms = of_every.iter().chain(of_specification).chain(beside);
    let missing = terms.filter(|one| one.is_missing(invoice) && !follows(one.id));
    missing
        .map(|one| {
            let path = place(invoice, one.place).path();
            Loss {
                source_path: if is_json { crate::json::of_path(&path) } else { path },
                term: Some(one.id),
                value: String::new(),
                kind: LossKind::Missing,
                target_path: None,
                reason: one.reason,
            }
        })
        .collect()
}

/// The group that a term would stand in, or what it would stand in.
fn place<'d>(invoice: &Invoice<'d>, place: TermGroup) -> Element<'d> {
    let group = match place {
        TermGroup::Document => None,
        TermGroup::Seller => invoice.seller.first().map(|party| party.element),
        TermGroup::Buyer => invoice.buyer.first().map(|party| party.element),
        TermGroup::Delivery => invoice.delivery.first().map(|delivery| delivery.element),
    };
    group.unwrap_or(invoice.element)
}
