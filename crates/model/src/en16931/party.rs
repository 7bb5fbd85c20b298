//! Parties: seller (BG-4 to BG-6), buyer (BG-7 to BG-9), payee (BG-10), the seller's tax
//! representative (BG-11, BG-12), and those that only extensions have.

use super::group::group;
use super::{Code, CountryCode, Field, Identifier, TaxSchemeCode, Text, ValueSource};

/// In which role a party takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PartyRole {
    /// BG-4.
    Seller,
    /// BG-7.
    Buyer,
    /// BG-10.
    Payee,
    /// BG-11.
    TaxRepresentative,
    /// Who receives the goods (BT-70; `DeliveryParty`, `ShipToTradeParty`).
    DeliverTo,
    /// Extension: who ordered (`BuyerCustomerParty`; UBL, PINT ae).
    BuyerCustomer,
    /// Extension: who supplies (`SellerSupplierParty`; UBL, PINT ae).
    SellerSupplier,
    /// Extension: for whom it was ordered (`OriginatorCustomerParty`).
    Originator,
    /// Extension: who acts for a party (`AgentParty`), or for the seller (`SalesAgentTradeParty`).
    Agent,
    /// Extension (Factur-X): `BuyerAgentTradeParty`.
    BuyerAgent,
    /// Extension (Factur-X): `BuyerTaxRepresentativeTradeParty`.
    BuyerTaxRepresentative,
    /// Extension (Factur-X): `ProductEndUserTradeParty`.
    EndUser,
    /// Extension (Factur-X): `InvoicerTradeParty`.
    Invoicer,
    /// Extension (Factur-X): `InvoiceeTradeParty`.
    Invoicee,
    /// Extension (Factur-X): `PayerTradeParty`.
    Payer,
    /// Extension (Factur-X): `UltimateShipToTradeParty`.
    UltimateShipTo,
    /// Extension (Factur-X): `ShipFromTradeParty`.
    ShipFrom,
    /// Extension: any other role; the element says which.
    Other,
}

impl PartyRole {
    /// Whether the name of a party in this role is the registered one (BT-27, BT-44), beside which
    /// it may trade under another (BT-28, BT-45).
    pub const fn is_registered_by_name(self) -> bool {
        matches!(self, PartyRole::Seller | PartyRole::Buyer)
    }
}

/// A party in some role. In UBL its element is `Party` (or the role element that has no `Party`),
/// in CII the `…TradeParty`.
#[derive(Debug, Clone)]
pub struct Party<'d> {
    /// In which role.
    pub role: PartyRole,
    /// The element that is the group.
    pub element: quoin_xml::tree::Element<'d>,
    /// BT-34, BT-49: the electronic address and its scheme (BT-34-1, BT-49-1).
    pub endpoint: Field<Identifier<'d>>,
    /// BT-29, BT-46, BT-60: identifiers. The creditor identifier (BT-90, scheme `SEPA` in UBL) is
    /// not among them but in [`super::Payment::creditor_identifier`].
    pub identifiers: Field<Identifier<'d>>,
    /// BT-27, BT-44 (in UBL `PartyLegalEntity/RegistrationName`), BT-59, BT-62, BT-70 (in UBL
    /// `PartyName/Name`).
    pub name: Field<Text<'d>>,
    /// BT-28, BT-45: the name under which it trades, if it differs.
    pub trading_name: Field<Text<'d>>,
    /// BT-30, BT-47, BT-61: the legal registration and its scheme.
    pub legal_registration: Field<Identifier<'d>>,
    /// BT-33: additional legal information (`CompanyLegalForm`, `Description`).
    pub legal_information: Field<Text<'d>>,
    /// BT-31, BT-32, BT-48, BT-63: registrations for tax, each with its tax scheme.
    pub tax_registrations: Vec<TaxRegistration<'d>>,
    /// BG-5, BG-8, BG-12, BG-15: the postal address.
    pub address: Field<PostalAddress<'d>>,
    /// BG-6, BG-9: the contact.
    pub contact: Field<Contact<'d>>,
    /// What only extensions have.
    pub extensions: Option<Box<PartyExtensions<'d>>>,
}

