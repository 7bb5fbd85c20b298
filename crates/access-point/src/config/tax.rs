//! Reports to tax authorities: for whom, by which text, to whom.

use quoin_delivery::HookId;
use quoin_delivery::tax::TaxRole;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, SeatId};
use quoin_taxdata::assumed::STATUS_WITHIN;
use quoin_taxdata::flux10::FilePeriod;
use quoin_taxdata::{Regime, TaxScope};
use serde::{Deserialize, Serialize};

/// Reports to tax authorities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TaxSection {
    /// For how many seconds an answer is awaited before the message is sent once more.
    pub answer_seconds: u64,
    /// Which reports are owed, a row each.
    pub profiles: Vec<TaxProfileRow>,
}

impl Default for TaxSection {
    fn default() -> TaxSection {
        let answer_seconds = STATUS_WITHIN.unsigned_abs().as_secs();
        TaxSection { answer_seconds, profiles: Vec::new() }
    }
}

/// A report that is owed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaxProfileRow {
    /// The country that gave the VAT number of the party that is reported for, ISO 3166-1.
    pub country: String,
    /// In which corner of the exchange it is owed: `C2`, `C3`.
    #[serde(default = "both_roles")]
    pub roles: Vec<String>,
    /// By which text: `vida-1.0`, `vida-1.1`, `sk-1.0`, `ae-1.0`, `om-1.0`; `flux1`, `flux10`.
    pub regime: String,
    /// The participant identifier of the authority's provider (corner 5), scheme 0242. None in
    /// France.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub authority: String,
    /// France: the id of the hook (of SFTP, HTTPS or another channel) that hands the files to the
    /// registered platform: that of the party, else that of its organisation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// France: the registered number of the platform, four characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// France: the name of the platform; its number unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform_name: Option<String>,
    /// `flux1`: whether extracts have the lines of the invoice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lines: bool,
    /// `flux10`: for how long invoices are gathered into one file: `ten-days`, `month`,
    /// `two-months`; `ten-days` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    /// What the authority is called in reports (TDT-010); the country unless told otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority_id: Option<String>,
    /// The name of the authority in reports (TDT-011).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority_name: Option<String>,
    /// The document type of reports, `scheme::value`; that of the regime unless told otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_type: Option<String>,
    /// The first day on which invoices are reported, `2027-01-01`; any day unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Of which reach, in the codes of the regime (`D`, `IC`, `INTL`, `IP`, `INP`); any unless
    /// told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
    /// Within how many hours the authority has to have the report; the term of the regime unless
    /// told otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term_hours: Option<u64>,
    /// Whether it is in force.
    #[serde(default = "yes")]
    pub active: bool,
    /// Whether only parties are reported for that are switched on.
    #[serde(default)]
    pub chosen_parties: bool,
}

/// The extracts of France.
const FLUX_1: &str = "flux1";
/// The texts of France.
const FRENCH: [&str; 2] = [FLUX_1, "flux10"];

fn both_roles() -> Vec<String> {
    TaxRole::ALL.map(|role| role.as_str().to_owned()).to_vec()
}

fn yes() -> bool {
    true
}

impl TaxSection {
    /// What is wrong with the rows: the setting, and what was expected.
    pub fn problems(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        if !(1..=604_800).contains(&self.answer_seconds) {
            let message = "must be 1 to 604800 seconds, a week";
            found.push(("tax.answer_seconds".to_owned(), message.to_owned()));
        }
        for (at, row) in self.profiles.iter().enumerate() {
            let place = |name: &str| format!("tax.profiles[{at}].{name}");
            found.extend(row.problems().into_iter().map(|(name, text)| (place(name), text)));
        }
        found
    }
}

