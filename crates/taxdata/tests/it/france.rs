//! The files of France by its own structure and rules.

use std::path::PathBuf;

use jiff::civil::{date, datetime};
use quoin_formats::{read, structure_tables};
use quoin_taxdata::flux1::{ExtractLevel, extract};
use quoin_taxdata::flux10::*;
use quoin_taxdata::{ReportableInvoice, ReporterRole};
use quoin_testing::shared;
use quoin_xml::schematron::{
    FileResolver, PhaseChoice, ResolveError, RunOptions, SchematronSchema,
};

struct Folder(PathBuf);

impl FileResolver for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, ResolveError> {
        std::fs::read(self.0.join(path)).map_err(|_| ResolveError::Missing)
    }
}

fn rules(folder: &str, name: &str) -> Option<SchematronSchema> {
    let folder = Folder(shared(folder)?);
    Some(SchematronSchema::load(&folder, name, &PhaseChoice::default()).unwrap())
}

fn fired(rules: &SchematronSchema, xml: &[u8]) -> Vec<String> {
    let document = read(xml);
    let outcome = rules.validate(document.tree().unwrap(), &RunOptions::default());
    assert!(outcome.is_complete);
    outcome.fired.iter().map(|one| one.location.path.to_string()).collect()
}

fn party(scheme: &str, id: &str, number: Option<&str>, country: &str) -> EReportParty {
    EReportParty {
        scheme: scheme.to_owned(),
        id: id.to_owned(),
        vat_number: number.map(str::to_owned),
        country: Some(country.to_owned()),
    }
}

fn invoice() -> EReportInvoice {
    EReportInvoice {
        number: "F-2026/1".to_owned(),
        issued: date(2026, 10, 5),
        type_code: "380".to_owned(),
        currency: "EUR".to_owned(),
        due: Some(date(2026, 11, 5)),
        tax_due_code: None,
        notes: vec![(Some("AAB".to_owned()), "Pas d'escompte & <merci>".to_owned())],
        process: "B1".to_owned(),
        references: Vec::new(),
        seller: party("0002", "732829320", Some("FR44732829320"), "FR"),
        buyer: party("0223", "BE0123456749", Some("BE0123456749"), "BE"),
        representative: None,
        delivered: Some(date(2026, 10, 4)),
        delivery_country: Some("BE".to_owned()),
        period: None,
        total: Some("100.00".to_owned()),
        tax: "0".to_owned(),
        vat: vec![VatPart {
            taxable: "100.00".to_owned(),
            tax: "0".to_owned(),
            category: Some("K".to_owned()),
            rate: "0".to_owned(),
            reason: None,
            reason_code: Some("VATEX-EU-IC".to_owned()),
        }],
    }
}

fn file(content: EReportContent) -> EReport {
    EReport {
        id: "2026-10-A_1".to_owned(),
        name: None,
        created: datetime(2026, 11, 2, 8, 0, 0, 0),
        kind: EReportKind::Initial,
        platform: "0042".to_owned(),
        platform_name: "Quoin".to_owned(),
        siren: "732829320".to_owned(),
        declarant_name: "Exemple SA".to_owned(),
        role: DeclarantRole::Seller,
        period: (date(2026, 10, 1), date(2026, 10, 31)),
        content,
    }
}

fn transactions(invoices: Vec<EReportInvoice>) -> EReportContent {
    let sold = SalesTotal {
        day: date(2026, 10, 6),
        currency: "EUR".to_owned(),
        tax_due_code: None,
        category: "TLB1".to_owned(),
        total: "1000".to_owned(),
        tax: "155.5".to_owned(),
        count: Some(12),
        parts: vec![
            ("20".to_owned(), "700".to_owned(), "140".to_owned()),
            ("5.5".to_owned(), "300".to_owned(), "15.5".to_owned()),
        ],
    };
    EReportContent::Transactions { invoices, totals: vec![sold] }
}

