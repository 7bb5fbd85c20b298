//! What the ViDA pilot and Slovakia want of an invoice: the terms of EN 16931 that matter for VAT.
//!
//! Sources: tax data documents of the ViDA pilot 1.0.0 and 1.1.0 and of Slovakia 1.0.0, TDG-02;
//! rules ibr-tdd-25 to 85, which say what may stand where.

use super::rows::{ANY, ElementContent, ElementRow, When, amount, attributed, group, text};

/// TDG-02: the reported document.
pub(super) const ROWS: &[ElementRow] = &[
    text(&["CustomizationID"], "CustomizationID"),
    text(&["ProfileID"], "ProfileID").content(ElementContent::Process),
    text(&["ID"], "ID"),
    text(&[], "UUID").content(ElementContent::Given),
    text(&["IssueDate"], "IssueDate"),
    text(&["IssueTime"], "IssueTime"),
    text(&["InvoiceTypeCode", "CreditNoteTypeCode"], "DocumentTypeCode").of_report(),
    text(&["Note"], "Note").content(ElementContent::Texts),
    text(&["TaxPointDate"], "TaxPointDate"),
    text(&["DocumentCurrencyCode"], "DocumentCurrencyCode"),
    text(&["TaxCurrencyCode"], "TaxCurrencyCode"),
    PERIOD,
    REFERENCES,
    group(
        &["AccountingSupplierParty"],
        "AccountingSupplierParty",
        &[group(&["Party"], "Party", &[COUNTRY, VAT_NUMBER])],
    ),
    group(
        &["AccountingCustomerParty"],
        "AccountingCustomerParty",
        &[group(
            &["Party"],
            "Party",
            &[
                COUNTRY,
                VAT_NUMBER,
                group(
                    &["PartyLegalEntity"],
                    "PartyLegalEntity",
                    &[text(&["RegistrationName"], "RegistrationName")],
                ),
            ],
        )],
    ),
    group(&["TaxRepresentativeParty"], "TaxRepresentativeParty", &[COUNTRY, VAT_NUMBER]),
    group(&["Delivery"], "Delivery", &[text(&["ActualDeliveryDate"], "ActualDeliveryDate")]),
    PAYMENT_MEANS,
    ALLOWANCES,
    IN_DOCUMENT_CURRENCY,
    IN_TAX_CURRENCY,
    group(&["LegalMonetaryTotal"], "MonetaryTotal", AMOUNTS).of_report(),
    group(&["InvoiceLine", "CreditNoteLine"], "DocumentLine", LINE).of_report().most(ANY),
];

/// BT-40, BT-55, BT-69: nothing else of the address.
pub(super) const COUNTRY: ElementRow = group(
    &["PostalAddress"],
    "PostalAddress",
    &[group(&["Country"], "Country", &[text(&["IdentificationCode"], "IdentificationCode")])],
);

/// BT-31, BT-48, BT-63.
pub(super) const VAT_NUMBER: ElementRow =
    group(&["PartyTaxScheme"], "PartyTaxScheme", &[text(&["CompanyID"], "CompanyID"), SCHEME])
        .when(When::OfVat);

const SCHEME: ElementRow = group(&["TaxScheme"], "TaxScheme", &[text(&["ID"], "ID")]);

/// Category and rate of an allowance or a line.
const CATEGORY: &[ElementRow] = &[text(&["ID"], "ID"), text(&["Percent"], "Percent"), SCHEME];

