//! The light structure check: the children of the document element, and the elements that the sums
//! stand on. Names, order and cardinality are facts of the UBL 2.1 schemas.
//!
//! It is not schema validation. It closes the holes through which the rules, which read the first
//! element of a name, would otherwise be led to another value than a receiver reads: an element
//! twice, in the wrong namespace, or out of its place; and it reads every number and the date.

use jiff::civil::Date;
use quoin_xml::tree::{Document, Element, NameId};

use crate::own;
use crate::validate::Sink;
use quoin_formats::ubl;
use quoin_formats::ubl::{CAC, CBC, InvoiceGroups};
use quoin_model::amount::{Decimal, DecimalError};
use quoin_model::text::SPACE;
use quoin_model::text::shortened;

#[cfg(test)]
mod tests;

/// UBL 2 extension components.
const EXT: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2";

/// How often a child may occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Occurs {
    /// At most once.
    Optional,
    /// Exactly once.
    Once,
    /// Any number of times.
    Any,
    /// At least once.
    Some,
}
use Occurs::{Any, Once, Optional, Some as AtLeastOnce};

/// A child element and how often it may occur.
type ChildElement = (&'static str, Occurs);

/// The children of `Invoice`, in their order.
#[rustfmt::skip]
const INVOICE: &[ChildElement] = &[
    ("ext:UBLExtensions", Optional), ("cbc:UBLVersionID", Optional),
    ("cbc:CustomizationID", Optional), ("cbc:ProfileID", Optional),
    ("cbc:ProfileExecutionID", Optional), ("cbc:ID", Once), ("cbc:CopyIndicator", Optional),
    ("cbc:UUID", Optional), ("cbc:IssueDate", Once), ("cbc:IssueTime", Optional),
    ("cbc:DueDate", Optional), ("cbc:InvoiceTypeCode", Optional), ("cbc:Note", Any),
    ("cbc:TaxPointDate", Optional), ("cbc:DocumentCurrencyCode", Optional),
    ("cbc:TaxCurrencyCode", Optional), ("cbc:PricingCurrencyCode", Optional),
    ("cbc:PaymentCurrencyCode", Optional), ("cbc:PaymentAlternativeCurrencyCode", Optional),
    ("cbc:AccountingCostCode", Optional), ("cbc:AccountingCost", Optional),
    ("cbc:LineCountNumeric", Optional), ("cbc:BuyerReference", Optional),
    ("cac:InvoicePeriod", Any), ("cac:OrderReference", Optional), ("cac:BillingReference", Any),
    ("cac:DespatchDocumentReference", Any), ("cac:ReceiptDocumentReference", Any),
    ("cac:StatementDocumentReference", Any), ("cac:OriginatorDocumentReference", Any),
    ("cac:ContractDocumentReference", Any), ("cac:AdditionalDocumentReference", Any),
    ("cac:ProjectReference", Any), ("cac:Signature", Any), ("cac:AccountingSupplierParty", Once),
    ("cac:AccountingCustomerParty", Once), ("cac:PayeeParty", Optional),
    ("cac:BuyerCustomerParty", Optional), ("cac:SellerSupplierParty", Optional),
    ("cac:TaxRepresentativeParty", Optional), ("cac:Delivery", Any),
    ("cac:DeliveryTerms", Optional), ("cac:PaymentMeans", Any), ("cac:PaymentTerms", Any),
    ("cac:PrepaidPayment", Any), ("cac:AllowanceCharge", Any), ("cac:TaxExchangeRate", Optional),
    ("cac:PricingExchangeRate", Optional), ("cac:PaymentExchangeRate", Optional),
    ("cac:PaymentAlternativeExchangeRate", Optional), ("cac:TaxTotal", Any),
    ("cac:WithholdingTaxTotal", Any), ("cac:LegalMonetaryTotal", Once),
    ("cac:InvoiceLine", AtLeastOnce),
];

/// The children of `CreditNote`, in their order.
#[rustfmt::skip]
const CREDIT_NOTE: &[ChildElement] = &[
    ("ext:UBLExtensions", Optional), ("cbc:UBLVersionID", Optional),
    ("cbc:CustomizationID", Optional), ("cbc:ProfileID", Optional),
    ("cbc:ProfileExecutionID", Optional), ("cbc:ID", Once), ("cbc:CopyIndicator", Optional),
    ("cbc:UUID", Optional), ("cbc:IssueDate", Once), ("cbc:IssueTime", Optional),
    ("cbc:TaxPointDate", Optional), ("cbc:CreditNoteTypeCode", Optional), ("cbc:Note", Any),
    ("cbc:DocumentCurrencyCode", Optional), ("cbc:TaxCurrencyCode", Optional),
    ("cbc:PricingCurrencyCode", Optional), ("cbc:PaymentCurrencyCode", Optional),
    ("cbc:PaymentAlternativeCurrencyCode", Optional), ("cbc:AccountingCostCode", Optional),
    ("cbc:AccountingCost", Optional), ("cbc:LineCountNumeric", Optional),
    ("cbc:BuyerReference", Optional), ("cac:InvoicePeriod", Any),
    ("cac:DiscrepancyResponse", Any), ("cac:OrderReference", Optional),
    ("cac:BillingReference", Any), ("cac:DespatchDocumentReference", Any),
    ("cac:ReceiptDocumentReference", Any), ("cac:ContractDocumentReference", Any),
    ("cac:AdditionalDocumentReference", Any), ("cac:StatementDocumentReference", Any),
    ("cac:OriginatorDocumentReference", Any), ("cac:Signature", Any),
    ("cac:AccountingSupplierParty", Once), ("cac:AccountingCustomerParty", Once),
    ("cac:PayeeParty", Optional), ("cac:BuyerCustomerParty", Optional),
    ("cac:SellerSupplierParty", Optional), ("cac:TaxRepresentativeParty", Optional),
    ("cac:Delivery", Any), ("cac:DeliveryTerms", Any), ("cac:PaymentMeans", Any),
    ("cac:PaymentTerms", Any), ("cac:TaxExchangeRate", Optional),
    ("cac:PricingExchangeRate", Optional), ("cac:PaymentExchangeRate", Optional),
    ("cac:PaymentAlternativeExchangeRate", Optional), ("cac:AllowanceCharge", Any),
    ("cac:TaxTotal", Any), ("cac:LegalMonetaryTotal", Once), ("cac:CreditNoteLine", AtLeastOnce),
];

/// Inside the groups that the sums stand on: the group, and its child.
#[rustfmt::skip]
const INNER: &[(&str, ChildElement)] = &[
    ("AccountingSupplierParty", ("cac:Party", Optional)),
    ("AccountingCustomerParty", ("cac:Party", Optional)),
    ("AllowanceCharge", ("cbc:ChargeIndicator", Once)),
    ("AllowanceCharge", ("cbc:Amount", Once)),
    ("AllowanceCharge", ("cbc:BaseAmount", Optional)),
    ("TaxTotal", ("cbc:TaxAmount", Once)),
    ("LegalMonetaryTotal", ("cbc:LineExtensionAmount", Optional)),
    ("LegalMonetaryTotal", ("cbc:TaxExclusiveAmount", Optional)),
    ("LegalMonetaryTotal", ("cbc:TaxInclusiveAmount", Optional)),
    ("LegalMonetaryTotal", ("cbc:AllowanceTotalAmount", Optional)),
    ("LegalMonetaryTotal", ("cbc:ChargeTotalAmount", Optional)),
    ("LegalMonetaryTotal", ("cbc:PrepaidAmount", Optional)),
    ("LegalMonetaryTotal", ("cbc:PayableRoundingAmount", Optional)),
    ("LegalMonetaryTotal", ("cbc:PayableAmount", Once)),
    ("InvoiceLine", ("cbc:LineExtensionAmount", Once)),
    ("CreditNoteLine", ("cbc:LineExtensionAmount", Optional)),
];

/// Ends of the names of elements that hold an `xs:decimal`.
const NUMBERS: &[&str] = &["Amount", "Quantity", "Percent", "Numeric", "Rate"];

/// Required elements whose absence rules of EN 16931 report under their own identifier.
const SAID_BY_RULES: &[&str] =
    &["cbc:ID", "cbc:IssueDate", "cac:InvoiceLine", "cac:CreditNoteLine", "cbc:PayableAmount"];

/// Checks the children of the document element, the groups inside it, its numbers and its date.
///
/// `ruled` says that the rules of EN 16931 will run, which report some absences themselves.
pub(crate) fn check<'d>(invoice: &InvoiceGroups<'d>, ruled: bool, sink: &mut Sink<'d>) {
    let table = if invoice.is_credit_note() { CREDIT_NOTE } else { INVOICE };
    sequence(invoice.root, table, ruled, sink);
    let rows = ByName::of(invoice.root.document(), |namespace, local| {
        let rows = INNER.iter().filter(|(group, _)| namespace == CAC && *group == local);
        rows.map(|(_, row)| row).collect::<Vec<_>>()
    });
    for group in invoice.root.elements() {
        rows.get(group).into_iter().flatten().for_each(|row| inner(group, row, ruled, sink));
    }
    numbers(invoice.root, sink);
    issue_date(ubl::basic(invoice.root, "IssueDate"), quoin_model::text::zoned_date, sink);
}

