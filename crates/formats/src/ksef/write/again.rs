//! A document of FA again: as it stands in the groups of Poland, and of FA(2) what FA(3) asks for.

use quoin_model::en16931::{
    Code, Derivation, PolishBody, PolishHeader, PolishInvoice, Time, ValueSource,
};

use super::super::shape::FaPart;
use super::super::{FA_2, FA_3};
use super::{FIRST_MOMENT, FORM};
use crate::writing::{ConversionRefusal, InvoiceOutput, without_place};

/// Writes the document.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    own: &PolishInvoice<'d>,
) -> Result<(), ConversionRefusal> {
    let newer;
    let own = match own.element.namespace() == FA_2 {
        true => {
            newer = upgraded(own)?;
            &newer
        }
        false => own,
    };
    out.root("Faktura", &[("xmlns", FA_3)], |out| {
        for header in &own.header {
            out.group("Naglowek", |out| {
                out.constant("KodFormularza", "FA", FORM);
                out.constant("WariantFormularza", "3", &[]);
                header.created_at.again(out, "DataWytworzeniaFa");
                header.system.again(out, "SystemInfo");
            });
        }
        own.seller.again(out, "Podmiot1");
        own.buyer.again(out, "Podmiot2");
        own.third_parties.again(out, "Podmiot3");
        own.authorised.again(out, "PodmiotUpowazniony");
        own.body.again(out, "Fa");
        own.footer.again(out, "Stopka");
        own.attachment.again(out, "Zalacznik");
    });
    Ok(())
}

/// What a document of FA(2) is in FA(3).
fn upgraded<'d>(own: &PolishInvoice<'d>) -> Result<PolishInvoice<'d>, ConversionRefusal> {
    let mut newer = own.clone();
    newer.header.iter_mut().for_each(made_later);
    for buyer in &mut newer.buyer {
        let no = || Code::from(ValueSource::of(buyer.element).saying(Derivation::Implied, "2"));
        let [first, second] = [no(), no()];
        if buyer.local_government.is_absent() {
            buyer.local_government.push(first);
        }
        if buyer.vat_group.is_absent() {
            buyer.vat_group.push(second);
        }
    }
    for body in &mut newer.body {
        rates(body)?;
    }
    Ok(newer)
}

/// FA(3) has no document that is older than itself.
fn made_later(header: &mut PolishHeader<'_>) {
    for at in header.created_at.all_mut() {
        if at.trimmed().as_ref() < FIRST_MOMENT {
            *at = Time::from(at.saying(Derivation::Mapped, FIRST_MOMENT));
        }
    }
}

/// `0` and `np` are several in FA(3); the sums tell which, where there is one.
fn rates(body: &mut PolishBody<'_>) -> Result<(), ConversionRefusal> {
    let has = |local: &str| body.sums.iter().any(|sum| sum.element.local() == local);
    let only = |all: &[(&str, &'static str)]| {
        let mut found = all.iter().filter(|(local, _)| has(local)).map(|(_, rate)| *rate);
        found.next().filter(|_| found.next().is_none())
    };
    let zero = only(&[("P_13_6_1", "0 KR"), ("P_13_6_2", "0 WDT"), ("P_13_6_3", "0 EX")]);
    let outside = only(&[("P_13_8", "np I"), ("P_13_9", "np II")]);
    let rows = body.rows.iter_mut().map(|row| &mut row.rate);
    let ordered = body.order.iter_mut().flat_map(|order| &mut order.rows);
    for rate in rows.chain(ordered.map(|row| &mut row.rate)).flat_map(|rate| rate.all_mut()) {
        let newer = match rate.trimmed().as_ref() {
            "0" => zero,
            "np" => outside,
            _ => continue,
        };
        let Some(newer) = newer else {
            return Err(without_place(**rate, "FA(3) asks which of several it is"));
        };
        *rate = Code::from(rate.saying(Derivation::Mapped, newer));
    }
    Ok(())
}
