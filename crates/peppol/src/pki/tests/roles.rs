//! Who is trusted as what.

use rcgen::{CustomExtension, ExtendedKeyUsagePurpose, KeyUsagePurpose};

use super::world::{Leaf, SOFT, STRICT, WORLD, World, authority_of, days, now};
use crate::pki::{
    Certificate, CertificateRole, DistinguishedName, Generation, PkiRefusal, Revocations, Stage,
    Trust, Trusted,
};

fn check(certificate: &Certificate, role: CertificateRole) -> Result<Trusted, PkiRefusal> {
    let revocations = WORLD.revocations(&[], &[], &[]);
    WORLD.trust().check(certificate, role, now(), &revocations, STRICT)
}

#[test]
fn a_certificate_of_its_role_is_trusted() {
    let ap = WORLD.leaf(&WORLD.ap, &Leaf::ap());
    let trusted = check(&ap, CertificateRole::AccessPoint).unwrap();
    assert_eq!(trusted.seat().as_str(), "POP000999");
    assert_eq!(trusted.chain().generation, "G3");
    let smp = WORLD.leaf(&WORLD.smp, &Leaf::smp());
    assert!(check(&smp, CertificateRole::Smp).is_ok());
    let bare = WORLD.leaf(&WORLD.ap, &Leaf { constraints: false, ..Leaf::ap() });
    assert!(check(&bare, CertificateRole::AccessPoint).is_ok(), "basic constraints may be absent");
}

#[test]
fn the_order_of_g2_subjects_is_read_too() {
    let mut leaf = Leaf::ap();
    leaf.subject.reverse();
    leaf.key_usages.push(KeyUsagePurpose::KeyAgreement);
    let g2 = WORLD.leaf(&WORLD.ap, &leaf);
    let g3 = WORLD.leaf(&WORLD.ap, &Leaf::ap());
    assert_ne!(g2.subject().to_string(), g3.subject().to_string());
    assert_eq!(g2.subject(), g3.subject());
    assert_eq!(check(&g2, CertificateRole::AccessPoint).unwrap().seat().as_str(), "POP000999");
}

#[test]
fn one_role_is_never_the_other() {
    let ap = WORLD.leaf(&WORLD.ap, &Leaf::ap());
    let smp = WORLD.leaf(&WORLD.smp, &Leaf::smp());
    let wrong = |found| matches!(found, Err(PkiRefusal::WrongRole { .. }));
    assert!(wrong(check(&ap, CertificateRole::Smp)));
    assert!(wrong(check(&smp, CertificateRole::AccessPoint)));
    let unit = WORLD.leaf(&WORLD.ap, &Leaf::smp());
    assert!(wrong(check(&unit, CertificateRole::AccessPoint)), "the unit is the second check");
    let stage = WORLD.leaf(&WORLD.ap, &Leaf::g3("PEPPOL PRODUCTION AP", "POP000999"));
    assert!(wrong(check(&stage, CertificateRole::AccessPoint)));
}

#[test]
fn certificates_of_others_are_not_trusted() {
    let other = World::new(" - OTHER");
    let foreign = other.leaf(&other.ap, &Leaf::ap());
    let refused = check(&foreign, CertificateRole::AccessPoint).unwrap_err();
    assert!(matches!(refused, PkiRefusal::UnknownIssuer { .. }), "{refused}");
    let twin = World::new(" - G3");
    let forged = twin.leaf(&twin.ap, &Leaf::ap());
    let refused = check(&forged, CertificateRole::AccessPoint).unwrap_err();
    assert!(matches!(refused, PkiRefusal::BadSignature { .. }), "{refused}");
    let direct = WORLD.leaf(&WORLD.root, &Leaf::ap());
    let refused = check(&direct, CertificateRole::AccessPoint).unwrap_err();
    assert!(matches!(refused, PkiRefusal::UnknownIssuer { .. }), "{refused}");
    assert!(
        check(&WORLD.ap.certificate, CertificateRole::AccessPoint).is_err(),
        "an authority is no leaf"
    );
}

