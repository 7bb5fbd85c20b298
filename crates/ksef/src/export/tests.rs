//! A package is opened whole or not at all, and how far it reaches.

use data_encoding::BASE64;
use quoin_xmldsig::keys::sha256;

use super::*;
use crate::api::{ExportPart, ExportStatus};
use crate::package::{PackageInvoice, pack};

fn key() -> SessionKey {
    SessionKey::from_random(std::array::from_fn(|at| at as u8))
}

fn metadata(number: &str, xml: &[u8]) -> serde_json::Value {
    serde_json::json!({
        "ksefNumber": number, "invoiceNumber": "F/1", "issueDate": "2026-11-20",
        "invoicingDate": "2026-11-20T10:00:00Z", "acquisitionDate": "2026-11-20T10:00:01Z",
        "permanentStorageDate": "2026-11-20T10:00:02.123456+00:00",
        "seller": {"nip": "1132191233"},
        "buyer": {"identifier": {"type": "Nip", "value": "5265877635"}},
        "netAmount": 1, "grossAmount": 1.23, "vatAmount": 0.23, "currency": "PLN",
        "invoicingMode": "Online", "invoiceType": "Vat",
        "formCode": {"systemCode": "FA (3)", "schemaVersion": "1-0E", "value": "FA"},
        "isSelfInvoicing": false, "hasAttachment": false,
        "invoiceHash": BASE64.encode(&sha256(xml)),
    })
}

/// A package of these files in parts of so many bytes, as the system says it.
fn package(files: &[(&str, Vec<u8>)], part: usize, count: u64) -> (ExportPackage, Vec<Vec<u8>>) {
    let entries: Vec<PackageInvoice<'_>> =
        files.iter().map(|(name, xml)| PackageInvoice { name, xml }).collect();
    let packed = pack(&entries, &key(), part).unwrap();
    let told = packed.parts.iter().zip(1..).map(|(sealed, at)| {
        let plain = key().open(sealed).unwrap();
        ExportPart {
            ordinal_number: at,
            part_name: format!("{at}.zip.aes"),
            method: "GET".to_owned(),
            url: "https://storage.example/1".to_owned(),
            part_size: plain.len() as u64,
            part_hash: digest(&plain),
            encrypted_part_size: sealed.len() as u64,
            encrypted_part_hash: digest(sealed),
            expiration_date: "2026-11-21T10:00:00Z".parse().unwrap(),
        }
    });
    let parts = told.collect();
    let package = ExportPackage {
        invoice_count: count,
        size: packed.file.file_size,
        compression_type: None,
        parts,
        is_truncated: false,
        last_permanent_storage_date: None,
        permanent_storage_hwm_date: None,
    };
    (package, packed.parts)
}

fn two() -> Vec<(&'static str, Vec<u8>)> {
    let (one, two) = (b"<a/>".to_vec(), b"<b/>".to_vec());
    let told = serde_json::json!({"invoices": [metadata("N-1", &one), metadata("N-2", &two)]});
    vec![("N-1.xml", one), ("N-2.xml", two), (METADATA, serde_json::to_vec(&told).unwrap())]
}

fn opened(files: &[(&str, Vec<u8>)], count: u64) -> Result<Vec<ExportedInvoice>, ExportError> {
    let (told, parts) = package(files, 100_000, count);
    opened_package(&told, &parts, &key())
}

#[test]
fn a_package_in_parts_is_opened() {
    for part in [7, 64, 100_000] {
        // Parts of at least so many bytes that there are at most fifty.
        let (told, parts) = package(&two(), part.max(64), 2);
        let all = opened_package(&told, &parts, &key()).unwrap();
        let numbers: Vec<_> =
            all.iter().map(|one| (one.metadata.ksef_number.as_str(), &one.xml[..])).collect();
        assert_eq!(numbers, [("N-1", &b"<a/>"[..]), ("N-2", b"<b/>")]);
    }
}

#[test]
fn a_package_that_is_not_whole_is_refused() {
    let (told, parts) = package(&two(), 100, 2);
    let found = parts.len() - 1;
    let expected = parts.len();
    let less = opened_package(&told, &parts[1..], &key());
    assert_eq!(less, Err(ExportError::Parts { expected, found }));
    for at in 0..parts.len() {
        let mut changed = parts.clone();
        changed[at][3] ^= 1;
        let number = u32::try_from(at + 1).unwrap();
        assert_eq!(opened_package(&told, &changed, &key()), Err(ExportError::Part(number)));
    }
    let other = SessionKey::from_random([9; 48]);
    let refused = opened_package(&told, &parts, &other).unwrap_err();
    assert!(matches!(refused, ExportError::Sealed(1) | ExportError::Part(1)), "{refused}");
}

