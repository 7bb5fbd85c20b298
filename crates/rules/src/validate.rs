//! Validation: the steps in their order, and the report they make together.

mod accounts;
mod beside;
mod builtin;
mod embedded;
mod endpoints;
mod file;
mod plan;
mod releases;
mod sink;
mod standing;
mod structure;
#[cfg(test)]
mod tests;
mod until;

use std::borrow::Cow;

use jiff::civil::Date;
use quoin_xml::tree::{Element, ParseErrorKind};

use crate::official::OfficialSet;
use crate::own;
use crate::own::Own;
use crate::releases::Release;
use crate::report::{AppliedPackage, Difference, Report, ValidationPolicy};
use endpoints::{Ends, ProfileCoverage};
use quoin_formats::CROSS_INDUSTRY_INVOICE;
use quoin_formats::DocumentKind;
use quoin_formats::ParsedDocument;
use quoin_formats::Syntax;
use quoin_formats::profiles::Profile;
use quoin_formats::structure_tables;
use quoin_formats::ubl;
use quoin_formats::ubl::InvoiceGroups;
use quoin_model::ValidationStep;

use beside::{beside, is_large};
use builtin::Builtin;
use embedded::EmbeddedStructure;
pub use file::{ValidatedDocument, validate_file};
pub use plan::Options;
use plan::ValidationPlan;
use sink::CollectedFindings;
pub(crate) use sink::{FindingDraft, Sink};
pub use until::Until;

/// Something that is wrong between a document and what was announced of it: by an envelope, or by
/// who sends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// The finding ([`crate::own::OWN`]).
    pub row: &'static Own,
    /// What the document says.
    pub found: String,
    /// What was announced.
    pub expected: String,
}

/// Validates a document by our own rules in force on a day, as [`validate_with`] does by default.
pub fn validate(parsed: &ParsedDocument, on: Date) -> Report {
    validate_with(parsed, on, &Options::default())
}

/// Validates a document by the rules in force on a day: ours, the official files that are
/// installed, or both.
///
/// It always completes. A document that is not XML, or of a format that is not validated, gets a
/// report with a finding that says so, and the later steps are skipped. A document whose structure
/// is wrong is judged by the business rules all the same, so that one report tells everything.
pub fn validate_with(parsed: &ParsedDocument, on: Date, options: &Options<'_>) -> Report {
    let detection = parsed.detection();
    let plan = ValidationPlan::of(detection, on, options);
    let mut sink = Sink::speaking(plan.language);
    let mut ran = Ran::default();
    if parse(parsed, &mut sink) && standing::detect(parsed, &plan, &mut sink) {
        ran = judge(parsed, &plan, &mut sink);
    } else {
        // Whatever is in it, an envelope is judged.
        around(parsed, &plan, &mut sink, &mut ran);
    }
    if plan.until.is_over() {
        let row = &own::TIME;
        sink.own(row, None, None, || format!("{} {}", row.meaning, row.remedy));
    }
    report(parsed, plan, sink, ran)
}

/// Judges the envelope alone, where there is one: what is in it may be a file whose documents are
/// judged by themselves.
pub(crate) fn validate_envelope(
    parsed: &ParsedDocument,
    on: Date,
    options: &Options<'_>,
) -> Option<Report> {
    let plan = ValidationPlan::of(parsed.detection(), on, options);
    let (mut sink, mut ran) = (Sink::speaking(plan.language), Ran::default());
    let is_judged = around(parsed, &plan, &mut sink, &mut ran);
    is_judged.then(|| report(parsed, plan, sink, ran))
}

/// Runs the rules of the envelope; answers whether there is one.
fn around<'d>(
    parsed: &'d ParsedDocument,
    plan: &ValidationPlan<'_>,
    sink: &mut Sink<'d>,
    ran: &mut Ran,
) -> bool {
    let envelope = parsed.envelope().zip(parsed.root()).filter(|_| plan.has_own_word());
    let Some((envelope, root)) = envelope else { return false };
    sink.begin(ValidationStep::Rules);
    let builtin = Builtin::new(plan, root);
    ran.rule_sets.extend(builtin.envelope(envelope, sink));
    true
}

