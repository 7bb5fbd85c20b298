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

// The words of the pages.

pub(crate) const RULES: Word = Word(["Rules", "Regels", "Regeln", "Règles", "Reguły"]);
pub(crate) const ALL_RULES: Word =
    Word(["All rules", "Alle regels", "Alle Regeln", "Toutes les règles", "Wszystkie reguły"]);
pub(crate) const INTRODUCTION: Word = Word([
    "What the built-in rules ask of a document. Rules with a sentence of their own have a page \
     here. Rules that only say that an element is not used, must be there or has a code of a list \
     are on the page of their set.",
    "Wat de ingebouwde regels van een document vragen. Regels met een eigen zin hebben hier een \
     pagina. Regels die alleen zeggen dat een element niet gebruikt wordt, aanwezig moet zijn of \
     een code uit een lijst heeft, staan op de pagina van hun set.",
    "Was die eingebauten Regeln von einem Dokument verlangen. Regeln mit einem eigenen Satz haben \
     hier eine Seite. Regeln, die nur sagen, dass ein Element nicht verwendet wird, vorhanden sein \
     muss oder einen Code einer Liste hat, stehen auf der Seite ihres Regelsatzes.",
    "Ce que les règles intégrées demandent à un document. Les règles qui ont leur propre phrase \
     ont une page ici. Celles qui disent seulement qu'un élément n'est pas utilisé, doit être \
     présent ou porte un code d'une liste figurent sur la page de leur jeu de règles.",
    "Czego wbudowane reguły wymagają od dokumentu. Reguły z własnym zdaniem mają tu stronę. Reguły, \
     które mówią tylko, że element nie jest używany, musi być obecny lub ma kod z listy, są na \
     stronie swojego zbioru.",
]);
pub(crate) const SETS: Word =
    Word(["Sets of rules", "Sets van regels", "Regelsätze", "Jeux de règles", "Zbiory reguł"]);
pub(crate) const OWN_FINDINGS: Word = Word([
    "Findings of Quoin itself",
    "Bevindingen van Quoin zelf",
    "Befunde von Quoin selbst",
    "Constats propres à Quoin",
    "Uwagi własne programu Quoin",
]);
pub(crate) const FIX: Word = Word([
    "Who can fix it",
    "Wie het kan herstellen",
    "Wer es beheben kann",
    "Qui peut le corriger",
    "Kto może to poprawić",
]);
pub(crate) const ABOUT: Word = Word([
    "What it is about",
    "Waar het over gaat",
    "Worum es geht",
    "De quoi il s'agit",
    "Czego dotyczy",
]);
pub(crate) const PAGE_IN: Word =
    Word(["Tested in", "Getoetst in", "Geprüft in", "Vérifiée dans", "Sprawdzana w zbiorach"]);
pub(crate) const PAGE_AT: Word = Word(["At", "Bij", "Bei", "À", "W miejscu"]);
pub(crate) const RELEASE: Word = Word(["release", "uitgave", "Ausgabe", "version", "wydanie"]);
pub(crate) const WITH_PAGE: Word = Word([
    "Rules with a page",
    "Regels met een pagina",
    "Regeln mit einer Seite",
    "Règles avec une page",
    "Reguły ze stroną",
]);
pub(crate) const STRUCTURE: Word =
    Word(["Structure", "Structuur", "Struktur", "Structure", "Struktura"]);
pub(crate) const RULE: Word = Word(["rule", "regel", "Regel", "règle", "reguła"]);
pub(crate) const FLAG: Word = Word(["weight", "gewicht", "Gewicht", "gravité", "waga"]);
pub(crate) const ASKS: Word = Word(["asks", "vraagt", "verlangt", "demande", "wymaga"]);
pub(crate) const ONLY_IN: Word =
    Word(["Only in {}.", "Alleen in {}.", "Nur in {}.", "Seulement dans {}.", "Tylko w {}."]);
