//! What is revoked, what is not, and what nobody knows.

use rcgen::{CrlScope, CustomExtension, ExtendedKeyUsagePurpose};
use x509_cert::der::{Decode, Encode};
use x509_ocsp::{CertStatus, OcspResponse, RevokedInfo};

use super::world::{Leaf, Ocsp, SOFT, STRICT, WORLD, answer, days, now, ocsp_response};
use crate::pki::{
    Certificate, CertificateRole, Crl, MEMORY, OcspAnswer, PkiRefusal, RevocationDataError,
    RevocationPolicy, RevocationStatus, Revocations, ocsp_request,
};

fn leaf(serial: u64) -> Certificate {
    WORLD.leaf(&WORLD.ap, &Leaf::ap().serial(serial))
}

#[test]
fn lists_tell_who_is_revoked() {
    let revocations = WORLD.revocations(&[4098, 0x8001], &[], &[]);
    let check = |serial| {
        WORLD.trust().check(&leaf(serial), CertificateRole::AccessPoint, now(), &revocations, SOFT)
    };
    assert!(check(4097).is_ok());
    assert!(
        matches!(check(4098), Err(PkiRefusal::Revoked { reason, .. }) if reason == "KeyCompromise")
    );
    assert!(matches!(check(0x8001), Err(PkiRefusal::Revoked { .. })), "a serial with a sign octet");
}

fn revoked_info() -> RevokedInfo {
    let at = std::time::Duration::from_secs(1_700_000_000);
    let at = x509_cert::der::asn1::GeneralizedTime::from_unix_duration(at).unwrap();
    RevokedInfo { revocation_time: x509_ocsp::OcspGeneralizedTime(at), revocation_reason: None }
}

#[test]
fn a_revoked_authority_takes_its_certificates_along() {
    let mut all = WORLD.revocations(&[], &[], &[]);
    let how =
        Ocsp { status: CertStatus::revoked(revoked_info()), ..Ocsp::good(&WORLD.root.certificate) };
    all.add_ocsp(answer(&WORLD.ap.certificate, &WORLD.root, &how, None).unwrap());
    let refused = WORLD.trust().check(&leaf(1), CertificateRole::AccessPoint, now(), &all, SOFT);
    let Err(PkiRefusal::Revoked { subject, .. }) = refused else { panic!("{refused:?}") };
    assert!(subject.contains("ACCESS POINT"), "{subject}");
}

/// Item A7: what one of them says is good, the other one may know better.
#[test]
fn a_7_revoked_by_either_is_revoked() {
    let mut all = WORLD.revocations(&[], &[], &[]);
    let listed = WORLD.crl(&WORLD.ap, &[7]);
    all.add_crl(Crl::verify(&listed, &WORLD.ap.certificate).unwrap());
    all.add_ocsp(answer(&leaf(7), &WORLD.ap, &Ocsp::good(&WORLD.ap.certificate), None).unwrap());
    for policy in [SOFT, STRICT] {
        let found =
            WORLD.trust().check(&leaf(7), CertificateRole::AccessPoint, now(), &all, policy);
        assert!(matches!(found, Err(PkiRefusal::Revoked { .. })), "{found:?}");
    }
    // The answer alone is believed.
    let mut alone = WORLD.revocations(&[], &[], &[]);
    alone.add_ocsp(answer(&leaf(7), &WORLD.ap, &Ocsp::good(&WORLD.ap.certificate), None).unwrap());
    assert!(
        WORLD.trust().check(&leaf(7), CertificateRole::AccessPoint, now(), &alone, STRICT).is_ok()
    );
}

#[test]
fn unknown_is_refused_unless_the_policy_is_soft() {
    let nothing = Revocations::new();
    let check = |revocations: &Revocations, policy| {
        WORLD.trust().check(&leaf(7), CertificateRole::AccessPoint, now(), revocations, policy)
    };
    let refused = check(&nothing, STRICT).unwrap_err();
    assert!(matches!(refused, PkiRefusal::RevocationUnknown { .. }) && refused.is_temporary());
    assert!(check(&nothing, SOFT).is_ok());
    let mut stale = Revocations::new();
    let old = WORLD.crl_at(&WORLD.ap, &[], now() - days(20), now() - days(10));
    stale.add_crl(Crl::verify(&old, &WORLD.ap.certificate).unwrap());
    assert!(matches!(check(&stale, STRICT), Err(PkiRefusal::RevocationUnknown { .. })));
    let mut stale = Revocations::new();
    let old = WORLD.crl_at(&WORLD.ap, &[7], now() - days(20), now() - days(10));
    stale.add_crl(Crl::verify(&old, &WORLD.ap.certificate).unwrap());
    assert!(
        matches!(check(&stale, SOFT), Err(PkiRefusal::Revoked { .. })),
        "revoked stays revoked"
    );
    let mut early = Revocations::new();
    let next = WORLD.crl_at(&WORLD.ap, &[], now() + days(1), now() + days(2));
    early.add_crl(Crl::verify(&next, &WORLD.ap.certificate).unwrap());
    assert!(matches!(check(&early, STRICT), Err(PkiRefusal::RevocationUnknown { .. })));
}

