//! Lines (BG-25 to BG-32).

use quoin_model::en16931::{
    Derivation, DocumentReference, Invoice, ItemInformation, Line, Price, StaffingGroup,
    TaxCategory, Text,
};

use super::super::codes::{HOUR, REASONS};
use super::{amount, document, kept, made, money, one_amount, plain, staffing, units};
use crate::writing::{InvoiceOutput, WrittenSign, sum_of, tell_gross_base};

/// Writes `Line`.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    line: &Line<'d>,
    at: usize,
    sign: WrittenSign,
) {
    out.group("Line", |out| {
        if !plain(out, "LineNumber", &line.id) && !out.ledger.in_own_words {
            let reason = "a line has a number in the target";
            let text = (at + 1).to_string();
            out.derived("LineNumber", &text, line.element, Some("BT-126"), reason);
        }
        texts(out, line);
        charges(out, line, sign);
        tax(out, invoice, line, sign);
        let more = line.extensions.as_deref();
        // Among the references of a line are documents of other kinds.
        let is_invoice = |one: &&DocumentReference<'d>| {
            let local = one.element.local();
            local == "InvoiceDocumentReference" || local == "InvoiceReferencedDocument"
        };
        let mut invoices = more.iter().flat_map(|more| &more.billing_references);
        if let Some(one) = invoices.find(is_invoice) {
            out.group("DocumentReferences", |out| {
                out.group("InvoiceDocumentReference", |out| document::preceding(out, one));
            });
        }
        if let Some(price) = line.price.first() {
            self::price(out, line, price);
        }
        quantity(out, line, sign);
        money::allowances(out, &line.allowance_charges, sign);
        staffing::of_line(out, invoice, line);
    });
}

/// Writes a line that has lines in it, as it stands in a document of SETU.
pub(super) fn group<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    group: &StaffingGroup<'d>,
    sign: WrittenSign,
) {
    let lines = invoice.lines.get(group.lines.clone()).unwrap_or_default();
    out.group("Line", |out| {
        plain(out, "LineNumber", &group.id);
        plain(out, "Description", &group.description);
        plain(out, "ReasonCode", &group.reason_code);
        out.group("Charges", |out| {
            out.group("TotalCharge", |out| {
                let sum = sum_of(lines.iter().map(|line| line.net_amount.filled()));
                if !amount(out, "Total", &group.total, sign)
                    && let Some(sum) = sum
                {
                    made(out, "Total", sum, sign);
                }
            });
        });
        out.group("Tax", |out| {
            for one in &group.taxes {
                let is_base = one.element().local() == "TaxBaseAmount";
                one_amount(out, if is_base { "TaxBaseAmount" } else { "TaxAmount" }, *one, sign);
            }
            if let Some(rate) = group.rate.filled() {
                out.constant("PercentQuantity", &rate.trimmed(), &[("uom", "BTW")]);
                out.ledger.carry(*rate);
            }
        });
        for (at, line) in lines.iter().enumerate() {
            write(out, invoice, line, at, sign);
        }
        staffing::of_group(out, &group.requirements, &group.industry);
    });
}

/// BT-127, BT-153 and BT-154. Of hours their kind is the name; a name of its own is a description.
fn texts<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    let empty = ItemInformation::new(line.element);
    let item = line.item.first().unwrap_or(&empty);
    let name = item.name.filled();
    let is_own = |text: &Text<'d>| text.element().parent() == Some(line.element);
    if out.ledger.in_own_words {
        let described = |text: &&Text<'d>| text.element().local() == "Description";
        let all = item.name.iter().filter(described).chain(&item.description);
        all.for_each(|text| kept(out, "Description", **text));
        line.note.iter().filter(|text| is_own(text)).for_each(|text| kept(out, "Note", **text));
        let codes = item.name.iter().filter(|text| text.element().local() == "ReasonCode");
        codes.for_each(|text| kept(out, "ReasonCode", **text));
        return;
    }
    let (word, unit) = units::of_line(line);
    let reason = "the target names a line by what is charged or by the kind of hours";
    let is_listed = name.is_some_and(|name| REASONS.contains(&&*name.trimmed()));
    match name {
        Some(_) if is_listed => {}
        Some(name) if unit == HOUR && name.is(&word) => out.ledger.carry(*name),
        Some(name) if unit == HOUR => {
            out.changed("Description", &name.trimmed(), *name, reason);
            let text = name.trimmed().into_owned();
            out.implied("Description", &text, name.element(), Some("BT-154"), reason);
            out.implied("ItemQuantity/@uom", &word, name.element(), Some("BT-153"), reason);
        }
        Some(name) => kept(out, "Description", *name),
        None if unit == HOUR => {
            out.implied("ItemQuantity/@uom", &word, line.element, Some("BT-153"), reason);
        }
        None => {
            if let Some(text) = item.description.filled() {
                let words = text.trimmed().into_owned();
                out.implied("Description", &words, text.element(), Some("BT-153"), reason);
                let path = Some(out.path_of("Description"));
                let kind = crate::writing::LossKind::Changed;
                out.ledger.list(*text, kind, path, reason);
            }
        }
    }
    for text in item.description.iter().filter(|text| !text.is_blank()) {
        kept(out, "Description", **text);
    }
    line.note.iter().for_each(|note| {
        if !note.is_blank() {
            kept(out, "Note", **note);
        }
    });
    if let Some(name) = name.filter(|_| is_listed) {
        kept(out, "ReasonCode", *name);
    }
}

