//! The JSON form of an invoice: which members an object has, and which term each of them is.
//!
//! One table a business group says all of it: [`form!`] makes the reader and the writer of the
//! group and its part of the schema from the same rows, so that what is written is read.

mod document;
mod item;
pub(super) mod kinds;
mod line;
mod money;
mod party;
mod payment;

use quoin_model::en16931::{Field, Invoice};
use quoin_xml::tree::Element;

use super::output::JsonOutput;
use crate::reading::Pass;

/// The members of the one object.
pub(super) const MEMBERS: &[Member] = <Invoice<'static> as Form<'static>>::MEMBERS;

/// What every document has.
const REQUIRED: &[&str] = &["number", "issueDate", "typeCode", "currency"];
/// What an object cannot be without that is one value with something beside it.
const VALUE: &str = "value";

/// The members that an object must have; the document must say something in each of its own.
pub(super) fn required(members: &[Member], is_document: bool) -> &'static [&'static str] {
    let has = |name: &str| members.iter().any(|member| member.name == name);
    match is_document {
        true => REQUIRED,
        // An attribute of an item has a name beside its value, and both are texts of their own.
        false if has(VALUE) && !has("name") => &[VALUE],
        false => &[],
    }
}

/// Whether the one object has a member of this name.
pub(crate) fn is_member(name: &str) -> bool {
    MEMBERS.iter().any(|member| member.name == name)
}

/// The member of the one object that a term or group is: `buyerReference` of `BT-10`.
pub(crate) fn member_of(term: &str) -> Option<&'static str> {
    let is_it = |member: &&Member| {
        member.about.strip_prefix(term).is_some_and(|rest| rest.starts_with(':'))
    };
    MEMBERS.iter().find(is_it).map(|member| member.name)
}

/// A member of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub content: MemberContent,
    /// Which term it is, and what it says.
    pub about: &'static str,
}

/// What the value of a member is.
#[derive(Debug, Clone, Copy)]
pub(super) enum MemberContent {
    /// A text.
    Text(TextForm),
    /// An object with these members.
    Object(&'static [Member]),
    /// A list of such objects.
    Objects(&'static [Member]),
}

/// What a text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextForm {
    /// Any.
    Plain,
    /// A day: `2026-05-18`.
    Day,
    /// A number, digit for digit: `12.50`.
    Decimal,
    /// A file in base64.
    Base64,
}

/// A group of the model that is an object of the form.
pub(super) trait Form<'d>: Sized {
    /// Its members, in the order in which they are written.
    const MEMBERS: &'static [Member];

    /// Reads a member; whether it has one of that name.
    fn take(&mut self, pass: &mut Pass<'d>, name: &str, element: Element<'d>) -> bool;

    /// Writes every member.
    fn write(&self, out: &mut JsonOutput<'d>);
}

/// A group that begins with its element.
pub(super) trait Begin<'d> {
    /// The group at the element with nothing read yet.
    fn begin(element: Element<'d>) -> Self;
}

/// Groups that begin with nothing but their element.
macro_rules! begin {
    ($($type:ident),* $(,)?) => {$(
        impl<'d> $crate::json::form::Begin<'d> for quoin_model::en16931::$type<'d> {
            fn begin(element: quoin_xml::tree::Element<'d>) -> Self {
                quoin_model::en16931::$type::new(element)
            }
        }
    )*};
}
use begin;

/// The first group of a field, of which several members of one object tell; it begins with the
/// first of them.
fn entry<'f, 'd, G: Begin<'d>>(field: &'f mut Field<G>, element: Element<'d>) -> Option<&'f mut G> {
    if field.is_absent() {
        field.push(G::begin(element));
    }
    field.all_mut().first_mut()
}

/// The object of a group: a row a member, with its kind (a module of [`kinds`]), the field that it
/// is, and what it says. `(a => b)` is the field `b` of the first group in `a`, `(*)` the group
/// itself. What is left of the group when all members are written is told by `tells`.
macro_rules! form {
    ($type:ident { $(
        $name:literal: $kind:ident $(<$inner:ident>)? ($($place:tt)+), $about:literal;
    )* } $(tells $tells:path)?) => {
        impl<'d> $crate::json::form::Form<'d> for quoin_model::en16931::$type<'d> {
            const MEMBERS: &'static [$crate::json::form::Member] = &[$(
                $crate::json::form::Member {
                    name: $name,
                    content: $crate::json::form::kinds::$kind::content
                        $(::<quoin_model::en16931::$inner<'static>>)?(),
                    about: $about,
                }
            ),*];

            fn take(
                &mut self,
                pass: &mut $crate::reading::Pass<'d>,
                name: &str,
                element: quoin_xml::tree::Element<'d>,
            ) -> bool {
                let this = self;
                match name {
                    $($name => {
                        let place = $crate::json::form::place!(mut this element $($place)+);
                        if let Some(place) = place {
                            $crate::json::form::kinds::$kind::read(pass, place, element);
                        }
                    })*
                    _ => return false,
                }
                true
            }

            fn write(&self, out: &mut $crate::json::output::JsonOutput<'d>) {
                let this = self;
                $(if let Some(place) = $crate::json::form::place!(this $($place)+) {
                    $crate::json::form::kinds::$kind::write(out, $name, place);
                })*
                $($tells(out, this);)?
            }
        }
    };
}
use form;

/// Where a member stands in its group.
macro_rules! place {
    (mut $this:ident $element:ident *) => { Some(&mut *$this) };
    (mut $this:ident $element:ident $($group:ident).+ => $field:ident) => {
        $crate::json::form::entry(&mut $this.$($group).+, $element)
            .map(|group| &mut group.$field)
    };
    (mut $this:ident $element:ident $($field:ident).+) => { Some(&mut $this.$($field).+) };
    ($this:ident *) => { Some($this) };
    ($this:ident $($group:ident).+ => $field:ident) => {
        $this.$($group).+.first().map(|group| &group.$field)
    };
    ($this:ident $($field:ident).+) => { Some(&$this.$($field).+) };
}
use place;
