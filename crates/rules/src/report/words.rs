//! The words around the findings of a report, in five languages.

use quoin_model::Language;
use quoin_model::vocabulary::Word;

use super::{Difference, Flag, StepOutcome, Verdict};

pub(super) const VALID: Word = Word(["valid", "geldig", "gültig", "valide", "poprawny"]);
pub(super) const NOT_VALID: Word =
    Word(["not valid", "niet geldig", "nicht gültig", "non valide", "niepoprawny"]);
pub(super) const UNROUTABLE: Word = Word([
    "valid, cannot be routed",
    "geldig, niet te bezorgen",
    "gültig, nicht zustellbar",
    "valide, non acheminable",
    "poprawny, nie można doręczyć",
]);
pub(super) const NOT_JUDGED: Word =
    Word(["not judged", "niet beoordeeld", "nicht geprüft", "non jugé", "nieoceniony"]);
/// Behind a warning of a release that is published and not mandatory yet.
pub(super) const FATAL_FROM: Word = Word([
    "makes a document invalid from {}",
    "maakt een document ongeldig vanaf {}",
    "macht ein Dokument ungültig ab {}",
    "rend un document non valide à partir du {}",
    "czyni dokument niepoprawnym od {}",
]);
pub(super) const UNKNOWN: Word = Word([
    "unknown format",
    "onbekend formaat",
    "unbekanntes Format",
    "format inconnu",
    "nieznany format",
]);
pub(super) const FURTHER: Word = Word([
    "and {} further findings",
    "en nog {} bevindingen",
    "und {} weitere Befunde",
    "et {} autres constats",
    "i jeszcze {} uwag",
]);
pub(super) const AT: Word = Word(["at", "waar", "Ort", "où", "gdzie"]);
pub(super) const WHERE: Word = Word(["Where", "Waar", "Ort", "Où", "Gdzie"]);
pub(super) const FIXED_BY: Word =
    Word(["Who can fix it", "Herstellen", "Zu beheben durch", "À corriger par", "Do poprawy"]);
pub(super) const PLACE: Word = Word([
    "line {}, column {}",
    "regel {}, kolom {}",
    "Zeile {}, Spalte {}",
    "ligne {}, colonne {}",
    "wiersz {}, kolumna {}",
]);
pub(super) const FOUND: Word = Word(["found", "gevonden", "gefunden", "trouvé", "jest"]);
pub(super) const EXPECTED: Word = Word(["expected", "verwacht", "erwartet", "attendu", "powinno"]);
pub(super) const MORE: Word = Word(["more", "meer", "mehr", "plus", "więcej"]);
pub(super) const REFUSED_FROM: Word = Word([
    "will be refused from {}",
    "wordt geweigerd vanaf {}",
    "wird abgelehnt ab {}",
    "sera refusé à partir du {}",
    "będzie odrzucany od {}",
]);
pub(super) const WARNED_FROM: Word = Word([
    "will get new warnings from {}",
    "krijgt nieuwe waarschuwingen vanaf {}",
    "erhält neue Warnungen ab {}",
    "recevra de nouveaux avertissements à partir du {}",
    "otrzyma nowe ostrzeżenia od {}",
]);
pub(super) const DIFFER: Word = Word([
    "built-in and official rules differ",
    "ingebouwde en officiële regels verschillen",
    "eingebaute und offizielle Regeln weichen voneinander ab",
    "les règles intégrées et officielles diffèrent",
    "reguły wbudowane i oficjalne różnią się",
]);
pub(super) const BUILT_IN: Word =
    Word(["built-in {}", "ingebouwd {}", "eingebaut {}", "intégrée {}", "wbudowana {}"]);
pub(super) const NO_RULE: Word = Word([
    "no built-in rule",
    "geen ingebouwde regel",
    "keine eingebaute Regel",
    "pas de règle intégrée",
    "brak reguły wbudowanej",
]);
pub(super) const OFFICIAL: Word =
    Word(["official {}", "officieel {}", "offiziell {}", "officielle {}", "oficjalna {}"]);
