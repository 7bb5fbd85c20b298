//! A report is made: the envelope, what the regime wants of the invoice, and for some the invoice.
//!
//! Nothing is calculated: amounts, codes and texts are written as the invoice has them. What the
//! rows of [`extract`] and [`whole`] do not name is not told.

pub(crate) mod domestic;
mod extract;
mod markup;
mod required;
mod rows;
mod source_document;
mod whole;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_formats::ubl::{CAC, CBC};
use uuid::Uuid;

use crate::assess::assess;
use crate::assumed::TRANSMISSION_IS_THE_ENVELOPE;
use crate::envelope::TaxEnvelope;
use crate::invoice::ReportableInvoice;
use crate::missing::{CannotReport, MissingTerm};
use crate::regime::{
    PREFIX, PROCESS, PROVIDER_SCHEME, Regime, RegimeRow, ReportModel, ReporterRole, TaxScope,
    TaxSubmission,
};
use markup::Markup;

/// The namespace of UBL extensions, in which the whole invoice stands.
const CEC: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2";

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltReport {
    /// The document, in UTF-8.
    pub xml: Vec<u8>,
    /// The country whose authority is told.
    pub country: String,
    /// Between whom the invoice went.
    pub scope: TaxScope,
    /// What the authority calls the invoice (TDT-017).
    pub invoice_uuid: Uuid,
}

/// What is written of one report.
struct ReportInTheMaking<'a> {
    row: &'static RegimeRow,
    role: ReporterRole,
    envelope: &'a TaxEnvelope<'a>,
    scope: TaxScope,
    invoice_uuid: Uuid,
}

/// The report of an invoice. The same arguments give the same bytes.
///
/// # Errors [`CannotReport`] with every term that the regime asks for and the invoice or the
/// envelope has not.
pub fn build(
    regime: Regime,
    role: ReporterRole,
    invoice: &ReportableInvoice<'_>,
    envelope: &TaxEnvelope<'_>,
) -> Result<BuiltReport, CannotReport> {
    let mut missing = required::missing(regime, role, invoice, envelope);
    let assessment = match assess(invoice, regime, role) {
        Ok(assessment) if missing.is_empty() => assessment,
        Ok(_) => return Err(required::told(missing)),
        Err(more) => {
            missing.extend(more.missing);
            return Err(required::told(missing));
        }
    };
    let submission = envelope.submission;
    let Some(code) = submission.code(regime) else {
        return Err(CannotReport::one(MissingTerm::named("TDT-007")));
    };
    let report = ReportInTheMaking {
        row: regime.row(),
        role,
        envelope,
        scope: assessment.scope,
        invoice_uuid: assessment.invoice_uuid,
    };
    let mut out = Markup::new();
    report.write(code, invoice, &mut out);
    Ok(BuiltReport {
        xml: out.finish(),
        country: assessment.country,
        scope: assessment.scope,
        invoice_uuid: assessment.invoice_uuid,
    })
}

