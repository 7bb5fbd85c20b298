//! Profiles of Peppol logistics, message level status, reports, tax data, tendering, and Order-X.
//!
//! Sources: Peppol logistics 1, Peppol MLS 1.0, the Peppol reporting specifications, Peppol
//! document type code list 9.7.

use super::Match::{Exact, Pattern, Prefix};
use super::{Profile, message, row};
use crate::{DocumentKind, Syntax};

pub(super) const ROWS: &[Profile] = &[
    message(
        "peppol-logistics-advanced-despatch-advice",
        "Peppol logistics advanced despatch advice 1",
        &["DespatchAdvice"],
        DocumentKind::DespatchAdvice,
        Exact("urn:fdc:peppol.eu:logistics:trns:advanced_despatch_advice:1"),
    )
    .judged_by(&["peppol-t120"]),
    message(
        "peppol-logistics-despatch-advice-response",
        "Peppol logistics response to a despatch advice 1",
        &["ApplicationResponse"],
        DocumentKind::DespatchAdviceResponse,
        Exact("urn:fdc:peppol.eu:logistics:trns:despatch_advice_response:1"),
    ),
    message(
        "peppol-logistics-receipt-advice",
        "Peppol logistics receipt advice 1",
        &["ReceiptAdvice"],
        DocumentKind::ReceiptAdvice,
        Exact("urn:fdc:peppol.eu:logistics:trns:receipt_advice:1"),
    )
    .structure("ubl-2.3")
    .judged_by(&["peppol-t128"]),
    message(
        "peppol-logistics-transport-execution-plan-request",
        "Peppol logistics request for a transport execution plan 1",
        &["TransportExecutionPlanRequest"],
        DocumentKind::TransportExecutionPlanRequest,
        Exact("urn:fdc:peppol.eu:logistics:trns:transport_execution_plan_request:1"),
    )
    .structure("ubl-2.4")
    .judged_by(&["peppol-t123"]),
    message(
        "peppol-logistics-transport-execution-plan",
        "Peppol logistics transport execution plan 1",
        &["TransportExecutionPlan"],
        DocumentKind::TransportExecutionPlan,
        Exact("urn:fdc:peppol.eu:logistics:trns:transport_execution_plan:1"),
    )
    .structure("ubl-2.4")
    .judged_by(&["peppol-t124"]),
    message(
        "peppol-logistics-transportation-status-request",
        "Peppol logistics request for a transportation status 1",
        &["TransportationStatusRequest"],
        DocumentKind::TransportationStatusRequest,
        Exact("urn:fdc:peppol.eu:logistics:trns:transportation_status_request:1"),
    )
    .structure("ubl-2.3")
    .judged_by(&["peppol-t126"]),
    message(
        "peppol-logistics-transportation-status",
        "Peppol logistics transportation status 1",
        &["TransportationStatus"],
        DocumentKind::TransportationStatus,
        Exact("urn:fdc:peppol.eu:logistics:trns:transportation_status:1"),
    )
    .structure("ubl-2.3")
    .judged_by(&["peppol-t127"]),
    message(
        "peppol-logistics-waybill",
        "Peppol logistics waybill 1",
        &["Waybill"],
        DocumentKind::Waybill,
        Exact("urn:fdc:peppol.eu:logistics:trns:waybill:1"),
    )
    .structure("ubl-2.3")
    .judged_by(&["peppol-t125"]),
    message(
        "peppol-logistics-weight-statement",
        "Peppol logistics weight statement 1",
        &["WeightStatement"],
        DocumentKind::WeightStatement,
        Exact("urn:fdc:peppol.eu:logistics:trns:weight_statement:1"),
    )
    .structure("ubl-2.3")
    .judged_by(&["peppol-t122"]),
    message(
        "peppol-logistics-application-response",
        "Peppol logistics response in a transport process 1",
        &["ApplicationResponse"],
        DocumentKind::TransportResponse,
        Exact("urn:fdc:peppol.eu:logistics:trns:application_response:1"),
    )
    .judged_by(&["peppol-t129"]),
    message(
        "rs-despatch-advice",
        "Serbian despatch advice",
        &["DespatchAdvice"],
        DocumentKind::DespatchAdvice,
        Pattern("urn:fdc:mfin.gov.rs:logistics:trns:despatch_advice:1:{}"),
    )
    .example("urn:fdc:mfin.gov.rs:logistics:trns:despatch_advice:1:2025.12"),
    message(
        "rs-receipt-advice",
        "Serbian receipt advice",
        &["ReceiptAdvice"],
        DocumentKind::ReceiptAdvice,
        Pattern("urn:fdc:mfin.gov.rs:logistics:trns:receipt_advice:1:{}"),
    )
    .example("urn:fdc:mfin.gov.rs:logistics:trns:receipt_advice:1:2025.12"),
    message(
        "sg-order-balance",
        "Order balance of Singapore",
        &["Order"],
        DocumentKind::OrderBalance,
        Exact("urn:fdc:imda.gov.sg:trns:order_balance:1"),
    ),
    message(
        "peppol-mls",
        "Peppol message level status 1",
        &["ApplicationResponse"],
        DocumentKind::MessageLevelStatus,
        Exact("urn:peppol:edec:mls:1.0"),
    )
    .judged_by(&["peppol-mls"]),
    message(
        "peppol-preaward",
        "Peppol pre-award",
        &[],
        DocumentKind::Tendering,
        Prefix("urn:fdc:peppol.eu:prac:trns:t"),
    )
    .example("urn:fdc:peppol.eu:prac:trns:t004:1.2"),
    message(
        "peppol-tsr",
        "Peppol transaction statistics report 1.0",
        &["TransactionStatisticsReport"],
        DocumentKind::TransactionStatistics,
        Exact("urn:fdc:peppol.eu:edec:trns:transaction-statistics-reporting:1.0"),
    )
    .written_in(&[Syntax::TransactionStatistics])
    .judged_by(&["peppol-tsr"]),
    message(
        "peppol-eusr",
        "Peppol end user statistics report 1.1",
        &["EndUserStatisticsReport"],
        DocumentKind::EndUserStatistics,
        Exact("urn:fdc:peppol.eu:edec:trns:end-user-statistics-report:1.1"),
    )
    .written_in(&[Syntax::EndUserStatistics])
    .judged_by(&["peppol-eusr"]),
    message(
        "peppol-tsr-draft",
        "Peppol transaction statistics report, draft",
        &["TransactionStatisticsReport"],
        DocumentKind::TransactionStatistics,
        Exact("urn:fdc:peppol.eu:oo:trns:transaction-statistics-reporting:1"),
    )
    .written_in(&[Syntax::TransactionStatistics])
    .legacy(),
    message(
        "peppol-eusr-draft",
        "Peppol end user report, draft",
        &["EndUserReport"],
        DocumentKind::EndUserStatistics,
        Exact("urn:fdc:peppol.eu:oo:trns:end-user-report:1"),
    )
    .written_in(&[Syntax::EndUserStatistics])
    .legacy(),
    message(
        "tax-data-ae",
        "Peppol tax data, United Arab Emirates",
        &["TaxData"],
        DocumentKind::TaxData,
        Exact("urn:peppol:taxdata:ae-1"),
    )
    .written_in(&[Syntax::TaxData])
    .judged_by(&["tax-data-ae"]),
    message(
        "tax-data-om",
        "Peppol tax data, Oman",
        &["TaxData"],
        DocumentKind::TaxData,
        Exact("urn:peppol:taxdata:om-1"),
    )
    .written_in(&[Syntax::TaxData])
    .judged_by(&["tax-data-om"]),
    message(
        "tax-data-sk",
        "Peppol tax data, Slovakia",
        &["TaxData"],
        DocumentKind::TaxData,
        Exact("urn:peppol:taxdata:sk-1"),
    )
    .written_in(&[Syntax::TaxData])
    .judged_by(&["tax-data-sk"]),
    message(
        "tax-data-vida",
        "Peppol tax data, ViDA",
        &["TaxData"],
        DocumentKind::TaxData,
        Exact("urn:peppol:taxdata:vida-1"),
    )
    .written_in(&[Syntax::TaxData])
    .judged_by(&["tax-data-vida"]),
    message(
        "tax-data-vida-draft",
        "Peppol tax data, ViDA, draft",
        &["TaxData"],
        DocumentKind::TaxData,
        Exact("urn:peppol:taxdata:ViDA-1"),
    )
    .written_in(&[Syntax::TaxData])
    .structure("tdd-vida-0.9")
    .legacy(),
    message(
        "tax-data-draft",
        "Peppol tax data, draft",
        &["TaxData"],
        DocumentKind::TaxData,
        Prefix("urn:peppol:pint:taxdata-1"),
    )
    .written_in(&[Syntax::TaxData])
    .example("urn:peppol:pint:taxdata-1@ae-1")
    .legacy(),
    message(
        "tax-data-status-draft",
        "Peppol tax data status, draft",
        &["TaxDataStatus"],
        DocumentKind::TaxDataStatus,
        Prefix("urn:peppol:pint:taxdatastatus-1"),
    )
    .written_in(&[Syntax::TaxData])
    .example("urn:peppol:pint:taxdatastatus-1@ae-1")
    .legacy(),
    message(
        "fr-cdv",
        "French status of an invoice",
        &["CrossDomainAcknowledgementAndResponse"],
        DocumentKind::LifecycleStatus,
        Prefix("urn.cpro.gouv.fr:1p0:CDV:"),
    )
    .written_in(&[Syntax::Cdar])
    .example("urn.cpro.gouv.fr:1p0:CDV:invoice"),
    message(
        "fr-peppol-cdv",
        "Peppol France status of an invoice",
        &["CrossDomainAcknowledgementAndResponse"],
        DocumentKind::LifecycleStatus,
        Exact("urn:peppol:france:billing:cdv:1.0"),
    )
    .written_in(&[Syntax::Cdar]),
    row(
        "order-x-basic",
        "Order-X BASIC",
        &[Syntax::OrderX],
        &["SCRDMCCBDACIOMessageStructure"],
        Exact("urn:order-x.eu:1p0:basic"),
    ),
    row(
        "order-x-comfort",
        "Order-X COMFORT",
        &[Syntax::OrderX],
        &["SCRDMCCBDACIOMessageStructure"],
        Exact("urn:order-x.eu:1p0:comfort"),
    ),
    row(
        "order-x-extended",
        "Order-X EXTENDED",
        &[Syntax::OrderX],
        &["SCRDMCCBDACIOMessageStructure"],
        Exact("urn:order-x.eu:1p0:extended"),
    ),
];
