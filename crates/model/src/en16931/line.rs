//! Lines (BG-25 to BG-30).

use super::group::group;
use super::{
    AllowanceCharge, Amount, Code, DeliveryInformation, DocumentReference, Field, Identifier,
    Indicator, ItemInformation, Period, Quantity, TaxCategory, Text, VatBreakdown,
};
use crate::amount::Decimal;

/// Where CII has the order of a line, and documents of Factur-X EXTENDED.
const AGREEMENT: &str = "SpecifiedLineTradeAgreement";

group! {
    /// BG-25: a line (`InvoiceLine`, `CreditNoteLine`, `IncludedSupplyChainTradeLineItem`).
    Line {
        /// BT-126: the identifier.
        id: Field<Identifier<'d>>,
        /// BT-127: the note.
        note: Field<Text<'d>>,
        /// BT-128: the invoiced object (type code 130) and its scheme; others are extensions.
        documents: Vec<DocumentReference<'d>>,
        /// BT-129: the quantity, and its unit (BT-130).
        quantity: Field<Quantity<'d>>,
        /// BT-131: the net amount.
        net_amount: Field<Amount<'d>>,
        /// BT-132: references to lines of the order.
        order_lines: Field<OrderLineReference<'d>>,
        /// BT-133: the buyer's accounting reference.
        accounting_reference: Field<Text<'d>>,
        /// BG-26: the period.
        period: Field<Period<'d>>,
        /// BG-27, BG-28: allowances and charges, in document order.
        allowance_charges: Vec<AllowanceCharge<'d>>,
        /// BG-29: the price.
        price: Field<Price<'d>>,
        /// BG-30: VAT category and rate (BT-151, BT-152).
        tax_category: Field<TaxCategory<'d>>,
        /// BG-31: the item.
        item: Field<ItemInformation<'d>>,
        /// What only extensions have.
        extensions: Option<Box<LineExtensions<'d>>>,
    }
}

impl<'d> Line<'d> {
    /// BG-27: the allowances.
    pub fn allowances(&self) -> impl Iterator<Item = &AllowanceCharge<'d>> {
        self.allowance_charges.iter().filter(|one| one.is_allowance())
    }

    /// BG-28: the charges.
    pub fn charges(&self) -> impl Iterator<Item = &AllowanceCharge<'d>> {
        self.allowance_charges.iter().filter(|one| one.is_charge())
    }

    /// BT-128: the invoiced objects: documents with type code 130. What CII has with the agreement
    /// of a line is another document, which Factur-X EXTENDED knows.
    pub fn invoiced_objects(&self) -> impl Iterator<Item = &DocumentReference<'d>> {
        self.documents.iter().filter(|document| {
            let parent = document.element.parent();
            let is_agreement = parent.is_some_and(|parent| parent.local() == AGREEMENT);
            document.type_code.is("130") && !is_agreement
        })
    }

    /// XRechnung extension: the sub-lines (BG-DEX-01).
    pub fn sub_lines(&self) -> &[Line<'d>] {
        self.extensions.as_deref().map_or(&[], |extensions| &extensions.sub_lines)
    }
}

group! {
    /// BT-132: a reference to a line of the order.
    OrderLineReference {
        /// BT-132: the line of the purchase order.
        line_id: Field<Identifier<'d>>,
        /// Extension (PINT): the line of the sales order.
        sales_line_id: Field<Identifier<'d>>,
        /// Extension (PINT ae, jp, om): the order itself.
        order: Vec<DocumentReference<'d>>,
    }
}

group! {
    /// BG-29: the price (`Price`, `SpecifiedLineTradeAgreement`).
    Price {
        /// BT-146: the net price.
        net: Field<Amount<'d>>,
        /// BT-147: the discount on the gross price.
        discount: Field<Amount<'d>>,
        /// BT-148: the gross price.
        gross: Field<Amount<'d>>,
        /// BT-149: to how many the price belongs, and the unit (BT-150). A reader of CII puts here
        /// what stands beside the gross price alone, where the line amount (BT-131) says that it is
        /// of the net price too.
        base_quantity: Field<Quantity<'d>>,
        /// The same beside the gross price, which CII has.
        gross_base_quantity: Field<Quantity<'d>>,
        /// The indicator of the discount: true makes a charge of it, which EN does not allow.
        discount_indicator: Field<Indicator<'d>>,
        /// What only extensions have.
        extensions: Option<Box<PriceExtension<'d>>>,
    }
}

impl<'d> Price<'d> {
    /// BT-149: to how many the price belongs. What stands beside the gross price (CII) is among it
    /// where the reader found that it is meant of both.
    pub fn base(&self) -> Option<Quantity<'d>> {
        self.base_quantity.get()
    }

    /// Whether the gross price is of another quantity than the net price: less its discount it is
    /// not the net price either.
    pub fn is_gross_of_other_quantity(&self) -> bool {
        let Some(gross) = self.gross_base_quantity.filled().and_then(Quantity::value) else {
            return false;
        };
        let one = Decimal::new(1, 0);
        let base = self.base_quantity.filled().map_or(Some(one), Quantity::value);
        let discount = self.discount.filled().map_or(Some(Decimal::new(0, 0)), Amount::value);
        let less = self.gross.value().zip(discount).and_then(|(own, less)| own.checked_sub(less));
        base != Some(gross) && less.is_none_or(|less| Some(less) != self.net.value())
    }
}

