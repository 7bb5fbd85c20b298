//! The table of profiles: each row is told by its own identifier; identifiers of the field.

use std::collections::BTreeSet;

use super::*;
use crate::ubl::UBL_PREFIX;
use crate::{Certainty, Detection, detect};

/// A document with nothing but its identifiers, in a document element the profile is for.
fn document(root: &str, customization: &str, profile_id: &str) -> Detection {
    let cbc = crate::ubl::CBC;
    let text = if root.starts_with("Cross") || root.starts_with("SCRDM") {
        let namespace = match root {
            "CrossIndustryDocument" => "urn:ferd:CrossIndustryDocument:invoice:1p0".to_owned(),
            "SCRDMCCBDACIOMessageStructure" => format!("urn:un:unece:uncefact:data:{root}:100"),
            _ => format!("urn:un:unece:uncefact:data:standard:{root}:100"),
        };
        format!(
            "<{root} xmlns='{namespace}'><ExchangedDocumentContext>\
             <BusinessProcessSpecifiedDocumentContextParameter><ID>{profile_id}</ID>\
             </BusinessProcessSpecifiedDocumentContextParameter>\
             <GuidelineSpecifiedDocumentContextParameter><ID>{customization}</ID>\
             </GuidelineSpecifiedDocumentContextParameter></ExchangedDocumentContext></{root}>"
        )
    } else {
        let namespace = match root {
            "TaxData" => "urn:peppol:schema:taxdata:1.0".to_owned(),
            "TaxDataStatus" => "urn:fdc:peppol:tax-data-status:1.0".to_owned(),
            "TransactionStatisticsReport" => {
                "urn:fdc:peppol:transaction-statistics-report:1.0".to_owned()
            }
            "EndUserStatisticsReport" => "urn:fdc:peppol:end-user-statistics-report:1.1".to_owned(),
            "EndUserReport" => "urn:fdc:peppol:end-user-reporting:1.0".to_owned(),
            _ => format!("{UBL_PREFIX}{root}-2"),
        };
        format!(
            "<{root} xmlns='{namespace}' xmlns:cbc='{cbc}'>\
             <cbc:CustomizationID>{customization}</cbc:CustomizationID>\
             <cbc:ProfileID>{profile_id}</cbc:ProfileID></{root}>"
        )
    };
    detect(text.as_bytes())
}

#[test]
fn every_row_is_told_by_its_own_identifier() {
    for profile in PROFILES {
        let process = match profile.customization {
            PrefixIn(_, process) => process,
            _ => "x",
        };
        let any = if profile.syntaxes == MESSAGES { &["Order"][..] } else { &["Invoice"][..] };
        let roots = if profile.roots.is_empty() { any } else { profile.roots };
        assert!(!profile.example.is_empty(), "{}", profile.id);
        for root in roots {
            let found = document(root, profile.example, process);
            assert_eq!(found.profile.as_deref(), Some(profile.id), "{root} {}", profile.example);
            assert_eq!(found.certainty, Certainty::Exact, "{}", profile.id);
            assert!(profile.kind.is_none_or(|kind| found.kind == Some(kind)), "{}", profile.id);
            let always = profile.self_billing == SelfBilling::Always;
            assert!(found.self_billing || !always, "{}", profile.id);
        }
    }
}

#[test]
fn every_row_has_a_name_of_its_own() {
    let ids: BTreeSet<_> = PROFILES.iter().map(|profile| profile.id).collect();
    assert_eq!(ids.len(), PROFILES.len());
    let examples: BTreeSet<_> = PROFILES.iter().map(|profile| profile.example).collect();
    assert_eq!(examples.len(), PROFILES.len());
    for profile in PROFILES {
        assert!(Profile::by_id(profile.id).is_some_and(|row| row.title == profile.title));
        assert!(!profile.title.is_empty());
    }
    let ids: BTreeSet<_> = PROCESSES.iter().map(|process| process.id).collect();
    assert_eq!(ids.len(), PROCESSES.len());
    for process in PROCESSES {
        let example = process.profile_id.replace('*', "9");
        assert_eq!(BusinessProcess::of(&example).map(|row| row.id), Some(process.id));
    }
}

