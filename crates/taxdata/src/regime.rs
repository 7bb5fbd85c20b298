//! The regimes: which text a report follows, and the codes it writes. One row each.
//!
//! Sources: Peppol tax data documents of the ViDA pilot 1.0.0 (with its hot fix) and 1.1.0, of
//! Slovakia 1.0.0, of the United Arab Emirates 1.0.4 and of Oman 1.0.1; Peppol code list of
//! document types 9.7.

use serde::{Deserialize, Serialize};

/// The namespace prefix of every report.
pub(crate) const PREFIX: &str = "pxs";
/// The process in which reports are sent (`cenbii-procid-ubl`), and their `ProfileID`.
pub const PROCESS: &str = "urn:peppol:taxreporting";
/// The scheme of [`PROCESS`].
pub const PROCESS_SCHEME: &str = "cenbii-procid-ubl";
/// The scheme of the document type identifiers of reports.
pub const DOCUMENT_TYPE_SCHEME: &str = "busdox-docid-qns";
/// The scheme of service providers, by which the provider of a tax authority (corner 5) is found.
pub const PROVIDER_SCHEME: &str = "0242";

/// Which text of which authority a report follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Regime {
    /// The pilot of the EU's digital reporting, 1.0.
    #[serde(rename = "vida-1.0")]
    Vida10,
    /// The same, 1.1: transmissions have an identifier, and invoices are named by BT-31.
    #[serde(rename = "vida-1.1")]
    Vida11,
    /// Slovakia, 1.0.
    #[serde(rename = "sk-1.0")]
    Slovakia,
    /// The United Arab Emirates, 1.0.
    #[serde(rename = "ae-1.0")]
    Emirates,
    /// Oman, 1.0.
    #[serde(rename = "om-1.0")]
    Oman,
}

/// What a report has of its invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportModel {
    /// The terms of EN 16931 that matter for VAT.
    Extract,
    /// A few terms, and the whole invoice beside them.
    Whole,
}

/// A row of [`REGIMES`].
#[derive(Debug, Clone, Copy)]
pub struct RegimeRow {
    /// The regime.
    pub regime: Regime,
    /// Its stable name: `vida-1.1`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The release of its rules that this room follows.
    pub release: &'static str,
    /// TDT-001, the specification identifier (`CustomizationID`).
    pub customization: &'static str,
    /// The namespace of the document element.
    pub namespace: &'static str,
    /// The document type identifier, without its scheme [`DOCUMENT_TYPE_SCHEME`].
    pub document_type: &'static str,
    /// What a report has of its invoice.
    pub model: ReportModel,
    /// The one country (ISO 3166-1) whose numbers it is for; `None` for all of the EU.
    pub country: Option<&'static str>,
    /// The element of the kind of submission.
    pub(crate) submission_element: &'static str,
    /// Whether payment means (BG-16) are reported.
    pub(crate) payment_means: bool,
    /// Whether the reason why no VAT is due (BT-120, BT-121) is reported.
    pub(crate) exemption_reasons: bool,
}

/// The regimes.
pub static REGIMES: &[&RegimeRow] = &[&VIDA_1_0, &VIDA_1_1, &SLOVAKIA, &EMIRATES, &OMAN];

static VIDA_1_0: RegimeRow = RegimeRow {
    regime: Regime::Vida10,
    id: "vida-1.0",
    title: "ViDA pilot 1.0",
    release: "1.0.0-HotFix",
    customization: "urn:peppol:taxdata:vida-1",
    namespace: "urn:peppol:schema:vida-taxdata:1.0",
    document_type: crate::assumed::VIDA_DOCUMENT_TYPE,
    model: ReportModel::Extract,
    country: None,
    submission_element: "TaxDataTypeCode",
    payment_means: crate::assumed::VIDA_PAYMENT_MEANS,
    exemption_reasons: crate::assumed::VIDA_1_0_EXEMPTION_REASONS,
};

static VIDA_1_1: RegimeRow = RegimeRow {
    regime: Regime::Vida11,
    id: "vida-1.1",
    title: "ViDA pilot 1.1",
    release: "1.1.0",
    customization: "urn:peppol:taxdata:vida-1",
    namespace: "urn:peppol:schema:vida-taxdata:1.0",
    document_type: crate::assumed::VIDA_DOCUMENT_TYPE,
    model: ReportModel::Extract,
    country: None,
    submission_element: "TaxDataTypeCode",
    payment_means: crate::assumed::VIDA_PAYMENT_MEANS,
    exemption_reasons: true,
};

static SLOVAKIA: RegimeRow = RegimeRow {
    regime: Regime::Slovakia,
    id: "sk-1.0",
    title: "Slovakia 1.0",
    release: "1.0.0",
    customization: "urn:peppol:taxdata:sk-1",
    namespace: "urn:peppol:schema:sk-taxdata:1.0",
    document_type: "urn:peppol:schema:sk-taxdata:1.0::TaxData##urn:peppol:taxdata:sk-1::1.0",
    model: ReportModel::Extract,
    country: Some("SK"),
    submission_element: "TaxDataTypeCode",
    payment_means: true,
    exemption_reasons: true,
};

static EMIRATES: RegimeRow = RegimeRow {
    regime: Regime::Emirates,
    id: "ae-1.0",
    title: "United Arab Emirates 1.0",
    release: "1.0.4",
    customization: "urn:peppol:taxdata:ae-1",
    namespace: "urn:peppol:schema:taxdata:1.0",
    document_type: "urn:peppol:schema:taxdata:1.0::TaxData##urn:peppol:taxdata:ae-1::1.0",
    model: ReportModel::Whole,
    country: Some("AE"),
    submission_element: "DocumentTypeCode",
    payment_means: false,
    exemption_reasons: false,
};

