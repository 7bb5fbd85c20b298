//! A line of an order, and of the answer to one.

use crate::amount::Decimal;
use crate::en16931::group::group;
use crate::en16931::{
    AllowanceCharge, Amount, Code, DocumentReference, Field, Identifier, Indicator,
    ItemInformation, Number, Party, Price, Quantity, TaxCategory, Text,
};

use super::{OrderDelivery, TransportInstruction};

group! {
    /// A line (`cac:OrderLine` with its `cac:LineItem`, `ItemOut`, `ConfirmationItem`).
    OrderedLine {
        /// tir01-120, tir76-120: the identifier.
        id: Field<Identifier<'d>>,
        /// tir01-123, tir76-204: notes.
        notes: Field<Text<'d>>,
        /// tir76-202: what becomes of the line (UNCL1229).
        status: Field<Code<'d>>,
        /// tir01-132, tir76-132: the quantity and its unit.
        quantity: Field<Quantity<'d>>,
        /// tir76-p005: what is delivered later.
        backorder: Field<Quantity<'d>>,
        /// tir01-128: the net amount.
        net_amount: Field<Amount<'d>>,
        /// tir01-124: whether it may be delivered in parts.
        partial: Field<Indicator<'d>>,
        /// tir01-125: the buyer's accounting string.
        accounting_reference: Field<Text<'d>>,
        /// tir01-126, tir01-127, tir76-126, tir76-127: when it is wanted or promised.
        delivery: Field<OrderDelivery<'d>>,
        /// tir01-121, tir01-122: for whom it is ordered.
        originator: Field<Party<'d>>,
        /// tir01-p014 to tir01-p019: allowances and charges, in document order.
        allowance_charges: Vec<AllowanceCharge<'d>>,
        /// tir01-130, tir01-131, tir76-130, tir76-131: the price.
        price: Field<Price<'d>>,
        /// tir01-133 to tir01-149, tir76-205 to tir76-207: the item.
        item: Field<ItemInformation<'d>>,
        /// tir01-150, tir01-170: category and rate of the tax.
        tax_category: Field<TaxCategory<'d>>,
        /// tir76-p002, tir76-134 to tir76-149: what is delivered instead.
        substitute: Field<SubstitutedItem<'d>>,
        /// tir76-201: the line of the order that is answered.
        order_line: Field<Identifier<'d>>,
        /// What only extensions have.
        extensions: Option<Box<OrderedLineExtensions<'d>>>,
    }
}

impl OrderedLine<'_> {
    /// The net amount: what the line says, else quantity times price; nought where it has no
    /// price. `None` where something of it is no number.
    pub fn net(&self) -> Option<Decimal> {
        if self.net_amount.is_filled() {
            return self.net_amount.value();
        }
        match self.price.first().is_some_and(|price| price.net.is_filled()) {
            true => self.priced(),
            false => Some(Decimal::ZERO),
        }
    }

    /// Quantity times price, with what is added and taken off, in cents (PEPPOL-T01-R024).
    pub fn priced(&self) -> Option<Decimal> {
        let base = self.price.first()?.base_quantity.value().filter(|base| !base.is_zero());
        self.priced_for(base.unwrap_or(Decimal::new(1, 0)))
    }

    /// The same at a price that is for so many.
    pub fn priced_for(&self, base: Decimal) -> Option<Decimal> {
        let price = self.price.first()?;
        let whole = self.quantity.value()?.checked_mul(price.net.value()?)?;
        let mut net = whole.checked_div(base)?;
        for one in &self.allowance_charges {
            let own = one.amount.value()?;
            net = if one.is_charge() { net.checked_add(own)? } else { net.checked_sub(own)? };
        }
        Some(net.round_to_cents())
    }
}

/// What a line has beyond the specification.
#[derive(Debug, Clone, Default)]
pub struct OrderedLineExtensions<'d> {
    /// DICO, cXML: the place of the line, where it is not its identifier.
    pub position: Field<Number<'d>>,
    /// DICO: by how much the planned quantity differs from what was ordered.
    pub difference: Field<Quantity<'d>>,
    /// DICO: deliveries of parts of the line; cXML: further states of parts of it.
    pub parts: Vec<PartialDelivery<'d>>,
    /// DICO: how the goods of the line are to be carried.
    pub instructions: Vec<TransportInstruction<'d>>,
    /// DICO: that the price is another one than agreed (`DifferentPriceAgreementIndicator`), and
    /// what the price is of. cXML: words about the line; the attribute says which.
    pub codes: Vec<Code<'d>>,
    /// DICO: the contract of the line.
    pub contract: Field<DocumentReference<'d>>,
    /// cXML: the tax of the line.
    pub tax: Field<Amount<'d>>,
    /// cXML: an auxiliary number of the item (`SupplierPartAuxiliaryID`).
    pub auxiliary_id: Field<Identifier<'d>>,
}

group! {
    /// A part of a line that is delivered on its own.
    PartialDelivery {
        /// How many.
        quantity: Field<Quantity<'d>>,
        /// What becomes of it (UNCL1229).
        status: Field<Code<'d>>,
        /// When.
        delivery: Field<OrderDelivery<'d>>,
        /// Notes.
        notes: Field<Text<'d>>,
    }
}

group! {
    /// What is delivered instead of what was ordered (`cac:SellerSubstitutedLineItem`).
    SubstitutedItem {
        /// tir76-p002: its identifier.
        id: Field<Identifier<'d>>,
        /// tir76-134 to tir76-149: the item.
        item: Field<ItemInformation<'d>>,
        /// tir76-150: category and rate of the tax.
        tax_category: Field<TaxCategory<'d>>,
    }
}