#[test]
fn a_row_tells_no_document_that_it_is_not_for() {
    let order = document("Order", "urn:cen.eu:en16931:2017", "");
    assert_eq!((order.profile, order.certainty), (None, Certainty::Syntax));
    let mls = document("Invoice", "urn:peppol:edec:mls:1.0", "");
    assert_eq!((mls.profile, mls.certainty), (None, Certainty::Syntax));
    // Conversions of a CEN example carry the guideline of ZUGFeRD 1.
    let comfort = "urn:ferd:CrossIndustryDocument:invoice:1p0:comfort";
    let old = document("CrossIndustryInvoice", comfort, "");
    assert_eq!((old.profile, old.certainty), (None, Certainty::Syntax));
    assert!(old.reasons.iter().any(|reason| reason.contains("ZUGFeRD 1")), "{:?}", old.reasons);
}

const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const NLCIUS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";
const BII: &str = "urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:\
                   urn:www.peppol.eu:bis:peppol4a:ver2.0";

#[test]
fn one_character_more_than_a_known_identifier_is_another_one() {
    const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
    for more in ["*", ".1", "\u{a0}", "\u{3000}", "\u{85}", "\u{2028}", "\u{200b}"] {
        let found = document("Invoice", &format!("{BIS}{more}"), "");
        assert_eq!(found.profile.as_deref(), Some("en16931"), "{more:?}");
        assert_eq!(found.certainty, Certainty::Base, "{more:?}");
        assert!(found.customization_id.is_some_and(|id| id.ends_with(more)), "{more:?}");
    }
    let pint = document("Invoice", "urn:peppol:pint:billing-1@jp-1*", "");
    assert_eq!(pint.unknown_extension.as_deref(), Some("@jp-1*"));
    // White space of XML is none of it, wherever it stands.
    let spaced = document("Invoice", &format!(" \t\r\n{BIS} \t\r\n"), "");
    assert_eq!(
        (spaced.profile.as_deref(), spaced.certainty),
        (Some("peppol-bis3"), Certainty::Exact)
    );
}

#[test]
fn chains_and_their_unknown_members() {
    for (customization, profile, rest, members) in [
        (format!("{NLCIUS}#conformant#urn:x:y"), "nlcius", "#conformant#urn:x:y", &["urn:x:y"][..]),
        (
            "urn:cen.eu:en16931:2017#compliant#urn:x#conformant#urn:y".to_owned(),
            "en16931",
            "#compliant#urn:x#conformant#urn:y",
            &["urn:x", "urn:y"],
        ),
        (
            "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.9".to_owned(),
            "en16931",
            "#compliant#urn:xeinkauf.de:kosit:xrechnung_3.9",
            &["urn:xeinkauf.de:kosit:xrechnung_3.9"],
        ),
        ("urn:peppol:pint:billing-1@xx-1".to_owned(), "pint", "@xx-1", &["xx-1"]),
        ("urn:peppol:pint:selfbilling-1@xx-1".to_owned(), "pint-selfbilling", "@xx-1", &["xx-1"]),
    ] {
        let found = document("Invoice", &customization, "");
        assert_eq!(found.profile.as_deref(), Some(profile), "{customization}");
        assert_eq!(found.certainty, Certainty::Base, "{customization}");
        assert_eq!(found.unknown_extension.as_deref(), Some(rest), "{customization}");
        assert_eq!(found.unknown_members, members, "{customization}");
    }
    let order = "urn:fdc:peppol.eu:poacc:trns:order:3:extended:urn:x:y";
    let found = document("Order", order, "urn:fdc:peppol.eu:poacc:bis:ordering:3");
    assert_eq!(found.profile.as_deref(), Some("peppol-order-3"));
    assert_eq!(found.unknown_members, ["urn:x:y"]);
    assert_eq!(found.process.as_deref(), Some("peppol-ordering"));
}

