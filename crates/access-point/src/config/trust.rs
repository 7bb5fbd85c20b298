//! Which Peppol certificates are believed, and what happens when nobody says whether one is
//! revoked.

use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use quoin_peppol::pki::RevocationPolicy;
use quoin_peppol::sml::{PRODUCTION_ZONE, TEST_ZONE};
use serde::{Deserialize, Serialize};

/// Hosts and zones of each network: look-ups, the management of the SML, and the Directory; those
/// of the years before the network had its own SML are still in old files.
const HOSTS: &[(ConfiguredStage, &str)] = &[
    (ConfiguredStage::Production, PRODUCTION_ZONE),
    (ConfiguredStage::Production, "api.sml.prod.tech.peppol.org"),
    (ConfiguredStage::Production, "edelivery.tech.ec.europa.eu"),
    (ConfiguredStage::Production, "directory.peppol.eu"),
    (ConfiguredStage::Test, TEST_ZONE),
    (ConfiguredStage::Test, "api.sml.test.tech.peppol.org"),
    (ConfiguredStage::Test, "acc.edelivery.tech.ec.europa.eu"),
    (ConfiguredStage::Test, "test-directory.peppol.eu"),
];

/// A Peppol network: each has its own certificates and its own zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConfiguredStage {
    /// The network of real documents.
    Production,
    /// The test network.
    Test,
}

impl ConfiguredStage {
    /// The look-up zone of the stage, without the dot of an absolute name.
    pub fn sml_zone(self) -> &'static str {
        match self {
            ConfiguredStage::Production => PRODUCTION_ZONE,
            ConfiguredStage::Test => TEST_ZONE,
        }
    }

    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            ConfiguredStage::Production => "production",
            ConfiguredStage::Test => "test",
        }
    }

    /// The stage of a host or zone of the network, where that is one of those that are known.
    pub fn of_host(host: &str) -> Option<ConfiguredStage> {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        HOSTS.iter().find(|(_, known)| *known == host).map(|(stage, _)| *stage)
    }
}

/// What happens to a certificate when nobody says whether it is revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outage {
    /// It is not believed; the sender is told to come again, and what we send waits.
    HardFail,
    /// What was last said counts for some hours longer; then as `hard-fail`.
    Grace,
    /// It is believed.
    SoftFail,
}

/// Which Peppol certificates are believed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrustSection {
    /// The network that this process belongs to.
    pub stage: ConfiguredStage,
    /// PEM files of the roots above AP certificates.
    pub ap_anchors: Vec<PathBuf>,
    /// PEM files of the CAs that issue AP certificates.
    pub ap_intermediates: Vec<PathBuf>,
    /// PEM files of the roots above SMP certificates.
    pub smp_anchors: Vec<PathBuf>,
    /// PEM files of the CAs that issue SMP certificates.
    pub smp_intermediates: Vec<PathBuf>,
    /// Generations of authorities that are trusted for a time.
    pub authorities: Vec<Authorities>,
    /// Whether revocation lists are read.
    pub crl: bool,
    /// Whether OCSP responders are asked, before revocation lists.
    pub ocsp: bool,
    /// What happens when nobody says whether a certificate is revoked.
    pub revocation: Outage,
    /// For how many hours longer the last word counts, where `revocation` is `grace`.
    pub revocation_grace_hours: f64,
    /// How long a message of an access point that was never seen waits for the status of its
    /// certificate, in milliseconds.
    pub first_contact_ms: u64,
    /// The organisations that get the event CertificateExpiring; all where none is named.
    pub warn_organisations: Vec<String>,
}

/// One generation of authorities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Authorities {
    /// Its name in messages, such as `G3`.
    pub name: String,
    /// PEM file of the root.
    pub root: PathBuf,
    /// PEM file of the CA that issues AP certificates.
    pub access_point: PathBuf,
    /// PEM file of the CA that issues SMP certificates.
    pub smp: PathBuf,
    /// Trusted from then on; always where not set.
    pub from: Option<Timestamp>,
    /// Trusted until then; always where not set.
    pub until: Option<Timestamp>,
}

impl Default for TrustSection {
    fn default() -> TrustSection {
        TrustSection {
            stage: ConfiguredStage::Test,
            ap_anchors: Vec::new(),
            ap_intermediates: Vec::new(),
            smp_anchors: Vec::new(),
            smp_intermediates: Vec::new(),
            authorities: Vec::new(),
            crl: true,
            ocsp: true,
            revocation: Outage::HardFail,
            revocation_grace_hours: 24.0,
            first_contact_ms: 2000,
            warn_organisations: Vec::new(),
        }
    }
}

impl TrustSection {
    /// The policy as the room `peppol` takes it.
    pub fn policy(&self) -> RevocationPolicy {
        let seconds = self.revocation_grace_hours * 3600.0;
        match self.revocation {
            Outage::HardFail => RevocationPolicy::HardFail,
            Outage::Grace => RevocationPolicy::Grace(
                SignedDuration::try_from_secs_f64(seconds).unwrap_or_default(),
            ),
            Outage::SoftFail => RevocationPolicy::SoftFail,
        }
    }

    pub(super) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let lists = [
            &mut self.ap_anchors,
            &mut self.ap_intermediates,
            &mut self.smp_anchors,
            &mut self.smp_intermediates,
        ];
        let dated = self.authorities.iter_mut();
        let dated = dated.flat_map(|one| [&mut one.root, &mut one.access_point, &mut one.smp]);
        lists.into_iter().flatten().chain(dated)
    }
}
