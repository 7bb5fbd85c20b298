//! Profiles of post-award messages: Peppol 3, and what EHF, Italy and OIOUBL make of them.
//!
//! Sources: Peppol BIS post-award 3, Peppol document type code list 9.7.

use super::Match::{Exact, Pattern, Prefix};
use super::{MESSAGES, Profile, message, row};
use crate::DocumentKind;

pub(super) const ROWS: &[Profile] = &[
    message(
        "peppol-order-3",
        "Peppol order 3",
        &["Order"],
        DocumentKind::Order,
        Exact("urn:fdc:peppol.eu:poacc:trns:order:3"),
    )
    .judged_by(&["peppol-t01"]),
    message(
        "peppol-order-change-3",
        "Peppol order change 3",
        &["OrderChange"],
        DocumentKind::OrderChange,
        Exact("urn:fdc:peppol.eu:poacc:trns:order_change:3"),
    )
    .structure("ubl-2.3")
    .judged_by(&["peppol-t114"]),
    message(
        "peppol-order-cancellation-3",
        "Peppol order cancellation 3",
        &["OrderCancellation"],
        DocumentKind::OrderCancellation,
        Exact("urn:fdc:peppol.eu:poacc:trns:order_cancellation:3"),
    )
    .structure("ubl-2.3")
    .judged_by(&["peppol-t115"]),
    message(
        "peppol-order-response-3",
        "Peppol order response 3",
        &["OrderResponse"],
        DocumentKind::OrderResponse,
        Exact("urn:fdc:peppol.eu:poacc:trns:order_response:3"),
    )
    .judged_by(&["peppol-t76"]),
    message(
        "peppol-order-response-advanced-3",
        "Peppol advanced order response 3",
        &["OrderResponse"],
        DocumentKind::OrderResponse,
        Exact("urn:fdc:peppol.eu:poacc:trns:order_response_advanced:3"),
    )
    .structure("ubl-2.3")
    .judged_by(&["peppol-t116"]),
    message(
        "peppol-order-agreement-3",
        "Peppol order agreement 3",
        &["OrderResponse"],
        DocumentKind::OrderAgreement,
        Exact("urn:fdc:peppol.eu:poacc:trns:order_agreement:3"),
    )
    .judged_by(&["peppol-t110"]),
    message(
        "peppol-catalogue-3",
        "Peppol catalogue 3",
        &["Catalogue"],
        DocumentKind::Catalogue,
        Exact("urn:fdc:peppol.eu:poacc:trns:catalogue:3"),
    )
    .judged_by(&["peppol-t19"]),
    message(
        "peppol-catalogue-response-3",
        "Peppol response to a catalogue 3",
        &["ApplicationResponse"],
        DocumentKind::CatalogueResponse,
        Exact("urn:fdc:peppol.eu:poacc:trns:catalogue_response:3"),
    )
    .judged_by(&["peppol-t58"]),
    message(
        "peppol-punch-out-3",
        "Peppol punch out 3",
        &["Catalogue"],
        DocumentKind::PunchOut,
        Exact("urn:fdc:peppol.eu:poacc:trns:punch_out:3"),
    )
    .judged_by(&["peppol-t77"]),
    message(
        "peppol-despatch-advice-3",
        "Peppol despatch advice 3",
        &["DespatchAdvice"],
        DocumentKind::DespatchAdvice,
        Exact("urn:fdc:peppol.eu:poacc:trns:despatch_advice:3"),
    )
    .judged_by(&["peppol-t16"]),
    message(
        "peppol-invoice-response-3",
        "Peppol invoice response 3",
        &["ApplicationResponse"],
        DocumentKind::InvoiceResponse,
        Exact("urn:fdc:peppol.eu:poacc:trns:invoice_response:3"),
    )
    .judged_by(&["peppol-t111"]),
    message(
        "peppol-mlr-3",
        "Peppol message level response 3",
        &["ApplicationResponse"],
        DocumentKind::MessageLevelResponse,
        Exact("urn:fdc:peppol.eu:poacc:trns:mlr:3"),
    )
    .judged_by(&["peppol-t71"]),
    message(
        "ehf3-order",
        "EHF 3 order",
        &["Order"],
        DocumentKind::Order,
        Exact("urn:fdc:peppol.eu:poacc:trns:order:3:extended:urn:fdc:anskaffelser.no:2019:ehf:spec:3.0"),
    ),
    message(
        "ehf3-order-response",
        "EHF 3 order response",
        &["OrderResponse"],
        DocumentKind::OrderResponse,
        Exact("urn:fdc:peppol.eu:poacc:trns:order_response:3:extended:urn:fdc:anskaffelser.no:2019:ehf:spec:3.0"),
    ),
    message(
        "ehf3-order-agreement",
        "EHF 3 order agreement",
        &["OrderResponse"],
        DocumentKind::OrderAgreement,
        Exact("urn:fdc:peppol.eu:poacc:trns:order_agreement:3:extended:urn:fdc:anskaffelser.no:2019:ehf:spec:3.0"),
    ),
    message(
        "ehf3-catalogue",
        "EHF 3 catalogue",
        &["Catalogue"],
        DocumentKind::Catalogue,
        Exact("urn:fdc:peppol.eu:poacc:trns:catalogue:3:extended:urn:fdc:anskaffelser.no:2019:ehf:spec:3.0"),
    ),
    message(
        "ehf3-catalogue-response",
        "EHF 3 response to a catalogue",
        &["ApplicationResponse"],
        DocumentKind::CatalogueResponse,
        Exact("urn:fdc:peppol.eu:poacc:trns:catalogue_response:3:extended:urn:fdc:anskaffelser.no:2019:ehf:spec:3.0"),
    ),
    message(
        "ehf3-punch-out",
        "EHF 3 punch out",
        &["Catalogue"],
        DocumentKind::PunchOut,
        Exact("urn:fdc:peppol.eu:poacc:trns:punch_out:3:extended:urn:fdc:anskaffelser.no:2019:ehf:spec:3.0"),
    ),
    message(
        "ehf3-despatch-advice",
        "EHF 3 despatch advice",
        &["DespatchAdvice"],
        DocumentKind::DespatchAdvice,
        Exact("urn:fdc:peppol.eu:poacc:trns:despatch_advice:3:extended:urn:fdc:anskaffelser.no:2019:ehf:spec:3.0"),
    ),
    row(
        "ehf3-spec",
        "EHF 3 document of its own",
        MESSAGES,
        &[],
        Prefix("urn:fdc:anskaffelser.no:2019:ehf:spec:"),
    )
    .example("urn:fdc:anskaffelser.no:2019:ehf:spec:adv-order-change:3.0"),
    message(
        "peppol-it-order",
        "Peppol order 3 for Italy",
        &["Order"],
        DocumentKind::Order,
        Pattern("urn:fdc:peppol.eu:poacc:trns:order:3:restrictive:urn:www.agid.gov.it:trns:ordine:{}"),
    )
    .example("urn:fdc:peppol.eu:poacc:trns:order:3:restrictive:urn:www.agid.gov.it:trns:ordine:3.0")
    .judged_by(&["peppol-t01"]),
    message(
        "peppol-it-order-response",
        "Peppol order response 3 for Italy",
        &["OrderResponse"],
        DocumentKind::OrderResponse,
        Pattern("urn:fdc:peppol.eu:poacc:trns:order_response:3:restrictive:urn:www.agid.gov.it:trns:risposta_ordine:{}"),
    )
    .example("urn:fdc:peppol.eu:poacc:trns:order_response:3:restrictive:urn:www.agid.gov.it:trns:risposta_ordine:3.0")
    .judged_by(&["peppol-t76"]),
    message(
        "peppol-it-order-agreement",
        "Peppol order agreement 3 for Italy",
        &["OrderResponse"],
        DocumentKind::OrderAgreement,
        Pattern("urn:fdc:peppol.eu:poacc:trns:order_agreement:3:restrictive:urn:www.agid.gov.it:trns:ordine_preconcordato:{}"),
    )
    .example("urn:fdc:peppol.eu:poacc:trns:order_agreement:3:restrictive:urn:www.agid.gov.it:trns:ordine_preconcordato:3.0")
    .judged_by(&["peppol-t110"]),
    message(
        "peppol-it-despatch-advice",
        "Peppol despatch advice 3 for Italy",
        &["DespatchAdvice"],
        DocumentKind::DespatchAdvice,
        Pattern("urn:fdc:peppol.eu:poacc:trns:despatch_advice:3:extended:urn:www.agid.gov.it:trns:ddt:{}"),
    )
    .example("urn:fdc:peppol.eu:poacc:trns:despatch_advice:3:extended:urn:www.agid.gov.it:trns:ddt:3.0"),
    message(
        "oioubl3-invoice-response",
        "OIOUBL 3 invoice response",
        &["ApplicationResponse"],
        DocumentKind::InvoiceResponse,
        Exact("urn:fdc:peppol.eu:poacc:trns:invoice_response:3@urn:fdc:oioubl.dk:trns:billing:invoice_response:3.0"),
    ),
    message(
        "oioubl3-mlr",
        "OIOUBL 3 message level response",
        &["ApplicationResponse"],
        DocumentKind::MessageLevelResponse,
        Exact("urn:fdc:peppol.eu:poacc:trns:mlr:3@urn:fdc:oioubl.dk:trns:message_level_response:3.0"),
    ),
];
