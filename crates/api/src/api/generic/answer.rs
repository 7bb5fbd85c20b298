//! The bodies of validation, as clients of this API family know them, with what they leave out:
//! the rule, its place, and who can fix it.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_access_point::rules::syntax_named;
use quoin_formats::Detection;
#[cfg(test)]
use quoin_formats::FORMATS;
use quoin_formats::Syntax;
use quoin_identity::Announced;
use quoin_model::text::quoted;
use quoin_model::{Finding, FixBy, Flag, ValidationStep};
use quoin_rules::official::{OfficialLibrary, OfficialSet};
use quoin_rules::report::VerdictTally;
use quoin_rules::{ValidatedDocument, Verdict};
use serde::Serialize;
#[cfg(test)]
use utoipa::openapi::RefOr;
#[cfg(test)]
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
#[cfg(test)]
use utoipa::{PartialSchema, ToSchema};

use crate::http::{Problem, codes};

/// The outcome of validating a document.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Validation {
    /// Whether a rule set judged it and no assertion but one on its addresses is an error.
    pub is_valid: bool,
    /// `valid`, `unroutable` (valid, and an electronic address is missing or wrong), `notJudged`
    /// (no rule set that is here judges such a document) or `notValid`; of a container, the worst.
    #[cfg_attr(test, schema(example = "valid"))]
    pub verdict: &'static str,
    /// What the document was taken for; of a container, its first document.
    pub source: Source,
    /// The day whose rules were applied.
    #[cfg_attr(test, schema(value_type = String, format = Date))]
    pub on: Date,
    /// The rule sets that were applied.
    #[cfg_attr(test, schema(example = json!(["eu.peppol.bis3:invoice:2026.5"])))]
    pub rule_sets: Vec<String>,
    /// What was found, in the order of the document.
    pub assertions: Vec<Assertion>,
    /// How many further findings there were.
    #[cfg_attr(test, schema(example = 0))]
    pub omitted: usize,
}

/// What a document was taken for.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// The document type identifier, `{namespace}::{root}##{CustomizationID}::{version}`, as far
    /// as it is known.
    #[cfg_attr(
        test,
        schema(
            example = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1"
        )
    )]
    pub type_id: Option<String>,
    /// The format, as in `ublInvoice`.
    #[cfg_attr(test, schema(example = "ublInvoice"))]
    pub format: Option<String>,
    /// The profile, as in `peppol-bis3`.
    #[cfg_attr(test, schema(example = "peppol-bis3"))]
    pub profile: Option<String>,
    /// Its specification identifier (CustomizationID, BT-24).
    #[cfg_attr(
        test,
        schema(
            example = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
        )
    )]
    pub customization_id: Option<String>,
    /// Its business process type (ProfileID, BT-23).
    #[cfg_attr(test, schema(example = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"))]
    pub profile_id: Option<String>,
    /// Why it was taken for that.
    #[cfg_attr(test, schema(example = json!(["the root element is Invoice of UBL 2.1", "CustomizationID names Peppol BIS Billing 3"])))]
    pub reasons: Vec<String>,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Assertion {
    /// `schema` for reading and structure, `business-rules` for everything else.
    #[cfg_attr(test, schema(example = "business-rules"))]
    pub artifact: &'static str,
    /// `error` stops the document (`fatal` in the reports of `quoin validate`), `warning` does not,
    /// `success` is a remark (`information` in those reports and in a dry run).
    #[cfg_attr(test, schema(example = "error"))]
    pub flag: &'static str,
    /// What was expected, what was found and what to do.
    #[cfg_attr(
        test,
        schema(example = "The invoice total with VAT (BT-112) is 120.00, expected 121.00.")
    )]
    pub text: String,
    /// The rule.
    #[cfg_attr(test, schema(example = "BR-CO-15"))]
    pub rule: String,
    /// Its name in the container, where the file is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "invoice.xml"))]
    pub document: Option<String>,
    /// XPath with the document's own prefixes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "/Invoice/cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount"))]
    pub location: Option<String>,
    /// Line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = 88))]
    pub line: Option<u32>,
    /// Column, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = 7))]
    pub column: Option<u32>,
    /// The offending value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "120.00"))]
    pub value: Option<String>,
    /// What was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "121.00"))]
    pub expected: Option<String>,
    /// Who can put it right: `sourceSystem`, `masterData` or `receiver`.
    #[cfg_attr(test, schema(example = "sourceSystem"))]
    pub fix_by: &'static str,
    /// The official rule set that says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "eu.cen.en16931:ubl:1.3.16"))]
    pub rule_set: Option<String>,
    /// For what the next release will refuse: the day from which it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = Date))]
    pub from: Option<Date>,
}

