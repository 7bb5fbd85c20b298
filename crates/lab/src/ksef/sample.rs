//! An invoice of a Polish seller, as its program writes it.

/// BIS Billing 3.0, one line at 23 %, both companies in Poland.
const SAMPLE: &str = include_str!("sample.xml");

/// The sample from one participant to another, with a number, issued on a day.
pub fn sample_invoice((seller, buyer): (&str, &str), number: &str, day: &str) -> String {
    let split = |id: &str| {
        let (scheme, value) = id.split_once(':').unwrap_or(("", id));
        (scheme.to_owned(), value.to_owned())
    };
    let ((seller_scheme, seller), (buyer_scheme, buyer)) = (split(seller), split(buyer));
    let places = [
        ("@SELLER_SCHEME@", seller_scheme.as_str()),
        ("@SELLER_VALUE@", seller.as_str()),
        ("@BUYER_SCHEME@", buyer_scheme.as_str()),
        ("@BUYER_VALUE@", buyer.as_str()),
        ("@NUMBER@", number),
        ("@DAY@", day),
    ];
    places.iter().fold(SAMPLE.to_owned(), |text, (place, value)| text.replace(place, value))
}

/// FA(3), one row at 23 %, both companies in Poland.
const PURCHASE: &str = include_str!("purchase.xml");

/// What a company sells to another one, both by their NIP, as it lies in the system.
pub fn sample_purchase((seller, buyer): (&str, &str), number: &str, day: &str) -> String {
    let places = [("@SELLER@", seller), ("@BUYER@", buyer), ("@NUMBER@", number), ("@DAY@", day)];
    places.iter().fold(PURCHASE.to_owned(), |text, (place, value)| text.replace(place, value))
}
