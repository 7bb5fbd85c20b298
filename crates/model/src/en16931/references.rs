//! References to other documents (BT-11 to BT-18, BG-3) and supporting documents (BG-24).

use super::group::group;
use super::{
    Binary, Code, Date, DocumentTypeCode, Field, Identifier, Period, ReferenceTypeCode, Text, Time,
    ValueSource,
};

/// All references of the document level.
#[derive(Debug, Clone, Default)]
pub struct References<'d> {
    /// BT-11: project (`ProjectReference`; in a credit note an `AdditionalDocumentReference` with
    /// type code 50; `SpecifiedProcuringProject`).
    pub project: Field<DocumentReference<'d>>,
    /// BT-12: contract.
    pub contract: Field<DocumentReference<'d>>,
    /// BT-13: purchase order (in UBL the element is `OrderReference`).
    pub purchase_order: Field<DocumentReference<'d>>,
    /// BT-14: sales order (in UBL the element is `SalesOrderID`).
    pub sales_order: Field<DocumentReference<'d>>,
    /// BT-15: receiving advice.
    pub receiving_advice: Field<DocumentReference<'d>>,
    /// BT-16: despatch advice.
    pub despatch_advice: Field<DocumentReference<'d>>,
    /// BT-17: tender or lot (`OriginatorDocumentReference`; in CII type code 50).
    pub tender: Field<DocumentReference<'d>>,
    /// BT-18: invoiced object (type code 130) and its scheme ([`DocumentReference::scheme`]).
    pub invoiced_object: Field<DocumentReference<'d>>,
    /// BG-3: preceding invoices (BT-25 is the `id`, BT-26 the `issue_date`).
    pub preceding_invoices: Vec<DocumentReference<'d>>,
    /// BG-24: supporting documents (BT-122 to BT-125).
    pub supporting_documents: Vec<DocumentReference<'d>>,
    /// Extension: all others (`StatementDocumentReference`, `QuotationReferencedDocument`, …);
    /// the element says which.
    pub others: Vec<DocumentReference<'d>>,
}

group! {
    /// A reference to a document, or a document that is attached.
    DocumentReference {
        /// BT-11 to BT-18, BT-25, BT-122, BT-128: the identifier.
        id: Field<Identifier<'d>>,
        /// BT-18-1, BT-128-1 in CII (`ReferenceTypeCode`); see [`DocumentReference::scheme`].
        reference_type: Field<ReferenceTypeCode<'d>>,
        /// What kind of document (50, 130, 916, …); it decides which term the reference is.
        type_code: Field<DocumentTypeCode<'d>>,
        /// BT-26: the day of issue. On other references an extension.
        issue_date: Field<Date<'d>>,
        /// BT-123: the description (`DocumentDescription`, `Name`).
        description: Field<Text<'d>>,
        /// BT-124: where it can be fetched.
        uri: Field<Text<'d>>,
        /// BT-125: the attached document, its media type and file name.
        embedded: Field<Binary<'d>>,
        /// Extension: the kind in words (`DocumentType`).
        document_type: Field<Text<'d>>,
        /// Extension (PINT my, om): the universally unique identifier.
        uuid: Field<Identifier<'d>>,
        /// Extension: the line within that document.
        line_id: Field<Identifier<'d>>,
        /// Extension (PINT om): the status (`DocumentStatusCode`).
        status: Field<Code<'d>>,
        /// Extension: the time of issue.
        issue_time: Field<Time<'d>>,
        /// Extension: the name of a project, which CII requires beside BT-11.
        project_name: Field<Text<'d>>,
        /// Extension (UBL): the customer's number of the order (`CustomerReference`).
        customer_reference: Field<Text<'d>>,
        /// Extension (UBL): the sales order beside an order that a line names.
        sales_id: Field<Identifier<'d>>,
        /// Extension (UBL): for how long it holds.
        validity: Field<Period<'d>>,
        /// Extension (PINT my): when it was verified (`ResultOfVerification`).
        verified_on: Field<Date<'d>>,
        /// Extension (PINT my): at what time it was verified.
        verified_at: Field<Time<'d>>,
        /// Extension (FatturaPA): how the embedded file is compressed.
        compression: Field<Code<'d>>,
        /// Extension (FatturaPA): the codes of the public administration.
        italy: Option<Box<super::ItalianReference<'d>>>,
    }
}

impl<'d> DocumentReference<'d> {
    /// BT-18-1, BT-128-1: the scheme of the identifier (`@schemeID` in UBL, `ReferenceTypeCode`
    /// in CII).
    pub fn scheme(&self) -> Option<ValueSource<'d>> {
        let in_ubl = || self.id.get()?.scheme();
        self.reference_type.get().map(|code| *code).or_else(in_ubl)
    }
}

impl<'d> References<'d> {
    /// The `NA` that UBL has for BT-13 where only BT-14 is known, because an order reference must
    /// have an identifier (Peppol BIS Billing 3.0, section 6.2). It is no order number.
    pub fn filler_of_order(&self) -> Option<Identifier<'d>> {
        let id = self.purchase_order.first()?.id.get()?;
        let is_ubl = id.element().local() == "ID";
        (is_ubl && id.is("NA") && self.sales_order.is_present()).then_some(id)
    }

    /// Every reference that is an `AdditionalDocumentReference` (UBL) or an
    /// `AdditionalReferencedDocument` (CII), whatever its type code makes of it.
    pub fn additional(&self) -> impl Iterator<Item = &DocumentReference<'d>> {
        let single = [&self.project, &self.tender, &self.invoiced_object];
        let single = single.into_iter().flat_map(|field| field.iter());
        single.chain(&self.supporting_documents).filter(|reference| {
            let name = reference.element.local();
            matches!(name, "AdditionalDocumentReference" | "AdditionalReferencedDocument")
        })
    }
}