#[test]
fn lists_that_prove_nothing() {
    let list = WORLD.crl(&WORLD.ap, &[1]);
    let refused = |der: &[u8], issuer| Crl::verify(der, issuer).unwrap_err();
    let other = refused(&list, &WORLD.smp.certificate);
    assert!(matches!(other, RevocationDataError::OtherIssuer { .. }), "{other}");
    let mut tampered = list.clone();
    let serial = tampered.len() / 2;
    tampered[serial] ^= 1;
    assert!(Crl::verify(&tampered, &WORLD.ap.certificate).is_err());
    let last = tampered.len() - 1;
    let mut tampered = list.clone();
    tampered[last] ^= 1;
    let bad = refused(&tampered, &WORLD.ap.certificate);
    assert_eq!(bad, RevocationDataError::BadSignature { what: "CRL" });
    for end in 0..list.len() {
        assert!(Crl::verify(&list[..end], &WORLD.ap.certificate).is_err());
    }
}

#[test]
fn partial_lists_speak_for_their_part_only() {
    const HERE: &str = "http://crl.example.test/ap.crl";
    let with = |points| WORLD.leaf(&WORLD.ap, &Leaf { points, ..Leaf::ap() });
    let (here, there, nowhere) = (with(vec![HERE]), with(vec!["http://other/"]), with(vec![]));
    assert_eq!(here.crl_urls(), [HERE]);
    assert!(with(vec!["ldap://x/"]).crl_urls().is_empty());
    let of = |uri, scope, certificate: &Certificate| {
        let list = WORLD.partial_crl(&WORLD.ap, uri, scope);
        let mut all = Revocations::new();
        all.add_crl(Crl::verify(&list, &WORLD.ap.certificate).unwrap());
        all.status(certificate, &WORLD.ap.certificate, now())
    };
    let status = |scope, certificate: &Certificate| of(HERE, scope, certificate);
    assert_eq!(status(CrlScope::UserCertsOnly, &here), RevocationStatus::Good);
    // A list of a point that nobody can compare is about none of them.
    for point in ["ldap://crl.example.test/ap", "https://crl.example.test/ap.crl"] {
        for certificate in [&here, &nowhere] {
            let found = of(point, CrlScope::UserCertsOnly, certificate);
            assert!(matches!(found, RevocationStatus::Unknown { .. }), "{point}");
        }
    }
    let upper = "HTTP://crl.example.test/ap.crl";
    assert_eq!(of(upper, CrlScope::UserCertsOnly, &here), RevocationStatus::Good);
    for (scope, certificate) in [
        (CrlScope::CaCertsOnly, &here),
        (CrlScope::UserCertsOnly, &there),
        (CrlScope::UserCertsOnly, &nowhere),
    ] {
        assert!(matches!(status(scope, certificate), RevocationStatus::Unknown { .. }));
    }
}

/// An authority whose publication is stuck gives the same list again and again.
#[test]
fn a_list_that_comes_again_is_kept_once() {
    let mut all = Revocations::new();
    let list = WORLD.crl_at(&WORLD.ap, &[], now() + days(-2), now() + days(-1));
    let other = WORLD.crl_at(&WORLD.ap, &[1], now() + days(-2), now() + days(-1));
    for der in [&list, &list, &other, &list] {
        all.add_crl(Crl::verify(der, &WORLD.ap.certificate).unwrap());
    }
    let kept = format!("{all:?}").matches("Crl {").count();
    assert_eq!(kept, 2, "one of the same day that says something else is another one");
}

#[test]
fn snapshots_forget_what_is_over() {
    let mut all = Revocations::new();
    for (from, until) in [(-9, -3), (-2, 5), (-1, 6)] {
        let list = WORLD.crl_at(&WORLD.ap, &[], now() + days(from), now() + days(until));
        all.add_crl(Crl::verify(&list, &WORLD.ap.certificate).unwrap());
    }
    all.retain(now());
    assert_eq!(all.status(&leaf(1), &WORLD.ap.certificate, now()), RevocationStatus::Good);
    let until = now() + days(6);
    let later = all.status(&leaf(1), &WORLD.ap.certificate, until + days(1));
    assert_eq!(later, RevocationStatus::Stale { until });
    all.retain(until + MEMORY + days(1));
    assert!(matches!(
        all.status(&leaf(1), &WORLD.ap.certificate, until + days(1)),
        RevocationStatus::Unknown { .. }
    ));
}

