//! The document level: BT-1 to BT-25, references, payment, attachments.

use quoin_model::en16931::{
    AttributeName, Binary, BlockedAccount, DeliveryInformation, Derivation, DocumentReference,
    Field, Identifier, Invoice, InvoiceTypeCode, Note, PaymentMeans, PaymentTerms, Quantity,
    TermsAdjustment, Text, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::{CORRECTION, CREDIT_NOTE, FILES};
use super::money::DocumentMoney;
use super::{DicoWalk, dutch, line, money, name, party};
use crate::reading::{day_of, lookup, view};

/// Reads the document element.
pub(super) fn read<'d>(walk: &mut DicoWalk<'d>, element: Element<'d>) -> Invoice<'d> {
    let mut invoice = Invoice::new(element);
    let mut parties = party::DicoParties::default();
    let mut money = DocumentMoney::default();
    hints(walk, element);
    for child in element.elements() {
        let is_known = head(walk, &mut invoice, child)
            || references(walk, &mut invoice, child)
            || parties.take(walk, &mut invoice, child)
            || money.take(walk, &mut invoice, child);
        if is_known {
            continue;
        }
        match name(child) {
            "InvoiceLine" => {
                let line = line::read(walk, child);
                invoice.lines.push(line);
            }
            "Attachment" => attachment(walk, &mut invoice, child),
            _ => walk.pass.unread(child),
        }
    }
    parties.settle(&mut invoice);
    money.settle(walk, &mut invoice);
    money::accounts(&mut invoice);
    invoice
}

/// A hint where to find the schema of a document without a namespace is no content either.
fn hints<'d>(walk: &mut DicoWalk<'d>, element: Element<'d>) {
    walk.pass.open_root(element);
    let is_hint = |leaf: &crate::reading::DocumentLeaf<'d>| {
        leaf.attribute().is_some_and(|one| {
            one.namespace == crate::reading::XSI && one.local == "noNamespaceSchemaLocation"
        })
    };
    if let Some(place) = walk.pass.residue.iter().position(is_hint) {
        let leaf = walk.pass.residue.remove(place);
        walk.pass.regenerated.push(leaf);
    }
}

/// BT-1 to BT-9, BT-22, BT-72, BT-81.
fn head<'d>(walk: &mut DicoWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) -> bool {
    match name(element) {
        "InvoiceType" => {
            let kind = kind(walk, element);
            invoice.type_code.push(kind);
        }
        "InvoiceNumber" => walk.pass.take(&mut invoice.number, element),
        "InvoiceDate" => day(walk, &mut invoice.issue_date, element),
        "ExpirationDate" => day(walk, &mut invoice.due_date, element),
        "DeliveryDate" => {
            let mut delivery = DeliveryInformation::new(element);
            day(walk, &mut delivery.date, element);
            invoice.delivery.push(delivery);
        }
        "Currency" => walk.pass.take(&mut invoice.currency, element),
        "PaymentMethodCode" => {
            let mut means = PaymentMeans::new(element);
            walk.pass.take(&mut means.code, element);
            invoice.payment.means.push(means);
        }
        "FreeText" => note(walk, invoice, element),
        "AdditionalInformation" => {
            walk.pass.open(element);
            for child in element.elements() {
                match name(child) {
                    "FreeText" => note(walk, invoice, child),
                    _ => walk.pass.unread(child),
                }
            }
        }
        "PaymentDiscount" => discount(walk, invoice, element),
        "ChainLiabilityIndicator" => {
            walk.pass.take(&mut dutch(invoice).chain_liability, element);
        }
        "PaymentOnBlockedAccount" => blocked(walk, invoice, element),
        _ => return false,
    }
    true
}

/// BT-3: a correction whose total is negative is a credit note.
fn kind<'d>(walk: &mut DicoWalk<'d>, element: Element<'d>) -> InvoiceTypeCode<'d> {
    let own: InvoiceTypeCode<'d> = walk.pass.value(element);
    match walk.is_negated && own.is(CORRECTION) {
        true => own.saying(Derivation::Mapped, CREDIT_NOTE).into(),
        false => own,
    }
}

/// A day; of a day and time its day.
pub(super) fn day<'d>(
    walk: &mut DicoWalk<'d>,
    field: &mut Field<quoin_model::en16931::Date<'d>>,
    element: Element<'d>,
) {
    let own: quoin_model::en16931::Date<'d> = walk.pass.value(element);
    field.push(day_of(*own));
}

