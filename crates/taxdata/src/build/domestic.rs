//! What France wants of a domestic invoice (flux 1): an invoice or credit note of UBL with less in
//! it.

use quoin_formats::ubl::{CAC, CBC};

use super::extract;
use super::markup::Markup;
use super::rows::{self, ANY, ElementContent, ElementRow, Told, attributed, group, text};
use crate::invoice::ReportableInvoice;

/// The extract of an invoice by a specification, with or without its lines.
pub(crate) fn write(
    invoice: &ReportableInvoice<'_>,
    specification: &str,
    with_lines: bool,
) -> Vec<u8> {
    let mut out = Markup::new();
    let Some(root) = invoice.root() else { return out.finish() };
    let told = Told::of(invoice.terms(), specification);
    out.document(root.local(), &[("ubl", root.namespace()), ("cac", CAC), ("cbc", CBC)]);
    rows::write(HEAD, root, &told, &mut out);
    rows::write(extract::TOTALS, root, &told, &mut out);
    rows::write(&[LEGAL_TOTAL], root, &told, &mut out);
    if with_lines {
        rows::write(LINES, root, &told, &mut out);
    }
    out.finish()
}

/// From the specification to the payment, in the order of UBL, which is another one in credit
/// notes: rows of one name stand twice and each is told where it belongs.
const HEAD: &[ElementRow] = &[
    text(&[], "CustomizationID").content(ElementContent::Given),
    text(&["ProfileID"], "ProfileID"),
    text(&["ID"], "ID"),
    text(&["IssueDate"], "IssueDate"),
    text(&["DueDate"], "DueDate"),
    text(&["InvoiceTypeCode"], "InvoiceTypeCode"),
    text(&["CreditNoteTypeCode"], "CreditNoteTypeCode"),
    text(&["Note"], "Note").most(ANY),
    text(&["DocumentCurrencyCode"], "DocumentCurrencyCode"),
    text(&["TaxCurrencyCode"], "TaxCurrencyCode"),
    extract::PERIOD,
    extract::REFERENCES,
    group(&["AccountingSupplierParty"], "AccountingSupplierParty", &[PARTY]),
    group(&["AccountingCustomerParty"], "AccountingCustomerParty", &[PARTY]),
    group(
        &["TaxRepresentativeParty"],
        "TaxRepresentativeParty",
        &[extract::COUNTRY, extract::VAT_NUMBER],
    ),
    group(
        &["Delivery"],
        "Delivery",
        &[
            text(&["ActualDeliveryDate"], "ActualDeliveryDate"),
            group(
                &["DeliveryLocation"],
                "DeliveryLocation",
                &[group(
                    &["Address"],
                    "Address",
                    &[group(
                        &["Country"],
                        "Country",
                        &[text(&["IdentificationCode"], "IdentificationCode")],
                    )],
                )],
            ),
        ],
    ),
    extract::ALLOWANCES,
];

/// Country, VAT number and SIREN.
const PARTY: ElementRow = group(
    &["Party"],
    "Party",
    &[
        extract::COUNTRY,
        extract::VAT_NUMBER,
        group(
            &["PartyLegalEntity"],
            "PartyLegalEntity",
            &[attributed(&["CompanyID"], "CompanyID", &["schemeID"])],
        ),
    ],
);

const LEGAL_TOTAL: ElementRow =
    group(&["LegalMonetaryTotal"], "LegalMonetaryTotal", extract::AMOUNTS);

/// Lines with the names that they have in UBL.
const LINES: &[ElementRow] = &[
    group(&["InvoiceLine"], "InvoiceLine", extract::INVOICE_LINE).most(ANY),
    group(&["CreditNoteLine"], "CreditNoteLine", extract::CREDIT_LINE).most(ANY),
];
