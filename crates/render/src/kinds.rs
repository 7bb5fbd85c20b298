//! The kinds of documents that have a page of their own: one row each, with its title. Invoices
//! are laid out by the semantic model ([`crate::invoice`]), all others by their structure
//! ([`crate::general`]); what has no row is shown as a tree ([`crate::markup`]).

use quoin_formats::DocumentKind;
use quoin_model::Language;

/// Declares the rows: `Kind "en" "nl" "de" "fr" "pl"`.
macro_rules! kinds {
    ($($kind:ident $en:literal $nl:literal $de:literal $fr:literal $pl:literal)*) => {
        /// The kinds that have a page, each with its title in five languages.
        pub(crate) const KINDS: &[(DocumentKind, [&str; 5])] =
            &[$((DocumentKind::$kind, [$en, $nl, $de, $fr, $pl]),)*];
    };
}

kinds! {
    Order "Order" "Order" "Bestellung" "Commande" "Zamówienie"
    OrderChange "Order change" "Orderwijziging" "Bestelländerung" "Modification de commande" "Zmiana zamówienia"
    OrderCancellation "Order cancellation" "Orderannulering" "Bestellstornierung" "Annulation de commande" "Anulowanie zamówienia"
    OrderResponse "Order response" "Orderbevestiging" "Auftragsbestätigung" "Réponse à la commande" "Odpowiedź na zamówienie"
    OrderAgreement "Order agreement" "Orderovereenkomst" "Auftragsvereinbarung" "Accord de commande" "Uzgodnienie zamówienia"
    OrderBalance "Order balance" "Ordersaldo" "Bestellsaldo" "Solde de commande" "Saldo zamówienia"
    DespatchAdvice "Despatch advice" "Verzendbericht" "Lieferavis" "Avis d’expédition" "Awizo wysyłki"
    DespatchAdviceResponse "Response to a despatch advice" "Antwoord op een verzendbericht" "Antwort auf ein Lieferavis" "Réponse à un avis d’expédition" "Odpowiedź na awizo wysyłki"
    ReceiptAdvice "Receipt advice" "Ontvangstbericht" "Wareneingangsmeldung" "Avis de réception" "Potwierdzenie odbioru"
    Catalogue "Catalogue" "Catalogus" "Katalog" "Catalogue" "Katalog"
    CatalogueChange "Catalogue change or request" "Cataloguswijziging of -verzoek" "Kataloganfrage oder -änderung" "Demande ou modification de catalogue" "Zmiana lub zapytanie o katalog"
    CatalogueResponse "Catalogue response" "Antwoord op een catalogus" "Katalogantwort" "Réponse au catalogue" "Odpowiedź na katalog"
    PunchOut "Punch-out" "Punch-out" "Punch-out" "Punch-out" "Punch-out"
    RequestForQuotation "Request for quotation" "Offerteaanvraag" "Angebotsanfrage" "Demande de devis" "Zapytanie ofertowe"
    Quotation "Quotation" "Offerte" "Angebot" "Devis" "Oferta"
    InvoiceResponse "Invoice response" "Factuurstatus" "Rechnungsantwort" "Réponse à la facture" "Odpowiedź na fakturę"
    MessageLevelResponse "Message level response" "Berichtstatus" "Nachrichtenantwort" "Réponse au message" "Odpowiedź na komunikat"
    MessageLevelStatus "Message level status" "Berichtstatus" "Nachrichtenstatus" "Statut du message" "Status komunikatu"
    ApplicationResponse "Application response" "Applicatieantwoord" "Anwendungsantwort" "Réponse applicative" "Odpowiedź aplikacji"
    TransportExecutionPlan "Transport execution plan" "Transportuitvoeringsplan" "Transportplan" "Plan de transport" "Plan wykonania transportu"
    TransportExecutionPlanRequest "Request for a transport execution plan" "Aanvraag transportuitvoeringsplan" "Anfrage nach einem Transportplan" "Demande de plan de transport" "Wniosek o plan transportu"
    TransportationStatus "Transportation status" "Transportstatus" "Transportstatus" "Statut du transport" "Status transportu"
    TransportationStatusRequest "Request for a transportation status" "Aanvraag transportstatus" "Anfrage nach dem Transportstatus" "Demande de statut du transport" "Wniosek o status transportu"
    TransportResponse "Transport response" "Transportantwoord" "Transportantwort" "Réponse de transport" "Odpowiedź transportowa"
    Waybill "Waybill" "Vrachtbrief" "Frachtbrief" "Lettre de voiture" "List przewozowy"
    WeightStatement "Weight statement" "Weegverklaring" "Gewichtsmeldung" "Déclaration de poids" "Oświadczenie o wadze"
    Logistics "Transport document" "Transportdocument" "Transportdokument" "Document de transport" "Dokument transportowy"
    Planning "Planning document" "Planningsdocument" "Planungsdokument" "Document de planification" "Dokument planistyczny"
    Tendering "Tendering document" "Aanbestedingsdocument" "Vergabedokument" "Document d’appel d’offres" "Dokument przetargowy"
    Statement "Statement of account" "Rekeningoverzicht" "Kontoauszug" "Relevé de compte" "Wyciąg z konta"
    UtilityStatement "Utility statement" "Verbruiksoverzicht" "Verbrauchsaufstellung" "Relevé de consommation" "Zestawienie zużycia"
    Reminder "Reminder" "Herinnering" "Mahnung" "Rappel" "Przypomnienie"
    RemittanceAdvice "Remittance advice" "Betalingsspecificatie" "Zahlungsavis" "Avis de paiement" "Awizo płatności"
    DebitNote "Debit note" "Debetnota" "Belastungsanzeige" "Note de débit" "Nota debetowa"
    FreightInvoice "Freight invoice" "Vrachtfactuur" "Frachtrechnung" "Facture de fret" "Faktura za fracht"
    TaxData "Tax data" "Belastinggegevens" "Steuerdaten" "Données fiscales" "Dane podatkowe"
    TaxDataStatus "Status of tax data" "Status van belastinggegevens" "Status von Steuerdaten" "Statut des données fiscales" "Status danych podatkowych"
    TransactionStatistics "Transaction statistics report" "Transactiestatistiek" "Transaktionsstatistik" "Statistique des transactions" "Statystyka transakcji"
    EndUserStatistics "End user statistics report" "Eindgebruikersstatistiek" "Endnutzerstatistik" "Statistique des utilisateurs" "Statystyka użytkowników"
    LifecycleStatus "Invoice life cycle status" "Levensloopstatus van een factuur" "Lebenszyklusstatus einer Rechnung" "Statut du cycle de vie" "Status cyklu życia faktury"
}

/// The title of a kind in a language; `None` where it has no page of its own.
pub(crate) fn title(kind: DocumentKind, language: Language) -> Option<&'static str> {
    let (_, titles) = KINDS.iter().find(|(own, _)| *own == kind)?;
    let place = Language::ALL.iter().position(|one| *one == language)?;
    titles.get(place).copied()
}
