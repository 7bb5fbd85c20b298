//! What Peppol BIS asks of an order: a document names the specification only where it has all of
//! it, and is plain UBL 2.1 where it has not.

use quoin_model::en16931::{Field, Identifier, Party};
use quoin_model::order::{Order, OrderKind, OrderSyntax, OrderedLine};
use quoin_xml::tree::Element;

use super::says;
use crate::writing::{ConversionRefusal, InvoiceOutput, Loss, LossKind, usual_identifiers};

/// Writes both identifiers where the message has what they ask for.
pub(super) fn identifiers<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    if missing(order).is_some() {
        return;
    }
    let (specification, process) = usual_identifiers(order.kind);
    let reason = "it has all that Peppol BIS asks for, and the target names its specification";
    for (name, text, term) in [
        ("cbc:CustomizationID", specification, "tir01-001"),
        ("cbc:ProfileID", process, "tir01-002"),
    ] {
        let term = match order.kind {
            OrderKind::Response if name == "cbc:ProfileID" => "tir76-002",
            OrderKind::Response => "tir76-001",
            _ => term,
        };
        out.derived(name, text, order.element, Some(term), reason);
    }
}

/// The row of the first thing that Peppol BIS asks for and the message has not, for which the
/// target names neither specification nor process.
pub(crate) fn lacking(order: &Order<'_>) -> Option<Loss> {
    let (path, what) = match missing(order)? {
        ConversionRefusal::Required { what, path, .. } => (path, what),
        ConversionRefusal::TermMissing { term } => (order.element.path(), term),
        ConversionRefusal::SumsDiffer { path, .. } => (path, "net amount of the line (tir01-128)"),
        ConversionRefusal::ValueWithoutPlace { path, .. } => (path, "answer (tir76-200)"),
        _ => (order.element.path(), ""),
    };
    let term = what.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    Some(Loss {
        source_path: path,
        term,
        value: String::new(),
        kind: LossKind::Missing,
        target_path: None,
        reason: "Peppol BIS asks for it, or for another value: without it the target names no \
            specification and no process",
    })
}

/// The first thing that Peppol BIS asks for and the message has not.
pub(in crate::ubl) fn missing(order: &Order<'_>) -> Option<ConversionRefusal> {
    missing_but(order, false)
}

/// As [`missing`]; where `ends_follow`, electronic addresses are written afterwards.
pub(in crate::ubl) fn missing_but(
    order: &Order<'_>,
    ends_follow: bool,
) -> Option<ConversionRefusal> {
    let required = |what: &'static str, place: Element<'_>, target: &'static str| {
        Some(ConversionRefusal::Required { what, path: place.path(), target })
    };
    let (buyer, seller) = (order.buyer.first(), order.seller.first());
    for (party, what, name) in [
        (buyer, "electronic address of the buyer (tir01-021)", "buyer"),
        (seller, "electronic address of the seller (tir01-058)", "seller"),
    ] {
        let has = party.is_some_and(|party| endpoint(party).is_some());
        if !has && !ends_follow {
            return required(what, order.element, "cbc:EndpointID");
        }
        if !party.is_some_and(|party| says(&party.name)) {
            let what = match name {
                "buyer" => "registered name of the buyer (tir01-044)",
                _ => "registered name of the seller (tir01-p038)",
            };
            return required(what, order.element, "cbc:RegistrationName");
        }
    }
    if currency(order) {
        return required("currency (tir01-007)", order.element, "cbc:DocumentCurrencyCode");
    }
    let has_amounts = order.kind != OrderKind::Response;
    if let Some(line) = order.lines.iter().find(|line| has_amounts && differs(line)) {
        let said = line.net_amount.text().unwrap_or_default().into_owned();
        let computed = line.priced().map(|net| net.to_string()).unwrap_or_default();
        let rule = "quantity times price (PEPPOL-T01-R024)";
        let path = line.element.path();
        return Some(ConversionRefusal::SumsDiffer { path, said, computed, rule });
    }
    let needs_country = order.kind != OrderKind::Response;
    if needs_country && !seller.is_some_and(has_country) {
        let what = "country of the seller (tir01-069)";
        return required(what, order.element, "cac:Country/cbc:IdentificationCode");
    }
    answer(order).or_else(|| addresses(order)).or_else(|| {
        let lines = order.kind != OrderKind::Cancellation;
        order.lines.iter().filter(|_| lines).find_map(|line| {
            let (what, target) = of_line(line, order.kind)?;
            required(what, line.element, target)
        })
    })
}

