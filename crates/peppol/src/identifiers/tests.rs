//! Identifiers: what is read, what is refused, what is equal.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

fn id(text: &str) -> ParticipantId {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn participants_are_read_in_every_form() {
    for (text, canonical) in [
        ("0106:12345678", "0106:12345678"),
        ("iso6523-actorid-upis::0106:12345678", "0106:12345678"),
        ("BE:EN:0848934496", "0208:0848934496"),
        ("be:en:0848934496", "0208:0848934496"),
        ("BE:VAT:BE0848934496", "9925:BE0848934496"),
        ("GLN:7300010000001", "0088:7300010000001"),
        ("gln:7300010000001", "0088:7300010000001"),
        ("NL:KVK:12345678", "0106:12345678"),
        ("NL:OINO:00000001820029336000", "0190:00000001820029336000"),
        ("nl:vat:NL123456782B90", "9944:NL123456782B90"),
        ("SPIS:000123", "0242:000123"),
        ("0088:123ABC", "0088:123ABC"),
    ] {
        assert_eq!(id(text).to_string(), canonical, "{text}");
    }
    assert_eq!(id("NL:KVK:1").uri(), "iso6523-actorid-upis::0106:1");
    assert_eq!((id("0106:1.2").icd(), id("0106:1.2").value()), ("0106", "1.2"));
}

#[test]
fn what_is_no_participant_is_refused_with_its_reason() {
    let refused = |text: &str| text.parse::<ParticipantId>().expect_err(text);
    assert!(matches!(refused("iso6523-actorid-UPIS::0106:1"), IdentifierError::MetaScheme { .. }));
    assert!(matches!(refused("NL:XYZ:1"), IdentifierError::Scheme { .. }));
    assert!(matches!(refused(""), IdentifierError::Scheme { .. }));
    assert!(matches!(refused("106:1"), IdentifierError::Scheme { .. }));
    assert!(matches!(refused("0106:"), IdentifierError::Length { length: 0, .. }));
    assert!(matches!(refused("NL:KVK:"), IdentifierError::Length { .. }));
    let long = format!("0088:{}", "1".repeat(131));
    assert!(matches!(refused(&long), IdentifierError::Length { length: 131, .. }));
    assert!(format!("0088:{}", "1".repeat(130)).parse::<ParticipantId>().is_ok());
    for bad in ["0106:12 34", "0106:12/34", "0106:é", "0106:12:34", "0106:1 "] {
        assert!(matches!(refused(bad), IdentifierError::Character { .. }), "{bad}");
    }
    assert_eq!(
        refused("0106:12*").to_string(),
        "the participant value holds '*' at character 3: allowed are letters, digits, '-', '.', \
         '_' and '~' (PFUOI policy 1)"
    );
}

#[test]
fn participants_are_equal_without_regard_to_case() {
    let (lower, upper) = (id("0088:123abc"), id("0088:123ABC"));
    assert_eq!(lower, upper);
    assert_eq!(lower.cmp(&upper), std::cmp::Ordering::Equal);
    assert_eq!(HashSet::from([lower, upper]).len(), 1);
    assert_ne!(id("0088:1"), id("0106:1"));
    assert!(id("0088:B") > id("0088:a"));
}

#[test]
fn identifiers_travel_through_serde_as_text() {
    let json = serde_json::to_string(&id("NL:KVK:1")).unwrap();
    assert_eq!(json, "\"0106:1\"");
    assert_eq!(serde_json::from_str::<ParticipantId>(&json).unwrap(), id("0106:1"));
    assert!(serde_json::from_str::<SeatId>("\"PNL12\"").is_err());
    let process: ProcessId = serde_json::from_str("\"urn:peppol:edec:mls\"").unwrap();
    assert_eq!(process.to_string(), "cenbii-procid-ubl::urn:peppol:edec:mls");
}

#[test]
fn check_digits_of_our_own_table() {
    for good in [
        "0106:12345678",
        "0190:00000001820029336000",
        "9944:NL123456782B90",
        "9944:nl004495445b01",
        "9944:NL123456789B13",
        "0208:0848934496",
        "0208:1000000021",
        "9925:BE1012345646",
        "0088:7300010000001",
        "0242:000123",
        "0242:000123-MLS",
        "0242:000123-MLS.a-b~c",
        "0130:anything",
        "0199:724500PMK2A2M1SQQ228",
        "0204:991-01234-38",
    ] {
        assert_eq!(id(good).check(), Ok(()), "{good}");
    }
    for shape in [
        "0106:1234567",
        "0106:123456789",
        "0190:1",
        "9944:123456782B90",
        "9925:0848934496",
        "0208:2848934496",
        "0088:730001000000",
        "0242:12345",
        "0242:000123-ML",
        "0184:03585628",
    ] {
        assert!(matches!(id(shape).check(), Err(CheckFailure::Shape { .. })), "{shape}");
    }
    for digits in
        ["0208:0848934497", "9925:BE0848934400", "9944:NL123456780B95", "0088:7300010000002"]
    {
        assert!(matches!(id(digits).check(), Err(CheckFailure::CheckDigits { .. })), "{digits}");
    }
    assert!(matches!(id("9954:1").check(), Err(CheckFailure::RemovedScheme { .. })));
    assert!(matches!(id("0010:1").check(), Err(CheckFailure::UnknownScheme { .. })));
}

#[test]
fn check_digits_of_the_research_vectors() {
    let Some(text) = quoin_testing::shared_text("network-data/derived/identifier-vectors.tsv")
    else {
        return;
    };
    let mut seen = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [icd, value, valid, ..] = fields.as_slice() else { panic!("{line}") };
        let verdict = ParticipantId::new(icd, value).unwrap().check();
        assert_eq!(verdict.is_ok(), *valid == "true", "{line}: {verdict:?}");
        seen += 1;
    }
    assert!(seen > 40, "{seen}");
}

