//! Profiles of invoices and credit notes on EN 16931: the core, its CIUS and its extensions.
//!
//! Sources: EN 16931-1 clause 7 (identifiers), Peppol BIS Billing 3, NLCIUS 1.0, XRechnung, the
//! Factur-X and ZUGFeRD specifications, the Peppol document type code list 9.7.

use super::Match::{Exact, OneOf, Pattern, Prefix};
use super::levels::{XRECHNUNG, XRECHNUNG_CVD, XRECHNUNG_EXTENSION};
use super::{CII, CROSS_INDUSTRY, INVOICES, Profile, UBL, UBL_AND_CII, UBL_INVOICES, row};
use crate::Syntax;

const CEN: &[&str] = &["en16931-ubl", "en16931-cii"];
const BIS: &[&str] = &["peppol-bis3", "peppol-bis3-cii"];
const XR: &[&str] = &["xrechnung-ubl", "xrechnung-cii"];
const CEN_CII: &[&str] = &["en16931-cii"];
const NL: &[&str] = &["nlcius-ubl", "nlcius-cii"];
const NL_GACCOUNT: &[&str] = &["nlcius-gaccount-ubl", "nlcius-gaccount-cii"];

/// CII D22B has more in some places than the usual release, and no codes of UNTDID 7161; Factur-X
/// has both.
const CORE: &[&str] = &["cii-d22b", "factur-x-1.09-en16931"];
const EXTENDED: &[&str] = &["cii-d22b", "factur-x-1.09-extended"];

/// The Polish platform has a document of its own beside them, for which there are no rules here.
const PEF: &[Syntax] = &[Syntax::UblInvoice, Syntax::UblCreditNote, Syntax::Cii, Syntax::UblOther];

/// A profile of EN 16931 invoices in both syntaxes.
const fn invoice(
    id: &'static str,
    title: &'static str,
    customization: super::Match,
    packages: &'static [&'static str],
) -> Profile {
    row(id, title, UBL_AND_CII, INVOICES, customization).judged_by(packages)
}

/// A profile that is published in CII only.
const fn cii(id: &'static str, title: &'static str, customization: super::Match) -> Profile {
    row(id, title, CII, CROSS_INDUSTRY, customization)
}

/// A profile that is published in UBL only.
const fn ubl(id: &'static str, title: &'static str, customization: super::Match) -> Profile {
    row(id, title, UBL, UBL_INVOICES, customization)
}

