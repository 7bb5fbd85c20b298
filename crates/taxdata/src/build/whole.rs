//! What the Emirates and Oman want of an invoice: a few terms, their custom terms, and the invoice.
//!
//! Sources: Peppol tax data documents AE 1.0.4 and OM 1.0.1, tdg-02; PINT AE and PINT OM for the
//! custom terms.

use super::markup::Markup;
use super::rows::{ElementContent, ElementRow, When, amount, attributed, group, text};
use crate::assumed::CUSTOM_TERMS;
use crate::regime::{PREFIX, Regime};
use crate::terms::InvoiceTerms;

/// tdg-02: the reported document.
pub(super) const ROWS: &[ElementRow] = &[
    text(&["CustomizationID"], "CustomizationID"),
    text(&["ProfileID"], "ProfileID").content(ElementContent::Process),
    text(&["ID"], "ID"),
    text(&[], "UUID").content(ElementContent::Given),
    text(&["IssueDate"], "IssueDate"),
    text(&["IssueTime"], "IssueTime"),
    text(&["InvoiceTypeCode", "CreditNoteTypeCode"], "DocumentTypeCode").of_report(),
    text(&["DocumentCurrencyCode"], "DocumentCurrencyCode"),
    text(&["TaxCurrencyCode"], "TaxCurrencyCode"),
    group(
        &["AccountingSupplierParty"],
        "AccountingSupplierParty",
        &[
            text(&["AdditionalAccountID"], "AdditionalAccountID").when(When::In(Regime::Oman)),
            group(&["Party"], "Party", &[NUMBER, NAME]).kept(),
        ],
    )
    .kept(),
    group(
        &["AccountingCustomerParty"],
        "AccountingCustomerParty",
        &[group(
            &["Party"],
            "Party",
            &[
                group(
                    &["PartyIdentification"],
                    "PartyIdentification",
                    &[attributed(&["ID"], "ID", &["schemeID"])],
                )
                .when(When::In(Regime::Emirates)),
                NUMBER,
                NAME,
            ],
        )
        .kept()],
    )
    .kept(),
    TAX_TOTAL.when(When::InDocumentCurrency),
    TAX_TOTAL.when(When::InTaxCurrency),
    group(
        &["LegalMonetaryTotal"],
        "MonetaryTotal",
        &[amount(&["TaxExclusiveAmount"], "TaxExclusiveAmount")],
    )
    .of_report(),
];

/// ibt-031 or ibt-032, ibt-048: one number, of any scheme.
const NUMBER: ElementRow = group(
    &["PartyTaxScheme"],
    "PartyTaxScheme",
    &[
        text(&["CompanyID"], "CompanyID"),
        group(&["TaxScheme"], "TaxScheme", &[text(&["ID"], "ID")]),
    ],
);

/// ibt-027, ibt-044, which Oman wants.
const NAME: ElementRow = group(
    &["PartyLegalEntity"],
    "PartyLegalEntity",
    &[text(&["RegistrationName"], "RegistrationName")],
)
.when(When::In(Regime::Oman));

/// ibt-110, ibt-111.
const TAX_TOTAL: ElementRow = group(
    &["TaxTotal"],
    "TaxTotal",
    &[amount(&["TaxAmount"], "TaxAmount").content(ElementContent::Amount)],
);

/// tdg-04: the terms of the country that are not in PINT, of an invoice in another currency.
pub(super) fn custom_content(regime: Regime, terms: InvoiceTerms<'_>, out: &mut Markup) {
    let tax_currency = terms.text("TaxCurrencyCode");
    if tax_currency.is_none() || tax_currency == terms.text("DocumentCurrencyCode") {
        return;
    }
    for (of, code, term) in CUSTOM_TERMS {
        let value = terms.described(code).filter(|_| Some(*of) == regime.row().country);
        let Some(value) = value.as_deref().map(without_currency) else { continue };
        out.open(PREFIX, "CustomContent");
        out.value("cbc", "ID", term);
        out.value("cbc", "Value", value);
        out.close();
    }
}

/// An amount that may stand behind its currency: `AED 1700`.
fn without_currency(text: &str) -> &str {
    text.rsplit_once(char::is_whitespace).map_or(text, |(_, amount)| amount)
}
