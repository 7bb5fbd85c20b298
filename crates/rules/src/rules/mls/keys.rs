//! The subsets of a report: each combination of keys once.

use std::collections::HashMap;

use quoin_xml::tree::{Element, NodeId};

use crate::rules::values::{Read, normalize, text};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};

/// Transaction statistics report.
pub(super) const TSR: &[Rule] = &[
    Rule::new("SCH-TSR-06", once),
    Rule::new("SCH-TSR-10", once),
    Rule::new("SCH-TSR-14", once),
    Rule::new("SCH-TSR-28", providers),
    Rule::new("SCH-TSR-34", providers),
];

/// End user statistics report.
pub(super) const EUSR: &[Rule] = &[
    Rule::new("SCH-EUSR-13", once),
    Rule::new("SCH-EUSR-29", once),
    Rule::new("SCH-EUSR-38", once),
    Rule::new("SCH-EUSR-40", once),
];

/// A key: `metaSchemeID`, and `schemeID` where several have the same.
type SchemeKey = (&'static str, Option<&'static str>);

const TP: SchemeKey = ("TP", None);
const SP: SchemeKey = ("SP", None);
const DT: SchemeKey = ("DT", None);
const PR: SchemeKey = ("PR", None);
const SENDER: SchemeKey = ("CC", Some("SenderCountry"));
const RECEIVER: SchemeKey = ("CC", Some("ReceiverCountry"));
const USER: SchemeKey = ("CC", Some("EndUserCountry"));

/// The keys of each type of subset.
const TYPES: &[(&str, &[SchemeKey])] = &[
    ("PerTP", &[TP]),
    ("PerSP-DT-PR", &[SP, DT, PR]),
    ("PerSP-DT-PR-CC", &[SP, DT, PR, SENDER, RECEIVER]),
    ("PerDT-PR", &[DT, PR]),
    ("PerDT-PR-EUC", &[DT, PR, USER]),
    ("PerDT-EUC", &[DT, USER]),
    ("PerEUC", &[USER]),
];

/// `normalize-space` of an attribute.
fn attribute(element: Element<'_>, local: &str) -> String {
    normalize(element.attribute(local).unwrap_or_default().into()).into_owned()
}

/// The type of a subset, as in [`TYPES`].
fn type_of(subset: Element<'_>) -> Option<&'static (&'static str, &'static [SchemeKey])> {
    let own = attribute(subset, "type");
    TYPES.iter().find(|(name, _)| *name == own)
}

/// Those keys of a subset that are of one kind, as texts.
fn values<'d>(subset: Element<'d>, (meta, scheme): SchemeKey) -> Vec<Read<'d, String>> {
    let keys = subset.children_named(subset.namespace(), "Key");
    let of_kind = keys.filter(|key| {
        attribute(*key, "metaSchemeID") == meta
            && scheme.is_none_or(|scheme| attribute(*key, "schemeID") == scheme)
    });
    let text = |key: Element<'d>| {
        Ok(format!("{}::{}", attribute(key, "schemeID"), normalize(text::own(key)?)))
    };
    of_kind.map(text).collect()
}

/// How many subsets of a type have a combination, each by its first keys; and a key of a type that
/// cannot be read, with which none of them can be looked up.
#[derive(Default)]
struct Combinations {
    counts: HashMap<(&'static str, String), usize>,
    unreadable: HashMap<&'static str, NodeId>,
}

impl Combinations {
    fn of(facts: &Facts<'_>) -> Combinations {
        let mut all = Combinations::default();
        let root = facts.root();
        let subsets = root.elements().filter(|own| ["Subset", "Subtotal"].contains(&own.local()));
        for subset in subsets.filter(|own| own.namespace() == root.namespace()) {
            let Some((name, keys)) = type_of(subset) else { continue };
            let first = |key: &SchemeKey| values(subset, *key).into_iter().next();
            let whole = keys.iter().map(|key| first(key).unwrap_or_else(|| Ok(String::new())));
            match whole.collect::<Read<'_, Vec<String>>>() {
                Ok(whole) => *all.counts.entry((*name, whole.join("::"))).or_default() += 1,
                Err(wrong) => {
                    all.unreadable.entry(*name).or_insert(wrong.id());
                }
            }
        }
        all
    }

    /// Whether every combination of the values is there once.
    fn has_once<'d>(
        &self,
        (facts, name): (&Facts<'d>, &'static str),
        before: &Read<'d, String>,
        rest: &[Vec<Read<'d, String>>],
    ) -> Read<'d, bool> {
        let Some((values, rest)) = rest.split_first() else {
            let whole = before.clone()?;
            if let Some(id) = self.unreadable.get(name) {
                return Err(Unreadable::at(facts, *id));
            }
            return Ok(self.counts.get(&(name, whole)).is_some_and(|count| *count == 1));
        };
        for value in values {
            let whole = before.clone().and_then(|before| {
                let value = value.clone()?;
                Ok(if before.is_empty() { value } else { format!("{before}::{value}") })
            });
            if !self.has_once((facts, name), &whole, rest)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn once<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some((name, keys)) = type_of(case.at) else { return Ok(RuleVerdict::Holds) };
    let own: Vec<Vec<Read<'d, String>>> = keys.iter().map(|key| values(case.at, *key)).collect();
    let all = case.memo(Combinations::of);
    let first = own.iter().filter_map(|values| values.first().cloned()?.ok());
    let found = first.collect::<Vec<_>>().join(", ");
    let holds = all.has_once((case, name), &Ok(String::new()), &own)?;
    Ok(RuleVerdict::of(holds).found(found))
}

/// Service providers are named by their certificates.
fn providers<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut keys = case.at.children_named(case.at.namespace(), "Key");
    let wrong = keys.find(|key| {
        attribute(*key, "metaSchemeID") == "SP" && attribute(*key, "schemeID") != "CertSubjectCN"
    });
    Ok(match wrong {
        Some(key) => RuleVerdict::broken().found(attribute(key, "schemeID")).element(Some(key)),
        None => RuleVerdict::Holds,
    })
}
