//! What FatturaPA has beyond EN 16931, as typed groups.
//!
//! Source: FatturaPA 1.2.3 (Agenzia delle Entrate, technical specifications annex A 1.9); the
//! numbers are those of its elements.

use super::group::group;
use super::{
    AllowanceCharge, Amount, Code, Date, Field, Identifier, Number, Party, PostalAddress, Quantity,
    Text, Time,
};

group! {
    /// What an Italian invoice says of its transmission and of itself.
    ItalianExtensions {
        /// `versione`: the form, which is that of the transmission (`FPA12`, `FPR12`, `FSM10`).
        version: Field<Code<'d>>,
        /// 1.1.1: who transmits, country and code together.
        transmitter: Field<Identifier<'d>>,
        /// 1.1.2: the number that the transmitter gives.
        transmission_number: Field<Identifier<'d>>,
        /// 1.1.3: the form of transmission, where the attribute `versione` says another.
        transmission_format: Field<Code<'d>>,
        /// `SistemaEmittente`: the system that issued it.
        issuing_system: Field<Text<'d>>,
        /// 1.1.4: the office of the receiver. Where it is an address it is BT-49 too.
        recipient_code: Field<Identifier<'d>>,
        /// 1.1.6: the certified mail address of the receiver, which is BT-49 too.
        recipient_mail: Field<Identifier<'d>>,
        /// 1.1.5: telephone and e-mail address of the transmitter.
        transmitter_contact: Field<super::Contact<'d>>,
        /// 1.6: who issued it: the buyer (`CC`) or a third party (`TZ`).
        issuer: Field<Code<'d>>,
        /// 2.1.1.6: stamp duty.
        stamp_duty: Vec<StampDuty<'d>>,
        /// 2.1.1.7: what a pension fund charge has beside its BG-21.
        social_funds: Vec<SocialFund<'d>>,
        /// 2.1.1.8: discounts and surcharges of the document, which are outside the taxable base.
        document_discounts: Vec<AllowanceCharge<'d>>,
        /// 2.1.1.12: issued by the rules of article 73 of DPR 633/72.
        article_73: Field<Code<'d>>,
        /// 2.1.7: the phases of progress that are invoiced.
        progress_phases: Field<Number<'d>>,
        /// 2.1.9: transport.
        transport: Vec<ItalianTransport<'d>>,
        /// 2.1.10: the main invoice of an invoice for accessory services.
        main_invoice: Field<super::DocumentReference<'d>>,
        /// 2.3: the vehicle that is sold.
        vehicles: Vec<Vehicle<'d>>,
        /// Simplified invoice 2.2.3: VAT that a gross amount contains, line by line.
        included_vat: Vec<IncludedVat<'d>>,
    }
}

group! {
    /// 2.1.1.6: stamp duty. It is part of no total of FatturaPA.
    StampDuty {
        /// Paid without a stamp (`SI`).
        paid_virtually: Field<Code<'d>>,
        /// How much.
        amount: Field<Amount<'d>>,
    }
}

group! {
    /// 2.1.1.7: a pension fund charge; its element is that of the charge in BG-21.
    SocialFund {
        /// Which fund (`TC01` to `TC22`).
        kind: Field<Code<'d>>,
        /// Whether it is subject to withholding (`SI`).
        withheld: Field<Code<'d>>,
        /// The accounting reference.
        accounting_reference: Field<Text<'d>>,
    }
}

group! {
    /// 2.1.9: transport, besides what is in BG-13.
    ItalianTransport {
        /// 2.1.9.1: the carrier.
        carrier: Field<Party<'d>>,
        /// The driving licence of the carrier.
        driving_licence: Field<Identifier<'d>>,
        /// By what.
        means: Field<Text<'d>>,
        /// Why.
        reason: Field<Text<'d>>,
        /// How many packages.
        packages: Field<Number<'d>>,
        /// What is transported.
        description: Field<Text<'d>>,
        /// The gross weight, with its unit.
        gross_weight: Field<Quantity<'d>>,
        /// The net weight, with its unit.
        net_weight: Field<Quantity<'d>>,
        /// The unit of weights that are not there.
        weight_unit: Field<Text<'d>>,
        /// When it was collected.
        collected_at: Field<Time<'d>>,
        /// On which day the transport began.
        started_on: Field<Date<'d>>,
        /// When it arrived: day and time, of which BT-72 is the day.
        delivered_at: Field<Time<'d>>,
        /// The terms of delivery (Incoterms).
        terms: Field<Code<'d>>,
    }
}

group! {
    /// 2.3: a vehicle that is sold within the Union.
    Vehicle {
        /// First registered on.
        registered_on: Field<Date<'d>>,
        /// How far it went.
        distance: Field<Text<'d>>,
    }
}

group! {
    /// Simplified invoice 2.2.3: the VAT in an amount, as an amount or as a rate.
    IncludedVat {
        /// The amount that contains it.
        gross: Field<Amount<'d>>,
        /// How much VAT.
        amount: Field<Amount<'d>>,
    }
}

/// What a reference of FatturaPA (2.1.2 to 2.1.6) has beside number, date and line.
#[derive(Debug, Clone, Default)]
pub struct ItalianReference<'d> {
    /// The code of the order or agreement that the parties agreed on; of an order it is BT-10.
    pub agreed_code: Field<Text<'d>>,
    /// CUP, the public investment project, which is BT-11.
    pub project: Field<Identifier<'d>>,
    /// CIG, the tender, which is BT-17.
    pub tender: Field<Identifier<'d>>,
}

/// What a payment of FatturaPA (2.4.2) has beyond BG-16.
#[derive(Debug, Clone, Default)]
pub struct ItalianPayment<'d> {
    /// The post office.
    pub post_office: Field<Identifier<'d>>,
    /// Who signs the receipt: surname, name, tax identifier and title, in order.
    pub receipt_signer: Vec<Text<'d>>,
    /// The bank by its ABI, where the IBAN does not say it.
    pub abi: Field<Identifier<'d>>,
    /// The branch by its CAB, where the IBAN does not say it.
    pub cab: Field<Identifier<'d>>,
}

/// What a line of FatturaPA (2.2.1) has beyond BG-25.
#[derive(Debug, Clone, Default)]
pub struct ItalianLine<'d> {
    /// 2.2.1.2: discount (`SC`), premium (`PR`), rebate (`AB`) or accessory expense (`AC`).
    pub kind: Field<Code<'d>>,
    /// 2.2.1.13: whether it is subject to withholding (`SI`).
    pub withheld: Field<Code<'d>>,
}

/// What a party of FatturaPA has that no other term holds.
#[derive(Debug, Clone, Default)]
pub struct ItalianParty<'d> {
    /// The permanent establishment.
    pub establishment: Field<PostalAddress<'d>>,
    /// The province of the professional register.
    pub register_province: Field<Text<'d>>,
    /// When the party was entered there.
    pub registered_on: Field<Date<'d>>,
}
