//! Groups of FA that are no plain table: parties, whose elements stand in another order in each
//! role; sums, which are three elements and no group; what has an attribute, or words in FA(2).

use quoin_model::en16931::{
    PolishColumn, PolishContact, PolishDueEvent, PolishFact, PolishParty, PolishSum13, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::{DOCUMENT_FACTS, ROW_FACTS, SUMS};
use super::super::name;
use super::{FaPart, value_again};
use crate::reading::{Pass, lookup, view};
use crate::writing::InvoiceOutput;

impl<'d> FaPart<'d> for Vec<PolishParty<'d>> {
    fn take(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
        let mut own = PolishParty::new(element);
        pass.open(element);
        for child in element.elements() {
            match name(child) {
                "PrefiksPodatnika" => own.prefix.take(pass, child),
                "NrEORI" => own.eori.take(pass, child),
                "DaneIdentyfikacyjne" => own.ids.take(pass, child),
                "Adres" | "AdresPrzewoznika" => own.address.take(pass, child),
                "AdresKoresp" => own.correspondence.take(pass, child),
                "DaneKontaktowe" => own.contacts.take(pass, child),
                "StatusInfoPodatnika" => own.status.take(pass, child),
                "NrKlienta" => own.customer_number.take(pass, child),
                "IDNabywcy" => own.buyer_key.take(pass, child),
                "JST" => own.local_government.take(pass, child),
                "GV" => own.vat_group.take(pass, child),
                "Rola" | "RolaPU" => own.role.take(pass, child),
                "RolaInna" => own.is_other_role.take(pass, child),
                "OpisRoli" => own.role_text.take(pass, child),
                "Udzial" => own.share.take(pass, child),
                _ => pass.unread(child),
            }
        }
        self.push(own);
    }

    fn again(&self, out: &mut InvoiceOutput<'d>, name: &'static str) {
        for own in self {
            out.required_group(name, |out| party_again(out, own, name));
        }
    }
}

fn party_again<'d>(out: &mut InvoiceOutput<'d>, own: &PolishParty<'d>, role: &str) {
    let is_third = role == "Podmiot3";
    own.prefix.again(out, "PrefiksPodatnika");
    if is_third {
        own.buyer_key.again(out, "IDNabywcy");
    }
    own.eori.again(out, "NrEORI");
    own.ids.again(out, "DaneIdentyfikacyjne");
    let address = if role == "Przewoznik" { "AdresPrzewoznika" } else { "Adres" };
    own.address.again(out, address);
    own.correspondence.again(out, "AdresKoresp");
    own.contacts.again(out, "DaneKontaktowe");
    own.status.again(out, "StatusInfoPodatnika");
    if !is_third {
        own.customer_number.again(out, "NrKlienta");
        own.buyer_key.again(out, "IDNabywcy");
    }
    own.local_government.again(out, "JST");
    own.vat_group.again(out, "GV");
    own.role.again(out, if role == "PodmiotUpowazniony" { "RolaPU" } else { "Rola" });
    own.is_other_role.again(out, "RolaInna");
    own.role_text.again(out, "OpisRoli");
    own.share.again(out, "Udzial");
    if is_third {
        own.customer_number.again(out, "NrKlienta");
    }
}

impl<'d> FaPart<'d> for Vec<PolishContact<'d>> {
    fn take(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
        let mut own = PolishContact::new(element);
        pass.open(element);
        for child in element.elements() {
            match name(child) {
                "Email" | "EmailPU" => own.email.take(pass, child),
                "Telefon" | "TelefonPU" => own.telephone.take(pass, child),
                _ => pass.unread(child),
            }
        }
        self.push(own);
    }

    fn again(&self, out: &mut InvoiceOutput<'d>, name: &'static str) {
        for own in self {
            out.required_group(name, |out| {
                for (field, names) in
                    [(&own.email, ["Email", "EmailPU"]), (&own.telephone, ["Telefon", "TelefonPU"])]
                {
                    for value in field {
                        let [usual, of_authorised] = names;
                        let is_usual = value.element().local() == usual;
                        let name = if is_usual { usual } else { of_authorised };
                        value_again(out, name, **value);
                    }
                }
            });
        }
    }
}