/// Checks the date of a CII invoice, of which the schema says nothing: `20260531`. Rules say which
/// other forms there are.
pub(crate) fn check_cii<'d>(root: Element<'d>, sink: &mut Sink<'d>) {
    let steps = ["ExchangedDocument", "IssueDateTime", "DateTimeString"];
    let element = steps
        .iter()
        .try_fold(root, |place, step| place.elements().find(|own| own.local() == *step));
    let is_day = |own: &Element<'d>| own.attribute("format").is_none_or(|form| form == "102");
    issue_date(element.filter(is_day), eight_digits, sink);
}

/// What is known of each name of a document: found once, whatever the number of its elements.
struct ByName<T>(Vec<T>);

impl<T> ByName<T> {
    fn of(document: &Document, known: impl Fn(&str, &str) -> T) -> ByName<T> {
        let names = (0..document.name_count() as u32).map(|id| document.name(NameId(id)));
        ByName(names.map(|(namespace, local)| known(namespace, local)).collect())
    }

    fn get(&self, element: Element<'_>) -> Option<&T> {
        let NameId(id) = element.document().name_of(element.id())?;
        self.0.get(id as usize)
    }
}

/// The name of a row without its prefix, and the namespace of the prefix.
fn expand(name: &'static str) -> (&'static str, &'static str) {
    let (prefix, local) = name.split_once(':').unwrap_or(("", name));
    let namespace = match prefix {
        "cbc" => CBC,
        "cac" => CAC,
        _ => EXT,
    };
    (namespace, local)
}

