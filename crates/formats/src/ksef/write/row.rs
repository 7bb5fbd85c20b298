//! Rows: lines (BG-25), and what stands for allowances and charges of the document (BG-20, BG-21).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{ExchangeRate, Invoice, ItemInformation, Line, Price, Quantity};

use super::super::codes::{GTIN, NOMENCLATURE, UNITS};
use super::super::read::{other_sign, unit_code};
use super::category::{self, FaTaxed};
use super::change::{changes, extra};
use super::facts::coded;
use super::head::FIRST_DAY;
use super::number::{
    AMOUNT, PRICE, QUANTITY, collapsed, decimal, id, number, number_text, one_day, text,
};
use super::plan::{FaPlan, SignChange};
use crate::reading::lookup_back;
use crate::writing::{InvoiceOutput, LossKind};

/// The names of the elements of a row: of the invoice, or of the order of an advance payment.
pub(super) struct RowNames {
    row: &'static str,
    pub number: &'static str,
    pub name: &'static str,
    index: &'static str,
    gtin: &'static str,
    nomenclature: &'static str,
    unit: &'static str,
    quantity: &'static str,
    price: &'static str,
    pub net: &'static str,
    pub rate: &'static str,
    pub foreign_rate: &'static str,
    group: &'static str,
    procedure: &'static str,
    is_of_order: bool,
}

const INVOICE: RowNames = RowNames {
    row: "FaWiersz",
    number: "NrWierszaFa",
    name: "P_7",
    index: "Indeks",
    gtin: "GTIN",
    nomenclature: "CN",
    unit: "P_8A",
    quantity: "P_8B",
    price: "P_9A",
    net: "P_11",
    rate: "P_12",
    foreign_rate: "P_12_XII",
    group: "GTU",
    procedure: "Procedura",
    is_of_order: false,
};

const ORDER: RowNames = RowNames {
    row: "ZamowienieWiersz",
    number: "NrWierszaZam",
    name: "P_7Z",
    index: "IndeksZ",
    gtin: "GTINZ",
    nomenclature: "CNZ",
    unit: "P_8AZ",
    quantity: "P_8BZ",
    price: "P_9AZ",
    net: "P_11NettoZ",
    rate: "P_12Z",
    foreign_rate: "P_12Z_XII",
    group: "GTUZ",
    procedure: "ProceduraZ",
    is_of_order: true,
};

/// Writes every `FaWiersz`; of an advance payment there is none.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, plan: &FaPlan) {
    if plan.kind != "ZAL" {
        rows(out, invoice, plan, &INVOICE);
    }
}

/// Writes `Zamowienie` of an advance payment: the invoice has the lines of what is paid.
pub(super) fn order<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, plan: &FaPlan) {
    if plan.kind != "ZAL" {
        return;
    }
    let total = invoice.totals.first().and_then(|totals| totals.with_vat.filled());
    out.group("Zamowienie", |out| {
        let reason = "the source knows no order beyond what is paid";
        let text = total.and_then(|total| number_text(*total, AMOUNT));
        if let Some(text) = text {
            out.derived("WartoscZamowienia", &text, invoice.element, None, reason);
        }
        rows(out, invoice, plan, &ORDER);
    });
}

fn rows<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, plan: &FaPlan, names: &RowNames) {
    let rate = zloty_rate(invoice).filter(|_| !names.is_of_order);
    let has_day = has_day(invoice);
    for (line, number) in invoice.lines.iter().zip(&plan.numbers) {
        let category = line.tax_category.first();
        let taxed = match category.map(|category| plan.taxed(invoice, category)) {
            Some(Ok(taxed)) => Some(taxed),
            Some(Err(refusal)) => return out.refuse(refusal),
            None => None,
        };
        let row = FaRow { plan, names, taxed, number: *number, has_day };
        out.group(names.row, |out| {
            row.write(out, line);
            if let Some(rate) = rate {
                exchange(out, rate);
            }
        });
    }
    for (one, number) in invoice.allowance_charges.iter().zip(plan.next..) {
        let taxed = one.tax_category.first().map(|category| plan.taxed(invoice, category));
        match taxed {
            Some(Ok(taxed)) => {
                out.group(names.row, |out| extra(out, plan, names, one, taxed, number))
            }
            Some(Err(refusal)) => return out.refuse(refusal),
            None => {
                let what = "the VAT category of an allowance or charge (BT-95, BT-102)";
                return out.refuse_without(one.element, what, names.rate);
            }
        };
    }
}

