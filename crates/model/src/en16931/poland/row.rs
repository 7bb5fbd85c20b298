//! Rows of FA (BG-25), and facts about them.

use crate::en16931::group::group;
use crate::en16931::{Amount, Code, Date, Field, Identifier, Number, Percentage, Quantity, Text};

group! {
    /// `FaWiersz`.
    PolishInvoiceRow {
        /// `NrWierszaFa`: BT-126.
        number: Field<Identifier<'d>>,
        /// `UU_ID`: a unique identifier.
        unique_id: Field<Identifier<'d>>,
        /// `P_6A`: the day of delivery, BT-135.
        delivered_on: Field<Date<'d>>,
        /// `P_7`: BT-153.
        name: Field<Text<'d>>,
        /// `Indeks`: BT-155.
        index: Field<Identifier<'d>>,
        /// `GTIN`: BT-157.
        gtin: Field<Identifier<'d>>,
        /// `PKWiU`: the Polish classification.
        pkwiu: Field<Code<'d>>,
        /// `CN`: the combined nomenclature, BT-158.
        nomenclature: Field<Code<'d>>,
        /// `PKOB`: the Polish classification of buildings.
        pkob: Field<Code<'d>>,
        /// `P_8A`: the unit, BT-130.
        unit: Field<Text<'d>>,
        /// `P_8B`: BT-129.
        quantity: Field<Quantity<'d>>,
        /// `P_9A`: BT-146.
        net_price: Field<Amount<'d>>,
        /// `P_9B`: the price with VAT.
        gross_price: Field<Amount<'d>>,
        /// `P_10`: discounts that are not in the price, BT-136.
        discount: Field<Amount<'d>>,
        /// `P_11`: BT-131.
        net: Field<Amount<'d>>,
        /// `P_11A`: the amount with VAT.
        gross: Field<Amount<'d>>,
        /// `P_11Vat`: the VAT.
        vat: Field<Amount<'d>>,
        /// `P_12`: the rate, or why there is none: BT-151, BT-152.
        rate: Field<Code<'d>>,
        /// `P_12_XII`: the rate of another state, BT-152.
        foreign_rate: Field<Percentage<'d>>,
        /// `P_12_Zal_15`: goods of annex 15.
        annex_15: Field<Code<'d>>,
        /// `KwotaAkcyzy`: excise in the price.
        excise: Field<Amount<'d>>,
        /// `GTU`: the group of goods or services.
        group_code: Field<Code<'d>>,
        /// `Procedura`.
        procedure: Field<Code<'d>>,
        /// `KursWaluty`: the rate to zloty.
        exchange_rate: Field<Number<'d>>,
        /// `StanPrzed`: it is the row before the correction.
        before: Field<Code<'d>>,
    }
}

group! {
    /// `DodatkowyOpis`.
    PolishFact {
        /// `NrWiersza`: the row that it is about.
        row: Field<Number<'d>>,
        /// `Klucz`: what.
        key: Field<Text<'d>>,
        /// `Wartosc`: which.
        value: Field<Text<'d>>,
    }
}
