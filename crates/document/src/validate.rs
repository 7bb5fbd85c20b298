//! Validation: the steps in their order, and the report they make together.

mod beside;
mod builtin;
mod embedded;
mod file;
mod plan;
mod sink;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;

use jiff::civil::Date;
use quoin_xml::tree::{Element, ParseErrorKind};
use quoin_xml::xsd::Schema;

use crate::detect::{Certainty, Detection, Parsed};
use crate::formats::Support;
use crate::official::OfficialSet;
use crate::own::{self, Own};
use crate::profiles::{Profile, Standing};
use crate::report::{Coming, Difference, Finding, Policy, Report, Step};
use crate::rules::endpoints::Covered;
use crate::rules::{accounts, endpoints};
use crate::structure;
use crate::structure_tables;
use crate::ubl::Invoice;

use beside::{beside, is_large};
use builtin::Builtin;
pub use file::{Judged, validate_file};
pub use plan::Options;
use plan::Plan;
use sink::Found;
pub(crate) use sink::{Draft, Sink};

/// Validates a document by our own rules in force on a day, as [`validate_with`] does by default.
pub fn validate(parsed: &Parsed, on: Date) -> Report {
    validate_with(parsed, on, &Options::default())
}

/// Validates a document by the rules in force on a day: ours, the official files that are
/// installed, or both.
///
/// It always completes. A document that is not XML, or of a format that is not validated, gets a
/// report with a finding that says so, and the later steps are skipped. A document whose structure
/// is wrong is judged by the business rules all the same, so that one report tells everything.
pub fn validate_with(parsed: &Parsed, on: Date, options: &Options<'_>) -> Report {
    let detection = parsed.detection();
    let plan = Plan::of(detection, on, options);
    let mut sink = Sink::speaking(plan.language);
    let mut ran = Ran::default();
    if parse(parsed, &mut sink) && detect(detection, on, &plan, &mut sink) {
        ran = judge(parsed, &plan, &mut sink);
    } else {
        // Whatever is in it, an envelope is judged.
        around(parsed, &plan, &mut sink, &mut ran);
    }
    report(parsed, plan, sink, ran)
}

/// Judges the envelope alone, where there is one: what is in it may be a file whose documents are
/// judged by themselves.
pub(crate) fn validate_envelope(
    parsed: &Parsed,
    on: Date,
    options: &Options<'_>,
) -> Option<Report> {
    let plan = Plan::of(parsed.detection(), on, options);
    let (mut sink, mut ran) = (Sink::speaking(plan.language), Ran::default());
    let is_judged = around(parsed, &plan, &mut sink, &mut ran);
    is_judged.then(|| report(parsed, plan, sink, ran))
}

/// Runs the rules of the envelope; answers whether there is one.
fn around<'d>(parsed: &'d Parsed, plan: &Plan<'_>, sink: &mut Sink<'d>, ran: &mut Ran) -> bool {
    let envelope = parsed.envelope().zip(parsed.root()).filter(|_| plan.has_own_word());
    let Some((envelope, root)) = envelope else { return false };
    sink.begin(Step::Rules);
    let builtin = Builtin::new(parsed, plan, root);
    ran.rule_sets.extend(builtin.envelope(envelope, sink));
    true
}

fn report(parsed: &Parsed, plan: Plan<'_>, sink: Sink<'_>, ran: Ran) -> Report {
    let Found { steps, findings, omitted } = sink.found(parsed.tree.as_ref().err());
    let coming = coming(parsed, &plan, &findings);
    Report {
        on: plan.on,
        detection: parsed.detection().clone(),
        rule_sets: ran.rule_sets,
        steps,
        findings,
        omitted,
        policy: plan.policy,
        language: plan.language,
        differences: ran.differences,
        coming,
    }
}

/// Is it XML? Answers whether the next step has something to stand on.
fn parse(parsed: &Parsed, sink: &mut Sink<'_>) -> bool {
    sink.begin(Step::Parse);
    let Err(error) = &parsed.tree else { return true };
    let syntax = parsed.detection().syntax;
    let (row, seen) = match (unreadable(&error.kind), syntax) {
        (row, Some(syntax)) if std::ptr::eq(row, &own::XML_DTD) || syntax.is_xml() => {
            (row, format!(" It begins like {}.", syntax.title()))
        }
        (_, Some(syntax)) => (&own::NOT_XML, format!(" It begins like {}.", syntax.title())),
        (row, None) => (row, String::new()),
    };
    let message = format!("{} ({error}).{seen} {}", row.meaning.trim_end_matches('.'), row.remedy);
    sink.own(row, None, None, message);
    false
}

