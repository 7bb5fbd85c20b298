//! The Polish invoice FA as typed groups: the structure of the KSeF logical structure, whole. What
//! EN 16931 has of it stands in the terms of the model, too, as views of the same places.
//!
//! Source: FA(3), form 1-0E (Ministry of Finance, 2025-06-25), of which FA(2) is a part but for
//! lists of codes; the names in brackets are those of its elements.

mod attachment;
mod correction;
mod order;
mod party;
mod payment;
mod row;
mod terms;

pub use attachment::{
    PolishColumn, PolishColumns, PolishDataBlock, PolishDataTable, PolishMetadata,
    PolishParagraphs, PolishRow, PolishSum, PolishTableMetadata,
};
pub use correction::{PolishAdvanceInvoice, PolishAdvancePart, PolishCorrectedInvoice};
pub use order::{PolishOrder, PolishOrderRow};
pub use party::{
    PolishAddress, PolishContact, PolishFooter, PolishNote, PolishParty, PolishPartyIds,
    PolishRegister,
};
pub use payment::{
    PolishAccount, PolishDue, PolishDueEvent, PolishPartPayment, PolishPayment, PolishSettlement,
    PolishSettlementEntry, PolishSkonto,
};
pub use row::{PolishFact, PolishInvoiceRow};
pub use terms::{PolishAgreement, PolishConditions, PolishPurchaseOrder, PolishTransport};

use super::group::group;
use super::{Amount, Code, CurrencyCode, Date, Field, Identifier, Number, Text, Time};

group! {
    /// `Faktura`.
    PolishInvoice {
        /// The form (`Naglowek`).
        header: Vec<PolishHeader<'d>>,
        /// The seller (`Podmiot1`), BG-4.
        seller: Vec<PolishParty<'d>>,
        /// The buyer (`Podmiot2`), BG-7.
        buyer: Vec<PolishParty<'d>>,
        /// Third parties (`Podmiot3`): the factor is BG-10, the recipient BG-13.
        third_parties: Vec<PolishParty<'d>>,
        /// Who acts for the seller (`PodmiotUpowazniony`): the tax representative is BG-11.
        authorised: Vec<PolishParty<'d>>,
        /// The invoice itself (`Fa`).
        body: Vec<PolishBody<'d>>,
        /// `Stopka`.
        footer: Vec<PolishFooter<'d>>,
        /// Tables (`Zalacznik/BlokDanych`).
        attachment: Vec<PolishAttachment<'d>>,
    }
}

group! {
    /// `Zalacznik`.
    PolishAttachment {
        /// Its blocks (`BlokDanych`).
        blocks: Vec<PolishDataBlock<'d>>,
    }
}

group! {
    /// What `Naglowek` says beside the form, which the namespace tells.
    PolishHeader {
        /// When the document was made (`DataWytworzeniaFa`).
        created_at: Field<Time<'d>>,
        /// What made it (`SystemInfo`).
        system: Field<Text<'d>>,
    }
}

group! {
    /// `OkresFa`: BG-14.
    PolishPeriod {
        /// `P_6_Od`.
        start: Field<Date<'d>>,
        /// `P_6_Do`.
        end: Field<Date<'d>>,
    }
}

group! {
    /// `Fa`.
    PolishBody {
        /// `KodWaluty`: BT-5.
        currency: Field<CurrencyCode<'d>>,
        /// `P_1`: BT-2.
        issued_on: Field<Date<'d>>,
        /// `P_1M`: where it was issued.
        issued_at: Field<Text<'d>>,
        /// `P_2`: BT-1.
        number: Field<Identifier<'d>>,
        /// `WZ`: delivery notes, BT-16.
        delivery_notes: Field<Identifier<'d>>,
        /// `P_6`: the day of delivery, BT-72.
        delivered_on: Field<Date<'d>>,
        /// `OkresFa`: BG-14.
        period: Vec<PolishPeriod<'d>>,
        /// `P_13_1` to `P_13_11`, `P_14_1` to `P_14_5` and `P_14_1W` to `P_14_4W`, in order: BG-23.
        sums: Vec<PolishSum13<'d>>,
        /// `P_15`: BT-112.
        total: Field<Amount<'d>>,
        /// `KursWalutyZ`: the rate of an advance payment.
        advance_rate: Field<Number<'d>>,
        /// `Adnotacje`.
        annotations: Vec<PolishAnnotations<'d>>,
        /// `RodzajFaktury`: BT-3.
        kind: Field<Code<'d>>,
        /// `PrzyczynaKorekty`: why it corrects, BT-22.
        correction_reason: Field<Text<'d>>,
        /// `TypKorekty`: on which day the correction counts.
        correction_effect: Field<Code<'d>>,
        /// `DaneFaKorygowanej`: BG-3.
        corrected: Vec<PolishCorrectedInvoice<'d>>,
        /// `OkresFaKorygowanej`: the period of a rebate.
        corrected_period: Field<Text<'d>>,
        /// `NrFaKorygowany`: the right number, where the number is corrected.
        right_number: Field<Identifier<'d>>,
        /// `Podmiot1K`: the seller as the corrected invoice says it.
        seller_before: Vec<PolishParty<'d>>,
        /// `Podmiot2K`: buyers as the corrected invoice says them.
        buyers_before: Vec<PolishParty<'d>>,
        /// `P_15ZK`: the payment before the correction.
        total_before: Field<Amount<'d>>,
        /// `KursWalutyZK`: the rate before the correction.
        rate_before: Field<Number<'d>>,
        /// `ZaliczkaCzesciowa`: payments that make up the advance.
        advance_parts: Vec<PolishAdvancePart<'d>>,
        /// `FP`: beside a receipt of a cash register.
        cash_register: Field<Code<'d>>,
        /// `TP`: between related parties.
        related: Field<Code<'d>>,
        /// `DodatkowyOpis`.
        facts: Vec<PolishFact<'d>>,
        /// `FakturaZaliczkowa`: invoices of advance payments, BG-3.
        advances: Vec<PolishAdvanceInvoice<'d>>,
        /// `ZwrotAkcyzy`: farmers may ask for the excise back.
        excise_refund: Field<Code<'d>>,
        /// `FaWiersz`: BG-25.
        rows: Vec<PolishInvoiceRow<'d>>,
        /// `Rozliczenie`.
        settlement: Vec<PolishSettlement<'d>>,
        /// `Platnosc`.
        payment: Vec<PolishPayment<'d>>,
        /// `WarunkiTransakcji`.
        conditions: Vec<PolishConditions<'d>>,
        /// `Zamowienie`: the order of an advance payment.
        order: Vec<PolishOrder<'d>>,
    }
}

