//! Whatever a document says of itself and whenever it comes, it is judged by all that there is for
//! it, or said not to be judged.

use jiff::civil::date;

use super::*;
use crate::releases::PACKAGES;
use quoin_formats::detect;
use quoin_formats::profiles::PROFILES;
use quoin_formats::ubl::UBL_PREFIX;

fn detection(syntax: Syntax, customization: &str) -> Detection {
    let cbc = quoin_formats::ubl::CBC;
    let text = match syntax {
        Syntax::Cii => format!(
            "<r:CrossIndustryInvoice \
             xmlns:r='urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100'>\
             <r:ExchangedDocumentContext><GuidelineSpecifiedDocumentContextParameter>\
             <ID>{customization}</ID></GuidelineSpecifiedDocumentContextParameter>\
             </r:ExchangedDocumentContext></r:CrossIndustryInvoice>"
        ),
        _ => {
            let root = match syntax {
                Syntax::UblCreditNote => "CreditNote",
                Syntax::UblOther => "Order",
                _ => "Invoice",
            };
            format!(
                "<{root} xmlns='{UBL_PREFIX}{root}-2' xmlns:cbc='{cbc}'>\
                 <cbc:CustomizationID>{customization}</cbc:CustomizationID></{root}>"
            )
        }
    };
    let found = detect(text.as_bytes());
    assert_eq!(found.syntax, Some(syntax), "{text}");
    found
}

/// The identifiers of the packages on a day.
fn chosen(syntax: Syntax, customization: &str) -> Option<&'static str> {
    let choice = PackageChoice::of(&detection(syntax, customization), date(2026, 11, 22));
    choice.package.map(|package| package.id)
}

const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";

/// Each profile in each of its syntaxes, on each border: all sets of its package, or none because
/// the row says so.
#[test]
fn every_profile_has_its_package_in_every_syntax_on_every_day() {
    let borders = PACKAGES
        .iter()
        .flat_map(|package| &package.releases)
        .flat_map(|release| [release.published, release.mandatory])
        .flat_map(|day| [day.yesterday().unwrap_or(day), day]);
    let edges = [date(1, 1, 1), date(1999, 12, 31), date(9999, 12, 31)];
    let days: Vec<Date> = borders.chain(edges).collect();
    for profile in PROFILES.iter().filter(|profile| !profile.packages.is_empty()) {
        for syntax in profile.syntaxes {
            // The Polish platform has a document of its own, which nothing here judges.
            if profile.id == "peppol-bis3-pl" && *syntax == Syntax::UblOther {
                continue;
            }
            let package = Package::of(profile, *syntax);
            let package = package.unwrap_or_else(|| panic!("{} in {syntax:?}", profile.id));
            for day in &days {
                let applied = package.on(*day).unwrap();
                assert!(!applied.now.sets.is_empty(), "{} {day}", profile.id);
            }
        }
        let covered = |id: &&str| {
            Package::by_id(id).unwrap().syntaxes.iter().any(|own| profile.syntaxes.contains(own))
        };
        assert!(profile.packages.iter().all(covered), "{}", profile.id);
    }
}

/// BO-4: no tail takes the rules of the base away, and no mere part of an identifier wins over it.
#[test]
fn a_tail_on_an_identifier_takes_no_rules_away() {
    for tail in [
        "#conformant#urn:www.difi.no:ehf:x",
        "#conformant#urn:fdc:difi.no:2017:ehf:x",
        "#conformant#urn:fdc:peppol.eu:2017:pracc:x",
        "#conformant#urn:www.simplerinvoicing.org:si-ubl:x",
        "#conformant#urn:www.cenbii.eu:transaction:biix",
        "#conformant#urn:x",
        "@x-1",
        ":extended:urn:x",
    ] {
        let id = format!("{BIS}{tail}");
        assert_eq!(chosen(Syntax::UblInvoice, &id), Some("peppol-bis3"), "{id}");
        assert_eq!(chosen(Syntax::Cii, &id), Some("peppol-bis3-cii"), "{id}");
    }
}

/// BO-1, BO-4, BO-7, PE-13: an invoice is judged by the core at least, one of PINT by its base,
/// unless its profile is known to be neither.
#[test]
fn an_invoice_is_never_judged_by_less_than_the_core() {
    for (id, ubl, cii) in [
        ("urn:example:mine", Some("en16931-ubl"), Some("en16931-cii")),
        ("", Some("en16931-ubl"), Some("en16931-cii")),
        // Profiles of other documents and other syntaxes.
        ("urn:fdc:peppol.eu:prac:trns:t004:1.2", Some("en16931-ubl"), Some("en16931-cii")),
        ("urn:fdc:anskaffelser.no:2019:ehf:spec:x", Some("en16931-ubl"), Some("en16931-cii")),
        ("urn:factur-x.eu:1p0:minimum", Some("en16931-ubl"), Some("factur-x-minimum")),
        ("urn:zugferd.de:2p0:minimum", Some("en16931-ubl"), None),
        (
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0",
            Some("peppol-bis3-selfbilling"),
            Some("en16931-cii"),
        ),
        // Known to be no EN 16931.
        ("OIOUBL-2.02", None, Some("en16931-cii")),
        ("urn:fdc:oioubl.dk:trns:billing:invoice:3.0", None, Some("en16931-cii")),
        ("A1", Some("en16931-ubl"), None),
        // Jurisdictions of PINT, known or not.
        ("urn:peppol:pint:billing-1@eu-1", Some("pint-eu"), Some("en16931-cii")),
        ("urn:peppol:pint:billing-1@EU-1", Some("pint"), Some("en16931-cii")),
        ("urn:peppol:pint:billing-1@zz-1", Some("pint"), Some("en16931-cii")),
        ("urn:peppol:pint:billing-1@ng-1", Some("pint"), Some("en16931-cii")),
        ("urn:peppol:pint:billing-1", Some("pint"), Some("en16931-cii")),
        ("urn:peppol:pint:selfbilling-1@eu-1", Some("pint-selfbilling"), Some("en16931-cii")),
        ("urn:peppol:pint:selfbilling-1@anything", Some("pint-selfbilling"), Some("en16931-cii")),
        ("urn:peppol:pint:nontaxinvoice-1", Some("pint-nontax"), Some("en16931-cii")),
        ("urn:peppol:pint:unheard-of-1", Some("pint"), Some("en16931-cii")),
    ] {
        assert_eq!(chosen(Syntax::UblInvoice, id), ubl, "{id} in UBL");
        assert_eq!(chosen(Syntax::Cii, id), cii, "{id} in CII");
    }
}

