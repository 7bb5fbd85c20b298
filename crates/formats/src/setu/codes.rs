//! Codes of SETU and what they are in the lists of EN 16931.
//!
//! Source: SETU Standard for Invoicing 1.4 and its code lists; UNTDID 1001, 5305; UN/ECE
//! recommendation 20; ISO 6523.

use crate::reading::CodeTable;

/// Scheme of a number of the Dutch chamber of commerce.
pub(super) const KVK: &str = "0106";

/// `Type`: an invoice, a credit note, or both in one.
pub(super) const TYPES: CodeTable = &[("Debit", "380"), ("Credit", "381"), ("Both", "380")];

/// Units of VAT in a percentage.
pub(super) const VAT_UNITS: &[&str] = &["BTW", "VAT-percentage"];
/// Units of a discount in percent.
pub(super) const PERCENT_UNITS: &[&str] = &["percentage", "BTW", "VAT-percentage"];

/// The unit of services that are no hours.
pub(super) const PIECE: &str = "C62";
/// An hour.
pub(super) const HOUR: &str = "HUR";
/// The hour of which nothing else is said.
pub(super) const REGULAR: &str = "Regular";

/// The attribute of an item that says which kind of hours it is (BT-160).
pub(super) const HOUR_TYPE: &str = "HourType";

/// Kinds of hours (SETU-HourTypes).
pub(super) const HOURS: &[&str] = &[
    REGULAR,
    "Overtime",
    "Overtimeplus",
    "Shift",
    "Shiftplus",
    "Attendance",
    "Travel",
    "Additional",
    "Additionalplus",
    "Internal",
    "Internship",
    "Holiday",
    "Training",
    "Vacation",
    "Funeral",
    "Standby",
    "Additional wage dispensation",
    "Adoption leave",
    "Child-birth sick time",
    "Overtime wage dispensation",
    "Pregnancy sick time",
    "Regular wage dispensation",
    "Shift wage dispensation",
    "Transition allowance",
    "Vacation additional",
    "Regular canceled",
    "Shift canceled",
    "Shiftplus canceled",
    "Additional canceled",
    "Additionalplus canceled",
    "Regular complemented",
    "Additional complemented",
    "Shift complemented",
    "Overtime complemented",
    "Overtime canceled",
    "Overtimeplus canceled",
    "Time for time hour build-up",
    "Time for time overtime hour build-up",
    "Special Leave",
    "Short leave",
    "Unpaid leave",
    "Reduction of working hours",
    "Sick time",
    "Work underload",
    "Care Leave",
    "WTR (work time reduction)",
    "Compensation leave",
    "Maternity Leave",
    "Withdrawal time for time hours",
    "Contract hours",
];

/// What is charged besides hours (SETU-InvoiceLineReasons).
pub(super) const REASONS: &[&str] = &[
    "On-Charged-VAT",
    "Education",
    "Project invoicing",
    "Training costs",
    "Take-over fee",
    "Secundary staffing",
    "Reimbursement of expenses",
    "For forms sake invoice",
    "Merging invoices",
    "Compensation",
    "Calculated discount",
    "Accomodation expenses",
    "Transportation costs",
    "Other deviant invoicing",
    "Recruitment",
];

/// Units of EN 16931 that are pieces, and those that are no unit of their own.
pub(super) const PIECES: &[&str] = &["C62", "H87", "EA", "XPP", "LS", "ZZ"];

/// Categories that a `TaxCode` may be.
pub(super) const CATEGORIES: &[&str] = &["S", "Z", "E", "AE", "K", "G", "O", "L", "M", "B"];

/// The charge of the header that sums the lines of VAT which is charged on.
pub(super) const ON_CHARGED_VAT: &str = "TotalOnChargedVAT";

/// Whether a unit is a kind of hours, in any case of letters.
pub(super) fn is_hours(unit: &str) -> bool {
    HOURS.iter().any(|known| known.eq_ignore_ascii_case(unit))
}

/// Two letters, two digits, and as long as the shortest IBAN.
pub(super) fn is_iban(text: &str) -> bool {
    let [a, b, c, d, rest @ ..] = text.as_bytes() else { return false };
    [a, b].iter().all(|byte| byte.is_ascii_alphabetic())
        && [c, d].iter().all(|byte| byte.is_ascii_digit())
        && rest.len() >= 11
}

/// `bankJurisdiction`: the country of an IBAN; any other account is one of the Netherlands.
pub(super) fn jurisdiction(number: &str) -> String {
    let country = number.trim().get(..2).filter(|_| is_iban(number.trim()));
    country.unwrap_or("NL").to_ascii_uppercase()
}
