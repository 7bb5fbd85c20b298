//! Terms that a specification asks for and that the source has not: the target says that it follows
//! the specification, and does not. What EN 16931 asks for, and the schemas of UBL and CII with it,
//! is in [`standard`], and of lines and other groups in [`groups`]; what other specifications ask
//! for beyond it is in [`terms`], of the payment in [`payment`], and of shares in [`shares`].

mod groups;
mod payment;
mod shares;
mod standard;
mod terms;

use quoin_model::en16931::Invoice;
use quoin_xml::tree::Element;

use super::{ConversionProfile, ConversionRequest, ConversionTarget};
use crate::profiles::Profile;
use crate::reading::Reading;
use crate::syntax::Syntax;
use crate::writing::{Loss, LossKind};
use groups::GROUPS;
use standard::{BESIDE, EVERY, STANDARD, WHOLE};
use terms::{SPECIFICATIONS, TermGroup};

/// A row for each term that the specification which is asked for must have and the source has not.
/// What was found lost is known.
pub(super) fn missing(
    reading: &Reading<'_>,
    request: &ConversionRequest<'_>,
    losses: &[Loss],
) -> Vec<Loss> {
    let invoice = &reading.invoice;
    let profile = request.specification.and_then(Profile::of);
    let packages = profile.map(|profile| profile.packages).unwrap_or_default();
    let is_of = |name: &&str| packages.iter().any(|package| package.starts_with(name));
    let row = SPECIFICATIONS.iter().find(|(name, _)| is_of(name));
    let of_specification = row.iter().flat_map(|(_, lists)| lists.iter().copied().flatten());
    let is_json = reading.syntax == Syntax::InvoiceJson;
    let follows = |id: &str| match id {
        "BT-23" => request.process.is_some(),
        "BT-34" | "BT-49" => request.ends_follow,
        _ => false,
    };
    let is_lost = |one: &Loss| one.kind == LossKind::Lost && one.term == Some("BT-6");
    let is_standard = [ConversionTarget::UBL, ConversionTarget::CII].contains(&request.target);
    let is_other = !request.target.writes(reading.syntax);
    let has_currency = is_standard && is_other && !losses.iter().any(is_lost);
    let beside = if has_currency { BESIDE } else { &[] };
    // What is copied says no more and no less than it did.
    let is_written = is_standard && (is_other || request.profile.is_some());
    let of_every = if is_json || is_written { EVERY } else { &[] };
    let of_standard = if is_written { STANDARD } else { &[] };
    let is_made =
        |id: &str| losses.iter().any(|one| one.kind == LossKind::Derived && one.term == Some(id));
    let is_whole = request.profile.is_none_or(|profile| profile.row().has_breakdown);
    let of_whole = if is_written && is_whole { WHOLE } else { &[] };
    let terms = of_every.iter().chain(of_standard).chain(of_whole);
    let terms = terms.chain(of_specification).chain(beside);
    let missing = terms.filter(|one| one.is_of(request.target));
    let missing = missing.filter(|one| one.is_missing(invoice) && !follows(one.id));
    let missing = missing.filter(|one| !is_made(one.id));
    let of_document = missing.map(|one| (place(invoice, one.place), one.id, one.reason));
    let target = request.profile.map(ConversionProfile::row);
    let groups = if is_written { GROUPS } else { &[] };
    let of_groups = groups.iter().filter_map(|one| {
        let place = one.first(invoice, target)?;
        Some((place, one.id, one.reason))
    });
    let of_one = |(place, id, reason): (Element<'_>, _, _)| {
        let path = place.path();
        Loss {
            source_path: if is_json { crate::json::of_path(&path) } else { path },
            term: Some(id),
            value: String::new(),
            kind: LossKind::Missing,
            target_path: None,
            reason,
        }
    };
    of_document.chain(of_groups).map(of_one).collect()
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
