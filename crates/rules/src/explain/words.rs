//! The words around an explanation, in five languages.

use quoin_model::vocabulary::Word;

/// For a rule by hand whose sentence is not written yet.
pub(crate) const NO_SENTENCE: Word = Word([
    "This place is judged by a test that has no sentence of its own.",
    "Deze plaats wordt beoordeeld door een toets zonder eigen zin.",
    "Diese Stelle wird von einer Prüfung ohne eigenen Satz beurteilt.",
    "Cet endroit est jugé par un test sans phrase propre.",
    "To miejsce ocenia sprawdzenie bez własnego zdania.",
]);

pub(crate) const TERMS: Word = Word(["about", "over", "betrifft", "porte sur", "dotyczy"]);
pub(crate) const PATCH: Word = Word(["patch", "aanpassing", "Änderung", "correctif", "poprawka"]);
pub(crate) const HAS_PATCH: Word = Word([
    "its findings may come with a change that fixes them for sure",
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