#[test]
fn validity_is_checked_now() {
    let leaf = WORLD.leaf(&WORLD.ap, &Leaf::ap());
    let revocations = Revocations::new();
    let at =
        |when| WORLD.trust().check(&leaf, CertificateRole::AccessPoint, when, &revocations, SOFT);
    assert!(at(now()).is_ok());
    assert!(matches!(at(now() - days(101)), Err(PkiRefusal::NotYetValid { .. })));
    assert!(matches!(at(now() + days(601)), Err(PkiRefusal::Expired { .. })));
}

#[test]
fn shapes_that_peppol_does_not_issue() {
    let refused = |leaf: Leaf| {
        check(&WORLD.leaf(&WORLD.ap, &leaf), CertificateRole::AccessPoint).unwrap_err()
    };
    let server = Leaf { usage: ExtendedKeyUsagePurpose::ServerAuth, ..Leaf::ap() };
    assert!(matches!(refused(server), PkiRefusal::WrongShape { .. }));
    let seat = Leaf::g3("PEPPOL TEST AP", "example.org");
    assert!(matches!(refused(seat), PkiRefusal::WrongShape { .. }));
    let usage = Leaf { key_usages: vec![KeyUsagePurpose::KeyEncipherment], ..Leaf::ap() };
    assert!(matches!(refused(usage), PkiRefusal::WrongShape { .. }));
    let mut unknown = CustomExtension::from_oid_content(&[1, 2, 3, 4], vec![5, 0]);
    unknown.set_criticality(true);
    let critical = Leaf { more: vec![unknown], ..Leaf::ap() };
    assert!(matches!(refused(critical), PkiRefusal::WrongShape { .. }));
}

#[test]
fn two_generations_live_side_by_side_for_their_time() {
    let old = World::new(" - G2");
    let old_leaf = old.leaf(&old.ap, &Leaf::ap());
    let new_leaf = WORLD.leaf(&WORLD.ap, &Leaf::ap());
    let retired = now() + days(10);
    let trust = Trust::new(
        Stage::Test,
        vec![
            Generation { until: Some(retired), ..old.generation("G2") },
            Generation { from: Some(now() - days(5)), ..WORLD.generation("G3") },
        ],
    )
    .unwrap();
    let at = |leaf, when| {
        trust.check(leaf, CertificateRole::AccessPoint, when, &Revocations::new(), SOFT)
    };
    assert_eq!(at(&old_leaf, now()).unwrap().chain().generation, "G2");
    assert_eq!(at(&new_leaf, now()).unwrap().chain().generation, "G3");
    let after = at(&old_leaf, retired + days(1)).unwrap_err();
    assert_eq!(after, PkiRefusal::RetiredIssuer { generation: "G2".to_owned() });
    assert!(matches!(at(&new_leaf, now() - days(6)), Err(PkiRefusal::RetiredIssuer { .. })));
    let kept = trust.chain(&old_leaf, CertificateRole::AccessPoint, now()).unwrap();
    assert!(kept.check(retired + days(1), &Revocations::new(), SOFT).is_err());
}

#[test]
fn certificates_are_read_from_every_text_form() {
    let leaf = WORLD.leaf(&WORLD.ap, &Leaf::ap());
    let base64 = leaf.base64();
    let wrapped: String = base64
        .as_bytes()
        .chunks(64)
        .map(|c| format!("  {}\r\n", str::from_utf8(c).unwrap()))
        .collect();
    let pem = format!(
        "Bag Attributes: x\n-----BEGIN CERTIFICATE-----\n{wrapped}-----END CERTIFICATE-----\n"
    );
    let one_line = pem.replace("\r\n", " ").replace('\n', " ");
    let closed_up = format!("-----BEGIN CERTIFICATE-----{base64}-----END CERTIFICATE-----");
    let unended = format!("-----BEGIN X509 CERTIFICATE-----\n{base64}");
    for text in [&base64, &wrapped, &pem, &one_line, &closed_up, &unended] {
        assert_eq!(Certificate::from_text(text).unwrap(), leaf);
    }
    assert!(Certificate::from_text("").is_err());
    assert!(Certificate::from_text("AAAA").is_err());
    assert!(Certificate::from_text(&base64[4..]).is_err());
}

