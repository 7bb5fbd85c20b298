//! The families of documents that are sent while somebody is killed, by a table.

use quoin_formats::samples::{invoice, order};
use quoin_formats::ubl::write::{
    InvoiceReference, InvoiceResponse, ORDER_STATUSES, OrderAnswer, OrderAnswerForm, Participant,
    STATUSES, invoice_response, order_response,
};
use quoin_model::ElectronicAddress;

use crate::networks::with_numbers;

/// A family of documents as a sender uploads it.
pub struct KilledFamily {
    /// What its topics begin with.
    pub topic: &'static str,
    /// Whether networks with forms of their own have none for it.
    pub has_no_form: bool,
    /// A document of it from somebody to somebody, with a number.
    pub document: fn(&str, &str, &str) -> String,
}

/// The families. An answer to an order is one about orders.
pub const FAMILIES: [KilledFamily; 4] = [
    KilledFamily {
        topic: "Invoice",
        has_no_form: false,
        document: |from, to, number| with_numbers(&invoice(from, to, number)),
    },
    KilledFamily {
        topic: "Order",
        has_no_form: false,
        document: |from, to, number| with_total(&with_numbers(&order(from, to, number))),
    },
    KilledFamily { topic: "Order", has_no_form: false, document: answer },
    KilledFamily { topic: "InvoiceResponse", has_no_form: true, document: response },
];

/// The same order with its prices and its total, which cXML asks for.
fn with_total(order: &str) -> String {
    let money =
        |name: &str, amount: &str| format!("<cbc:{name} currencyID=\"EUR\">{amount}</cbc:{name}>");
    let (sum, due) = (money("LineExtensionAmount", "200.00"), money("PayableAmount", "200.00"));
    let total = format!(
        "<cac:AnticipatedMonetaryTotal>{sum}{due}</cac:AnticipatedMonetaryTotal><cac:OrderLine>"
    );
    let quantity = "</cbc:Quantity>";
    let price = format!(
        "{quantity}{}<cac:Price>{}</cac:Price>",
        money("LineExtensionAmount", "100.00"),
        money("PriceAmount", "10.00")
    );
    order.replacen("<cac:OrderLine>", &total, 1).replace(quantity, &price)
}

fn participant(id: &str, name: &str) -> Participant {
    let (scheme, value) = id.split_once(':').unwrap();
    let endpoint = ElectronicAddress { scheme: scheme.to_owned(), value: value.to_owned() };
    Participant { endpoint, name: name.to_owned(), country: None }
}

fn response(from: &str, to: &str, number: &str) -> String {
    invoice_response(&InvoiceResponse {
        id: number.to_owned(),
        issued: jiff::civil::datetime(2026, 5, 20, 9, 0, 0, 0),
        sender: participant(from, "Buyer"),
        receiver: participant(to, "Seller"),
        invoice: InvoiceReference {
            number: "F-1".to_owned(),
            issue_date: None,
            type_code: "380".to_owned(),
        },
        status: STATUSES.iter().find(|row| row.code == "AP").unwrap(),
        reasons: Vec::new(),
        actions: Vec::new(),
        note: None,
    })
}

/// An answer to an order, whose ends DICO knows by their GLN.
fn answer(from: &str, to: &str, number: &str) -> String {
    let text = order_response(&OrderAnswer {
        form: OrderAnswerForm::Ordering,
        id: number.to_owned(),
        issued: jiff::civil::datetime(2026, 5, 20, 9, 0, 0, 0),
        status: ORDER_STATUSES.iter().find(|row| row.code == "AP").unwrap(),
        note: None,
        currency: "EUR".to_owned(),
        order: "O-1".to_owned(),
        change: None,
        seller: participant(from, "Seller"),
        buyer: participant(to, "Buyer"),
        lines: Vec::new(),
    });
    let numbered = |text: String, gln: &str, party: &str| {
        let id = format!(
            "<cac:PartyIdentification><cbc:ID schemeID=\"0088\">{gln}</cbc:ID>\
             </cac:PartyIdentification>"
        );
        let end = "</cbc:EndpointID>";
        let begin = text.find(party).unwrap();
        let at = begin + text[begin..].find(end).unwrap() + end.len();
        format!("{}{id}{}", &text[..at], &text[at..])
    };
    let text = numbered(text, "8712345000004", "<cac:SellerSupplierParty>");
    numbered(text, "8712345000011", "<cac:BuyerCustomerParty>")
}
