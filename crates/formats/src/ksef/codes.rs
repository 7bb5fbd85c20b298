//! Codes of FA in the lists of EN 16931, and the words by which it says what it has no element for.
//!
//! Source: FA(3), form 1-0E, and the information sheet on it (Ministry of Finance). A code that is
//! not in a table is kept as it is written.

use crate::reading::CodeTable;

/// `FormaPlatnosci` in UNTDID 4461 (BT-81). A voucher and a credit are none of its codes.
pub(super) const PAYMENT_FORMS: CodeTable =
    &[("1", "10"), ("2", "48"), ("3", "ZZZ"), ("4", "20"), ("5", "ZZZ"), ("6", "30"), ("7", "68")];

/// UNTDID 4461 (BT-81) in `FormaPlatnosci`. What is not here is another way (`PlatnoscInna`).
pub(super) const PAYMENT_FORMS_WRITTEN: CodeTable = &[
    ("10", "1"),
    ("48", "2"),
    ("54", "2"),
    ("55", "2"),
    ("20", "4"),
    ("21", "4"),
    ("22", "4"),
    ("23", "4"),
    ("30", "6"),
    ("31", "6"),
    ("42", "6"),
    ("58", "6"),
    ("68", "7"),
];

/// Names of sums.
#[derive(Debug, Clone, Copy)]
pub(super) struct SumNames {
    /// `P_13_n`.
    pub net: &'static str,
    /// `P_14_n`; `""` where there is no VAT.
    pub vat: &'static str,
    /// `P_14_nW`; `""` where there is none.
    pub vat_in_zloty: &'static str,
    /// BT-118.
    pub category: &'static str,
    /// BT-121 that the field means; `""` where it means none.
    pub reason: &'static str,
    /// The rates (`P_12`) that are in it, the usual one first.
    pub rates: &'static [&'static str],
}

const fn taxed(
    net: &'static str,
    vat: &'static str,
    vat_in_zloty: &'static str,
    rates: &'static [&'static str],
) -> SumNames {
    SumNames { net, vat, vat_in_zloty, category: "S", reason: "", rates }
}

const fn untaxed(
    net: &'static str,
    category: &'static str,
    reason: &'static str,
    rates: &'static [&'static str],
) -> SumNames {
    SumNames { net, vat: "", vat_in_zloty: "", category, reason, rates }
}

/// The sums in the order of the schema.
pub(super) const SUMS: &[SumNames] = &[
    taxed("P_13_1", "P_14_1", "P_14_1W", &["23", "22"]),
    taxed("P_13_2", "P_14_2", "P_14_2W", &["8", "7"]),
    taxed("P_13_3", "P_14_3", "P_14_3W", &["5"]),
    taxed("P_13_4", "P_14_4", "P_14_4W", &["4", "3"]),
    taxed("P_13_5", "P_14_5", "", &[]),
    untaxed("P_13_6_1", "Z", "", &["0 KR"]),
    untaxed("P_13_6_2", "K", "VATEX-EU-IC", &["0 WDT"]),
    untaxed("P_13_6_3", "G", "VATEX-EU-G", &["0 EX"]),
    untaxed("P_13_7", "E", "", &["zw"]),
    untaxed("P_13_8", "O", "VATEX-EU-O", &["np I"]),
    untaxed("P_13_9", "AE", "VATEX-EU-AE", &["np II"]),
    untaxed("P_13_10", "AE", "VATEX-EU-AE", &["oo"]),
    untaxed("P_13_11", "E", "", &[]),
];

/// `P_12` in UNTDID 5305 (BT-151), where it is no rate.
pub(super) const CATEGORIES: CodeTable = &[
    ("0", "Z"),
    ("0 KR", "Z"),
    ("0 WDT", "K"),
    ("0 EX", "G"),
    ("zw", "E"),
    ("np", "O"),
    ("np I", "O"),
    ("np II", "AE"),
    ("oo", "AE"),
];

/// Words of units, in lower case, in UN/ECE recommendation 20 (BT-130). There is no official list.
pub(super) const UNITS: CodeTable = &[
    ("szt.", "H87"),
    ("szt", "H87"),
    ("kg", "KGM"),
    ("g", "GRM"),
    ("t", "TNE"),
    ("l", "LTR"),
    ("m", "MTR"),
    ("cm", "CMT"),
    ("mm", "MMT"),
    ("km", "KMT"),
    ("m2", "MTK"),
    ("m3", "MTQ"),
    ("godz.", "HUR"),
    ("godz", "HUR"),
    ("h", "HUR"),
    ("min", "MIN"),
    ("min.", "MIN"),
    ("dzień", "DAY"),
    ("dni", "DAY"),
    ("mies.", "MON"),
    ("mc", "MON"),
    ("rok", "ANN"),
    ("kwh", "KWH"),
    ("mwh", "MWH"),
    ("kpl.", "SET"),
    ("kpl", "SET"),
    ("para", "PR"),
    ("usł.", "E48"),
    ("usługa", "E48"),
];

