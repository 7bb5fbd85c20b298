//! Who bills whom, and who answers an order: what the conversion of a document on its way never
//! changes.
//!
//! Source: Peppol process code list 9.7; the profiles of BIS Ordering 3, BIS Billing 3, BIS
//! Self-Billing 3 and PINT.

use quoin_formats::Detection;
use quoin_formats::profiles::{Profile, SelfBilling};
use quoin_peppol::codelists::{CodeState, DOCUMENT_TYPES};
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId};

use crate::kind::{is_of_order, profile_of};
use crate::targets::ProcessOffer;

/// The process of registrations that take any invoice of EN 16931.
const ANY: &str = "urn:fdc:peppol.eu:poacc:en16931:any";
/// What the processes have inside in which the buyer writes the invoice.
const SELF_BILLING: &str = ":selfbilling";
/// What begins the processes in which an order travels, and its course. One row each.
const ORDERS: &[(&str, BusinessCourse)] = &[
    ("urn:fdc:peppol.eu:poacc:bis:order_only:3", BusinessCourse::OrderOnly),
    ("urn:www.cenbii.eu:profile:bii03:", BusinessCourse::OrderOnly),
    ("urn:fdc:peppol.eu:poacc:bis:ordering:3", BusinessCourse::Ordering),
    ("urn:www.cenbii.eu:profile:bii28:", BusinessCourse::Ordering),
    ("urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3", BusinessCourse::AdvancedOrdering),
];
/// The process of invoices that are answered.
const ANSWERED: &str = "urn:peppol:bis:billing_with_response";

/// What both ends expect of each other about a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BusinessCourse {
    /// The seller writes the invoice.
    Billing,
    /// The seller writes the invoice, and the buyer answers it.
    AnsweredBilling,
    /// The buyer writes the invoice.
    SelfBilling,
    /// An order that nobody answers.
    OrderOnly,
    /// An order that the seller answers.
    Ordering,
    /// An order that the seller answers, and that may be changed and taken back.
    AdvancedOrdering,
    /// An order in another process, which is like no other one.
    Other(String),
}

impl BusinessCourse {
    /// The course of a document; `None` of an order that names no process, and of which none was
    /// asked for beside it either.
    pub fn of(source: &Detection, asked: Option<&ProcessId>) -> Option<BusinessCourse> {
        let process = source.profile_id.as_deref().or(asked.map(ProcessId::value));
        if is_of_order(source.kind) {
            return process.map(of_order);
        }
        let by_buyer = source.self_billing || process.is_some_and(|own| own.contains(SELF_BILLING));
        Some(of_invoice(by_buyer, process))
    }

    /// What it is, for people.
    pub fn title(&self) -> &str {
        match self {
            BusinessCourse::Billing => "billing",
            BusinessCourse::AnsweredBilling => "billing with a response",
            BusinessCourse::SelfBilling => "self-billing",
            BusinessCourse::OrderOnly => "order only",
            BusinessCourse::Ordering => "ordering",
            BusinessCourse::AdvancedOrdering => "advanced ordering",
            BusinessCourse::Other(process) => process,
        }
    }

    /// The course of documents of a type in a process; `None` where it is any course of invoices.
    fn offered(document_type: &DocumentTypeId, process: &ProcessId) -> Option<BusinessCourse> {
        let profile = profile_of(document_type);
        let process = process.value();
        if is_of_order(profile.and_then(|profile| profile.kind)) {
            return Some(of_order(process));
        }
        match profile.map(|profile| profile.self_billing) {
            Some(SelfBilling::Always) => Some(of_invoice(true, Some(process))),
            Some(SelfBilling::Never) => Some(of_invoice(false, Some(process))),
            _ if process == ANY => None,
            _ => Some(of_invoice(process.contains(SELF_BILLING), Some(process))),
        }
    }
}

fn of_order(process: &str) -> BusinessCourse {
    let row = ORDERS.iter().find(|(start, _)| process.starts_with(start));
    row.map_or_else(|| BusinessCourse::Other(process.to_owned()), |(_, course)| course.clone())
}

fn of_invoice(by_buyer: bool, process: Option<&str>) -> BusinessCourse {
    match (by_buyer, process == Some(ANSWERED)) {
        (true, _) => BusinessCourse::SelfBilling,
        (false, true) => BusinessCourse::AnsweredBilling,
        (false, false) => BusinessCourse::Billing,
    }
}

/// Whether a document may become one of a type in a process: in the course that it is of. One of
/// this very specification stays one, too, as an invoice of a national specification in which the
/// type code alone says that the buyer wrote it.
pub fn keeps_course(
    source: &Detection,
    asked: Option<&ProcessId>,
    (document_type, process): (&DocumentTypeId, &ProcessId),
) -> bool {
    if !writes_for(profile_of(document_type), source) {
        return false;
    }
    let Some(own) = BusinessCourse::of(source, asked) else { return true };
    let offered = BusinessCourse::offered(document_type, process);
    offered.is_none_or(|offered| offered == own) || is_its_own(source, (document_type, process))
}

