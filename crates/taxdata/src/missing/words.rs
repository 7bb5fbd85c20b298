//! The terms in people's words. One row a term; those of PINT (`IBT-`) have the words of the term
//! of EN 16931 with the same number.

use quoin_model::Language;

/// A text in every language, in the order of [`Language::ALL`].
pub(super) struct Spoken(pub(super) [&'static str; 5]);

impl Spoken {
    pub(super) fn of(&self, language: Language) -> &'static str {
        let [en, nl, de, fr, pl] = self.0;
        match language {
            Language::En => en,
            Language::Nl => nl,
            Language::De => de,
            Language::Fr => fr,
            Language::Pl => pl,
        }
    }
}

pub(super) const BEGINNING: Spoken = Spoken([
    "The invoice cannot be reported to the tax authority. It has no usable",
    "De factuur kan niet aan de belastingdienst worden gerapporteerd. Er ontbreekt:",
    "Die Rechnung kann der Steuerbehörde nicht gemeldet werden. Es fehlt:",
    "La facture ne peut pas être déclarée à l'administration fiscale. Il manque :",
    "Faktury nie można zgłosić organowi podatkowemu. Brakuje:",
]);
pub(super) const LINE: Spoken = Spoken(["line", "regel", "Zeile", "ligne", "pozycja"]);
pub(super) const ISSUER: Spoken = Spoken([
    "Who issued the invoice can correct it, with a new invoice.",
    "De opsteller van de factuur kan dit verbeteren, met een nieuwe factuur.",
    "Wer die Rechnung ausgestellt hat, kann sie mit einer neuen Rechnung berichtigen.",
    "L'émetteur de la facture peut la corriger par une nouvelle facture.",
    "Wystawca faktury może ją poprawić nową fakturą.",
]);
pub(super) const PROVIDER: Spoken = Spoken([
    "The operator of this service can correct it, in the profile of the report.",
    "De beheerder van deze dienst kan dit verbeteren, in het profiel van het rapport.",
    "Der Betreiber dieses Dienstes kann das im Profil des Berichts berichtigen.",
    "L'exploitant de ce service peut le corriger dans le profil du rapport.",
    "Operator tej usługi może to poprawić w profilu zgłoszenia.",
]);

/// What a term is; that it is one where there are no words for it.
pub(super) fn of_term(term: &str, language: Language) -> &'static str {
    known(term, language).unwrap_or_else(|| UNKNOWN.of(language))
}

/// What a term is, where there are words for it.
pub(super) fn known(term: &str, language: Language) -> Option<&'static str> {
    // A part has the words of its term: `IBT-034-1`.
    let national = term.strip_prefix("IB").and_then(|rest| rest.split_once('-'));
    let own = match national {
        Some((kind, rest)) => {
            let number = rest.split('-').next().unwrap_or_default().trim_start_matches('0');
            format!("B{kind}-{number}")
        }
        None => term.to_owned(),
    };
    let spoken = WORDS.iter().find(|row| row.0 == own).map(|row| row.1.of(language));
    spoken.or_else(|| more(&own, language))
}

/// The same of terms that a report can do without: a line each, `term | en | nl | de | fr | pl`.
fn more(term: &str, language: Language) -> Option<&'static str> {
    let at = Language::ALL.iter().position(|own| *own == language)?;
    let mut rows = MORE.lines().map(|line| line.split(" | "));
    let mut row = rows.find_map(|mut row| (row.next() == Some(term)).then_some(row))?;
    row.nth(at)
}

const MORE: &str = include_str!("terms.txt");

const UNKNOWN: Spoken = Spoken(["term", "gegeven", "Angabe", "donnée", "dane"]);