impl<'d> FaPart<'d> for Vec<PolishSum13<'d>> {
    fn take(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
        let local = name(element);
        let is_net = local.starts_with("P_13_");
        let index = local.get(5..).unwrap_or_default().trim_end_matches('W');
        let belongs = |one: &PolishSum13<'d>| one.element.local().get(5..) == Some(index);
        if is_net || !self.last().is_some_and(belongs) {
            self.push(PolishSum13::new(element));
        }
        let Some(own) = self.last_mut() else { return };
        match (is_net, local.ends_with('W')) {
            (true, _) => own.net.take(pass, element),
            (false, false) => own.vat.take(pass, element),
            (false, true) => own.vat_in_zloty.take(pass, element),
        }
    }

    fn again(&self, out: &mut InvoiceOutput<'d>, _: &'static str) {
        for own in self {
            let local = own.element.local();
            let index = local.get(5..).unwrap_or_default().trim_end_matches('W');
            let Some(names) = SUMS.iter().find(|one| one.net.get(5..) == Some(index)) else {
                continue;
            };
            own.net.again(out, names.net);
            own.vat.again(out, names.vat);
            own.vat_in_zloty.again(out, names.vat_in_zloty);
        }
    }
}

impl<'d> FaPart<'d> for Vec<PolishFact<'d>> {
    /// A key that says which term the value is says nothing else.
    fn take(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
        let mut own = PolishFact::new(element);
        pass.open(element);
        let is_of_row = element.elements().any(|child| name(child) == "NrWiersza");
        let known = if is_of_row { ROW_FACTS } else { DOCUMENT_FACTS };
        for child in element.elements() {
            let is_key = |key| lookup(known, key).is_some();
            match name(child) {
                "NrWiersza" => own.row.take(pass, child),
                "Klucz" if is_key(&ValueSource::of(child).trimmed()) => {
                    pass.derive(child, &ValueSource::of(child).trimmed());
                    own.key.push(view(child));
                }
                "Klucz" => own.key.take(pass, child),
                "Wartosc" => own.value.take(pass, child),
                _ => pass.unread(child),
            }
        }
        self.push(own);
    }

    fn again(&self, out: &mut InvoiceOutput<'d>, name: &'static str) {
        for own in self {
            out.required_group(name, |out| {
                own.row.again(out, "NrWiersza");
                own.key.again(out, "Klucz");
                own.value.again(out, "Wartosc");
            });
        }
    }
}

impl<'d> FaPart<'d> for Vec<PolishDueEvent<'d>> {
    fn take(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
        let mut own = PolishDueEvent::new(element);
        if element.elements().next().is_none() {
            own.words.take(pass, element);
            return self.push(own);
        }
        pass.open(element);
        for child in element.elements() {
            match name(child) {
                "Ilosc" => own.count.take(pass, child),
                "Jednostka" => own.unit.take(pass, child),
                "ZdarzeniePoczatkowe" => own.from.take(pass, child),
                _ => pass.unread(child),
            }
        }
        self.push(own);
    }

    fn again(&self, out: &mut InvoiceOutput<'d>, name: &'static str) {
        for own in self {
            let is_words = own.words.is_present();
            for words in &own.words {
                let reason = "FA(3) has a number, a unit and an event, and no words";
                out.lost(**words, reason);
            }
            if !is_words {
                out.required_group(name, |out| {
                    own.count.again(out, "Ilosc");
                    own.unit.again(out, "Jednostka");
                    own.from.again(out, "ZdarzeniePoczatkowe");
                });
            }
        }
    }
}

impl<'d> FaPart<'d> for Vec<PolishColumn<'d>> {
    fn take(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
        let mut own = PolishColumn::new(element);
        pass.open_of(element, |one| one.namespace.is_empty() && one.local == "Typ");
        own.kind.extend(ValueSource::attribute_called(element, "", "Typ").map(Into::into));
        for child in element.elements() {
            match name(child) {
                "NKom" => own.name.take(pass, child),
                _ => pass.unread(child),
            }
        }
        self.push(own);
    }

    fn again(&self, out: &mut InvoiceOutput<'d>, name: &'static str) {
        for own in self {
            let kind = own.kind.text().unwrap_or_default();
            out.required_group_with(name, &[("Typ", &kind)], |out| own.name.again(out, "NKom"));
            own.kind.iter().for_each(|kind| out.ledger.carry(**kind));
        }
    }
}
