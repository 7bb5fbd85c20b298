//! The order of an advance payment.

use crate::en16931::group::group;
use crate::en16931::{Amount, Code, Field, Identifier, Percentage, Quantity, Text};

group! {
    /// `Zamowienie`.
    PolishOrder {
        /// `WartoscZamowienia`: its value with VAT.
        value: Field<Amount<'d>>,
        /// `ZamowienieWiersz`.
        rows: Vec<PolishOrderRow<'d>>,
    }
}

group! {
    /// `ZamowienieWiersz`: as a row of the invoice.
    PolishOrderRow {
        /// `NrWierszaZam`.
        number: Field<Identifier<'d>>,
        /// `UU_IDZ`.
        unique_id: Field<Identifier<'d>>,
        /// `P_7Z`.
        name: Field<Text<'d>>,
        /// `IndeksZ`.
        index: Field<Identifier<'d>>,
        /// `GTINZ`.
        gtin: Field<Identifier<'d>>,
        /// `PKWiUZ`.
        pkwiu: Field<Code<'d>>,
        /// `CNZ`.
        nomenclature: Field<Code<'d>>,
        /// `PKOBZ`.
        pkob: Field<Code<'d>>,
        /// `P_8AZ`.
        unit: Field<Text<'d>>,
        /// `P_8BZ`.
        quantity: Field<Quantity<'d>>,
        /// `P_9AZ`.
        net_price: Field<Amount<'d>>,
        /// `P_11NettoZ`.
        net: Field<Amount<'d>>,
        /// `P_11VatZ`.
        vat: Field<Amount<'d>>,
        /// `P_12Z`.
        rate: Field<Code<'d>>,
        /// `P_12Z_XII`.
        foreign_rate: Field<Percentage<'d>>,
        /// `P_12Z_Zal_15`.
        annex_15: Field<Code<'d>>,
        /// `GTUZ`.
        group_code: Field<Code<'d>>,
        /// `ProceduraZ`.
        procedure: Field<Code<'d>>,
        /// `KwotaAkcyzyZ`.
        excise: Field<Amount<'d>>,
        /// `StanPrzedZ`.
        before: Field<Code<'d>>,
    }
}