pub(super) const FORMAT: Word = Word(["Format", "Formaat", "Format", "Format", "Format"]);
pub(super) const PROFILE: Word = Word(["Profile", "Profiel", "Profil", "Profil", "Profil"]);
pub(super) const RULES: Word = Word(["Rules", "Regels", "Regeln", "Règles", "Reguły"]);
pub(super) const RULES_OF: Word =
    Word(["Rules of", "Regels van", "Regeln vom", "Règles du", "Reguły z dnia"]);
pub(super) const STEPS: Word = Word(["Steps", "Stappen", "Schritte", "Étapes", "Kroki"]);
pub(super) const TERMS: Word = Word([
    "Business terms",
    "Bedrijfstermen",
    "Geschäftsbegriffe",
    "Termes métier",
    "Terminy biznesowe",
]);
pub(super) const RULE_SET: Word =
    Word(["Rule set", "Regelset", "Regelsatz", "Jeu de règles", "Zbiór reguł"]);
pub(super) const TEST: Word = Word(["Test", "Toets", "Prüfung", "Test", "Sprawdzenie"]);
pub(super) const BY: Word = Word(["by {}", "door {}", "durch {}", "par {}", "według {}"]);

/// One finding of a flag, and several. Where a language has more forms, one that fits any number.
pub(super) fn counted(flag: Flag, count: usize, language: Language) -> String {
    let (one, more) = match flag {
        Flag::Fatal => (
            Word(["{} error", "{} fout", "{} Fehler", "{} erreur", "błędy: {}"]),
            Word(["{} errors", "{} fouten", "{} Fehler", "{} erreurs", "błędy: {}"]),
        ),
        Flag::Warning => (
            Word([
                "{} warning",
                "{} waarschuwing",
                "{} Warnung",
                "{} avertissement",
                "ostrzeżenia: {}",
            ]),
            Word([
                "{} warnings",
                "{} waarschuwingen",
                "{} Warnungen",
                "{} avertissements",
                "ostrzeżenia: {}",
            ]),
        ),
        Flag::Information => (
            Word(["{} remark", "{} opmerking", "{} Hinweis", "{} remarque", "informacje: {}"]),
            Word(["{} remarks", "{} opmerkingen", "{} Hinweise", "{} remarques", "informacje: {}"]),
        ),
    };
    let word = if count == 1 { one } else { more };
    word.in_language(language).replace("{}", &count.to_string())
}

/// How often each side fired.
pub(super) fn difference(found: &Difference, language: Language) -> String {
    let say =
        |word: Word, times: usize| word.in_language(language).replace("{}", &times.to_string());
    let builtin = match found.builtin {
        Some(times) => say(BUILT_IN, times),
        None => NO_RULE.in_language(language).to_owned(),
    };
    format!("{builtin}, {}", say(OFFICIAL, found.official))
}

/// How a step ended.
pub(super) fn outcome(outcome: StepOutcome) -> Word {
    match outcome {
        StepOutcome::Passed => Word(["passed", "goed", "bestanden", "réussi", "zaliczony"]),
        StepOutcome::Failed => {
            Word(["failed", "mislukt", "nicht bestanden", "échoué", "niezaliczony"])
        }
        StepOutcome::Skipped => {
            Word(["skipped", "overgeslagen", "übersprungen", "omis", "pominięty"])
        }
    }
}

/// A verdict as people read it.
pub(super) fn verdict(verdict: Verdict, language: Language) -> &'static str {
    let word = match verdict {
        Verdict::Valid => VALID,
        Verdict::Unroutable => UNROUTABLE,
        Verdict::NotJudged => NOT_JUDGED,
        Verdict::NotValid => NOT_VALID,
    };
    word.in_language(language)
}