/// BG-16.
const PAYMENT_MEANS: ElementRow = group(
    &["PaymentMeans"],
    "PaymentMeans",
    &[
        attributed(&["PaymentMeansCode"], "PaymentMeansCode", &["name"]),
        text(&["PaymentID"], "PaymentID"),
        group(
            &["CardAccount"],
            "CardAccount",
            &[
                text(&["PrimaryAccountNumberID"], "PrimaryAccountNumberID"),
                text(&["NetworkID"], "NetworkID"),
                text(&["HolderName"], "HolderName"),
            ],
        ),
        group(
            &["PayeeFinancialAccount"],
            "PayeeFinancialAccount",
            &[
                text(&["ID"], "ID"),
                group(
                    &["FinancialInstitutionBranch"],
                    "FinancialInstitutionBranch",
                    &[text(&["ID"], "ID")],
                ),
            ],
        ),
        group(
            &["PaymentMandate"],
            "PaymentMandate",
            &[
                text(&["ID"], "ID"),
                group(&["PayerFinancialAccount"], "PayerFinancialAccount", &[text(&["ID"], "ID")]),
            ],
        ),
    ],
)
.most(ANY)
.when(When::PaymentMeans);

/// BT-110, BT-111.
const TAX_AMOUNT: ElementRow = amount(&["TaxAmount"], "TaxAmount").content(ElementContent::Amount);

/// BG-23.
const SUBTOTAL: ElementRow = group(
    &["TaxSubtotal"],
    "TaxSubtotal",
    &[
        amount(&["TaxableAmount"], "TaxableAmount"),
        TAX_AMOUNT,
        group(
            &["TaxCategory"],
            "TaxCategory",
            &[
                text(&["ID"], "ID"),
                text(&["Percent"], "Percent"),
                text(&["TaxExemptionReasonCode"], "TaxExemptionReasonCode")
                    .when(When::ExemptionReasons),
                text(&["TaxExemptionReason"], "TaxExemptionReason").when(When::ExemptionReasons),
                SCHEME,
            ],
        ),
    ],
)
.most(ANY);

/// BG-25, with the quantity under one name.
const LINE: &[ElementRow] = &[
    text(&["ID"], "ID"),
    LINE_NOTE,
    attributed(&["InvoicedQuantity", "CreditedQuantity"], "InvoicedQuantity", &["unitCode"]),
    amount(&["LineExtensionAmount"], "LineExtensionAmount"),
    LINE_PERIOD,
    LINE_ALLOWANCES,
    ITEM,
    PRICE,
];

/// BG-25 of an invoice of UBL.
pub(super) const INVOICE_LINE: &[ElementRow] = &[
    text(&["ID"], "ID"),
    LINE_NOTE,
    attributed(&["InvoicedQuantity"], "InvoicedQuantity", &["unitCode"]),
    amount(&["LineExtensionAmount"], "LineExtensionAmount"),
    LINE_PERIOD,
    LINE_ALLOWANCES,
    ITEM,
    GROSS_PRICE,
];

/// BG-25 of a credit note of UBL.
pub(super) const CREDIT_LINE: &[ElementRow] = &[
    text(&["ID"], "ID"),
    LINE_NOTE,
    attributed(&["CreditedQuantity"], "CreditedQuantity", &["unitCode"]),
    amount(&["LineExtensionAmount"], "LineExtensionAmount"),
    LINE_PERIOD,
    LINE_ALLOWANCES,
    ITEM,
    GROSS_PRICE,
];

/// BG-29 with the price before its discount.
const GROSS_PRICE: ElementRow = group(
    &["Price"],
    "Price",
    &[
        amount(&["PriceAmount"], "PriceAmount"),
        attributed(&["BaseQuantity"], "BaseQuantity", &["unitCode"]),
        group(&[], "AllowanceCharge", &[]).content(ElementContent::GrossPrice),
    ],
);

/// BT-127.
const LINE_NOTE: ElementRow = text(&["Note"], "Note").content(ElementContent::Texts);

/// BG-26.
const LINE_PERIOD: ElementRow = group(
    &["InvoicePeriod"],
    "InvoicePeriod",
    &[text(&["StartDate"], "StartDate"), text(&["EndDate"], "EndDate")],
);

