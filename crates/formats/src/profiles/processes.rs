//! The business processes that documents name (ProfileID, BT-23), one row each.
//!
//! Sources: Peppol process code list 9.7, the specifications named in each title, the French
//! reform (dossier of external specifications, table of the "cadre de facturation").

/// A row of [`PROCESSES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BusinessProcess {
    /// Its stable name: `peppol-billing-01`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The ProfileID; where it ends in `*`, the start of it.
    pub profile_id: &'static str,
}

const fn row(id: &'static str, title: &'static str, profile_id: &'static str) -> BusinessProcess {
    BusinessProcess { id, title, profile_id }
}

/// The processes, in the order of the test.
#[rustfmt::skip]
pub static PROCESSES: &[BusinessProcess] = &[
    row("peppol-billing-01", "Peppol billing 01", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"),
    row("peppol-billing-other", "Peppol billing other than 01", "urn:fdc:peppol.eu:2017:poacc:billing:*"),
    row("peppol-selfbilling-01", "Peppol self-billing 01", "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0"),
    row("pint-billing", "PINT billing", "urn:peppol:bis:billing"),
    row("peppol-billing-with-response", "billing with response", "urn:peppol:bis:billing_with_response"),
    row("pint-selfbilling", "PINT self-billing", "urn:peppol:bis:selfbilling"),
    row("peppol-ordering", "Peppol ordering", "urn:fdc:peppol.eu:poacc:bis:ordering:3"),
    row("peppol-order-only", "Peppol order only", "urn:fdc:peppol.eu:poacc:bis:order_only:3"),
    row("peppol-advanced-ordering", "Peppol advanced ordering", "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3"),
    row("peppol-order-agreement", "Peppol order agreement", "urn:fdc:peppol.eu:poacc:bis:order_agreement:3"),
    row("peppol-catalogue", "Peppol catalogue with response", "urn:fdc:peppol.eu:poacc:bis:catalogue_only:3"),
    row("peppol-catalogue-without-response", "Peppol catalogue without response", "urn:fdc:peppol.eu:poacc:bis:catalogue_wo_response:3"),
    row("peppol-punch-out", "Peppol punch out", "urn:fdc:peppol.eu:poacc:bis:punch_out:3"),
    row("peppol-despatch-advice", "Peppol despatch advice", "urn:fdc:peppol.eu:poacc:bis:despatch_advice:3"),
    row("peppol-invoice-response", "Peppol invoice response", "urn:fdc:peppol.eu:poacc:bis:invoice_response:3"),
    row("peppol-mlr", "Peppol message level response", "urn:fdc:peppol.eu:poacc:bis:mlr:3"),
    row("peppol-logistics", "Peppol logistics", "urn:fdc:peppol.eu:logistics:bis:*"),
    row("peppol-mls", "Peppol message level status", "urn:peppol:edec:mls"),
    row("peppol-reporting", "Peppol reporting", "urn:fdc:peppol.eu:edec:bis:reporting:1.0"),
    row("peppol-tax-reporting", "Peppol tax reporting", "urn:peppol:taxreporting"),
    row("peppol-preaward", "Peppol pre-award", "urn:fdc:peppol.eu:prac:bis:*"),
    row("peppol-france", "Peppol France", "urn:peppol:france:billing:*"),
    row("ehf3", "EHF 3 post-award", "urn:fdc:anskaffelser.no:2019:ehf:postaward:*"),
    row("oioubl3", "OIOUBL 3", "urn:fdc:oioubl.dk:bis:*"),
    row("sg-order-balance", "order balance of Singapore", "urn:fdc:imda.gov.sg:bis:order_balance:1"),
    row("pef-pl", "process of the Polish platform PEF", "urn:fdc:www.efaktura.gov.pl:*"),
    row("bii", "CEN BII profile", "urn:www.cenbii.eu:profile:*"),
    row("nes", "NES profile", "urn:www.nesubl.eu:profiles:*"),
    row("peppol-bis2", "Peppol BIS 2 profile", "urn:www.peppol.eu:profile:*"),
    row("oioubl-procurement", "OIOUBL 2 procurement", "Procurement-*"),
    row("oioubl-catalogue", "OIOUBL 2 catalogue", "Catalogue-*"),
    row("oioubl-reference", "OIOUBL 2 reference", "Reference-*"),
];

impl BusinessProcess {
    /// The row of a ProfileID (already without white space).
    pub fn of(profile_id: &str) -> Option<&'static BusinessProcess> {
        PROCESSES.iter().find(|process| match process.profile_id.strip_suffix('*') {
            Some(start) => profile_id.starts_with(start),
            None => process.profile_id == profile_id,
        })
    }
}

/// What a ProfileID of the French reform says: `B`, `S` or `M` (goods, services, mixed) and the
/// case, such as `S1`.
pub(crate) fn is_french(profile_id: &str) -> bool {
    let mut characters = profile_id.chars();
    matches!(characters.next(), Some('B' | 'S' | 'M'))
        && matches!(characters.next(), Some('1'..='8'))
        && matches!(characters.as_str(), "" | "bis")
}
