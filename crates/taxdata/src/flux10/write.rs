//! The file of flux 10, which has no namespace.

use jiff::civil::Date;
use quoin_model::text::allowed;
use quoin_xml::write::{escape_attribute, escape_text};

use super::{
    EReport, EReportBreach, EReportContent, EReportInvoice, EReportKind, EReportParty,
    PaymentTotal, SalesTotal, check,
};

/// What every invoice of a file is (TT-29).
const PROFILE: &str = "urn.cpro.gouv.fr:1p0:ereporting";
/// The scheme of platforms (TT-7).
const PLATFORM: &str = "0238";
/// The scheme of SIREN (TT-12).
const SIREN: &str = "0002";

/// The file, in UTF-8.
///
/// # Errors
/// What the portal would refuse of it; then nothing is written.
pub fn write(report: &EReport) -> Result<Vec<u8>, Vec<EReportBreach>> {
    let breaches = check(report);
    if !breaches.is_empty() {
        return Err(breaches);
    }
    let mut out =
        EReportWriter { out: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") };
    out.group("Report", &[], |out| {
        out.group("ReportDocument", &[], |out| head(report, out));
        let (first, last) = report.period;
        let period = |out: &mut EReportWriter| {
            out.group("ReportPeriod", &[], |out| {
                out.text("StartDate", &compact(first));
                out.text("EndDate", &compact(last));
            });
        };
        match &report.content {
            EReportContent::Transactions { invoices, totals } => {
                out.group("TransactionsReport", &[], |out| {
                    period(out);
                    invoices.iter().for_each(|one| out.group("Invoice", &[], |out| told(one, out)));
                    totals
                        .iter()
                        .for_each(|one| out.group("Transactions", &[], |out| sold(one, out)));
                });
            }
            EReportContent::Payments { invoices, totals } => {
                out.group("PaymentsReport", &[], |out| {
                    period(out);
                    for one in invoices {
                        out.group("Invoice", &[], |out| {
                            out.text("InvoiceID", &one.number);
                            out.text("IssueDate", &compact(one.issued));
                            paid(&one.payment, out);
                        });
                    }
                    totals
                        .iter()
                        .for_each(|one| out.group("Transactions", &[], |out| paid(one, out)));
                });
            }
        }
    });
    out.out.push('\n');
    Ok(out.out.into_bytes())
}

struct EReportWriter {
    out: String,
}

impl EReportWriter {
    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out.push_str(&format!("<{name}"));
        for (attribute, value) in attributes {
            self.out.push_str(&format!(" {attribute}=\""));
            escape_attribute(&allowed(value), &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
    }

    fn group(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        inside: impl FnOnce(&mut EReportWriter),
    ) {
        self.start(name, attributes);
        inside(self);
        self.out.push_str(&format!("</{name}>"));
    }

    fn with(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.start(name, attributes);
        escape_text(&allowed(text), &mut self.out);
        self.out.push_str(&format!("</{name}>"));
    }

    fn text(&mut self, name: &str, text: &str) {
        self.with(name, &[], text);
    }

    fn maybe(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }
}

/// A day as `AAAAMMJJ`.
fn compact(day: Date) -> String {
    day.strftime("%Y%m%d").to_string()
}

fn head(report: &EReport, out: &mut EReportWriter) {
    out.text("Id", &report.id);
    out.maybe("Name", report.name.as_deref().map(str::trim));
    out.group("IssueDateTime", &[], |out| {
        out.text("DateTimeString", &report.created.strftime("%Y%m%d%H%M%S").to_string());
    });
    let kind = match report.kind {
        EReportKind::Initial => "IN",
        EReportKind::Rectifying => "RE",
    };
    out.text("TypeCode", kind);
    out.group("Sender", &[], |out| {
        out.with("Id", &[("schemeId", PLATFORM)], &report.platform);
        out.text("Name", report.platform_name.trim());
        out.text("RoleCode", "WK");
    });
    out.group("Issuer", &[], |out| {
        out.with("Id", &[("schemeId", SIREN)], &report.siren);
        out.text("Name", report.declarant_name.trim());
        out.text("RoleCode", report.role.code());
    });
}

fn party(name: &str, own: &EReportParty, out: &mut EReportWriter) {
    out.group(name, &[], |out| {
        out.with("CompanyId", &[("schemeId", &own.scheme)], &own.id);
        if let Some(number) = &own.vat_number {
            out.with("TaxRegistrationId", &[("qualifyingId", "VAT")], number);
        }
        if let Some(country) = &own.country {
            out.group("PostalAddress", &[], |out| out.text("CountryId", country));
        }
    });
}

fn told(own: &EReportInvoice, out: &mut EReportWriter) {
    out.text("ID", &own.number);
    out.text("IssueDate", &compact(own.issued));
    out.text("TypeCode", &own.type_code);
    out.text("CurrencyCode", &own.currency);
    out.maybe("DueDate", own.due.map(compact).as_deref());
    out.maybe("TaxDueDateTypeCode", own.tax_due_code.as_deref());
    for (subject, content) in &own.notes {
        out.group("IncludedNote", &[], |out| {
            out.maybe("Subject", subject.as_deref());
            out.text("Content", content);
        });
    }
    out.group("BusinessProcess", &[], |out| {
        out.text("ID", &own.process);
        out.text("TypeID", PROFILE);
    });
    for (number, day) in &own.references {
        out.group("ReferencedDocument", &[], |out| {
            out.text("ID", number);
            out.maybe("IssueDate", day.map(compact).as_deref());
        });
    }
    party("Seller", &own.seller, out);
    party("Buyer", &own.buyer, out);
    if let Some(number) = &own.representative {
        out.group("SellerTaxRepresentative", &[], |out| {
            out.with("TaxRegistrationId", &[("schemeId", "VAT")], number);
        });
    }
    if own.delivered.is_some() || own.delivery_country.is_some() {
        out.group("Delivery", &[], |out| {
            out.maybe("Date", own.delivered.map(compact).as_deref());
            if let Some(country) = &own.delivery_country {
                out.group("Location", &[], |out| out.text("CountryId", country));
            }
        });
    }
    if let Some((first, last)) = own.period {
        out.group("InvoicePeriod", &[], |out| {
            out.maybe("StartDate", first.map(compact).as_deref());
            out.maybe("EndDate", last.map(compact).as_deref());
        });
    }
    out.group("MonetaryTotal", &[], |out| {
        out.maybe("TaxExclusiveAmount", own.total.as_deref());
        out.with("TaxAmount", &[("CurrencyCode", "EUR")], &own.tax);
    });
    for part in &own.vat {
        out.group("TaxSubTotal", &[], |out| {
            out.text("TaxableAmount", &part.taxable);
            out.text("TaxAmount", &part.tax);
            out.group("TaxCategory", &[], |out| {
                out.maybe("Code", part.category.as_deref());
                out.text("Percent", &part.rate);
                out.maybe("TaxExemptionReason", part.reason.as_deref());
                out.maybe("TaxExemptionReasonCode", part.reason_code.as_deref());
            });
        });
    }
}

fn sold(own: &SalesTotal, out: &mut EReportWriter) {
    out.text("Date", &compact(own.day));
    out.text("TransactionsCurrency", &own.currency);
    out.maybe("TaxDueDateTypeCode", own.tax_due_code.as_deref());
    out.text("CategoryCode", &own.category);
    out.text("TaxExclusiveAmount", &own.total);
    out.text("TaxTotal", &own.tax);
    out.maybe("TransactionsCount", own.count.map(|count| count.to_string()).as_deref());
    for (percent, taxable, tax) in &own.parts {
        out.group("TaxSubtotal", &[], |out| {
            out.text("TaxPercent", percent);
            out.text("TaxableAmount", taxable);
            out.text("TaxTotal", tax);
        });
    }
}

fn paid(own: &PaymentTotal, out: &mut EReportWriter) {
    out.group("Payment", &[], |out| {
        out.text("Date", &compact(own.day));
        for (percent, amount) in &own.parts {
            out.group("SubTotals", &[], |out| {
                out.text("TaxPercent", percent);
                out.text("CurrencyCode", "EUR");
                out.text("Amount", amount);
            });
        }
    });
}
