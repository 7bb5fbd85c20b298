//! The step of detection: is the document something to validate, may it still be exchanged, and are
//! there rules for it?

use std::borrow::Cow;

use crate::own;
use crate::releases::choice::ChoiceBasis;
use quoin_formats::profiles::{Profile, ProfileStatus};
use quoin_formats::structure_tables;
use quoin_formats::{Certainty, Detection, ParsedDocument};
use quoin_model::ValidationStep;

use super::Sink;
use super::plan::ValidationPlan;

/// Says what is to be said about format and profile; answers whether the next steps run.
pub(super) fn detect(
    parsed: &ParsedDocument,
    plan: &ValidationPlan<'_>,
    sink: &mut Sink<'_>,
) -> bool {
    sink.begin(ValidationStep::Detect);
    let detection = parsed.detection();
    let covered = plan.is_official();
    let reasons = || detection.reasons.join(" ");
    if detection.syntax.is_none() {
        if !covered {
            let row = &own::FORMAT_UNKNOWN;
            sink.own(row, None, None, || format!("{} {}", reasons(), row.remedy));
        }
        return covered;
    }
    if plan.choice.is_refused(plan.on) {
        return profile(detection, plan, sink);
    }
    if !covered && plan.choice.basis == ChoiceBasis::Nothing && detection.profile().is_none() {
        let row = &own::FORMAT_UNSUPPORTED;
        let message = format!("{} {} {}", reasons(), row.meaning, row.remedy);
        sink.own(row, None, detection.title(), || message);
        return has_structure(parsed);
    }
    profile(detection, plan, sink)
}

/// Whether the structure of a document can be checked, though nothing else of it.
fn has_structure(parsed: &ParsedDocument) -> bool {
    parsed.root().is_some_and(|root| {
        structure_tables::for_document(root.namespace(), root.local(), None).is_some()
    })
}

fn profile(detection: &Detection, plan: &ValidationPlan<'_>, sink: &mut Sink<'_>) -> bool {
    let customization = detection.customization_id.as_deref();
    // Rules of the house say nothing of what a profile asks.
    let covered = plan.is_official() && (plan.builtin_decides() || !plan.decide_all_ours());
    if let Some(other) = detection.other_profile.as_deref().and_then(Profile::by_id) {
        let row = &own::PROFILE_OTHER;
        let message = format!("The profile is {}. {} {}", other.title, row.meaning, row.remedy);
        sink.own(row, None, customization, || message);
    } else if detection.profile().is_none() && customization.is_some() && !covered {
        let row = &own::PROFILE_UNKNOWN;
        sink.own(row, None, customization, || format!("{} {}", row.meaning, row.remedy));
    }
    if detection.certainty == Certainty::Base {
        let (row, rest) = (&own::PROFILE_PARTIAL, detection.unknown_extension.as_deref());
        let message = format!("{} Found {}. {}", row.meaning, rest.unwrap_or(""), row.remedy);
        sink.own(row, None, rest, || message);
    }
    plan.profile().is_none_or(|profile| standing(profile, customization, plan, sink))
}

/// Says what is to be said about a profile; answers whether its documents are validated.
fn standing(
    profile: &Profile,
    found: Option<&str>,
    plan: &ValidationPlan<'_>,
    sink: &mut Sink<'_>,
) -> bool {
    match profile.standing {
        ProfileStatus::RefusedSince(_) if profile.is_refused(plan.on) => {
            let (row, name) = match found.and_then(si_ubl_version) {
                Some(version) => (&own::SI_UBL_1, Cow::Owned(format!("SI-UBL {version}"))),
                None if profile.id == "si-ubl-1" => (&own::SI_UBL_1, "SI-UBL 1".into()),
                None => (&own::BIS_2, profile.title.into()),
            };
            let (meaning, remedy) = (row.meaning, row.remedy);
            let message =
                format!("The document is {name} by its CustomizationID. {meaning} {remedy}");
            sink.own(row, None, found, || message);
            return false;
        }
        ProfileStatus::Legacy | ProfileStatus::RefusedSince(_) => {
            let row = &own::PROFILE_LEGACY;
            let message = format!("{} is out of use. {}", profile.title, row.remedy);
            sink.own(row, None, found, || message);
        }
        ProfileStatus::Current => {}
    }
    if plan.choice.package.is_none() && !plan.is_official() {
        let row = &own::PROFILE_NO_RULES;
        let message = format!("The profile is {}. {} {}", profile.title, row.meaning, row.remedy);
        sink.own(row, None, found, || message);
    }
    true
}

/// `1.2` of `...:si-ubl:ver1.2` and of `...:si-ubl:invoice:ver1.0`.
pub(super) fn si_ubl_version(customization: &str) -> Option<&str> {
    let (_, rest) = customization.split_once("si-ubl:")?;
    let (_, rest) = rest.split_once("ver")?;
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    rest.get(..end).filter(|version| !version.is_empty())
}