impl ReportInTheMaking<'_> {
    fn write(&self, code: &str, invoice: &ReportableInvoice<'_>, out: &mut Markup) {
        let mut namespaces = vec![(PREFIX, self.row.namespace), ("cac", CAC), ("cbc", CBC)];
        if self.row.model == ReportModel::Whole {
            namespaces.push(("cec", CEC));
        }
        out.document("TaxData", &namespaces);
        out.value("cbc", "CustomizationID", self.row.customization);
        out.value("cbc", "ProfileID", PROCESS);
        if self.row.regime != Regime::Emirates {
            out.value("cbc", "UUID", &self.envelope.uuid.to_string());
        }
        issued(self.envelope.issued, out);
        out.value(PREFIX, self.row.submission_element, code);
        out.value(PREFIX, "DocumentScope", self.scope.code());
        out.value(PREFIX, "ReporterRole", self.role.code(self.row.regime));
        if self.row.model == ReportModel::Extract {
            let authority = self.envelope.authority;
            out.open(PREFIX, "TaxAuthority");
            out.value("cbc", "ID", &authority.id);
            if let Some(name) = authority.name.as_deref().filter(|name| !name.is_empty()) {
                out.value("cbc", "Name", name);
            }
            out.close();
        }
        self.parties(out);
        out.open(PREFIX, "ReportedTransaction");
        self.transaction(invoice, out);
        out.close();
        out.close();
    }

    /// TDG-05 to TDG-07.
    fn parties(&self, out: &mut Markup) {
        let reporter = self.envelope.reporter;
        let ends = [
            ("ReportingParty", reporter.scheme.as_str(), reporter.value.as_str()),
            ("ReceivingParty", PROVIDER_SCHEME, self.envelope.receiver),
        ];
        for (party, scheme, value) in ends {
            out.open(PREFIX, party);
            out.attributed("cbc", "EndpointID", &[("schemeID", scheme)], value);
            out.close();
        }
        out.open(PREFIX, "ReportersRepresentative");
        out.open("cac", "PartyIdentification");
        let provider = [("schemeID", PROVIDER_SCHEME)];
        out.attributed("cbc", "ID", &provider, self.envelope.representative);
        out.close();
        out.close();
    }

    /// TDG-01: how the invoice was sent, and what of it is told.
    fn transaction(&self, invoice: &ReportableInvoice<'_>, out: &mut Markup) {
        let envelope = self.envelope;
        match self.row.regime {
            Regime::Vida11 => {
                let of_envelope = |_: &Uuid| TRANSMISSION_IS_THE_ENVELOPE;
                if let Some(transmission) = envelope.transmission.filter(of_envelope) {
                    out.value(PREFIX, "TransmissionUUID", &transmission.to_string());
                }
            }
            Regime::Emirates | Regime::Oman => {
                if let Some(header) = envelope.transport_header.filter(|text| !text.is_empty()) {
                    out.value(PREFIX, "TransportHeaderID", header);
                }
            }
            Regime::Vida10 | Regime::Slovakia => {}
        }
        if self.row.regime == Regime::Oman {
            issued(envelope.received.unwrap_or(envelope.issued), out);
        }
        let Some(root) = invoice.root() else { return };
        let uuid = self.invoice_uuid.to_string();
        let terms = invoice.terms();
        let told = rows::Told::of(terms, &uuid).in_regime(self.row);
        let wanted = match self.row.model {
            ReportModel::Extract => extract::ROWS,
            ReportModel::Whole => whole::ROWS,
        };
        out.open(PREFIX, "ReportedDocument");
        rows::write(wanted, root, &told, out);
        out.close();
        if self.row.model == ReportModel::Whole {
            whole::custom_content(self.row.regime, terms, out);
            out.open(PREFIX, "SourceDocument");
            out.open("cec", "ExtensionContent");
            source_document::write(root, out);
            out.close();
            out.close();
        }
    }
}

/// Day and time in UTC, to the second.
pub(crate) fn issued_at(at: Timestamp) -> (String, String) {
    let at = at.to_zoned(TimeZone::UTC);
    (at.date().to_string(), at.strftime("%H:%M:%SZ").to_string())
}

fn issued(at: Timestamp, out: &mut Markup) {
    let (day, time) = issued_at(at);
    out.value("cbc", "IssueDate", &day);
    out.value("cbc", "IssueTime", &time);
}

/// The paths of all elements of the reported document that are written for a regime.
#[cfg(test)]
pub(crate) fn written_paths(regime: Regime) -> Vec<String> {
    let wanted = match regime.row().model {
        ReportModel::Extract => extract::ROWS,
        ReportModel::Whole => whole::ROWS,
    };
    let mut paths = Vec::new();
    rows::paths(wanted, regime, "", &mut paths);
    paths
}

impl TaxSubmission {
    /// Whether a report of this kind has to have the whole content: one that says that the
    /// transmission failed tells what there is.
    pub(crate) fn is_complete(self) -> bool {
        self != TaxSubmission::FailedTransmission
    }
}