fn payments() -> EReportContent {
    let payment = PaymentTotal {
        day: date(2026, 10, 9),
        parts: vec![("20".to_owned(), "120.00".to_owned())],
    };
    let invoice = InvoicePayment {
        number: "F-1".to_owned(),
        issued: date(2026, 9, 30),
        payment: payment.clone(),
    };
    EReportContent::Payments { invoices: vec![invoice], totals: vec![payment] }
}

#[test]
fn files_of_flux_10_keep_its_rules() {
    let Some(rules) = rules("tax-data/france-flux10-1.0/schematron", "AIFE - PPF_Flux10_v1.0.sch")
    else {
        return;
    };
    for content in [transactions(vec![invoice()]), payments()] {
        judged(&write(&file(content)).unwrap(), &rules);
    }
}

fn judged(xml: &[u8], rules: &SchematronSchema) {
    let schema = structure_tables::by_id("flux10-1.0").unwrap().schema().unwrap();
    let document = read(xml);
    let wrong = schema.validate(document.root().unwrap()).violations;
    assert!(wrong.is_empty(), "{wrong:?}\n{}", String::from_utf8_lossy(xml));
    let fired = fired(rules, xml);
    assert!(fired.is_empty(), "{fired:#?}\n{}", String::from_utf8_lossy(xml));
}

type Spoil = fn(&mut EReportInvoice);

/// What the portal would refuse is found before the file is written.
#[test]
fn what_the_portal_would_refuse_is_found() {
    let spoils: [(&str, Spoil); 16] = [
        ("TT-19", |one| one.number = "F 2026  1".to_owned()),
        ("TT-19", |one| one.number = "x".repeat(36)),
        ("TT-20", |one| one.issued = date(1999, 12, 31)),
        ("TT-21", |one| one.type_code = "999".to_owned()),
        ("TT-22", |one| one.currency = "eur".to_owned()),
        ("TT-28", |one| one.process = "X1".to_owned()),
        ("TT-33", |one| one.seller.id = "12".to_owned()),
        ("TT-34", |one| one.seller.vat_number = None),
        ("TT-37", |one| one.buyer.scheme = "0088".to_owned()),
        ("TT-38", |one| one.buyer.vat_number = None),
        ("TT-51", |one| one.total = Some("99.00".to_owned())),
        ("TT-52", |one| one.tax = "1.234".to_owned()),
        ("TT-57", |one| one.vat[0].rate = "21".to_owned()),
        ("TT-58", |one| one.vat[0].category = Some("E".to_owned())),
        ("TG-11", |one| one.type_code = "381".to_owned()),
        ("TG-23", |one| one.vat.clear()),
    ];
    for (term, spoil) in spoils {
        let mut one = invoice();
        spoil(&mut one);
        let breaches = write(&file(transactions(vec![one]))).unwrap_err();
        assert!(breaches.iter().any(|breach| breach.term == term), "{term}: {breaches:?}");
    }
    let mut backwards = file(payments());
    backwards.period = (date(2026, 10, 31), date(2026, 10, 1));
    assert!(write(&backwards).is_err());
    backwards = file(EReportContent::Payments { invoices: Vec::new(), totals: Vec::new() });
    assert!(write(&backwards).is_err());
}

