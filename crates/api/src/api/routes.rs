//! The routes of documents.

use axum::Router;
use axum::routing::{delete, get, post};

use super::orders::sales;
use super::{
    Api, conversion, dry_run, exchange, message_statuses, options, orders, recognize, reports,
    response, service_levels, shown, usage,
};

/// The routes of documents besides invoices that are sent and received.
pub(super) fn documents() -> Router<Api> {
    Router::new()
        .merge(invoices())
        .merge(purchase_orders())
        .merge(sales_orders())
        .merge(any("/api/v1"))
        // Clients of this interface family know it under the path of its beta as well.
        .merge(any("/api/v1-beta"))
        .route("/api/v1/document/convert", post(conversion::convert))
        .route("/api/v1/document/render", post(shown::render))
        .route("/api/v1/peppol/deliveryOption", get(options::delivery_option))
        .route("/api/v1/usage", get(usage::usage))
        .route("/api/v1/serviceLevels", get(service_levels::of_month))
        .route("/api/v1/reports", get(reports::list))
        .route("/api/v1/reports/{month}/{kind}", get(reports::show))
        .route("/api/v1/reports/{month}/{kind}/send", post(reports::send))
}

fn invoices() -> Router<Api> {
    Router::new()
        .route("/api/v1/{partyId}/salesInvoice/sendDryRun", post(dry_run::send_dry_run))
        .route("/api/v1/{partyId}/salesInvoice/recognize", post(recognize::sales))
        .route("/api/v1/{partyId}/purchaseInvoice/recognize", post(recognize::purchase))
        .route(
            "/api/v1/{partyId}/salesInvoice/queryRecipientParty",
            post(options::of_sales_invoice),
        )
        .route("/api/v1/{partyId}/salesInvoice/{documentId}/response", get(response::received))
        .route(
            "/api/v1/{partyId}/salesInvoice/{documentId}/response/{responseDocumentId}/download",
            get(response::download),
        )
        .route(
            "/api/v1/{partyId}/purchaseInvoice/queryRecipientParty",
            post(options::of_purchase_invoice),
        )
        .route(
            "/api/v1/{partyId}/purchaseInvoice/{documentId}/response",
            get(response::given).post(response::respond),
        )
        .route(
            "/api/v1/{partyId}/purchaseInvoice/{documentId}/response/{responseDocumentId}/status",
            get(response::given_status),
        )
}

fn purchase_orders() -> Router<Api> {
    let one = "/api/v1/{partyId}/purchaseOrder/{documentId}";
    Router::new()
        .route("/api/v1/{partyId}/purchaseOrder/send", post(orders::send))
        .route("/api/v1/{partyId}/purchaseOrder", get(orders::list))
        .route(
            "/api/v1/{partyId}/purchaseOrder/queryRecipientParty",
            post(options::of_purchase_order),
        )
        .route(one, get(orders::document))
        .route(&format!("{one}/status"), get(orders::status))
        .route(&format!("{one}/cancel"), post(orders::cancel))
        .route(&format!("{one}/response"), get(orders::responses))
        .route(
            &format!("{one}/response/{{responseDocumentId}}/download"),
            get(orders::response_download),
        )
}

fn sales_orders() -> Router<Api> {
    let one = "/api/v1/{partyId}/salesOrder/{documentId}";
    Router::new()
        .route("/api/v1/{partyId}/salesOrder", get(sales::list))
        .route("/api/v1/{partyId}/salesOrder/queryRecipientParty", post(options::of_sales_order))
        .route(one, get(sales::document).delete(sales::remove))
        .route(&format!("{one}/status"), get(sales::status))
        .route(&format!("{one}/download"), get(sales::download))
        .route(&format!("{one}/response"), get(sales::given).post(sales::respond))
        .route(&format!("{one}/response/{{responseDocumentId}}/status"), get(sales::given_status))
}

fn any(base: &str) -> Router<Api> {
    let all = format!("{base}/{{partyId}}/generic");
    let one = format!("{all}/{{documentId}}");
    Router::new()
        .route(&format!("{all}/send"), post(exchange::send))
        .route(&format!("{all}/receive"), post(exchange::receive))
        .route(&all, get(exchange::list))
        .route(&one, delete(exchange::remove))
        .route(&format!("{one}/status"), get(exchange::status))
        .route(&format!("{one}/download"), get(exchange::download))
        .route(&format!("{one}/messageLevelStatus"), get(message_statuses::of_document))
}
