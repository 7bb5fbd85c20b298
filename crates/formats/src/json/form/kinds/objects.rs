//! Groups: objects, and lists of objects.

use quoin_model::en16931::{AllowanceCharge, Derivation, Field, ValueSource};
use quoin_xml::tree::Element;

use crate::json::form::{Begin, Form, MemberContent};
use crate::json::output::JsonOutput;
use crate::reading::Pass;

/// Reads every member of an object.
fn members<'d>(pass: &mut Pass<'d>, group: &mut impl Form<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        if !group.take(pass, child.local(), child) {
            pass.unread(child);
        }
    }
}

fn one<'d, G: Form<'d> + Begin<'d>>(pass: &mut Pass<'d>, element: Element<'d>) -> G {
    let mut group = G::begin(element);
    members(pass, &mut group, element);
    group
}

/// One group.
pub(in crate::json) mod group {
    use super::*;

    pub(in crate::json) const fn content<G: Form<'static>>() -> MemberContent {
        MemberContent::Object(G::MEMBERS)
    }

    pub(in crate::json) fn read<'d, G: Form<'d> + Begin<'d>>(
        pass: &mut Pass<'d>,
        field: &mut Field<G>,
        element: Element<'d>,
    ) {
        field.push(one(pass, element));
    }

    pub(in crate::json) fn write<'d, G: Form<'d>>(
        out: &mut JsonOutput<'d>,
        name: &str,
        field: &Field<G>,
    ) {
        if let Some(group) = field.first() {
            out.object(name, |out| group.write(out));
        }
    }
}

/// A part of a group that is no group itself.
pub(in crate::json) mod part {
    pub(in crate::json) use super::group::content;
    use super::*;

    pub(in crate::json) fn read<'d, G: Form<'d>>(
        pass: &mut Pass<'d>,
        part: &mut G,
        element: Element<'d>,
    ) {
        members(pass, part, element);
    }

    pub(in crate::json) fn write<'d, G: Form<'d>>(out: &mut JsonOutput<'d>, name: &str, part: &G) {
        out.object(name, |out| part.write(out));
    }
}

/// Several groups.
pub(in crate::json) mod groups {
    use super::*;

    pub(in crate::json) const fn content<G: Form<'static>>() -> MemberContent {
        MemberContent::Objects(G::MEMBERS)
    }

    pub(in crate::json) fn read<'d, G: Form<'d> + Begin<'d>>(
        pass: &mut Pass<'d>,
        all: &mut Vec<G>,
        element: Element<'d>,
    ) {
        all.push(one(pass, element));
    }

    pub(in crate::json) fn write<'d, G: Form<'d>>(out: &mut JsonOutput<'d>, name: &str, all: &[G]) {
        out.list(name, |out| {
            for group in all {
                out.item(|out| group.write(out));
            }
        });
    }
}

/// Several groups in a field.
pub(in crate::json) mod several {
    pub(in crate::json) use super::group::read;
    pub(in crate::json) use super::groups::content;
    use super::*;

    pub(in crate::json) fn write<'d, G: Form<'d>>(
        out: &mut JsonOutput<'d>,
        name: &str,
        field: &Field<G>,
    ) {
        super::groups::write(out, name, field.all());
    }
}

/// Reads an allowance or a charge, of which the name of the list says what it is.
fn change<'d>(
    pass: &mut Pass<'d>,
    all: &mut Vec<AllowanceCharge<'d>>,
    element: Element<'d>,
    indicator: &'static str,
) {
    let mut change: AllowanceCharge<'d> = one(pass, element);
    let said = ValueSource::of(element).saying(Derivation::Named, indicator);
    change.indicator.push(said.into());
    all.push(change);
}

fn changes<'d>(out: &mut JsonOutput<'d>, all: &[AllowanceCharge<'d>], is_charge: bool) {
    for one in all.iter().filter(|one| one.indicator.value() == Some(is_charge)) {
        out.item(|out| one.write(out));
        if let Some(indicator) = one.indicator.filled() {
            out.ledger.carry(*indicator);
        }
    }
}

/// BG-20, BG-27: allowances.
pub(in crate::json) mod allowances {
    use super::*;

    pub(in crate::json) const fn content() -> MemberContent {
        MemberContent::Objects(<AllowanceCharge<'static> as Form<'static>>::MEMBERS)
    }

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        all: &mut Vec<AllowanceCharge<'d>>,
        element: Element<'d>,
    ) {
        change(pass, all, element, "false");
    }

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        all: &[AllowanceCharge<'d>],
    ) {
        out.list(name, |out| changes(out, all, false));
    }
}

/// BG-21, BG-28: charges.
pub(in crate::json) mod charges {
    pub(in crate::json) use super::allowances::content;
    use super::*;

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        all: &mut Vec<AllowanceCharge<'d>>,
        element: Element<'d>,
    ) {
        change(pass, all, element, "true");
    }

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        all: &[AllowanceCharge<'d>],
    ) {
        out.list(name, |out| items(out, all));
    }

    /// The items of the list.
    pub(in crate::json) fn items<'d>(out: &mut JsonOutput<'d>, all: &[AllowanceCharge<'d>]) {
        changes(out, all, true);
    }
}
