//! Parties of FA, and its footer with the registers of the seller.

use crate::en16931::group::group;
use crate::en16931::{Code, CountryCode, Field, Identifier, Percentage, Text};

group! {
    /// `Podmiot1`, `Podmiot2`, `Podmiot3`, `PodmiotUpowazniony`, `Podmiot1K`, `Podmiot2K`,
    /// `Przewoznik`. Each has some of these.
    PolishParty {
        /// `PrefiksPodatnika`: the country of the identifier for VAT.
        prefix: Field<Code<'d>>,
        /// `NrEORI`: the number for customs.
        eori: Field<Identifier<'d>>,
        /// `DaneIdentyfikacyjne`.
        ids: Vec<PolishPartyIds<'d>>,
        /// `Adres`, `AdresPrzewoznika`.
        address: Vec<PolishAddress<'d>>,
        /// `AdresKoresp`: where to write to.
        correspondence: Vec<PolishAddress<'d>>,
        /// `DaneKontaktowe`.
        contacts: Vec<PolishContact<'d>>,
        /// `StatusInfoPodatnika`: winding up, restructuring, bankruptcy, estate.
        status: Field<Code<'d>>,
        /// `NrKlienta`: the number of the customer, BT-46.
        customer_number: Field<Identifier<'d>>,
        /// `IDNabywcy`: the key by which a correction tells buyers apart.
        buyer_key: Field<Identifier<'d>>,
        /// `JST`: whether a unit of a local government buys.
        local_government: Field<Code<'d>>,
        /// `GV`: whether a member of a VAT group buys.
        vat_group: Field<Code<'d>>,
        /// `Rola`, `RolaPU`.
        role: Field<Code<'d>>,
        /// `RolaInna`: another role.
        is_other_role: Field<Code<'d>>,
        /// `OpisRoli`: which.
        role_text: Field<Text<'d>>,
        /// `Udzial`: the share of a buyer.
        share: Field<Percentage<'d>>,
    }
}

group! {
    /// `DaneIdentyfikacyjne`: one of several identifiers, and the name.
    PolishPartyIds {
        /// `NIP`: the Polish number.
        nip: Field<Identifier<'d>>,
        /// `IDWew`: a NIP and a number of a unit.
        internal_id: Field<Identifier<'d>>,
        /// `KodUE`: the country of an identifier for VAT of the Union.
        eu_country: Field<Code<'d>>,
        /// `NrVatUE`: that identifier without the country.
        eu_number: Field<Identifier<'d>>,
        /// `KodKraju`: the country of another identifier.
        country: Field<CountryCode<'d>>,
        /// `NrID`: another identifier.
        other_id: Field<Identifier<'d>>,
        /// `BrakID`: there is none.
        without_id: Field<Code<'d>>,
        /// `Nazwa`: the name.
        name: Field<Text<'d>>,
    }
}

group! {
    /// `Adres`: an address in two lines.
    PolishAddress {
        /// `KodKraju`.
        country: Field<CountryCode<'d>>,
        /// `AdresL1`.
        line1: Field<Text<'d>>,
        /// `AdresL2`.
        line2: Field<Text<'d>>,
        /// `GLN`: the global location number.
        gln: Field<Identifier<'d>>,
    }
}

group! {
    /// `DaneKontaktowe`.
    PolishContact {
        /// `Email`, `EmailPU`.
        email: Field<Text<'d>>,
        /// `Telefon`, `TelefonPU`.
        telephone: Field<Text<'d>>,
    }
}

group! {
    /// `Stopka`.
    PolishFooter {
        /// `Informacje`.
        notes: Vec<PolishNote<'d>>,
        /// `Rejestry`.
        registers: Vec<PolishRegister<'d>>,
    }
}

group! {
    /// `Informacje`.
    PolishNote {
        /// `StopkaFaktury`: BT-22.
        text: Field<Text<'d>>,
    }
}

group! {
    /// `Rejestry`: where the seller is registered.
    PolishRegister {
        /// `PelnaNazwa`: the whole name.
        full_name: Field<Text<'d>>,
        /// `KRS`: the court register, BT-30.
        krs: Field<Identifier<'d>>,
        /// `REGON`: the register of the statistical office.
        regon: Field<Identifier<'d>>,
        /// `BDO`: the register of waste.
        bdo: Field<Identifier<'d>>,
    }
}
