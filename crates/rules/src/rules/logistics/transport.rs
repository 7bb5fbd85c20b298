//! Despatch lines and goods, means of transport, and statuses with their reasons.

use std::collections::HashSet;

use quoin_xml::tree::{Element, NodeId};

use crate::rules::postaward::reading::wrong;
use crate::rules::postaward::responses::delivered_not_negative;
use crate::rules::values::{CAC, Read, any_of, cac, cbc, normalized, one, some_double, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};

pub(super) const T120: &[Rule] = &[
    Rule::new("PEPPOL-T120-R006", delivered_not_negative),
    Rule::new("PEPPOL-T120-R020", goods_of_a_line),
];

pub(super) const T125: &[Rule] =
    &[Rule::new("PEPPOL-T125-R050", means_of_the_mode), Rule::new("PEPPOL-T125-R051", one_means)];

pub(super) const T128: &[Rule] = &[
    Rule::new("PEPPOL-T128-R025", |case| explained(case, "StatusReasonCode")),
    Rule::new("PEPPOL-T128-R026", |case| explained(case, "StatusReason")),
    Rule::new("PEPPOL-T128-R027", |case| explained(case, "StatusReasonCode")),
    Rule::new("PEPPOL-T128-R028", |case| explained(case, "StatusReason")),
];

/// `normalize-space(cbc:ID)`.
fn identifier<'d>(element: Element<'d>) -> Read<'d, String> {
    Ok(one(cbc(element, "ID"))?.map(normalized).unwrap_or_default().into_owned())
}

/// The identifiers of the despatch lines up to the first that cannot be read, and that one.
#[derive(Default)]
struct DespatchLines {
    any: bool,
    identifiers: HashSet<String>,
    unreadable: Option<NodeId>,
}

impl DespatchLines {
    fn of(facts: &Facts<'_>) -> DespatchLines {
        let mut lines = DespatchLines::default();
        for line in facts.named(CAC, "DespatchLine") {
            lines.any = true;
            match identifier(line) {
                Ok(identifier) => lines.identifiers.insert(identifier),
                Err(wrong) => {
                    lines.unreadable = Some(wrong.id());
                    break;
                }
            };
        }
        lines
    }

    /// Whether one is that of a line; what cannot be read counts where no line before it is the
    /// one.
    fn have<'d>(&self, case: &Case<'_, 'd>, identifier: &str) -> Read<'d, bool> {
        match self.unreadable {
            _ if self.identifiers.contains(identifier) => Ok(true),
            Some(id) => Err(Unreadable::at(case, id)),
            None => Ok(false),
        }
    }
}

fn goods_of_a_line<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let lines = case.memo(DespatchLines::of);
    // Without lines nothing is compared, and the identifier is not read.
    let holds = lines.any && lines.have(case, &identifier(case.at)?)?;
    Ok(wrong(holds, cbc(case.at, "ID")))
}

/// A mode of transport: its code, the element of its means, and what identifies that.
type TransportMode = (f64, &'static str, &'static str);

const MODES: [TransportMode; 4] = [
    (4.0, "AirTransport", "AircraftID"),
    (3.0, "RoadTransport", "LicensePlateID"),
    (2.0, "RailTransport", "TrainID"),
    (1.0, "MaritimeTransport", "VesselID"),
];

fn means_of_the_mode<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let means = || cac(case.at, "TransportMeans");
    let identified = |(_, transport, id): TransportMode| {
        let own = means().flat_map(|own| cac(own, transport));
        own.flat_map(|own| cbc(own, id)).next().is_some()
    };
    let codes = || cbc(case.at, "TransportModeCode");
    let fits = |mode: TransportMode| -> Read<'d, bool> {
        Ok(identified(mode) && some_double(codes(), |code| code == mode.0)?)
    };
    let [air, road, rail, sea] = MODES;
    let holds = any_of([&|| fits(air), &|| fits(road), &|| fits(rail), &|| fits(sea), &|| {
        Ok(means().next().is_none())
    }])?;
    Ok(wrong(holds, codes()))
}

fn one_means<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let means = || cac(case.at, "TransportMeans");
    let count =
        |(_, transport, _): &TransportMode| means().flat_map(|own| cac(own, transport)).count();
    let all: usize = MODES.iter().map(count).sum();
    Ok(RuleVerdict::of(means().next().is_none() || all == 1))
}

/// A condition from AQ on has its reason, and one before has none; AQ itself may.
fn explained<'d>(case: &Case<'_, 'd>, reason: &str) -> Outcome<'d> {
    let condition = one(cbc(case.at, "ConditionCode"))?.map(normalized).unwrap_or_default();
    let holds = match cbc(case.at, reason).next() {
        Some(_) => *condition >= *"AQ",
        None => *condition <= *"AQ",
    };
    let code = cbc(case.at, "ConditionCode").next();
    let verdict = RuleVerdict::of(holds).element(code);
    Ok(match code {
        Some(code) => verdict.found(string(code)),
        None => verdict,
    })
}