impl TaxProfileRow {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        let mut check = |name, fits: bool, expected: String| {
            if !fits {
                found.push((name, expected));
            }
        };
        let letters =
            self.country.len() == 2 && self.country.bytes().all(|b| b.is_ascii_uppercase());
        let country =
            format!("{:?} is no country: give two capital letters, as in BE", self.country);
        check("country", letters, country);
        let regime = Regime::named(&self.regime);
        let is_french = FRENCH.contains(&self.regime.as_str());
        let known = Regime::ALL.map(Regime::as_str).join(", ");
        let text = format!("{:?} is none of {known}, {}", self.regime, FRENCH.join(", "));
        check("regime", regime.is_some() || is_french, text);
        if is_french {
            let text = format!("{} reports to FR, and country is {}", self.regime, self.country);
            check("regime", self.country == "FR", text);
        }
        if let Some(own) = regime.and_then(|regime| regime.row().country) {
            let text = format!("{} reports to {own}, and country is {}", self.regime, self.country);
            check("regime", own == self.country, text);
        }
        if !is_french {
            let authority = self.authority.parse::<ParticipantId>().ok();
            let text = format!(
                "{:?} is no identifier of a provider such as 0242:000123-TAX",
                self.authority
            );
            check("authority", authority.is_some_and(|id| id.icd() == SeatId::SPIS), text);
        }
        let roles =
            !self.roles.is_empty() && self.roles.iter().all(|r| TaxRole::named(r).is_some());
        check("roles", roles, "must be C2, C3 or both".to_owned());
        let kind = self.document_type.as_deref().map(str::parse::<DocumentTypeId>);
        let kind = kind.and_then(Result::err).map(|error| error.to_string());
        check("document_type", kind.is_none(), kind.unwrap_or_default());
        let from = self.from.as_deref().map(str::parse::<jiff::civil::Date>);
        let day = from.is_none_or(|day| day.is_ok());
        check("from", day, "must be a day such as 2027-01-01".to_owned());
        if let Some(regime) = regime {
            let codes = TaxScope::of_regime(regime).iter().map(|scope| scope.code());
            let codes: Vec<&str> = codes.collect();
            let other = self.scopes.iter().find(|scope| !codes.contains(&scope.as_str()));
            let text = other.map(|other| {
                let (codes, regime) = (codes.join(", "), &self.regime);
                format!("expected {codes}, which invoices of {regime} are of, found {other:?}")
            });
            check("scopes", other.is_none(), text.unwrap_or_default());
        }
        let term = self.term_hours.is_none_or(|hours| (1..=2_160).contains(&hours));
        check("term_hours", term, "must be 1 to 2160 hours, 90 days".to_owned());
        found.extend(self.french_problems(is_french));
        found
    }

    /// What rows of France have and no others, and the other way round.
    fn french_problems(&self, is_french: bool) -> Vec<(&'static str, String)> {
        let of_france = [
            ("channel", self.channel.is_some()),
            ("platform", self.platform.is_some()),
            ("platform_name", self.platform_name.is_some()),
            ("lines", self.lines),
            ("period", self.period.is_some()),
        ];
        let of_others = [
            ("authority", !self.authority.is_empty()),
            ("authority_id", self.authority_id.is_some()),
            ("authority_name", self.authority_name.is_some()),
            ("document_type", self.document_type.is_some()),
            ("scopes", !self.scopes.is_empty()),
        ];
        let (foreign, why) = match is_french {
            true => (of_others, "a platform tells France, by the hook in channel"),
            false => (of_france, "it is for France (flux1, flux10)"),
        };
        let given = foreign.into_iter().filter(|(_, is_given)| *is_given);
        let mut found: Vec<(&'static str, String)> =
            given.map(|(name, _)| (name, format!("must be left out: {why}"))).collect();
        if !is_french {
            return found;
        }
        let mut check = |name, fits: bool, expected: &str| {
            if !fits {
                found.push((name, expected.to_owned()));
            }
        };
        let hook = self.channel.as_deref().map(str::parse::<HookId>);
        let text = "must be the id of the hook that hands the files to the platform";
        check("channel", matches!(hook, Some(Ok(_))), text);
        let four = |number: &String| {
            number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let text = "must be the number of the platform, four letters or digits";
        check("platform", self.platform.as_ref().is_some_and(four), text);
        let names = FilePeriod::ALL.map(FilePeriod::as_str).join(", ");
        let period = self.period.as_deref().is_none_or(|name| FilePeriod::named(name).is_some());
        check("period", period, &format!("must be one of {names}"));
        let is_extract = self.regime == FLUX_1;
        check("lines", is_extract || !self.lines, "is for flux1: a file of a period has none");
        let text = "is for flux10: an extract goes when its invoice is delivered";
        check("period", !is_extract || self.period.is_none(), text);
        let is_of_seller = self.roles.iter().any(|role| role == TaxRole::Sender.as_str());
        check("roles", !is_extract || is_of_seller, "must have C2: the seller tells flux1");
        found
    }
}
