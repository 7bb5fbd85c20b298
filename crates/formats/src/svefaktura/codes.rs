//! Codes and attributes of Svefaktura in the words of EN 16931.
//!
//! Source: SFTI Basic Invoice 1.0 and the SFTI guide on its mapping to EN 16931 (1.4).

use quoin_model::en16931::AttributeName;

use crate::reading::CodeTable;

/// Attributes of UBL 1.0 core component types, by those of the model. `name`, `languageID`,
/// `mimeCode`, `filename` and `format` are called the same.
pub(super) const ATTRIBUTES: &[(&str, AttributeName)] = &[
    ("amountCurrencyID", AttributeName::CurrencyId),
    ("quantityUnitCode", AttributeName::UnitCode),
    ("quantityUnitCodeListID", AttributeName::UnitCodeListId),
    ("identificationSchemeID", AttributeName::SchemeId),
    ("identificationSchemeName", AttributeName::SchemeName),
    ("identificationSchemeAgencyID", AttributeName::SchemeAgencyId),
    ("identificationSchemeAgencyName", AttributeName::SchemeAgencyName),
    ("identificationSchemeVersionID", AttributeName::SchemeVersionId),
    ("codeListID", AttributeName::ListId),
    ("codeListName", AttributeName::ListName),
    ("codeListAgencyID", AttributeName::ListAgencyId),
    ("codeListAgencyName", AttributeName::ListAgencyName),
    ("codeListVersionID", AttributeName::ListVersionId),
];

/// The agency of identifiers that are GLN or GTIN: GS1.
pub(super) const GS1: &str = "9";
/// Scheme of a global location number.
pub(super) const GLN: &str = "0088";
/// Scheme of a global trade item number.
pub(super) const GTIN: &str = "0160";
/// Scheme of a Swedish organisation number.
pub(super) const ORGANISATION: &str = "0007";

/// The kind of a payment is not told (`1`): a domestic transfer, or a SEPA one to an IBAN.
pub(super) const DOMESTIC: CodeTable = &[("1", "30")];
/// The same to an IBAN.
pub(super) const SEPA: CodeTable = &[("1", "58")];

/// Giro systems as payment service providers (BT-86).
pub(super) const PROVIDERS: CodeTable = &[("SE:BANKGIRO", "BGABSESS"), ("SE:PLUSGIRO", "PGSISESS")];

/// Countries that the list of the schema (ISO 3166-1 of 2004) has not.
pub(super) const TOO_NEW_COUNTRIES: &[&str] = &[
    "1A", "AX", "BL", "BQ", "CW", "GG", "IM", "JE", "ME", "MF", "RS", "SS", "SX", "XI", "XK", "EL",
];

/// Currencies that the list of the schema (ISO 4217 of 2004) has not.
pub(super) const TOO_NEW_CURRENCIES: &[&str] = &[
    "AZN", "BOV", "BYN", "CHE", "CHW", "CLF", "CNH", "COU", "GHS", "MGA", "MRU", "MXV", "MZN",
    "RON", "RSD", "SDG", "SLE", "SRD", "SSP", "STN", "TMT", "TRY", "USN", "UYI", "UYW", "VED",
    "VES", "XAD", "XBA", "XBB", "XBC", "XBD", "XCG", "XSU", "XTS", "XUA", "XXX", "ZMW", "ZWG",
    "ZWL",
];
