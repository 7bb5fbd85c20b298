//! Which terms stand where in a report, one row an element. Data.
//!
//! Sources: EN 16931-1 (business terms) with the UBL places of EN 16931-3-2; tax data documents of
//! ViDA and Slovakia (TDT, TDG); of the Emirates and Oman (tdt); PINT AE and PINT OM.

use crate::regime::{Regime, ReportModel};

/// The terms of one element.
pub(super) struct PlaceRow {
    /// Its path by local names, from the reported document or from the document element.
    pub(super) path: &'static str,
    pub(super) terms: &'static [&'static str],
}

const fn row(path: &'static str, terms: &'static [&'static str]) -> PlaceRow {
    PlaceRow { path, terms }
}

/// The rows of the reported document of a regime.
pub(super) fn of_document(regime: Regime) -> &'static [PlaceRow] {
    match regime {
        Regime::Vida10 | Regime::Vida11 | Regime::Slovakia => EXTRACT,
        Regime::Emirates => EMIRATES,
        Regime::Oman => OMAN,
    }
}

/// The rows of everything around it.
pub(super) fn envelope(regime: Regime) -> &'static [PlaceRow] {
    match regime.row().model {
        ReportModel::Extract => EXTRACT_ENVELOPE,
        ReportModel::Whole => WHOLE_ENVELOPE,
    }
}

const EXTRACT_ENVELOPE: &[PlaceRow] = &[
    row("CustomizationID", &["TDT-001"]),
    row("ProfileID", &["TDT-002"]),
    row("UUID", &["TDT-003"]),
    row("IssueDate", &["TDT-004"]),
    row("IssueTime", &["TDT-005"]),
    row("DocumentScope", &["TDT-006"]),
    row("TaxDataTypeCode", &["TDT-007"]),
    row("TaxAuthority", &["TDG-04"]),
    row("TaxAuthority/ID", &["TDT-010"]),
    row("TaxAuthority/Name", &["TDT-011"]),
    row("ReporterRole", &["TDT-012"]),
    row("ReportingParty", &["TDT-013"]),
    row("ReceivingParty", &["TDT-014"]),
    row("ReportersRepresentative", &["TDT-015"]),
    row("ReportedTransaction/TransmissionUUID", &["TDT-018"]),
];

const WHOLE_ENVELOPE: &[PlaceRow] = &[
    row("CustomizationID", &["TDT-001"]),
    row("ProfileID", &["TDT-002"]),
    row("UUID", &["TDT-003"]),
    row("IssueDate", &["TDT-004"]),
    row("IssueTime", &["TDT-005"]),
    row("DocumentTypeCode", &["TDT-006"]),
    row("ReportingParty", &["TDT-007"]),
    row("ReceivingParty", &["TDT-008"]),
    row("ReportersRepresentative", &["TDT-009"]),
    row("ReporterRole", &["TDT-010"]),
    row("DocumentScope", &["TDT-011"]),
    row("ReportedTransaction/TransportHeaderID", &[]),
    row("ReportedTransaction/IssueDate", &[]),
    row("ReportedTransaction/IssueTime", &[]),
];

/// What the Emirates and Oman have in common.
macro_rules! whole {
    ($uuid:literal, $($row:expr,)*) => {
        &[
            row("CustomizationID", &["IBT-024"]),
            row("ProfileID", &["IBT-023"]),
            row("ID", &["IBT-001"]),
            row("UUID", &[$uuid]),
            row("IssueDate", &["IBT-002"]),
            row("IssueTime", &["IBT-168"]),
            row("DocumentTypeCode", &["IBT-003"]),
            row("DocumentCurrencyCode", &["IBT-005"]),
            row("TaxCurrencyCode", &["IBT-006"]),
            row("AccountingSupplierParty", &["IBG-04"]),
            row("AccountingSupplierParty/Party", &["IBG-04"]),
            row("AccountingSupplierParty/Party/PartyTaxScheme", &["IBT-031", "IBT-032"]),
            row("AccountingCustomerParty", &["IBG-07"]),
            row("AccountingCustomerParty/Party", &["IBG-07"]),
            row("AccountingCustomerParty/Party/PartyTaxScheme", &["IBT-048"]),
            row("TaxTotal", &["IBT-110", "IBT-111"]),
            row("MonetaryTotal", &["IBG-22"]),
            row("MonetaryTotal/TaxExclusiveAmount", &["IBT-109"]),
            $($row,)*
        ]
    };
}