/// How often a row was met, and where the second time.
#[derive(Clone, Copy, Default)]
struct RowOccurrences<'d> {
    count: usize,
    second: Option<Element<'d>>,
}

impl<'d> RowOccurrences<'d> {
    fn meet(&mut self, element: Element<'d>) {
        self.count += 1;
        if self.count == 2 {
            self.second = Some(element);
        }
    }
}

/// Checks the children of the document element in one walk: those that do not belong here, those
/// that come too late, and how often each comes.
fn sequence<'d>(
    root: Element<'d>,
    table: &'static [ChildElement],
    ruled: bool,
    sink: &mut Sink<'d>,
) {
    let mut met = vec![RowOccurrences::default(); table.len()];
    let mut reached = 0;
    let places = ByName::of(root.document(), |namespace, local| {
        table.iter().position(|&(name, _)| expand(name) == (namespace, local))
    });
    for child in root.elements() {
        let place = places.get(child).copied().flatten();
        let name = || child.qualified_name();
        let Some(place) = place else {
            let (row, document) = (&own::UBL_UNKNOWN, root.local());
            let message = || {
                let namespace = shortened(child.namespace());
                format!(
                    "{} in namespace \"{namespace}\" is no child of a UBL 2.1 {document}. {}",
                    name(),
                    row.remedy
                )
            };
            sink.own(row, Some(child), None, message);
            continue;
        };
        if place < reached {
            let (row, before) = (&own::UBL_ORDER, table.get(reached).map_or("", |row| row.0));
            let message = || format!("{} stands after {before}. {}", name(), row.remedy);
            sink.own(row, Some(child), None, message);
        }
        reached = reached.max(place);
        if let Some(met) = met.get_mut(place) {
            met.meet(child);
        }
    }
    for (row, met) in table.iter().zip(met) {
        occurs(root, row, met, ruled, sink);
    }
}

