//! Parties in CII: BG-4 to BG-12 and those of extensions.

use quoin_xml::tree::Element;

use super::{ram, wrapped};
use crate::reading::Pass;
use quoin_model::en16931::{Contact, Party, PartyRole, PostalAddress, TaxRegistration};

/// Reads a `…TradeParty`.
pub(super) fn read<'d>(pass: &mut Pass<'d>, role: PartyRole, element: Element<'d>) -> Party<'d> {
    let mut party = Party::new(role, element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ID" | "GlobalID" => pass.take(&mut party.identifiers, child),
            "Name" => pass.take(&mut party.name, child),
            "Description" => pass.take(&mut party.legal_information, child),
            "SpecifiedLegalOrganization" => organization(pass, &mut party, child),
            "DefinedTradeContact" => party.contact.push(contact(pass, child)),
            "PostalTradeAddress" => party.address.push(address(pass, child)),
            "URIUniversalCommunication" => wrapped(pass, &mut party.endpoint, child, "URIID"),
            "SpecifiedTaxRegistration" => {
                let mut registration = TaxRegistration::new(child);
                wrapped(pass, &mut registration.id, child, "ID");
                party.tax_registrations.push(registration);
            }
            "RoleCode" => {
                pass.take(&mut party.extensions.get_or_insert_default().role_code, child);
            }
            _ => pass.unread(child),
        }
    }
    party
}

fn organization<'d>(pass: &mut Pass<'d>, party: &mut Party<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ID" => pass.take(&mut party.legal_registration, child),
            "TradingBusinessName" => pass.take(&mut party.trading_name, child),
            "LegalClassificationCode" => {
                let more = party.extensions.get_or_insert_default();
                pass.take(&mut more.legal_classification, child);
            }
            "PostalTradeAddress" => {
                let address = address(pass, child);
                party.extensions.get_or_insert_default().registration_address.push(address);
            }
            _ => pass.unread(child),
        }
    }
}

fn address<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> PostalAddress<'d> {
    let mut address = PostalAddress::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "LineOne" => pass.take(&mut address.line1, child),
            "LineTwo" => pass.take(&mut address.line2, child),
            "LineThree" => pass.take(&mut address.line3, child),
            "CityName" => pass.take(&mut address.city, child),
            "PostcodeCode" => pass.take(&mut address.post_code, child),
            "CountrySubDivisionName" => pass.take(&mut address.subdivision, child),
            "CountryID" => pass.take(&mut address.country, child),
            "CountrySubDivisionID" => pass.take(&mut address.subdivision_code, child),
            "CountryName" => pass.take(&mut address.country_name, child),
            "BuildingNumber" => pass.take(&mut address.building_number, child),
            "PostOfficeBox" => pass.take(&mut address.post_box, child),
            "ID" => pass.take(&mut address.id, child),
            "StreetName"
            | "BuildingName"
            | "LineFour"
            | "LineFive"
            | "CitySubDivisionName"
            | "DepartmentName"
            | "AttentionOf"
            | "CareOf" => {
                address.others.push(pass.value(child));
            }
            _ => pass.unread(child),
        }
    }
    address
}

fn contact<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Contact<'d> {
    let mut contact = Contact::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "PersonName" => pass.take(&mut contact.name, child),
            "DepartmentName" => pass.take(&mut contact.department, child),
            "TelephoneUniversalCommunication" => {
                wrapped(pass, &mut contact.telephone, child, "CompleteNumber");
            }
            "EmailURIUniversalCommunication" => wrapped(pass, &mut contact.email, child, "URIID"),
            "FaxUniversalCommunication" => {
                wrapped(pass, &mut contact.telefax, child, "CompleteNumber");
            }
            "ID" => pass.take(&mut contact.id, child),
            "TypeCode" => pass.take(&mut contact.type_code, child),
            _ => pass.unread(child),
        }
    }
    contact
}