fn unreadable(kind: &ParseErrorKind) -> &'static Own {
    use ParseErrorKind as Kind;
    match kind {
        Kind::Empty => &own::XML_EMPTY,
        Kind::TooLarge(_) => &own::XML_TOO_LARGE,
        Kind::Dtd => &own::XML_DTD,
        Kind::Depth(_) => &own::XML_DEPTH,
        Kind::Nodes(_) | Kind::Attributes(_) | Kind::Namespaces(_) => &own::XML_NODES,
        Kind::Entity(_) => &own::XML_ENTITY,
        Kind::Encoding(_) | Kind::UnsupportedEncoding(_) => &own::XML_ENCODING,
        _ => &own::XML_SYNTAX,
    }
}

/// Is it something to validate, and still allowed? Answers whether the next steps run.
fn detect(detection: &Detection, on: Date, plan: &Plan<'_>, sink: &mut Sink<'_>) -> bool {
    sink.begin(Step::Detect);
    let covered = plan.is_official();
    let reasons = || detection.reasons.join(" ");
    let Some(syntax) = detection.syntax else {
        if covered {
            return true;
        }
        let row = &own::FORMAT_UNKNOWN;
        sink.own(row, None, None, format!("{} {}", reasons(), row.remedy));
        return false;
    };
    // A document of a format that is only recognised is judged where its profile has rules, or
    // is refused by its profile.
    let judged = syntax.format().is_some_and(|format| format.support == Support::Validated)
        || !plan.builtin.is_empty()
        || detection.profile().is_some_and(|profile| profile.is_refused(on));
    if !judged {
        if covered {
            return true;
        }
        let row = &own::FORMAT_UNSUPPORTED;
        let message = format!("{} {} {}", reasons(), row.meaning, row.remedy);
        sink.own(row, None, Some(syntax.title()), message);
        return false;
    }
    let customization = detection.customization_id.as_deref();
    let Some(profile) = detection.profile() else {
        if customization.is_some() && !covered {
            let row = &own::PROFILE_UNKNOWN;
            sink.own(row, None, customization, format!("{} {}", row.meaning, row.remedy));
        }
        return true;
    };
    if detection.certainty == Certainty::Base {
        let (row, rest) = (&own::PROFILE_PARTIAL, detection.unknown_extension.as_deref());
        let message = format!("{} Found {}. {}", row.meaning, rest.unwrap_or(""), row.remedy);
        sink.own(row, None, rest, message);
    }
    standing(profile, customization, on, covered, sink)
}

/// Says what is to be said about a profile; answers whether its documents are validated.
fn standing(
    profile: &Profile,
    found: Option<&str>,
    on: Date,
    covered: bool,
    sink: &mut Sink<'_>,
) -> bool {
    match profile.standing {
        Standing::RefusedSince(_) if profile.is_refused(on) => {
            let (row, name) = match found.and_then(si_ubl_version) {
                Some(version) => (&own::SI_UBL_1, Cow::Owned(format!("SI-UBL {version}"))),
                None if profile.id == "si-ubl-1" => (&own::SI_UBL_1, "SI-UBL 1".into()),
                None => (&own::BIS_2, profile.title.into()),
            };
            let (meaning, remedy) = (row.meaning, row.remedy);
            let message =
                format!("The document is {name} by its CustomizationID. {meaning} {remedy}");
            sink.own(row, None, found, message);
            return false;
        }
        Standing::Legacy | Standing::RefusedSince(_) => {
            let row = &own::PROFILE_LEGACY;
            let message = format!("{} is out of use. {}", profile.title, row.remedy);
            sink.own(row, None, found, message);
        }
        Standing::Current => {}
    }
    if profile.rule_sets.is_empty() && !covered {
        let row = &own::PROFILE_NO_RULES;
        let message = format!("The profile is {}. {} {}", profile.title, row.meaning, row.remedy);
        sink.own(row, None, found, message);
    }
    true
}

/// `1.2` of `...:si-ubl:ver1.2` and of `...:si-ubl:invoice:ver1.0`.
fn si_ubl_version(customization: &str) -> Option<&str> {
    let (_, rest) = customization.split_once("si-ubl:")?;
    let (_, rest) = rest.split_once("ver")?;
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    rest.get(..end).filter(|version| !version.is_empty())
}

/// What the steps after detection came to.
#[derive(Default)]
struct Ran {
    rule_sets: Vec<Cow<'static, str>>,
    differences: Vec<Difference>,
}

/// Structure, rules and routing.
fn judge<'d>(parsed: &'d Parsed, plan: &Plan<'_>, sink: &mut Sink<'d>) -> Ran {
    let Some(root) = parsed.root() else { return Ran::default() };
    let embedded = embedded_structure(parsed, root);
    let embedded = embedded.filter(|_| plan.structure.is_empty());
    let violations = || embedded.map(|schema| embedded::violations(schema, root));
    let steps = || steps(parsed, plan, root, embedded.is_some(), sink);
    let (violations, ran) = beside(is_large(root), violations, steps);
    if let Some(violations) = violations {
        sink.embedded(violations);
    }
    ran
}

