//! Writing CII `CrossIndustryInvoice` D16B, one file a business group, in the order of the schema.
//!
//! Sources: UN/CEFACT Cross Industry Invoice (SCRDM) D16B for names and order, CEN/TS 16931-3-3 for
//! the place of each business term.

mod extensions;
mod line;
mod party;
mod payment;
mod product;
mod references;
mod settlement;
mod validity;

use quoin_model::codes;
use quoin_model::en16931::{
    Amount, Date, Field, Identifier, Indicator, Invoice, Note, Period, Quantity, Root, ValueType,
};

use crate::syntax::Syntax;
use crate::writing::{ConversionRefusal, InvoiceOutput, InvoiceWriter, LossKind, OutputAttribute};

/// The namespaces, as the standard's own documents prefix them.
const DECLARATIONS: &[(&str, &str)] = &[
    ("xmlns:rsm", super::CROSS_INDUSTRY_INVOICE),
    (
        "xmlns:ram",
        "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
    ),
    ("xmlns:qdt", "urn:un:unece:uncefact:data:standard:QualifiedDataType:100"),
    ("xmlns:udt", "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"),
];

/// EN 16931 without a profile.
const EN16931: &str = "urn:cen.eu:en16931:2017";

/// Profiles of Factur-X that are less than EN 16931.
const FACTUR_X: &str = "urn:factur-x.eu:";

const NO_CONTENT: &str =
    "a note (BG-1) has a text (BT-22), and the subject code is all that it says";

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "cii",
    title: "UN/CEFACT Cross Industry Invoice D16B",
    syntaxes: &[Syntax::Cii],
    is_written_so: |_| true,
    write: |ledger, invoice| InvoiceOutput::written(ledger, invoice, write),
};

/// Writes the document.
fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> Result<(), ConversionRefusal> {
    refuse_type(invoice)?;
    let has_lines = out.ledger.profile.is_none_or(|profile| profile.has_lines);
    if has_lines && invoice.lines.is_empty() {
        return Err(ConversionRefusal::NoLines);
    }
    out.root("rsm:CrossIndustryInvoice", DECLARATIONS, |out| {
        validity::announce(out, invoice);
        out.required_group("rsm:ExchangedDocumentContext", |out| context(out, invoice));
        out.required_group("rsm:ExchangedDocument", |out| document(out, invoice));
        out.required_group("rsm:SupplyChainTradeTransaction", |out| {
            line::lines(out, invoice);
            out.required_group("ram:ApplicableHeaderTradeAgreement", |out| {
                references::agreement(out, invoice);
            });
            out.required_group("ram:ApplicableHeaderTradeDelivery", |out| {
                references::delivery(out, invoice);
            });
            out.required_group("ram:ApplicableHeaderTradeSettlement", |out| {
                settlement::write(out, invoice);
            });
        });
    });
    Ok(())
}

/// The document element says whether it is a credit note, and CII has the type code only: the two
/// must agree.
fn refuse_type(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    let Some(code) = invoice.type_code.text() else { return Ok(()) };
    let why = match invoice.root {
        Root::Invoice if invoice.is_credit_note() => {
            "it is a type of credit notes, and the document element is Invoice"
        }
        Root::CreditNote if !codes::is_credit_note_type(&code) => {
            "it is no type of credit notes, and the document element is CreditNote"
        }
        _ => return Ok(()),
    };
    Err(ConversionRefusal::TypeWithoutPlace { code: code.into_owned(), why })
}

/// BG-2.
fn context<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    out.group("ram:TestIndicator", |out| {
        truth(out, &invoice.extensions.test);
    });
    out.group("ram:BusinessProcessSpecifiedDocumentContextParameter", |out| {
        out.first("ram:ID", &invoice.process.profile);
    });
    out.group("ram:GuidelineSpecifiedDocumentContextParameter", |out| {
        let Some(id) = invoice.process.customization.filled() else {
            let path = out.path_of("ram:ID");
            let reason = "the target must name its specification";
            out.ledger.invent(invoice.element, Some("BT-24"), EN16931, path, reason);
            return out.constant("ram:ID", EN16931, &[]);
        };
        let is_of_cii = [EN16931, FACTUR_X].iter().any(|start| id.trimmed().starts_with(start));
        if is_of_cii {
            out.text("ram:ID", id);
            return;
        }
        let path = Some(out.path_of("ram:ID"));
        let reason = "the specification is not one of CII: EN 16931 instead";
        out.ledger.list(*id, LossKind::Changed, path, reason);
        out.constant("ram:ID", EN16931, &[]);
    });
    if let Some(version) = invoice.extensions.ubl_version.get() {
        out.ledger.regenerate(*version);
    }
}

