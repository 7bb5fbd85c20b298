//! Code lists that routing depends on: the schemes of electronic addresses.
//!
//! Sources: the Electronic Address Scheme list (EAS) as EN 16931 uses it (BR-CL-25), and the
//! shorter list of Peppol BIS Billing 3.0.21 (PEPPOL-EN16931-CL008). Both are facts.

use super::Emit;
use crate::ubl::Invoice;

/// Codes of the EAS list, in order.
#[rustfmt::skip]
pub(crate) const EAS: &[&str] = &[
    "0002", "0007", "0009", "0037", "0060", "0088", "0096", "0097", "0106", "0130", "0135",
    "0142", "0147", "0151", "0154", "0158", "0170", "0177", "0183", "0184", "0188", "0190",
    "0191", "0192", "0193", "0194", "0195", "0196", "0198", "0199", "0200", "0201", "0202",
    "0203", "0204", "0205", "0208", "0209", "0210", "0211", "0212", "0213", "0215", "0216",
    "0217", "0218", "0219", "0220", "0221", "0225", "0230", "0235", "0240", "0242", "0244",
    "0245", "0246", "0248", "9910", "9913", "9914", "9915", "9918", "9919", "9920", "9922",
    "9923", "9924", "9925", "9926", "9927", "9928", "9929", "9930", "9931", "9932", "9933",
    "9934", "9935", "9936", "9937", "9938", "9939", "9940", "9941", "9942", "9943", "9944",
    "9945", "9946", "9947", "9948", "9949", "9950", "9951", "9952", "9953", "9957", "9959",
    "AN", "AQ", "AS", "AU", "EM",
];

/// The codes of [`EAS`] that Peppol BIS Billing does not accept.
#[rustfmt::skip]
const NOT_ON_PEPPOL: &[&str] = &[
    "0037", "0147", "0154", "0158", "0170", "0177", "0193", "0194", "0202", "0203", "0205",
    "0212", "0213", "0215", "0217", "0219", "0220", "AN", "AQ", "AS", "AU", "EM",
];

pub(super) fn on_peppol<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    each_scheme(invoice, emit, |code| EAS.contains(&code) && !NOT_ON_PEPPOL.contains(&code));
}

/// Fires at each electronic address with a scheme that is not accepted.
fn each_scheme<'d>(
    invoice: &Invoice<'d>,
    emit: &mut Emit<'_, 'd>,
    accepted: impl Fn(&str) -> bool,
) {
    for &endpoint in &invoice.endpoints {
        let Some(code) = endpoint.attribute("schemeID") else { continue };
        if !accepted(code) {
            let asks = emit.rule.asks;
            let message = format!("{asks} Found \"{code}\"; expected a code such as 0106 or 0088.");
            emit.fire(endpoint, code, "a code of the EAS list", message);
        }
    }
}