/// Whether no currency is said; of DICO it is the euro.
fn currency(order: &Order<'_>) -> bool {
    let has_none = !order.currency.is_filled() && order.syntax != OrderSyntax::Dico;
    has_none && order.kind != OrderKind::Cancellation
}

/// Whether a line says another net amount than follows from its price.
fn differs(line: &OrderedLine<'_>) -> bool {
    let net = line.net_amount.value();
    net.is_some() && line.priced().is_some_and(|priced| net != Some(priced))
}

/// An answer that accepts or refuses the whole order has no lines, and one with changes has some.
fn answer(order: &Order<'_>) -> Option<ConversionRefusal> {
    if order.kind != OrderKind::Response {
        return None;
    }
    let Some(code) = order.response.filled() else {
        return Some(ConversionRefusal::TermMissing { term: "answer (tir76-200)" });
    };
    let is_fitting = match code.trimmed().as_ref() {
        "CA" => !order.lines.is_empty(),
        "AB" | "AP" | "RE" => order.lines.is_empty(),
        _ => false,
    };
    let value = code.trimmed().into_owned();
    let why = "Peppol has lines with CA only (PEPPOL-T76-R007 to R010)";
    let refusal = || ConversionRefusal::ValueWithoutPlace { path: code.path(), value, why };
    (!is_fitting).then(refusal)
}

/// An address must name its country.
fn addresses(order: &Order<'_>) -> Option<ConversionRefusal> {
    if matches!(order.kind, OrderKind::Response | OrderKind::Cancellation) {
        return None;
    }
    let of_buyer = order.buyer.iter().chain(&order.invoicee).flat_map(|party| &party.address);
    let of_delivery = order.delivery.iter().flat_map(|delivery| &delivery.address);
    let mut all = of_buyer.chain(of_delivery);
    let bare = all.find(|address| !says(&address.country))?;
    let (what, target) = ("country of the address", "cac:Country/cbc:IdentificationCode");
    let invoicee = order.invoicee.first().filter(|party| !has_country(party));
    let place = invoicee.map_or(bare.element, |party| party.element);
    Some(ConversionRefusal::Required { what, path: place.path(), target })
}

/// What a line must have.
fn of_line(line: &OrderedLine<'_>, kind: OrderKind) -> Option<(&'static str, &'static str)> {
    let has_name = line.item.first().is_some_and(|item| says(&item.name));
    let unit = line.quantity.filled().map(|quantity| quantity.unit().is_some());
    let needs_quantity = kind != OrderKind::Response;
    let has_state = matches!(kind, OrderKind::Response | OrderKind::Change);
    match () {
        () if !says(&line.id) => Some(("identifier of the line (tir01-120)", "cbc:ID")),
        () if !has_name => Some(("name of the item (tir01-135)", "cac:Item/cbc:Name")),
        () if needs_quantity && unit.is_none() => {
            Some(("quantity of the line (tir01-132)", "cbc:Quantity"))
        }
        () if unit == Some(false) => {
            Some(("unit of the quantity (tir01-132)", "cbc:Quantity/@unitCode"))
        }
        () if has_state && !says(&line.status) => {
            Some(("state of the line (tir76-202)", "cbc:LineStatusCode"))
        }
        () if kind == OrderKind::Response && !says(&line.order_line) => {
            Some(("line of the order (tir76-201)", "cac:OrderLineReference/cbc:LineID"))
        }
        () => None,
    }
}

fn has_country(party: &Party<'_>) -> bool {
    party.country().is_some_and(|country| !country.is_blank())
}

/// The electronic address of a party: its own, else an identifier whose scheme can be one.
pub(super) fn endpoint<'d>(party: &Party<'d>) -> Option<Identifier<'d>> {
    let of = |field: &Field<Identifier<'d>>| field.iter().copied().find(has_scheme);
    of(&party.endpoint).or_else(|| of(&party.identifiers)).or_else(|| of(&party.legal_registration))
}

/// Whether an identifier says something, in a scheme of four digits (EAS, ISO 6523).
pub(super) fn has_scheme(id: &Identifier<'_>) -> bool {
    let is_code = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    !id.is_blank() && id.scheme().is_some_and(|scheme| is_code(&scheme.trimmed()))
}
