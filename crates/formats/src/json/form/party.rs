//! Parties: BG-4 to BG-12.

use quoin_model::en16931::{Party, PartyRole};
use quoin_xml::tree::Element;

use super::{Begin, begin, form};

begin!(Contact, PostalAddress);

/// Which party it is says the member that it is in.
impl<'d> Begin<'d> for Party<'d> {
    fn begin(element: Element<'d>) -> Self {
        let role = match element.local() {
            "seller" => PartyRole::Seller,
            "buyer" => PartyRole::Buyer,
            "payee" => PartyRole::Payee,
            "taxRepresentative" => PartyRole::TaxRepresentative,
            _ => PartyRole::DeliverTo,
        };
        Party::new(role, element)
    }
}

form! { Party {
    "name": text(name), "BT-27, BT-44, BT-59, BT-62: the name.";
    "tradingName": text(trading_name), "BT-28, BT-45: the name under which it trades.";
    "identifiers": ids(identifiers), "BT-29, BT-46, BT-60: identifiers, each with its scheme.";
    "legalRegistration": id(legal_registration),
        "BT-30, BT-47, BT-61: the legal registration, and its scheme.";
    "vatIdentifier": vat(tax_registrations), "BT-31, BT-48, BT-63: the identifier for VAT.";
    "taxRegistration": other_tax(tax_registrations), "BT-32: a registration for other taxes.";
    "legalInformation": text(legal_information), "BT-33: more on its legal form.";
    "electronicAddress": id(endpoint), "BT-34, BT-49: the electronic address, and its scheme.";
    "address": group<PostalAddress>(address), "BG-5, BG-8, BG-12: the address.";
    "contact": group<Contact>(contact), "BG-6, BG-9: the contact.";
} }

form! { PostalAddress {
    "line1": text(line1), "BT-35, BT-50, BT-64, BT-75: line 1.";
    "line2": text(line2), "BT-36, BT-51, BT-65, BT-76: line 2.";
    "line3": text(line3), "BT-162 to BT-165: line 3.";
    "city": text(city), "BT-37, BT-52, BT-66, BT-77: the city.";
    "postCode": text(post_code), "BT-38, BT-53, BT-67, BT-78: the post code.";
    "subdivision": text(subdivision), "BT-39, BT-54, BT-68, BT-79: the region.";
    "country": text(country), "BT-40, BT-55, BT-69, BT-80: the country (ISO 3166-1 alpha-2).";
} }

form! { Contact {
    "name": text(name), "BT-41, BT-56: the contact point.";
    "department": text(department), "BT-41, BT-56 too: the department (CII).";
    "telephone": text(telephone), "BT-42, BT-57: the telephone number.";
    "telefax": text(telefax), "The fax number (an extension).";
    "email": text(email), "BT-43, BT-58: the mail address.";
} }
