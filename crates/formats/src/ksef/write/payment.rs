//! What is paid and due (`Rozliczenie`: BT-113 to BT-115), how (`Platnosc`: BT-9, BG-16, BG-17),
//! and the conditions (`WarunkiTransakcji`: BT-12, BT-13).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Amount, CreditTransfer, Date, Field, Invoice, PaymentMeans, TermsAdjustment,
};

use super::super::codes::{PAYMENT_FORMS, PAYMENT_FORMS_WRITTEN, PREPAID, ROUNDING};
use super::number::{as_text, collapsed, id, magnitude, one_day, text};
use super::plan::FaPlan;
use crate::reading::lookup;
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, documents, written_day};

/// The first day of `TData`, in which what is paid is written.
const FIRST_PAYMENT: &str = "2016-07-01";
/// The first day of `TDataU`.
const FIRST_AGREEMENT: &str = "1990-01-01";

/// Writes `Rozliczenie`, where something is paid or rounded.
pub(super) fn settlement<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, plan: &FaPlan) {
    let Some(totals) = invoice.totals.first() else { return };
    let (with_vat, due) = (totals.with_vat.filled(), totals.due.filled());
    let [paid, rounding] = [&totals.paid, &totals.rounding].map(|field| significant(out, field));
    let expected = || {
        let paid = paid.map_or(Some(Decimal::ZERO), Amount::value)?;
        let rounding = rounding.map_or(Some(Decimal::ZERO), Amount::value)?;
        with_vat?.value()?.checked_sub(paid)?.checked_add(rounding)
    };
    if let Some((due, expected)) =
        due.zip(expected()).filter(|(due, sum)| due.value().is_some_and(|value| value != *sum))
    {
        return out.refuse(ConversionRefusal::SumsDiffer {
            path: due.path(),
            said: due.trimmed().into_owned(),
            computed: format!("{expected:.2}"),
            rule: "what is due (DoZaplaty) is the total, less what is paid, with the rounding",
        });
    }
    if paid.is_none() && rounding.is_none() {
        return without(out, invoice, due, with_vat);
    }
    let is_more = |value: Decimal| value.is_negative() == plan.signs.written;
    let is_again = plan.signs.written == plan.signs.read;
    // What is paid is taken off, and what is rounded up is added.
    let entries = [(paid, PREPAID, false), (rounding, ROUNDING, true)];
    out.group("Rozliczenie", |out| {
        for (name, wanted) in [("Obciazenia", true), ("Odliczenia", false)] {
            for (amount, reason, is_added) in entries {
                let Some(own) = amount else { continue };
                let is_charge = own.value().is_some_and(|value| is_more(value) == is_added);
                if is_charge == wanted {
                    out.group(name, |out| {
                        magnitude(out, "Kwota", *own, is_again);
                        out.constant("Powod", reason, &[]);
                        out.one_currency(own);
                    });
                }
            }
        }
        match due.and_then(|due| Some((due, due.value()?))) {
            Some((due, value)) => {
                let is_back = !is_more(value) && !value.is_zero();
                let name = if is_back { "DoRozliczenia" } else { "DoZaplaty" };
                magnitude(out, name, *due, is_again);
                out.one_currency(due);
            }
            None => out.refuse_without(invoice.element, "the amount due (BT-115)", "DoZaplaty"),
        }
    });
}

/// An amount that is not nought; what is nought is listed.
fn significant<'d>(out: &mut InvoiceOutput<'d>, field: &Field<Amount<'d>>) -> Option<Amount<'d>> {
    let own = field.filled()?;
    if own.value().is_some_and(|value| value.is_zero()) {
        out.lost(*own, "it is nought, of which the target says nothing");
        out.one_currency(own);
        return None;
    }
    Some(own)
}

/// Without a settlement the total is due.
fn without<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    due: Option<Amount<'d>>,
    with_vat: Option<Amount<'d>>,
) {
    match (due, with_vat) {
        (Some(due), _) => {
            out.ledger.derive(*due);
            out.one_currency(due);
        }
        (None, Some(with_vat)) => {
            let reason = "the total is due";
            out.implied("P_15", &with_vat.trimmed(), invoice.element, Some("BT-115"), reason);
        }
        (None, None) => {}
    }
}