/// Whether the head says a day or a period, so that rows say none.
fn has_day(invoice: &Invoice<'_>) -> bool {
    let is_whole =
        |one: &quoin_model::en16931::Period<'_>| one.start.is_filled() && one.end.is_filled();
    invoice.period.first().is_some_and(is_whole)
        || invoice.delivery.first().is_some_and(|one| one.date.is_filled())
        || invoice.tax_point_date.is_filled()
}

/// The rate from the currency of the document to zloty, where the source says one.
fn zloty_rate<'i, 'd>(invoice: &'i Invoice<'d>) -> Option<&'i ExchangeRate<'d>> {
    let own = invoice.currency.text()?;
    let mut rates = invoice.extensions.exchange_rates.iter();
    rates.find(|one| one.source.is(&own) && one.target.is("PLN") && one.rate.is_filled())
}

fn exchange<'d>(out: &mut InvoiceOutput<'d>, rate: &ExchangeRate<'d>) {
    let Some(own) = rate.rate.filled() else { return };
    number(out, "KursWaluty", *own, QUANTITY, super::number::AS_IT_IS);
    for code in rate.source.iter().chain(&rate.target) {
        out.ledger.carry(**code);
    }
}

/// A line as it is written.
struct FaRow<'p> {
    plan: &'p FaPlan,
    names: &'p RowNames,
    taxed: Option<FaTaxed>,
    number: u64,
    has_day: bool,
}

