//! Can the document be routed: exactly one electronic address for each party, readable as one.
//!
//! These are findings of our own, for every profile; where a rule of the profile already says the
//! same (BR-62, BR-63, BR-CL-25, PEPPOL-EN16931-R010 and R020, PEPPOL-COMMON), they keep quiet.
//!
//! Sources: interface specification sections 2.1, 7 and 8.

use quoin_xml::tree::Element;

use crate::own;
use crate::validate::Sink;
use quoin_formats::ParsedDocument;
use quoin_formats::Syntax;
use quoin_formats::ubl;
use quoin_formats::ubl::InvoiceGroups;
use quoin_model::codes;
use quoin_model::text::SPACE;

/// The schemes of electronic addresses.
const SCHEMES: &str = "eas@en16931-ubl-1.3.16";

/// What the rules of the profile already look after.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ProfileCoverage {
    /// Scheme present and in the list.
    pub scheme: bool,
    /// Address present.
    pub presence: bool,
}

/// One end of a document, as its syntax has it.
struct EndpointParty<'d> {
    /// `seller` or `buyer`.
    who: &'static str,
    /// Its groups.
    parties: Vec<Element<'d>>,
    /// Its electronic addresses.
    addresses: Vec<Element<'d>>,
    /// Where an address belongs, for people.
    place: &'static str,
    /// Where the group belongs that is not there.
    around: Element<'d>,
}

/// The two ends of an invoice.
pub(crate) struct Ends<'d>([EndpointParty<'d>; 2]);

impl<'d> Ends<'d> {
    /// The ends of an invoice in UBL or CII; `None` for any other document.
    pub(crate) fn of(
        parsed: &'d ParsedDocument,
        invoice: Option<&InvoiceGroups<'d>>,
    ) -> Option<Ends<'d>> {
        let root = parsed.root()?;
        match (parsed.detection().syntax?, invoice) {
            (_, Some(invoice)) => Some(Ends::of_ubl(invoice)),
            (Syntax::Cii, None) => Some(Ends::of_cii(root)),
            _ => None,
        }
    }

    fn of_ubl(invoice: &InvoiceGroups<'d>) -> Ends<'d> {
        let root = invoice.root;
        let end = |who, role: &str, place, parties: &[Element<'d>]| EndpointParty {
            who,
            parties: parties.to_vec(),
            addresses: ubl::endpoints(parties),
            place,
            around: ubl::aggregate(root, role).unwrap_or(root),
        };
        Ends([
            end(
                "seller",
                "AccountingSupplierParty",
                "cac:AccountingSupplierParty/cac:Party/cbc:EndpointID",
                &invoice.sellers,
            ),
            end(
                "buyer",
                "AccountingCustomerParty",
                "cac:AccountingCustomerParty/cac:Party/cbc:EndpointID",
                &invoice.buyers,
            ),
        ])
    }

    fn of_cii(root: Element<'d>) -> Ends<'d> {
        let below = |parents: Vec<Element<'d>>, local: &str| -> Vec<Element<'d>> {
            let children = |parent: Element<'d>| {
                parent.elements().filter(|own| own.local() == local).collect::<Vec<_>>()
            };
            parents.into_iter().flat_map(children).collect()
        };
        let transaction = below(vec![root], "SupplyChainTradeTransaction");
        let agreement = below(transaction, "ApplicableHeaderTradeAgreement");
        let end = |who, role: &str, place| {
            let parties = below(agreement.clone(), role);
            let universal = below(parties.clone(), "URIUniversalCommunication");
            let around = agreement.first().copied().unwrap_or(root);
            EndpointParty { who, addresses: below(universal, "URIID"), parties, place, around }
        };
        Ends([
            end(
                "seller",
                "SellerTradeParty",
                "ram:SellerTradeParty/ram:URIUniversalCommunication/ram:URIID",
            ),
            end(
                "buyer",
                "BuyerTradeParty",
                "ram:BuyerTradeParty/ram:URIUniversalCommunication/ram:URIID",
            ),
        ])
    }
}