pub(super) const ROWS: &[Profile] = &[
    invoice(
        "peppol-bis3",
        "Peppol BIS Billing 3",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"),
        BIS,
    )
    .never_self_billed(),
    ubl(
        "peppol-bis3-selfbilling",
        "Peppol BIS Self-Billing 3",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0"),
    )
    .judged_by(&["peppol-bis3-selfbilling"])
    .self_billed(),
    invoice(
        "nlcius",
        "NLCIUS (SI-UBL 2.0)",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0"),
        NL,
    ),
    invoice(
        "nlcius-gaccount",
        "NLCIUS with G-account extension",
        Exact(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
             #conformant#urn:fdc:nen.nl:gaccount:v1.0",
        ),
        NL_GACCOUNT,
    ),
    invoice(
        "nlcius-setu",
        "SETU invoice 2 on NLCIUS",
        Pattern(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
             #compliant#urn:fdc:setu.nl:invoice:v{}",
        ),
        NL,
    )
    .example(
        "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
         #compliant#urn:fdc:setu.nl:invoice:v2.2",
    ),
    invoice(
        "nlcius-seef",
        "SEeF energy invoice on NLCIUS",
        Pattern(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
             #conformant#urn:fdc:energie-efactuur.nl:invoice:v{}",
        ),
        NL,
    )
    .example(
        "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
         #conformant#urn:fdc:energie-efactuur.nl:invoice:v3.0",
    ),
    invoice(
        "setu-2.0",
        "SETU invoice 2.0",
        Exact("urn:cen.eu:en16931:2017:extended:urn:ns.setu.nl:setu:invoice:v2.0"),
        CEN,
    ),
    invoice(
        "xrechnung-3",
        "XRechnung 3.0",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"),
        XR,
    )
    .levels(XRECHNUNG),
    // Payments by third parties change the amount due: BR-DEX-09 stands for BR-CO-16.
    invoice(
        "xrechnung-3-extension",
        "XRechnung 3.0 with extension",
        Exact(
            "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0\
             #conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0",
        ),
        XR,
    )
    .levels(XRECHNUNG_EXTENSION),
    invoice(
        "xrechnung-3-cvd",
        "XRechnung 3.0 for clean vehicles",
        Exact(
            "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0\
             #compliant#urn:xeinkauf.de:kosit:xrechnung:cvd_0.9",
        ),
        XR,
    )
    .levels(XRECHNUNG_CVD),
    invoice(
        "xrechnung-1-2",
        "XRechnung 1 or 2",
        Pattern("urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_{}"),
        CEN,
    )
    .example("urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3")
    .legacy(),
    invoice(
        "xrechnung-1-2-extension",
        "XRechnung 1 or 2 with extension",
        Pattern(
            "urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_{}\
             #conformant#urn:xoev-de:kosit:extension:xrechnung_{}",
        ),
        CEN,
    )
    .example(
        "urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3\
         #conformant#urn:xoev-de:kosit:extension:xrechnung_2.3",
    )
    .legacy(),
    invoice(
        "peppol-bis3-it",
        "Peppol BIS Billing 3 for Italy",
        Pattern(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
             #conformant#urn:www.agid.gov.it:trns:fattura:{}",
        ),
        BIS,
    )
    .example(
        "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
         #conformant#urn:www.agid.gov.it:trns:fattura:3",
    ),
    invoice(
        "peppol-bis3-pl",
        "Peppol BIS Billing 3 for Polish authorities (PEF)",
        OneOf(&[
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
             #extended#urn:fdc:www.efaktura.gov.pl:ver2.0",
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
             #extended#urn:fdc:www.efaktura.gov.pl:ver1.0",
        ]),
        CEN,
    )
    .also(PEF, &["Invoice", "CreditNote", "CrossIndustryInvoice", "SelfBilledCreditNote"]),
    invoice(
        "ehf3-variant",
        "EHF 3 forward billing or reminder",
        OneOf(&[
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
             #conformant#urn:fdc:anskaffelser.no:2019:ehf:forward-billing:3.0",
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
             #conformant#urn:fdc:anskaffelser.no:2019:ehf:reminder:3.0",
        ]),
        CEN,
    ),
    ubl(
        "ehf3-payment-request",
        "EHF 3 payment request",
        Pattern("urn:fdc:anskaffelser.no:2019:ehf:spec:payment-request:{}"),
    )
    .example("urn:fdc:anskaffelser.no:2019:ehf:spec:payment-request:3.0"),
    cii(
        "facturx-basic",
        "Factur-X or ZUGFeRD 2 BASIC",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic"),
    )
    .judged_by(&["factur-x-basic"])
    .structure("factur-x-1.09-basic"),
    cii(
        "facturx-extended",
        "Factur-X or ZUGFeRD 2 EXTENDED",
        Exact("urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended"),
    )
    .judged_by(&["factur-x-extended"])
    .structure("factur-x-1.09-extended"),
    cii(
        "facturx-minimum",
        "Factur-X or ZUGFeRD 2 MINIMUM, which is less than EN 16931",
        Exact("urn:factur-x.eu:1p0:minimum"),
    )
    .judged_by(&["factur-x-minimum"])
    .structure("factur-x-1.09-minimum"),
    cii(
        "facturx-basicwl",
        "Factur-X or ZUGFeRD 2 BASIC WL, which is less than EN 16931",
        Exact("urn:factur-x.eu:1p0:basicwl"),
    )
    .judged_by(&["factur-x-basic-wl"])
    .structure("factur-x-1.09-basicwl"),
    cii(
        "zugferd-2.0-basic",
        "ZUGFeRD 2.0 BASIC",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:zugferd.de:2p0:basic"),
    )
    .judged_by(CEN_CII)
    .legacy(),
    cii(
        "zugferd-2.0-extended",
        "ZUGFeRD 2.0 EXTENDED",
        Exact("urn:cen.eu:en16931:2017#conformant#urn:zugferd.de:2p0:extended"),
    )
    .judged_by(CEN_CII)
    .legacy(),
    cii(
        "zugferd-2.0-minimum",
        "ZUGFeRD 2.0 MINIMUM, which is less than EN 16931",
        Exact("urn:zugferd.de:2p0:minimum"),
    )
    .legacy(),
    cii(
        "zugferd-2.0-basicwl",
        "ZUGFeRD 2.0 BASIC WL, which is less than EN 16931",
        Exact("urn:zugferd.de:2p0:basicwl"),
    )
    .legacy(),
    invoice("ubl-be", "UBL.BE", Pattern("urn:cen.eu:en16931:2017#conformant#urn:UBL.BE:{}"), CEN)
        .example("urn:cen.eu:en16931:2017#conformant#urn:UBL.BE:1.0.0.20180214"),
    invoice(
        "fr-extended-ctc",
        "French extended CTC",
        Exact("urn:cen.eu:en16931:2017#conformant#urn.cpro.gouv.fr:1p0:extended-ctc-fr"),
        CEN,
    )
    .process_elsewhere()
    .or_structures(EXTENDED),
    invoice(
        "fr-peppol-cius",
        "Peppol France CIUS",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:peppol:france:billing:cius:1.0"),
        CEN,
    )
    .process_elsewhere()
    .or_structures(CORE),
    invoice(
        "fr-peppol-extended",
        "Peppol France extended",
        Exact("urn:cen.eu:en16931:2017#conformant#urn:peppol:france:billing:extended:1.0"),
        CEN,
    )
    .process_elsewhere()
    .or_structures(EXTENDED),
    invoice(
        "fr-peppol-facturx",
        "Peppol France Factur-X",
        Exact("urn:cen.eu:en16931:2017#conformant#urn:peppol:france:billing:Factur-X:1.0"),
        CEN,
    )
    .process_elsewhere()
    .or_structures(EXTENDED),
    cii("choruspro-a1", "Chorus Pro, invoice to be treated", Exact("A1")),
    cii("choruspro-a2", "Chorus Pro, invoice already paid", Exact("A2")),
    invoice(
        "peppol-eb2b",
        "Peppol enhanced business to business",
        Exact("urn:cen.eu:en16931:2017#conformant#urn:peppol:eb2b:1.0"),
        CEN,
    ),
    invoice(
        "zatca",
        "ZATCA of Saudi Arabia",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:zatca.gov.sa:e-invoicing:1.0"),
        CEN,
    ),
    invoice(
        "cius-ro",
        "CIUS-RO of Romania",
        Pattern("urn:cen.eu:en16931:2017#compliant#urn:efactura.mfinante.ro:CIUS-RO:{}"),
        CEN,
    )
    .example("urn:cen.eu:en16931:2017#compliant#urn:efactura.mfinante.ro:CIUS-RO:1.0.1"),
    invoice(
        "cius-hr",
        "CIUS-2025 of Croatia",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:mfin.gov.hr:cius-2025:1.0"),
        CEN,
    ),
    invoice(
        "srbdt",
        "SRBDT of Serbia",
        Pattern("urn:cen.eu:en16931:2017#compliant#urn:mfin.gov.rs:srbdt:{}"),
        CEN,
    )
    .example("urn:cen.eu:en16931:2017#compliant#urn:mfin.gov.rs:srbdt:2022"),
    invoice(
        "srb-cius",
        "SRB CIUS of Serbia",
        Prefix("urn:cen.eu:en16931:2017#compliant#urn:srb-cius"),
        CEN,
    )
    .example("urn:cen.eu:en16931:2017#compliant#urn:srb-cius:2021"),
    ubl(
        "peppol-international",
        "Peppol BIS Billing 3 for Singapore, Australia and New Zealand",
        Prefix(
            "urn:cen.eu:en16931:2017#conformant#\
             urn:fdc:peppol.eu:2017:poacc:billing:international:",
        ),
    )
    .example(
        "urn:cen.eu:en16931:2017#conformant#\
         urn:fdc:peppol.eu:2017:poacc:billing:international:aunz:3.0",
    )
    .legacy(),
    ubl(
        "peppol-international-selfbilling",
        "Peppol BIS Self-Billing 3 for Australia and New Zealand",
        Prefix(
            "urn:cen.eu:en16931:2017#conformant#\
             urn:fdc:peppol.eu:2017:poacc:selfbilling:international:",
        ),
    )
    .example(
        "urn:cen.eu:en16931:2017#conformant#\
         urn:fdc:peppol.eu:2017:poacc:selfbilling:international:aunz:3.0",
    )
    .self_billed()
    .legacy(),
    invoice("en16931", "EN 16931", Exact(super::EN16931), CEN).or_structures(CORE),
    row(
        "zugferd-1-basic",
        "ZUGFeRD 1 BASIC",
        &[Syntax::Zugferd1],
        &["CrossIndustryDocument"],
        Exact("urn:ferd:CrossIndustryDocument:invoice:1p0:basic"),
    )
    .legacy(),
    row(
        "zugferd-1-comfort",
        "ZUGFeRD 1 COMFORT",
        &[Syntax::Zugferd1],
        &["CrossIndustryDocument"],
        Exact("urn:ferd:CrossIndustryDocument:invoice:1p0:comfort"),
    )
    .legacy(),
    row(
        "zugferd-1-extended",
        "ZUGFeRD 1 EXTENDED",
        &[Syntax::Zugferd1],
        &["CrossIndustryDocument"],
        Exact("urn:ferd:CrossIndustryDocument:invoice:1p0:extended"),
    )
    .legacy(),
];
