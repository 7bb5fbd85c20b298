//! What the texts of the regimes leave open, and what is assumed. Every assumption is here, with
//! why, and on the page of its regime (`docs/reference/tax`).

use jiff::SignedDuration;

/// ViDA: no published code list has the document type identifier of the pilot. It is made as those
/// of Slovakia, the Emirates and Oman, which are published.
pub const VIDA_DOCUMENT_TYPE: &str =
    "urn:peppol:schema:vida-taxdata:1.0::TaxData##urn:peppol:taxdata:vida-1::1.0";

/// ViDA: the model has payment means (BG-16), and none of the sample reports of the pilot has any,
/// though their invoices do. No account number is told that nobody asks for. Slovakia's samples
/// have them, and so have our reports to it.
pub const VIDA_PAYMENT_MEANS: bool = false;

/// ViDA 1.0: no sample report says why no VAT is due (BT-120, BT-121), and the rules on it look in
/// a place where nothing is. The rules of 1.1 find it, and reports by 1.1 have it.
pub const VIDA_1_0_EXEMPTION_REASONS: bool = false;

/// ViDA 1.0 names an invoice by the identifier of its seller (BT-29). Where an invoice has none,
/// the VAT number (BT-31) stands for it, as in 1.1. Slovakia says nothing of how it is made; it is
/// taken to be made as in 1.0, whose text it follows.
pub const VAT_NUMBER_FOR_SELLER_IDENTIFIER: bool = true;

/// Invoices that are not subject to VAT (category O) may have no VAT number of the seller
/// (BR-O-02), by which 1.1 names them. The parts that are there name it then.
pub const UNNAMED_SELLER_NEEDS_CATEGORY: &str = "O";

/// Oman: the invoice has its UUID (BTOM-002). Where it has none, it is made as the architecture of
/// Oman says, in the order of its text, of the parts joined by a blank, as ViDA joins them. No
/// published example has one that was made so, so the order is not proven.
pub const OMAN_NAME: &[&str] =
    &["IBT-034-1", "IBT-034", "IBT-003", "IBT-001", "IBT-002", "IBT-110", "IBT-112"];

/// Countries between which an invoice is intra-community besides the members of the EU: the pilot's
/// samples say so of Norway, Northern Ireland (`XI`) is one for goods.
pub const BESIDE_THE_UNION: &[&str] = &["NO", "XI"];

/// A number of a country that writes none before its numbers is of the country of its owner's
/// address (BT-40, BT-55): those of the Emirates are 15 digits.
pub const NUMBERS_WITHOUT_COUNTRY: bool = true;

/// Several notes (BT-22) become one, which is all a report may have: each on a line of its own.
pub const BETWEEN_NOTES: &str = "\n";

/// Emirates and Oman: the schemes of their own electronic addresses. Two ends that both have one,
/// and none that is predefined, are at home, wherever their addresses are: so say the samples of
/// Oman of services that are imported.
pub const HOME_SCHEMES: &[(&str, &str)] = &[("AE", "0235"), ("OM", "0248")];
/// Emirates: electronic addresses that stand for receivers who are not in Peppol. An invoice to one
/// of them that goes abroad is "not over Peppol".
pub const EMIRATES_PREDEFINED: &[&str] = &["9900000097", "9900000098", "9900000099"];
/// Oman: the same.
pub const OMAN_PREDEFINED: &[&str] =
    &["997770000095", "997770000096", "997770000097", "997770000098", "997770000099"];

/// Emirates: the custom term BTAE-20 is the total in dirham (`aedtotal-incl-vat`), without its
/// currency. Oman: BTOM-020 is the profit margin total (`PM_TOTAL`). Both are told of invoices in
/// another currency only, as in the samples.
pub const CUSTOM_TERMS: &[(&str, &str, &str)] =
    &[("AE", "aedtotal-incl-vat", "BTAE-20"), ("OM", "PM_TOTAL", "btom-020")];

/// The transmission identifier of 1.1 (TDT-018): the instance identifier of the invoice's envelope
/// is the one value that both providers know.
pub const TRANSMISSION_IS_THE_ENVELOPE: bool = true;

/// By when a status of corner 5 is expected; with none by then the message is repeated. Statuses
/// are due within 20 minutes by the service level of Peppol; three times that is generous.
pub const STATUS_WITHIN: SignedDuration = SignedDuration::from_mins(60);
/// How often a message is repeated before somebody has to look.
pub const REPEATS: u32 = 5;
/// How long before a deadline it is told.
pub const TOLD_BEFORE: SignedDuration = SignedDuration::from_hours(24);

/// France, flux 1: a line has to tell its gross price (BT-148). Where an invoice tells none, there
/// was no discount: it is the net price.
pub const GROSS_IS_NET_WITHOUT_DISCOUNT: bool = true;

/// France, flux 1: the specification identifiers (BT-24) of an extract without and with lines. The
/// published rules ask for one and name none; these are those of the external specifications.
pub const FLUX_1_BASE: &str = "urn.cpro.gouv.fr:1p0:einvoicingextract#Base";
/// The same with lines.
pub const FLUX_1_FULL: &str = "urn.cpro.gouv.fr:1p0:einvoicingextract#Full";

/// France, flux 10: for which period invoices are gathered, and within how many days after it the
/// portal has the file. The periods are those of the regimes of VAT; no text that was read says the
/// terms in a form that a program could take.
pub const FLUX_10_TERMS: &[(&str, i64)] = &[("ten-days", 10), ("month", 10), ("two-months", 30)];
/// How long after a period its file is written: what ended with the period is on record by then.
/// What comes later is in the file of the period in which it came.
pub const FLUX_10_PATIENCE: SignedDuration = SignedDuration::from_mins(10);
/// Invoices in a file at most: more of them make several files of one period, each the first of its
/// kind (`IN`) with an identifier of its own.
pub const FLUX_10_INVOICES: usize = 500;
/// France, flux 10.3: a buyer inside the union without a VAT number and without a SIREN is a
/// consumer. A sale of goods and services in one (BT-23 `M1` ...) cannot be told: no text says as
/// which of both.
pub const CONSUMERS_HAVE_NO_NUMBER: bool = true;
/// France: its departments overseas that are in France for VAT and have a code of their own in
/// ISO 3166-1: Guadeloupe, Martinique, La Réunion. Guyane and Mayotte have no VAT and count as
/// abroad.
pub const FRANCE_OVERSEAS: &[&str] = &["GP", "MQ", "RE"];
/// France, flux 10.3: where a consumer is at home for VAT as in France, beside
/// [`FRANCE_OVERSEAS`]: in Monaco. Its companies have no SIREN and are told as companies abroad.
pub const CONSUMERS_AS_IN_FRANCE: &[&str] = &["MC"];
/// France, flux 1: within how many hours after the exchange the portal has an extract. No text that
/// was read says so.
pub const FLUX_1_HOURS: i64 = 24;