/// `DodatkowyOpis/Klucz` of terms of the document that FA has no element for.
pub(super) const DOCUMENT_FACTS: CodeTable = &[
    ("Referencja nabywcy", "BT-10"),
    ("Projekt", "BT-11"),
    ("Zamówienie sprzedawcy", "BT-14"),
    ("Potwierdzenie odbioru", "BT-15"),
    ("Przetarg", "BT-17"),
    ("Obiekt faktury", "BT-18"),
    ("Referencja księgowa nabywcy", "BT-19"),
    ("Warunki płatności", "BT-20"),
    ("Uwagi", "BT-22"),
    ("Faktura poprzednia", "BT-25"),
    ("Nazwa handlowa sprzedawcy", "BT-28"),
    ("Numer rejestrowy sprzedawcy", "BT-30"),
    ("Osoba kontaktowa sprzedawcy", "BT-41"),
    ("Nazwa handlowa nabywcy", "BT-45"),
    ("Osoba kontaktowa nabywcy", "BT-56"),
    ("Sposób płatności", "BT-82"),
    ("Tytuł płatności", "BT-83"),
];

/// The same of terms of a row.
pub(super) const ROW_FACTS: CodeTable = &[
    ("Uwagi", "BT-127"),
    ("Obiekt faktury", "BT-128"),
    ("Pozycja zamówienia", "BT-132"),
    ("Referencja księgowa nabywcy", "BT-133"),
    ("Opis", "BT-154"),
    ("Indeks nabywcy", "BT-156"),
    ("Kraj pochodzenia", "BT-159"),
];

/// `Powod` of what rounding made (BT-114).
pub(super) const ROUNDING: &str = "Zaokrąglenie";
/// `Powod` of what is paid already (BT-113).
pub(super) const PREPAID: &str = "Przedpłata";

/// Scheme of a global location number.
pub(super) const GLN: &str = "0088";
/// Scheme of a global trade item number.
pub(super) const GTIN: &str = "0160";
/// Scheme of the Polish number for VAT as an electronic address.
pub(super) const NIP_ADDRESS: &str = "9945";
/// UNTDID 7143: the harmonised system, of which the combined nomenclature is made.
pub(super) const NOMENCLATURE: &str = "HS";

/// `KodUE`: states of the Union, as identifiers for VAT begin.
pub(super) const UNION: &[&str] = &[
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "EL", "ES", "FI", "FR", "HR", "HU", "IE", "IT",
    "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK", "XI",
];

/// `KodKraju`.
const COUNTRIES: &str = "\
    AD AE AF AG AI AL AM AN AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN \
    BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE \
    DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN \
    GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE \
    KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK \
    ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA \
    PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK \
    SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG \
    UM US UY UZ VA VC VE VG VI VN VU WF WS XC XI XK XL YE YT ZA ZM ZW";

/// `KodWaluty`.
const CURRENCIES: &str = "\
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD \
    BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP \
    DZD EGP ERN ETB EUR FJD FKP GBP GEL GGP GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR \
    ILS IMP INR IQD IRR ISK JEP JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR \
    LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK \
    NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP \
    SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI \
    UYU UYW UZS VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU \
    XUA XXX YER ZAR ZMW ZWL";

/// Whether `KodKraju` has a country.
pub(super) fn has_country(code: &str) -> bool {
    COUNTRIES.split(' ').any(|own| own == code)
}

/// Whether `KodWaluty` has a currency.
pub(super) fn has_currency(code: &str) -> bool {
    CURRENCIES.split(' ').any(|own| own == code)
}

/// `Procedura`.
pub(super) const PROCEDURES: &[&str] =
    &["WSTO_EE", "IED", "TT_D", "I_42", "I_63", "B_SPV", "B_SPV_DOSTAWA", "B_MPV_PROWIZJA"];

/// Schemes in which the margin is taxed (BT-121), and their elements.
pub(super) const MARGINS: CodeTable = &[
    ("VATEX-EU-D", "P_PMarzy_2"),
    ("VATEX-EU-F", "P_PMarzy_3_1"),
    ("VATEX-EU-I", "P_PMarzy_3_2"),
    ("VATEX-EU-J", "P_PMarzy_3_3"),
];
