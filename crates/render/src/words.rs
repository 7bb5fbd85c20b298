//! The words of a page that are not the document's own, in five languages.
//!
//! A word is a variant with its five texts in one row, so that a missing translation does not
//! compile. Names of elements and of codes are in [`crate::names`] and [`crate::codes`].

use quoin_model::Language;

/// Declares the words: `Name "en" "nl" "de" "fr" "pl"`.
macro_rules! words {
    ($($name:ident $en:literal $nl:literal $de:literal $fr:literal $pl:literal)*) => {
        /// A word of the page.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each is the word of its row")]
        pub enum PageWord { $($name,)* }

        impl PageWord {
            /// Every word.
            pub const ALL: &[PageWord] = &[$(PageWord::$name,)*];

            /// The word in a language.
            pub fn text(self, language: Language) -> &'static str {
                let all: [&'static str; 5] = match self {
                    $(PageWord::$name => [$en, $nl, $de, $fr, $pl],)*
                };
                let [en, nl, de, fr, pl] = all;
                match language {
                    Language::En => en,
                    Language::Nl => nl,
                    Language::De => de,
                    Language::Fr => fr,
                    Language::Pl => pl,
                }
            }
        }
    };
}

words! {
    // Headings of sections.
    Lines "Lines" "Regels" "Positionen" "Lignes" "Pozycje"
    Totals "Totals" "Totalen" "Summen" "Totaux" "Podsumowanie"
    VatBreakdown "VAT breakdown" "Btw-specificatie" "Umsatzsteuer nach Sätzen" "Ventilation de la TVA" "Rozliczenie VAT"
    Payment "Payment" "Betaling" "Zahlung" "Paiement" "Płatność"
    Delivery "Delivery" "Levering" "Lieferung" "Livraison" "Dostawa"
    References "References" "Verwijzingen" "Bezüge" "Références" "Odniesienia"
    Notes "Notes" "Opmerkingen" "Bemerkungen" "Remarques" "Uwagi"
    Parties "Parties" "Partijen" "Beteiligte" "Parties" "Strony"
    Attachments "Attachments" "Bijlagen" "Anlagen" "Pièces jointes" "Załączniki"
    Allowances "Allowances and charges" "Kortingen en toeslagen" "Nachlässe und Zuschläge" "Remises et frais" "Rabaty i obciążenia"
    Overview "Overview" "Overzicht" "Übersicht" "Aperçu" "Przegląd"
    Appendix "Further data of the document" "Overige gegevens van het document" "Weitere Angaben des Dokuments" "Autres données du document" "Pozostałe dane dokumentu"
    Findings "Findings of validation" "Bevindingen van de validatie" "Befunde der Prüfung" "Constats de la validation" "Wyniki walidacji"
    Contents "The document" "Het document" "Das Dokument" "Le document" "Dokument"
    // Parties.
    Seller "Seller" "Verkoper" "Verkäufer" "Vendeur" "Sprzedawca"
    Buyer "Buyer" "Koper" "Käufer" "Acheteur" "Nabywca"
    Payee "Payee" "Begunstigde" "Zahlungsempfänger" "Bénéficiaire" "Odbiorca płatności"
    TaxRepresentative "Tax representative of the seller" "Fiscaal vertegenwoordiger" "Steuervertreter des Verkäufers" "Représentant fiscal du vendeur" "Przedstawiciel podatkowy"
    DeliverTo "Deliver to" "Afleveradres" "Lieferempfänger" "Destinataire" "Odbiorca dostawy"
    OtherParty "Other party" "Andere partij" "Weiterer Beteiligter" "Autre partie" "Inna strona"
    TradingName "Trading name" "Handelsnaam" "Handelsname" "Nom commercial" "Nazwa handlowa"
    VatId "VAT number" "Btw-nummer" "USt-IdNr." "Numéro de TVA" "Numer VAT"
    TaxNumber "Tax number" "Fiscaal nummer" "Steuernummer" "Numéro fiscal" "Numer podatkowy"
    Registration "Registration number" "Registratienummer" "Registernummer" "Numéro d’immatriculation" "Numer rejestrowy"
    Identifier "Identifier" "Identificatie" "Kennung" "Identifiant" "Identyfikator"
    LegalInformation "Legal information" "Juridische informatie" "Rechtliche Angaben" "Informations juridiques" "Informacje prawne"
    ElectronicAddress "Electronic address" "Elektronisch adres" "Elektronische Adresse" "Adresse électronique" "Adres elektroniczny"
    Contact "Contact" "Contact" "Kontakt" "Contact" "Kontakt"
    Telephone "Telephone" "Telefoon" "Telefon" "Téléphone" "Telefon"
    Email "E-mail" "E-mail" "E-Mail" "E-mail" "E-mail"
    // Facts of the document.
    Number "Number" "Nummer" "Nummer" "Numéro" "Numer"
    IssueDate "Date of issue" "Factuurdatum" "Ausstellungsdatum" "Date d’émission" "Data wystawienia"
    DocumentType "Type of document" "Soort document" "Art des Dokuments" "Type de document" "Rodzaj dokumentu"
    Currency "Currency" "Valuta" "Währung" "Devise" "Waluta"
    TaxCurrency "VAT accounting currency" "Valuta van de btw" "Währung der Umsatzsteuer" "Devise de la TVA" "Waluta rozliczenia VAT"
    TaxPointDate "VAT point date" "Btw-datum" "Steuerzeitpunkt" "Date d’exigibilité de la TVA" "Data obowiązku VAT"
    TaxPointCode "VAT point" "Btw-tijdstip" "Steuerzeitpunkt (Code)" "Exigibilité de la TVA" "Moment obowiązku VAT"
    DueDate "Payment due" "Vervaldatum" "Fällig am" "Échéance" "Termin płatności"
    BuyerReference "Buyer reference" "Referentie van de koper" "Referenz des Käufers" "Référence de l’acheteur" "Referencja nabywcy"
    AccountingReference "Accounting reference" "Boekingsreferentie" "Buchungsreferenz" "Référence comptable" "Referencja księgowa"
    Period "Period" "Periode" "Zeitraum" "Période" "Okres"
    From "from" "van" "von" "du" "od"
    Until "until" "tot en met" "bis" "au" "do"
    Specification "Specification" "Specificatie" "Spezifikation" "Spécification" "Specyfikacja"
    Process "Business process" "Bedrijfsproces" "Geschäftsprozess" "Processus métier" "Proces biznesowy"
    // References.
    Project "Project" "Project" "Projekt" "Projet" "Projekt"
    Contract "Contract" "Contract" "Vertrag" "Contrat" "Umowa"
    PurchaseOrder "Purchase order" "Inkooporder" "Bestellung" "Commande" "Zamówienie"
    SalesOrder "Sales order" "Verkooporder" "Auftrag" "Ordre de vente" "Zlecenie sprzedaży"
    ReceivingAdvice "Receiving advice" "Ontvangstbericht" "Wareneingangsmeldung" "Avis de réception" "Potwierdzenie odbioru"
    DespatchAdvice "Despatch advice" "Verzendbericht" "Lieferavis" "Avis d’expédition" "Awizo wysyłki"
    Tender "Tender or lot" "Aanbesteding of perceel" "Ausschreibung oder Los" "Appel d’offres ou lot" "Przetarg lub część"
    InvoicedObject "Invoiced object" "Gefactureerd object" "Objekt der Rechnung" "Objet facturé" "Przedmiot faktury"
    PrecedingInvoice "Preceding invoice" "Voorgaande factuur" "Vorausgegangene Rechnung" "Facture antérieure" "Wcześniejsza faktura"
    SupportingDocument "Supporting document" "Bijgevoegd document" "Beigefügtes Dokument" "Document joint" "Dokument uzupełniający"
    OtherReference "Other reference" "Andere verwijzing" "Weiterer Bezug" "Autre référence" "Inne odniesienie"
    Of "of" "van" "vom" "du" "z dnia"
    // Lines.
    Item "Item" "Artikel" "Artikel" "Article" "Towar lub usługa"
    Quantity "Quantity" "Aantal" "Menge" "Quantité" "Ilość"
    UnitPrice "Unit price" "Prijs" "Einzelpreis" "Prix unitaire" "Cena jedn."
    Vat "VAT" "Btw" "USt" "TVA" "VAT"
    NetAmount "Net amount" "Netto bedrag" "Nettobetrag" "Montant net" "Kwota netto"
    Description "Description" "Omschrijving" "Beschreibung" "Description" "Opis"
    SellersItem "Seller’s article no." "Artikelnr. verkoper" "Art.-Nr. Verkäufer" "Réf. vendeur" "Nr art. sprzedawcy"
    BuyersItem "Buyer’s article no." "Artikelnr. koper" "Art.-Nr. Käufer" "Réf. acheteur" "Nr art. nabywcy"
    StandardItem "Standard article no." "Standaard artikelnr." "Standard-Artikelnr." "Réf. normalisée" "Standardowy nr art."
    Classification "Classification" "Classificatie" "Klassifikation" "Classification" "Klasyfikacja"
    Origin "Country of origin" "Land van herkomst" "Ursprungsland" "Pays d’origine" "Kraj pochodzenia"
    OrderLine "Order line" "Orderregel" "Bestellposition" "Ligne de commande" "Pozycja zamówienia"
    Note "Note" "Opmerking" "Bemerkung" "Remarque" "Uwaga"
    GrossPrice "Gross price" "Brutoprijs" "Bruttopreis" "Prix brut" "Cena brutto"
    PriceDiscount "Discount on the price" "Korting op de prijs" "Preisnachlass" "Remise sur le prix" "Rabat od ceny"
    Per "per" "per" "je" "par" "za"
    // Money.
    Allowance "Allowance" "Korting" "Nachlass" "Remise" "Rabat"
    Charge "Charge" "Toeslag" "Zuschlag" "Frais" "Obciążenie"
    On "on" "over" "von" "sur" "od"
    Amount "Amount" "Bedrag" "Betrag" "Montant" "Kwota"
    Reason "Reason" "Reden" "Grund" "Motif" "Powód"
    Category "Category" "Categorie" "Kategorie" "Catégorie" "Kategoria"
    Rate "Rate" "Tarief" "Satz" "Taux" "Stawka"
    TaxableAmount "Taxable amount" "Grondslag" "Bemessungsgrundlage" "Base imposable" "Podstawa"
    VatAmount "VAT amount" "Btw-bedrag" "Steuerbetrag" "Montant de TVA" "Kwota VAT"
    Exemption "Why no VAT is due" "Reden van vrijstelling" "Grund der Befreiung" "Motif d’exonération" "Podstawa zwolnienia"
    LineTotal "Sum of the lines" "Som van de regels" "Summe der Positionen" "Somme des lignes" "Suma pozycji"
    AllowanceTotal "Sum of the allowances" "Som van de kortingen" "Summe der Nachlässe" "Somme des remises" "Suma rabatów"
    ChargeTotal "Sum of the charges" "Som van de toeslagen" "Summe der Zuschläge" "Somme des frais" "Suma obciążeń"
    TotalWithoutVat "Total without VAT" "Totaal zonder btw" "Gesamtbetrag netto" "Total hors TVA" "Razem netto"
    VatTotal "Total VAT" "Totaal btw" "Umsatzsteuer gesamt" "Total de la TVA" "Razem VAT"
    TotalWithVat "Total with VAT" "Totaal met btw" "Gesamtbetrag brutto" "Total TVA comprise" "Razem brutto"
    Paid "Already paid" "Al betaald" "Bereits gezahlt" "Déjà payé" "Zapłacono"
    Rounding "Rounding" "Afronding" "Rundung" "Arrondi" "Zaokrąglenie"
    AmountDue "Amount due" "Te betalen" "Zahlbetrag" "Montant à payer" "Do zapłaty"
    // Payment.
    PaymentMeans "Means of payment" "Betaalwijze" "Zahlungsart" "Moyen de paiement" "Sposób płatności"
    PaymentTerms "Terms of payment" "Betalingsvoorwaarden" "Zahlungsbedingungen" "Conditions de paiement" "Warunki płatności"
    Remittance "Remittance information" "Betalingskenmerk" "Verwendungszweck" "Référence de paiement" "Tytuł płatności"
    Account "Account" "Rekening" "Konto" "Compte" "Rachunek"
    AccountName "Account holder" "Ten name van" "Kontoinhaber" "Titulaire du compte" "Właściciel rachunku"
    Provider "BIC or bank" "BIC of bank" "BIC oder Bank" "BIC ou banque" "BIC lub bank"
    Card "Card" "Kaart" "Karte" "Carte" "Karta"
    CardHolder "Card holder" "Kaarthouder" "Karteninhaber" "Titulaire de la carte" "Posiadacz karty"
    Mandate "Mandate" "Machtiging" "Mandat" "Mandat" "Mandat"
    Creditor "Creditor identifier" "Incassant-ID" "Gläubiger-ID" "Identifiant créancier" "Identyfikator wierzyciela"
    DebitedAccount "Account that is debited" "Rekening van afschrijving" "Belastetes Konto" "Compte débité" "Rachunek obciążany"
    QrCode "Scan to pay (EPC QR code)" "Scan om te betalen (EPC-QR-code)" "Zum Bezahlen scannen (EPC-QR-Code)" "À scanner pour payer (code QR EPC)" "Zeskanuj, aby zapłacić (kod QR EPC)"
    // Delivery.
    DeliveryDate "Date of delivery" "Leverdatum" "Lieferdatum" "Date de livraison" "Data dostawy"
    DeliveryLocation "Location" "Locatie" "Ort" "Lieu" "Miejsce"
    Address "Address" "Adres" "Anschrift" "Adresse" "Adres"
    // Attachments.
    FileName "File" "Bestand" "Datei" "Fichier" "Plik"
    MediaType "Type" "Type" "Typ" "Type" "Typ"
    Size "Size" "Grootte" "Größe" "Taille" "Rozmiar"
    Digest "SHA-256" "SHA-256" "SHA-256" "SHA-256" "SHA-256"
    Link "Link" "Link" "Link" "Lien" "Odnośnik"
    Bytes "bytes" "bytes" "Bytes" "octets" "bajtów"
    NotBase64 "not readable as base64" "niet leesbaar als base64" "nicht als Base64 lesbar" "illisible en base64" "nieczytelny jako base64"
    // Findings and limits.
    Fatal "Error" "Fout" "Fehler" "Erreur" "Błąd"
    Warning "Warning" "Waarschuwing" "Warnung" "Avertissement" "Ostrzeżenie"
    Information "Information" "Informatie" "Hinweis" "Information" "Informacja"
    Place "Place" "Plaats" "Stelle" "Endroit" "Miejsce"
    Rule "Rule" "Regel" "Regel" "Règle" "Reguła"
    Message "Message" "Bericht" "Meldung" "Message" "Komunikat"
    Value "Value" "Waarde" "Wert" "Valeur" "Wartość"
    Page "Page" "Pagina" "Seite" "Page" "Strona"
    PageOf "of" "van" "von" "sur" "z"
    Omitted "more are in the document and not on this page" "meer staan in het document en niet op deze pagina" "weitere stehen im Dokument und nicht auf dieser Seite" "autres sont dans le document et non sur cette page" "więcej jest w dokumencie, a nie na tej stronie"
    Shortened "shortened here; characters in the document" "hier ingekort; tekens in het document" "hier gekürzt; Zeichen im Dokument" "abrégé ici ; caractères dans le document" "skrócono tutaj; znaków w dokumencie"
    Yes "yes" "ja" "ja" "oui" "tak"
    No "no" "nee" "nein" "non" "nie"
    Times "times" "keer" "mal" "fois" "razy"
    // Titles.
    Invoice "Invoice" "Factuur" "Rechnung" "Facture" "Faktura"
    CreditNote "Credit note" "Creditnota" "Gutschrift" "Avoir" "Faktura korygująca"
    CorrectedInvoice "Corrected invoice" "Correctiefactuur" "Rechnungskorrektur" "Facture rectificative" "Faktura korygująca"
    SelfBilledInvoice "Self-billed invoice" "Self-billingfactuur" "Gutschriftsrechnung" "Facture auto-facturée" "Faktura (samofakturowanie)"
    SelfBilledCreditNote "Self-billed credit note" "Self-billingcreditnota" "Korrektur einer Gutschriftsrechnung" "Avoir auto-facturé" "Faktura korygująca (samofakturowanie)"
    DocumentOne "Document" "Document" "Dokument" "Document" "Dokument"
}