/// BT-1 to BT-3, BG-1.
fn document<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let more = &invoice.extensions;
    out.first("ram:ID", &invoice.number);
    out.first("ram:Name", &more.document_name);
    if !out.first("ram:TypeCode", &invoice.type_code) && !invoice.type_code.is_filled() {
        let code = if invoice.root == Root::CreditNote { "381" } else { "380" };
        let path = out.path_of("ram:TypeCode");
        let reason = "the document element says it";
        out.ledger.invent(invoice.element, Some("BT-3"), code, path, reason);
        out.constant("ram:TypeCode", code, &[]);
    }
    date(out, "ram:IssueDateTime", "udt:DateTimeString", &invoice.issue_date);
    out.group("ram:CopyIndicator", |out| {
        truth(out, &more.copy);
    });
    out.first("ram:LanguageID", &more.language);
    for note in &invoice.notes {
        out.group("ram:IncludedNote", |out| one_note(out, note));
    }
    if let Some(one) = more.effective_period.first() {
        out.group("ram:EffectiveSpecifiedPeriod", |out| days(out, one));
    }
}

/// BG-1. UBL has the subject code within the text.
fn one_note<'d>(out: &mut InvoiceOutput<'d>, note: &Note<'d>) {
    let Some(text) = note.text.filled() else { return };
    if !out.has_place("ram:Content") {
        return;
    }
    out.first("ram:ContentCode", &note.content_code);
    match note.listed_subject() {
        Some((_, content)) if note.subject_code.is_absent() && content.trim().is_empty() => {
            out.ledger.list(*text, LossKind::Lost, None, NO_CONTENT);
        }
        Some((subject, content)) if note.subject_code.is_absent() => {
            out.constant("ram:Content", &content, &[]);
            out.constant("ram:SubjectCode", &subject, &[]);
            out.ledger.carry(*text);
        }
        _ => {
            out.text("ram:Content", text);
            out.first("ram:SubjectCode", &note.subject_code);
        }
    }
}

/// A date: an element with the string inside, in the form of a day (UNTDID 2379, 102).
fn date<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    inner: &'static str,
    field: &Field<Date<'d>>,
) {
    let Some(first) = field.filled().filter(|_| out.has_place(name)) else { return };
    if let Some(day) = out.day(name, first) {
        let text = day.strftime("%Y%m%d").to_string();
        out.group(name, |out| out.constant(inner, &text, &[("format", "102")]));
    }
    out.repeated(field, first);
}

/// An indicator: an element with the truth value inside; `usual` where the source has none.
fn indicator<'d>(out: &mut InvoiceOutput<'d>, field: &Field<Indicator<'d>>, usual: &str) {
    out.group("ram:ChargeIndicator", |out| {
        // What the schema does not take is not what is usual.
        if !truth(out, field) && !field.is_filled() {
            out.constant("udt:Indicator", usual, &[]);
        }
    });
}

/// A truth value in words: profiles have no `1` and `0`.
fn truth<'d>(out: &mut InvoiceOutput<'d>, field: &Field<Indicator<'d>>) -> bool {
    const NAME: &str = "udt:Indicator";
    match field.filled().and_then(|own| Some((own, own.value()?))) {
        Some((own, value)) if out.has_place(NAME) => {
            out.kept(NAME, if value { "true" } else { "false" }, *own);
            true
        }
        _ => out.first(NAME, field),
    }
}

/// An amount. CII says its currency only where it is not BT-5.
fn amount<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, field: &Field<Amount<'d>>) {
    if let Some(value) = field.filled() {
        one_amount(out, name, value);
    }
}

fn one_amount<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, value: Amount<'d>) {
    use quoin_model::en16931::AttributeName::CurrencyId;
    let other = out.is_other_currency(value);
    let currency = value.currency().filter(|_| other);
    validity::currency(out, name, currency);
    let currency = currency.map(|code| OutputAttribute::Carried(*code));
    if out.number(name, value, &[("currencyID", currency)]) && !other {
        out.told_elsewhere(*value, CurrencyId);
    }
}

/// An identifier with its scheme.
fn id<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, value: Identifier<'d>) -> bool {
    let scheme = value.scheme().map(OutputAttribute::Carried);
    out.attributed(name, value, &[("schemeID", scheme)])
}

/// A group with one value inside.
fn wrapped<'d, T: ValueType<'d>>(
    out: &mut InvoiceOutput<'d>,
    group: &'static str,
    name: &'static str,
    field: &Field<T>,
) {
    out.group(group, |out| {
        out.first(name, field);
    });
}

/// BG-14, BG-26.
fn period<'d>(out: &mut InvoiceOutput<'d>, period: &Period<'d>) {
    out.group("ram:BillingSpecifiedPeriod", |out| days(out, period));
}

/// What more the schema has, the rules of EN 16931 forbid (CII-DT-069, CII-DT-071).
fn days<'d>(out: &mut InvoiceOutput<'d>, period: &Period<'d>) {
    if out.is_extended() {
        out.first("ram:Description", &period.description);
    }
    date(out, "ram:StartDateTime", "udt:DateTimeString", &period.start);
    date(out, "ram:EndDateTime", "udt:DateTimeString", &period.end);
}

fn quantity<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, value: Quantity<'d>) {
    let unit = value.unit().map(|unit| OutputAttribute::Carried(*unit));
    out.number(name, value, &[("unitCode", unit)]);
}