/// Writes `Platnosc`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    out.group("Platnosc", |out| {
        due_days(out, invoice);
        form(out, invoice);
        let is_factor = invoice.payee.first().is_some_and(|payee| payee.name.is_filled());
        let name = if is_factor { "RachunekBankowyFaktora" } else { "RachunekBankowy" };
        let most = if is_factor { 20 } else { 100 };
        let accounts = invoice.payment.means.iter().flat_map(|means| means.credit_transfers.iter());
        let accounts = accounts.filter(|one| account_number(one).is_some());
        for one in accounts.take(most) {
            out.group(name, |out| account(out, one));
        }
        skonto(out, invoice);
    });
}

/// BT-9, and the days of instalments.
fn due_days<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(first) = invoice.due_date.filled() else { return };
    let mut told: Vec<jiff::civil::Date> = Vec::new();
    let all: Vec<Date<'d>> = invoice.due_date.iter().copied().collect();
    for day in all.into_iter().filter(|day| !day.is_blank()).take(100) {
        let Some(written) = written_day(day) else {
            out.lost(*day, "it is no day");
            continue;
        };
        if told.contains(&written.day) {
            out.ledger.derive(*day);
            if let Some(format) = day.format() {
                out.ledger.regenerate(format);
            }
            continue;
        }
        told.push(written.day);
        out.group("TerminPlatnosci", |out| {
            one_day(out, "Termin", day, FIRST_PAYMENT);
        });
    }
    out.same_day(&invoice.due_date, first);
}

/// BT-81 and BT-82.
fn form<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    const OTHER: &str = "the target has no such way to pay: it is another";
    const ONE: &str = "the target has one way to pay";
    let mut means = invoice.payment.means.iter().filter(|one| one.code.is_filled());
    let Some(first) = means.next() else { return };
    let Some(code) = first.code.filled() else { return };
    match lookup(PAYMENT_FORMS_WRITTEN, &code.trimmed()) {
        Some(form) if lookup(PAYMENT_FORMS, form).is_some_and(|again| code.is(again)) => {
            out.kept("FormaPlatnosci", form, *code);
        }
        Some(form) => out.changed("FormaPlatnosci", form, *code, "the target has the nearest"),
        None => {
            match code.is("ZZZ") {
                true => out.kept("PlatnoscInna", "1", *code),
                false => out.changed("PlatnoscInna", "1", *code, OTHER),
            }
            if !text(out, "OpisPlatnosci", first.text.filled(), 256) {
                let words = format!("UNCL4461: {}", collapsed(&code.trimmed()));
                out.derived("OpisPlatnosci", &words, first.element, Some("BT-82"), OTHER);
            }
        }
    }
    for other in means {
        other_means(out, other, code, ONE);
    }
}

fn other_means<'d>(
    out: &mut InvoiceOutput<'d>,
    other: &PaymentMeans<'d>,
    first: quoin_model::en16931::PaymentMeansCode<'d>,
    reason: &'static str,
) {
    for code in &other.code {
        match code.is(&first.trimmed()) {
            true => out.ledger.derive(**code),
            false => out.told_otherwise("FormaPlatnosci", **code, LossKind::Merged, reason),
        }
    }
}

/// BT-84 without blanks, where it is an account of the target.
fn account_number(one: &CreditTransfer<'_>) -> Option<String> {
    let own = one.account.filled()?;
    let whole: String = own.trimmed().chars().filter(|c| !c.is_whitespace()).collect();
    (10..=34).contains(&whole.chars().count()).then_some(whole)
}

/// BG-17.
fn account<'d>(out: &mut InvoiceOutput<'d>, one: &CreditTransfer<'d>) {
    let (Some(own), Some(whole)) = (one.account.filled(), account_number(one)) else { return };
    out.fitted("NrRB", &whole, *own, "an account has no blanks in the target");
    let is_swift = |text: &str| {
        let is_letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_rest = |part: &str| {
            part.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        };
        [8, 11].contains(&text.len())
            && text.get(..6).is_some_and(is_letters)
            && text.get(6..).is_some_and(is_rest)
    };
    if let Some(provider) = one.provider.filled() {
        match is_swift(&provider.trimmed()) {
            true => out.kept("SWIFT", &provider.trimmed(), *provider),
            false => out.lost(*provider, "it is no SWIFT code, which the target asks for"),
        }
    }
    text(out, "NazwaBanku", one.provider_name.filled(), 256);
    text(out, "OpisRachunku", one.name.filled(), 256);
}