impl<'d> Party<'d> {
    /// The party at this element with nothing read yet.
    pub fn new(role: PartyRole, element: quoin_xml::tree::Element<'d>) -> Self {
        Party {
            role,
            element,
            endpoint: Field::default(),
            identifiers: Field::default(),
            name: Field::default(),
            trading_name: Field::default(),
            legal_registration: Field::default(),
            legal_information: Field::default(),
            tax_registrations: Vec::new(),
            address: Field::default(),
            contact: Field::default(),
            extensions: None,
        }
    }

    /// BT-31, BT-48, BT-63: the identifiers for VAT.
    pub fn vat_identifiers(&self) -> impl Iterator<Item = Identifier<'d>> {
        self.registrations(TaxRegistrationKind::Vat)
    }

    /// BT-32: the registrations for tax other than VAT.
    pub fn other_tax_registrations(&self) -> impl Iterator<Item = Identifier<'d>> {
        self.registrations(TaxRegistrationKind::Other)
    }

    fn registrations(&self, kind: TaxRegistrationKind) -> impl Iterator<Item = Identifier<'d>> {
        let of_kind = self.tax_registrations.iter().filter(move |one| one.kind() == kind);
        of_kind.flat_map(|registration| registration.id.iter().copied())
    }

    /// BT-40, BT-55, BT-69: the country of the first address.
    pub fn country(&self) -> Option<CountryCode<'d>> {
        self.address.first()?.country.get()
    }
}

group! {
    /// BG-5, BG-8, BG-12, BG-15: a postal address.
    PostalAddress {
        /// BT-35, BT-50, BT-64, BT-75: line 1.
        line1: Field<Text<'d>>,
        /// BT-36, BT-51, BT-65, BT-76: line 2.
        line2: Field<Text<'d>>,
        /// BT-162, BT-163, BT-164, BT-165: line 3.
        line3: Field<Text<'d>>,
        /// BT-37, BT-52, BT-66, BT-77: the city.
        city: Field<Text<'d>>,
        /// BT-38, BT-53, BT-67, BT-78: the post code.
        post_code: Field<Text<'d>>,
        /// BT-39, BT-54, BT-68, BT-79: the subdivision of the country.
        subdivision: Field<Text<'d>>,
        /// BT-40, BT-55, BT-69, BT-80: the country.
        country: Field<CountryCode<'d>>,
        /// Extension (PINT my, om): the subdivision as a code (`CountrySubentityCode`).
        subdivision_code: Field<Code<'d>>,
        /// Extension: the name of the country (`Country/Name`, `CountryName`).
        country_name: Field<Text<'d>>,
        /// Extension (UBL): the number of the building, which SI-UBL 1 and OIOUBL write.
        building_number: Field<Text<'d>>,
        /// Extension: the post office box (`Postbox`, `PostOfficeBox`).
        post_box: Field<Text<'d>>,
        /// Extension (UBL): identifier of the address (`cbc:ID`).
        id: Field<Identifier<'d>>,
        /// Extension (UBL): department, district, floor, region and other parts that EN has not.
        others: Vec<Text<'d>>,
    }
}

group! {
    /// BG-6, BG-9: a contact.
    Contact {
        /// BT-41, BT-56: the contact point (`Name`, `PersonName`).
        name: Field<Text<'d>>,
        /// BT-41, BT-56 too: the department (`DepartmentName`), which only CII has beside it.
        department: Field<Text<'d>>,
        /// BT-42, BT-57: the telephone number.
        telephone: Field<Text<'d>>,
        /// BT-43, BT-58: the e-mail address.
        email: Field<Text<'d>>,
        /// Extension: the fax number.
        telefax: Field<Text<'d>>,
        /// Extension: identifier of the contact.
        id: Field<Identifier<'d>>,
        /// Extension (Factur-X): the kind of contact (`TypeCode`).
        type_code: Field<Code<'d>>,
        /// Extension (UBL): a note.
        note: Field<Text<'d>>,
    }
}

impl<'d> Contact<'d> {
    /// BT-41, BT-56: the contact point: the person, else the department.
    pub fn point(&self) -> Option<Text<'d>> {
        self.name.get().or_else(|| self.department.get())
    }
}

