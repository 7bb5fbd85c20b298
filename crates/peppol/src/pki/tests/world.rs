//! A Peppol PKI made for one test run: a root, an authority per role, and whatever leaf, list and
//! status answer a test asks for. Shapes are those of G3.

use std::sync::LazyLock;

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use jiff::{SignedDuration, Timestamp};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CrlDistributionPoint,
    CrlIssuingDistributionPoint, CrlScope, CustomExtension, DistinguishedName, DnType, DnValue,
    ExtendedKeyUsagePurpose, IsCa, Issuer, KeyIdMethod, KeyPair, KeyUsagePurpose, PKCS_RSA_SHA256,
    RevocationReason, RevokedCertParams, RsaKeySize, SerialNumber, SigningKey,
};
use x509_cert::der::asn1::{BitString, Null, OctetString};
use x509_cert::der::{Any, AnyRef, Decode, Encode};
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_ocsp::{
    BasicOcspResponse, CertId, CertStatus, OcspGeneralizedTime, OcspResponse, ResponderId,
    ResponseData, SingleResponse, Version,
};

use crate::pki::{
    Certificate, Crl, Generation, OcspAnswer, RevocationDataError, RevocationPolicy, Revocations,
    Stage, Trust,
};

/// The instant at which tests look at the world.
pub(crate) fn now() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

pub(crate) fn days(count: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * count)
}

pub(crate) const STRICT: RevocationPolicy = RevocationPolicy::HardFail;
pub(crate) const SOFT: RevocationPolicy = RevocationPolicy::SoftFail;

/// An authority: its certificate, its parameters and its key.
pub(crate) struct Authority {
    pub(crate) certificate: Certificate,
    params: CertificateParams,
    key: KeyPair,
}

pub(crate) struct World {
    pub(crate) root: Authority,
    pub(crate) ap: Authority,
    pub(crate) smp: Authority,
    /// One key for every leaf: keys are slow to make, and no test depends on their being different.
    pub(crate) leaf_key: KeyPair,
}

/// The world that tests share.
pub(crate) static WORLD: LazyLock<World> = LazyLock::new(|| World::new(" - G3"));

/// What a leaf is to look like.
#[derive(Clone)]
pub(crate) struct Leaf {
    pub(crate) subject: Vec<(DnType, &'static str)>,
    pub(crate) serial: u64,
    pub(crate) from: Timestamp,
    pub(crate) until: Timestamp,
    pub(crate) usage: ExtendedKeyUsagePurpose,
    pub(crate) key_usages: Vec<KeyUsagePurpose>,
    pub(crate) constraints: bool,
    pub(crate) more: Vec<CustomExtension>,
    pub(crate) points: Vec<&'static str>,
}

impl Leaf {
    /// A leaf with the subject order of G3.
    pub(crate) fn g3(unit: &'static str, seat: &'static str) -> Self {
        Self {
            subject: vec![
                (DnType::CountryName, "NL"),
                (DnType::OrganizationName, "Example, Ltd"),
                (DnType::OrganizationalUnitName, unit),
                (DnType::CommonName, seat),
            ],
            serial: 4096,
            from: now() - days(100),
            until: now() + days(600),
            usage: ExtendedKeyUsagePurpose::ClientAuth,
            key_usages: vec![
                KeyUsagePurpose::DigitalSignature,
                KeyUsagePurpose::KeyEncipherment,
                KeyUsagePurpose::DataEncipherment,
            ],
            constraints: true,
            more: Vec::new(),
            points: Vec::new(),
        }
    }

    pub(crate) fn ap() -> Self {
        Self::g3("PEPPOL TEST AP", "POP000999")
    }

    pub(crate) fn smp() -> Self {
        Self::g3("PEPPOL TEST SMP", "POP000999")
    }