impl FaRow<'_> {
    fn write<'d>(&self, out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
        let (names, signs) = (self.names, self.plan.signs);
        self.identify(out, line);
        let day = line.period.first().and_then(|period| period.end.filled());
        if let Some(day) = day.filter(|_| !self.has_day && !names.is_of_order) {
            one_day(out, "P_6A", day, FIRST_DAY);
        }
        let empty = ItemInformation::new(line.element);
        let item = line.item.first().unwrap_or(&empty);
        self.item(out, item);
        // Of a margin the amounts are with VAT.
        let is_margin = self.taxed.is_some_and(|taxed| taxed.sum == category::MARGIN);
        let [price, net] = match is_margin {
            true => ["P_9B", "P_11A"],
            false => [names.price, names.net],
        };
        self.quantity_and_price(out, line, price);
        if !names.is_of_order {
            changes(out, line, signs);
        }
        match line.net_amount.filled() {
            Some(own) => {
                number(out, net, *own, AMOUNT, signs);
                out.one_currency(own);
            }
            None => out.refuse_without(line.element, "the net amount of a line (BT-131)", net),
        }
        match line.tax_category.first().zip(self.taxed) {
            Some((category, taxed)) => {
                category::of_row(out, category, taxed, [names.rate, names.foreign_rate])
            }
            None => {
                out.refuse_without(line.element, "the VAT category of a line (BT-151)", names.rate)
            }
        }
        for (code, name) in [("GTU", names.group), ("Procedura", names.procedure)] {
            let own = item.attributes.iter().find(|one| coded(one) == Some(code));
            if let Some((key, value)) =
                own.and_then(|own| own.name.filled().zip(own.value.filled()))
            {
                out.kept(name, &value.trimmed(), *value);
                out.ledger.carry(*key);
            }
        }
    }

    fn identify<'d>(&self, out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
        const COUNTED: &str = "the target numbers its rows";
        let (name, text) = (self.names.number, self.number.to_string());
        match line.id.filled() {
            Some(own) if own.is(&text) => out.kept(name, &text, *own),
            Some(own) => out.changed(name, &text, *own, COUNTED),
            None => out.derived(name, &text, line.element, Some("BT-126"), COUNTED),
        }
    }

    fn item<'d>(&self, out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>) {
        let names = self.names;
        text(out, names.name, item.name.filled(), 512);
        id(out, names.index, item.seller_id.filled(), 50);
        let standard = item.standard_id.filled();
        let is_gtin = |id: &quoin_model::en16931::Identifier<'d>| {
            id.scheme().is_some_and(|scheme| scheme.is(GTIN))
        };
        if let Some(own) = standard.filter(is_gtin)
            && id(out, names.gtin, Some(own), 20)
            && let Some(scheme) = own.scheme()
        {
            out.ledger.carry(scheme);
        }
        let codes = item.classifications.iter().filter_map(|one| one.code.filled());
        let of_list = |code: &quoin_model::en16931::Code<'d>| {
            code.list().is_some_and(|list| list.is(NOMENCLATURE))
        };
        if let Some(own) = codes.into_iter().find(of_list)
            && id(out, names.nomenclature, Some(own), 50)
            && let Some(list) = own.list()
        {
            out.ledger.carry(list);
        }
    }

    /// BT-129, BT-130, BT-146 and BT-149. Where the document credits, the price is less than
    /// nought; without one the quantity is.
    fn quantity_and_price<'d>(
        &self,
        out: &mut InvoiceOutput<'d>,
        line: &Line<'d>,
        name: &'static str,
    ) {
        const FOR_ONE: &str = "the price is for one in the target";
        let signs = self.plan.signs;
        let price = line.price.first();
        let net = price.and_then(|price| price.net.filled());
        let value = net.and_then(|net| net.value());
        let is_more = value.is_some_and(|value| !value.is_negative() && !value.is_zero());
        let is_less = value.is_some_and(Decimal::is_negative);
        let written = signs.written && is_more;
        let is_price_negative = written || is_less;
        if let Some(own) = line.quantity.filled() {
            unit(out, self.names.unit, own);
            let signs = SignChange {
                written: signs.written && !is_more,
                read: signs.read && !is_price_negative,
            };
            number(out, self.names.quantity, *own, QUANTITY, signs);
        }
        let Some((price, net)) = price.zip(net) else { return };
        let signs = SignChange { written, read: signs.read && is_price_negative };
        let base = price.base().filter(|base| !base.is_blank());
        let divisor = base.and_then(Quantity::value);
        out.one_currency(net);
        match divisor.filter(|base| *base != Decimal::new(1, 0)) {
            None => number(out, name, *net, PRICE, signs),
            Some(base) => {
                let unit = value.and_then(|value| value.checked_div(base));
                let Some(text) = unit.and_then(|unit| decimal(unit, 8, 14)) else {
                    return out.refuse_value(*net, "the price of one has too many digits");
                };
                let text = if signs.written { other_sign(&text) } else { text };
                out.changed(name, &text, *net, FOR_ONE);
            }
        }
        if let Some(base) = base {
            told_base(out, name, price, base, FOR_ONE);
        }
    }
}

/// BT-149 and BT-150 are told by the price.
fn told_base<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &str,
    price: &Price<'d>,
    base: Quantity<'d>,
    reason: &'static str,
) {
    out.told_otherwise(name, *base, LossKind::Merged, reason);
    if let Some(unit) = base.unit() {
        out.told_otherwise(name, *unit, LossKind::Merged, reason);
    }
    crate::writing::tell_gross_base(&mut out.ledger, price, base);
}

/// BT-130: the word that is usual in Poland, else the code.
fn unit<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, quantity: Quantity<'d>) {
    const WORDS: &str = "the target has words for units, and it is nearest to this";
    const LONGEST: usize = 256;
    let Some(unit) = quantity.unit().filter(|unit| !unit.is_blank()) else { return };
    let code = collapsed(&unit.trimmed());
    let nearest = if ["C62", "EA", "XPP"].contains(&code.as_str()) { "H87" } else { &code };
    match lookup_back(UNITS, nearest) {
        Some(word) if nearest == code => out.kept(name, word, *unit),
        Some(word) => out.changed(name, word, *unit, WORDS),
        None if unit_code(&code).is_some() => out.changed(name, &code, *unit, WORDS),
        None => {
            text(out, name, Some(unit), LONGEST);
        }
    }
    out.ledger.implied_unit_list(quantity);
}