fn report(parsed: &ParsedDocument, plan: ValidationPlan<'_>, sink: Sink<'_>, ran: Ran) -> Report {
    let CollectedFindings { steps, findings, omitted } = sink.found(parsed.tree().err());
    let coming = releases::coming(parsed, &plan, &findings);
    Report {
        on: plan.on,
        detection: parsed.detection().clone(),
        profile: plan.profile().map(|profile| profile.id.into()),
        package: ran.release,
        is_judged: ran.is_judged,
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
fn parse(parsed: &ParsedDocument, sink: &mut Sink<'_>) -> bool {
    sink.begin(ValidationStep::Parse);
    let Err(error) = parsed.tree() else { return true };
    let syntax = parsed.detection().syntax;
    let (row, seen) = match (unreadable(&error.kind), syntax) {
        (row, Some(syntax)) if std::ptr::eq(row, &own::XML_DTD) || syntax.is_xml() => {
            (row, format!(" It begins like {}.", syntax.title()))
        }
        (_, Some(Syntax::InvoiceJson)) => (&own::JSON_FORM, String::new()),
        (_, Some(Syntax::Json)) if parsed.detection().kind == Some(DocumentKind::Invoice) => {
            let why = parsed.why_unread().unwrap_or_default();
            let row = &own::JSON_FORM;
            let message = format!("The invoice in JSON is not in its form. {why} {}", row.remedy);
            sink.own(row, None, None, || message);
            return false;
        }
        (_, Some(syntax)) => (&own::NOT_XML, format!(" It begins like {}.", syntax.title())),
        (row, None) => (row, String::new()),
    };
    let message = format!("{} ({error}).{seen} {}", row.meaning.trim_end_matches('.'), row.remedy);
    sink.own(row, None, None, || message);
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
        Kind::Encoding(_) | Kind::OtherEncoding { .. } | Kind::UnsupportedEncoding(_) => {
            &own::XML_ENCODING
        }
        _ => &own::XML_SYNTAX,
    }
}

/// What the steps after detection came to.
#[derive(Default)]
struct Ran {
    rule_sets: Vec<Cow<'static, str>>,
    /// Whether rules judged the document itself: not its structure alone, nor its envelope alone.
    is_judged: bool,
    /// The release of ours that did.
    release: Option<AppliedPackage>,
    differences: Vec<Difference>,
}

/// Structure, rules and routing.
fn judge<'d>(parsed: &'d ParsedDocument, plan: &ValidationPlan<'_>, sink: &mut Sink<'d>) -> Ran {
    let Some(root) = parsed.root() else { return Ran::default() };
    let embedded = embedded_structure(plan, root);
    let embedded = embedded.filter(|_| plan.structure.is_empty());
    let violations = || embedded.map(|schemas| schemas.violations(root));
    let steps = || steps(parsed, plan, root, embedded.is_some(), sink);
    let (violations, ran) = beside(is_large(root), violations, steps);
    if let Some(violations) = violations {
        sink.embedded(violations);
    }
    ran
}

fn is_cii(root: Element<'_>) -> bool {
    root.is(CROSS_INDUSTRY_INVOICE, "CrossIndustryInvoice")
}

/// The latest version of UBL whose structure is embedded.
const LATEST_UBL: &str = "ubl-2.3";

/// The latest release of CII whose structure is embedded.
const LATEST_CII: &str = "cii-d22b";

/// Whether a version of UBL is after that one.
fn is_later(version: &str) -> bool {
    let minor = version.trim().strip_prefix("2.").and_then(|minor| minor.parse::<u32>().ok());
    minor.is_some_and(|minor| minor > 3)
}

/// Everything but the embedded structure, whose findings are weighed against these.
fn steps<'d>(
    parsed: &'d ParsedDocument,
    plan: &ValidationPlan<'_>,
    root: Element<'d>,
    has_structure: bool,
    sink: &mut Sink<'d>,
) -> Ran {
    let mut ran = Ran::default();
    let invoice = parsed.invoice();
    let mut builtin = Builtin::new(plan, root);
    if has_structure || invoice.is_some() || !plan.structure.is_empty() {
        ran.structure(plan, root, invoice.as_ref(), sink);
    }
    builtin.after_structure(sink);
    if plan.until.is_over() {
        return ran;
    }
    let envelope = parsed.envelope().filter(|_| plan.has_own_word());
    let is_judged = !plan.rules.is_empty() || builtin.has_rules();
    if is_judged || envelope.is_some() || !plan.objections.is_empty() {
        sink.begin(ValidationStep::Rules);
    }
    plan.objections.iter().for_each(|objection| object(objection, root, sink));
    ran.is_judged = is_judged;
    if let Some(envelope) = envelope {
        ran.rule_sets.extend(builtin.envelope(envelope, sink));
    }
    let is_ours = plan.decide_all_ours();
    if !plan.builtin_decides() || !builtin.has_rules() {
        ran.run((&plan.rules, plan.profile(), plan.on), root, sink);
    }
    // Before ours say anything.
    let is_compared = plan.policy == ValidationPolicy::Both && !plan.builtin_decides();
    if is_compared && builtin.has_rules() {
        ran.differences = builtin.differences(sink);
    }
    if plan.ours().next().is_some() {
        ran.ours(&builtin, sink);
        if is_ours && (invoice.is_some() || is_cii(root)) {
            accounts::check(root, sink);
        }
    }
    if plan.until.is_over() {
        return ran;
    }
    if let Some(ends) = Ends::of(parsed, invoice.as_ref()) {
        sink.begin(ValidationStep::Routing);
        // What a rule of the profile has said already is not said again.
        let covered = ProfileCoverage {
            scheme: plan.decides("BR-CL-25"),
            presence: plan.decides("PEPPOL-EN16931-R010"),
        };
        endpoints::check(&ends, covered, sink);
    }
    ran
}