/// Rules that a document can be validated by.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ValidationOption {
    /// What `optionId` names it.
    #[cfg_attr(test, schema(example = "eu.peppol.bis3:invoice:2026.5"))]
    pub id: String,
    /// Its name for people.
    #[cfg_attr(test, schema(example = "Peppol BIS Billing 3, release 2026-05"))]
    pub name: String,
    /// `active`, `previous` (a later release is in force), `coming` or `expired`.
    #[cfg_attr(test, schema(example = "active"))]
    pub state: &'static str,
    /// When it was installed; absent for what is built in.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub created_on: Option<Timestamp>,
    /// The first day in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = Date))]
    pub valid_from: Option<Date>,
    /// The last day in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = Date))]
    pub valid_until: Option<Date>,
}

/// The names of formats, for the description of the interface.
#[cfg(test)]
pub(crate) enum FormatName {}

#[cfg(test)]
impl PartialSchema for FormatName {
    fn schema() -> RefOr<Schema> {
        let mut names: Vec<serde_json::Value> = Vec::new();
        for name in FORMATS.iter().filter_map(|row| serde_json::to_value(row.syntax).ok()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
    }
}

#[cfg(test)]
impl ToSchema for FormatName {}

/// A format by its name.
pub(super) fn format(name: &str) -> Result<Syntax, Problem> {
    syntax_named(name).ok_or_else(|| {
        let detail = format!(
            "sourceFormat is {name}, expected a format as in ublInvoice",
            name = quoted(name, 80)
        );
        Problem::new(&codes::BAD_QUERY, detail)
    })
}

impl Validation {
    /// The answer for the documents of a file.
    pub(super) fn of(all: &[ValidatedDocument], wanted: Option<Syntax>) -> Validation {
        let first = all.first().map(|judged| &judged.report);
        let mut answer = Validation {
            is_valid: true,
            verdict: Verdict::Valid.as_str(),
            source: first
                .map(|report| Source::of(&report.detection, report.on))
                .unwrap_or_default(),
            on: first.map(|report| report.on).unwrap_or_default(),
            rule_sets: Vec::new(),
            assertions: Vec::new(),
            omitted: 0,
        };
        let mut tally = VerdictTally::default();
        for ValidatedDocument { name, report } in all {
            let found = report.detection.syntax;
            if let Some(wanted) = wanted.filter(|wanted| found != Some(*wanted)) {
                answer.is_valid = false;
                tally.add(Verdict::NotValid);
                answer.assertions.push(Assertion::other_format(name.clone(), wanted, found));
            }
            answer.is_valid &= report.is_valid();
            tally.add(report.verdict());
            answer.omitted += report.omitted;
            let findings = report.findings.iter().map(|found| Assertion::of(name.clone(), found));
            answer.assertions.extend(findings);
            for coming in &report.coming {
                let told = |found: &Finding| Assertion {
                    flag: if found.flag == Flag::Information { "success" } else { "warning" },
                    from: Some(coming.from),
                    rule_set: Some(coming.rule_set.clone()),
                    ..Assertion::of(name.clone(), found)
                };
                answer.assertions.extend(coming.findings.iter().map(told));
            }
            for set in &report.rule_sets {
                if !answer.rule_sets.iter().any(|known| known == set) {
                    answer.rule_sets.push(set.to_string());
                }
            }
        }
        answer.verdict = tally.worst().unwrap_or(Verdict::NotValid).as_str();
        answer
    }
}

impl Source {
    fn of(detection: &Detection, on: Date) -> Source {
        let identity = quoin_identity::decide(detection, &Announced::default(), on);
        let own = identity.exchange.ok().map(|exchange| exchange.document_type);
        let type_id = own.or(identity.spelled).map(|id| id.value().to_owned());
        let format = detection.syntax.and_then(|syntax| serde_json::to_value(syntax).ok());
        Source {
            type_id,
            format: format.and_then(|name| name.as_str().map(str::to_owned)),
            profile: detection.profile.as_ref().map(ToString::to_string),
            customization_id: detection.customization_id.clone(),
            profile_id: detection.profile_id.clone(),
            reasons: detection.reasons.clone(),
        }
    }
}

impl Assertion {
    fn of(document: Option<String>, found: &Finding) -> Assertion {
        let place = found.location.as_ref();
        Assertion {
            artifact: match found.step {
                ValidationStep::Parse | ValidationStep::Detect | ValidationStep::Structure => {
                    "schema"
                }
                ValidationStep::Rules | ValidationStep::Routing => "business-rules",
            },
            flag: match found.flag {
                Flag::Fatal => "error",
                Flag::Warning => "warning",
                Flag::Information => "success",
            },
            text: found.message.clone(),
            rule: found.rule.to_string(),
            document,
            location: place.map(|place| place.xpath.clone()).filter(|xpath| !xpath.is_empty()),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            value: found.value.clone(),
            expected: found.expected.clone(),
            fix_by: match found.fix_by {
                FixBy::SourceSystem => "sourceSystem",
                FixBy::MasterData => "masterData",
                FixBy::Receiver => "receiver",
            },
            rule_set: found.rule_set.as_ref().map(ToString::to_string),
            from: found.fatal_from,
        }
    }