#[test]
fn what_is_named_is_there_and_nothing_else() {
    let all = two();
    assert_eq!(opened(&all, 3), Err(ExportError::Count { expected: 3, found: 2 }));
    assert_eq!(opened(&all[..2], 2), Err(ExportError::Metadata));
    assert_eq!(opened(&all[1..], 2), Err(ExportError::Invoice("N-1".to_owned())));
    let mut other = two();
    other[0].1 = b"<c/>".to_vec();
    assert_eq!(opened(&other, 2), Err(ExportError::Invoice("N-1".to_owned())));
    let mut more = two();
    more.push(("N-3.xml", b"<c/>".to_vec()));
    assert_eq!(opened(&more, 2), Err(ExportError::File("N-3.xml".to_owned())));
    let mut unreadable = two();
    unreadable[2].1 = b"{\"invoices\": 1}".to_vec();
    assert_eq!(opened(&unreadable, 2), Err(ExportError::Metadata));
    let (told, parts) = package(&[("N-1.xml", b"x".to_vec())], 1_000, 0);
    let none = ExportPackage { parts: Vec::new(), ..told };
    assert_eq!(opened_package(&none, &parts[..0], &key()), Ok(Vec::new()));
}

/// The example of the description is read, and says what we think it says.
#[test]
fn the_example_of_the_description_is_read() {
    let Some(text) = quoin_testing::shared_text("ksef-data/openapi/open-api-2.6.0.json") else {
        return;
    };
    let description: serde_json::Value = serde_json::from_str(&text).unwrap();
    let answer = &description["paths"]["/invoices/exports/{referenceNumber}"]["get"]["responses"]["200"]
        ["content"]["application/json"]["example"];
    let status: ExportStatus = serde_json::from_value(answer.clone()).unwrap();
    assert_eq!(export_verdict(&status.status), ExportVerdict::Take);
    let package = status.package.unwrap();
    assert_eq!((package.invoice_count, package.parts.len()), (10_000, 1));
    assert!(!is_too_large(&package));
    let reached = reached_by(&package, None, Timestamp::MAX).unwrap();
    assert_eq!(Some(reached), package.last_permanent_storage_date);
    assert!(Some(reached) < package.permanent_storage_hwm_date);
    // Every status that the description names is decided, and none of the failures is waited for.
    let table =
        description["components"]["schemas"]["InvoiceExportStatusResponse"]["properties"]["status"]
            ["description"]
            .as_str()
            .unwrap();
    let codes: Vec<u16> = table
        .lines()
        .filter_map(|line| line.trim().strip_prefix('|')?.split('|').next()?.trim().parse().ok())
        .collect();
    assert_eq!(codes, [100, 200, 210, 415, 420, 500, 550]);
    let verdicts: Vec<ExportVerdict> = codes
        .into_iter()
        .map(|code| export_verdict(&StatusInfo { code, description: String::new(), details: None }))
        .collect();
    use ExportVerdict::{Anew, Nothing, Take, Wait};
    assert_eq!(verdicts, [Wait, Take, Anew, Anew, Nothing, Anew, Anew]);
}

#[test]
fn how_far_a_package_reaches() {
    let time = |text: &str| text.parse::<Timestamp>().unwrap();
    let (told, _) = package(&two(), 1_000, 2);
    let hwm = time("2026-11-20T12:00:00Z");
    let of = |is_truncated, last, hwm| ExportPackage {
        is_truncated,
        last_permanent_storage_date: last,
        permanent_storage_hwm_date: hwm,
        ..told.clone()
    };
    let now = time("2026-11-21T00:00:00Z");
    let last = time("2026-11-20T11:00:00Z");
    assert_eq!(reached_by(&of(true, Some(last), Some(hwm)), None, now), Some(last));
    assert_eq!(reached_by(&of(true, None, Some(hwm)), None, now), None, "it would skip some");
    assert_eq!(reached_by(&of(false, None, Some(hwm)), None, now), Some(hwm));
    assert_eq!(reached_by(&of(false, None, Some(hwm)), Some(last), now), Some(last));
    assert_eq!(reached_by(&of(false, None, None), Some(last), now), Some(last));
    assert_eq!(reached_by(&of(false, None, None), None, now), None);
    // No time that is told lies behind now.
    let wrong = Some(time("2099-01-01T00:00:00Z"));
    assert_eq!(reached_by(&of(true, wrong, Some(hwm)), None, now), Some(now));
    assert_eq!(reached_by(&of(false, None, wrong), None, now), Some(now));
    assert_eq!(reached_by(&of(false, None, None), wrong, now), Some(now));
}

#[test]
fn a_period_is_halved_until_it_is_a_second() {
    let from: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
    let mut until = from + SignedDuration::from_hours(24 * 89);
    let mut steps = 0;
    while let Some(middle) = half_of(from, until) {
        assert!(from < middle && middle < until);
        (until, steps) = (middle, steps + 1);
    }
    assert!((20..=24).contains(&steps), "{steps}");
    assert_eq!(half_of(until, from), None);
    let mut large = package(&two(), 1_000, 2).0;
    assert!(!is_too_large(&large));
    large.size = EXPORT_BYTES + 1;
    assert!(is_too_large(&large));
    (large.size, large.parts[0].encrypted_part_size) = (1, u64::MAX);
    assert!(is_too_large(&large));
}
