//! Profiles of invoices and credit notes on EN 16931: the core, its CIUS and its extensions.
//!
//! Sources: EN 16931-1 clause 7 (identifiers), Peppol BIS Billing 3, NLCIUS 1.0, XRechnung, the
//! Factur-X and ZUGFeRD specifications, the Peppol document type code list 9.7.

use super::Match::{Exact, Pattern, Prefix};
use super::{Profile, row};
use crate::report::Flag::{self, Fatal, Information, Warning};

/// Document elements of EN 16931 invoices.
const INVOICES: &[&str] =
    &["Invoice", "CreditNote", "CrossIndustryInvoice", "SelfBilledInvoice", "SelfBilledCreditNote"];
const CII: &[&str] = &["CrossIndustryInvoice", "Invoice", "CreditNote"];

const CEN: &[&str] = &["en16931"];
const BIS: &[&str] = &["en16931", "peppol-bis3"];
const XR: &[&str] = &["en16931", "xrechnung"];
const NL: &[&str] = &["en16931", "nlcius"];
const NL_GACCOUNT: &[&str] = &["nlcius-gaccount"];
const SELF_BILLING: &[&str] = &["en16931", "peppol-bis3-selfbilling"];

/// Levels of the validator configuration of XRechnung 3.0.2.
const XRECHNUNG: &[(&str, Flag)] = &[
    ("BR-CL-21", Warning),
    ("BR-CL-23", Warning),
    ("UBL-CR-646", Fatal),
    ("CII-SR-452", Fatal),
    ("CII-SR-453", Fatal),
    ("CII-SR-454", Fatal),
];
/// Those of its extension.
const XRECHNUNG_EXTENSION: &[(&str, Flag)] = &[
    ("BR-CL-10", Information),
    ("BR-CL-11", Information),
    ("BR-CL-21", Information),
    ("BR-CL-23", Warning),
    ("BR-CL-24", Information),
    ("BR-CL-25", Information),
    ("BR-CL-26", Information),
    ("en16931-ubl/BR-CO-16", Information),
    ("UBL-CR-470", Information),
    ("UBL-CR-646", Information),
    ("CII-SR-452", Fatal),
    ("CII-SR-453", Fatal),
    ("CII-SR-454", Fatal),
];
/// Those of its profile for clean vehicles.
const XRECHNUNG_CVD: &[(&str, Flag)] = &[
    ("BR-CL-13", Information),
    ("BR-CL-21", Warning),
    ("BR-CL-23", Warning),
    ("UBL-CR-646", Fatal),
    ("CII-SR-452", Fatal),
    ("CII-SR-453", Fatal),
    ("CII-SR-454", Fatal),
];

const fn invoice(
    id: &'static str,
    title: &'static str,
    customization: super::Match,
    rule_sets: &'static [&'static str],
) -> Profile {
    row(id, title, INVOICES, customization).rules(rule_sets)
}

