//! The rules of Peppol BIS Billing 3 and BIS Self-Billing 3 on which routing stands: process, type
//! code, references and electronic addresses.
//!
//! Source: Peppol BIS Billing 3.0.21 and Self-Billing, release May 2026.

use FixBy::{MasterData, SourceSystem};
use quoin_xml::tree::Element;

use super::{Check, Emit, Rule, codes};
use crate::report::{FixBy, Flag};
use crate::ubl::{self, Invoice};

const fn rule(
    id: &'static str,
    terms: &'static [&'static str],
    fix_by: FixBy,
    asks: &'static str,
    check: super::OwnCheck,
) -> Rule {
    Rule { id, terms, flag: Flag::Fatal, fix_by, asks, check: Check::Own(check) }
}

const PROCESS: Rule = rule(
    "PEPPOL-EN16931-R001",
    &["BT-23"],
    SourceSystem,
    "An invoice names its business process.",
    r001,
);
const REFERENCE: Rule = rule(
    "PEPPOL-EN16931-R003",
    &["BT-10", "BT-13"],
    FixBy::Receiver,
    "An invoice has a buyer reference or a purchase order reference, which the buyer gives.",
    r003,
);
const EMPTY: Rule = rule(
    "PEPPOL-EN16931-R008",
    &[],
    SourceSystem,
    "No element is empty: what has no value is left out.",
    r008,
);
const BUYER: Rule = rule(
    "PEPPOL-EN16931-R010",
    &["BT-49"],
    MasterData,
    "The buyer has an electronic address.",
    r010,
);
const SELLER: Rule = rule(
    "PEPPOL-EN16931-R020",
    &["BT-34"],
    MasterData,
    "The seller has an electronic address.",
    r020,
);
const SCHEME: Rule = rule(
    "PEPPOL-EN16931-CL008",
    &["BT-34", "BT-49"],
    MasterData,
    "The scheme of an electronic address is one that Peppol accepts.",
    codes::on_peppol,
);

pub(super) const BILLING: &[Rule] = &[
    PROCESS,
    rule(
        "PEPPOL-EN16931-R007",
        &["BT-23"],
        SourceSystem,
        "The business process is an approved one of BIS Billing 3.",
        billing_process,
    ),
    REFERENCE,
    EMPTY,
    BUYER,
    SELLER,
    SCHEME,
    rule(
        "PEPPOL-EN16931-P0100",
        &["BT-3"],
        SourceSystem,
        "The type code is one for invoices in BIS Billing 3.",
        billing_invoice_code,
    ),
    rule(
        "PEPPOL-EN16931-P0101",
        &["BT-3"],
        SourceSystem,
        "The type code is one for credit notes in BIS Billing 3.",
        billing_credit_code,
    ),
];

pub(super) const SELF_BILLING: &[Rule] = &[
    PROCESS,
    rule(
        "PEPPOL-EN16931-R007",
        &["BT-23"],
        SourceSystem,
        "The business process is that of BIS Self-Billing 3.",
        self_billing_process,
    ),
    REFERENCE,
    EMPTY,
    BUYER,
    SELLER,
    SCHEME,
    rule(
        "PEPPOL-EN16931-P0100",
        &["BT-3"],
        SourceSystem,
        "The type code is one for self-billed invoices: 389 or 527.",
        |invoice, emit| type_code(invoice, "InvoiceTypeCode", &["389", "527"], emit),
    ),
    rule(
        "PEPPOL-EN16931-P0101",
        &["BT-3"],
        SourceSystem,
        "The type code is the one for self-billed credit notes: 261.",
        |invoice, emit| type_code(invoice, "CreditNoteTypeCode", &["261"], emit),
    ),
];

/// The processes of BIS Billing 3.
const BILLING_PROCESSES: &[&str] = &[
    "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
    "urn:peppol:france:billing:regulated",
    "urn:peppol:france:billing:non-regulated",
    "urn:peppol:bis:billing_with_response",
];