/// Checks how often one child comes inside a group.
fn inner<'d>(group: Element<'d>, row: &'static ChildElement, ruled: bool, sink: &mut Sink<'d>) {
    let (namespace, local) = expand(row.0);
    let mut met = RowOccurrences::default();
    group.elements().filter(|child| child.is(namespace, local)).for_each(|e| met.meet(e));
    occurs(group, row, met, ruled, sink);
}

/// Fires at a child that is missing or comes too often.
fn occurs<'d>(
    parent: Element<'d>,
    &(name, occurs): &'static ChildElement,
    met: RowOccurrences<'d>,
    ruled: bool,
    sink: &mut Sink<'d>,
) {
    let inside = || parent.qualified_name();
    let required = matches!(occurs, Once | AtLeastOnce);
    if met.count == 0 && required && !(ruled && SAID_BY_RULES.contains(&name)) {
        let row = &own::UBL_MISSING;
        let message = || format!("UBL 2.1 requires {name} inside {}. {}", inside(), row.remedy);
        sink.own(row, Some(parent), None, message);
    }
    if met.count > 1 && matches!(occurs, Once | Optional) {
        let row = match name {
            "cac:OrderReference" => &own::ORDER_REFERENCE,
            _ => &own::UBL_REPEATED,
        };
        let message = || {
            format!(
                "{name} occurs {} times inside {}; once is the most. {}",
                met.count,
                inside(),
                row.remedy
            )
        };
        sink.own(row, met.second, None, message);
    }
}

/// Fires at every number that is none, in the words of the interface specification section 7.
fn numbers<'d>(root: Element<'d>, sink: &mut Sink<'d>) {
    let are_numbers = ByName::of(root.document(), |namespace, local| {
        namespace == CBC && NUMBERS.iter().any(|end| local.ends_with(end))
    });
    for element in root.descendants().filter(|own| are_numbers.get(*own) == Some(&true)) {
        let text = element.text();
        let Err(error) = Decimal::parse(&text) else { continue };
        let local = element.local();
        let row = match error {
            DecimalError::Range => &own::DECIMAL_RANGE,
            _ => &own::DECIMAL,
        };
        let amount = local.ends_with("Amount") && !local.ends_with("PriceAmount");
        let two = if amount { " with at most 2 decimals" } else { "" };
        let shown = text.trim_matches(SPACE);
        let message = || {
            let (name, shown) = (element.qualified_name(), shortened(shown));
            match error {
                DecimalError::Range => format!(
                    "The value '{shown}' of {name} cannot be computed with, for {error}. {}",
                    row.remedy
                ),
                _ => format!(
                    "Invalid payload: the value '{shown}' of {name} is not a valid xs:decimal, \
                     for {error}. Only fixed decimal notation{two} is valid, no exponent and no \
                     thousands separators; it must be fixed in the source system."
                ),
            }
        };
        sink.own(row, Some(element), Some(shown), message);
    }
}

/// `20260531` (UNTDID 2379, 102).
fn eight_digits(text: &str) -> Option<Date> {
    let is_form = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_form)
}

/// Fires at an issue date that is no day of the calendar. A zone is right in an xs:date; the rule
/// sets that do not want one say so.
fn issue_date<'d>(
    element: Option<Element<'d>>,
    read: fn(&str) -> Option<Date>,
    sink: &mut Sink<'d>,
) {
    let Some(element) = element else { return };
    let text = quoin_model::text::trimmed(element);
    if !text.is_empty() && read(&text).is_none() {
        let row = &own::DATE;
        let message = || format!("The issue date '{text}' is not a date. {}", row.remedy);
        sink.own(row, Some(element), Some(&text), message);
    }
}