/// A domestic invoice of our own, in UBL.
fn domestic() -> String {
    let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
    let party = |siren: &str, number: &str| {
        format!(
            "<cac:Party><cac:PartyName><cbc:Name>secret</cbc:Name></cac:PartyName>\
             <cac:PostalAddress><cbc:CityName>Lyon</cbc:CityName><cac:Country>\
             <cbc:IdentificationCode>FR</cbc:IdentificationCode></cac:Country></cac:PostalAddress>\
             <cac:PartyTaxScheme><cbc:CompanyID>{number}</cbc:CompanyID><cac:TaxScheme>\
             <cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity>\
             <cbc:RegistrationName>N</cbc:RegistrationName><cbc:CompanyID schemeID=\"0002\">{siren}\
             </cbc:CompanyID></cac:PartyLegalEntity></cac:Party>"
        )
    };
    format!(
        "<Invoice xmlns=\"{ubl}:Invoice-2\" xmlns:cac=\"{ubl}:CommonAggregateComponents-2\" \
         xmlns:cbc=\"{ubl}:CommonBasicComponents-2\"><cbc:CustomizationID>urn:cen.eu:en16931:2017\
         </cbc:CustomizationID><cbc:ProfileID>B1</cbc:ProfileID><cbc:ID>F-1</cbc:ID>\
         <cbc:IssueDate>2026-10-05</cbc:IssueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>\
         <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cac:AccountingSupplierParty>{}\
         </cac:AccountingSupplierParty><cac:AccountingCustomerParty>{}\
         </cac:AccountingCustomerParty><cac:TaxTotal><cbc:TaxAmount currencyID=\"EUR\">20.00\
         </cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount currencyID=\"EUR\">100.00\
         </cbc:TaxableAmount><cbc:TaxAmount currencyID=\"EUR\">20.00</cbc:TaxAmount>\
         <cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>20</cbc:Percent><cac:TaxScheme>\
         <cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>\
         <cac:LegalMonetaryTotal><cbc:LineExtensionAmount currencyID=\"EUR\">100.00\
         </cbc:LineExtensionAmount><cbc:TaxExclusiveAmount currencyID=\"EUR\">100.00\
         </cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount currencyID=\"EUR\">120.00\
         </cbc:TaxInclusiveAmount><cbc:PayableAmount currencyID=\"EUR\">120.00</cbc:PayableAmount>\
         </cac:LegalMonetaryTotal><cac:InvoiceLine><cbc:ID>1</cbc:ID>\
         <cbc:InvoicedQuantity unitCode=\"C62\">1</cbc:InvoicedQuantity>\
         <cbc:LineExtensionAmount currencyID=\"EUR\">100.00</cbc:LineExtensionAmount><cac:Item>\
         <cbc:Name>A thing</cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID>\
         <cbc:Percent>20</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>\
         </cac:ClassifiedTaxCategory></cac:Item><cac:Price>\
         <cbc:PriceAmount currencyID=\"EUR\">100.00</cbc:PriceAmount></cac:Price>\
         </cac:InvoiceLine></Invoice>",
        party("732829320", "FR44732829320"),
        party("552081317", "FR03552081317"),
    )
}

#[test]
fn extracts_of_flux_1_keep_its_rules() {
    let folder = "tax-data/france-flux1-1.0/schematron";
    let text = domestic();
    let document = read(text.as_bytes());
    let invoice = ReportableInvoice::of(&document).unwrap();
    let rows = [
        (ExtractLevel::Base, "PPF_Flux1_UBL_1_8_DEMARRAGE_v0_2.sch"),
        (ExtractLevel::Full, "PPF_Flux1_UBL_1_8_CIBLE_v0_2.sch"),
    ];
    for (level, name) in rows {
        let xml = extract(&invoice, level).unwrap();
        let text = String::from_utf8_lossy(&xml).into_owned();
        assert!(!text.contains("secret") && !text.contains("Lyon"), "{text}");
        assert_eq!(text.contains("InvoiceLine"), level == ExtractLevel::Full, "{text}");
        let Some(rules) = rules(folder, name) else { return };
        let fired = fired(&rules, &xml);
        assert!(fired.is_empty(), "{name}: {fired:#?}\n{text}");
    }
    // The same to a buyer abroad is told by flux 10.
    let abroad = text.replace("schemeID=\"0002\">552081317", "schemeID=\"0208\">0123456749");
    let abroad = abroad.replace("FR03552081317", "BE0123456749");
    let abroad = read(abroad.as_bytes());
    let abroad = ReportableInvoice::of(&abroad).unwrap();
    assert!(extract(&abroad, ExtractLevel::Base).is_err());
    assert_eq!(EReportInvoice::of(&abroad).unwrap().buyer.scheme, "0223");
    assert_eq!(EReportInvoice::of(&invoice), Err(NotEReportable::Domestic));
}

fn gathered(text: &str, role: ReporterRole) -> Result<GatheredInvoice, NotGathered> {
    let document = read(text.as_bytes());
    GatheredInvoice::of(&ReportableInvoice::of(&document).unwrap(), role)
}

