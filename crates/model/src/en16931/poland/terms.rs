//! Conditions of a transaction of FA.

use super::{PolishAddress, PolishParty};
use crate::en16931::group::group;
use crate::en16931::{Code, CurrencyCode, Date, Field, Identifier, Number, Text, Time};

group! {
    /// `WarunkiTransakcji`.
    PolishConditions {
        /// `Umowy`: BT-12.
        agreements: Vec<PolishAgreement<'d>>,
        /// `Zamowienia`: BT-13.
        orders: Vec<PolishPurchaseOrder<'d>>,
        /// `NrPartiiTowaru`: lots.
        lots: Field<Identifier<'d>>,
        /// `WarunkiDostawy`: terms of delivery.
        delivery: Field<Text<'d>>,
        /// `KursUmowny`: a rate that was agreed on.
        agreed_rate: Field<Number<'d>>,
        /// `WalutaUmowna`: of which currency.
        agreed_currency: Field<CurrencyCode<'d>>,
        /// `Transport`.
        transports: Vec<PolishTransport<'d>>,
        /// `PodmiotPosredniczacy`: the seller is the second in the row.
        intermediary: Field<Code<'d>>,
    }
}

group! {
    /// `Umowy`.
    PolishAgreement {
        /// `DataUmowy`.
        day: Field<Date<'d>>,
        /// `NrUmowy`.
        number: Field<Identifier<'d>>,
    }
}

group! {
    /// `Zamowienia`.
    PolishPurchaseOrder {
        /// `DataZamowienia`.
        day: Field<Date<'d>>,
        /// `NrZamowienia`.
        number: Field<Identifier<'d>>,
    }
}

group! {
    /// `Transport`.
    PolishTransport {
        /// `RodzajTransportu`.
        kind: Field<Code<'d>>,
        /// `TransportInny`.
        is_other: Field<Code<'d>>,
        /// `OpisInnegoTransportu`.
        text: Field<Text<'d>>,
        /// `Przewoznik`: the carrier.
        carrier: Vec<PolishParty<'d>>,
        /// `NrZleceniaTransportu`: its order.
        order_number: Field<Identifier<'d>>,
        /// `OpisLadunku`: the cargo.
        cargo: Field<Code<'d>>,
        /// `LadunekInny`.
        is_other_cargo: Field<Code<'d>>,
        /// `OpisInnegoLadunku`.
        cargo_text: Field<Text<'d>>,
        /// `JednostkaOpakowania`: packages.
        packages: Field<Text<'d>>,
        /// `DataGodzRozpTransportu`.
        begins_at: Field<Time<'d>>,
        /// `DataGodzZakTransportu`.
        ends_at: Field<Time<'d>>,
        /// `WysylkaZ`.
        from: Vec<PolishAddress<'d>>,
        /// `WysylkaPrzez`.
        through: Vec<PolishAddress<'d>>,
        /// `WysylkaDo`.
        to: Vec<PolishAddress<'d>>,
    }
}
