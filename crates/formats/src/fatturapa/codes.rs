//! Codes of FatturaPA in the lists of EN 16931.
//!
//! Source: "Regole tecniche relative alla gestione delle fatture europee" 2.6, appendices 4.1 and
//! 5.1 to 5.6. A code that is not in a table is kept as it is written.

use crate::reading::CodeTable;

/// `TipoDocumento` in UNTDID 1001 (BT-3). What the documents of self-assessment (TD16 to TD29) are
/// beyond an invoice is kept as written.
pub(super) const DOCUMENT_TYPES: CodeTable = &[
    ("TD01", "380"),
    ("TD02", "386"),
    ("TD03", "386"),
    ("TD04", "381"),
    ("TD05", "383"),
    ("TD06", "380"),
    ("TD07", "380"),
    ("TD08", "381"),
    ("TD09", "383"),
    ("TD16", "380"),
    ("TD17", "380"),
    ("TD18", "380"),
    ("TD19", "380"),
    ("TD20", "380"),
    ("TD21", "380"),
    ("TD22", "380"),
    ("TD23", "380"),
    ("TD24", "380"),
    ("TD25", "380"),
    ("TD26", "380"),
    ("TD27", "380"),
    ("TD28", "380"),
    ("TD29", "380"),
];

/// UNTDID 1001 (BT-3) in `TipoDocumento`, of the types that Italy has; others are the nearest.
pub(super) const DOCUMENT_TYPES_WRITTEN: CodeTable = &[
    ("380", "TD01"),
    ("381", "TD04"),
    ("383", "TD05"),
    ("386", "TD02"),
    ("389", "TD01"),
    ("261", "TD04"),
    ("527", "TD05"),
];

/// `SoggettoEmittente` (1.6) of an invoice that the customer issues for the seller.
pub(super) const BY_CUSTOMER: &str = "CC";

/// BT-3 of a document that the seller issues, and of the same that the customer issues for the
/// seller. Of others EN 16931 has no such type.
pub(super) const SELF_BILLED: CodeTable = &[("380", "389"), ("381", "261"), ("383", "527")];

/// `Natura` in UNTDID 5305 (BT-118, BT-151). N3, which stood for exports and for supplies within
/// the Union until 2020, is not told.
pub(super) const CATEGORIES: CodeTable = &[
    ("N1", "Z"),
    ("N2", "E"),
    ("N2.1", "E"),
    ("N2.2", "E"),
    ("N3.1", "G"),
    ("N3.2", "K"),
    ("N3.3", "G"),
    ("N3.4", "G"),
    ("N3.5", "G"),
    ("N3.6", "K"),
    ("N4", "E"),
    ("N5", "E"),
    ("N6", "AE"),
    ("N6.1", "AE"),
    ("N6.2", "AE"),
    ("N6.3", "AE"),
    ("N6.4", "AE"),
    ("N6.5", "AE"),
    ("N6.6", "AE"),
    ("N6.7", "AE"),
    ("N6.8", "AE"),
    ("N6.9", "AE"),
    ("N7", "K"),
];

/// `Natura` as a reason of exemption (BT-121).
pub(super) const EXEMPTIONS: CodeTable = &[
    ("N2.1", "VATEX-EU-132"),
    ("N2.2", "VATEX-EU-132"),
    ("N3.1", "VATEX-EU-G"),
    ("N3.2", "VATEX-EU-IC"),
    ("N3.3", "VATEX-EU-G"),
    ("N3.4", "VATEX-EU-G"),
    ("N3.5", "VATEX-EU-G"),
    ("N3.6", "VATEX-EU-IC"),
    ("N4", "VATEX-EU-132"),
    ("N5", "VATEX-EU-132"),
    ("N6", "VATEX-EU-AE"),
    ("N6.1", "VATEX-EU-AE"),
    ("N6.2", "VATEX-EU-AE"),
    ("N6.3", "VATEX-EU-AE"),
    ("N6.4", "VATEX-EU-AE"),
    ("N6.5", "VATEX-EU-AE"),
    ("N6.6", "VATEX-EU-AE"),
    ("N6.7", "VATEX-EU-AE"),
    ("N6.8", "VATEX-EU-AE"),
    ("N6.9", "VATEX-EU-AE"),
    ("N7", "VATEX-EU-151"),
];

