//! What a report says besides the invoice.

use jiff::Timestamp;
use quoin_model::ElectronicAddress;
use uuid::Uuid;

use crate::regime::TaxSubmission;

/// The authority that is reported to (TDG-04; ViDA and Slovakia only).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxAuthority {
    /// TDT-010: its identifier. The samples of the pilot have the code of the country: `BE`.
    pub id: String,
    /// TDT-011: its name.
    pub name: Option<String>,
}

/// Everything of a report that is not in the invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxEnvelope<'a> {
    /// TDT-003: random (version 4), another one for each report. Not written for the Emirates.
    pub uuid: Uuid,
    /// TDT-004 and TDT-005: when the report is made; written in UTC.
    pub issued: Timestamp,
    /// TDT-007: what it does.
    pub submission: TaxSubmission,
    /// TDT-010 and TDT-011; not written for the Emirates and Oman.
    pub authority: &'a TaxAuthority,
    /// TDT-013: the participant identifier of the client that is reported for: corner 1 for corner
    /// 2, corner 4 for corner 3.
    pub reporter: &'a ElectronicAddress,
    /// TDT-014: the value of the participant identifier of corner 5, such as `000306-TAX.BE`. Its
    /// scheme is [`crate::regime::PROVIDER_SCHEME`].
    pub receiver: &'a str,
    /// TDT-015: our seat number, such as `000306`, of the same scheme.
    pub representative: &'a str,
    /// TDT-018 (ViDA 1.1, where it is obligatory): the transmission of the invoice.
    pub transmission: Option<Uuid>,
    /// `TransportHeaderID` (AE, OM): the instance identifier of the invoice's envelope.
    pub transport_header: Option<&'a str>,
    /// Oman: when the invoice was received. Where it is not given, when the report is made.
    pub received: Option<Timestamp>,
}
