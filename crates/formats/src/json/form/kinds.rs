//! What the value of a member is, and how it is read and written: a module a kind.

mod objects;
mod particular;
mod tax;
mod values;

pub(in crate::json) use objects::{allowances, charges, group, groups, part, several};
pub(in crate::json) use particular::{
    base_quantity, discount, document_charges, invoiced_object, invoiced_objects, preceding,
    purchase_order, tax_point_code, terms, type_code,
};
pub(in crate::json) use tax::{breakdown, other_tax, totals, vat};
pub(in crate::json) use values::{
    amount, classifications, day, file, id, ids, number, once, quantity, text,
};
