//! Where a failure lies and who can fix it: one row for each code that an attempt, a look-up or a
//! check can end with. The words are shown on timelines and in events; what they mean is told in
//! the languages of the interface (Peppol AS4 profile, section 4).

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

/// One row of [`CAUSES`].
#[derive(Debug, Clone, Copy)]
pub struct CauseRow {
    /// The code on the timeline, in events and with attempts.
    pub code: &'static str,
    /// Where it lies.
    pub corner: Corner,
    /// Who can fix it.
    pub fixer: Fixer,
    /// Whether it says that the address does not take documents at present: such failures open its
    /// breaker.
    pub is_outage: bool,
}

const fn row(code: &'static str, corner: Corner, fixer: Fixer) -> CauseRow {
    CauseRow { code, corner, fixer, is_outage: false }
}

const fn outage(code: &'static str, corner: Corner, fixer: Fixer) -> CauseRow {
    CauseRow { code, corner, fixer, is_outage: true }
}

/// Every code with its cause.
pub const CAUSES: &[CauseRow] = &[
    row("invalid-document", Corner::SenderData, Fixer::Sender),
    row("channel", Corner::SenderData, Fixer::Sender),
    row("ENVELOPE", Corner::SenderData, Fixer::Sender),
    row("not-registered", Corner::Sml, Fixer::Receiver),
    row("dns-trouble", Corner::Sml, Fixer::Time),
    row("invalid-smp-address", Corner::Sml, Fixer::ReceiversProvider),
    row("smp-trouble", Corner::Smp, Fixer::ReceiversProvider),
    row("smp-status", Corner::Smp, Fixer::ReceiversProvider),
    row("unsupported-document-type", Corner::Smp, Fixer::Receiver),
    row("untrusted-metadata", Corner::Smp, Fixer::ReceiversProvider),
    row("no-usable-endpoint", Corner::Smp, Fixer::ReceiversProvider),
    row("receiver-certificate", Corner::ReceiverCertificate, Fixer::ReceiversProvider),
    row("AP-CERTIFICATE", Corner::ReceiverCertificate, Fixer::ReceiversProvider),
    row("NOT-SERVICED", Corner::ReceiverAccessPoint, Fixer::ReceiversProvider),
    row("AP-ERROR", Corner::ReceiverAccessPoint, Fixer::ReceiversProvider),
    row("AP-REFUSED", Corner::ReceiverAccessPoint, Fixer::ReceiversProvider),
    outage("AP-STATUS", Corner::ReceiverAccessPoint, Fixer::ReceiversProvider),
    outage("AP-TLS", Corner::ReceiverAccessPoint, Fixer::ReceiversProvider),
    outage("AP-TIMEOUT", Corner::ReceiverAccessPoint, Fixer::ReceiversProvider),
    outage("NO-ANSWER", Corner::Network, Fixer::Time),
    outage("NO-RECEIPT", Corner::ReceiverAccessPoint, Fixer::ReceiversProvider),
    row(NO_RECEIPT_IN_HAND, Corner::ReceiverAccessPoint, Fixer::Time),
    row("AP-ADDRESS", Corner::Smp, Fixer::ReceiversProvider),
    outage(UNREACHABLE, Corner::Network, Fixer::Time),
    row(RESTING, Corner::ReceiverAccessPoint, Fixer::Time),
    row("mail-hook", Corner::SenderData, Fixer::Sender),
    row("mail-unavailable", Corner::Mail, Fixer::Time),
    row("mail-refused", Corner::Mail, Fixer::Sender),
    row(MAIL_BOUNCED, Corner::Mail, Fixer::Sender),
    row(MAIL_DELAYED, Corner::Mail, Fixer::Time),
    row("sftp-hook", Corner::SenderData, Fixer::Sender),
    row("sftp-host-key", Corner::Sftp, Fixer::Sender),
    row("sftp-login", Corner::Sftp, Fixer::Sender),
    outage("sftp-unavailable", Corner::Sftp, Fixer::Time),
    row("sftp-refused", Corner::Sftp, Fixer::Sender),
    row("sftp-resting", Corner::Sftp, Fixer::Time),
    row("https-resting", Corner::Https, Fixer::Time),
    row("https-hook", Corner::SenderData, Fixer::Sender),
    row("https-login", Corner::Https, Fixer::Sender),
    row("https-tls", Corner::Https, Fixer::Sender),
    outage("https-unavailable", Corner::Https, Fixer::Time),
    row("https-refused", Corner::Https, Fixer::Sender),
    row("not-convertible", Corner::SenderData, Fixer::Sender),
    row("partner-hook", Corner::SenderData, Fixer::Sender),
    row("partner-secret", Corner::PartnerNetwork, Fixer::Sender),
    row("partner-relationship", Corner::PartnerNetwork, Fixer::Sender),
    row("partner-tls", Corner::PartnerNetwork, Fixer::Sender),
    row("partner-unavailable", Corner::PartnerNetwork, Fixer::Time),
    row("partner-refused", Corner::PartnerNetwork, Fixer::Sender),
    row("ksef-document", Corner::SenderData, Fixer::Sender),
    row("ksef-duplicate", Corner::SenderData, Fixer::Sender),
    row("ksef-certificate", Corner::SenderData, Fixer::Sender),
    row("ksef-refused", Corner::Authority, Fixer::Sender),
    row("ksef-unavailable", Corner::Authority, Fixer::Time),
    row("ksef-fault", Corner::Us, Fixer::Us),
    row(TAX_REPORT_REJECTED, Corner::Authority, Fixer::Sender),
    row(TAX_REPORT_DATA, Corner::Us, Fixer::Us),
    row(TAX_REPORT_INCOMPLETE, Corner::SenderData, Fixer::Sender),
    row(TAX_REPORT_INVALID, Corner::SenderData, Fixer::Sender),
    row(TAX_REPORT_UNSENT, Corner::Authority, Fixer::Us),
    row("SEAL", Corner::Us, Fixer::Us),
];

/// The code of an attempt for which no connection was made.
pub const UNREACHABLE: &str = "AP-UNREACHABLE";

/// The code of a delivery of which the receiver's access point says that it had it before, without
/// a receipt.
pub const NO_RECEIPT_IN_HAND: &str = "NO-RECEIPT-IN-HAND";

/// The code of a mail that a server took and could not deliver after all.
pub const MAIL_BOUNCED: &str = "mail-bounced";

/// The code of a mail that a server took and could not deliver yet.
pub const MAIL_DELAYED: &str = "mail-delayed";

/// The code of a document that waits because its receiver's access point is left alone for a while.
pub const RESTING: &str = "AP-RESTING";

/// The code of a tax report that its authority did not take.
pub const TAX_REPORT_REJECTED: &str = "tax-report-rejected";
/// The code of a tax report that its authority did not take for what the service says beside the
/// invoice.
pub const TAX_REPORT_DATA: &str = "tax-report-data";
/// The code of a tax report that cannot be written, since the invoice lacks what it has to say.
pub const TAX_REPORT_INCOMPLETE: &str = "tax-report-incomplete";
/// The code of a tax report that breaks the rules of its regime by what the invoice says.
pub const TAX_REPORT_INVALID: &str = "tax-report-invalid";
/// The code of a tax report that did not get to its authority.
pub const TAX_REPORT_UNSENT: &str = "tax-report-unsent";

impl CauseRow {
    /// The cause of a code, if the table has it.
    pub fn of(code: &str) -> Option<&'static CauseRow> {
        CAUSES.iter().find(|row| row.code == code)
    }

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

#[cfg(test)]
mod tests;