/// What a price has beyond EN 16931.
#[derive(Debug, Clone, Default)]
pub struct PriceExtension<'d> {
    /// Why the discount is given.
    pub reason: Field<Text<'d>>,
    /// Why the discount is given, as a code.
    pub reason_code: Field<Code<'d>>,
    /// The discount in percent.
    pub percentage: Field<super::Percentage<'d>>,
    /// What the percentage is of.
    pub base_amount: Field<Amount<'d>>,
    /// UBL: how the discount is taxed, which SI-UBL 1 writes.
    pub tax_category: Field<TaxCategory<'d>>,
    /// UBL: the tax on the discount.
    pub tax: Field<Amount<'d>>,
    /// UBL: from one unit to another (`OrderableUnitFactorRate`).
    pub unit_factor: Field<super::Number<'d>>,
    /// UBL: the kind of price.
    pub price_type: Field<Text<'d>>,
    /// Factur-X: tax that is included in the net price (`IncludedTradeTax`).
    pub included_taxes: Vec<VatBreakdown<'d>>,
    /// Factur-X: further allowances and charges on the gross price.
    pub adjustments: Vec<AllowanceCharge<'d>>,
}

/// What a line has beyond EN 16931.
#[derive(Debug, Clone, Default)]
pub struct LineExtensions<'d> {
    /// XRechnung extension: sub-lines (BG-DEX-01); Factur-X has them flat, by `parent`.
    pub sub_lines: Vec<Line<'d>>,
    /// Factur-X: the line this one belongs to (`ParentLineID`).
    pub parent: Field<Identifier<'d>>,
    /// Factur-X: the status of the line (`LineStatusCode`).
    pub status: Field<Code<'d>>,
    /// Factur-X: what the line is for (`LineStatusReasonCode`: `DETAIL`, `GROUP`, `INFORMATION`).
    pub status_reason: Field<Code<'d>>,
    /// UBL: the universally unique identifier.
    pub uuid: Field<Identifier<'d>>,
    /// UBL: the accounting reference as a code.
    pub accounting_code: Field<Code<'d>>,
    /// UBL: whether it is free of charge.
    pub free_of_charge: Field<Indicator<'d>>,
    /// UBL, Factur-X: when and where this line was delivered.
    pub deliveries: Vec<DeliveryInformation<'d>>,
    /// PINT: taxes of the line (`TaxTotal`).
    pub taxes: Vec<LineTax<'d>>,
    /// PINT: the line amount with tax (`ItemPriceExtension/Amount`).
    pub gross_amount: Field<Amount<'d>>,
    /// PINT ae, om: the tax in it (`ItemPriceExtension/TaxTotal/TaxAmount`).
    pub gross_tax: Field<Amount<'d>>,
    /// PINT jp, om: lines of despatch advices (BT-EXT).
    pub despatch_lines: Vec<DocumentReference<'d>>,
    /// Lines of receiving advices.
    pub receipt_lines: Vec<DocumentReference<'d>>,
    /// Lines of preceding invoices, and other documents.
    pub billing_references: Vec<DocumentReference<'d>>,
    /// UBL: when VAT falls due for this line.
    pub tax_point_date: Field<super::Date<'d>>,
    /// UBL: payment terms of the line.
    pub purpose: Field<Code<'d>>,
    /// Factur-X: quantities beside the billed one (free of charge, packages, requested).
    pub quantities: Vec<Quantity<'d>>,
    /// Factur-X: further totals of the line (tax, allowances, charges, grand total), in order.
    pub totals: Vec<Amount<'d>>,
    /// Factur-X: parties of the line in roles of their own (`ItemSellerTradeParty`, …).
    pub parties: Vec<super::Party<'d>>,
    /// Factur-X: when VAT falls due for this line, as a code.
    pub tax_point_date_code: Field<super::TaxPointDateCode<'d>>,
    /// Factur-X: subject codes of the note.
    pub note_codes: Vec<Code<'d>>,
    /// FatturaPA: what only Italy has.
    pub italy: Option<Box<super::ItalianLine<'d>>>,
    /// DICO, SETU: what only the Netherlands have.
    pub netherlands: Option<Box<super::DutchLine<'d>>>,
    /// ebInterface: whether a discount for early payment counts for the line (`DiscountFlag`).
    pub discountable: Field<Indicator<'d>>,
}

group! {
    /// Extension (PINT): a total of tax on a line.
    LineTax {
        /// The amount.
        amount: Field<Amount<'d>>,
        /// By category.
        breakdown: Vec<VatBreakdown<'d>>,
    }
}
