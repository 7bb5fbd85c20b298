//! The words around an explanation, in five languages.

use crate::language::Language;
use crate::report::{FixBy, Flag};

/// A text in each language, English first.
pub(crate) struct Word(pub(crate) [&'static str; 5]);

impl Word {
    pub(crate) fn in_language(&self, language: Language) -> &'static str {
        let at = Language::ALL.iter().position(|own| *own == language).unwrap_or_default();
        self.0.get(at).copied().unwrap_or_default()
    }
}

/// For a rule by hand whose sentence is not written yet.
pub(crate) const NO_SENTENCE: Word = Word([
    "This place is judged by a test that has no sentence of its own.",
    "Deze plaats wordt beoordeeld door een toets zonder eigen zin.",
    "Diese Stelle wird von einer Prüfung ohne eigenen Satz beurteilt.",
    "Cet endroit est jugé par un test sans phrase propre.",
    "To miejsce ocenia sprawdzenie bez własnego zdania.",
]);

pub(crate) const TERMS: Word = Word(["about", "over", "betrifft", "porte sur", "dotyczy"]);
pub(crate) const TO_MEND: Word =
    Word(["to mend", "herstellen", "zu beheben", "à corriger", "do poprawy"]);
pub(crate) const PATCH: Word = Word(["patch", "aanpassing", "Änderung", "correctif", "poprawka"]);
pub(crate) const HAS_PATCH: Word = Word([
    "its findings may come with a change that mends them for sure",
    "de bevindingen kunnen een wijziging bevatten die ze zeker herstelt",
    "die Befunde können eine Änderung enthalten, die sie sicher behebt",
    "ses constats peuvent comporter une modification qui les corrige à coup sûr",
    "uwagi mogą zawierać zmianę, która na pewno je naprawia",
]);
pub(crate) const AT: Word = Word(["at", "bij", "bei", "à", "w"]);
pub(crate) const RIGHT: Word = Word(["right", "goed", "richtig", "juste", "dobrze"]);
pub(crate) const WRONG: Word = Word(["wrong", "fout", "falsch", "faux", "źle"]);
pub(crate) const IN: Word = Word(["in", "in", "in", "dans", "w zbiorze"]);
pub(crate) const FROM: Word = Word(["from", "vanaf", "ab", "à partir du", "od"]);
pub(crate) const UNTIL: Word = Word(["until", "tot", "bis", "jusqu'au", "do"]);
pub(crate) const MORE: Word = Word(["{} more", "nog {}", "noch {}", "{} de plus", "jeszcze {}"]);

/// A flag as a word.
pub(crate) fn flag(flag: Flag) -> Word {
    match flag {
        Flag::Fatal => Word(["fatal", "fataal", "fatal", "bloquant", "krytyczny"]),
        Flag::Warning => {
            Word(["warning", "waarschuwing", "Warnung", "avertissement", "ostrzeżenie"])
        }
        Flag::Information => {
            Word(["information", "informatie", "Hinweis", "information", "informacja"])
        }
    }
}

/// Who mends a finding.
pub(crate) fn fix_by(fix_by: FixBy) -> Word {
    match fix_by {
        FixBy::SourceSystem => Word([
            "the program that made the document",
            "het programma dat het document maakte",
            "das Programm, das das Dokument erstellt hat",
            "le programme qui a produit le document",
            "program, który utworzył dokument",
        ]),
        FixBy::MasterData => Word([
            "whoever keeps the sender's master data",
            "wie de stamgegevens van de afzender beheert",
            "wer die Stammdaten des Absenders pflegt",
            "qui tient les données de base de l'expéditeur",
            "osoba prowadząca dane podstawowe nadawcy",
        ]),
        FixBy::Receiver => {
            Word(["the receiver", "de ontvanger", "der Empfänger", "le destinataire", "odbiorca"])
        }
    }
}
