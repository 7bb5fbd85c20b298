//! An invoice of a Polish seller, as its program writes it.

/// A BIS Billing 3.0 invoice of one line at 23 %, from one participant to another, both companies in
/// Poland, issued on a day.
pub fn sample_invoice((seller, buyer): (&str, &str), number: &str, day: &str) -> String {
    let end = |id: &str| {
        let (scheme, value) = id.split_once(':').unwrap_or(("", id));
        format!("<cbc:EndpointID schemeID=\"{scheme}\">{value}</cbc:EndpointID>")
    };
    let party = |id: &str, vat: &str, name: &str, city: &str| {
        format!(
            "<cac:Party>{}<cac:PostalAddress><cbc:StreetName>Prosta 1</cbc:StreetName>\
             <cbc:CityName>{city}</cbc:CityName><cbc:PostalZone>00-838</cbc:PostalZone><cac:Country>\
             <cbc:IdentificationCode>PL</cbc:IdentificationCode></cac:Country></cac:PostalAddress>\
             <cac:PartyTaxScheme><cbc:CompanyID>{vat}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT\
             </cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity>\
             <cbc:RegistrationName>{name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>",
            end(id)
        )
    };
    let amount =
        |name: &str, value: &str| format!("<cbc:{name} currencyID=\"PLN\">{value}</cbc:{name}>");
    let tax = "<cbc:ID>S</cbc:ID><cbc:Percent>23</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID>\
               </cac:TaxScheme>";
    format!(
        "<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\" \
         xmlns:cac=\"urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2\" \
         xmlns:cbc=\"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2\">\
         <cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
         </cbc:CustomizationID><cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0\
         </cbc:ProfileID><cbc:ID>{number}</cbc:ID><cbc:IssueDate>{day}</cbc:IssueDate>\
         <cbc:DueDate>2099-01-01</cbc:DueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>\
         <cbc:DocumentCurrencyCode>PLN</cbc:DocumentCurrencyCode><cbc:BuyerReference>K-7\
         </cbc:BuyerReference><cac:AccountingSupplierParty>{}</cac:AccountingSupplierParty>\
         <cac:AccountingCustomerParty>{}</cac:AccountingCustomerParty><cac:PaymentMeans>\
         <cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cac:PayeeFinancialAccount>\
         <cbc:ID>PL61109010140000071219812874</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>\
         <cac:TaxTotal>{}<cac:TaxSubtotal>{}{}<cac:TaxCategory>{tax}</cac:TaxCategory>\
         </cac:TaxSubtotal></cac:TaxTotal><cac:LegalMonetaryTotal>{}{}{}{}</cac:LegalMonetaryTotal>\
         <cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode=\"H87\">2\
         </cbc:InvoicedQuantity>{}<cac:Item><cbc:Name>Krzesło</cbc:Name><cac:ClassifiedTaxCategory>\
         {tax}</cac:ClassifiedTaxCategory></cac:Item><cac:Price>{}</cac:Price></cac:InvoiceLine>\
         </Invoice>",
        party(seller, "PL5265877635", "Sprzedawca sp. z o.o.", "Warszawa"),
        party(buyer, "PL7740001454", "Nabywca S.A.", "Płock"),
        amount("TaxAmount", "46.00"),
        amount("TaxableAmount", "200.00"),
        amount("TaxAmount", "46.00"),
        amount("LineExtensionAmount", "200.00"),
        amount("TaxExclusiveAmount", "200.00"),
        amount("TaxInclusiveAmount", "246.00"),
        amount("PayableAmount", "246.00"),
        amount("LineExtensionAmount", "200.00"),
        amount("PriceAmount", "100.00"),
    )
}
