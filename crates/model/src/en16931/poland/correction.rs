//! Invoices that an invoice of FA is about: those that it corrects, those of advance payments.

use crate::en16931::group::group;
use crate::en16931::{Amount, Code, Date, Field, Identifier, Number};

group! {
    /// `DaneFaKorygowanej`: BG-3.
    PolishCorrectedInvoice {
        /// `DataWystFaKorygowanej`: BT-26.
        issued_on: Field<Date<'d>>,
        /// `NrFaKorygowanej`: BT-25.
        number: Field<Identifier<'d>>,
        /// `NrKSeF`: it has a number of KSeF.
        has_ksef_number: Field<Code<'d>>,
        /// `NrKSeFFaKorygowanej`: that number.
        ksef_number: Field<Identifier<'d>>,
        /// `NrKSeFN`: it was issued outside of KSeF.
        outside_ksef: Field<Code<'d>>,
    }
}

group! {
    /// `ZaliczkaCzesciowa`: a payment of an advance.
    PolishAdvancePart {
        /// `P_6Z`: when.
        paid_on: Field<Date<'d>>,
        /// `P_15Z`: how much.
        amount: Field<Amount<'d>>,
        /// `KursWalutyZW`: at which rate.
        rate: Field<Number<'d>>,
    }
}

group! {
    /// `FakturaZaliczkowa`: BG-3.
    PolishAdvanceInvoice {
        /// `NrKSeFZN`: it was issued outside of KSeF.
        outside_ksef: Field<Code<'d>>,
        /// `NrFaZaliczkowej`: its number then.
        number: Field<Identifier<'d>>,
        /// `NrKSeFFaZaliczkowej`: its number of KSeF.
        ksef_number: Field<Identifier<'d>>,
    }
}