    /// The document is of another format than the caller said.
    fn other_format(document: Option<String>, wanted: Syntax, found: Option<Syntax>) -> Assertion {
        let (expected, title) = (wanted.title(), found.map_or("unknown", Syntax::title));
        Assertion {
            artifact: "schema",
            flag: "error",
            text: format!("The caller expects {expected}; the document is {title}."),
            rule: "QUOIN-FORMAT-EXPECTED".to_owned(),
            document,
            location: None,
            line: None,
            column: None,
            value: found.map(|found| found.title().to_owned()),
            expected: Some(expected.to_owned()),
            fix_by: "sourceSystem",
            rule_set: None,
            from: None,
        }
    }
}

impl ValidationOption {
    pub(super) fn policy(id: &str, name: &str) -> ValidationOption {
        ValidationOption {
            id: id.to_owned(),
            name: name.to_owned(),
            state: "active",
            created_on: None,
            valid_from: None,
            valid_until: None,
        }
    }

    pub(super) fn of(set: &OfficialSet, library: &OfficialLibrary, on: Date) -> ValidationOption {
        let later = |other: &OfficialSet| {
            other.is_in_force(on) && (other.from, &other.coordinate) > (set.from, &set.coordinate)
        };
        let state = if set.from.is_some_and(|from| from > on) {
            "coming"
        } else if set.until.is_some_and(|until| until < on) {
            "expired"
        } else if library.named(set.coordinate.line()).any(|other| later(other)) {
            "previous"
        } else {
            "active"
        };
        let installed = set.from.and_then(|from| from.to_zoned(TimeZone::UTC).ok());
        ValidationOption {
            id: set.coordinate.to_string(),
            name: set.title.clone(),
            state,
            created_on: set.added_on.or(installed.map(|day| day.timestamp())),
            valid_from: set.from,
            valid_until: set.until,
        }
    }
}
