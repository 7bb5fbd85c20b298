//! An invoice of a French company, by the terms that its authorities want to hear of.

use super::escaped;

/// Who buys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrenchBuyer {
    /// A French company, with SIREN and VAT number.
    Company,
    /// A company in Belgium.
    Abroad,
    /// A French consumer, who has no numbers.
    Consumer,
}

impl FrenchBuyer {
    /// Country, what stands for its VAT number, its name, and what stands for its SIREN.
    fn parts(self) -> (&'static str, String, &'static str, &'static str) {
        let number = |number: &str| {
            format!(
                "<cac:PartyTaxScheme><cbc:CompanyID>{number}</cbc:CompanyID><cac:TaxScheme>\
                 <cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>"
            )
        };
        let siren = "<cbc:CompanyID schemeID=\"0002\">552081317</cbc:CompanyID>";
        match self {
            FrenchBuyer::Company => ("FR", number("FR03552081317"), "Atelier du Pont SA", siren),
            FrenchBuyer::Abroad => ("BE", number("BE0123456749"), "Bakkerij Noord BV", ""),
            FrenchBuyer::Consumer => ("FR", String::new(), "Camille Martin", ""),
        }
    }
}

/// An invoice in UBL in the French form of Peppol, of goods (BT-23 `B1`), with one line of 100.00
/// at 20 percent.
pub fn french_invoice(buyer: FrenchBuyer, sender: &str, receiver: &str, number: &str) -> String {
    let (country, tax, name, siren) = buyer.parts();
    let (from_scheme, from) = sender.split_once(':').unwrap_or(("", sender));
    let (to_scheme, to) = receiver.split_once(':').unwrap_or(("", receiver));
    let places = [
        ("{number}", escaped(number)),
        ("{from_scheme}", escaped(from_scheme)),
        ("{from}", escaped(from)),
        ("{to_scheme}", escaped(to_scheme)),
        ("{to}", escaped(to)),
        ("{buyer_country}", country.to_owned()),
        ("{buyer_tax}", tax),
        ("{buyer_name}", name.to_owned()),
        ("{buyer_siren}", siren.to_owned()),
    ];
    let text = include_str!("france.txt").to_owned();
    places.into_iter().fold(text, |text, (place, value)| text.replace(place, &value))
}