/// BT-131 and BG-28.
fn charges<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, sign: WrittenSign) {
    let all: Vec<_> = line.charges().collect();
    out.group("Charges", |out| {
        money::charge_of_all(out, &all, ["BT-141", "BT-144"], sign);
        let is_written = out.group("TotalCharge", |out| {
            amount(out, "Total", &line.net_amount, sign);
        });
        if !is_written && !out.ledger.in_own_words {
            out.refuse_without(line.element, "the net amount of a line (BT-131)", "TotalCharge");
        }
    });
}

/// BG-30, where it is not the only category of the document.
fn tax<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, line: &Line<'d>, sign: WrittenSign) {
    let only = match invoice.vat_breakdown.as_slice() {
        [only] => only.category.one(),
        _ => None,
    };
    let Some(own) = line.tax_category.first() else {
        let reason = "a line without a category has that of the document in the target";
        let Some(only) = only.filter(|_| !out.ledger.in_own_words) else { return };
        for (term, text) in [("BT-151", only.code.text()), ("BT-152", only.rate.text())] {
            if let Some(text) = text {
                out.implied("Tax", &text, line.element, Some(term), reason);
            }
        }
        return;
    };
    if out.ledger.in_own_words {
        return own_tax(out, line, own, sign);
    }
    let is_told = only.is_some_and(|only| {
        let rates = (own.rate.value(), only.rate.value());
        own.code.text() == only.code.text() && rates.0 == rates.1 && own.rate.is_filled()
    });
    if !is_told {
        let net = line.net_amount.filled().and_then(|net| net.value());
        return money::of_line(out, own, net, sign);
    }
    own.code.iter().for_each(|code| out.ledger.derive(**code));
    own.rate.iter().for_each(|rate| out.ledger.derive(**rate));
    own.scheme.iter().for_each(|scheme| out.ledger.carry(**scheme));
}

/// `Tax` of a line as it stands in a document of SETU.
fn own_tax<'d>(
    out: &mut InvoiceOutput<'d>,
    line: &Line<'d>,
    own: &TaxCategory<'d>,
    sign: WrittenSign,
) {
    let is_lent = own.rate.get().is_none_or(|rate| rate.derivation() == Some(Derivation::Implied));
    if is_lent {
        return;
    }
    let more = line.extensions.as_deref().and_then(|more| more.netherlands.as_deref());
    out.group("Tax", |out| {
        for one in more.iter().flat_map(|more| &more.taxes) {
            let is_base = one.element().local() == "TaxBaseAmount";
            one_amount(out, if is_base { "TaxBaseAmount" } else { "TaxAmount" }, *one, sign);
        }
        money::rate(out, own, ["BT-152", "BT-151"]);
    });
}

/// BG-29: the target says to how many a price belongs.
fn price<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, price: &Price<'d>) {
    let Some(net) = price.net.filled() else { return };
    const NAME: &str = "PerQuantity";
    out.group("Price", |out| {
        one_amount(out, "Amount", net, WrittenSign::Same);
        let base = price.base().filter(|base| !base.is_blank());
        let (word, read) = units::of_line(line);
        let reason = "the target asks to how many a price belongs";
        match base {
            Some(base) if base.value().is_none() && !out.ledger.in_own_words => {
                out.refuse_value(*base, "a quantity is a number");
            }
            Some(base) if base.unit().is_some_and(|unit| !unit.is_blank()) => {
                let text = base.trimmed().into_owned();
                units::quantity(out, NAME, line, base, &text, "BT-150");
                out.ledger.carry(*base);
                tell_gross_base(&mut out.ledger, price, base);
            }
            Some(base) => {
                out.constant(NAME, &base.trimmed(), &[("uom", &word)]);
                out.ledger.carry(*base);
                out.implied(NAME, read, base.element(), Some("BT-150"), reason);
                tell_gross_base(&mut out.ledger, price, base);
            }
            None => {
                out.constant(NAME, "1", &[("uom", &word)]);
                out.implied(NAME, "1", price.element, Some("BT-149"), reason);
                out.implied(NAME, read, price.element, Some("BT-150"), reason);
            }
        }
    });
}

/// BT-129, BT-130.
fn quantity<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, sign: WrittenSign) {
    const NAME: &str = "ItemQuantity";
    let Some(own) = line.quantity.filled() else {
        if !out.ledger.in_own_words {
            out.refuse_without(line.element, "the quantity (BT-129)", NAME);
        }
        return;
    };
    if own.value().is_none() && !out.ledger.in_own_words {
        return out.refuse_value(*own, "a quantity is a number");
    }
    let text = out.signed(NAME, *own, sign);
    units::quantity(out, NAME, line, own, &text, "BT-130");
}