const BILLING: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
    Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";

#[test]
fn document_types_have_parts_and_case() {
    let billing: DocumentTypeId = BILLING.parse().unwrap();
    let parts = billing.parts();
    assert_eq!(parts.root_namespace, "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2");
    assert_eq!(parts.local_name, Some("Invoice"));
    assert!(parts.customization.ends_with("billing:3.0"));
    assert_eq!(parts.version, "2.1");
    assert_eq!(billing.to_string(), BILLING);
    let shouted: DocumentTypeId = BILLING.replace("::Invoice##", "::INVOICE##").parse().unwrap();
    assert_ne!(billing, shouted);
    let pdf: DocumentTypeId =
        "busdox-docid-qns::urn:peppol:doctype:pdf+xml##a::D22B".parse().unwrap();
    assert_eq!(pdf.parts().local_name, None);
}

#[test]
fn what_is_no_document_type_is_refused() {
    let refused = |text: &str| text.parse::<DocumentTypeId>().expect_err(text);
    assert!(matches!(
        refused("urn:x::Invoice##a::2.1"),
        IdentifierError::DocumentTypeScheme { .. }
    ));
    for bad in
        ["busdox-docid-qns::a::b##c", "busdox-docid-qns::a::b", "busdox-docid-qns::::b##c::1"]
    {
        assert!(matches!(refused(bad), IdentifierError::DocumentTypeShape { .. }), "{bad}");
    }
    assert!(matches!(refused("busdox-docid-qns::a::b##c d::1"), IdentifierError::Character { .. }));
    assert!(matches!(refused("busdox-docid-qns::a::b##c*::1"), IdentifierError::Wildcard { .. }));
    let many = (0..17).map(|part| format!("p{part}")).collect::<Vec<_>>().join("@");
    for bad in ["a@*", "*", "a**", "a*b", "a@@b", "a@b@a", &many] {
        let text = format!("peppol-doctype-wildcard::n::r##{bad}::2.1");
        assert!(matches!(refused(&text), IdentifierError::Wildcard { .. }), "{bad}");
    }
    let long = format!("busdox-docid-qns::n::r##{}::2.1", "a".repeat(500));
    assert!(matches!(refused(&long), IdentifierError::Length { .. }));
}

fn wild(customization: &str) -> DocumentTypeId {
    DocumentTypeId::new(DocumentTypeScheme::Wildcard, &format!("n::r##{customization}::2.1"))
        .unwrap()
}

