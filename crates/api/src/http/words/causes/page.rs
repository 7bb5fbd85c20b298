//! The page of the code of a cause: what happened, where it lies, and who can do what about it.

use quoin_delivery::CauseRow;
use quoin_model::Language;

use super::CauseView;

/// The page of a code, as Markdown: what to do is in a language, the rest is English.
pub(crate) fn cause_page(code: &str, language: Language) -> Option<String> {
    let (cause, meaning) = (CauseView::of(code, language)?, CauseRow::of(code)?.meaning);
    let at_end = CauseView::at_end(code, language)?;
    let mut page = format!(
        "# {code}\n\n{meaning}\n\nWhere it lies: {}. Who can fix it: `{}`.\n\n{}\n",
        cause.title, cause.who_can_fix, cause.remedy
    );
    if at_end.remedy != cause.remedy {
        page.push_str(&format!("\nOnce the document was given up: {}\n", at_end.remedy));
    }
    page.push_str(
        "\nThe code stands on the timeline of the document, in its events and with its attempts.\n",
    );
    Some(page)
}

#[cfg(test)]
mod tests {
    use quoin_delivery::CAUSES;

    use super::*;

    /// The page of all of them, as it is published.
    const PAGE: &str = include_str!("../../../../../../docs/reference/causes.md");

    fn table() -> String {
        let row = |CauseRow { code, meaning, .. }: &CauseRow| {
            let cause = CauseView::of(code, Language::En).unwrap();
            let at_end = CauseView::at_end(code, Language::En).unwrap();
            let fixers = match at_end.who_can_fix == cause.who_can_fix {
                true => format!("`{}`", cause.who_can_fix),
                false => format!("`{}`, at the end `{}`", cause.who_can_fix, at_end.who_can_fix),
            };
            format!("| `{code}` | {meaning} | `{}` | {fixers} | {} |\n", cause.corner, cause.remedy)
        };
        let rows: String = CAUSES.iter().map(|cause| row(cause)).collect();
        format!(
            "# Causes\n\nThe codes with which an attempt, a look-up or a check ends: on timelines, \
             in events, and in\n[filters](../guides/hooks.md). The service shows each at \
             `/docs/errors/CODE`, in the language of the reader. Made\nfrom \
             `crates/delivery/src/causes.rs` by `UPDATE=1 cargo test -p quoin-api --lib \
             causes`.\n\n\
             | code | what happened | where it lies | who can fix it | what to do |\n\
             |---|---|---|---|---|\n{rows}"
        )
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "UPDATE=1 writes the page anew")]
    fn the_page_lists_every_cause() {
        let made = table();
        if quoin_testing::writes_anew() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/causes.md");
            std::fs::write(file, &made).unwrap();
        } else {
            assert!(made == PAGE, "docs/reference/causes.md is stale: run this test with UPDATE=1");
        }
    }

    #[test]
    fn a_page_says_what_happened() {
        let page = cause_page("AP-TIMEOUT", Language::De).unwrap();
        assert!(page.starts_with("# AP-TIMEOUT\n\nThe receiver's access point"), "{page}");
        assert!(cause_page("nothing", Language::En).is_none());
    }
}