    pub(crate) fn serial(mut self, serial: u64) -> Self {
        self.serial = serial;
        self
    }
}

fn key() -> KeyPair {
    KeyPair::generate_rsa_for(&PKCS_RSA_SHA256, RsaKeySize::_2048).unwrap()
}

fn name(parts: &[(DnType, &str)]) -> DistinguishedName {
    let mut name = DistinguishedName::new();
    for (kind, value) in parts {
        name.push(kind.clone(), DnValue::Utf8String((*value).to_owned()));
    }
    name
}

fn offset(at: Timestamp) -> time::OffsetDateTime {
    rcgen::date_time_ymd(1970, 1, 1) + std::time::Duration::from_secs(at.as_second() as u64)
}

fn authority(common_name: &str, issuer: Option<&Authority>) -> Authority {
    authority_of(common_name, "FOR TEST ONLY", issuer)
}

/// An authority of this name and unit; a root where nobody issues it.
pub(crate) fn authority_of(common_name: &str, unit: &str, issuer: Option<&Authority>) -> Authority {
    let mut params = CertificateParams::default();
    params.distinguished_name = name(&[
        (DnType::CountryName, "BE"),
        (DnType::OrganizationName, "OpenPEPPOL AISBL"),
        (DnType::OrganizationalUnitName, unit),
        (DnType::CommonName, common_name),
    ]);
    params.is_ca = match issuer {
        None => IsCa::Ca(BasicConstraints::Unconstrained),
        Some(_) => IsCa::Ca(BasicConstraints::Constrained(1)),
    };
    params.key_usages = vec![
        KeyUsagePurpose::DigitalSignature,
        KeyUsagePurpose::KeyCertSign,
        KeyUsagePurpose::CrlSign,
    ];
    params.not_before = offset(now() - days(400));
    params.not_after = offset(now() + days(3000));
    let key = key();
    let made = match issuer {
        None => params.self_signed(&key),
        Some(issuer) => params.signed_by(&key, &Issuer::from_params(&issuer.params, &issuer.key)),
    };
    let certificate = Certificate::from_der(made.unwrap().der()).unwrap();
    Authority { certificate, params, key }
}

impl World {
    pub(crate) fn new(suffix: &str) -> Self {
        let root = authority(&format!("PEPPOL Root TEST CA{suffix}"), None);
        let ap = authority(&format!("PEPPOL ACCESS POINT TEST CA{suffix}"), Some(&root));
        let smp =
            authority(&format!("PEPPOL SERVICE METADATA PUBLISHER TEST CA{suffix}"), Some(&root));
        Self { root, ap, smp, leaf_key: key() }
    }

    pub(crate) fn generation(&self, name: &str) -> Generation {
        Generation {
            name: name.to_owned(),
            root: self.root.certificate.clone(),
            access_point: self.ap.certificate.clone(),
            smp: self.smp.certificate.clone(),
            from: None,
            until: None,
        }
    }

    pub(crate) fn trust(&self) -> Trust {
        Trust::new(Stage::Test, vec![self.generation("G3")]).unwrap()
    }

    pub(crate) fn leaf(&self, issuer: &Authority, leaf: &Leaf) -> Certificate {
        self.leaf_with(issuer, leaf, &self.leaf_key)
    }

    pub(crate) fn leaf_with(&self, issuer: &Authority, leaf: &Leaf, key: &KeyPair) -> Certificate {
        let mut params = CertificateParams::default();
        params.distinguished_name = name(&leaf.subject);
        params.serial_number = Some(SerialNumber::from(leaf.serial));
        params.not_before = offset(leaf.from);
        params.not_after = offset(leaf.until);
        params.is_ca = if leaf.constraints { IsCa::ExplicitNoCa } else { IsCa::NoCa };
        params.key_usages = leaf.key_usages.clone();
        params.extended_key_usages = vec![leaf.usage.clone()];
        params.custom_extensions = leaf.more.clone();
        params.crl_distribution_points = leaf
            .points
            .iter()
            .map(|uri| CrlDistributionPoint { uris: vec![(*uri).to_owned()] })
            .collect();
        let issuer = Issuer::from_params(&issuer.params, &issuer.key);
        Certificate::from_der(params.signed_by(key, &issuer).unwrap().der()).unwrap()
    }

    /// The revocation list of an authority, made a day ago and good for six more days.
    pub(crate) fn crl(&self, issuer: &Authority, revoked: &[u64]) -> Vec<u8> {
        self.crl_at(issuer, revoked, now() - days(1), now() + days(6))
    }

    pub(crate) fn crl_at(
        &self,
        issuer: &Authority,
        revoked: &[u64],
        from: Timestamp,
        until: Timestamp,
    ) -> Vec<u8> {
        self.crl_of(issuer, revoked, from, until, None)
    }

    /// A list for the certificates of one distribution point and kind.
    pub(crate) fn partial_crl(&self, issuer: &Authority, uri: &str, scope: CrlScope) -> Vec<u8> {
        let point = CrlIssuingDistributionPoint {
            distribution_point: CrlDistributionPoint { uris: vec![uri.to_owned()] },
            scope: Some(scope),
        };
        self.crl_of(issuer, &[], now() - days(1), now() + days(6), Some(point))
    }