/// Everything but the embedded structure, whose findings are weighed against these.
fn steps<'d>(
    parsed: &'d Parsed,
    plan: &Plan<'_>,
    root: Element<'d>,
    has_structure: bool,
    sink: &mut Sink<'d>,
) -> Ran {
    let mut ran = Ran::default();
    let invoice = parsed.invoice();
    let mut builtin = Builtin::new(parsed, plan, root);
    if has_structure || invoice.is_some() || !plan.structure.is_empty() {
        ran.structure(plan, root, invoice.as_ref(), sink);
    }
    builtin.after_structure(sink);
    let envelope = parsed.envelope().filter(|_| plan.has_own_word());
    if !plan.rules.is_empty() || builtin.has_rules() || envelope.is_some() {
        sink.begin(Step::Rules);
    }
    if let Some(envelope) = envelope {
        ran.rule_sets.extend(builtin.envelope(envelope, sink));
    }
    if plan.builtin_decides() && builtin.has_rules() {
        builtin.run(sink);
        invoice.iter().for_each(|invoice| accounts::check(invoice, sink));
        ran.rule_sets.extend(builtin.coordinates());
    } else {
        ran.run(&plan.rules, root, sink);
        if plan.policy == Policy::Both && builtin.has_rules() {
            ran.differences = builtin.differences(sink);
        }
    }
    if let Some(invoice) = &invoice {
        sink.begin(Step::Routing);
        // What a rule of the profile has said already is not said again.
        let ours = plan.builtin_decides();
        let covered = Covered {
            scheme: ours && plan.has("BR-CL-25"),
            presence: ours && plan.has("PEPPOL-EN16931-R010"),
        };
        endpoints::check(invoice, covered, sink);
    }
    ran
}

/// The embedded structure of a document: that of its profile, or the usual one.
fn embedded_structure(parsed: &Parsed, root: Element<'_>) -> Option<&'static Schema> {
    let named = parsed.detection().profile().and_then(|profile| profile.structure);
    if named.is_some_and(|id| structure_tables::by_id(id).is_none()) {
        return None;
    }
    structure_tables::for_document(root.namespace(), root.local(), named)
}

impl Ran {
    /// The official schemas; where there are none, our own words on what is often wrong.
    fn structure<'d>(
        &mut self,
        plan: &Plan<'_>,
        root: Element<'d>,
        invoice: Option<&Invoice<'d>>,
        sink: &mut Sink<'d>,
    ) {
        sink.begin(Step::Structure);
        if !plan.structure.is_empty() {
            self.run(&plan.structure, root, sink);
        } else if let Some(invoice) = invoice {
            structure::check(invoice, plan.has("BR-02"), sink);
        }
    }

    fn run<'d>(&mut self, sets: &[&OfficialSet], root: Element<'d>, sink: &mut Sink<'d>) {
        for set in sets {
            self.rule_sets.push(Cow::Owned(set.coordinate.as_str().to_owned()));
            set.engine.check(root, &mut |hit| sink.hit(set, hit));
        }
    }
}

/// What the next release of each set finds that the present one does not.
fn coming(parsed: &Parsed, plan: &Plan<'_>, now: &[Finding]) -> Vec<Coming> {
    let Some(root) = parsed.root() else { return Vec::new() };
    let mut all = Vec::new();
    for set in &plan.coming {
        let mut sink = Sink::speaking(plan.language);
        sink.begin(Step::Rules);
        set.engine.check(root, &mut |hit| sink.hit(set, hit));
        all.extend(set.from.map(|from| (set.coordinate.as_str().to_owned(), from, sink)));
    }
    if plan.builtin_decides() && !plan.builtin_coming.is_empty() {
        let builtin = Builtin::new(parsed, plan, root);
        for set in &plan.builtin_coming {
            let mut sink = Sink::speaking(plan.language);
            sink.begin(Step::Rules);
            builtin.run_set(set, &mut sink);
            all.push((set.coordinate.to_owned(), set.from, sink));
        }
    }
    let known: BTreeSet<_> = now.iter().map(key).collect();
    all.into_iter()
        .map(|(rule_set, from, sink)| {
            let mut findings = sink.found(None).findings;
            findings.retain(|finding| !known.contains(&key(finding)));
            Coming { rule_set, from, findings }
        })
        .collect()
}

/// What makes two findings the same.
fn key(finding: &Finding) -> (&str, &str) {
    (&finding.rule, finding.location.as_ref().map_or("", |place| &place.xpath))
}
