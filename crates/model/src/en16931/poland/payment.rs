//! Settlement and payment of FA.

use crate::en16931::group::group;
use crate::en16931::{Amount, Code, Date, Field, Identifier, Number, Text};

group! {
    /// `Rozliczenie`: from the total to what is due.
    PolishSettlement {
        /// `Obciazenia`: what is to be paid besides.
        charges: Vec<PolishSettlementEntry<'d>>,
        /// `SumaObciazen`.
        charges_total: Field<Amount<'d>>,
        /// `Odliczenia`: what is paid already.
        deductions: Vec<PolishSettlementEntry<'d>>,
        /// `SumaOdliczen`.
        deductions_total: Field<Amount<'d>>,
        /// `DoZaplaty`: BT-115.
        due: Field<Amount<'d>>,
        /// `DoRozliczenia`: what the buyer gets back.
        to_settle: Field<Amount<'d>>,
    }
}

group! {
    /// `Obciazenia`, `Odliczenia`.
    PolishSettlementEntry {
        /// `Kwota`.
        amount: Field<Amount<'d>>,
        /// `Powod`: why.
        reason: Field<Text<'d>>,
    }
}

group! {
    /// `Platnosc`: BG-16.
    PolishPayment {
        /// `Zaplacono`: it is paid.
        is_paid: Field<Code<'d>>,
        /// `DataZaplaty`: since when.
        paid_on: Field<Date<'d>>,
        /// `ZnacznikZaplatyCzesciowej`: paid in part (1), or in parts and whole (2).
        part_mark: Field<Code<'d>>,
        /// `ZaplataCzesciowa`.
        parts: Vec<PolishPartPayment<'d>>,
        /// `TerminPlatnosci`: BT-9, BT-20.
        due: Vec<PolishDue<'d>>,
        /// `FormaPlatnosci`: BT-81.
        form: Field<Code<'d>>,
        /// `PlatnoscInna`: in another way.
        is_other: Field<Code<'d>>,
        /// `OpisPlatnosci`: in which, BT-82.
        text: Field<Text<'d>>,
        /// `RachunekBankowy`: BG-17.
        accounts: Vec<PolishAccount<'d>>,
        /// `RachunekBankowyFaktora`: those of the factor, BG-17.
        factor_accounts: Vec<PolishAccount<'d>>,
        /// `Skonto`.
        skonto: Vec<PolishSkonto<'d>>,
        /// `LinkDoPlatnosci`: where to pay.
        link: Field<Identifier<'d>>,
        /// `IPKSeF`: the identifier of the payment.
        ipksef: Field<Identifier<'d>>,
    }
}

group! {
    /// `ZaplataCzesciowa`.
    PolishPartPayment {
        /// `KwotaZaplatyCzesciowej`.
        amount: Field<Amount<'d>>,
        /// `DataZaplatyCzesciowej`.
        paid_on: Field<Date<'d>>,
        /// `FormaPlatnosci`.
        form: Field<Code<'d>>,
        /// `PlatnoscInna`.
        is_other: Field<Code<'d>>,
        /// `OpisPlatnosci`.
        text: Field<Text<'d>>,
    }
}

group! {
    /// `TerminPlatnosci`.
    PolishDue {
        /// `Termin`.
        day: Field<Date<'d>>,
        /// `TerminOpis`.
        event: Vec<PolishDueEvent<'d>>,
    }
}

group! {
    /// `TerminOpis`: so many units after an event; in FA(2) words.
    PolishDueEvent {
        /// `Ilosc`.
        count: Field<Number<'d>>,
        /// `Jednostka`.
        unit: Field<Text<'d>>,
        /// `ZdarzeniePoczatkowe`.
        from: Field<Text<'d>>,
        /// The words of FA(2).
        words: Field<Text<'d>>,
    }
}

group! {
    /// `RachunekBankowy`.
    PolishAccount {
        /// `NrRB`: BT-84.
        number: Field<Identifier<'d>>,
        /// `SWIFT`: BT-86.
        swift: Field<Identifier<'d>>,
        /// `RachunekWlasnyBanku`: an account of the bank itself.
        of_bank: Field<Code<'d>>,
        /// `NazwaBanku`.
        bank: Field<Text<'d>>,
        /// `OpisRachunku`: BT-85.
        text: Field<Text<'d>>,
    }
}

group! {
    /// `Skonto`.
    PolishSkonto {
        /// `WarunkiSkonta`: on which condition.
        condition: Field<Text<'d>>,
        /// `WysokoscSkonta`: how much.
        amount: Field<Text<'d>>,
    }
}