/// A discount for early payment, in words.
fn skonto<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let mut discounts = invoice.payment.terms.iter().flat_map(|terms| &terms.discounts);
    let Some(one) = discounts.find(|one| one.percentage.is_filled() || one.amount.is_filled())
    else {
        return tagged_skonto(out, invoice);
    };
    let Some(condition) = condition(one) else { return };
    let percentage = one.percentage.filled().map(|own| (*own, format!("{}%", own.trimmed())));
    let amount = one.amount.filled().map(|own| (*own, own.trimmed().into_owned()));
    let Some((source, height)) = percentage.or(amount) else { return };
    out.group("Skonto", |out| {
        out.constant("WarunkiSkonta", &condition, &[]);
        out.constant("WysokoscSkonta", &collapsed(&height), &[]);
        as_text(out, source);
        one.basis_date.iter().for_each(|own| as_text(out, **own));
        one.basis_period.iter().for_each(|own| as_text(out, **own));
        let reason = "the target has a discount in words, which are terms of payment";
        let words = format!("Skonto: {} {condition}", collapsed(&height));
        out.implied("WysokoscSkonta", &words, one.element, Some("BT-20"), reason);
    });
}

/// Until when, or for how long, a discount counts.
fn condition(one: &TermsAdjustment<'_>) -> Option<String> {
    let period = one.basis_period.filled().map(|own| {
        let unit = own.unit().map(|unit| unit.trimmed().into_owned()).unwrap_or_default();
        format!("{} {}", own.trimmed(), if unit == "DAY" { "dni" } else { &unit })
    });
    let from = one.basis_date.filled().and_then(written_day).map(|own| format!("od {}", own.day));
    let parts: Vec<String> = period.into_iter().chain(from).collect();
    let whole: String = collapsed(&parts.join(" ")).chars().take(256).collect();
    (!whole.is_empty()).then_some(whole)
}

/// `#SKONTO#TAGE=14#PROZENT=2.00#`, as XRechnung writes a discount in BT-20, which is a fact, too.
fn tagged_skonto<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let texts: Vec<_> = invoice.payment.texts().collect();
    let line = |text: &str| {
        text.lines().find(|line| line.trim().starts_with("#SKONTO#")).map(str::to_owned)
    };
    let Some((text, line)) = texts.iter().find_map(|text| Some((*text, line(&text.text())?)))
    else {
        return;
    };
    let value = |key: &str| {
        let part = line.split('#').find_map(|part| part.trim().strip_prefix(key))?;
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        (is_number && !part.is_empty() && part.len() <= 20).then(|| part.to_owned())
    };
    let Some((days, percent)) = value("TAGE=").zip(value("PROZENT=")) else { return };
    let (condition, height) = (format!("{days} dni"), format!("{percent}%"));
    out.group("Skonto", |out| {
        let reason = "a discount that the terms of payment say by tags";
        out.constant("WarunkiSkonta", &condition, &[]);
        out.constant("WysokoscSkonta", &height, &[]);
        let words = format!("Skonto: {height} {condition}");
        out.implied("WysokoscSkonta", &words, text.element(), Some("BT-20"), reason);
    });
}

/// Writes `WarunkiTransakcji`.
pub(super) fn conditions<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let references = &invoice.references;
    let filler = references.filler_of_order();
    if let Some(filler) = filler {
        out.ledger.regenerate(*filler);
    }
    out.group("WarunkiTransakcji", |out| {
        for one in references.contract.iter().take(100) {
            out.group("Umowy", |out| {
                if let Some(day) = one.issue_date.filled() {
                    one_day(out, "DataUmowy", day, FIRST_AGREEMENT);
                }
                id(out, "NrUmowy", one.id.filled(), 256);
            });
            out.ledger.implied_document(one, documents::CONTRACT);
        }
        for one in references.purchase_order.iter().filter(|_| filler.is_none()).take(100) {
            out.group("Zamowienia", |out| {
                if let Some(day) = one.issue_date.filled() {
                    one_day(out, "DataZamowienia", day, FIRST_AGREEMENT);
                }
                id(out, "NrZamowienia", one.id.filled(), 256);
            });
        }
        let of_delivery = invoice.delivery.iter().flat_map(|one| &one.terms);
        let mut terms = invoice.extensions.delivery_terms.iter().chain(of_delivery);
        if let Some(own) = terms.find_map(|terms| terms.text.filled()) {
            text(out, "WarunkiDostawy", Some(own), 256);
        }
    });
}
