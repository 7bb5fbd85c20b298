//! Codes of DICO order messages and what they are in the lists of the model.
//!
//! Source: DICO code lists (SALES005) `OrderType`, `OrderResponseStatusType`, `UoMType`; UNTDID
//! 1001, 1229, 4343; UN/ECE recommendation 20.

use crate::reading::CodeTable;

/// `OrderResponse/StatusCode`, and the answer (UNCL4343, subset of T76).
pub(super) const ANSWERS: CodeTable = &[("29", "AP"), ("4", "CA"), ("27", "RE"), ("12", "AB")];

/// `OrderResponseLine/StatusCode`, and what becomes of a line (UNCL1229). INSBOU003 writes the
/// codes of UNCL1229 themselves.
pub(super) const LINE_STATES: CodeTable = &[("29", "5"), ("4", "3"), ("27", "7")];

/// Pieces: the first row is what DICO's own is in the list of the model.
pub(super) const UNITS: CodeTable =
    &[("PCE", "H87"), ("PCE", "C62"), ("PCE", "EA"), ("PCE", "XPP")];

/// Units that both lists have.
pub(super) const COMMON_UNITS: &[&str] = &[
    "MMT", "CMT", "MTR", "MTK", "MLT", "LTR", "MTQ", "GRM", "KGM", "TNE", "MIN", "HUR", "DAY",
    "WEE", "MON", "ANN", "SEC",
];

/// The kinds of order that DICO has and the list of T01, too.
pub(super) const ORDER: &str = "220";

/// Says that a price is another one than agreed.
pub(super) const DIFFERENT_PRICE: &str = "PPR";
