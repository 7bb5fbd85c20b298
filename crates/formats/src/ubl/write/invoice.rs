//! Writing UBL 2.1 `Invoice` and `CreditNote`, one file a business group, in the order of the
//! schemas.
//!
//! Sources: OASIS UBL 2.1 (ISO/IEC 19845) for names and order, CEN/TS 16931-3-2 for the place of
//! each business term.

mod extensions;
pub(in crate::ubl) mod item;
pub(in crate::ubl) mod line;
pub(in crate::ubl) mod party;
mod payment;
mod references;
pub(in crate::ubl) mod totals;
mod validity;

use quoin_model::codes;
use quoin_model::en16931::{
    Amount, Date, DeliveryInformation, Field, Identifier, Invoice, Note, Period, Quantity, Root,
    TaxPointDateCode, ValueType,
};

use crate::profiles::is_pint;
use crate::syntax::Syntax;
use crate::ubl::{CAC, CBC, CREDIT_NOTE, INVOICE};
use crate::writing::line_levels::nested;
use crate::writing::{ConversionRefusal, InvoiceOutput, InvoiceWriter, LossKind, OutputAttribute};

/// EN 16931 without a profile.
const EN16931: &str = "urn:cen.eu:en16931:2017";
/// What guidelines of Factur-X and ZUGFeRD have in their identifiers, which UBL does not know.
const HYBRIDS: &[&str] = &["factur-x", "zugferd", "ferd:"];
/// When VAT falls due: UNTDID 2475 in CII, 2005 in UBL (EN 16931, BT-8).
const TAX_POINT_CODES: &[(&str, &str)] = &[("5", "3"), ("29", "35"), ("72", "432")];

/// Which of the two documents it is, by BT-3; of a type of both it stays what it was.
fn root(invoice: &Invoice<'_>) -> Result<Root, ConversionRefusal> {
    let refused =
        |code: &str, why| Err(ConversionRefusal::TypeWithoutPlace { code: code.to_owned(), why });
    let Some(code) = invoice.type_code.text() else {
        return refused("", "it is not said, and UBL has two document elements");
    };
    match (invoice.is_credit_note(), codes::is_document_type(&code)) {
        (true, _) => Ok(Root::CreditNote),
        (false, true) => Ok(Root::Invoice),
        _ => refused(&code, "it is neither an invoice nor a credit note of EN 16931 (BR-CL-01)"),
    }
}

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "ubl",
    title: "UBL 2.1 Invoice or CreditNote, by the type of the document",
    syntaxes: &[Syntax::UblInvoice, Syntax::UblCreditNote],
    is_written_so: |_| true,
    write: |ledger, invoice| InvoiceOutput::written(ledger, invoice, write),
};

/// Writes the document.
fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> Result<(), ConversionRefusal> {
    let root = root(invoice)?;
    if invoice.lines.is_empty() {
        return Err(ConversionRefusal::NoLines);
    }
    let lines = nested(invoice)?;
    let is_credit = root == Root::CreditNote;
    let (name, namespace) = match is_credit {
        true => ("CreditNote", CREDIT_NOTE),
        false => ("Invoice", INVOICE),
    };
    let declarations = [("xmlns", namespace), ("xmlns:cac", CAC), ("xmlns:cbc", CBC)];
    out.root(name, &declarations, |out| {
        validity::announce(out, invoice);
        head(out, invoice, is_credit);
        references::write(out, invoice, is_credit);
        party::parties(out, invoice);
        for one in &invoice.delivery {
            out.group("cac:Delivery", |out| delivery(out, one));
        }
        extensions::delivery_terms(out, invoice);
        payment::means(out, invoice, is_credit);
        payment::terms(out, invoice);
        if is_credit {
            extensions::exchange_rates(out, invoice);
        } else {
            extensions::prepaid_payments(out, invoice);
        }
        for one in &invoice.allowance_charges {
            totals::allowance_charge(out, one);
        }
        for charge in &invoice.extensions.logistics_charges {
            totals::logistics(out, charge);
        }
        if !is_credit {
            extensions::exchange_rates(out, invoice);
        }
        totals::tax(out, invoice);
        out.group("cac:LegalMonetaryTotal", |out| totals::write(out, invoice));
        for one in &lines {
            line::write_node(out, one, is_credit, true);
        }
    });
    Ok(())
}

