//! The document level: BT-1 to BT-19, BG-1, BG-2, BG-3, BG-13, BG-14, BG-24.

use quoin_model::en16931::{Invoice, Note};
use quoin_xml::tree::Element;

use super::{Form, Member, begin, form, kinds};
use crate::json::output::JsonOutput;
use crate::reading::Pass;

begin!(DeliveryInformation, DocumentReference, Note, Period);

form! { Invoice {
    "number": text(number), "BT-1: the number.";
    "issueDate": day(issue_date), "BT-2: the day of issue.";
    "typeCode": type_code(*), "BT-3: the kind of document (UNTDID 1001).";
    "currency": text(currency), "BT-5: the currency of all amounts (ISO 4217).";
    "taxCurrency": text(tax_currency), "BT-6: the currency of VAT accounting.";
    "taxPointDate": day(tax_point_date), "BT-7: when VAT falls due.";
    "taxPointDateCode": tax_point_code(tax_point_date_code),
        "BT-8: the same as a code (UNTDID 2005).";
    "dueDate": day(due_date), "BT-9: when payment is due.";
    "buyerReference": text(buyer_reference), "BT-10: the reference of the buyer.";
    "process": text(process.profile), "BT-23: the business process.";
    "specification": text(process.customization), "BT-24: the specification.";
    "project": text(references.project => id), "BT-11: the project.";
    "projectName": text(references.project => project_name), "The name of the project (CII).";
    "contract": text(references.contract => id), "BT-12: the contract.";
    "purchaseOrder": purchase_order(references), "BT-13: the order of the buyer.";
    "salesOrder": text(references.sales_order => id), "BT-14: the order of the seller.";
    "receivingAdvice": text(references.receiving_advice => id), "BT-15: the receiving advice.";
    "despatchAdvice": text(references.despatch_advice => id), "BT-16: the despatch advice.";
    "tender": text(references.tender => id), "BT-17: the tender or lot.";
    "invoicedObject": invoiced_object(references.invoiced_object),
        "BT-18: what is invoiced, and its scheme (BT-18-1).";
    "accountingReference": text(accounting_reference),
        "BT-19: where the buyer books it.";
    "precedingInvoices": preceding(references.preceding_invoices), "BG-3: preceding invoices.";
    "notes": groups<Note>(notes), "BG-1: notes.";
    "seller": group<Party>(seller), "BG-4: the seller.";
    "buyer": group<Party>(buyer), "BG-7: the buyer.";
    "payee": group<Party>(payee), "BG-10: who is paid, if not the seller.";
    "taxRepresentative": group<Party>(tax_representative),
        "BG-11: who represents the seller for tax.";
    "delivery": group<DeliveryInformation>(delivery), "BG-13: the delivery.";
    "period": group<Period>(period), "BG-14: the period that is invoiced.";
    "payment": part<Payment>(payment), "BG-16: how to pay.";
    "allowances": allowances(allowance_charges), "BG-20: allowances.";
    "charges": document_charges(*), "BG-21: charges.";
    "totals": totals(*), "BG-22: totals.";
    "vatBreakdown": breakdown(*), "BG-23: VAT by category and rate.";
    "supportingDocuments": groups<DocumentReference>(references.supporting_documents),
        "BG-24: supporting documents.";
    "lines": groups<Line>(lines), "BG-25: lines.";
} tells tell_document }

form! { DeliveryInformation {
    "name": text(party => name), "BT-70: who receives it.";
    "location": id(location), "BT-71: the location, and its scheme (BT-71-1).";
    "date": day(date), "BT-72: the day of delivery.";
    "address": group<PostalAddress>(address), "BG-15: the address.";
} }

form! { Period {
    "start": day(start), "BT-73, BT-134: the first day.";
    "end": day(end), "BT-74, BT-135: the last day.";
} }

form! { DocumentReference {
    "identifier": text(id), "BT-122: the reference.";
    "description": text(description), "BT-123: the description.";
    "uri": text(uri), "BT-124: where it can be fetched.";
    "file": file(embedded), "BT-125: the document itself.";
} tells tell_supporting }

/// 916 of CII says that it is a supporting document.
fn tell_supporting<'d>(
    out: &mut JsonOutput<'d>,
    document: &quoin_model::en16931::DocumentReference<'d>,
) {
    if let Some(code) = document.type_code.filled().filter(|code| code.is("916")) {
        out.ledger.regenerate(*code);
    }
}

impl<'d> Form<'d> for Note<'d> {
    const MEMBERS: &'static [Member] = &[
        Member {
            name: "subjectCode",
            content: kinds::text::content(),
            about: "BT-21: what it is about (UNTDID 4451).",
        },
        Member { name: "text", content: kinds::text::content(), about: "BT-22: the text." },
    ];

    fn take(&mut self, pass: &mut Pass<'d>, name: &str, element: Element<'d>) -> bool {
        match name {
            "subjectCode" => pass.take(&mut self.subject_code, element),
            "text" => pass.take(&mut self.text, element),
            _ => return false,
        }
        true
    }

    /// UBL has the subject code within the text.
    fn write(&self, out: &mut JsonOutput<'d>) {
        let Some(text) = self.text.filled() else { return };
        match self.listed_subject() {
            Some((subject, content)) if self.subject_code.is_absent() => {
                out.constant("subjectCode", &subject);
                out.constant("text", &content);
                out.ledger.carry(*text);
            }
            _ => {
                out.first("subjectCode", &self.subject_code);
                out.text("text", text);
            }
        }
    }
}

/// What the source says of members in words that the form has not.
fn tell_document<'d>(out: &mut JsonOutput<'d>, invoice: &Invoice<'d>) {
    let references = &invoice.references;
    // The member says which reference it is.
    for (field, code) in [(&references.project, "50"), (&references.tender, "50")] {
        let codes = field.iter().filter_map(|one| one.type_code.filled());
        codes.filter(|own| own.is(code)).for_each(|own| out.ledger.carry(*own));
    }
    if let Some(due) = invoice.due_date.filled() {
        let means = invoice.payment.means.iter();
        means.for_each(|means| out.ledger.repeated(&means.due_date, due));
    }
    if let Some(code) = invoice.tax_point_date_code.filled() {
        let groups = invoice.vat_breakdown.iter();
        groups.for_each(|one| out.ledger.repeated(&one.point_date_code, code));
    }
    if let Some(version) = invoice.extensions.ubl_version.get() {
        out.ledger.regenerate(*version);
    }
}
