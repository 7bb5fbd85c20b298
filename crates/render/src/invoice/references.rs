//! BT-11 to BT-18, BT-23, BT-24, BG-3: references; BG-24: documents that are attached.

use quoin_model::en16931::{DocumentReference, Invoice, ValueType};

use crate::attachments::{self, AttachedFile};
use crate::draft::PageDraft;
use crate::names;
use crate::page::{PageField, PagePart, PageSection};
use crate::words::PageWord;

/// All references but the order, which is at the head.
pub(super) fn section<'d>(draft: &mut PageDraft<'d>, invoice: &Invoice<'d>) -> PageSection {
    let mut section = PageSection::new(draft.word(PageWord::References));
    let references = &invoice.references;
    let mut all = Vec::new();
    for (word, field) in [
        (PageWord::Project, &references.project),
        (PageWord::Contract, &references.contract),
        (PageWord::SalesOrder, &references.sales_order),
        (PageWord::ReceivingAdvice, &references.receiving_advice),
        (PageWord::DespatchAdvice, &references.despatch_advice),
        (PageWord::Tender, &references.tender),
        (PageWord::InvoicedObject, &references.invoiced_object),
    ] {
        field.iter().for_each(|one| reference(draft, &mut all, word, one));
    }
    for one in &references.preceding_invoices {
        reference(draft, &mut all, PageWord::PrecedingInvoice, one);
    }
    for one in &references.others {
        reference(draft, &mut all, PageWord::OtherReference, one);
        if let Some(last) = all.last_mut() {
            let (name, is_name) = names::label(one.element.local(), draft.language);
            (last.label, last.is_name) = (name, is_name);
        }
    }
    draft.plain(&mut all, PageWord::Specification, &invoice.process.customization);
    draft.plain(&mut all, PageWord::Process, &invoice.process.profile);
    if !all.is_empty() {
        section.parts.push(PagePart::Fields(all));
    }
    section
}

/// A reference with its day and what it says in words.
pub(super) fn reference<'d>(
    draft: &mut PageDraft<'d>,
    into: &mut Vec<PageField>,
    word: PageWord,
    reference: &DocumentReference<'d>,
) {
    let mut said = Vec::new();
    for id in &reference.id {
        said.extend(draft.identifier(*id));
    }
    for scheme in reference.reference_type.iter().filter(|code| code.derivation().is_none()) {
        said.extend(draft.said(**scheme).map(|code| format!("({code})")));
    }
    for date in &reference.issue_date {
        let day = draft.date(*date);
        said.extend(day.map(|day| format!("{} {day}", draft.word(PageWord::Of))));
    }
    said.extend(draft.joined(&reference.project_name));
    said.extend(draft.joined(&reference.document_type));
    let described = draft.joined(&reference.description).filter(|text| !said.contains(text));
    said.extend(described);
    said.extend(draft.joined(&reference.uri));
    let marks = draft.marks_in(reference.element);
    if !said.is_empty() {
        into.push(PageField { marks, ..PageField::new(draft.word(word), said.join(" ")) });
    }
}

/// BG-24: a table of what is attached or can be fetched; nothing of it is opened.
pub(super) fn attachments<'d>(draft: &mut PageDraft<'d>, invoice: &Invoice<'d>) -> PageSection {
    let supporting = invoice.references.supporting_documents.iter();
    let mut files = Vec::new();
    for document in supporting.take(attachments::MAX_LISTED) {
        let mut file = AttachedFile::default();
        for id in &document.id {
            file.names.extend(draft.identifier(*id));
        }
        file.names.extend(draft.joined(&document.description));
        file.names.extend(draft.joined(&document.document_type));
        file.link = draft.joined(&document.uri);
        file.marks = draft.marks_in(document.element);
        for binary in &document.embedded {
            file.name = binary.filename().and_then(|name| draft.said(name));
            file.media_type = binary.mime_code().and_then(|code| draft.said(code));
            draft.note_source(binary.source());
            file.content = Some(attachments::content(&binary.text()));
        }
        files.push(file);
    }
    let all = invoice.references.supporting_documents.len();
    attachments::section(draft.language, files, all)
}
