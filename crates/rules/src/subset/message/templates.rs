//! The sentences: one for each kind of row, in five languages.

use super::{Language, MessageKey};

/// The sentence of a kind, with `{element}`, `{what}`, `{found}` and `{allowed}` to be filled in.
pub fn template(kind: MessageKey, language: Language) -> &'static str {
    let row = TEMPLATES.iter().find(|(own, _)| *own == kind);
    row.map_or("", |(_, texts)| pick(texts, language))
}

pub(super) fn because(language: Language) -> &'static str {
    pick(
        &[
            "This is asked for because {given} is there.",
            "Dit wordt gevraagd omdat {given} aanwezig is.",
            "Das wird verlangt, weil {given} vorhanden ist.",
            "Ceci est demandé parce que {given} est présent.",
            "Jest to wymagane, ponieważ występuje {given}.",
        ],
        language,
    )
}

fn pick<'t>(texts: &[&'t str; 5], language: Language) -> &'t str {
    let [en, nl, de, fr, pl] = texts;
    match language {
        Language::En => en,
        Language::Nl => nl,
        Language::De => de,
        Language::Fr => fr,
        Language::Pl => pl,
    }
}

/// A row for each kind: English, Dutch, German, French, Polish.
static TEMPLATES: &[(MessageKey, [&str; 5])] = &[
    (
        MessageKey::NotExpected,
        [
            "The profile does not use {element} in this place: take it out.",
            "Het profiel gebruikt {element} niet op deze plaats: laat het weg.",
            "Das Profil verwendet {element} an dieser Stelle nicht: bitte weglassen.",
            "Le profil n'utilise pas {element} à cet endroit : retirez-le.",
            "Profil nie używa {element} w tym miejscu: usuń je.",
        ],
    ),
    (
        MessageKey::Empty,
        [
            "{element} has nothing in it: fill it in, or leave it out where it may be left out.",
            "{element} is leeg: vul het in, of laat het weg waar dat mag.",
            "{element} ist leer: bitte ausfüllen oder weglassen, wo es fehlen darf.",
            "{element} est vide : remplissez-le, ou retirez-le là où il peut manquer.",
            "{element} jest puste: uzupełnij je albo usuń tam, gdzie może go nie być.",
        ],
    ),
    (
        MessageKey::NotUsed,
        [
            "{what} is not used in {element}: take it out.",
            "{what} wordt niet gebruikt in {element}: laat het weg.",
            "{what} wird in {element} nicht verwendet: bitte weglassen.",
            "{what} n'est pas utilisé dans {element} : retirez-le.",
            "{what} nie jest używane w {element}: usuń je.",
        ],
    ),
    (
        MessageKey::Required,
        [
            "{element} must have {what}, which is missing.",
            "{element} moet {what} hebben; dat ontbreekt.",
            "{element} muss {what} enthalten; es fehlt.",
            "{element} doit contenir {what}, qui manque.",
            "{element} musi zawierać {what}; brakuje go.",
        ],
    ),
    (
        MessageKey::OneOf,
        [
            "{element} must have at least one of these, and has none: {what}.",
            "{element} moet er minstens een van hebben en heeft er geen: {what}.",
            "{element} muss mindestens eines davon enthalten und enthält keines: {what}.",
            "{element} doit contenir au moins l'un d'eux et n'en contient aucun : {what}.",
            "{element} musi zawierać co najmniej jedno z nich, a nie zawiera żadnego: {what}.",
        ],
    ),
    (
        MessageKey::Occurs,
        [
            "{element} has {what} {found} times; allowed: {allowed}.",
            "{what} staat {found} keer in {element}; toegestaan: {allowed}.",
            "{what} kommt in {element} {found}-mal vor; erlaubt: {allowed}.",
            "{what} figure {found} fois dans {element} ; permis : {allowed}.",
            "{what} występuje {found} razy w {element}; dozwolone: {allowed}.",
        ],
    ),
    (
        MessageKey::Code,
        [
            "\"{found}\" is not a code that {element} may have ({what}). Allowed: {allowed}.",
            "\"{found}\" is geen code die {element} mag hebben ({what}). Toegestaan: {allowed}.",
            "„{found}“ ist kein Code, den {element} haben darf ({what}). Erlaubt: {allowed}.",
            "« {found} » n'est pas un code permis pour {element} ({what}). Permis : {allowed}.",
            "„{found}” nie jest kodem dozwolonym w {element} ({what}). Dozwolone: {allowed}.",
        ],
    ),
    (
        MessageKey::Value,
        [
            "{element} has \"{found}\" ({what}); expected: {allowed}.",
            "{element} heeft \"{found}\" ({what}); verwacht: {allowed}.",
            "{element} hat „{found}“ ({what}); erwartet: {allowed}.",
            "{element} a « {found} » ({what}) ; attendu : {allowed}.",
            "{element} ma „{found}” ({what}); oczekiwane: {allowed}.",
        ],
    ),
    (
        MessageKey::NotThisValue,
        [
            "{element} has \"{found}\" ({what}), which is not allowed here.",
            "{element} heeft \"{found}\" ({what}); dat is hier niet toegestaan.",
            "{element} hat „{found}“ ({what}); das ist hier nicht erlaubt.",
            "{element} a « {found} » ({what}), ce qui n'est pas permis ici.",
            "{element} ma „{found}” ({what}); tutaj nie jest to dozwolone.",
        ],
    ),
    (
        MessageKey::NotEmpty,
        [
            "{element} must have a value at {what}; it is missing or empty.",
            "{element} moet een waarde hebben bij {what}; die ontbreekt of is leeg.",
            "{element} braucht einen Wert bei {what}; er fehlt oder ist leer.",
            "{element} doit avoir une valeur pour {what} ; elle manque ou est vide.",
            "{element} musi mieć wartość w {what}; brakuje jej lub jest pusta.",
        ],
    ),
    (
        MessageKey::Length,
        [
            "\"{found}\" is too long for {element} ({what}): at most {allowed} characters.",
            "\"{found}\" is te lang voor {element} ({what}): hoogstens {allowed} tekens.",
            "„{found}“ ist zu lang für {element} ({what}): höchstens {allowed} Zeichen.",
            "« {found} » est trop long pour {element} ({what}) : {allowed} caractères au plus.",
            "„{found}” jest za długie dla {element} ({what}): najwyżej {allowed} znaków.",
        ],
    ),
    (
        MessageKey::Decimals,
        [
            "\"{found}\" has too many decimals for {element} ({what}): at most {allowed}.",
            "\"{found}\" heeft te veel decimalen voor {element} ({what}): hoogstens {allowed}.",
            "„{found}“ hat zu viele Nachkommastellen für {element} ({what}): höchstens {allowed}.",
            "« {found} » a trop de décimales pour {element} ({what}) : {allowed} au plus.",
            "„{found}” ma za dużo miejsc dziesiętnych dla {element} ({what}): najwyżej {allowed}.",
        ],
    ),
    (
        MessageKey::Date,
        [
            "\"{found}\" is not a date: {element} is written {allowed}.",
            "\"{found}\" is geen datum: {element} wordt geschreven als {allowed}.",
            "„{found}“ ist kein Datum: {element} wird als {allowed} geschrieben.",
            "« {found} » n'est pas une date : {element} s'écrit {allowed}.",
            "„{found}” nie jest datą: {element} zapisuje się jako {allowed}.",
        ],
    ),
    (
        MessageKey::Prefix,
        [
            "{element} is \"{found}\"; it must start with {allowed}.",
            "{element} is \"{found}\"; het moet beginnen met {allowed}.",
            "{element} ist „{found}“; es muss mit {allowed} beginnen.",
            "{element} vaut « {found} » ; il doit commencer par {allowed}.",
            "{element} ma wartość „{found}”; musi zaczynać się od {allowed}.",
        ],
    ),
    (
        MessageKey::Combination,
        [
            "{element} does not keep what the rule asks: {asked}",
            "{element} voldoet niet aan wat de regel vraagt: {asked}",
            "{element} erfüllt nicht, was die Regel verlangt: {asked}",
            "{element} ne respecte pas ce que la règle demande : {asked}",
            "{element} nie spełnia tego, czego wymaga reguła: {asked}",
        ],
    ),
];