#[test]
fn a_policy_decides_what_an_old_word_is_worth() {
    let certificate = leaf(26);
    let mut all = Revocations::new();
    for issuer in [&WORLD.ap, &WORLD.root] {
        let list = WORLD.crl_at(issuer, &[], now() - days(9), now() - days(1));
        all.add_crl(Crl::verify(&list, &issuer.certificate).unwrap());
    }
    let check = |all: &Revocations, policy| {
        WORLD.trust().check(&certificate, CertificateRole::AccessPoint, now(), all, policy)
    };
    let grace = |hours| RevocationPolicy::Grace(jiff::SignedDuration::from_hours(hours));
    for (policy, passes) in [
        (RevocationPolicy::HardFail, false),
        (grace(23), false),
        (grace(25), true),
        (RevocationPolicy::SoftFail, true),
    ] {
        match check(&all, policy) {
            Ok(trusted) => {
                assert!(passes, "{policy:?}");
                assert!(trusted.unconfirmed().unwrap().contains("the last word ended at"));
            }
            Err(refusal) => assert!(!passes && refusal.is_temporary(), "{policy:?}: {refusal}"),
        }
    }
    let nothing = Revocations::new();
    assert!(check(&nothing, grace(1_000)).is_err(), "there never was a word");
    assert!(check(&nothing, RevocationPolicy::SoftFail).unwrap().unconfirmed().is_some());
    let fresh = WORLD.revocations(&[], &[], &[]);
    assert_eq!(check(&fresh, RevocationPolicy::SoftFail).unwrap().unconfirmed(), None);
}

#[test]
fn the_issuer_is_found_by_name_and_signature() {
    let trust = WORLD.trust();
    assert_eq!(trust.issuer_of(&leaf(27)), Some(&WORLD.ap.certificate));
    assert_eq!(trust.issuer_of(&WORLD.ap.certificate), Some(&WORLD.root.certificate));
    let other = super::world::World::new(" - G3");
    let foreign = other.leaf(&other.ap, &Leaf::ap().serial(27));
    assert_eq!(trust.issuer_of(&foreign), None, "the same name, another key");
}

#[test]
fn the_authority_answers_itself() {
    let certificate = leaf(21);
    let good = answer(&certificate, &WORLD.ap, &Ocsp::good(&WORLD.ap.certificate), None).unwrap();
    assert_eq!(good.status(), &RevocationStatus::Good);
    let mut all = WORLD.revocations(&[], &[], &[]);
    all.add_ocsp(good);
    assert!(
        WORLD
            .trust()
            .check(&certificate, CertificateRole::AccessPoint, now(), &all, STRICT)
            .is_ok()
    );
    let unknown = Ocsp { status: CertStatus::unknown(), ..Ocsp::good(&WORLD.ap.certificate) };
    let unknown = answer(&certificate, &WORLD.ap, &unknown, None).unwrap();
    let mut only = Revocations::new();
    only.add_ocsp(unknown);
    assert!(matches!(
        only.status(&certificate, &WORLD.ap.certificate, now()),
        RevocationStatus::Unknown { .. }
    ));
}

#[test]
fn an_answer_without_an_end_counts_for_an_hour() {
    let certificate = leaf(22);
    let fresh = Ocsp { until: None, from: now(), ..Ocsp::good(&WORLD.ap.certificate) };
    let mut all = Revocations::new();
    all.add_ocsp(answer(&certificate, &WORLD.ap, &fresh, None).unwrap());
    let at = |minutes| {
        let then = now() + jiff::SignedDuration::from_mins(minutes);
        all.status(&certificate, &WORLD.ap.certificate, then)
    };
    assert_eq!(at(59), RevocationStatus::Good);
    assert!(matches!(at(61), RevocationStatus::Stale { .. }));
}