/// Checks the addresses of both parties.
pub(crate) fn check<'d>(ends: &Ends<'d>, covered: ProfileCoverage, sink: &mut Sink<'d>) {
    for end in &ends.0 {
        match end.addresses[..] {
            [] if covered.presence && !end.parties.is_empty() => {}
            [] => missing(end, sink),
            [address] => one(address, end.who, covered, sink),
            [_, second, ..] => {
                let (row, count, who) = (&own::ENDPOINT_REPEATED, end.addresses.len(), end.who);
                let message = format!(
                    "The {who} has {count} electronic addresses ({}); exactly one is allowed. {}",
                    second.qualified_name(),
                    row.remedy
                );
                sink.own(row, Some(second), Some(&quoin_model::text::trimmed(second)), || message);
            }
        }
    }
}

fn missing<'d>(end: &EndpointParty<'d>, sink: &mut Sink<'d>) {
    let row = &own::ENDPOINT_MISSING;
    let at = end.parties.first().copied().unwrap_or(end.around);
    let message = format!(
        "The {} has no electronic address: expected {} with its schemeID. {}",
        end.who, end.place, row.remedy
    );
    sink.own(row, Some(at), None, || message);
}

fn one<'d>(endpoint: Element<'d>, who: &str, covered: ProfileCoverage, sink: &mut Sink<'d>) {
    let raw = endpoint.text();
    let value = raw.trim_matches(SPACE);
    let say = |row: &'static own::Own, value: Option<&str>, detail: String, sink: &mut Sink<'d>| {
        let message = format!("The electronic address of the {who} {detail}. {}", row.remedy);
        sink.own(row, Some(endpoint), value, || message);
    };
    let scheme = endpoint.attribute("schemeID").map(|code| code.trim_matches(SPACE));
    let is_known = |code: &str| codes::by_key(SCHEMES).is_some_and(|list| list.contains(code));
    if !covered.scheme && !scheme.is_some_and(is_known) {
        let shown = scheme.unwrap_or_default();
        let detail = format!("has the scheme \"{shown}\", which is no code of the EAS list");
        say(&own::ENDPOINT_SCHEME, scheme, detail, sink);
    }
    if value.is_empty() {
        return say(&own::ENDPOINT_EMPTY, None, "is empty".to_owned(), sink);
    }
    if value.contains(char::is_whitespace) {
        let detail = format!("has white space inside it: \"{value}\"");
        return say(&own::ENDPOINT_SPACE, Some(value), detail, sink);
    }
    if value != raw {
        let detail = format!("is {value} with white space around it, which was passed over");
        say(&own::ENDPOINT_TRIM, Some(&raw), detail, sink);
    }
    if let Some((code, shape)) = scheme.and_then(|code| Some((code, wrong_shape(code, value)?))) {
        let detail = format!("is {value} in scheme {code}, whose shape is {shape}");
        if sink.has_said(endpoint, "PEPPOL-COMMON-") {
            return;
        }
        say(&own::ENDPOINT_SHAPE, Some(value), detail, sink);
    }
}

/// The shape that a scheme prescribes, where the value does not have it.
fn wrong_shape(scheme: &str, value: &str) -> Option<&'static str> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let exactly = |count: usize, text: &str| text.len() == count && digits(text);
    let (fits, shape) = match scheme {
        "0106" => (exactly(8, value), "8 digits"),
        "0190" => (exactly(20, value), "20 digits"),
        "0208" => (exactly(10, value), "10 digits"),
        "0088" => (exactly(13, value) && gs1(value), "13 digits with a valid check digit"),
        "9925" => {
            let number = value.get(..2).filter(|start| start.eq_ignore_ascii_case("BE"));
            let number = number.and_then(|_| value.get(2..));
            (number.is_some_and(|rest| exactly(10, rest)), "BE and 10 digits")
        }
        "9944" => {
            let number = value.get(..2).filter(|start| start.eq_ignore_ascii_case("NL"));
            let parts = number.and_then(|_| value.get(2..)).and_then(|r| r.split_once(['B', 'b']));
            let fits = parts.is_some_and(|(number, suffix)| digits(number) && exactly(2, suffix));
            (fits, "NL, digits, B and 2 digits")
        }
        _ => return None,
    };
    (!fits).then_some(shape)
}

/// The check digit of GS1: weights 1 and 3 from the right, the sum a multiple of ten.
fn gs1(digits: &str) -> bool {
    let weighted = digits.bytes().rev().enumerate().map(|(at, digit)| {
        let weight = if at % 2 == 0 { 1 } else { 3 };
        u32::from(digit.saturating_sub(b'0')) * weight
    });
    weighted.sum::<u32>() % 10 == 0
}