    fn crl_of(
        &self,
        issuer: &Authority,
        revoked: &[u64],
        from: Timestamp,
        until: Timestamp,
        point: Option<CrlIssuingDistributionPoint>,
    ) -> Vec<u8> {
        let revoked = revoked.iter().map(|serial| RevokedCertParams {
            serial_number: SerialNumber::from(*serial),
            revocation_time: offset(from),
            reason_code: Some(RevocationReason::KeyCompromise),
            invalidity_date: None,
        });
        let params = CertificateRevocationListParams {
            this_update: offset(from),
            next_update: offset(until),
            crl_number: SerialNumber::from(1u64),
            issuing_distribution_point: point,
            revoked_certs: revoked.collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        let issuer = Issuer::from_params(&issuer.params, &issuer.key);
        params.signed_by(&issuer).unwrap().der().to_vec()
    }

    /// A snapshot with current lists of all authorities.
    pub(crate) fn revocations(&self, ap: &[u64], smp: &[u64], root: &[u64]) -> Revocations {
        let mut all = Revocations::new();
        for (issuer, serials) in [(&self.ap, ap), (&self.smp, smp), (&self.root, root)] {
            let crl = self.crl(issuer, serials);
            all.add_crl(Crl::verify(&crl, &issuer.certificate).unwrap());
        }
        all
    }
}

/// How an OCSP answer is to be made.
pub(crate) struct Ocsp<'a> {
    pub(crate) status: CertStatus,
    pub(crate) from: Timestamp,
    pub(crate) until: Option<Timestamp>,
    /// Whose name stands in the answer, and the certificate to enclose, if any.
    pub(crate) responder: &'a Certificate,
    pub(crate) enclose: bool,
}

impl<'a> Ocsp<'a> {
    pub(crate) fn good(responder: &'a Certificate) -> Self {
        let (from, until) = (now() - days(1), Some(now() + days(1)));
        Self { status: CertStatus::good(), from, until, responder, enclose: false }
    }
}

fn generalized(at: Timestamp) -> OcspGeneralizedTime {
    let since = std::time::Duration::from_secs(at.as_second() as u64);
    let time = x509_cert::der::asn1::GeneralizedTime::from_unix_duration(since).unwrap();
    OcspGeneralizedTime(time)
}

fn null() -> Option<Any> {
    Some(Any::from(AnyRef::from(Null)))
}

/// An OCSP response about `certificate`, signed with `key`.
pub(crate) fn ocsp_response(
    certificate: &Certificate,
    issuer: &Certificate,
    how: &Ocsp<'_>,
    key: &KeyPair,
) -> Vec<u8> {
    let hash = |bytes: &[u8]| {
        OctetString::new(digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes).as_ref().to_owned()).unwrap()
    };
    let x509 = x509_cert::Certificate::from_der(how.responder.der()).unwrap();
    let oid = |text| x509_cert::der::asn1::ObjectIdentifier::new_unwrap(text);
    let single = SingleResponse {
        cert_id: CertId {
            hash_algorithm: AlgorithmIdentifierOwned {
                oid: oid("1.3.14.3.2.26"),
                parameters: null(),
            },
            issuer_name_hash: hash(certificate.issuer_der()),
            issuer_key_hash: hash(issuer.public_key()),
            serial_number: x509_cert::serial_number::SerialNumber::new(certificate.serial())
                .unwrap(),
        },
        cert_status: how.status,
        this_update: generalized(how.from),
        next_update: how.until.map(generalized),
        single_extensions: None,
    };
    let tbs_response_data = ResponseData {
        version: Version::V1,
        responder_id: ResponderId::ByName(x509.tbs_certificate.subject.clone()),
        produced_at: generalized(how.from),
        responses: vec![single],
        response_extensions: None,
    };
    let signature = key.sign(&tbs_response_data.to_der().unwrap()).unwrap();
    let basic = BasicOcspResponse {
        tbs_response_data,
        signature_algorithm: AlgorithmIdentifierOwned {
            oid: oid("1.2.840.113549.1.1.11"),
            parameters: null(),
        },
        signature: BitString::from_bytes(&signature).unwrap(),
        certs: how.enclose.then(|| vec![x509]),
    };
    OcspResponse::successful(basic).unwrap().to_der().unwrap()
}

/// Makes and verifies an OCSP answer of an authority about a certificate.
pub(crate) fn answer(
    certificate: &Certificate,
    issuer: &Authority,
    how: &Ocsp<'_>,
    key: Option<&KeyPair>,
) -> Result<OcspAnswer, RevocationDataError> {
    let key = key.unwrap_or(&issuer.key);
    let bytes = ocsp_response(certificate, &issuer.certificate, how, key);
    OcspAnswer::verify(&bytes, certificate, &issuer.certificate, now())
}