/// What a registration for tax is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaxRegistrationKind {
    /// Value added tax: `VAT` in UBL, `VA` in CII.
    Vat,
    /// Anything else, and where nothing is said.
    Other,
}

group! {
    /// BT-31, BT-32, BT-48, BT-63: one registration for tax.
    ///
    /// In UBL its element is `PartyTaxScheme`, in CII `SpecifiedTaxRegistration`.
    TaxRegistration {
        /// The identifier itself.
        id: Field<Identifier<'d>>,
        /// For which tax: `TaxScheme/ID` in UBL.
        scheme: Field<TaxSchemeCode<'d>>,
        /// Extension: the kind of tax (`TaxScheme/TaxTypeCode`).
        scheme_type: Field<Code<'d>>,
        /// Extension: the name of the tax (`TaxScheme/Name`).
        scheme_name: Field<Text<'d>>,
        /// Extension (UBL): the name under which it is registered.
        registration_name: Field<Text<'d>>,
        /// Extension (UBL): the level at which it is taxed (`TaxLevelCode`).
        level: Field<Code<'d>>,
        /// Extension (UBL): why it is exempt.
        exemption_reason: Field<Text<'d>>,
        /// Extension (UBL): why it is exempt, as a code.
        exemption_reason_code: Field<Code<'d>>,
    }
}

impl<'d> TaxRegistration<'d> {
    /// For which tax: the text of the tax scheme (UBL), else the scheme of the identifier (CII).
    pub fn scheme_source(&self) -> Option<ValueSource<'d>> {
        match self.scheme.get() {
            Some(scheme) => Some(*scheme),
            None => self.id.get()?.scheme(),
        }
    }

    /// Whether it is for VAT.
    pub fn kind(&self) -> TaxRegistrationKind {
        let is = |text: &str, wanted: &str| text.eq_ignore_ascii_case(wanted);
        let in_ubl = self.scheme.iter().any(|scheme| is(&scheme.trimmed(), "VAT"));
        let in_cii = || self.id.iter().filter_map(|id| id.scheme()).any(|scheme| scheme.is("VA"));
        let vat = in_ubl || (self.scheme.is_absent() && in_cii());
        if vat { TaxRegistrationKind::Vat } else { TaxRegistrationKind::Other }
    }
}

/// What a party has beyond EN 16931.
#[derive(Debug, Clone, Default)]
pub struct PartyExtensions<'d> {
    /// UBL: the registered name of a party of which the name in EN 16931 is `PartyName/Name`.
    pub registration_name: Field<Text<'d>>,
    /// PINT my: the industry (`IndustryClassificationCode`).
    pub industry: Field<Code<'d>>,
    /// PINT om: accounts (`CustomerAssignedAccountID`, `SupplierAssignedAccountID`,
    /// `AdditionalAccountID`).
    pub account_ids: Field<Identifier<'d>>,
    /// UBL: the web site (`WebsiteURI`).
    pub website: Field<Text<'d>>,
    /// The language of the party (`Language/ID`).
    pub language: Field<Code<'d>>,
    /// UBL, Factur-X: the address of registration.
    pub registration_address: Field<PostalAddress<'d>>,
    /// The role as a code (Factur-X `RoleCode`).
    pub role_code: Field<Code<'d>>,
    /// PINT om: who acts for it (`AgentParty`).
    pub agents: Vec<Party<'d>>,
    /// UBL: natural persons (`Person`): first, middle and family names and titles, in order.
    pub persons: Vec<Text<'d>>,
    /// Factur-X: legal form as a code (`LegalClassificationCode`).
    pub legal_classification: Field<Code<'d>>,
    /// UBL: further contacts of the role (`SellerContact`, `AccountingContact`, …).
    pub contacts: Vec<Contact<'d>>,
    /// FatturaPA: what only Italy has.
    pub italy: Option<Box<super::ItalianParty<'d>>>,
    /// SETU: further addresses, such as that for mail; what each is for is among its other texts.
    pub addresses: Vec<PostalAddress<'d>>,
    /// SETU: what is said of the party.
    pub description: Field<Text<'d>>,
}