#[test]
fn what_waits_for_a_file_keeps_the_rules_of_the_portal() {
    use quoin_formats::samples::{FrenchBuyer, RECEIVER, SENDER, french_invoice};
    let of = |buyer, number: &str| french_invoice(buyer, SENDER, RECEIVER, number);
    let seller = ReporterRole::Corner2;
    let domestic = gathered(&of(FrenchBuyer::Company, "F-1"), seller).unwrap_err();
    assert_eq!(domestic, NotGathered::NotReportable(NotEReportable::Domestic));
    let abroad = gathered(&of(FrenchBuyer::Abroad, "F-2"), seller).unwrap();
    assert_eq!((abroad.siren.as_str(), abroad.role), ("732829320", DeclarantRole::Seller));
    let credit = of(FrenchBuyer::Consumer, "F-5").replace(">380<", ">381<");
    let rounded = of(FrenchBuyer::Consumer, "F-6").replace(">20<", ">20.0<");
    let sold =
        [of(FrenchBuyer::Consumer, "F-3"), of(FrenchBuyer::Consumer, "F-4"), credit, rounded];
    let mut all = vec![abroad];
    for text in &sold {
        let one = gathered(text, seller).unwrap();
        assert!(one.is_of_consumer());
        // It is kept as JSON until its file is written.
        let kept = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<GatheredInvoice>(&kept).unwrap(), one);
        all.push(one);
    }
    let platform = FilePlatform { number: "AB12", name: "Example" };
    let period = (date(2026, 11, 1), date(2026, 11, 10));
    let now = "2026-11-11T00:10:00Z".parse().unwrap();
    let file = write_gathered("732829320-20261110-1", &all, period, platform, now).unwrap();
    let text = String::from_utf8(file.clone()).unwrap();
    // Three sales less one credit note, in one total of the day.
    assert!(text.contains(">200<") && text.matches("<Transactions>").count() == 1, "{text}");
    assert_eq!(text.matches("<Invoice>").count(), 1, "{text}");
    let same = write_gathered("732829320-20261110-1", &all, period, platform, now).unwrap();
    assert_eq!(same, file);
    let folder = "tax-data/france-flux10-1.0/schematron";
    let Some(rules) = rules(folder, "AIFE - PPF_Flux10_v1.0.sch") else { return };
    judged(&file, &rules);
}

#[test]
fn every_type_of_credit_notes_takes_away_from_the_sales() {
    use quoin_formats::samples::{FrenchBuyer, RECEIVER, SENDER, french_invoice};
    let sold = french_invoice(FrenchBuyer::Consumer, SENDER, RECEIVER, "F-1");
    for (code, is_credit) in
        [("380", false), ("381", true), ("396", true), ("502", true), ("503", true)]
    {
        let text = sold.replace(">380<", &format!(">{code}<"));
        let one = gathered(&text, ReporterRole::Corner2).unwrap();
        let kept = serde_json::to_string(&one).unwrap();
        assert_eq!(kept.contains("\"total\":\"-100"), is_credit, "{code} {kept}");
    }
}

#[test]
fn what_the_portal_would_refuse_is_told_by_the_term_of_the_invoice() {
    use quoin_formats::samples::{FrenchBuyer, RECEIVER, SENDER, french_invoice};
    let of = |buyer| french_invoice(buyer, SENDER, RECEIVER, "F-1");
    let seller = ReporterRole::Corner2;
    let wrong = of(FrenchBuyer::Abroad).replace(">B1<", ">X1<");
    let Err(NotGathered::Refused(breaches)) = gathered(&wrong, seller) else { panic!("refused") };
    assert_eq!(breaches[0].term_of_invoice(), Some("BT-23"));
    assert!(breaches[0].line().starts_with("BT-23 ("), "{}", breaches[0].line());
    for (from, to, term) in [
        ("<cbc:CompanyID schemeID=\"0002\">732829320</cbc:CompanyID>", "", "BT-30"),
        ("<cbc:RegistrationName>Tuiles de Rouen SARL</cbc:RegistrationName>", "", "BT-27"),
        (">B1<", ">M1<", "BT-23"),
    ] {
        let invoice = of(FrenchBuyer::Consumer).replace(from, to);
        let found = gathered(&invoice, seller).unwrap_err();
        let NotGathered::NotReportable(NotEReportable::Lacks(lacks)) = found else {
            panic!("{term}")
        };
        assert_eq!(lacks.term, term);
    }
}