const EMIRATES: &[PlaceRow] = whole!(
    "BTAE-07",
    row("AccountingCustomerParty/Party/PartyIdentification", &["IBT-046"]),
    row("CustomContent", &["BTAE-20"]),
);

const OMAN: &[PlaceRow] = whole!(
    "BTOM-002",
    row("AccountingSupplierParty/AdditionalAccountID", &["IBG-04"]),
    row("AccountingSupplierParty/Party/PartyLegalEntity", &["IBT-027"]),
    row("AccountingCustomerParty/Party/PartyLegalEntity", &["IBT-044"]),
    row("CustomContent", &["BTOM-020"]),
);

/// The terms of EN 16931 in a report of ViDA or Slovakia.
pub(super) const EXTRACT: &[PlaceRow] = &[
    row("CustomizationID", &["BT-24"]),
    row("ProfileID", &["BT-23"]),
    row("ID", &["BT-1"]),
    row("UUID", &["TDT-017"]),
    row("IssueDate", &["BT-2"]),
    row("IssueTime", &["BT-2"]),
    row("DocumentTypeCode", &["BT-3"]),
    row("Note", &["BT-22"]),
    row("TaxPointDate", &["BT-7"]),
    row("DocumentCurrencyCode", &["BT-5"]),
    row("TaxCurrencyCode", &["BT-6"]),
    row("InvoicePeriod", &["BG-14"]),
    row("InvoicePeriod/StartDate", &["BT-73"]),
    row("InvoicePeriod/EndDate", &["BT-74"]),
    row("InvoicePeriod/DescriptionCode", &["BT-8"]),
    row("BillingReference", &["BG-3"]),
    row("BillingReference/InvoiceDocumentReference/ID", &["BT-25"]),
    row("BillingReference/InvoiceDocumentReference/IssueDate", &["BT-26"]),
    row("AccountingSupplierParty", &["BG-4"]),
    row("AccountingSupplierParty/Party/PostalAddress", &["BT-40"]),
    row("AccountingSupplierParty/Party/PartyTaxScheme", &["BT-31"]),
    row("AccountingCustomerParty", &["BG-7"]),
    row("AccountingCustomerParty/Party/PostalAddress", &["BT-55"]),
    row("AccountingCustomerParty/Party/PartyTaxScheme", &["BT-48"]),
    row("AccountingCustomerParty/Party/PartyLegalEntity", &["BT-44"]),
    row("TaxRepresentativeParty", &["BG-11"]),
    row("TaxRepresentativeParty/PostalAddress", &["BT-69"]),
    row("TaxRepresentativeParty/PartyTaxScheme", &["BT-63"]),
    row("Delivery", &["BG-13"]),
    row("Delivery/ActualDeliveryDate", &["BT-72"]),
    row("PaymentMeans", &["BG-16"]),
    row("PaymentMeans/PaymentMeansCode", &["BT-81"]),
    row("PaymentMeans/PaymentMeansCode/@name", &["BT-82"]),
    row("PaymentMeans/PaymentID", &["BT-83"]),
    row("PaymentMeans/CardAccount", &["BG-18"]),
    row("PaymentMeans/CardAccount/PrimaryAccountNumberID", &["BT-87"]),
    row("PaymentMeans/CardAccount/HolderName", &["BT-88"]),
    row("PaymentMeans/PayeeFinancialAccount", &["BG-17"]),
    row("PaymentMeans/PayeeFinancialAccount/ID", &["BT-84"]),
    row("PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch", &["BT-86"]),
    row("PaymentMeans/PaymentMandate", &["BG-19"]),
    row("PaymentMeans/PaymentMandate/ID", &["BT-89"]),
    row("PaymentMeans/PaymentMandate/PayerFinancialAccount", &["BT-91"]),
    row("AllowanceCharge", &["BG-20", "BG-21"]),
    row("AllowanceCharge/AllowanceChargeReasonCode", &["BT-98", "BT-105"]),
    row("AllowanceCharge/AllowanceChargeReason", &["BT-97", "BT-104"]),
    row("AllowanceCharge/MultiplierFactorNumeric", &["BT-94", "BT-101"]),
    row("AllowanceCharge/Amount", &["BT-92", "BT-99"]),
    row("AllowanceCharge/BaseAmount", &["BT-93", "BT-100"]),
    row("AllowanceCharge/TaxCategory", &["BT-95", "BT-102"]),
    row("AllowanceCharge/TaxCategory/Percent", &["BT-96", "BT-103"]),
    row("TaxTotal", &["BT-110", "BT-111"]),
    row("TaxTotal/TaxSubtotal", &["BG-23"]),
    row("TaxTotal/TaxSubtotal/TaxableAmount", &["BT-116"]),
    row("TaxTotal/TaxSubtotal/TaxAmount", &["BT-117"]),
    row("TaxTotal/TaxSubtotal/TaxCategory", &["BT-118"]),
    row("TaxTotal/TaxSubtotal/TaxCategory/Percent", &["BT-119"]),
    row("TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReasonCode", &["BT-121"]),
    row("TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReason", &["BT-120"]),
    row("MonetaryTotal", &["BG-22"]),
    row("MonetaryTotal/LineExtensionAmount", &["BT-106"]),
    row("MonetaryTotal/TaxExclusiveAmount", &["BT-109"]),
    row("MonetaryTotal/TaxInclusiveAmount", &["BT-112"]),
    row("MonetaryTotal/AllowanceTotalAmount", &["BT-107"]),
    row("MonetaryTotal/ChargeTotalAmount", &["BT-108"]),
    row("MonetaryTotal/PrepaidAmount", &["BT-113"]),
    row("MonetaryTotal/PayableRoundingAmount", &["BT-114"]),
    row("MonetaryTotal/PayableAmount", &["BT-115"]),
    row("DocumentLine", &["BG-25"]),
    row("DocumentLine/ID", &["BT-126"]),
    row("DocumentLine/Note", &["BT-127"]),
    row("DocumentLine/InvoicedQuantity", &["BT-129"]),
    row("DocumentLine/InvoicedQuantity/@unitCode", &["BT-130"]),
    row("DocumentLine/LineExtensionAmount", &["BT-131"]),
    row("DocumentLine/InvoicePeriod", &["BG-26"]),
    row("DocumentLine/InvoicePeriod/StartDate", &["BT-134"]),
    row("DocumentLine/InvoicePeriod/EndDate", &["BT-135"]),
    row("DocumentLine/AllowanceCharge", &["BG-27", "BG-28"]),
    row("DocumentLine/AllowanceCharge/AllowanceChargeReasonCode", &["BT-140", "BT-145"]),
    row("DocumentLine/AllowanceCharge/AllowanceChargeReason", &["BT-139", "BT-144"]),
    row("DocumentLine/AllowanceCharge/MultiplierFactorNumeric", &["BT-138", "BT-143"]),
    row("DocumentLine/AllowanceCharge/Amount", &["BT-136", "BT-141"]),
    row("DocumentLine/AllowanceCharge/BaseAmount", &["BT-137", "BT-142"]),
    row("DocumentLine/Item", &["BG-31"]),
    row("DocumentLine/Item/Description", &["BT-154"]),
    row("DocumentLine/Item/Name", &["BT-153"]),
    row("DocumentLine/Item/CommodityClassification", &["BT-158"]),
    row("DocumentLine/Item/ClassifiedTaxCategory", &["BT-151"]),
    row("DocumentLine/Item/ClassifiedTaxCategory/Percent", &["BT-152"]),
    row("DocumentLine/Price", &["BG-29"]),
    row("DocumentLine/Price/PriceAmount", &["BT-146"]),
    row("DocumentLine/Price/BaseQuantity", &["BT-149"]),
    row("DocumentLine/Price/BaseQuantity/@unitCode", &["BT-150"]),
];
