//! Codes of cXML's orders and answers, and what they are in the lists of the model.
//!
//! Source: cXML 1.2.063 `cXML.dtd` and `Fulfill.dtd`; UNTDID 1001, 1229, 4343.

use crate::reading::CodeTable;

/// `@orderType`, and the kind of order (UNTDID 1001, subset of T01).
pub(super) const ORDER_TYPES: CodeTable =
    &[("regular", "220"), ("release", "226"), ("blanket", "221")];

/// `ConfirmationHeader/@type`, and the answer (UNCL4343, subset of T76).
pub(super) const ANSWERS: CodeTable = &[
    ("accept", "AP"),
    ("reject", "RE"),
    ("detail", "CA"),
    ("allDetail", "CA"),
    ("except", "CA"),
    ("backordered", "CA"),
];

/// `ConfirmationStatus/@type`, and what becomes of the line (UNCL1229, subset of T76).
pub(super) const LINE_STATES: CodeTable =
    &[("accept", "5"), ("reject", "7"), ("detail", "3"), ("allDetail", "3")];

/// The state of what is delivered later.
pub(super) const BACKORDERED: &str = "backordered";

/// Roles of a contact that are the buyer.
pub(super) const BUYERS: &[&str] =
    &["buyerCorporate", "buyer", "buyerAccount", "buyerMasterAccount", "soldTo"];
/// Roles that are the seller.
pub(super) const SELLERS: &[&str] =
    &["supplierCorporate", "supplier", "supplierAccount", "supplierMasterAccount"];
/// The role for whom is ordered.
pub(super) const END_USER: &str = "endUser";

/// Domains of a credential that are a scheme of electronic addresses (EAS); those of four digits
/// are one as they are.
pub(super) const DOMAINS: CodeTable = &[("DUNS", "0060"), ("duns", "0060"), ("Duns", "0060")];

/// What an account is called where nobody says what it is.
pub(super) const ACCOUNT: &str = "accountingCost";

/// The language of a text of which nobody says it (BCP 47).
pub(super) const LANGUAGE: (&str, &str) = ("xml:lang", "und");
