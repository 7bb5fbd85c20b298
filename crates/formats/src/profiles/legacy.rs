//! Profiles that are out of use or of another network: Peppol BIS 1 and 2, SI-UBL 1, EHF 2,
//! OIOUBL, UBL-OHNL. They fit by a part of the identifier, so they are tried last, and the more
//! special ones first.

use jiff::civil::{Date, date};

use super::Match::{Contains, Exact, Pattern, Prefix, PrefixIn};
use super::{ANY_UBL, MESSAGES, Profile, UBL, row};
use crate::{DocumentKind, Syntax};

/// From when on documents of BIS 1 and 2 are refused: BIS 3 had taken the place of all of them, and
/// their document types are deprecated in the code list of Peppol since its release 7.
const BIS_2: Date = date(2021, 1, 1);

/// Documents of UBL-OHNL are in UBL or in a namespace of their own.
const OHNL: &[Syntax] =
    &[Syntax::UblInvoice, Syntax::UblCreditNote, Syntax::UblOther, Syntax::Ohnl];

pub(super) const ROWS: &[Profile] = &[
    row(
        "peppol-jp",
        "Peppol BIS Billing for Japan",
        UBL,
        &["Invoice"],
        Exact("urn:fdc:peppol:jp:billing:3.0"),
    )
    .legacy(),
    row(
        "si-ubl-1",
        "SI-UBL 1",
        ANY_UBL,
        &[],
        Contains(&[
            "urn:www.simplerinvoicing.org:si:si-ubl:",
            "urn:www.simplerinvoicing.org:si-ubl:",
        ]),
    )
    .refused(date(2024, 1, 1))
    .example(
        "urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:\
         urn:www.peppol.eu:bis:peppol4a:ver2.0:extended:\
         urn:www.simplerinvoicing.org:si:si-ubl:ver1.2",
    ),
    row(
        "ehf2",
        "EHF 1 or 2",
        ANY_UBL,
        &[],
        Contains(&["urn:www.difi.no:ehf:", "urn:fdc:difi.no:2017:ehf:"]),
    )
    .example(
        "urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:\
             urn:www.peppol.eu:bis:peppol4a:ver2.0:extended:urn:www.difi.no:ehf:faktura:ver2.0",
    )
    .legacy(),
    row(
        "uk-dhsc-ordering",
        "ordering profile of the British health service",
        MESSAGES,
        &["Order", "OrderResponse"],
        Contains(&["urn:fdc:peppol-authority.co.uk:spec:ordering:"]),
    )
    .example(
        "urn:www.cenbii.eu:transaction:biitrns001:ver2.0:extended:\
         urn:www.peppol.eu:bis:peppol28a:ver1.0:extended:\
         urn:fdc:peppol-authority.co.uk:spec:ordering:ver1.0",
    )
    .legacy(),
    row(
        "peppol-preaward-1",
        "Peppol pre-award 1",
        MESSAGES,
        &[],
        Contains(&["urn:fdc:peppol.eu:2017:pracc:"]),
    )
    .example(
        "urn:www.cenbii.eu:transaction:biitrdm083:ver3.0:extended:\
         urn:fdc:peppol.eu:2017:pracc:t004:ver1.0",
    )
    .legacy(),
    row(
        "peppol-bis2-mlr",
        "Peppol BIS 2 message level response",
        MESSAGES,
        &["ApplicationResponse"],
        Prefix("urn:www.cenbii.eu:transaction:biitrns071:"),
    )
    .example(
        "urn:www.cenbii.eu:transaction:biitrns071:ver2.0:extended:\
         urn:www.peppol.eu:bis:peppol36a:ver1.0",
    )
    .kind(DocumentKind::MessageLevelResponse)
    .refused(BIS_2),
    row(
        "peppol-bis2-invoice-response",
        "Peppol BIS 2 invoice message response",
        MESSAGES,
        &["ApplicationResponse"],
        Exact("urn:www.peppol.eu:transaction:biitrns111:ver1.0"),
    )
    .kind(DocumentKind::InvoiceResponse)
    .refused(BIS_2),
    row(
        "peppol-bis2-catalogue-response",
        "Peppol BIS 2 response to a catalogue",
        MESSAGES,
        &["ApplicationResponse"],
        Prefix("urn:www.cenbii.eu:transaction:biitrns058:"),
    )
    .example(
        "urn:www.cenbii.eu:transaction:biitrns058:ver2.0:extended:\
         urn:www.peppol.eu:bis:peppol1a:ver2.0",
    )
    .kind(DocumentKind::CatalogueResponse)
    .refused(BIS_2),
    row(
        "peppol-bis2-order-agreement",
        "Peppol BIS 2 order agreement",
        MESSAGES,
        &["OrderResponse"],
        Prefix("urn:www.cenbii.eu:transaction:biitrns110:"),
    )
    .example(
        "urn:www.cenbii.eu:transaction:biitrns110:ver1.0:extended:\
         urn:www.peppol.eu:bis:peppol42a:ver1.0",
    )
    .kind(DocumentKind::OrderAgreement)
    .refused(BIS_2),
    row(
        "peppol-bis2-punch-out",
        "Peppol BIS 2 punch out",
        MESSAGES,
        &["Catalogue"],
        Prefix("urn:www.cenbii.eu:transaction:biitrns077:"),
    )
    .example(
        "urn:www.cenbii.eu:transaction:biitrns077:ver2.0:extended:\
         www.peppol.eu:bis:peppol18a:ver1.0",
    )
    .kind(DocumentKind::PunchOut)
    .refused(BIS_2),
    row(
        "peppol-bis2",
        "Peppol BIS 1 or 2",
        ANY_UBL,
        &[],
        Contains(&["urn:www.cenbii.eu:transaction:bii"]),
    )
    .example(
        "urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:\
         urn:www.peppol.eu:bis:peppol4a:ver2.0",
    )
    .refused(BIS_2),
    row("oioubl3", "OIOUBL 3", ANY_UBL, &[], Prefix("urn:fdc:oioubl.dk:trns:billing:"))
        .example("urn:fdc:oioubl.dk:trns:billing:invoice:3.0"),
    row("oioubl2", "OIOUBL 2", ANY_UBL, &[], Pattern("OIOUBL-{}")).example("OIOUBL-2.02").legacy(),
    row("pef-pl", "document of the Polish platform PEF", ANY_UBL, &[], {
        Prefix("urn:fdc:www.efaktura.gov.pl:ver")
    })
    .example("urn:fdc:www.efaktura.gov.pl:ver1.0:trns:account_corr:ver1.0"),
    row("ohnl", "UBL-OHNL of the Dutch government", OHNL, &[], PrefixIn("1.", "NL"))
        .example("1.9")
        .legacy(),
];
