//! Reading SETU: what it says otherwise than EN 16931.

use quoin_model::en16931::{Derivation, Invoice, PartyRole};
use quoin_xml::tree::{Document, Limits};

use crate::readers::read_invoice;

const SAMPLE: &str = include_str!("../../../samples/setu.xml");

fn look<T>(text: &str, look: impl FnOnce(&Invoice<'_>) -> T) -> T {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    look(&read_invoice(&document).unwrap().invoice)
}

fn edited<T>(changes: &[(&str, &str)], looks: impl FnOnce(&Invoice<'_>) -> T) -> T {
    let text = changes.iter().fold(SAMPLE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    look(&text, looks)
}

#[test]
fn only_the_lines_inside_a_line_are_lines() {
    edited(&[], |invoice| {
        let ids: Vec<_> = invoice.lines.iter().filter_map(|line| line.id.text()).collect();
        assert_eq!(ids, ["1A", "1B", "2"]);
        let own = invoice.extensions.netherlands.as_deref().unwrap();
        assert_eq!(own.groups[0].lines, 0..2);
        assert!(own.groups[0].total.is_absent(), "it follows from its lines");
        assert!(invoice.lines[1].note.is("Week 18"));
    });
    edited(&[(">440.00</Total>", ">441.00</Total>")], |invoice| {
        let own = invoice.extensions.netherlands.as_deref().unwrap();
        assert!(own.groups[0].total.is("441.00"));
    });
}

#[test]
fn a_kind_of_hours_is_an_hour_and_an_attribute() {
    edited(&[], |invoice| {
        let unit = |at: usize| {
            let quantity = invoice.lines[at].quantity.get().unwrap();
            quantity.unit().unwrap().trimmed().into_owned()
        };
        assert_eq!([unit(0), unit(1), unit(2)], ["HUR", "HUR", "C62"]);
        let item = invoice.lines[1].item.one().unwrap();
        assert!(item.name.is("Overtime"));
        assert!(item.attributes[0].name.is("HourType") && item.attributes[0].value.is("Overtime"));
        let regular = invoice.lines[0].item.one().unwrap();
        assert!(!regular.attributes.iter().any(|one| one.name.is("HourType")));
    });
    let other = [("uom=\"C62\">1</ItemQuantity>", "uom=\"OnChargedVAT\">1</ItemQuantity>")];
    edited(&other, |invoice| {
        let line = &invoice.lines[2];
        assert!(line.quantity.get().unwrap().unit().unwrap().is("C62"));
        assert!(line.item.one().unwrap().attributes[0].value.is("OnChargedVAT"));
    });
}

#[test]
fn setu_back_to_en_a_credit_with_a_negative_total_has_the_other_sign() {
    let credit = ("<Type>Debit<", "<Type>Credit<");
    edited(&[credit], |invoice| {
        assert!(invoice.type_code.is("381") && invoice.lines[0].net_amount.is("320.00"));
    });
    edited(&[credit, (">647.45<", ">-647.45<"), (">320.00<", ">-320.00<")], |invoice| {
        let net = invoice.lines[0].net_amount.get().unwrap();
        assert!(net.is("320.00") && net.derivation() == Some(Derivation::Negated));
        assert!(invoice.totals.one().unwrap().with_vat.is("647.45"));
    });
    // If the type says invoice, the negative invoice is left.
    edited(&[(">647.45<", ">-647.45<")], |invoice| {
        assert!(invoice.type_code.is("380"));
        assert!(invoice.totals.one().unwrap().with_vat.is("-647.45"));
    });
}

#[test]
fn a_sum_of_vat_that_is_charged_on_is_no_charge() {
    edited(
        &[(
            ">Administratie</Description>\n      </Charge>",
            ">TotalOnChargedVAT</Description>\n      </Charge>",
        )],
        |invoice| {
            assert_eq!(invoice.charges().count(), 0);
            let own = invoice.extensions.netherlands.as_deref().unwrap();
            assert!(own.on_charged_vat[0].amount.is("10.00"));
        },
    );
}

#[test]
fn a_rate_is_a_category() {
    let category = |to: &str| {
        edited(&[("uom=\"BTW\">9</PercentQuantity>\n      <Description>", to)], |invoice| {
            let category = invoice.vat_breakdown[1].category.one().unwrap();
            category.code.text().map(|code| code.into_owned())
        })
    };
    let code = "</PercentQuantity><Description>";
    let without = |rate: &str| format!("uom=\"BTW\">{rate}{code}");
    assert_eq!(category(&without("9")).as_deref(), Some("S"));
    let nought = SAMPLE
        .replace("<TaxCode>S</TaxCode>", "")
        .replace("uom=\"BTW\">9</Per", "uom=\"BTW\">0</Per");
    look(&nought, |invoice| {
        assert!(invoice.vat_breakdown[1].category.one().unwrap().code.is("Z"));
    });
    look(
        &nought.replace("<Description>Laag", "<TaxCode>AE</TaxCode><Description>Laag"),
        |invoice| {
            assert!(invoice.vat_breakdown[1].category.one().unwrap().code.is("AE"));
        },
    );
}

#[test]
fn who_bills_and_who_is_paid_repeat_buyer_and_seller() {
    edited(&[], |invoice| {
        assert!(invoice.payee.one().unwrap().name.is("Quoin Factoring"));
        assert!(invoice.extensions.parties.is_empty(), "the bill goes to the buyer");
    });
    let (from, to) = (
        "<BillToParty>\n        <PartyId>\n          <Id>K-77",
        "<BillToParty>\n        <PartyId>\n          <Id>K-78",
    );
    edited(&[(from, to)], |invoice| {
        assert_eq!(invoice.extensions.parties[0].role, PartyRole::Invoicee);
    });
    // Version 1.0 has who is paid only.
    let start = SAMPLE.find("<SupplierParty>").unwrap();
    let end = SAMPLE.find("</SupplierParty>").unwrap() + "</SupplierParty>".len();
    let old = format!("{}{}", &SAMPLE[..start], &SAMPLE[end..]);
    look(&old, |invoice| {
        assert!(invoice.seller.one().unwrap().name.is("Quoin Factoring"));
        assert!(invoice.payee.is_absent());
    });
}

#[test]
fn an_address_without_a_country_is_in_the_netherlands() {
    edited(&[], |invoice| {
        let country = invoice.buyer.one().unwrap().country().unwrap();
        assert!(country.is("NL") && country.derivation() == Some(Derivation::Implied));
        assert!(invoice.seller.one().unwrap().country().unwrap().derivation().is_none());
    });
}

/// A time card as SETU has it inside a line; of its rate `multiplier` 150 is half as much again.
const TIME_CARD: &str = "<nl:TimeCard><nl:Id><nl:IdValue>UB-9</nl:IdValue></nl:Id><nl:ReportedTime>\
    <nl:PeriodStartDate>2026-04-27</nl:PeriodStartDate><nl:PeriodEndDate>2026-05-03\
    </nl:PeriodEndDate><nl:TimeInterval type=\"shift\"><nl:Duration>4.00</nl:Duration>\
    <nl:RateOrAmount currency=\"EUR\" type=\"hourly\" multiplier=\"150\">20.00</nl:RateOrAmount>\
    </nl:TimeInterval></nl:ReportedTime></nl:TimeCard>";

#[test]
fn setu_a_multiplier_in_a_time_card_is_no_rate_of_the_line() {
    let place = "<nl:PurchaseOrderLineItem>10</nl:PurchaseOrderLineItem>\n          \
                 </nl:CustomerReportingRequirements>\n        </nl:StaffingAdditionalData>";
    edited(&[(place, &format!("{place}{TIME_CARD}"))], |invoice| {
        let line = &invoice.lines[0];
        let period = line.period.one().unwrap();
        assert!(period.start.is("2026-04-27") && period.end.is("2026-05-03"));
        assert_eq!(line.invoiced_objects().count(), 2);
        // The price is that of the line, not a share of that in the card.
        assert!(line.price.one().unwrap().net.is("40.00") && line.quantity.is("8.00"));
    });
}

#[test]
fn a_charge_has_the_only_category_of_the_document() {
    let charge = |invoice: &Invoice<'_>| {
        let charge = invoice.charges().next().unwrap();
        assert!(charge.reason.is("Administratie") && charge.reason_code.is_absent());
        charge.tax_category.first().map(|own| own.rate.text().unwrap().into_owned())
    };
    edited(&[], |invoice| assert_eq!(charge(invoice), None, "there are two"));
    let (head, rest) = SAMPLE.split_once("<TaxAmount currency=\"EUR\">9.00<").unwrap();
    let (head, _) = head.rsplit_once("<Tax>").unwrap();
    let (_, tail) = rest.split_once("</Tax>").unwrap();
    look(&format!("{head}{tail}"), |invoice| {
        assert_eq!(charge(invoice).as_deref(), Some("21"));
    });
}
