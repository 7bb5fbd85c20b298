//! The rules of a running service: what is installed, and whose rules decide.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_formats::ParsedDocument;
use quoin_formats::{DocumentKind, Syntax};
use quoin_identity::Identity;
use quoin_model::Language;
use quoin_rules::official::{OfficialLibrary, Policies};
use quoin_rules::{Options, Report, Until, Verdict, validate_with};

use super::{Registry, RulesError};
use crate::budget::Deadline;
use crate::clock::Clock;
use crate::config::{Unjudged, ValidationSection};
use crate::metrics::Metrics;
use crate::tls::Shutdown;

/// How often the folder is looked at.
const LOOK: Duration = Duration::from_secs(5);

/// Time for one validation, unless it is configured.
const TIME: Duration = Duration::from_secs(60);

/// Where documents are judged.
#[derive(Debug)]
pub struct RuleLibrary {
    registry: Registry,
    policies: Policies,
    unjudged: Option<Unjudged>,
    library: RwLock<OfficialLibrary>,
    metrics: Arc<Metrics>,
    clock: Clock,
    /// Time for one validation.
    time: Duration,
}

impl RuleLibrary {
    /// Loads what is registered.
    ///
    /// # Errors
    /// [`RulesError`]: judging by fewer rules than the operator installed would be worse than not
    /// to start.
    pub fn open(
        registry: Registry,
        validation: &ValidationSection,
        (metrics, clock): (Arc<Metrics>, Clock),
        time: Duration,
    ) -> Result<RuleLibrary, RulesError> {
        let library = RwLock::new(registry.load()?);
        let (policies, unjudged) = (validation.policies(), validation.unjudged);
        Ok(RuleLibrary { registry, policies, unjudged, library, metrics, clock, time })
    }

    /// A desk with our own rules alone.
    pub fn builtin() -> RuleLibrary {
        let (policies, unjudged, library) = (Policies::default(), None, RwLock::default());
        let (registry, metrics) = (Registry::at(std::path::Path::new("")), Arc::default());
        let clock = Clock::default();
        RuleLibrary { registry, policies, unjudged, library, metrics, clock, time: TIME }
    }

    /// What is installed at this moment.
    pub fn library(&self) -> OfficialLibrary {
        self.library.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whose rules decide.
    pub fn policies(&self) -> &Policies {
        &self.policies
    }

    /// Judges a document as what it is, by the policy of the service and the rules of the day on
    /// which it is sent or came. What the next release finds stands beside that.
    pub fn validate(&self, parsed: &ParsedDocument, identity: &Identity<'_>, on: Date) -> Report {
        self.validate_in(Language::default(), parsed, identity, on)
    }

    /// The same, with findings of ours in a language.
    pub fn validate_in(
        &self,
        language: Language,
        parsed: &ParsedDocument,
        identity: &Identity<'_>,
        on: Date,
    ) -> Report {
        let library = self.library();
        let (library, policies) = (Some(&library), Some(&self.policies));
        let deadline = Deadline::after(self.time);
        let is_over = || deadline.passed();
        let options = Options {
            library,
            policies,
            coming: true,
            judged_as: Some(&*identity.judged_as),
            objections: &identity.objections,
            language,
            at: self.moment_of(on),
            until: Until::of(&is_over),
            ..Options::default()
        };
        let begun = Instant::now();
        let report = validate_with(parsed, on, &options);
        self.judged(&report, Some(begun.elapsed()));
        report
    }

    /// The moment, where it is that day now: a country may have the next one already.
    fn moment_of(&self, on: Date) -> Option<Timestamp> {
        Some(self.clock.now()).filter(|now| now.to_zoned(TimeZone::UTC).date() == on)
    }

    /// Whether a document that nobody judged is refused when it is to be sent.
    pub fn refuses(&self, report: &Report) -> bool {
        let is_invoice = || {
            let syntax = report.detection.syntax;
            let kind = report.detection.kind;
            syntax.is_some_and(|own| own.is_ubl_invoice() || own == Syntax::Cii)
                || syntax == Some(Syntax::UblOther)
                    && matches!(kind, Some(DocumentKind::Invoice | DocumentKind::CreditNote))
        };
        let refuses = match self.unjudged {
            Some(unjudged) => unjudged == Unjudged::Refuse,
            None => is_invoice(),
        };
        report.verdict() == Verdict::NotJudged && refuses
    }

    /// Counts a report that was made by the rules of this desk, and logs on what the engines
    /// differ.
    pub fn judged(&self, report: &Report, took: Option<Duration>) {
        self.metrics.judged(report, took);
        for found in &report.differences {
            let (rule, builtin, official) = (&found.rule, found.builtin, found.official);
            tracing::warn!(%rule, ?builtin, official, "built-in and official rules differ");
        }
    }

    /// Loads anew.
    ///
    /// # Errors
    /// [`RulesError`]; what was loaded before stays in force.
    fn reload(&self) -> Result<usize, RulesError> {
        let library = self.registry.load()?;
        let sets = library.sets().len();
        *self.library.write().unwrap_or_else(PoisonError::into_inner) = library;
        Ok(sets)
    }
}

/// Looks at the folder again and again, and takes over what came or went.
pub async fn watch(desk: Arc<RuleLibrary>, shutdown: Shutdown) {
    let state = |desk: Arc<RuleLibrary>| tokio::task::spawn_blocking(move || desk.registry.state());
    let mut seen = state(desk.clone()).await.unwrap_or_default();
    loop {
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = shutdown.wait() => return,
        }
        let Ok(found) = state(desk.clone()).await else { continue };
        if found == seen {
            continue;
        }
        seen = found;
        let loading = desk.clone();
        match tokio::task::spawn_blocking(move || loading.reload()).await {
            Ok(Ok(sets)) => tracing::info!(sets, "the official rule sets were loaded anew"),
            Ok(Err(error)) => {
                tracing::error!(%error, "rule sets could not be loaded; the earlier ones stay");
            }
            Err(error) => tracing::error!(%error, "loading of rule sets ended early"),
        }
    }
}
