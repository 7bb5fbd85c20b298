//! The semantic model of an invoice: EN 16931-1 by business group, plus typed extensions.
//!
//! A reader makes an [`Invoice`] from a tree of either syntax; rules, writers
//! and views start from it. Three properties carry it:
//!
//! * **Values are views.** A [`Text`], [`Amount`] or [`Identifier`] is the place of an element or
//!   an attribute in the tree ([`Source`]). Its text is the document's own, digit for digit; its
//!   number or date is parsed when asked for; its XPath, line and column are always at hand.
//! * **Presence is not content.** A [`Field`] holds every occurrence that the document has, so an
//!   absent, an empty, a zero and a repeated term are four different things.
//! * **Unknown codes are values.** A code is a newtype over what the document says; whether a
//!   list knows it is the business of a rule.
//!
//! Source: EN 16931-1:2017+A1:2019 (164 business terms, 32 business groups); CEN/TS 16931-3-2
//! (UBL) and 16931-3-3 (CII) for where they stand.

mod allowance;
mod austria;
mod codes;
mod delivery;
mod derived;
mod extensions;
mod field;
pub(crate) mod group;
mod invoice;
mod italy;
mod item;
mod line;
mod netherlands;
mod party;
mod payment;
mod poland;
mod references;
mod source;
mod terms;
mod totals;
mod value;
mod vat;

pub use allowance::AllowanceCharge;
pub use austria::{AustrianExtensions, AustrianPayment, BelowTheLine, LineGroup};
pub use codes::{
    Code, CountryCode, CurrencyCode, DocumentTypeCode, InvoiceTypeCode, NoteSubjectCode,
    PaymentMeansCode, ReasonCode, ReferenceTypeCode, TaxPointDateCode, TaxSchemeCode, UnitCode,
    VatCategoryCode, VatexCode,
};
pub use delivery::{DeliveryInformation, DeliveryTerms, Period, Shipment};
pub use derived::{Agreement, Derivation};
pub use extensions::{ExchangeRate, Extensions, LogisticsCharge, PrepaidPayment, WithholdingTax};
pub use field::Field;
pub use invoice::{Invoice, Note, ProcessControl, Root};
pub use italy::{
    IncludedVat, ItalianExtensions, ItalianLine, ItalianParty, ItalianPayment, ItalianReference,
    ItalianTransport, SocialFund, StampDuty, Vehicle,
};
pub use item::{Classification, ItemAttribute, ItemExtensions, ItemInformation, ItemInstance};
pub use line::{Line, LineExtensions, LineTax, OrderLineReference, Price, PriceExtension};
pub use netherlands::{
    BlockedAccount, DutchExtensions, DutchLine, DutchProcessing, StaffingGroup, StaffingReference,
    StaffingRequirements,
};
pub use party::{
    Contact, Party, PartyExtensions, PartyRole, PostalAddress, TaxRegistration, TaxRegistrationKind,
};
pub use payment::{
    Card, CreditTransfer, DirectDebit, Payment, PaymentMeans, PaymentTerms, TermsAdjustment,
};
pub use poland::{
    PolishAccount, PolishAddress, PolishAdvanceInvoice, PolishAdvancePart, PolishAgreement,
    PolishAnnotations, PolishAttachment, PolishBody, PolishColumn, PolishColumns, PolishConditions,
    PolishContact, PolishCorrectedInvoice, PolishDataBlock, PolishDataTable, PolishDue,
    PolishDueEvent, PolishExemption, PolishFact, PolishFooter, PolishHeader, PolishInvoice,
    PolishInvoiceRow, PolishMargin, PolishMetadata, PolishNewTransport, PolishNote, PolishOrder,
    PolishOrderRow, PolishParagraphs, PolishPartPayment, PolishParty, PolishPartyIds,
    PolishPayment, PolishPeriod, PolishPurchaseOrder, PolishRegister, PolishRow, PolishSettlement,
    PolishSettlementEntry, PolishSkonto, PolishSum, PolishSum13, PolishTableMetadata,
    PolishTransport, PolishVehicle,
};
pub use references::{DocumentReference, References};
pub use source::{AttributeName, ValueSource};
pub use terms::BusinessTerm;
pub use totals::{TaxTotal, Totals};
pub use value::{
    Amount, Binary, Date, Identifier, Indicator, Number, Percentage, Quantity, Text, Time,
    ValueType,
};
pub use vat::{TaxCategory, VatBreakdown};

#[cfg(test)]
mod tests;
