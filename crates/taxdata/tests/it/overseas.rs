//! Buyers in what is France for VAT and has a code of its own, or is abroad after all.

use quoin_formats::read;
use quoin_formats::samples::{FrenchBuyer, RECEIVER, SENDER, french_invoice};
use quoin_taxdata::flux10::{FrenchFlux, GatheredInvoice};
use quoin_taxdata::{ReportableInvoice, ReporterRole};

/// An invoice to a buyer of another country.
fn at(buyer: FrenchBuyer, country: &str) -> String {
    let text = french_invoice(buyer, SENDER, RECEIVER, "F-1");
    let (before, after) = text.split_once("AccountingCustomerParty>").unwrap();
    let own = "<cbc:IdentificationCode>FR<";
    assert!(after.contains(own), "{after}");
    let other = format!("<cbc:IdentificationCode>{country}<");
    format!("{before}AccountingCustomerParty>{}", after.replacen(own, &other, 1))
}

#[test]
fn a_consumer_overseas_or_in_monaco_is_part_of_a_total() {
    for (country, is_consumer) in [
        ("FR", true),
        ("BE", true),
        ("GP", true),
        ("MQ", true),
        ("RE", true),
        ("MC", true),
        ("GF", false),
        ("YT", false),
        ("CH", false),
    ] {
        let text = at(FrenchBuyer::Consumer, country);
        let document = read(text.as_bytes());
        let invoice = ReportableInvoice::of(&document).unwrap();
        let told = GatheredInvoice::of(&invoice, ReporterRole::Corner2).unwrap();
        assert_eq!(told.is_of_consumer(), is_consumer, "{country}");
        let kept = serde_json::to_string(&told).unwrap();
        assert_eq!(kept.contains("Camille"), !is_consumer, "{country}: {kept}");
    }
}

#[test]
fn a_company_overseas_is_in_france_and_one_in_monaco_is_abroad() {
    for (country, flux) in [
        ("FR", FrenchFlux::Extract),
        ("RE", FrenchFlux::Extract),
        ("MC", FrenchFlux::File),
        ("YT", FrenchFlux::File),
    ] {
        // By its VAT number alone: with a SIREN it is in France wherever its address is.
        let siren = "<cbc:CompanyID schemeID=\"0002\">552081317</cbc:CompanyID>";
        let text = at(FrenchBuyer::Company, country).replace(siren, "");
        let document = read(text.as_bytes());
        let invoice = ReportableInvoice::of(&document).unwrap();
        assert_eq!(FrenchFlux::of(&invoice, ReporterRole::Corner2), flux, "{country}");
    }
}