#[test]
fn odd_spellings() {
    for (customization, profile, certainty) in [
        (format!("\n {BIS}\t"), Some("peppol-bis3"), Certainty::Exact),
        (BIS.replace('#', " # "), Some("peppol-bis3"), Certainty::Exact),
        (BIS.replace("compliant", "Compliant"), Some("peppol-bis3"), Certainty::Exact),
        (
            "urn:cen.eu:en16931:2017:compliant:factur-x.eu:1p0:basic".to_owned(),
            Some("facturx-basic"),
            Certainty::Likely,
        ),
        (
            "urn:cen.eu:en16931:2017:compliant:factur-x.eu:1p0:extended".to_owned(),
            Some("facturx-extended"),
            Certainty::Likely,
        ),
        (
            format!("{UBL_PREFIX}Invoice-2::Invoice##{BIS}::2.1"),
            Some("peppol-bis3"),
            Certainty::Likely,
        ),
        (BIS.replace("compliant", "conformant"), Some("peppol-bis3"), Certainty::Likely),
        (BIS.to_uppercase(), None, Certainty::Syntax),
        ("urn:cen.eu:en16931:2017:x".to_owned(), None, Certainty::Syntax),
        ("#co".to_owned(), None, Certainty::Syntax),
        ("##".to_owned(), None, Certainty::Syntax),
        ("urn:##::".to_owned(), None, Certainty::Syntax),
        ("@".to_owned(), None, Certainty::Syntax),
        ("urn:some:unknown:id".to_owned(), None, Certainty::Syntax),
    ] {
        let is_cii = profile.is_some_and(|id| id.starts_with("facturx"));
        let root = if is_cii { "CrossIndustryInvoice" } else { "Invoice" };
        let found = document(root, &customization, "");
        assert_eq!(found.profile.as_deref(), profile, "{customization}: {:?}", found.reasons);
        assert_eq!(found.certainty, certainty, "{customization}");
    }
}

#[test]
fn versions_that_rows_leave_open() {
    let xrechnung = "urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3";
    for (customization, profile, version) in [
        (xrechnung.to_owned(), "xrechnung-1-2", "2.3"),
        (
            format!("{xrechnung}#conformant#urn:xoev-de:kosit:extension:xrechnung_2.3"),
            "xrechnung-1-2-extension",
            "2.3",
        ),
        (
            format!("{NLCIUS}#conformant#urn:fdc:energie-efactuur.nl:invoice:v3.1"),
            "nlcius-seef",
            "3.1",
        ),
        (format!("{NLCIUS}#compliant#urn:fdc:setu.nl:invoice:v2.2"), "nlcius-setu", "2.2"),
        (
            format!("{BII}:extended:urn:www.simplerinvoicing.org:si:si-ubl:ver1.1.3"),
            "si-ubl-1",
            "1.1.3",
        ),
        (
            "urn:www.cenbii.eu:transaction:biicoretrdm010:ver1.0:#urn:www.peppol.eu:bis:peppol4a:\
             ver1.0#urn:www.simplerinvoicing.org:si-ubl:invoice:ver1.0.x"
                .to_owned(),
            "si-ubl-1",
            "1.0",
        ),
        ("OIOUBL-2.02".to_owned(), "oioubl2", "2.02"),
    ] {
        let found = document("Invoice", &customization, "");
        assert_eq!(found.profile.as_deref(), Some(profile), "{customization}");
        assert_eq!(found.profile_version.as_deref(), Some(version), "{customization}");
    }
}

