//! What the place in the target says by itself: a word of the source that says just that is told by
//! it. Any other word there has a fate of its own, and is lost where nobody gives it one.

use quoin_model::en16931::{
    AttributeName, DocumentReference, Identifier, Quantity, TaxRegistration,
};

use super::{LeafLedger, LossKind};

/// Codes of UNTDID 1001 that say what the place of a reference says.
pub(crate) mod documents {
    /// A commercial invoice, where the place is that of a preceding invoice (BT-25).
    pub(crate) const INVOICE: &str = "380";
    /// An order (BT-13).
    pub(crate) const ORDER: &str = "220";
    /// The answer to an order.
    pub(crate) const ORDER_RESPONSE: &str = "231";
    /// A contract (BT-12).
    pub(crate) const CONTRACT: &str = "315";
    /// A despatch advice (BT-16).
    pub(crate) const DESPATCH: &str = "351";
    /// A receipt of goods (BT-15).
    pub(crate) const RECEIPT: &str = "632";
    /// A tender or lot (BT-17), and a project (BT-11) in a credit note of UBL.
    pub(crate) const TENDER: &str = "50";
    /// An invoiced object (BT-18, BT-128).
    pub(crate) const OBJECT: &str = "130";
    /// A supporting document (BG-24).
    pub(crate) const SUPPORTING: &str = "916";
}

/// What a tax other than VAT becomes where the target does not say which it is.
const OTHER_TAX: &str = "the target does not say for which tax other than VAT it is";

impl<'d> LeafLedger<'d> {
    /// The type code of a document to which a place refers that is of documents of one type.
    pub(crate) fn implied_document(&mut self, one: &DocumentReference<'d>, code: &str) {
        for own in one.type_code.iter().filter(|own| own.is(code)) {
            self.regenerate(**own);
        }
    }

    /// The words by which the source says that an identifier is for VAT, where the place in the
    /// target is that of such: `VAT` in UBL, `VA` in CII. Any other scheme of the identifier is
    /// none of them.
    pub(crate) fn implied_vat(&mut self, one: &TaxRegistration<'d>, id: Identifier<'d>) {
        for own in one.scheme.iter().filter(|own| is_vat(&own.trimmed())) {
            self.carry(**own);
        }
        if let Some(scheme) = id.scheme().filter(|own| is_vat(&own.trimmed())) {
            self.carry(scheme);
        }
    }

    /// The words by which the source says that a registration is for another tax (BT-32): `TAX` in
    /// UBL, `FC` in CII. That it is one for a certain tax is not in the target at `path`.
    pub(crate) fn implied_tax(
        &mut self,
        one: &TaxRegistration<'d>,
        id: Identifier<'d>,
        path: impl Fn() -> String,
    ) {
        let is_usual = |text: &str| ["TAX", "FC"].iter().any(|own| text.eq_ignore_ascii_case(own));
        // In UBL the scheme of the identifier does not say for which tax it is.
        let of_id = id.scheme().filter(|own| one.scheme.is_absent() || is_usual(&own.trimmed()));
        for scheme in one.scheme.iter().map(|own| **own).chain(of_id) {
            match is_usual(&scheme.trimmed()) {
                true => self.carry(scheme),
                false => {
                    self.list_as(Some("BT-32"), scheme, LossKind::Changed, Some(path()), OTHER_TAX);
                }
            }
        }
    }

    /// The list of the unit of a quantity, where the target has units of UN/ECE Recommendations 20
    /// and 21 as well.
    pub(crate) fn implied_unit_list(&mut self, quantity: Quantity<'d>) {
        let list = quantity.attribute(AttributeName::UnitCodeListId);
        if let Some(list) = list.filter(|list| is_unece_units(&list.trimmed())) {
            self.regenerate(list);
        }
    }
}

fn is_vat(text: &str) -> bool {
    ["VAT", "VA"].iter().any(|own| text.eq_ignore_ascii_case(own))
}

/// Whether a list is that of Recommendation 20 or 21, in any edition: `UNECERec20`,
/// `UN/ECE rec 20`, `66411` (the data element of UN/EDIFACT).
fn is_unece_units(list: &str) -> bool {
    let words: String = list.chars().filter(char::is_ascii_alphanumeric).collect();
    let words = words.to_ascii_lowercase();
    let edition = ["unecerec20", "unecerec21", "unecerecommendation20", "unecerecommendation21"]
        .iter()
        .find_map(|known| words.strip_prefix(known));
    words == "66411" || edition.is_some_and(|edition| edition.len() <= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_units_are_told_by_their_names() {
        for list in ["UNECERec20", "UN/ECE rec 20", "UNECERec20-11e", "UNECERec21", "66411"] {
            assert!(is_unece_units(list), "{list}");
        }
        for list in ["", "ZLIST", "UNECERec5", "UNECERec20Extended", "ISO4217"] {
            assert!(!is_unece_units(list), "{list}");
        }
    }
}
