//! Delivery (BG-13, BG-15) and periods (BG-14, BG-26).

use super::group::group;
use super::{
    AllowanceCharge, Code, Date, Field, Identifier, Party, PostalAddress, TaxPointDateCode, Text,
    Time,
};

group! {
    /// BG-13: when and where goods or services were delivered.
    ///
    /// In UBL its element is `Delivery`, in CII `ApplicableHeaderTradeDelivery` (only where it has
    /// a term of the group) or `SpecifiedLineTradeDelivery`.
    DeliveryInformation {
        /// BT-70: the name of the party that receives ([`Party::name`]), and what else is known.
        party: Field<Party<'d>>,
        /// BT-71: the location and its scheme (BT-71-1).
        location: Field<Identifier<'d>>,
        /// BT-72: the day of delivery.
        date: Field<Date<'d>>,
        /// BG-15: the address.
        address: Field<PostalAddress<'d>>,
        /// Extension: the time of delivery.
        time: Field<Time<'d>>,
        /// Extension (UBL): the name of the location.
        location_name: Field<Text<'d>>,
        /// Extension (UBL 2.0): an address beside the location (`DeliveryAddress`).
        other_addresses: Vec<PostalAddress<'d>>,
        /// Extension (UBL): identifier of the delivery.
        id: Field<Identifier<'d>>,
        /// Extension (UBL): the last day on which to deliver.
        latest_date: Field<Date<'d>>,
        /// Extension (UBL): the quantity that was delivered.
        quantity: Field<super::Quantity<'d>>,
        /// Extension (PINT ae, om; Factur-X): terms of delivery.
        terms: Vec<DeliveryTerms<'d>>,
        /// Extension (PINT my, om): the shipment.
        shipments: Vec<Shipment<'d>>,
        /// Extension (UBL): when it was asked for or promised.
        periods: Vec<Period<'d>>,
        /// Extension (ebInterface): in words.
        description: Field<Text<'d>>,
    }
}

impl<'d> DeliveryInformation<'d> {
    /// BT-70: the name of the party that receives.
    pub fn party_name(&self) -> Option<Text<'d>> {
        self.party.iter().find_map(|party| party.name.get())
    }
}

group! {
    /// Extension: terms of delivery (`DeliveryTerms`, `ApplicableTradeDeliveryTerms`).
    DeliveryTerms {
        /// The terms, such as Incoterms `DAP` (`ID`, `DeliveryTypeCode`).
        id: Field<Identifier<'d>>,
        /// In words (`SpecialTerms`).
        text: Field<Text<'d>>,
    }
}

group! {
    /// Extension (PINT my, om): a shipment.
    Shipment {
        /// Its identifier.
        id: Field<Identifier<'d>>,
        /// The consignment it is part of.
        consignment: Field<Identifier<'d>>,
        /// The terms of the consignment.
        terms: Vec<DeliveryTerms<'d>>,
        /// What the freight costs.
        freight: Vec<AllowanceCharge<'d>>,
        /// When it arrived.
        delivery_date: Field<Date<'d>>,
    }
}

group! {
    /// BG-14, BG-26: a period.
    Period {
        /// BT-73, BT-134: the first day.
        start: Field<Date<'d>>,
        /// BT-74, BT-135: the last day.
        end: Field<Date<'d>>,
        /// BT-8 in UBL ([`super::Invoice::tax_point_date_code`] has it too).
        description_code: Field<TaxPointDateCode<'d>>,
        /// Extension (PINT ae, my; Factur-X): in words.
        description: Field<Text<'d>>,
        /// Extension (UBL): the times beside the days.
        times: Vec<Time<'d>>,
        /// Extension (UBL): how long (`DurationMeasure`).
        duration: Field<super::Quantity<'d>>,
        /// Extension: a code of the period (Factur-X `TypeCode`).
        type_code: Field<Code<'d>>,
    }
}