/// BG-27, BG-28.
const LINE_ALLOWANCES: ElementRow = group(
    &["AllowanceCharge"],
    "AllowanceCharge",
    &[
        text(&["ChargeIndicator"], "ChargeIndicator"),
        text(&["AllowanceChargeReasonCode"], "AllowanceChargeReasonCode"),
        text(&["AllowanceChargeReason"], "AllowanceChargeReason"),
        text(&["MultiplierFactorNumeric"], "MultiplierFactorNumeric"),
        amount(&["Amount"], "Amount"),
        amount(&["BaseAmount"], "BaseAmount"),
    ],
)
.most(ANY);

/// BG-31 and BG-30.
const ITEM: ElementRow = group(
    &["Item"],
    "Item",
    &[
        text(&["Description"], "Description"),
        text(&["Name"], "Name"),
        group(
            &["CommodityClassification"],
            "CommodityClassification",
            &[attributed(&["ItemClassificationCode"], "ItemClassificationCode", &["listID"])],
        )
        .most(ANY),
        group(&["ClassifiedTaxCategory"], "ClassifiedTaxCategory", CATEGORY),
    ],
);

/// BG-29: the net price.
const PRICE: ElementRow = group(
    &["Price"],
    "Price",
    &[
        amount(&["PriceAmount"], "PriceAmount"),
        attributed(&["BaseQuantity"], "BaseQuantity", &["unitCode"]),
    ],
);

/// BG-14.
pub(super) const PERIOD: ElementRow = group(
    &["InvoicePeriod"],
    "InvoicePeriod",
    &[
        text(&["StartDate"], "StartDate"),
        text(&["EndDate"], "EndDate"),
        text(&["DescriptionCode"], "DescriptionCode"),
    ],
);

/// BG-3.
pub(super) const REFERENCES: ElementRow = group(
    &["BillingReference"],
    "BillingReference",
    &[group(
        &["InvoiceDocumentReference"],
        "InvoiceDocumentReference",
        &[text(&["ID"], "ID"), text(&["IssueDate"], "IssueDate")],
    )],
)
.most(ANY);

/// BG-20, BG-21.
pub(super) const ALLOWANCES: ElementRow = group(
    &["AllowanceCharge"],
    "AllowanceCharge",
    &[
        text(&["ChargeIndicator"], "ChargeIndicator"),
        text(&["AllowanceChargeReasonCode"], "AllowanceChargeReasonCode"),
        text(&["AllowanceChargeReason"], "AllowanceChargeReason"),
        text(&["MultiplierFactorNumeric"], "MultiplierFactorNumeric"),
        amount(&["Amount"], "Amount"),
        amount(&["BaseAmount"], "BaseAmount"),
        group(&["TaxCategory"], "TaxCategory", CATEGORY),
    ],
)
.most(ANY);

/// BT-110 and BG-23.
const IN_DOCUMENT_CURRENCY: ElementRow =
    group(&["TaxTotal"], "TaxTotal", &[TAX_AMOUNT, SUBTOTAL]).when(When::InDocumentCurrency);
/// BT-111.
const IN_TAX_CURRENCY: ElementRow =
    group(&["TaxTotal"], "TaxTotal", &[TAX_AMOUNT]).when(When::InTaxCurrency);
/// Both.
pub(super) const TOTALS: &[ElementRow] = &[IN_DOCUMENT_CURRENCY, IN_TAX_CURRENCY];

/// BG-22.
pub(super) const AMOUNTS: &[ElementRow] = &[
    amount(&["LineExtensionAmount"], "LineExtensionAmount"),
    amount(&["TaxExclusiveAmount"], "TaxExclusiveAmount"),
    amount(&["TaxInclusiveAmount"], "TaxInclusiveAmount"),
    amount(&["AllowanceTotalAmount"], "AllowanceTotalAmount"),
    amount(&["ChargeTotalAmount"], "ChargeTotalAmount"),
    amount(&["PrepaidAmount"], "PrepaidAmount"),
    amount(&["PayableRoundingAmount"], "PayableRoundingAmount"),
    amount(&["PayableAmount"], "PayableAmount"),
];
