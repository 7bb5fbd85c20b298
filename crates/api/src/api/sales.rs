//! Sales invoices after their upload: list, record and timeline.

super::reading::reading!(SALES, "salesInvoice", "a sales invoice");
