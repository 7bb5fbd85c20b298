//! The Polish national system, as this service speaks to it.

use std::path::PathBuf;

use quoin_ksef::offline::CUT_OFF;
use serde::{Deserialize, Serialize};

/// As what a party is named in an invoice of somebody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PurchaseSubject {
    /// `Podmiot2`.
    Buyer,
    /// `Podmiot3`: a further buyer, who receives or pays, a unit of local government, a member of a
    /// VAT group.
    ThirdParty,
    /// `PodmiotUpowazniony`: an enforcement authority, a bailiff, a tax representative.
    Authorised,
}

impl PurchaseSubject {
    /// The word of the system.
    pub fn word(self) -> &'static str {
        match self {
            PurchaseSubject::Buyer => "Subject2",
            PurchaseSubject::ThirdParty => "Subject3",
            PurchaseSubject::Authorised => "SubjectAuthorized",
        }
    }
}

/// The Polish national system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KsefSection {
    /// Base address of its interface; without one no hook can be registered for it.
    pub url: Option<String>,
    /// What printed codes lead to.
    pub codes_url: Option<String>,
    /// The service that says whether the system runs.
    pub lighthouse_url: Option<String>,
    /// How long invoices are collected, in seconds.
    pub collect_seconds: u64,
    /// How long before midnight in Warsaw nothing of the day is handed over any more, in minutes.
    pub cut_off_minutes: u64,
    /// Time for one call, in seconds.
    pub timeout_seconds: u64,
    /// How often purchase invoices are asked for, in seconds.
    pub purchases_seconds: u64,
    /// As what a party is named in the invoices that it is asked for.
    pub purchases_as: Vec<PurchaseSubject>,
    /// Up to how many invoices of a batch go in an online session, one by one.
    pub online_up_to: u32,
    /// Files with certificates (PEM) of which one has issued the signer of receipts, or is it.
    pub upo_anchors: Vec<PathBuf>,
}

impl Default for KsefSection {
    fn default() -> KsefSection {
        KsefSection {
            url: None,
            codes_url: None,
            lighthouse_url: None,
            collect_seconds: 60,
            cut_off_minutes: CUT_OFF.unsigned_abs().as_secs() / 60,
            timeout_seconds: 60,
            purchases_seconds: 900,
            purchases_as: vec![PurchaseSubject::Buyer],
            online_up_to: 0,
            upo_anchors: Vec::new(),
        }
    }
}
