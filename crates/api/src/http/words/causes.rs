//! Where failures lie and who can fix them, in the languages of the interface.

use std::collections::HashMap;
use std::sync::LazyLock;

use quoin_delivery::{CauseRow, Fixer};
use quoin_model::Language;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

mod page;

pub(crate) use page::cause_page;

/// The texts by language.
const FILES: &[(Language, &str)] = &[
    (Language::En, include_str!("causes/en.txt")),
    (Language::Nl, include_str!("causes/nl.txt")),
    (Language::De, include_str!("causes/de.txt")),
    (Language::Fr, include_str!("causes/fr.txt")),
    (Language::Pl, include_str!("causes/pl.txt")),
];

/// Where a remedy says what becomes of the document.
const THEN: &str = "{then}";

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
            remedy: remedy(language, code, fixer).replace(THEN, &text(language, "then.waits")),
        })
    }

    /// The same of a document that was given up for it: nothing is tried again.
    pub fn at_end(code: &str, language: Language) -> Option<CauseView> {
        let (cause, row) = (CauseView::of(code, language)?, CauseRow::of(code)?);
        let fixer = row.fixer_at_end().as_str();
        let remedy = match row.fixer {
            Fixer::Time => text(language, &format!("ended.{fixer}")),
            _ => remedy(language, code, fixer).replace(THEN, &text(language, "then.ended")),
        };
        Some(CauseView { who_can_fix: fixer.to_owned(), remedy, ..cause })
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

    use quoin_delivery::{CAUSES, Corner};

    use super::*;

    #[test]
    fn every_cause_is_told_in_every_language() {
        let mut seen = BTreeSet::new();
        for language in Language::ALL {
            for row in CAUSES.iter() {
                let cause = CauseView::of(row.code, language).unwrap();
                assert!(!cause.title.is_empty(), "{} in {}", row.code, language.code());
                assert!(cause.remedy.ends_with('.'), "{} in {}", row.code, language.code());
                seen.insert((cause.title, language.code()));
            }
        }
        assert_eq!(seen.len(), Corner::ALL.len() * Language::ALL.len());
        let texts: BTreeSet<&str> = TEXTS.values().copied().collect();
        let own = TEXTS.keys().filter(|(_, word)| word.starts_with("remedy.")).count();
        // Who can act at the end, and what becomes of a document that waits or is given up.
        let (ended, then) = (3, 2);
        let all = Corner::ALL.len() + Fixer::ALL.len() + ended + then;
        let all = all * Language::ALL.len();
        assert_eq!(texts.len(), all + own);
        assert_eq!(CauseView::of("nothing", Language::En), None);
    }

    #[test]
    fn what_was_given_up_is_not_said_to_be_tried_again() {
        for (row, language) in CAUSES.iter().flat_map(|row| Language::ALL.map(|of| (row, of))) {
            let (on_the_way, at_end) =
                (CauseView::of(row.code, language), CauseView::at_end(row.code, language));
            let (on_the_way, at_end) = (on_the_way.unwrap(), at_end.unwrap());
            let about = format!("{} in {}: {}", row.code, language.code(), at_end.remedy);
            assert_ne!(at_end.who_can_fix, "time", "{about}");
            assert!(at_end.remedy.ends_with('.'), "{about}");
            for told in [&on_the_way.remedy, &at_end.remedy] {
                assert!(!told.contains('{'), "{told}");
            }
            let passes = [text(language, "fixer.time"), text(language, "then.waits")];
            assert!(passes.iter().all(|words| !at_end.remedy.contains(words)), "{about}");
            assert_eq!(on_the_way.corner, at_end.corner);
        }
        let given_up = |code| CauseView::at_end(code, Language::En).unwrap();
        let cause = given_up("https-unavailable");
        assert_eq!(cause.who_can_fix, "sender");
        assert!(cause.remedy.starts_with("Nothing is tried again"), "{}", cause.remedy);
        assert_eq!(given_up("AP-UNREACHABLE").who_can_fix, "receivers-provider");
        assert!(given_up("sftp-login").remedy.contains("under a new id"));
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