/// `ModalitaPagamento` in UNTDID 4461 (BT-81), but for the transfer (`MP05`), which is 58 to an
/// account with an IBAN, else 30.
pub(super) const PAYMENT_MEANS: CodeTable = &[
    ("MP01", "10"),
    ("MP02", "20"),
    ("MP03", "21"),
    ("MP04", "ZZZ"),
    ("MP05", "30"),
    ("MP06", "60"),
    ("MP07", "1"),
    ("MP08", "48"),
    ("MP09", "49"),
    ("MP10", "49"),
    ("MP11", "49"),
    ("MP12", "70"),
    ("MP13", "31"),
    ("MP14", "1"),
    ("MP15", "57"),
    ("MP16", "49"),
    ("MP17", "42"),
    ("MP18", "50"),
    ("MP19", "59"),
    ("MP20", "59"),
    ("MP21", "59"),
    ("MP22", "97"),
    ("MP23", "9"),
];

/// UNTDID 4461 (BT-81) in `ModalitaPagamento`, each of these with all codes that it stands for.
pub(super) const PAYMENT_MEANS_WRITTEN: &[(&str, &[&str])] = &[
    (
        "MP01",
        &[
            "1", "10", "17", "18", "19", "27", "28", "29", "32", "33", "34", "35", "36", "37",
            "38", "39", "40", "41", "43", "52", "53", "96", "98",
        ],
    ),
    ("MP02", &["20", "25", "26", "92"]),
    ("MP03", &["21", "22", "23", "91"]),
    ("MP04", &["ZZZ"]),
    ("MP05", &["15", "16", "30", "45", "51", "56", "58", "68", "69", "93", "94", "95"]),
    ("MP06", &["60", "61", "62", "63", "64", "65", "66", "67"]),
    ("MP08", &["48", "54", "55"]),
    ("MP12", &["8", "44", "70"]),
    ("MP13", &["24", "31", "74", "75", "76", "77", "78"]),
    ("MP15", &["57"]),
    ("MP17", &["42"]),
    ("MP18", &["50"]),
    ("MP19", &["2", "3", "4", "5", "6", "7", "11", "12", "13", "14", "46", "47", "49", "59"]),
    ("MP22", &["97"]),
    ("MP23", &["9"]),
];

/// The same where an IBAN is given.
pub(super) const PAYMENT_MEANS_WITH_IBAN: CodeTable = &[("MP05", "58")];

/// `EsigibilitaIVA` in UNTDID 2005 (BT-8): deferred VAT is due when it is paid. VAT that is due at
/// once (`I`) does not say on which day.
pub(super) const PAYABILITY: CodeTable = &[("D", "432")];

/// `EsigibilitaIVA` that is a category of its own: VAT that the buyer pays to the state.
pub(super) const SPLIT_PAYMENT: &str = "S";

/// `ScontoMaggiorazione/Tipo` as an indicator of a charge.
pub(super) const ADJUSTMENTS: CodeTable = &[("SC", "false"), ("MG", "true")];

/// Short names of units, in lower case, in UN/ECE recommendation 20 (BT-130). There is no official
/// list.
pub(super) const UNITS: CodeTable = &[
    ("pz", "H87"),
    ("nr", "C62"),
    ("n.", "C62"),
    ("h", "HUR"),
    ("ore", "HUR"),
    ("ora", "HUR"),
    ("gg", "DAY"),
    ("mesi", "MON"),
    ("mese", "MON"),
    ("anni", "ANN"),
    ("min", "MIN"),
    ("sec", "SEC"),
    ("kg", "KGM"),
    ("g", "GRM"),
    ("gr", "GRM"),
    ("t", "TNE"),
    ("m", "MTR"),
    ("cm", "CMT"),
    ("mm", "MMT"),
    ("km", "KMT"),
    ("mq", "MTK"),
    ("mc", "MTQ"),
    ("l", "LTR"),
    ("lt", "LTR"),
    ("kwh", "KWH"),
    ("set", "SET"),
    ("paia", "PR"),
    ("a corpo", "LS"),
    ("%", "P1"),
];

/// `FormatoAttachment`, in lower case, as a media type (BT-125-1).
pub(super) const MEDIA_TYPES: CodeTable = &[
    ("pdf", "application/pdf"),
    ("xml", "application/xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("csv", "text/csv"),
    ("txt", "text/plain"),
    ("zip", "application/zip"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
];

/// Scheme of an IPA office code, 6 characters (ISO 6523 list of Peppol).
pub(super) const OFFICE: &str = "0201";
/// Scheme of a recipient code of SdI, 7 characters.
pub(super) const RECIPIENT: &str = "0205";
/// Recipient codes that stand for none: of a buyer without one, and of one abroad.
pub(super) const NO_RECIPIENT: &[&str] = &["0000000", "XXXXXXX"];
/// Scheme of a certified mail address.
pub(super) const MAIL: &str = "0202";
/// Scheme of the Italian tax code.
pub(super) const TAX_CODE: &str = "0210";
/// Scheme of a global trade item number.
pub(super) const GTIN: &str = "0160";