/// A node that lags behind, or somebody who repeats an answer that still counts, does not make a
/// revoked certificate good again; its authority can, with a later word.
#[test]
fn an_older_answer_takes_nothing_back() {
    let certificate = leaf(26);
    let said = |status: CertStatus, hours: i64| {
        let from = now() - jiff::SignedDuration::from_hours(hours);
        let how = Ocsp { status, from, ..Ocsp::good(&WORLD.ap.certificate) };
        answer(&certificate, &WORLD.ap, &how, None).unwrap()
    };
    let mut all = Revocations::new();
    let status = |all: &Revocations| all.status(&certificate, &WORLD.ap.certificate, now());
    all.add_ocsp(said(CertStatus::good(), 3));
    assert_eq!(status(&all), RevocationStatus::Good);
    all.add_ocsp(said(CertStatus::revoked(revoked_info()), 2));
    for hours in [3, 2] {
        all.add_ocsp(said(CertStatus::good(), hours));
        let found = status(&all);
        assert!(matches!(found, RevocationStatus::Revoked { .. }), "{hours}: {found:?}");
    }
    all.add_ocsp(said(CertStatus::good(), 1));
    assert_eq!(status(&all), RevocationStatus::Good, "a later word");
    // One of a clock far ahead stands in the way of none.
    all.add_ocsp(said(CertStatus::good(), -24));
    all.retain(now());
    all.add_ocsp(said(CertStatus::good(), 0));
    assert_eq!(status(&all), RevocationStatus::Good);
}

fn no_check() -> CustomExtension {
    CustomExtension::from_oid_content(&[1, 3, 6, 1, 5, 5, 7, 48, 1, 5], vec![5, 0])
}

#[test]
fn a_delegated_responder_answers() {
    let delegate = |usage, more| {
        let leaf = Leaf { usage, more, ..Leaf::g3("OCSP", "responder") };
        WORLD.leaf(&WORLD.ap, &leaf.serial(900))
    };
    let certificate = leaf(23);
    let ask = |responder: &Certificate, enclose| {
        let how = Ocsp { enclose, ..Ocsp::good(responder) };
        answer(&certificate, &WORLD.ap, &how, Some(&WORLD.leaf_key))
    };
    let good = delegate(ExtendedKeyUsagePurpose::OcspSigning, vec![no_check()]);
    assert_eq!(ask(&good, true).unwrap().status(), &RevocationStatus::Good);
    let other = |found| matches!(found, Err(RevocationDataError::OtherIssuer { .. }));
    assert!(other(ask(&good, false)), "its certificate must be enclosed");
    let client = delegate(ExtendedKeyUsagePurpose::ClientAuth, vec![no_check()]);
    assert!(other(ask(&client, true)), "an access point is no responder");
    let revocable = delegate(ExtendedKeyUsagePurpose::OcspSigning, vec![]);
    assert!(other(ask(&revocable, true)));
    let mut foreign = Leaf::g3("OCSP", "responder");
    foreign.usage = ExtendedKeyUsagePurpose::OcspSigning;
    foreign.more = vec![no_check()];
    let foreign = WORLD.leaf(&WORLD.smp, &foreign);
    assert!(other(ask(&foreign, true)), "appointed by another authority");
    let mut expired = Leaf::g3("OCSP", "responder");
    expired.usage = ExtendedKeyUsagePurpose::OcspSigning;
    expired.more = vec![no_check()];
    expired.until = now() - days(1);
    let expired = WORLD.leaf(&WORLD.ap, &expired);
    assert!(other(ask(&expired, true)));
}

#[test]
fn answers_that_prove_nothing() {
    let certificate = leaf(24);
    let how = Ocsp::good(&WORLD.ap.certificate);
    let forged = answer(&certificate, &WORLD.ap, &how, Some(&WORLD.leaf_key)).unwrap_err();
    assert_eq!(forged, RevocationDataError::BadSignature { what: "OCSP answer" });
    let about = leaf(25);
    let elsewhere = ocsp_response(&about, &WORLD.ap.certificate, &how, &WORLD.leaf_key);
    assert!(OcspAnswer::verify(&elsewhere, &certificate, &WORLD.ap.certificate, now()).is_err());
    let later = OcspResponse::try_later().to_der().unwrap();
    let refused = OcspAnswer::verify(&later, &certificate, &WORLD.ap.certificate, now());
    assert!(matches!(refused, Err(RevocationDataError::NotSuccessful { .. })));
    for end in 0..elsewhere.len() {
        let cut = &elsewhere[..end];
        assert!(OcspAnswer::verify(cut, &certificate, &WORLD.ap.certificate, now()).is_err());
    }
}

#[test]
fn requests_name_the_certificate() {
    let certificate = leaf(0x80);
    let request = ocsp_request(&certificate, &WORLD.ap.certificate).unwrap();
    let request = x509_ocsp::OcspRequest::from_der(&request).unwrap();
    let id = &request.tbs_request.request_list[0].req_cert;
    assert_eq!(id.serial_number.as_bytes(), [0, 0x80], "with its sign octet");
    assert_eq!(id.issuer_name_hash.as_bytes().len(), 20);
    assert!(request.nonce().is_none());
}
