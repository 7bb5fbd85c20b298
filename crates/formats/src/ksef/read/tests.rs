//! Reading FA: what it says otherwise than EN 16931.

use quoin_model::en16931::{Agreement, Derivation, Invoice};
use quoin_xml::tree::{Document, Limits};

use crate::readers::read_invoice;

const SAMPLE: &str = include_str!("../../../samples/ksef.xml");
const CORRECTION: &str = include_str!("../../../samples/ksef-correction.xml");

fn edited<T>(sample: &str, changes: &[(&str, &str)], look: impl FnOnce(&Invoice<'_>) -> T) -> T {
    let text = changes.iter().fold(sample.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    look(&read_invoice(&document).unwrap().invoice)
}

#[test]
fn a_correction_of_less_than_nought_is_a_credit_note() {
    edited(CORRECTION, &[], |invoice| {
        assert!(invoice.type_code.is("381"));
        let totals = invoice.totals.one().unwrap();
        assert!(totals.with_vat.is("369.00") && totals.due.is("369.00"));
        let net: Vec<_> =
            invoice.lines.iter().map(|line| line.net_amount.text().unwrap()).collect();
        // What is taken back of what was, and given again of what is.
        assert_eq!(net, ["400.00", "-200.00", "100.00"]);
        let quantities: Vec<_> =
            invoice.lines.iter().map(|line| line.quantity.text().unwrap()).collect();
        assert_eq!(quantities, ["2", "-1", "1"]);
        let price = invoice.lines[2].price.one().unwrap().net.get().unwrap();
        assert_eq!(price.derivation(), Some(Derivation::Negated));
        assert!(price.is("100.00"));
        let how = totals.line_net.get().unwrap().derivation();
        assert_eq!(how, Some(Derivation::Computed(Agreement::Agrees)));
    });
    let more = [(">-369.00<", ">369.00<"), ("<P_17>2<", "<P_17>1<")];
    edited(CORRECTION, &more, |invoice| {
        assert!(invoice.type_code.is("384"));
        assert!(invoice.vat_breakdown[0].taxable_amount.is("-300.00"));
    });
    edited(CORRECTION, &more[1..], |invoice| assert!(invoice.type_code.is("261")));
}

#[test]
fn what_is_corrected_has_a_number_of_ksef() {
    edited(CORRECTION, &[], |invoice| {
        let [first, second] = invoice.references.preceding_invoices.as_slice() else { panic!() };
        assert!(first.id.is("FV/2026/05/17") && first.issue_date.is("2026-05-18"));
        assert!(first.uuid.is("5260001246-20260518-0A1B2C-3D4E5F-6A"));
        assert!(second.uuid.is_absent());
    });
}

#[test]
fn the_rate_of_a_sum_is_that_of_its_rows() {
    let rate = |invoice: &Invoice<'_>| {
        let category = invoice.vat_breakdown[0].category.one().unwrap();
        category.rate.get().map(|rate| rate.trimmed().into_owned())
    };
    assert_eq!(edited(SAMPLE, &[], rate).as_deref(), Some("23"));
    assert_eq!(edited(SAMPLE, &[("<P_12>23<", "<P_12>22<")], rate).as_deref(), Some("22"));
    let two = [("<P_12>23<", "<P_12>22<"), ("<P_12>8<", "<P_12>23<")];
    assert_eq!(edited(SAMPLE, &two, rate), None);
    let none = [("<P_12>23<", "<P_12>8<")];
    assert_eq!(edited(SAMPLE, &none, rate).as_deref(), Some("23"));
}

#[test]
fn categories_without_vat_are_told_by_their_sums() {
    edited(SAMPLE, &[], |invoice| {
        let said: Vec<_> = invoice
            .vat_breakdown
            .iter()
            .map(|one| {
                let category = one.category.one().unwrap();
                let code = category.code.text().unwrap().into_owned();
                let reason = category.exemption_reason_code.text();
                (code, reason.unwrap_or_default().into_owned())
            })
            .collect();
        let said: Vec<_> = said.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let vatex = ("E", "VATEX-EU-F");
        assert_eq!(said, [("S", ""), ("S", ""), ("S", ""), ("K", "VATEX-EU-IC"), ("E", ""), vatex]);
        let exempt = invoice.vat_breakdown[4].category.one().unwrap();
        assert!(exempt.exemption_reason.is("art. 43 ust. 1 pkt 29 ustawy"));
        assert!(invoice.tax_currency.is("PLN"));
        assert!(invoice.vat_total_in_tax_currency().map(|one| one.trimmed()).eq(["924.50"]));
        assert!(invoice.tax_point_date_code.is("432"));
        let margin = invoice.lines[5].tax_category.one().unwrap();
        assert!(margin.is("E") && margin.rate.is("0"));
        assert!(invoice.lines[5].net_amount.is("246.00"));
    });
}

#[test]
fn what_is_due_follows_from_the_settlement() {
    edited(SAMPLE, &[], |invoice| {
        let totals = invoice.totals.one().unwrap();
        assert!(totals.paid.is("100.00") && totals.rounding.is("-0.50"));
        assert!(totals.due.is("1880.00"));
    });
    let from = SAMPLE.find("    <Rozliczenie>").unwrap();
    let to = SAMPLE.find("    <Platnosc>").unwrap();
    let without = format!("{}{}", &SAMPLE[..from], &SAMPLE[to..]);
    edited(&without, &[], |invoice| {
        let totals = invoice.totals.one().unwrap();
        assert!(totals.paid.is("100.00") && totals.due.is("1880.50"));
    });
    let paid = "<Zaplacono>1</Zaplacono><DataZaplaty>2026-05-18</DataZaplaty>";
    edited(
        &without,
        &[
            ("<ZnacznikZaplatyCzesciowej>", &format!("{paid}<X>")),
            ("</ZnacznikZaplatyCzesciowej>", "</X>"),
        ],
        |invoice| {
            let totals = invoice.totals.one().unwrap();
            assert!(totals.paid.is("1980.50") && totals.due.is("0.00"));
        },
    );
}

#[test]
fn a_discount_of_one_unit_is_that_of_the_row_times_the_quantity() {
    let amount = |invoice: &Invoice<'_>| {
        let one = &invoice.lines[0].allowance_charges[0];
        (one.is_charge(), one.amount.text().unwrap().into_owned())
    };
    assert_eq!(edited(SAMPLE, &[], amount), (false, "50.00".to_owned()));
    let for_one = [("<P_10>50.00<", "<P_10>5.00<")];
    assert_eq!(edited(SAMPLE, &for_one, amount), (false, "50.00".to_owned()));
    let more = [("<P_10>50.00<", "<P_10>-50.00<")];
    assert_eq!(edited(SAMPLE, &more, amount), (true, "50.00".to_owned()));
}

