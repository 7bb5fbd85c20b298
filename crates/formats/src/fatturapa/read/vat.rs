//! VAT: the summary (2.2.2, BG-23), and category and rate wherever they stand.

use std::borrow::Cow;

use quoin_model::en16931::{
    Derivation, Invoice, Percentage, TaxCategory, ValueSource, VatBreakdown, VatCategoryCode,
};
use quoin_xml::tree::Element;

use super::super::codes::{CATEGORIES, EXEMPTIONS, PAYABILITY, SPLIT_PAYMENT};
use super::body::BodyState;
use super::name;
use crate::reading::{Pass, implied, lookup, mapped};

/// `AliquotaIVA` and `Natura`, which are one category.
#[derive(Default)]
pub(super) struct CategoryParts<'d> {
    rates: Vec<Percentage<'d>>,
    natures: Vec<VatCategoryCode<'d>>,
}

impl<'d> CategoryParts<'d> {
    /// Reads `AliquotaIVA`.
    pub(super) fn rate(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
        self.rates.push(pass.value(element));
    }

    /// Reads `Natura`.
    pub(super) fn nature(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
        self.natures.push(pass.value(element));
    }

    /// The rate as written.
    pub(super) fn rate_text(&self) -> Option<Cow<'d, str>> {
        self.rates.first().map(|rate| rate.trimmed())
    }

    /// The category: by `Natura`, else `S`, or `B` where the buyer pays the VAT. A rate of nought
    /// without `Natura` is no category (SdI check 00400).
    pub(super) fn category(&self, element: Element<'d>, split: bool) -> Option<TaxCategory<'d>> {
        if self.rates.is_empty() && self.natures.is_empty() {
            return None;
        }
        let mut category = TaxCategory::new(element);
        category.code.extend(self.natures.iter().map(|one| mapped(**one, CATEGORIES)));
        if let (Some(rate), true) = (self.rates.first(), self.natures.is_empty()) {
            let taxed = rate.value().is_some_and(|rate| !rate.is_zero());
            let code = if split { "B" } else { "S" };
            category.code.extend(taxed.then(|| implied(rate.element(), code)));
        }
        category.rate.extend(self.rates.iter().copied());
        category.scheme.push(implied(element, "VAT"));
        Some(category)
    }

    /// BT-121, where `Natura` says it.
    fn exemption(&self) -> impl Iterator<Item = ValueSource<'d>> {
        let code = |nature: &VatCategoryCode<'d>| {
            let code = lookup(EXEMPTIONS, &nature.trimmed())?;
            Some(nature.saying(Derivation::Mapped, code))
        };
        self.natures.iter().filter_map(code)
    }
}

/// Reads `DatiRiepilogo` (2.2.2).
pub(super) fn read<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    state: &mut BodyState<'d>,
    element: Element<'d>,
) {
    let (mut own, mut parts) = (VatBreakdown::new(element), CategoryParts::default());
    let mut reasons = Vec::new();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "AliquotaIVA" => parts.rate(pass, child),
            "Natura" => parts.nature(pass, child),
            "SpeseAccessorie" => pass.take(&mut own.accessory, child),
            "Arrotondamento" => pass.take(&mut own.rounding, child),
            "ImponibileImporto" => pass.take(&mut own.taxable_amount, child),
            "Imposta" => pass.take(&mut own.tax_amount, child),
            "EsigibilitaIVA" => pass.take(&mut own.payability, child),
            "RiferimentoNormativo" => reasons.push(pass.value(child)),
            _ => pass.unread(child),
        }
    }
    let split = own.payability.is(SPLIT_PAYMENT);
    if split {
        state.split_vat.add(&own.tax_amount);
    }
    for payability in &own.payability {
        if lookup(PAYABILITY, &payability.trimmed()).is_some() {
            own.point_date_code.push(mapped(**payability, PAYABILITY));
        }
    }
    invoice.tax_point_date_code.extend(own.point_date_code.iter().copied());
    let mut category = parts.category(element, split);
    if category.is_none() && !reasons.is_empty() {
        category = Some(TaxCategory::new(element));
    }
    if let Some(category) = &mut category {
        category.exemption_reason.extend(reasons);
        category.exemption_reason_code.extend(parts.exemption().map(Into::into));
    }
    own.category.extend(category);
    invoice.vat_breakdown.push(own);
}