/// SI-UBL 1 names Peppol BIS 2 as its base, and SI-UBL 2.0 is NLCIUS: never one for the other.
#[test]
fn si_ubl_1_is_neither_bis_2_nor_nlcius() {
    let si = format!("{BII}:extended:urn:www.simplerinvoicing.org:si:si-ubl:ver");
    for version in ["1.0", "1.1", "1.2", "2.0.1", "-badversion", ""] {
        let found = document("Invoice", &format!("{si}{version}"), "");
        assert_eq!(found.profile.as_deref(), Some("si-ubl-1"), "{version}");
    }
    assert_eq!(document("Invoice", BII, "").profile.as_deref(), Some("peppol-bis2"));
    assert_eq!(document("Invoice", NLCIUS, "").profile.as_deref(), Some("nlcius"));
    let ehf = format!("{BII}:extended:urn:www.difi.no:ehf:faktura:ver2.0");
    assert_eq!(document("Invoice", &ehf, "").profile.as_deref(), Some("ehf2"));
}

#[test]
fn the_process_is_named_beside_the_profile() {
    let french = document("Invoice", "urn:cen.eu:en16931:2017", "S1");
    assert!(french.reasons.iter().any(|reason| reason.contains("French")), "{french:?}");
    assert!(!is_french("S9") && !is_french("S1x") && is_french("M8") && is_french("B1bis"));
    let other = document("Invoice", BIS, "urn:fdc:peppol.eu:2017:poacc:billing:02:1.0");
    assert_eq!(other.process.as_deref(), Some("peppol-billing-other"));
    let ohnl = document("Invoice", "1.9", "NL");
    assert_eq!(ohnl.profile.as_deref(), Some("ohnl"));
    assert_eq!(document("Invoice", "1.9", "").profile, None);
}

/// Very long identifiers of nothing but joints are answered at once.
#[test]
fn hostile_identifiers_are_bounded() {
    for part in ["#", "@", "#compliant#", ":extended:", "{}", "1.", "urn:##"] {
        let whole = format!("urn:cen.eu:en16931:2017{}", part.repeat(100_000 / part.len()));
        let found = document("Invoice", &whole, "");
        assert!(found.customization_id.unwrap().chars().count() <= 1_001);
        assert!(found.unknown_members.len() <= 16);
    }
}

/// What is known of a beginning is not known of whatever follows it.
#[test]
fn known_ends_are_known_exactly() {
    for (end, profile, rest) in [
        ("#conformant#urn:fdc:anskaffelser.no:2019:ehf:reminder:3.0", "ehf3-variant", None),
        ("#conformant#urn:fdc:anskaffelser.no:2019:ehf:forward-billing:3.0", "ehf3-variant", None),
        ("#extended#urn:fdc:www.efaktura.gov.pl:ver1.0", "peppol-bis3-pl", None),
        (
            "#conformant#urn:fdc:anskaffelser.no:2019:ehf:nonsense",
            "peppol-bis3",
            Some("#conformant#urn:fdc:anskaffelser.no:2019:ehf:nonsense"),
        ),
        (
            "#extended#urn:fdc:www.efaktura.gov.pl:ver9.9",
            "peppol-bis3",
            Some("#extended#urn:fdc:www.efaktura.gov.pl:ver9.9"),
        ),
        ("##", "peppol-bis3", Some("#")),
    ] {
        let found = document("Invoice", &format!("{BIS}{end}"), "");
        assert_eq!(found.profile.as_deref(), Some(profile), "{end}");
        assert_eq!(found.unknown_extension.as_deref(), rest, "{end}");
    }
}

/// The type of a document says of which release of UBL it is (`…receipt_advice:1::2.3`), which
/// matters where the releases have the same document element.
#[test]
fn a_receipt_advice_of_logistics_is_of_ubl_2_3() {
    let profile = Profile::of("urn:fdc:peppol.eu:logistics:trns:receipt_advice:1").unwrap();
    assert_eq!(profile.structure, Some("ubl-2.3"));
}
