//! Purchase invoices: what arrived for a party, to be listed, downloaded and deleted.

super::reading::reading!(PURCHASES, "purchaseInvoice", "a purchase invoice");
super::reading::arrived!(
    PURCHASES,
    "purchaseInvoice",
    "a purchase invoice",
    InvoiceXml,
    InvoiceJson
);