/// BT-1 to BT-10, BT-19, BG-1, BG-2, BG-14.
fn head<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, is_credit: bool) {
    customization(out, invoice);
    out.first("cbc:ProfileID", &invoice.process.profile);
    out.first("cbc:ID", &invoice.number);
    out.first("cbc:CopyIndicator", &invoice.extensions.copy);
    date(out, "cbc:IssueDate", &invoice.issue_date);
    if is_credit {
        date(out, "cbc:TaxPointDate", &invoice.tax_point_date);
        type_code(out, "cbc:CreditNoteTypeCode", invoice);
    } else {
        date(out, "cbc:DueDate", &invoice.due_date);
        type_code(out, "cbc:InvoiceTypeCode", invoice);
    }
    for one in &invoice.notes {
        note(out, one);
    }
    if !is_credit {
        date(out, "cbc:TaxPointDate", &invoice.tax_point_date);
    }
    out.first("cbc:DocumentCurrencyCode", &invoice.currency);
    out.first("cbc:TaxCurrencyCode", &invoice.tax_currency);
    extensions::payment_currency(out, invoice);
    out.first("cbc:AccountingCost", &invoice.accounting_reference);
    out.first("cbc:BuyerReference", &invoice.buyer_reference);
    out.group("cac:InvoicePeriod", |out| {
        if let Some(one) = invoice.period.first() {
            days(out, one);
            length(out, one);
        }
        if let Some(code) = invoice.tax_point_date_code.filled() {
            tax_point_code(out, code);
            out.repeated(&invoice.tax_point_date_code, code);
        }
        if let Some(one) = invoice.period.first() {
            out.first("cbc:Description", &one.description);
        }
    });
}

/// BT-3, with the kind of document in words beside it, which CII has.
fn type_code<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, invoice: &Invoice<'d>) {
    let Some(code) = invoice.type_code.filled() else { return };
    let words = invoice.extensions.document_name.filled();
    let words = words.map(|words| OutputAttribute::Carried(*words));
    out.attributed(name, code, &[("name", words)]);
}

/// BT-24. A guideline of Factur-X is one of CII; PINT is one of UBL, and what of it is not of
/// Europe does not come here.
fn customization<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(id) = invoice.process.customization.filled() else {
        let path = out.path_of("cbc:CustomizationID");
        let reason = "the target must name its specification";
        out.ledger.invent(invoice.element, Some("BT-24"), EN16931, path, reason);
        return out.constant("cbc:CustomizationID", EN16931, &[]);
    };
    let text = id.trimmed();
    let is_core = text.starts_with(EN16931) && !HYBRIDS.iter().any(|part| text.contains(part));
    if is_core || is_pint(&text) {
        out.text("cbc:CustomizationID", id);
        return;
    }
    let path = Some(out.path_of("cbc:CustomizationID"));
    let reason = "the guideline is not one of UBL: EN 16931 instead";
    out.ledger.list(*id, LossKind::Changed, path, reason);
    out.constant("cbc:CustomizationID", EN16931, &[]);
}

/// BG-1: the subject code has no element, and stands before the text (CEN/TS 16931-3-2).
fn note<'d>(out: &mut InvoiceOutput<'d>, note: &Note<'d>) {
    let name = "cbc:Note";
    let Some(text) = note.text.filled() else { return };
    let Some(subject) = note.subject_code.filled() else {
        match note.listed_subject() {
            None => {
                out.text(name, text);
            }
            Some(_) => {
                let path = Some(out.path_of(name));
                let reason = "a text that begins so has a subject code (BT-21) in UBL";
                out.ledger.list(*text, LossKind::Changed, path, reason);
                out.constant(name, &text.text(), &[]);
            }
        }
        return;
    };
    let whole = format!("#{}#{}", subject.trimmed(), text.text());
    out.subject_before_text(name, subject);
    out.constant(name, &whole, &[]);
    out.ledger.carry(*text);
}