/// Whether a document names a type itself, in this process or in none.
fn is_its_own(source: &Detection, (document_type, process): (&DocumentTypeId, &ProcessId)) -> bool {
    let customization = document_type.parts().customization.trim_end_matches('*');
    source.customization_id.as_deref() == Some(customization)
        && !is_of_order(source.kind)
        && source.profile_id.as_deref().is_none_or(|own| own == process.value())
}

/// Whether documents of a profile are written by the end that wrote this one.
fn writes_for(profile: Option<&Profile>, source: &Detection) -> bool {
    match profile.map(|profile| profile.self_billing) {
        Some(SelfBilling::Always) => source.self_billing,
        Some(SelfBilling::Never) => !source.self_billing,
        _ => true,
    }
}

/// The processes in which the code list has documents of a specification, and which keep the course
/// of a document that becomes one; none where its documents name their process elsewhere.
///
/// # Errors
/// [`OtherCourses`] where it has some, and none of them does.
pub fn processes(specification: &str, source: &Detection) -> Result<Vec<ProcessId>, OtherCourses> {
    let Some((profile, _)) = Profile::of_chain(specification) else { return Ok(Vec::new()) };
    let part = format!("##{specification}::");
    let in_use = DOCUMENT_TYPES.iter().filter(|row| row.state == CodeState::Active);
    let row = in_use.filter(|_| !profile.process_elsewhere).find(|row| row.value.contains(&part));
    let Some((row, id)) = row.and_then(|row| Some((row, row.id().ok()?))) else {
        return Ok(Vec::new());
    };
    let listed = || row.processes.iter().filter_map(|text| text.parse::<ProcessId>().ok());
    // Whether it can become such a document at all is not asked here.
    let is_alike = is_of_order(source.kind) == is_of_order(profile.kind);
    let keeps = |process: &ProcessId| !is_alike || keeps_course(source, None, (&id, process));
    let kept: Vec<ProcessId> = listed().filter(keeps).collect();
    match (kept.is_empty(), BusinessCourse::of(source, None)) {
        (true, Some(own)) => {
            let offered = listed().map(|process| process.value().to_owned()).collect();
            Err(OtherCourses { offered, own })
        }
        _ => Ok(kept),
    }
}

/// Documents of a specification are of another course of business than one that was to become one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "its documents are exchanged in {}, and this one is of {}: a conversion does not change who \
     bills whom, or who answers an order",
    offered.join(" or "),
    own.title()
)]
pub struct OtherCourses {
    /// The processes of the specification.
    pub offered: Vec<String>,
    /// The course of the document.
    pub own: BusinessCourse,
}

/// Offers that keep the course of a document, and those that do not, each in their order.
pub fn by_course(
    offers: Vec<ProcessOffer>,
    source: &Detection,
    asked: Option<&ProcessId>,
) -> (Vec<ProcessOffer>, Vec<ProcessOffer>) {
    offers
        .into_iter()
        .partition(|own| keeps_course(source, asked, (&own.offer.document_type, &own.process)))
}

#[cfg(test)]
mod tests {
    use quoin_formats::ubl::UBL_PREFIX;

    use super::*;

    const COMPLIANT: &str = "urn:cen.eu:en16931:2017#compliant#";
    const CORE: &str = "urn:cen.eu:en16931:2017";
    const ORDER: &str = "urn:fdc:peppol.eu:poacc:trns:order:3";
    const BILLING: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
    const SELF_BILLING: &str = "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0";

    fn source(local: &str, customization: &str, process: &str, code: &str) -> Detection {
        let cbc = format!("{UBL_PREFIX}CommonBasicComponents-2");
        quoin_formats::detect(
            format!(
                "<{local} xmlns=\"{UBL_PREFIX}{local}-2\" xmlns:cbc=\"{cbc}\">\
                 <cbc:CustomizationID>{customization}</cbc:CustomizationID>\
                 <cbc:ProfileID>{process}</cbc:ProfileID>\
                 <cbc:{local}TypeCode>{code}</cbc:{local}TypeCode></{local}>"
            )
            .as_bytes(),
        )
    }

    fn offer(local: &str, customization: &str, process: &str) -> (DocumentTypeId, ProcessId) {
        let namespace = format!("{UBL_PREFIX}{local}-2");
        let id = DocumentTypeId::of_document(&namespace, local, customization, "2.1").unwrap();
        (id, process.parse().unwrap())
    }