#[test]
fn one_place_decides_who_declares_an_invoice_and_by_which_flux() {
    use quoin_formats::samples::{FrenchBuyer, RECEIVER, SENDER, french_invoice, invoice};
    let (sent, came) = (ReporterRole::Corner2, ReporterRole::Corner3);
    let told = |text: &str, role| {
        let document = read(text.as_bytes());
        let invoice = ReportableInvoice::of(&document).unwrap();
        let flux = FrenchFlux::of(&invoice, role);
        (flux, flux.is_told_by(role), Declarant::of(&invoice, role))
    };
    let of = |buyer| french_invoice(buyer, SENDER, RECEIVER, "F-1");
    let rows = [
        (of(FrenchBuyer::Company), sent, FrenchFlux::Extract, true),
        (of(FrenchBuyer::Company), came, FrenchFlux::Extract, false),
        (of(FrenchBuyer::Abroad), sent, FrenchFlux::File, true),
        (of(FrenchBuyer::Abroad), came, FrenchFlux::Untold, false),
        (of(FrenchBuyer::Consumer), sent, FrenchFlux::File, true),
        (of(FrenchBuyer::Consumer), came, FrenchFlux::Untold, false),
        (invoice(SENDER, RECEIVER, "NL-1"), sent, FrenchFlux::Untold, false),
    ];
    for (text, role, flux, is_told) in &rows {
        let (found, tells, declarant) = told(text, *role);
        assert_eq!((found, tells), (*flux, *is_told), "{role:?} {text}");
        let side = if *role == sent { DeclarantRole::Seller } else { DeclarantRole::Buyer };
        assert_eq!(declarant.role, side);
    }
    let (.., seller) = told(&of(FrenchBuyer::Abroad), sent);
    assert_eq!(seller.siren.as_deref(), Some("732829320"));
    assert_eq!(seller.name.as_deref(), Some("Tuiles de Rouen SARL"));
}

#[test]
fn a_rate_that_a_sale_says_twice_is_told_once() {
    use quoin_formats::samples::{FrenchBuyer, RECEIVER, SENDER, french_invoice};
    let text = french_invoice(FrenchBuyer::Consumer, SENDER, RECEIVER, "F-1");
    let mut one = gathered(&text, ReporterRole::Corner2).unwrap();
    let GatheredTerms::Sale(sale) = &mut one.told else { panic!("a sale") };
    let half = |rate: &str| (rate.to_owned(), "50".to_owned(), "10".to_owned());
    sale.parts = vec![half("20"), half("20")];
    let content = EReportContent::gathered(&[one]);
    let EReportContent::Transactions { totals, .. } = content else { panic!("sales") };
    let [total] = &totals[..] else { panic!("{totals:?}") };
    assert_eq!((total.total.as_str(), total.count), ("100", Some(1)));
    let whole = ("20".to_owned(), "100".to_owned(), "20".to_owned());
    assert_eq!(total.parts, [whole]);
}

#[test]
fn a_name_is_cut_without_a_blank_behind_it() {
    use quoin_formats::samples::{FrenchBuyer, RECEIVER, SENDER, french_invoice};
    let text = french_invoice(FrenchBuyer::Abroad, SENDER, RECEIVER, "F-1");
    let text = text.replace("Bakkerij Noord BV", "Atelier du Pont of Maine");
    let text = text.replace("BE0123456749", "US-1").replace(">BE<", ">US<");
    let one = gathered(&text, ReporterRole::Corner2).unwrap();
    let GatheredTerms::Invoice(told) = one.told else { panic!("across the border") };
    let EReportParty { scheme, id, .. } = told.buyer;
    assert_eq!((scheme.as_str(), id.as_str()), ("0227", "USAtelier du Pont"));
}
