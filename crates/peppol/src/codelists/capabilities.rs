//! Which document types a capability of a party stands for (interface specification, section 2.2):
//! pairs of document type and process, because several capabilities share a document type.

use super::{DOCUMENT_TYPES, DocumentType};

/// A capability of a party and the registrations it stands for.
#[derive(Debug, PartialEq, Eq)]
pub struct Capability {
    /// The name of the interface, such as `invoices`.
    pub name: &'static str,
    /// Document type value and process value of each registration. The document types are of scheme
    /// `busdox-docid-qns`, the processes of scheme `cenbii-procid-ubl`.
    pub registrations: &'static [(&'static str, &'static str)],
}

impl Capability {
    /// The registrations with the rows of the code list, which say whether they may still be made.
    pub fn rows(&self) -> impl Iterator<Item = (&'static DocumentType, &'static str)> {
        self.registrations.iter().filter_map(|(value, process)| {
            let row = DOCUMENT_TYPES.iter().find(|row| row.value == *value)?;
            Some((row, *process))
        })
    }
}

/// The capability of this name; names are compared with case.
pub fn capability(name: &str) -> Option<&'static Capability> {
    CAPABILITIES.iter().find(|capability| capability.name == name)
}

/// Every capability, in the order of the specification.
#[rustfmt::skip]
pub static CAPABILITIES: &[Capability] = &[
    Capability { name: "invoices", registrations: &[
        ("urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0::2.1", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"),
        ("urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2::CreditNote##urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0::2.1", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"),
        ("urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"),
        ("urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2::CreditNote##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"),
        ("urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100::CrossIndustryInvoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::D16B", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"),
    ] },
    Capability { name: "selfbilling", registrations: &[
        ("urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0::2.1", "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0"),
        ("urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2::CreditNote##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0::2.1", "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0"),
    ] },
    Capability { name: "invoice_bisv2", registrations: &[
        ("urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:urn:www.peppol.eu:bis:peppol5a:ver2.0::2.1", "urn:www.cenbii.eu:profile:bii05:ver2.0"),
        ("urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:urn:www.peppol.eu:bis:peppol4a:ver2.0::2.1", "urn:www.cenbii.eu:profile:bii04:ver2.0"),
        ("urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2::CreditNote##urn:www.cenbii.eu:transaction:biitrns014:ver2.0:extended:urn:www.peppol.eu:bis:peppol5a:ver2.0::2.1", "urn:www.cenbii.eu:profile:bii05:ver2.0"),
    ] },
    Capability { name: "reviews", registrations: &[
        ("urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2::ApplicationResponse##urn:peppol:edec:mls:1.0::2.1", "urn:peppol:edec:mls"),
    ] },
    Capability { name: "invoiceResponse", registrations: &[
        ("urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2::ApplicationResponse##urn:fdc:peppol.eu:poacc:trns:invoice_response:3::2.1", "urn:fdc:peppol.eu:poacc:bis:invoice_response:3"),
    ] },
    Capability { name: "orders", registrations: &[
        ("urn:oasis:names:specification:ubl:schema:xsd:Order-2::Order##urn:fdc:peppol.eu:poacc:trns:order:3::2.1", "urn:fdc:peppol.eu:poacc:bis:ordering:3"),
    ] },
    Capability { name: "orderOnly", registrations: &[
        ("urn:oasis:names:specification:ubl:schema:xsd:Order-2::Order##urn:fdc:peppol.eu:poacc:trns:order:3::2.1", "urn:fdc:peppol.eu:poacc:bis:order_only:3"),
    ] },
    Capability { name: "orderAdvanced", registrations: &[
        ("urn:oasis:names:specification:ubl:schema:xsd:Order-2::Order##urn:fdc:peppol.eu:poacc:trns:order:3::2.1", "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3"),
        ("urn:oasis:names:specification:ubl:schema:xsd:OrderChange-2::OrderChange##urn:fdc:peppol.eu:poacc:trns:order_change:3::2.3", "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3"),
        ("urn:oasis:names:specification:ubl:schema:xsd:OrderCancellation-2::OrderCancellation##urn:fdc:peppol.eu:poacc:trns:order_cancellation:3::2.3", "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3"),
    ] },
    Capability { name: "orderResponse", registrations: &[
        ("urn:oasis:names:specification:ubl:schema:xsd:OrderResponse-2::OrderResponse##urn:fdc:peppol.eu:poacc:trns:order_response:3::2.1", "urn:fdc:peppol.eu:poacc:bis:ordering:3"),
    ] },
    Capability { name: "orderResponseAdvanced", registrations: &[
        ("urn:oasis:names:specification:ubl:schema:xsd:OrderResponse-2::OrderResponse##urn:fdc:peppol.eu:poacc:trns:order_response_advanced:3::2.3", "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3"),
    ] },
];
