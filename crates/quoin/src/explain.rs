//! `quoin explain`: what a rule asks, where it is tested, in which sets it is, and who fixes it.
//!
//! Exit codes: 0 explained, 2 no rule of that name or a usage error.

#[cfg(test)]
mod tests;

use clap::{Args, ValueEnum};
use quoin_model::Language;
use quoin_rules::explain::{Explanation, ExplanationText, explain, near};

use super::{CommandResult, language, print};

/// Characters of a name that is not one that are repeated at most.
const SHOWN: usize = 64;

/// Explains a rule.
#[derive(Debug, Args)]
pub struct Explain {
    /// The rule, as a report names it: BR-CO-15, PEPPOL-EN16931-R120, QUOIN-DECIMAL.
    rule: String,
    /// The language: en, nl, de, fr or pl.
    #[arg(long, default_value = "en", value_name = "LANGUAGE", value_parser = language)]
    lang: Language,
    /// How to tell it.
    #[arg(long, value_enum, default_value = "text")]
    format: ExplainFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplainFormat {
    /// For a terminal.
    Text,
    /// One JSON object.
    Json,
}

/// `quoin explain`.
///
/// # Errors
/// No rule has the name; what is near to it is told.
pub fn run(arguments: &Explain) -> CommandResult {
    let rule = arguments.rule.trim();
    let told = explain(rule, arguments.lang).ok_or_else(|| unknown(rule))?;
    print(&rendered(&told, arguments.format)?)
}

fn rendered(told: &Explanation, format: ExplainFormat) -> Result<String, String> {
    match format {
        ExplainFormat::Text => Ok(ExplanationText(told).to_string()),
        ExplainFormat::Json => {
            let json = serde_json::to_string_pretty(told).map_err(|error| error.to_string())?;
            Ok(json + "\n")
        }
    }
}

/// Says that there is no such rule, and which ones may have been meant.
fn unknown(rule: &str) -> String {
    let near = near(rule);
    let rest = match near.as_slice() {
        [] => "a rule is named as reports name it, as in BR-CO-15".to_owned(),
        [one] => format!("did you mean {one}?"),
        [all @ .., last] => format!("did you mean {} or {last}?", all.join(", ")),
    };
    let shown: String = rule.chars().take(SHOWN).collect();
    format!("no built-in rule is named {shown:?}; {rest}")
}