pub(super) const ROWS: &[Profile] = &[
    invoice(
        "peppol-bis3",
        "Peppol BIS Billing 3",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"),
        BIS,
    ),
    invoice(
        "peppol-bis3-selfbilling",
        "Peppol BIS Self-Billing 3",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0"),
        SELF_BILLING,
    )
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
        Pattern(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
             #extended#urn:fdc:www.efaktura.gov.pl:ver{}",
        ),
        CEN,
    )
    .example(
        "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
         #extended#urn:fdc:www.efaktura.gov.pl:ver2.0",
    ),
    invoice(
        "ehf3-variant",
        "EHF 3 forward billing or reminder",
        Prefix(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
             #conformant#urn:fdc:anskaffelser.no:2019:ehf:",
        ),
        CEN,
    )
    .example(
        "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
         #conformant#urn:fdc:anskaffelser.no:2019:ehf:forward-billing:3.0",
    ),
    row(
        "ehf3-payment-request",
        "EHF 3 payment request",
        &["Invoice"],
        Pattern("urn:fdc:anskaffelser.no:2019:ehf:spec:payment-request:{}"),
    )
    .example("urn:fdc:anskaffelser.no:2019:ehf:spec:payment-request:3.0"),
    invoice(
        "facturx-basic",
        "Factur-X or ZUGFeRD 2 BASIC",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic"),
        &["factur-x-basic"],
    ),
    invoice(
        "facturx-extended",
        "Factur-X or ZUGFeRD 2 EXTENDED",
        Exact("urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended"),
        &["factur-x-extended"],
    ),
    row(
        "facturx-minimum",
        "Factur-X or ZUGFeRD 2 MINIMUM, which is less than EN 16931",
        CII,
        Exact("urn:factur-x.eu:1p0:minimum"),
    )
    .rules(&["factur-x-minimum"]),
    row(
        "facturx-basicwl",
        "Factur-X or ZUGFeRD 2 BASIC WL, which is less than EN 16931",
        CII,
        Exact("urn:factur-x.eu:1p0:basicwl"),
    )
    .rules(&["factur-x-basic-wl"]),
    invoice(
        "zugferd-2.0-basic",
        "ZUGFeRD 2.0 BASIC",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:zugferd.de:2p0:basic"),
        CEN,
    )
    .legacy(),
    invoice(
        "zugferd-2.0-extended",
        "ZUGFeRD 2.0 EXTENDED",
        Exact("urn:cen.eu:en16931:2017#conformant#urn:zugferd.de:2p0:extended"),
        CEN,
    )
    .legacy(),
    row(
        "zugferd-2.0-minimum",
        "ZUGFeRD 2.0 MINIMUM, which is less than EN 16931",
        CII,
        Exact("urn:zugferd.de:2p0:minimum"),
    )
    .legacy(),
    row(
        "zugferd-2.0-basicwl",
        "ZUGFeRD 2.0 BASIC WL, which is less than EN 16931",
        CII,
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
    ),
    invoice(
        "fr-peppol-cius",
        "Peppol France CIUS",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:peppol:france:billing:cius:1.0"),
        CEN,
    ),
    invoice(
        "fr-peppol-extended",
        "Peppol France extended",
        Exact("urn:cen.eu:en16931:2017#conformant#urn:peppol:france:billing:extended:1.0"),
        CEN,
    ),
    invoice(
        "fr-peppol-facturx",
        "Peppol France Factur-X",
        Exact("urn:cen.eu:en16931:2017#conformant#urn:peppol:france:billing:Factur-X:1.0"),
        CEN,
    ),
    row("choruspro-a1", "Chorus Pro, invoice to be treated", CII, Exact("A1")),
    row("choruspro-a2", "Chorus Pro, invoice already paid", CII, Exact("A2")),
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
    row(
        "peppol-international",
        "Peppol BIS Billing 3 for Singapore, Australia and New Zealand",
        INVOICES,
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
    row(
        "peppol-international-selfbilling",
        "Peppol BIS Self-Billing 3 for Australia and New Zealand",
        INVOICES,
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
    invoice("en16931", "EN 16931", Exact(super::EN16931), CEN),
    row(
        "zugferd-1-basic",
        "ZUGFeRD 1 BASIC",
        &["CrossIndustryDocument"],
        Exact("urn:ferd:CrossIndustryDocument:invoice:1p0:basic"),
    )
    .legacy(),
    row(
        "zugferd-1-comfort",
        "ZUGFeRD 1 COMFORT",
        &["CrossIndustryDocument"],
        Exact("urn:ferd:CrossIndustryDocument:invoice:1p0:comfort"),
    )
    .legacy(),
    row(
        "zugferd-1-extended",
        "ZUGFeRD 1 EXTENDED",
        &["CrossIndustryDocument"],
        Exact("urn:ferd:CrossIndustryDocument:invoice:1p0:extended"),
    )
    .legacy(),
];