/// Says what is wrong between the document and what was announced of it.
fn object<'d>(objection: &Objection, root: Element<'d>, sink: &mut Sink<'d>) {
    let Objection { row, found, expected } = objection;
    let message =
        format!("{} Announced {expected:?}, found {found:?}. {}", row.meaning, row.remedy);
    let message = sink.said_as(row.id, None, message);
    let draft = FindingDraft::new(row.id, (row.flag, row.fix_by), Some(root), message);
    sink.push(FindingDraft {
        value: Some(found.clone()),
        expected: Some(expected.clone()),
        ..draft
    });
}

/// The embedded structure of a document: that of its profile, or the usual one. A UBL document
/// whose profile is not known may be of any version, so that the latest one counts, which has all
/// that is in the earlier ones; a CII document may be of either release.
fn embedded_structure(plan: &ValidationPlan<'_>, root: Element<'_>) -> Option<EmbeddedStructure> {
    let own = plan.choice.structure.or_else(|| structure_tables::told_by(root));
    let is_open = plan.profile().is_none() && plan.choice.package.is_none();
    if is_open && ubl::value(root, "UBLVersionID").is_some_and(|version| is_later(&version)) {
        return None;
    }
    let named = own.or_else(|| is_open.then_some(LATEST_UBL));
    if named.is_some_and(|id| structure_tables::by_id(id).is_none()) {
        return None;
    }
    let others = match plan.profile() {
        _ if own.is_some() || !is_cii(root) => &[],
        Some(profile) => profile.other_structures,
        None => &[LATEST_CII][..],
    };
    let usual = structure_tables::for_document(root.namespace(), root.local(), named)?;
    Some(EmbeddedStructure { usual, others })
}

impl Ran {
    /// The official schemas; where there are none, our own words on what is often wrong.
    fn structure<'d>(
        &mut self,
        plan: &ValidationPlan<'_>,
        root: Element<'d>,
        invoice: Option<&InvoiceGroups<'d>>,
        sink: &mut Sink<'d>,
    ) {
        sink.begin(ValidationStep::Structure);
        if !plan.structure.is_empty() {
            self.run((&plan.structure, plan.profile(), plan.on), root, sink);
        } else if let Some(invoice) = invoice {
            structure::check(invoice, plan.has("BR-02"), sink);
        } else if is_cii(root) {
            structure::check_cii(root, sink);
        }
    }

    /// The built-in sets that decide.
    fn ours<'d>(&mut self, builtin: &Builtin<'_, 'd>, sink: &mut Sink<'d>) {
        let plan = builtin.plan;
        let release = releases::run(builtin, sink);
        let sets = release.into_iter().flat_map(Release::rule_sets);
        let sets = sets.filter(|set| plan.is_left_to_us(set));
        self.rule_sets.extend(sets.map(|set| Cow::Borrowed(set.coordinate)));
        let whole = plan.choice.package.zip(release).filter(|_| plan.decide_all_ours());
        self.release = whole.map(|(package, release)| AppliedPackage {
            package: package.id.into(),
            release: release.version.into(),
        });
    }

    fn run<'d>(
        &mut self,
        (sets, profile, on): (&[&OfficialSet], Option<&Profile>, Date),
        root: Element<'d>,
        sink: &mut Sink<'d>,
    ) {
        for set in sets {
            self.rule_sets.push(Cow::Owned(set.coordinate.as_str().to_owned()));
            set.engine.check(root, on, &mut |hit| sink.hit(set, profile, hit));
        }
    }
}