    #[test]
    fn an_order_stays_in_its_own_process() {
        let processes = ["order_only", "ordering", "advanced_ordering"]
            .map(|name| format!("urn:fdc:peppol.eu:poacc:bis:{name}:3"));
        for own in &processes {
            let order = source("Order", ORDER, own, "220");
            for other in &processes {
                let (id, process) = offer("Order", ORDER, other);
                let keeps = keeps_course(&order, None, (&id, &process));
                assert_eq!(keeps, own == other, "{own} {other}");
            }
        }
        // The profile of BIS 2 that is answered, too.
        let old = source("Order", "urn:x", "urn:www.cenbii.eu:profile:bii28:ver2.0", "220");
        let (id, process) = offer("Order", ORDER, &processes[1]);
        assert!(keeps_course(&old, None, (&id, &process)));
        // One that names none is of the process that was asked for, or of any.
        let bare = source("Order", ORDER, "", "220");
        assert!(keeps_course(&bare, None, (&id, &process)));
        let asked = processes[0].parse().unwrap();
        assert!(!keeps_course(&bare, Some(&asked), (&id, &process)));
    }

    #[test]
    fn who_bills_whom_stays_as_it_is() {
        let bis = format!("{COMPLIANT}urn:fdc:peppol.eu:2017:poacc:billing:3.0");
        let bis_self = format!("{COMPLIANT}urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0");
        let nlcius = format!("{COMPLIANT}urn:fdc:nen.nl:nlcius:v1.0");
        let xrechnung = format!("{COMPLIANT}urn:xeinkauf.de:kosit:xrechnung_3.0");
        let billing: &[(&str, &str)] = &[
            (&bis, BILLING),
            (&nlcius, BILLING),
            (&xrechnung, BILLING),
            ("urn:peppol:pint:billing-1@eu-1", "urn:peppol:bis:billing"),
        ];
        let self_billing: &[(&str, &str)] = &[
            (&bis_self, SELF_BILLING),
            ("urn:peppol:pint:selfbilling-1@aunz-1", "urn:peppol:bis:selfbilling"),
        ];
        let keeps = |invoice: &Detection, (customization, process): &(&str, &str)| {
            let (id, process) = offer("Invoice", customization, process);
            keeps_course(invoice, None, (&id, &process))
        };
        let by_seller = source("Invoice", &bis, BILLING, "380");
        let by_buyer = source("Invoice", &bis_self, SELF_BILLING, "389");
        let core = source("Invoice", CORE, "", "389");
        for own in billing {
            assert!(keeps(&by_seller, own), "{own:?}");
            assert!(!keeps(&by_buyer, own) && !keeps(&core, own), "{own:?}");
        }
        for own in self_billing {
            assert!(!keeps(&by_seller, own), "{own:?}");
            assert!(keeps(&by_buyer, own) && keeps(&core, own), "{own:?}");
        }
        // A registration for any process of EN 16931 says nothing of who writes.
        for invoice in [&by_seller, &by_buyer, &core] {
            assert!(keeps(invoice, &(CORE, ANY)));
        }
        // A national specification has the two in one process: a document of it stays one.
        let national = source("Invoice", &nlcius, BILLING, "389");
        assert!(
            keeps(&national, &(&nlcius, BILLING)) && keeps(&national, &(&bis_self, SELF_BILLING))
        );
        assert!(!keeps(&national, &(&xrechnung, BILLING)) && !keeps(&national, &(&bis, BILLING)));
        // Who expects no answer gets no receiver that gives one, and the other way round.
        let answered = source("Invoice", &bis, ANSWERED, "380");
        assert!(keeps(&answered, &(&bis, ANSWERED)) && !keeps(&answered, &(&nlcius, BILLING)));
        assert!(!keeps(&by_seller, &(&bis, ANSWERED)));
    }

    #[test]
    fn the_process_of_a_specification_is_one_of_the_course_of_the_document() {
        let order_only = "urn:fdc:peppol.eu:poacc:bis:order_only:3";
        let first = |customization: &str, source: &Detection| {
            let found = processes(customization, source);
            found.map(|all| all.first().map(|one| one.value().to_owned()))
        };
        let order = source("Order", ORDER, order_only, "220");
        assert_eq!(first(ORDER, &order).unwrap().as_deref(), Some(order_only));
        let bis_self = format!("{COMPLIANT}urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0");
        let nlcius = format!("{COMPLIANT}urn:fdc:nen.nl:nlcius:v1.0");
        let by_buyer = source("Invoice", &bis_self, SELF_BILLING, "389");
        assert_eq!(first(&bis_self, &by_buyer).unwrap().as_deref(), Some(SELF_BILLING));
        let refused = first(&nlcius, &by_buyer).unwrap_err().to_string();
        assert!(refused.contains(BILLING) && refused.contains("self-billing"), "{refused}");
        assert!(first("urn:peppol:pint:billing-1@eu-1", &by_buyer).is_err());
    }
}
