//! The published examples of invoice identifiers.

use crate::invoice_uuid::of_seller;

/// ViDA pilot 1.1.0, "Invoice UUID calculation".
#[test]
fn invoices_are_named_as_in_the_specification() {
    let rows = [
        (
            "DE811569869",
            "380",
            "INV-2025-0046",
            "2025-02-10",
            "62fd54e5-8689-57a6-95a7-600c86734ea0",
        ),
        (
            "BE0477472701",
            "380",
            "INV-2025-0001",
            "2025-01-10",
            "81270c84-bfb1-5a12-8314-8887ee7d3e27",
        ),
        (
            "DE811569869",
            "389",
            "INV-2025-0046",
            "2025-02-10",
            "936d1327-0863-5632-ac82-30001c004e01",
        ),
        (
            "FR40303265045",
            "261",
            "CN-2025-0003",
            "2025-02-05",
            "9a787cd0-ef99-5bd1-ad5d-daf020699cf2",
        ),
        (
            " DE811569869\n",
            "380 ",
            " INV-2025-0046",
            "2025-02-10",
            "62fd54e5-8689-57a6-95a7-600c86734ea0",
        ),
    ];
    for (seller, kind, number, date, uuid) in rows {
        assert_eq!(of_seller(seller, kind, number, date).to_string(), uuid, "{number}");
    }
}