/// A rule set of its own says what the CustomizationID has to be: a wrong one is found by it.
#[test]
fn an_element_with_one_rule_set_is_judged_by_it_whatever_its_identifier() {
    let cbc = quoin_formats::ubl::CBC;
    let status = format!("{UBL_PREFIX}ApplicationResponse-2");
    for (local, namespace, package) in [
        (
            "TransactionStatisticsReport",
            "urn:fdc:peppol:transaction-statistics-report:1.0",
            Some("peppol-tsr"),
        ),
        (
            "EndUserStatisticsReport",
            "urn:fdc:peppol:end-user-statistics-report:1.1",
            Some("peppol-eusr"),
        ),
        ("TaxData", "urn:peppol:schema:taxdata:1.0", Some("tax-data-ae")),
        ("TaxData", "urn:peppol:schema:om-taxdata:1.0", Some("tax-data-om")),
        ("TaxData", "urn:peppol:schema:sk-taxdata:1.0", Some("tax-data-sk")),
        ("TaxData", "urn:peppol:schema:vida-taxdata:1.0", Some("tax-data-vida")),
        ("ApplicationResponse", &*status, Some("peppol-mls")),
        // Not of a process that is a rule set's own.
        ("Order", "urn:oasis:names:specification:ubl:schema:xsd:Order-2", None),
    ] {
        for id in ["urn:x", "", "Xurn:peppol:taxdata:ae-1", "urn:peppol:edec:mls:1.0a"] {
            let text = format!(
                "<{local} xmlns='{namespace}' xmlns:cbc='{cbc}'>\
                 <cbc:CustomizationID>{id}</cbc:CustomizationID>\
                 <cbc:ProfileID>urn:peppol:edec:mls</cbc:ProfileID></{local}>"
            );
            let choice = PackageChoice::of(&detect(text.as_bytes()), date(2026, 11, 22));
            assert_eq!(choice.package.map(|own| own.id), package, "{text}");
        }
    }
    let mlr = format!(
        "<ApplicationResponse xmlns='{status}' xmlns:cbc='{cbc}'>\
         <cbc:CustomizationID>urn:x</cbc:CustomizationID></ApplicationResponse>"
    );
    let choice = PackageChoice::of(&detect(mlr.as_bytes()), date(2026, 11, 22));
    assert!(choice.package.is_none());
}

/// Before 1.0, the pilot had the namespace that the Emirates have now.
#[test]
fn a_draft_of_the_pilot_has_its_own_structure() {
    let text = "<TaxData xmlns='urn:peppol:schema:taxdata:1.0' xmlns:cbc='urn:oasis:names:\
        specification:ubl:schema:xsd:CommonBasicComponents-2'><cbc:CustomizationID>\
        urn:peppol:taxdata:ViDA-1</cbc:CustomizationID></TaxData>";
    let choice = PackageChoice::of(&detect(text.as_bytes()), date(2026, 11, 22));
    assert_eq!((choice.structure, choice.package.is_none()), (Some("tdd-vida-0.9"), true));
}

/// PE-2: the package of the publisher has three files, and all of them judge.
#[test]
fn pint_eu_has_all_three_files() {
    let choice = PackageChoice::of(
        &detection(Syntax::UblInvoice, "urn:peppol:pint:billing-1@eu-1"),
        date(2026, 11, 22),
    );
    let sets: Vec<_> = choice.applied.unwrap().now.rule_sets().map(|set| set.coordinate).collect();
    assert_eq!(
        sets,
        [
            "org.peppol.pint:invoice:1.1.3",
            "org.peppol.pint.eu:invoice-en16931:1.1.1",
            "org.peppol.pint.eu:invoice:1.1.1"
        ]
    );
}

/// An official file of rules that are left out on purpose does not judge by the back door.
#[test]
fn official_files_that_the_profile_leaves_out_are_not_admitted() {
    let on = date(2026, 11, 22);
    let of = |syntax, id: &str| PackageChoice::of(&detection(syntax, id), on);
    let extended =
        of(Syntax::Cii, "urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended");
    assert!(!extended.admits("eu.cen.en16931:cii"));
    assert!(extended.admits("org.factur-x:extended"));
    assert!(extended.admits("org.example:house"));
    let aunz = "urn:cen.eu:en16931:2017#conformant#\
                urn:fdc:peppol.eu:2017:poacc:billing:international:aunz:3.0";
    assert!(!of(Syntax::UblInvoice, aunz).admits("eu.cen.en16931:ubl"));
    assert!(of(Syntax::UblInvoice, BIS).admits("eu.cen.en16931:ubl"));
    assert!(of(Syntax::UblOther, "urn:example:mine").admits("eu.cen.en16931:ubl"));
}
