//! The item of a line (BG-31) and its attributes (BG-32).

use super::group::group;
use super::{Code, CountryCode, Date, DocumentReference, Field, Identifier, Quantity, Text};

group! {
    /// BG-31: what was sold (`Item`, `SpecifiedTradeProduct`).
    ItemInformation {
        /// BT-153: the name.
        name: Field<Text<'d>>,
        /// BT-154: the description.
        description: Field<Text<'d>>,
        /// BT-155: the seller's identifier.
        seller_id: Field<Identifier<'d>>,
        /// BT-156: the buyer's identifier.
        buyer_id: Field<Identifier<'d>>,
        /// BT-157: the standard identifier and its scheme (BT-157-1).
        standard_id: Field<Identifier<'d>>,
        /// BT-158: classifications.
        classifications: Vec<Classification<'d>>,
        /// BT-159: the country of origin.
        origin: Field<CountryCode<'d>>,
        /// BG-32: attributes.
        attributes: Vec<ItemAttribute<'d>>,
        /// What only extensions have.
        extensions: Option<Box<ItemExtensions<'d>>>,
    }
}

group! {
    /// BT-158: a classification (`CommodityClassification`, `DesignatedProductClassification`).
    Classification {
        /// BT-158, with its list (BT-158-1, `@listID`) and version (BT-158-2, `@listVersionID`).
        code: Field<Code<'d>>,
        /// Extension (PINT ae, my): `CommodityCode`.
        commodity: Field<Code<'d>>,
        /// Extension (PINT ae, om): `NatureCode`.
        nature: Field<Code<'d>>,
        /// Extension: in words (Factur-X `ClassName`).
        name: Field<Text<'d>>,
    }
}

group! {
    /// BG-32: an attribute (`AdditionalItemProperty`, `ApplicableProductCharacteristic`).
    ItemAttribute {
        /// BT-160: the name.
        name: Field<Text<'d>>,
        /// BT-161: the value.
        value: Field<Text<'d>>,
        /// Extension (PINT om): the name as a code (`NameCode`, `TypeCode`).
        code: Field<Code<'d>>,
        /// Extension: the value as a quantity (`ValueQuantity`, `ValueMeasure`).
        quantity: Field<Quantity<'d>>,
        /// Extension (UBL): identifier of the attribute.
        id: Field<Identifier<'d>>,
        /// Extension (FatturaPA): the value as a number.
        number: Field<super::Number<'d>>,
        /// Extension (FatturaPA): the value as a day.
        date: Field<Date<'d>>,
    }
}

/// What an item has beyond EN 16931.
#[derive(Debug, Clone, Default)]
pub struct ItemExtensions<'d> {
    /// PINT ae, om: further identifiers.
    pub additional_ids: Field<Identifier<'d>>,
    /// PINT aunz: further information.
    pub information: Field<Text<'d>>,
    /// PINT om: specifications.
    pub specifications: Vec<DocumentReference<'d>>,
    /// PINT ae, my, Factur-X: lots and serial numbers.
    pub instances: Vec<ItemInstance<'d>>,
    /// The brand.
    pub brand: Field<Text<'d>>,
    /// The model.
    pub model: Field<Text<'d>>,
    /// Factur-X: the industry's identifier, the product's and the model's. UBL: the maker's. The
    /// element says which.
    pub other_ids: Field<Identifier<'d>>,
    /// UBL: the identifier in a catalogue (`CatalogueItemIdentification`).
    pub catalogue_ids: Field<Identifier<'d>>,
    /// UBL: keywords.
    pub keywords: Field<Text<'d>>,
    /// UBL: how many in a pack.
    pub pack_quantity: Field<Quantity<'d>>,
    /// UBL: how many parts a pack has.
    pub pack_size: Field<Quantity<'d>>,
    /// UBL: the name of the country of origin.
    pub origin_name: Field<Text<'d>>,
    /// Factur-X: items that it is made of (`IncludedReferencedProduct`).
    pub parts: Vec<ItemInformation<'d>>,
    /// Factur-X: the quantity of a part in one of the whole (`UnitQuantity`).
    pub unit_quantity: Field<Quantity<'d>>,
}

group! {
    /// Extension (PINT ae, my; Factur-X): a lot or a single piece.
    ItemInstance {
        /// The lot (`LotNumberID`, `BatchID`).
        lot: Field<Identifier<'d>>,
        /// The last day of use.
        expiry: Field<Date<'d>>,
        /// The serial number.
        serial: Field<Identifier<'d>>,
        /// UBL: the product's trace identifier.
        trace: Field<Identifier<'d>>,
    }
}