fn tax_point_code<'d>(out: &mut InvoiceOutput<'d>, code: TaxPointDateCode<'d>) {
    if let Some(ubl) = tax_point_of_2005(&code.trimmed()) {
        out.constant("cbc:DescriptionCode", ubl, &[]);
        out.ledger.carry(*code);
    }
}

/// BT-8 as UNTDID 2005 has it, of a code of UNTDID 2475 (CII) or of the same list.
pub(crate) fn tax_point_of_2005(code: &str) -> Option<&'static str> {
    let row = TAX_POINT_CODES.iter().find(|(cii, ubl)| *cii == code || *ubl == code);
    row.map(|(_, ubl)| *ubl)
}

/// BG-13, BG-15.
fn delivery<'d>(out: &mut InvoiceOutput<'d>, delivery: &DeliveryInformation<'d>) {
    date(out, "cbc:ActualDeliveryDate", &delivery.date);
    out.group("cac:DeliveryLocation", |out| {
        if let Some(location) = delivery.location.filled() {
            id(out, "cbc:ID", location);
        }
        party::address(out, "cac:Address", &delivery.address);
    });
    if let Some(party) = delivery.party.first() {
        out.group("cac:DeliveryParty", |out| party::inside(out, party, None));
    }
}

/// BG-26.
fn period<'d>(out: &mut InvoiceOutput<'d>, period: &Period<'d>) {
    out.group("cac:InvoicePeriod", |out| {
        days(out, period);
        length(out, period);
        out.first("cbc:Description", &period.description);
    });
}

fn length<'d>(out: &mut InvoiceOutput<'d>, period: &Period<'d>) {
    if let Some(duration) = period.duration.filled() {
        quantity(out, "cbc:DurationMeasure", duration);
    }
}

fn days<'d>(out: &mut InvoiceOutput<'d>, period: &Period<'d>) {
    date(out, "cbc:StartDate", &period.start);
    date(out, "cbc:EndDate", &period.end);
}

/// A day.
pub(in crate::ubl) fn date<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<Date<'d>>,
) {
    let Some(first) = field.filled() else { return };
    if let Some(day) = out.day(name, first) {
        out.constant(name, &day.to_string(), &[]);
    }
    same_days(out, field, first);
}

/// Counts the other occurrences of a date as told where they say the same day.
fn same_days<'d>(out: &mut InvoiceOutput<'d>, field: &Field<Date<'d>>, first: Date<'d>) {
    out.repeated(field, first);
    for other in field.iter().filter(|other| ***other != *first && other.is(&first.trimmed())) {
        if let Some(format) = other.format() {
            out.ledger.regenerate(format);
        }
    }
}

/// An amount. UBL always says its currency: BT-5, where the source says no other.
pub(in crate::ubl) fn amount<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<Amount<'d>>,
) {
    if let Some(value) = field.filled() {
        one_amount(out, name, value);
    }
}

pub(in crate::ubl) fn one_amount<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    value: Amount<'d>,
) {
    let usual = out.currency.clone();
    let own = value.currency().filter(|code| !code.is_blank());
    let currency =
        own.map_or(OutputAttribute::Constant(&usual), |code| OutputAttribute::Carried(*code));
    out.number(name, value, &[("currencyID", Some(currency))]);
}

/// An amount that was made.
pub(in crate::ubl) fn made_amount(out: &mut InvoiceOutput<'_>, name: &'static str, text: &str) {
    let currency = out.currency.clone();
    out.constant(name, text, &[("currencyID", &currency)]);
}

/// An identifier with its scheme.
pub(in crate::ubl) fn id<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    value: Identifier<'d>,
) -> bool {
    let scheme = value.scheme().map(OutputAttribute::Carried);
    out.attributed(name, value, &[("schemeID", scheme)])
}

pub(in crate::ubl) fn quantity<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    value: Quantity<'d>,
) {
    let unit = value.unit().map(|unit| OutputAttribute::Carried(*unit));
    out.number(name, value, &[("unitCode", unit)]);
}

/// A group with one value inside.
pub(in crate::ubl) fn wrapped<'d, T: ValueType<'d>>(
    out: &mut InvoiceOutput<'d>,
    group: &'static str,
    name: &'static str,
    field: &Field<T>,
) {
    out.group(group, |out| {
        out.first(name, field);
    });
}
