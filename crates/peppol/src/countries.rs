//! The countries that an envelope can name: ISO 3166-1 alpha-2, and what Peppol takes beside it.

/// The codes of ISO 3166-1 alpha-2, in order.
const ISO: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO \
    BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ \
    DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP \
    GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG \
    KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML \
    MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE \
    PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL \
    SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM \
    US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";
/// What the reporting specifications list beside ISO: Kosovo in both spellings, Greece as the VAT
/// says it, Northern Ireland.
const BESIDE: [&str; 4] = ["1A", "EL", "XI", "XK"];
/// What people write for a country, and what the standard calls it.
const MEANT: [(&str, &str); 3] = [("UK", "GB"), ("EN", "GB"), ("KV", "XK")];

/// Whether a code is one of ISO 3166-1 alpha-2.
pub fn is_iso(code: &str) -> bool {
    ISO.split(' ').any(|known| known == code)
}

/// Whether a code names a country of an envelope (BME 2.5; TSR 1.0, list `ISO3166`).
pub fn is_country(code: &str) -> bool {
    BESIDE.contains(&code) || is_iso(code)
}

/// The code of the standard where another one is used for the same country: Greece is `GR` in an
/// envelope, whatever its VAT numbers begin with.
pub fn canonical(code: &str) -> &str {
    match code {
        "EL" => "GR",
        other => other,
    }
}

/// The code of Kosovo, which ISO 3166-1 leaves to its users.
const KOSOVO: &str = "XK";

/// The country that a business card says a business is registered in: a code of ISO 3166-1, in
/// upper case. Greece is `GR`, also where it is written as its VAT numbers begin. Codes that only
/// documents and reports have are none.
pub fn registered(text: &str) -> Option<String> {
    let code = text.to_ascii_uppercase();
    let code = canonical(&code);
    (is_iso(code) || code == KOSOVO).then(|| code.to_owned())
}

/// Which code is probably meant by one that names no country.
pub fn suggestion(code: &str) -> Option<&'static str> {
    let upper = code.trim().to_ascii_uppercase();
    if let Some((_, meant)) = MEANT.iter().find(|(written, _)| *written == upper) {
        return Some(meant);
    }
    let mut known = ISO.split(' ').chain(BESIDE);
    known.find(|known| *known == upper).filter(|known| *known != code)
}

/// Every code that is taken.
pub fn all() -> impl Iterator<Item = &'static str> {
    ISO.split(' ').chain(BESIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_two_letters_in_order_and_known() {
        let codes: Vec<&str> = ISO.split(' ').collect();
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(all().all(|code| code.len() == 2 && is_country(code)));
        assert_eq!(codes.len(), 249);
    }

    #[test]
    fn what_is_no_country_is_not_taken() {
        for code in ["QQ", "UK", "ZZ", "EU", "nl", "NLD", "N", "", "N ", "  ", "AA", "XX", "00"] {
            assert!(!is_country(code), "{code}");
        }
    }

    #[test]
    fn what_peppol_takes_beside_iso_is_not_of_iso() {
        assert!(BESIDE.iter().all(|code| is_country(code) && !is_iso(code)));
        assert!(is_iso("GR") && is_iso(canonical("EL")) && !is_iso("nl") && !is_iso("NL BE"));
    }

    #[test]
    fn what_was_meant_is_suggested() {
        assert_eq!(suggestion("UK"), Some("GB"));
        assert_eq!(suggestion("nl"), Some("NL"));
        assert_eq!(suggestion(" be"), Some("BE"));
        assert_eq!(suggestion("QQ"), None);
        assert_eq!(suggestion("NL"), None);
        assert_eq!(canonical("EL"), "GR");
        assert_eq!(canonical("NL"), "NL");
    }
}