#[test]
fn names_are_sets_of_attributes() {
    let parse = |text| DistinguishedName::parse(text).unwrap();
    let name = parse("CN=POP000999,OU=PEPPOL TEST SMP,O=Our Company,C=NL");
    assert_eq!(name, parse("C=NL, O=Our  company, OU=PEPPOL TEST SMP, CN=POP000999"));
    assert_eq!(name, parse("2.5.4.3=POP000999;OU=\"PEPPOL TEST SMP\";O=Our Company+C=NL"));
    assert_ne!(name, parse("CN=POP000999,OU=PEPPOL TEST AP,O=Our Company,C=NL"));
    assert_ne!(name, parse("CN=POP000999,OU=PEPPOL TEST SMP,O=Our Company"));
    assert_ne!(name, parse("CN=POP000999,CN=POP000999,OU=PEPPOL TEST SMP,O=Our Company,C=NL"));
    let leaf = WORLD.leaf(&WORLD.smp, &Leaf::smp());
    let text = leaf.subject().to_string();
    assert_eq!(text, "CN=POP000999,OU=PEPPOL TEST SMP,O=Example\\, Ltd,C=NL");
    assert_eq!(&parse(&text), leaf.subject());
    assert_eq!(parse("O=\\c3\\a9t\\c3\\a9"), parse("O=\u{e9}t\u{e9}"));
    for bad in ["", "PID:9208-2001-3-279815395", "CN=\"a", "CN=a\\"] {
        assert_eq!(DistinguishedName::parse(bad), None, "{bad}");
    }
}

#[test]
fn certificates_say_of_which_network_they_are() {
    let said =
        |unit: &'static str| Stage::said_by(&WORLD.leaf(&WORLD.ap, &Leaf::g3(unit, "POP000999")));
    assert_eq!(said("PEPPOL TEST AP"), Some(Stage::Test));
    assert_eq!(said("PEPPOL TEST SMP"), Some(Stage::Test));
    assert_eq!(said("PEPPOL PRODUCTION AP"), Some(Stage::Production));
    assert_eq!(said("PEPPOL PRODUCTION SMP"), Some(Stage::Production));
    assert_eq!(said("Somebody else"), None, "a leaf without a unit of Peppol says nothing");
    let only_test = "FOR TEST ONLY";
    for (name, unit, stage) in [
        ("PEPPOL Root TEST CA - G3", "", Some(Stage::Test)),
        ("PEPPOL ACCESS POINT TEST CA - G3", only_test, Some(Stage::Test)),
        ("PEPPOL Root CA - G4", only_test, Some(Stage::Test)),
        ("PEPPOL Root CA - G3", "Peppol", Some(Stage::Production)),
        ("Peppol Service Metadata Publisher CA - G4", "", Some(Stage::Production)),
        ("Root of a laboratory", only_test, None),
        ("PEPPOLISH Root", "", None),
    ] {
        let authority = authority_of(name, unit, None).certificate;
        assert_eq!(Stage::said_by(&authority), stage, "{name}, {unit}");
    }
}

/// PE-17: two generations whose authorities have equal names and other keys, in either order.
#[test]
fn pe_17_authorities_of_equal_names_are_told_apart_by_their_keys() {
    let other = World::new(" - G3");
    let (first, second) = (WORLD.generation("G3"), other.generation("G3 again"));
    for generations in [vec![first.clone(), second.clone()], vec![second, first]] {
        let trust = Trust::new(Stage::Test, generations).unwrap();
        for world in [&*WORLD, &other] {
            let leaf = world.leaf(&world.ap, &Leaf::ap());
            let found = trust.chain(&leaf, CertificateRole::AccessPoint, now());
            assert!(found.is_ok(), "{:?}", found.err());
        }
        let stranger = World::new(" - G3");
        let leaf = stranger.leaf(&stranger.ap, &Leaf::ap());
        let refused = trust.chain(&leaf, CertificateRole::AccessPoint, now()).unwrap_err();
        assert!(matches!(refused, PkiRefusal::BadSignature { .. }), "{refused}");
    }
}
