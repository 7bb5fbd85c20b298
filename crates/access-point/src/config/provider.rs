//! Settings of the provider itself: the identity under which it speaks with other providers, the
//! Message Level Statuses it gives and asks for, and its statistics reports.

use jiff::SignedDuration;
use quoin_peppol::sbdh::MlsType;
use serde::{Deserialize, Serialize};

/// The provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProviderSection {
    /// Id of the organisation that holds what the provider itself sends and receives.
    pub organisation: String,
    /// Its name.
    pub name: String,
    /// The country where the provider is domiciled, ISO 3166-1 alpha-2; the one in the subject of
    /// the access point certificate unless told otherwise.
    pub country: Option<String>,
    /// Whether Message Level Statuses are given.
    pub give_statuses: bool,
    /// Which Message Level Statuses are asked for (`MLS_TYPE`).
    pub ask_for_statuses: RequestedStatuses,
    /// Another identifier of the provider at which statuses are wanted (`MLS_TO`).
    pub status_identifier: Option<String>,
    /// Seconds from M1 for which a confirmation of the receiver is waited for.
    pub confirmation_seconds: u32,
    /// Whether statistics reports are made and sent; in production unless told otherwise.
    pub reports: Option<bool>,
    /// Who receives statistics reports.
    pub report_receiver: String,
    /// Who sends them, an identifier of the provider; `0242:` with the digits of the seat id unless
    /// told otherwise.
    pub report_sender: Option<String>,
}

/// Which statuses are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestedStatuses {
    /// Nothing is said, which means those about failures.
    #[default]
    Unsaid,
    /// Those about failures.
    Failures,
    /// Every one.
    Always,
}

impl RequestedStatuses {
    /// The scope of the envelope.
    pub fn scope(self) -> Option<MlsType> {
        match self {
            RequestedStatuses::Unsaid => None,
            RequestedStatuses::Failures => Some(MlsType::FailureOnly),
            RequestedStatuses::Always => Some(MlsType::AlwaysSend),
        }
    }
}

impl Default for ProviderSection {
    fn default() -> ProviderSection {
        ProviderSection {
            organisation: "provider".to_owned(),
            name: "Service provider".to_owned(),
            country: None,
            give_statuses: true,
            ask_for_statuses: RequestedStatuses::Unsaid,
            status_identifier: None,
            confirmation_seconds: 300,
            reports: None,
            report_receiver: "9925:be0848934496".to_owned(),
            report_sender: None,
        }
    }
}

impl ProviderSection {
    /// How long a confirmation is waited for.
    pub fn patience(&self) -> SignedDuration {
        SignedDuration::from_secs(i64::from(self.confirmation_seconds))
    }
}