/// BG-1.
fn note<'d>(walk: &mut DicoWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut note = Note::new(element);
    walk.pass.take(&mut note.text, element);
    invoice.notes.push(note);
}

/// References to other documents: BT-11 to BT-16, BT-25.
fn references<'d>(
    walk: &mut DicoWalk<'d>,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
) -> bool {
    let (field, inside) = match name(element) {
        "ProjectNumber" => (&mut invoice.references.project, ""),
        "ProjectReference" => (&mut invoice.references.project, "ProjectNumber"),
        "ContractNumber" => (&mut invoice.references.contract, ""),
        "ContractReference" => (&mut invoice.references.contract, "ContractNumber"),
        "BuyersOrderNumber" => (&mut invoice.references.purchase_order, ""),
        "OrderResponseNumber" => (&mut invoice.references.sales_order, ""),
        "DespatchAdviceNumber" => (&mut invoice.references.despatch_advice, ""),
        "InvoiceNumberToBeCorrected" => {
            let mut reference = DocumentReference::new(element);
            walk.pass.take(&mut reference.id, element);
            invoice.references.preceding_invoices.push(reference);
            return true;
        }
        "CustomerOrderReference" => {
            let field = &mut dutch(invoice).end_customer_order;
            walk.wrapped(field, element, "EndCustomerOrderNumber");
            return true;
        }
        _ => return false,
    };
    let mut reference = DocumentReference::new(element);
    match inside {
        "" => walk.pass.take(&mut reference.id, element),
        inside => walk.wrapped(&mut reference.id, element, inside),
    }
    field.push(reference);
    true
}

/// BT-20 in structure: so many percent within so many days.
fn discount<'d>(walk: &mut DicoWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let (mut terms, mut own) = (PaymentTerms::new(element), TermsAdjustment::new(element));
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DiscountPercentage" => walk.pass.take(&mut own.percentage, child),
            "NumberOfDaysAfterDateOfInvoice" => {
                let days: Quantity<'d> = walk.pass.value(child);
                let unit = days.saying(Derivation::Named, "DAY");
                own.basis_period.push(days.with(&[(AttributeName::UnitCode, unit)]).into());
            }
            _ => walk.pass.unread(child),
        }
    }
    terms.discounts.push(own);
    invoice.payment.terms.push(terms);
}

/// What is paid to the blocked account.
fn blocked<'d>(walk: &mut DicoWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut own = BlockedAccount::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Amount" => walk.amount(&mut own.amount, child),
            "Percentage" => walk.pass.take(&mut own.percentage, child),
            _ => walk.pass.unread(child),
        }
    }
    dutch(invoice).blocked_account.push(own);
}

/// BG-24. The name of the file is its identifier, too; an address is a file that lies elsewhere.
fn attachment<'d>(walk: &mut DicoWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut document = DocumentReference::new(element);
    let (mut data, mut kinds, mut names) = (Vec::new(), Vec::new(), Vec::new());
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DocumentType" => walk.pass.take(&mut document.document_type, child),
            "FileType" => kinds.push(walk.pass.value::<Text<'d>>(child)),
            "FileName" => names.push(walk.pass.value::<Text<'d>>(child)),
            "URL" => walk.pass.take(&mut document.uri, child),
            "AttachedData" => data.push(walk.pass.value::<Binary<'d>>(child)),
            _ => walk.pass.unread(child),
        }
    }
    document.id.extend(names.iter().map(|name| Identifier::from(**name)));
    for one in data {
        let mut attributes: Vec<(AttributeName, ValueSource<'d>)> = Vec::new();
        attributes.extend(kinds.first().map(|kind| (AttributeName::MimeCode, media_type(*kind))));
        attributes.extend(names.first().map(|name| (AttributeName::Filename, **name)));
        document.embedded.push(one.with(&attributes).into());
    }
    // What is not the type of an embedded file is what kind of document it is.
    let is_used = document.embedded.is_present();
    let rest = kinds.iter().skip(usize::from(is_used)).copied();
    document.document_type.extend(rest);
    if document.id.is_absent() {
        document.id.extend(document.uri.iter().map(|uri| view::<Identifier<'d>>(uri.element())));
    }
    invoice.references.supporting_documents.push(document);
}

/// BT-125-1, of the ending of the name of a file.
fn media_type<'d>(kind: Text<'d>) -> ValueSource<'d> {
    let text = kind.trimmed().to_ascii_uppercase();
    match lookup(FILES, &text) {
        Some(known) => kind.saying(Derivation::Mapped, known),
        None => *kind,
    }
}
