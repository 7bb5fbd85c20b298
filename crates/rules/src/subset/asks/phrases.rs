//! The phrases: one for each kind of demand, in five languages.

use quoin_model::Language;

/// What a row demands. `{what}` is what it is about, `{allowed}` what is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phrase {
    There,
    OneOf,
    Unused,
    Free,
    Never,
    Times,
    Code,
    Is,
    IsNot,
    Filled,
    Same,
    Length,
    Decimals,
    Date,
    Starts,
    Ends,
    Where,
    Or,
}

impl Phrase {
    /// The phrase, without a full stop.
    pub(super) fn text(self, language: Language) -> &'static str {
        let row = PHRASES.iter().find(|(own, _)| *own == self);
        let at = Language::ALL.iter().position(|own| *own == language).unwrap_or_default();
        row.and_then(|(_, texts)| texts.get(at)).copied().unwrap_or_default()
    }
}

/// A row for each phrase: English, Dutch, German, French, Polish.
pub(super) static PHRASES: &[(Phrase, [&str; 5])] = &[
    (
        Phrase::There,
        [
            "{what} must be there",
            "{what} moet er zijn",
            "{what} muss vorhanden sein",
            "{what} doit être présent",
            "{what} musi wystąpić",
        ],
    ),
    (
        Phrase::OneOf,
        [
            "One of these must be there: {what}",
            "Een van deze moet er zijn: {what}",
            "Eines davon muss vorhanden sein: {what}",
            "L'un d'eux doit être présent : {what}",
            "Musi wystąpić jedno z nich: {what}",
        ],
    ),
    (
        Phrase::Unused,
        [
            "{what} is not used",
            "{what} wordt niet gebruikt",
            "{what} wird nicht verwendet",
            "{what} n'est pas utilisé",
            "{what} nie jest używane",
        ],
    ),
    (
        Phrase::Free,
        [
            "{what} is as the rule describes",
            "{what} is zoals de regel het beschrijft",
            "{what} ist, wie die Regel es beschreibt",
            "{what} est comme la règle le décrit",
            "{what} jest takie, jak opisuje reguła",
        ],
    ),
    (
        Phrase::Never,
        [
            "This must not be so: {what}",
            "Dit mag niet zo zijn: {what}",
            "Dies darf nicht zutreffen: {what}",
            "Ceci ne doit pas être vrai : {what}",
            "To nie może zachodzić: {what}",
        ],
    ),
    (
        Phrase::Times,
        [
            "{what} must occur this many times: {allowed}",
            "{what} moet zo vaak voorkomen: {allowed}",
            "{what} muss so oft vorkommen: {allowed}",
            "{what} doit figurer ce nombre de fois : {allowed}",
            "{what} musi wystąpić tyle razy: {allowed}",
        ],
    ),
    (
        Phrase::Code,
        [
            "{what} must be a code of {allowed}",
            "{what} moet een code zijn van {allowed}",
            "{what} muss ein Code sein aus {allowed}",
            "{what} doit être un code de {allowed}",
            "{what} musi być kodem z {allowed}",
        ],
    ),
    (
        Phrase::Is,
        [
            "{what} must be {allowed}",
            "{what} moet zijn: {allowed}",
            "{what} muss sein: {allowed}",
            "{what} doit être : {allowed}",
            "{what} musi być: {allowed}",
        ],
    ),
    (
        Phrase::IsNot,
        [
            "{what} must not be {allowed}",
            "{what} mag niet zijn: {allowed}",
            "{what} darf nicht sein: {allowed}",
            "{what} ne doit pas être : {allowed}",
            "{what} nie może być: {allowed}",
        ],
    ),
    (
        Phrase::Filled,
        [
            "{what} must have a value",
            "{what} moet een waarde hebben",
            "{what} muss einen Wert haben",
            "{what} doit avoir une valeur",
            "{what} musi mieć wartość",
        ],
    ),
    (
        Phrase::Same,
        [
            "{what} must be the same as {allowed}",
            "{what} moet gelijk zijn aan {allowed}",
            "{what} muss gleich sein mit {allowed}",
            "{what} doit être égal à {allowed}",
            "{what} musi być równe {allowed}",
        ],
    ),
    (
        Phrase::Length,
        [
            "{what} has at most {allowed} characters",
            "{what} heeft hoogstens {allowed} tekens",
            "{what} hat höchstens {allowed} Zeichen",
            "{what} a {allowed} caractères au plus",
            "{what} ma najwyżej {allowed} znaków",
        ],
    ),
    (
        Phrase::Decimals,
        [
            "{what} has at most {allowed} decimals",
            "{what} heeft hoogstens {allowed} decimalen",
            "{what} hat höchstens {allowed} Nachkommastellen",
            "{what} a {allowed} décimales au plus",
            "{what} ma najwyżej {allowed} miejsc po przecinku",
        ],
    ),
    (
        Phrase::Date,
        [
            "{what} is a date, written YYYY-MM-DD",
            "{what} is een datum, geschreven als JJJJ-MM-DD",
            "{what} ist ein Datum, geschrieben JJJJ-MM-TT",
            "{what} est une date, écrite AAAA-MM-JJ",
            "{what} jest datą, zapisaną RRRR-MM-DD",
        ],
    ),
    (
        Phrase::Starts,
        [
            "{what} must begin with {allowed}",
            "{what} moet beginnen met {allowed}",
            "{what} muss beginnen mit {allowed}",
            "{what} doit commencer par {allowed}",
            "{what} musi zaczynać się od {allowed}",
        ],
    ),
    (
        Phrase::Ends,
        [
            "The name of {what} must end in {allowed}",
            "De naam van {what} moet eindigen op {allowed}",
            "Der Name von {what} muss enden auf {allowed}",
            "Le nom de {what} doit finir par {allowed}",
            "Nazwa {what} musi kończyć się na {allowed}",
        ],
    ),
    (
        Phrase::Where,
        [
            "Where {what}: {allowed}",
            "Waar {what}: {allowed}",
            "Wo {what}: {allowed}",
            "Là où {what} : {allowed}",
            "Tam, gdzie {what}: {allowed}",
        ],
    ),
    (Phrase::Or, [", or ", ", of ", ", oder ", ", ou ", ", albo "]),
];