/// The table of PFUOI 5.1.2: registrations, document, the registration that serves it.
#[test]
fn wildcard_matching_follows_the_table() {
    type Row<'a> = (&'a [&'a str], &'a str, Option<&'a str>);
    let rows: &[Row<'_>] = &[
        (&["a*"], "a", Some("a*")),
        (&["a*"], "a@b", Some("a*")),
        (&["a*"], "a@b@c@d", Some("a*")),
        (&["a*"], "b", None),
        (&["a*"], "b@a", None),
        (&["a*"], "ab", None),
        (&["a@b*"], "a", None),
        (&["a@b*"], "a@c", None),
        (&["a*", "a@b*"], "a@b", Some("a@b*")),
        (&["a*", "a@b*"], "a@b@c", Some("a@b*")),
        (&["a*", "a@b"], "a@b", Some("a@b")),
        (&["a*", "a@b"], "a@b@c", Some("a*")),
        (&["a*", "a@b"], "a", Some("a*")),
        (&["a@b*", "a@b"], "a@b", Some("a@b")),
    ];
    for (registered, document, expected) in rows {
        let registered: Vec<DocumentTypeId> = registered.iter().map(|c| wild(c)).collect();
        let found = best_match(&wild(document), &registered);
        assert_eq!(found, expected.map(wild).as_ref(), "{registered:?} for {document}");
    }
}

#[test]
fn candidates_come_best_first() {
    let pint = DocumentTypeId::of_document("n", "r", "urn:peppol:pint:billing-1@aunz-1", "2.1");
    let names: Vec<String> = candidates(&pint.unwrap())
        .iter()
        .map(|candidate| candidate.parts().customization.to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "urn:peppol:pint:billing-1@aunz-1",
            "urn:peppol:pint:billing-1@aunz-1*",
            "urn:peppol:pint:billing-1*"
        ]
    );
    assert_eq!(candidates(&BILLING.parse().unwrap()).len(), 1);
}

#[test]
fn processes_profiles_and_seats() {
    assert!("a b".parse::<ProcessId>().is_err());
    assert!("".parse::<ProcessId>().is_err());
    assert!("x".repeat(201).parse::<ProcessId>().is_err());
    assert!(TransportProfile::AS4.parse::<TransportProfile>().unwrap().is_as4());
    assert!("peppol transport".parse::<TransportProfile>().is_err());
    let seat: SeatId = "POP987654".parse().unwrap();
    assert_eq!(seat.participant().unwrap().to_string(), "0242:987654");
    for bad in ["POP98765", "pop987654", "XOP987654", "POP98765A", "PÖP98765", ""] {
        assert!(bad.parse::<SeatId>().is_err(), "{bad}");
    }
}

proptest! {
    #[test]
    fn participants_survive_their_own_text(icd in "[0-9]{4}", value in "[A-Za-z0-9._~-]{1,130}") {
        let made = ParticipantId::new(&icd, &value).unwrap();
        let again: ParticipantId = made.to_string().parse().unwrap();
        prop_assert_eq!(again.value(), value.as_str());
        prop_assert_eq!(&made.uri().parse::<ParticipantId>().unwrap(), &made);
        prop_assert_eq!(&made.folded().parse::<ParticipantId>().unwrap(), &made);
    }

    #[test]
    fn any_text_is_survived(text in ".{0,40}") {
        let _ = text.parse::<ParticipantId>().map(|id| id.check());
        let _ = text.parse::<DocumentTypeId>();
        let _ = text.parse::<ProcessId>();
        let _ = text.parse::<SeatId>();
        for icd in ["0002", "0088", "0183", "0199", "0204", "0208", "0242", "9925", "9930", "9944"] {
            let _ = ParticipantId::new(icd, &text).map(|id| id.check());
        }
    }

    #[test]
    fn the_best_match_serves_the_document(parts in proptest::sample::subsequence(vec!["a", "b", "c", "d"], 1..4)) {
        let wanted = wild(&parts.join("@"));
        let all = candidates(&wanted);
        prop_assert_eq!(best_match(&wanted, &all), Some(&wanted));
        for skip in 1..all.len() {
            prop_assert_eq!(best_match(&wanted, &all[skip..]), Some(&all[skip]));
        }
    }
}