group! {
    /// A sum without VAT, and what stands behind it. Its element is the first of them.
    PolishSum13 {
        /// `P_13_n`.
        net: Field<Amount<'d>>,
        /// `P_14_n`.
        vat: Field<Amount<'d>>,
        /// `P_14_nW`: the VAT in zloty.
        vat_in_zloty: Field<Amount<'d>>,
    }
}

group! {
    /// `Adnotacje`: 1 is yes, 2 is no.
    PolishAnnotations {
        /// `P_16`: VAT is due when it is paid.
        cash_accounting: Field<Code<'d>>,
        /// `P_17`: the buyer issued it.
        self_billed: Field<Code<'d>>,
        /// `P_18`: the buyer owes the VAT.
        reverse_charge: Field<Code<'d>>,
        /// `P_18A`: VAT is paid to an account of its own.
        split_payment: Field<Code<'d>>,
        /// `Zwolnienie`.
        exemption: Vec<PolishExemption<'d>>,
        /// `NoweSrodkiTransportu`.
        new_transport: Vec<PolishNewTransport<'d>>,
        /// `P_23`: a simplified triangular supply, by the second in the row.
        triangular: Field<Code<'d>>,
        /// `PMarzy`.
        margin: Vec<PolishMargin<'d>>,
    }
}

group! {
    /// `Zwolnienie`: by which law a supply is exempt.
    PolishExemption {
        /// `P_19`: there is one.
        applies: Field<Code<'d>>,
        /// `P_19A`: by the Polish law.
        by_law: Field<Text<'d>>,
        /// `P_19B`: by the directive.
        by_directive: Field<Text<'d>>,
        /// `P_19C`: by something else.
        by_other: Field<Text<'d>>,
        /// `P_19N`: there is none.
        none: Field<Code<'d>>,
    }
}

group! {
    /// `NoweSrodkiTransportu`: new means of transport that are sold within the Union.
    PolishNewTransport {
        /// `P_22`: there is one.
        applies: Field<Code<'d>>,
        /// `P_42_5`: whether the duty of article 42(5) applies.
        article_42: Field<Code<'d>>,
        /// `NowySrodekTransportu`.
        vehicles: Vec<PolishVehicle<'d>>,
        /// `P_22N`: there is none.
        none: Field<Code<'d>>,
    }
}

group! {
    /// `NowySrodekTransportu`.
    PolishVehicle {
        /// `P_22A`: first used on.
        used_from: Field<Date<'d>>,
        /// `P_NrWierszaNST`: the row of the invoice.
        row: Field<Number<'d>>,
        /// `P_22BMK`: the make.
        make: Field<Text<'d>>,
        /// `P_22BMD`: the model.
        model: Field<Text<'d>>,
        /// `P_22BK`: the colour.
        colour: Field<Text<'d>>,
        /// `P_22BNR`: the registration.
        registration: Field<Identifier<'d>>,
        /// `P_22BRP`: the year.
        year: Field<Text<'d>>,
        /// `P_22B`: how far a land vehicle went.
        distance: Field<Text<'d>>,
        /// `P_22B1`: its VIN.
        vin: Field<Identifier<'d>>,
        /// `P_22B2`: the number of its body.
        body_number: Field<Identifier<'d>>,
        /// `P_22B3`: the number of its chassis.
        chassis: Field<Identifier<'d>>,
        /// `P_22B4`: the number of its frame.
        frame: Field<Identifier<'d>>,
        /// `P_22BT`: its type.
        kind: Field<Text<'d>>,
        /// `P_22C`: how many hours a vessel was used.
        vessel_hours: Field<Text<'d>>,
        /// `P_22C1`: the number of its hull.
        hull: Field<Identifier<'d>>,
        /// `P_22D`: how many hours an aircraft was used.
        aircraft_hours: Field<Text<'d>>,
        /// `P_22D1`: its factory number.
        factory_number: Field<Identifier<'d>>,
    }
}

group! {
    /// `PMarzy`: schemes in which the margin is taxed.
    PolishMargin {
        /// `P_PMarzy`: there is one.
        applies: Field<Code<'d>>,
        /// `P_PMarzy_2`: travel agents.
        travel: Field<Code<'d>>,
        /// `P_PMarzy_3_1`: second-hand goods.
        second_hand: Field<Code<'d>>,
        /// `P_PMarzy_3_2`: works of art.
        art: Field<Code<'d>>,
        /// `P_PMarzy_3_3`: antiques.
        antiques: Field<Code<'d>>,
        /// `P_PMarzyN`: there is none.
        none: Field<Code<'d>>,
    }
}