const WORDS: &[(&str, Spoken)] = &[
    (
        "BT-1",
        Spoken([
            "invoice number",
            "factuurnummer",
            "Rechnungsnummer",
            "numéro de facture",
            "numer faktury",
        ]),
    ),
    (
        "BT-2",
        Spoken([
            "day of issue",
            "factuurdatum",
            "Rechnungsdatum",
            "date d'émission",
            "data wystawienia",
        ]),
    ),
    (
        "BT-3",
        Spoken([
            "kind of invoice",
            "soort factuur",
            "Rechnungsart",
            "type de facture",
            "rodzaj faktury",
        ]),
    ),
    ("BT-5", Spoken(["currency", "valuta", "Währung", "devise", "waluta"])),
    (
        "BT-23",
        Spoken([
            "business process",
            "bedrijfsproces",
            "Geschäftsprozess",
            "processus métier",
            "proces biznesowy",
        ]),
    ),
    (
        "BT-24",
        Spoken([
            "specification that it follows",
            "specificatie die wordt gevolgd",
            "Spezifikation, der sie folgt",
            "spécification suivie",
            "specyfikacja",
        ]),
    ),
    (
        "BT-27",
        Spoken([
            "name of the seller",
            "naam van de verkoper",
            "Name des Verkäufers",
            "nom du vendeur",
            "nazwa sprzedawcy",
        ]),
    ),
    (
        "BT-31",
        Spoken([
            "VAT number of the seller",
            "btw-nummer van de verkoper",
            "Umsatzsteuer-Identifikationsnummer des Verkäufers",
            "numéro de TVA du vendeur",
            "numer VAT sprzedawcy",
        ]),
    ),
    (
        "BT-34",
        Spoken([
            "electronic address of the seller",
            "elektronisch adres van de verkoper",
            "elektronische Adresse des Verkäufers",
            "adresse électronique du vendeur",
            "adres elektroniczny sprzedawcy",
        ]),
    ),
    (
        "BT-44",
        Spoken([
            "name of the buyer",
            "naam van de koper",
            "Name des Käufers",
            "nom de l'acheteur",
            "nazwa nabywcy",
        ]),
    ),
    (
        "BT-48",
        Spoken([
            "VAT number of the buyer",
            "btw-nummer van de koper",
            "Umsatzsteuer-Identifikationsnummer des Käufers",
            "numéro de TVA de l'acheteur",
            "numer VAT nabywcy",
        ]),
    ),
    ("BG-7", Spoken(["buyer", "koper", "Käufer", "acheteur", "nabywca"])),
    (
        "BT-106",
        Spoken([
            "sum of the lines",
            "som van de regels",
            "Summe der Zeilen",
            "total des lignes",
            "suma pozycji",
        ]),
    ),
    (
        "BT-109",
        Spoken([
            "total without VAT",
            "totaal zonder btw",
            "Gesamtbetrag ohne Umsatzsteuer",
            "total hors TVA",
            "suma bez VAT",
        ]),
    ),
    (
        "BT-110",
        Spoken([
            "total of VAT",
            "totaal van de btw",
            "Gesamtbetrag der Umsatzsteuer",
            "total de TVA",
            "suma VAT",
        ]),
    ),
    (
        "BT-111",
        Spoken([
            "total of VAT in the currency of accounting",
            "totaal van de btw in de boekhoudvaluta",
            "Gesamtbetrag der Umsatzsteuer in der Abrechnungswährung",
            "total de TVA en devise de comptabilisation",
            "suma VAT w walucie rozliczeniowej",
        ]),
    ),
    (
        "BT-112",
        Spoken([
            "total with VAT",
            "totaal met btw",
            "Gesamtbetrag mit Umsatzsteuer",
            "total TTC",
            "suma z VAT",
        ]),
    ),
    (
        "BT-115",
        Spoken([
            "amount to be paid",
            "te betalen bedrag",
            "Zahlbetrag",
            "montant à payer",
            "kwota do zapłaty",
        ]),
    ),
    (
        "BG-23",
        Spoken([
            "breakdown of VAT",
            "uitsplitsing van de btw",
            "Aufschlüsselung der Umsatzsteuer",
            "ventilation de la TVA",
            "zestawienie VAT",
        ]),
    ),
    (
        "BT-116",
        Spoken([
            "taxable amount of a VAT category",
            "grondslag van een btw-categorie",
            "Bemessungsgrundlage einer Steuerkategorie",
            "base d'imposition d'une catégorie de TVA",
            "podstawa opodatkowania kategorii VAT",
        ]),
    ),
    (
        "BT-117",
        Spoken([
            "amount of a VAT category",
            "bedrag van een btw-categorie",
            "Steuerbetrag einer Kategorie",
            "montant d'une catégorie de TVA",
            "kwota kategorii VAT",
        ]),
    ),
    (
        "BT-118",
        Spoken([
            "code of a VAT category",
            "code van een btw-categorie",
            "Code einer Steuerkategorie",
            "code d'une catégorie de TVA",
            "kod kategorii VAT",
        ]),
    ),
    (
        "BT-119",
        Spoken([
            "rate of a VAT category",
            "tarief van een btw-categorie",
            "Steuersatz einer Kategorie",
            "taux d'une catégorie de TVA",
            "stawka kategorii VAT",
        ]),
    ),
    ("BG-25", Spoken(["line", "regel", "Zeile", "ligne", "pozycja"])),
    (
        "BT-126",
        Spoken([
            "number of a line",
            "nummer van een regel",
            "Nummer einer Zeile",
            "numéro d'une ligne",
            "numer pozycji",
        ]),
    ),
    ("BT-129", Spoken(["quantity", "hoeveelheid", "Menge", "quantité", "ilość"])),
    (
        "BT-130",
        Spoken([
            "unit of the quantity",
            "eenheid van de hoeveelheid",
            "Einheit der Menge",
            "unité de la quantité",
            "jednostka miary",
        ]),
    ),
    (
        "BT-131",
        Spoken([
            "amount of a line",
            "bedrag van een regel",
            "Betrag einer Zeile",
            "montant d'une ligne",
            "kwota pozycji",
        ]),
    ),
    (
        "BT-146",
        Spoken([
            "price of an item",
            "prijs van een artikel",
            "Preis eines Artikels",
            "prix d'un article",
            "cena towaru",
        ]),
    ),
    (
        "BT-153",
        Spoken([
            "name of an item",
            "naam van een artikel",
            "Name eines Artikels",
            "nom d'un article",
            "nazwa towaru",
        ]),
    ),
    (
        "BTAE-07",
        Spoken([
            "unique identifier (UUID) of the invoice",
            "unieke identificatie (UUID) van de factuur",
            "eindeutige Kennung (UUID) der Rechnung",
            "identifiant unique (UUID) de la facture",
            "unikalny identyfikator (UUID) faktury",
        ]),
    ),
    (
        "BTOM-002",
        Spoken([
            "unique identifier (UUID of version 5) of the invoice",
            "unieke identificatie (UUID van versie 5) van de factuur",
            "eindeutige Kennung (UUID der Version 5) der Rechnung",
            "identifiant unique (UUID de version 5) de la facture",
            "unikalny identyfikator (UUID wersji 5) faktury",
        ]),
    ),
    (
        "TDT-007",
        Spoken([
            "kind of submission that the regime knows",
            "soort inzending die het regime kent",
            "Art der Meldung, die das Regime kennt",
            "type de déclaration que le régime connaît",
            "rodzaj zgłoszenia znany temu reżimowi",
        ]),
    ),
    (
        "TDT-018",
        Spoken([
            "identifier of the transmission",
            "identificatie van de verzending",
            "Kennung der Übermittlung",
            "identifiant de la transmission",
            "identyfikator transmisji",
        ]),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_pint_have_the_words_of_their_number() {
        let words = |term| of_term(term, Language::En);
        assert_eq!(words("IBT-034-1"), words("BT-34"));
        assert_eq!(words("IBT-001"), words("BT-1"));
        assert_eq!(words("BT-9"), "term");
        for (term, _) in WORDS {
            for language in Language::ALL {
                assert!(!of_term(term, language).is_empty(), "{term}");
            }
        }
    }
}