static OMAN: RegimeRow = RegimeRow {
    regime: Regime::Oman,
    id: "om-1.0",
    title: "Oman 1.0",
    release: "1.0.1",
    customization: "urn:peppol:taxdata:om-1",
    namespace: "urn:peppol:schema:om-taxdata:1.0",
    document_type: "urn:peppol:schema:om-taxdata:1.0::TaxData##urn:peppol:taxdata:om-1::1.0",
    model: ReportModel::Whole,
    country: Some("OM"),
    submission_element: "DocumentTypeCode",
    payment_means: false,
    exemption_reasons: false,
};

impl Regime {
    /// Every regime.
    pub const ALL: [Regime; 5] =
        [Regime::Vida10, Regime::Vida11, Regime::Slovakia, Regime::Emirates, Regime::Oman];

    /// Its row.
    pub fn row(self) -> &'static RegimeRow {
        match self {
            Regime::Vida10 => &VIDA_1_0,
            Regime::Vida11 => &VIDA_1_1,
            Regime::Slovakia => &SLOVAKIA,
            Regime::Emirates => &EMIRATES,
            Regime::Oman => &OMAN,
        }
    }

    /// Its stable name: `vida-1.1`.
    pub fn as_str(self) -> &'static str {
        self.row().id
    }

    /// The regime of a name.
    pub fn named(name: &str) -> Option<Regime> {
        REGIMES.iter().find(|row| row.id == name).map(|row| row.regime)
    }
}

impl std::fmt::Display for Regime {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.as_str())
    }
}

/// Who reports: the provider of the sender or that of the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReporterRole {
    /// The provider of the sender (corner 2), for corner 1.
    Corner2,
    /// The provider of the receiver (corner 3), for corner 4.
    Corner3,
}

impl ReporterRole {
    /// TDT-012 (AE, OM: tdt-010), the code in a report.
    pub fn code(self, regime: Regime) -> &'static str {
        match (regime.row().model, self) {
            (ReportModel::Extract, ReporterRole::Corner2) => "C2",
            (ReportModel::Extract, ReporterRole::Corner3) => "C3",
            (ReportModel::Whole, ReporterRole::Corner2) => "01",
            (ReportModel::Whole, ReporterRole::Corner3) => "02",
        }
    }

    pub(crate) fn of_code(regime: Regime, code: &str) -> Option<ReporterRole> {
        let both = [ReporterRole::Corner2, ReporterRole::Corner3];
        both.into_iter().find(|role| role.code(regime) == code)
    }
}

/// What a report does at the authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TaxSubmission {
    /// It reports an invoice for the first time.
    Submit,
    /// It replaces a report that was rejected.
    Resubmit,
    /// It takes a report back: the invoice did not take effect.
    Disregard,
    /// The invoice could not be transmitted (United Arab Emirates only).
    FailedTransmission,
}

impl TaxSubmission {
    /// Every kind.
    pub const ALL: [TaxSubmission; 4] = [
        TaxSubmission::Submit,
        TaxSubmission::Resubmit,
        TaxSubmission::Disregard,
        TaxSubmission::FailedTransmission,
    ];

    /// TDT-007 (AE, OM: tdt-006), the code in a report; `None` where the regime has no such kind.
    pub fn code(self, regime: Regime) -> Option<&'static str> {
        match (self, regime) {
            (TaxSubmission::Submit, _) => Some("S"),
            (TaxSubmission::Resubmit, _) => Some("R"),
            (TaxSubmission::Disregard, Regime::Emirates) => Some("W"),
            (TaxSubmission::Disregard, _) => Some("D"),
            (TaxSubmission::FailedTransmission, Regime::Emirates) => Some("F"),
            (TaxSubmission::FailedTransmission, _) => None,
        }
    }

    pub(crate) fn of_code(regime: Regime, code: &str) -> Option<TaxSubmission> {
        TaxSubmission::ALL.into_iter().find(|kind| kind.code(regime) == Some(code))
    }
}

/// Between whom the invoice went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TaxScope {
    /// Within one country.
    Domestic,
    /// Between two countries of the union (ViDA, Slovakia).
    IntraCommunity,
    /// Out of the union, or into it (ViDA, Slovakia).
    International,
    /// Abroad, over Peppol (AE, OM).
    InternationalOverPeppol,
    /// Abroad, by another way (AE, OM).
    InternationalElsewhere,
}

impl TaxScope {
    /// Every scope.
    pub const ALL: [TaxScope; 5] = [
        TaxScope::Domestic,
        TaxScope::IntraCommunity,
        TaxScope::International,
        TaxScope::InternationalOverPeppol,
        TaxScope::InternationalElsewhere,
    ];

    /// TDT-006 (AE, OM: tdt-011), the code in a report.
    pub fn code(self) -> &'static str {
        match self {
            TaxScope::Domestic => "D",
            TaxScope::IntraCommunity => "IC",
            TaxScope::International => "INTL",
            TaxScope::InternationalOverPeppol => "IP",
            TaxScope::InternationalElsewhere => "INP",
        }
    }

    /// Those of which the reports of a regime are (TDT-006; AE, OM: tdt-011).
    pub fn of_regime(regime: Regime) -> &'static [TaxScope] {
        match regime.row().model {
            ReportModel::Extract => {
                &[TaxScope::Domestic, TaxScope::IntraCommunity, TaxScope::International]
            }
            ReportModel::Whole => &[
                TaxScope::Domestic,
                TaxScope::InternationalOverPeppol,
                TaxScope::InternationalElsewhere,
            ],
        }
    }

    pub(crate) fn of_code(code: &str) -> Option<TaxScope> {
        TaxScope::ALL.into_iter().find(|scope| scope.code() == code)
    }
}
