//! Why something is not in the target, where several writers say so.

/// What no reader takes into the model.
pub(crate) const UNREAD: &str = "it is no term of EN 16931 and no extension that is known";
/// What no reader of orders takes into the model.
pub(crate) const UNREAD_OF_ORDER: &str =
    "it is no term of Peppol BIS Ordering and no extension that is known";
/// What follows from lines, in a profile without lines.
pub(crate) const WITHOUT_LINES: &str =
    "it follows from what the profile has no place for, and does not stand in the target itself";
/// What the model has and the writer has not written.
pub(crate) const NO_PLACE: &str = "the target has no place for it, or holds another value there";
/// A code of a national list.
pub(crate) const MAPPED: &str = "the target has a code of another list";
/// The sign of a credit note.
pub(crate) const NEGATED: &str =
    "the source writes what it credits as negative, the target as positive";
/// More than the target has.
pub(crate) const PART: &str = "the target has a part of it";
/// Parts that are one value in the target.
pub(crate) const JOINED: &str = "it is one value with others in the target";
/// What the source means without words.
pub(crate) const IMPLIED: &str = "the source means it, and has no words for it";
/// Sums and products that the source does not say.
pub(crate) const COMPUTED: &str = "it is computed of amounts of the source";
/// A date that is none.
pub(crate) const NO_DAY: &str = "it is no day, and the target has days only";
/// A number that is none.
pub(crate) const NO_NUMBER: &str = "it is no number, and the target has a number there";
/// A file that is not in base64.
pub(crate) const NO_FILE: &str = "it is no base64, and the target has a file there";
/// A date with a time or a time zone.
pub(crate) const DAY_ONLY: &str = "the target has the day only, without time and time zone";
/// A date of eight digits without its format.
pub(crate) const DAY_ASSUMED: &str =
    "the source does not say in which form the date is: its digits are taken for year, month, day";
