//! Which document types a capability of a party stands for (interface specification, section 2.2):
//! pairs of document type and process, because several capabilities share a document type.

use super::{DOCUMENT_TYPES, DocumentType};

/// A capability of a party and the registrations it stands for.
#[derive(Debug, PartialEq, Eq)]
pub struct Capability {
    /// The name of the interface, such as `invoices`.
    pub name: &'static str,
    /// Each registration: the name of its document type in the code list, and its process (of
    /// scheme `cenbii-procid-ubl`). [`Capability::rows`] gives the rows for the names.
    pub registrations: &'static [(&'static str, &'static str)],
}

impl Capability {
    /// The registrations with the rows of the code list, which say whether they may still be made.
    pub fn rows(&self) -> impl Iterator<Item = (&'static DocumentType, &'static str)> {
        self.registrations.iter().filter_map(|(name, process)| {
            let row = DOCUMENT_TYPES.iter().find(|row| row.name == *name)?;
            Some((row, *process))
        })
    }
}

/// The capability of this name; names are compared with case.
pub fn capability(name: &str) -> Option<&'static Capability> {
    CAPABILITIES.iter().find(|capability| capability.name == name)
}

const BILLING: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const SELF_BILLING: &str = "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0";
const ORDERING: &str = "urn:fdc:peppol.eu:poacc:bis:ordering:3";
const ADVANCED_ORDERING: &str = "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3";
const DESPATCH_ADVICE_ONLY: &str = "urn:fdc:peppol.eu:logistics:bis:despatch_advice_only:1";
const DESPATCH_ADVICE_WITH_RECEIPT: &str =
    "urn:fdc:peppol.eu:logistics:bis:despatch_advice_w_receipt_advice:1";
const TRANSPORTATION_STATUS: &str =
    "urn:fdc:peppol.eu:logistics:bis:transportation_status_w_request:1";
const TRANSPORTATION_STATUS_ONLY: &str =
    "urn:fdc:peppol.eu:logistics:bis:transportation_status_only:1";
const TRANSPORT_PLAN: &str = "urn:fdc:peppol.eu:logistics:bis:transport_execution_plan_w_request:1";
const TRANSPORT_PLAN_ONLY: &str = "urn:fdc:peppol.eu:logistics:bis:transport_execution_plan_only:1";
const ADVANCED_TRANSPORT: &str =
    "urn:fdc:peppol.eu:logistics:bis:advanced_transport_execution_plan:1";

/// Every capability: those of the specification in its order, then the families besides them.
pub static CAPABILITIES: &[Capability] = &[
    Capability {
        name: "invoices",
        registrations: &[
            ("SI-UBL 2.0 Invoice", BILLING),
            ("SI-UBL 2.0 Credit Note", BILLING),
            ("Peppol BIS Billing UBL Invoice V3", BILLING),
            ("Peppol BIS Billing UBL Credit Note V3", BILLING),
            ("Peppol BIS Billing CII Invoice V3", BILLING),
        ],
    },
    Capability {
        name: "selfbilling",
        registrations: &[
            ("Peppol BIS Self-Billing UBL Invoice V3", SELF_BILLING),
            ("Peppol BIS Self-Billing UBL Credit Note V3", SELF_BILLING),
        ],
    },
    Capability {
        name: "invoice_bisv2",
        registrations: &[
            ("PEPPOL Billing profile Invoice V2", "urn:www.cenbii.eu:profile:bii05:ver2.0"),
            ("PEPPOL Invoice profile V2", "urn:www.cenbii.eu:profile:bii04:ver2.0"),
            ("PEPPOL Billing profile Credit Note V2", "urn:www.cenbii.eu:profile:bii05:ver2.0"),
        ],
    },
    Capability {
        name: "reviews",
        registrations: &[("Peppol Message Level Status v1.0", "urn:peppol:edec:mls")],
    },
    Capability {
        name: "invoiceResponse",
        registrations: &[(
            "Peppol Invoice Response transaction 3.0",
            "urn:fdc:peppol.eu:poacc:bis:invoice_response:3",
        )],
    },
    Capability { name: "orders", registrations: &[("Peppol Order transaction 3.0", ORDERING)] },
    Capability {
        name: "orderOnly",
        registrations: &[(
            "Peppol Order transaction 3.0",
            "urn:fdc:peppol.eu:poacc:bis:order_only:3",
        )],
    },
    Capability {
        name: "orderAdvanced",
        registrations: &[
            ("Peppol Order transaction 3.0", ADVANCED_ORDERING),
            ("Peppol Order Change", ADVANCED_ORDERING),
            ("Peppol Order Cancellation", ADVANCED_ORDERING),
        ],
    },
    Capability {
        name: "orderResponse",
        registrations: &[("Peppol Order Response transaction 3.0", ORDERING)],
    },
    Capability {
        name: "orderResponseAdvanced",
        registrations: &[("Peppol Order Response Advanced", ADVANCED_ORDERING)],
    },
    // Further families of the network, in the same room.
    Capability {
        name: "pint",
        registrations: &[
            ("Peppol PINT Invoice v1.0", "urn:peppol:bis:billing"),
            ("Peppol PINT Credit Note v1.0", "urn:peppol:bis:billing"),
        ],
    },
    Capability {
        name: "despatchAdvice",
        registrations: &[(
            "Peppol Despatch Advice transaction 3.0",
            "urn:fdc:peppol.eu:poacc:bis:despatch_advice:3",
        )],
    },
    Capability {
        name: "logistics",
        registrations: &[
            ("Peppol Advanced Despatch Advice V1", DESPATCH_ADVICE_ONLY),
            ("Peppol Advanced Despatch Advice V1", DESPATCH_ADVICE_WITH_RECEIPT),
            ("Peppol Receipt Advice V1", DESPATCH_ADVICE_WITH_RECEIPT),
            ("Peppol Weight Statement V1", "urn:fdc:peppol.eu:logistics:bis:weight_statement:1"),
            ("Peppol Waybill V1", "urn:fdc:peppol.eu:logistics:bis:waybill:1"),
            ("Peppol Transportation Status Request V1", TRANSPORTATION_STATUS),
            ("Peppol Transportation Status Request V1", ADVANCED_TRANSPORT),
            ("Peppol Transportation Status V1", TRANSPORTATION_STATUS_ONLY),
            ("Peppol Transportation Status V1", ADVANCED_TRANSPORT),
            ("Peppol Transport Execution Plan Request V1.2", TRANSPORT_PLAN),
            ("Peppol Transport Execution Plan Request V1.2", ADVANCED_TRANSPORT),
            ("Peppol Transport Execution Plan V1.2", TRANSPORT_PLAN_ONLY),
            ("Peppol Transport Execution Plan V1.2", ADVANCED_TRANSPORT),
            ("Peppol Logistics Application Response V1", ADVANCED_TRANSPORT),
        ],
    },
];
