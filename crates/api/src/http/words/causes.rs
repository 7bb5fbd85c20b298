//! Where failures lie and who can fix them, in the languages of the interface.

use std::collections::HashMap;
use std::sync::LazyLock;

use quoin_delivery::CauseRow;
use quoin_model::Language;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

/// The texts by language.
const FILES: &[(Language, &str)] = &[
    (Language::En, include_str!("causes/en.txt")),
    (Language::Nl, include_str!("causes/nl.txt")),
    (Language::De, include_str!("causes/de.txt")),
    (Language::Fr, include_str!("causes/fr.txt")),
    (Language::Pl, include_str!("causes/pl.txt")),
];

static TEXTS: LazyLock<HashMap<(Language, &'static str), &'static str>> = LazyLock::new(|| {
    let lines = FILES.iter().flat_map(|(language, text)| {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(|line| line.split_once('|')).map(|(word, text)| (*language, word, text))
    });
    lines.map(|(language, word, text)| ((language, word.trim()), text.trim())).collect()
});

/// Where a failure lies and who can fix it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CauseView {
    /// Where it lies: `sender-data`, `sml`, `smp`, `receiver-access-point`,
    /// `receiver-certificate`, `network`, `mail`, `sftp`, `https`, `partner-network`,
    /// `authority` or `us`.
    #[cfg_attr(test, schema(example = "receiver-access-point"))]
    pub corner: String,
    /// The same in the language of the request.
    #[cfg_attr(test, schema(example = "The receiver's access point"))]
    pub title: String,
    /// Who can fix it: `sender`, `receiver`, `receivers-provider`, `time` or `us`.
    #[cfg_attr(test, schema(example = "receivers-provider"))]
    pub who_can_fix: String,
    /// What to do, in the language of the request.
    #[cfg_attr(
        test,
        schema(example = "The receiver's provider has to fix this; tell the receiver.")
    )]
    pub remedy: String,
}

impl CauseView {
    /// The cause of a code, if it has one.
    pub fn of(code: &str, language: Language) -> Option<CauseView> {
        let row = CauseRow::of(code)?;
        let (corner, fixer) = (row.corner.as_str(), row.fixer.as_str());
        Some(CauseView {
            corner: corner.to_owned(),
            title: text(language, &format!("corner.{corner}")),
            who_can_fix: fixer.to_owned(),
            remedy: remedy(language, code, fixer),
        })
    }
}

/// What to do about a code, where it is not the same as about every code with its fixer.
fn remedy(language: Language, code: &str, fixer: &str) -> String {
    let word = format!("remedy.{code}");
    let own = TEXTS.get(&(language, word.as_str()));
    own.map_or_else(|| text(language, &format!("fixer.{fixer}")), |own| (*own).to_owned())
}

fn text(language: Language, word: &str) -> String {
    TEXTS.get(&(language, word)).map(|text| (*text).to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    //! Every corner and everybody has a text of its own in every language.

    use std::collections::BTreeSet;

    use quoin_delivery::{CAUSES, Corner, Fixer};

    use super::*;

    #[test]
    fn every_cause_is_told_in_every_language() {
        let mut seen = BTreeSet::new();
        for language in Language::ALL {
            for row in CAUSES {
                let cause = CauseView::of(row.code, language).unwrap();
                assert!(!cause.title.is_empty(), "{} in {}", row.code, language.code());
                assert!(cause.remedy.ends_with('.'), "{} in {}", row.code, language.code());
                seen.insert((cause.title, language.code()));
            }
        }
        assert_eq!(seen.len(), Corner::ALL.len() * Language::ALL.len());
        let texts: BTreeSet<&str> = TEXTS.values().copied().collect();
        let own = TEXTS.keys().filter(|(_, word)| word.starts_with("remedy.")).count();
        let all = (Corner::ALL.len() + Fixer::ALL.len()) * Language::ALL.len();
        assert_eq!(texts.len(), all + own);
        assert_eq!(CauseView::of("nothing", Language::En), None);
    }

    #[test]
    fn pe_19_not_serviced_may_be_about_us() {
        for language in Language::ALL {
            let of = |code: &str| CauseView::of(code, language).unwrap().remedy;
            assert_ne!(of("NOT-SERVICED"), of("AP-ERROR"), "{}", language.code());
        }
        let remedy = CauseView::of("NOT-SERVICED", Language::En).unwrap().remedy;
        assert!(remedy.contains("cannot decrypt") && remedy.contains("operator of this service"));
    }
}