#[test]
fn parties_have_numbers_with_their_country() {
    edited(SAMPLE, &[], |invoice| {
        let seller = invoice.seller.one().unwrap();
        assert!(seller.vat_identifiers().any(|id| id.is("PL5260001246")));
        assert!(seller.legal_registration.is("0000123456"));
        let address = seller.address.one().unwrap();
        assert!(address.post_code.is("61-101") && address.city.is("Poznań"));
        let buyer = invoice.buyer.one().unwrap();
        assert!(buyer.vat_identifiers().any(|id| id.is("DE811222333")));
        assert!(buyer.address.one().unwrap().line2.is("20095 Hamburg"));
        assert!(invoice.payee.one().unwrap().identifiers.is("7740001454"));
        let delivery = invoice.delivery.one().unwrap();
        assert_eq!(delivery.party_name().unwrap().trimmed(), "Eckstein Bau, Lager Nord");
        assert!(delivery.location.is("4000000000020"));
        assert_eq!(invoice.extensions.parties.len(), 3);
    });
    let without = [("<PrefiksPodatnika>PL</PrefiksPodatnika>", "")];
    edited(SAMPLE, &without, |invoice| {
        let seller = invoice.seller.one().unwrap();
        assert!(seller.vat_identifiers().any(|id| id.is("PL5260001246")));
    });
}

#[test]
fn facts_are_terms_notes_and_attributes() {
    edited(SAMPLE, &[], |invoice| {
        assert!(invoice.buyer_reference.is("Biuro 7"));
        let notes: Vec<_> = invoice.notes.iter().filter_map(|note| note.text.text()).collect();
        assert_eq!(notes, ["Kapitał zakładowy 100 000 zł", "Kierownik budowy: A. Murawska"]);
        let item = invoice.lines[0].item.one().unwrap();
        assert!(item.description.is("Granit strzegomski"));
        let names: Vec<_> = item.attributes.iter().filter_map(|one| one.name.text()).collect();
        assert_eq!(names, ["GTU", "Procedura", "Faktura powierzchni"]);
    });
}

#[test]
fn an_advance_for_the_whole_of_an_order_has_its_lines() {
    let (from, to) = (SAMPLE.find("    <FaWiersz>").unwrap(), SAMPLE.find("    <Roz").unwrap());
    let text = format!("{}{}", &SAMPLE[..from], &SAMPLE[to..])
        .replace("<RodzajFaktury>VAT<", "<RodzajFaktury>ZAL<");
    let lines = |invoice: &Invoice<'_>| invoice.lines.len();
    assert_eq!(edited(&text, &[], lines), 0);
    let whole = [("<P_11NettoZ>1140.00<", "<P_11NettoZ>1756.00<")];
    assert_eq!(edited(&text, &whole, lines), 2);
    edited(&text, &whole, |invoice| assert!(invoice.type_code.is("386")));
}

#[test]
fn a_form_that_is_not_that_of_the_namespace_is_unread() {
    let text = SAMPLE.replace("\"FA (3)\"", "\"FA (2)\"");
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let residue = read_invoice(&document).unwrap().residue;
    assert_eq!(residue.len(), 3);
    assert_eq!(residue[2].path(), "/Faktura[1]/Naglowek[1]/KodFormularza[1]");
}

#[test]
fn a_row_without_quantity_and_price_is_one_of_its_amount() {
    edited(SAMPLE, &[], |invoice| {
        let line = &invoice.lines[4];
        let quantity = line.quantity.get().unwrap();
        assert!(quantity.is("1") && quantity.unit().unwrap().is("C62"));
        assert_eq!(quantity.derivation(), Some(Derivation::Implied));
        let price = line.price.one().unwrap();
        assert!(price.net.is("60.00") && price.base_quantity.is_absent());
        assert_eq!(price.net.get().unwrap().derivation(), Some(COMPUTED));
        // Some discounts have no name.
        assert!(invoice.lines[0].allowance_charges[0].reason_code.is("95"));
    });
    // What is taken back is so many less.
    edited(SAMPLE, &[("<P_11>60.00<", "<P_11>-60.00<")], |invoice| {
        let line = &invoice.lines[4];
        assert!(line.quantity.is("-1") && line.price.one().unwrap().net.is("60.00"));
    });
    // Without a price it is that of all of them.
    edited(SAMPLE, &[("<P_9A>25</P_9A>", "")], |invoice| {
        let price = invoice.lines[1].price.one().unwrap();
        assert!(price.net.is("100.00") && price.base_quantity.is("4"));
    });
}

const COMPUTED: Derivation = Derivation::Computed(Agreement::Unsaid);