/// Type codes of invoices under [`BILLING_PROCESSES`].
#[rustfmt::skip]
const INVOICE_CODES: &[&str] = &[
    "71", "80", "82", "84", "102", "218", "219", "326", "331", "380", "382", "383", "384", "386",
    "388", "393", "395", "553", "575", "623", "780", "817", "870", "875", "876", "877",
];

/// Type codes of credit notes under [`BILLING_PROCESSES`].
const CREDIT_CODES: &[&str] = &["381", "396", "81", "83", "532"];

fn process(invoice: &Invoice<'_>) -> String {
    ubl::value(invoice.root, "ProfileID").unwrap_or_default().into_owned()
}

fn r001<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    if ubl::basic(invoice.root, "ProfileID").is_none() {
        emit.missing(invoice.root, "cbc:ProfileID");
    }
}

fn billing_process<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    let process = process(invoice);
    if !BILLING_PROCESSES.contains(&process.as_str()) {
        wrong_process(invoice, &process, BILLING_PROCESSES[0], emit);
    }
}

fn self_billing_process<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    let process = process(invoice);
    let number = process
        .strip_prefix("urn:fdc:peppol.eu:2017:poacc:selfbilling:")
        .and_then(|rest| rest.strip_suffix(":1.0"));
    let is_number = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
    if !number.is_some_and(is_number) {
        let expected = "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0";
        wrong_process(invoice, &process, expected, emit);
    }
}

fn wrong_process<'d>(invoice: &Invoice<'d>, found: &str, want: &str, emit: &mut Emit<'_, 'd>) {
    let at = ubl::basic(invoice.root, "ProfileID").unwrap_or(invoice.root);
    let message = format!("{} Expected {want}, found \"{found}\".", emit.rule.asks);
    emit.fire(at, found, want, message);
}

fn r003<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    let root = invoice.root;
    let order = ubl::aggregates(root, "OrderReference").any(|o| ubl::basic(o, "ID").is_some());
    if !order && ubl::basic(root, "BuyerReference").is_none() {
        emit.missing(root, "cbc:BuyerReference or cac:OrderReference/cbc:ID");
    }
}

fn r008<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    for element in invoice.root.descendants() {
        if element.elements().next().is_none() && ubl::trimmed(element).is_empty() {
            let message = format!("{} {} is empty.", emit.rule.asks, element.qualified_name());
            emit.fire(element, "", "a value, or no element", message);
        }
    }
}

fn r010<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    endpoint(&invoice.buyers, emit);
}

fn r020<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    endpoint(&invoice.sellers, emit);
}

fn endpoint<'d>(parties: &[Element<'d>], emit: &mut Emit<'_, 'd>) {
    for party in parties {
        if ubl::basic(*party, "EndpointID").is_none() {
            emit.missing(*party, "cbc:EndpointID");
        }
    }
}

fn billing_invoice_code<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    if BILLING_PROCESSES.contains(&process(invoice).as_str()) {
        type_code(invoice, "InvoiceTypeCode", INVOICE_CODES, emit);
    }
}

fn billing_credit_code<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    if BILLING_PROCESSES.contains(&process(invoice).as_str()) {
        type_code(invoice, "CreditNoteTypeCode", CREDIT_CODES, emit);
    }
}

fn type_code<'d>(invoice: &Invoice<'d>, local: &str, accepted: &[&str], emit: &mut Emit<'_, 'd>) {
    for element in ubl::basics(invoice.root, local) {
        let code = ubl::trimmed(element);
        if !accepted.contains(&&*code) {
            let hint = match &*code {
                "389" | "261" => " Self-billed documents use BIS Self-Billing 3.",
                _ => "",
            };
            let list = accepted.join(", ");
            let message = format!("{} Expected one of {list}; found {code}.{hint}", emit.rule.asks);
            emit.fire(element, &code, &list, message);
        }
    }
}
