//! Where a failure lies and who can fix it: the words that are shown on timelines and in events,
//! and what a code says (Peppol AS4 profile, section 4). Which codes there are is in
//! [`crate::causes`].

use std::fmt;

/// The place on the way from corner 1 to corner 4 where a failure lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Corner {
    /// Corner 1: the document, its addresses, or what was asked beside it.
    SenderData,
    /// The register of participants: the receiver is not in it, it does not answer, or it names an
    /// address that nobody may use.
    Sml,
    /// The publisher of the receiver's provider.
    Smp,
    /// Corner 3: the receiver's access point.
    ReceiverAccessPoint,
    /// The certificate of the receiver's access point, or its status at its authority.
    ReceiverCertificate,
    /// The way between us and corner 3.
    Network,
    /// The mail server, for documents that go by mail.
    Mail,
    /// The SFTP server, for documents that go into a folder.
    Sftp,
    /// The web server, for documents that go over HTTPS.
    Https,
    /// Another network, for documents that go to one: procurement, DICO, collaboration.
    PartnerNetwork,
    /// The national system that registers invoices.
    Authority,
    /// Corner 2: this service.
    Us,
}

/// Who can fix it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fixer {
    /// The sender, in the document or its master data.
    Sender,
    /// The receiver, who has to register with a provider.
    Receiver,
    /// The receiver's provider.
    ReceiversProvider,
    /// Nobody has to act: it passes by itself, and the service tries again. Of a document that was
    /// given up: see [`CauseRow::fixer_at_end`].
    Time,
    /// The operator of this service.
    Us,
}

/// A code with its cause; one row of [`CAUSES`](crate::causes::CAUSES).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CauseRow {
    /// The code on the timeline, in events and with attempts.
    pub code: &'static str,
    /// Where it lies.
    pub corner: Corner,
    /// Who can fix it.
    pub fixer: Fixer,
    /// What happened, in one sentence of English.
    pub meaning: &'static str,
    /// Whether it says that the address does not take documents at present: such failures open its
    /// breaker.
    pub is_outage: bool,
}

/// A code by where it lies, who can fix it, and what happened.
pub(crate) const fn cause(
    code: &'static str,
    corner: Corner,
    fixer: Fixer,
    meaning: &'static str,
) -> CauseRow {
    CauseRow { code, corner, fixer, meaning, is_outage: false }
}

/// The same of one which says that the address does not take documents at present.
pub(crate) const fn outage(
    code: &'static str,
    corner: Corner,
    fixer: Fixer,
    meaning: &'static str,
) -> CauseRow {
    CauseRow { is_outage: true, ..cause(code, corner, fixer, meaning) }
}

impl CauseRow {
    /// Who can fix it once a document was given up for it, when nothing is tried again: what passed
    /// by itself did not, and whoever has the place where it lies has to act.
    pub fn fixer_at_end(&self) -> Fixer {
        match (self.fixer, self.corner) {
            (
                Fixer::Time,
                Corner::Network
                | Corner::ReceiverAccessPoint
                | Corner::ReceiverCertificate
                | Corner::Smp,
            ) => Fixer::ReceiversProvider,
            // Whose hook it is.
            (
                Fixer::Time,
                Corner::SenderData | Corner::Sftp | Corner::Https | Corner::PartnerNetwork,
            ) => Fixer::Sender,
            (Fixer::Time, Corner::Sml | Corner::Mail | Corner::Authority | Corner::Us) => Fixer::Us,
            (fixer, _) => fixer,
        }
    }
}

impl Corner {
    /// Every corner, in the order in which a document passes them.
    pub const ALL: [Corner; 12] = [
        Corner::SenderData,
        Corner::Us,
        Corner::Sml,
        Corner::Smp,
        Corner::ReceiverCertificate,
        Corner::Network,
        Corner::ReceiverAccessPoint,
        Corner::Mail,
        Corner::Sftp,
        Corner::Https,
        Corner::PartnerNetwork,
        Corner::Authority,
    ];

    /// The stable word in answers and events.
    pub const fn as_str(self) -> &'static str {
        match self {
            Corner::SenderData => "sender-data",
            Corner::Sml => "sml",
            Corner::Smp => "smp",
            Corner::ReceiverAccessPoint => "receiver-access-point",
            Corner::ReceiverCertificate => "receiver-certificate",
            Corner::Network => "network",
            Corner::Mail => "mail",
            Corner::Sftp => "sftp",
            Corner::Https => "https",
            Corner::PartnerNetwork => "partner-network",
            Corner::Authority => "authority",
            Corner::Us => "us",
        }
    }
}

impl Fixer {
    /// Everybody.
    pub const ALL: [Fixer; 5] =
        [Fixer::Sender, Fixer::Receiver, Fixer::ReceiversProvider, Fixer::Time, Fixer::Us];

    /// The stable word in answers and events.
    pub const fn as_str(self) -> &'static str {
        match self {
            Fixer::Sender => "sender",
            Fixer::Receiver => "receiver",
            Fixer::ReceiversProvider => "receivers-provider",
            Fixer::Time => "time",
            Fixer::Us => "us",
        }
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Fixer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
