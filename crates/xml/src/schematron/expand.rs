//! From what is written to what runs: phases chosen, abstract patterns and rules put in place.
//!
//! Source: ISO/IEC 19757-3, sections 5.4 and 6.3 to 6.5.

use std::collections::BTreeMap;

use super::error::{LoadError, Origin};
use super::source::{
    CheckSource, Instruction, Let, PatternSource, Phase, Piece, RuleItem, RuleSource,
    SchematronSource, ScopedExpression, VariableValue,
};

/// How deep abstract rules may extend one another.
const MAX_EXTENDS: usize = 32;

/// Which patterns of a schema run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PhaseChoice {
    /// `#DEFAULT`: the schema's default phase, or all patterns where it names none.
    #[default]
    Default,
    /// `#ALL`: all patterns.
    All,
    /// The patterns of this phase.
    Named(String),
}

/// Replaces the patterns of a source by those that run, and adds the variables of the phase.
pub(super) fn expand(
    mut source: SchematronSource,
    choice: &PhaseChoice,
) -> Result<SchematronSource, LoadError> {
    let patterns = std::mem::take(&mut source.patterns);
    let chosen = chosen_phase(&source, choice, &patterns)?;
    let mut concrete = Vec::new();
    for pattern in patterns.iter().filter(|pattern| !pattern.is_abstract) {
        concrete.push(match &pattern.is_a {
            Some(name) => instance(pattern, name, &patterns)?,
            None => pattern.clone(),
        });
    }
    if let Some(phase) = chosen {
        concrete
            .retain(|pattern| phase.active.iter().any(|(id, _)| Some(id) == pattern.id.as_ref()));
        source.lets.extend(phase.lets);
    }
    let everywhere = abstract_rules(&patterns);
    for pattern in &mut concrete {
        let own = abstract_rules(std::slice::from_ref(pattern));
        for rule in pattern.rules.iter_mut().filter(|rule| !rule.is_abstract) {
            let items = std::mem::take(&mut rule.items);
            let lookup = |id: &str| own.get(id).or_else(|| everywhere.get(id)).cloned();
            extend(items, &lookup, 0, &mut rule.items)?;
        }
        pattern.rules.retain(|rule| !rule.is_abstract);
    }
    check_diagnostics(&source, &concrete)?;
    source.patterns = concrete;
    Ok(source)
}

fn chosen_phase(
    source: &SchematronSource,
    choice: &PhaseChoice,
    patterns: &[PatternSource],
) -> Result<Option<Phase>, LoadError> {
    let name = match choice {
        PhaseChoice::All => return Ok(None),
        PhaseChoice::Named(name) => Some(name),
        PhaseChoice::Default => source.default_phase.as_ref(),
    };
    let Some(name) = name.filter(|name| !matches!(name.as_str(), "#ALL" | "#DEFAULT")) else {
        return Ok(None);
    };
    let Some(phase) = source.phases.iter().find(|phase| phase.id == *name) else {
        let known: Vec<_> = source.phases.iter().map(|phase| phase.id.as_str()).collect();
        return Err(LoadError::Invalid {
            origin: patterns.first().map_or_else(nowhere, |pattern| pattern.origin.clone()),
            expected: format!("one of the phases #ALL, #DEFAULT, {}", known.join(", ")),
            found: name.clone(),
        });
    };
    let known = |id: &String| patterns.iter().any(|pattern| pattern.id.as_ref() == Some(id));
    match phase.active.iter().find(|(id, _)| !known(id)) {
        None => Ok(Some(phase.clone())),
        Some((id, origin)) => Err(LoadError::Invalid {
            origin: origin.clone(),
            expected: "the identifier of a pattern".into(),
            found: format!("{id:?}"),
        }),
    }
}

fn nowhere() -> Origin {
    Origin { file: "".into(), position: crate::tree::Position::default() }
}

fn check_diagnostics(
    source: &SchematronSource,
    patterns: &[PatternSource],
) -> Result<(), LoadError> {
    for rule in patterns.iter().flat_map(|pattern| &pattern.rules) {
        for item in &rule.items {
            let RuleItem::Check(check) = item else { continue };
            let unknown = check.diagnostics.iter().find(|id| !source.diagnostics.contains_key(*id));
            if let Some(id) = unknown {
                return Err(LoadError::Invalid {
                    origin: check.origin.clone(),
                    expected: "the identifier of a diagnostic".into(),
                    found: format!("{id:?}"),
                });
            }
        }
    }
    Ok(())
}

fn abstract_rules(patterns: &[PatternSource]) -> BTreeMap<String, Vec<RuleItem>> {
    let rules = patterns.iter().flat_map(|pattern| &pattern.rules);
    let named = rules.filter(|rule| rule.is_abstract);
    named.filter_map(|rule| Some((rule.id.clone()?, rule.items.clone()))).collect()
}

fn extend(
    items: Vec<RuleItem>,
    lookup: &dyn Fn(&str) -> Option<Vec<RuleItem>>,
    depth: usize,
    found: &mut Vec<RuleItem>,
) -> Result<(), LoadError> {
    for item in items {
        let RuleItem::Extends(id, origin) = item else {
            found.push(item);
            continue;
        };
        if depth >= MAX_EXTENDS {
            let (what, limit) = ("rules that extend one another", MAX_EXTENDS);
            return Err(LoadError::Limit { origin, what, limit });
        }
        let Some(inherited) = lookup(&id) else {
            let expected = "the identifier of an abstract rule".into();
            return Err(LoadError::Invalid { origin, expected, found: format!("{id:?}") });
        };
        extend(inherited, lookup, depth + 1, found)?;
    }
    Ok(())
}

/// The pattern that `is-a` makes of an abstract pattern.
fn instance(
    caller: &PatternSource,
    name: &str,
    patterns: &[PatternSource],
) -> Result<PatternSource, LoadError> {
    let by_name =
        |pattern: &&PatternSource| pattern.is_abstract && pattern.id.as_deref() == Some(name);
    let Some(template) = patterns.iter().find(by_name) else {
        return Err(LoadError::Invalid {
            origin: caller.origin.clone(),
            expected: "the identifier of an abstract pattern".into(),
            found: format!("{name:?}"),
        });
    };
    let mut params: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, value) in template.params.iter().chain(&caller.params) {
        params.insert(name, value);
    }
    let mut made = template.clone();
    made.is_abstract = false;
    made.id.clone_from(&caller.id);
    made.title = caller.title.clone().or(made.title);
    made.params.clear();
    let fill = |text: &mut String| {
        if text.contains('$') {
            *text = substitute(text, &params);
        }
    };
    made.lets.iter_mut().for_each(|found| fill_let(found, &fill));
    made.rules.iter_mut().for_each(|rule| fill_rule(rule, &fill));
    made.lets.extend(caller.lets.iter().cloned());
    made.rules.extend(caller.rules.iter().cloned());
    Ok(made)
}

fn fill_rule(rule: &mut RuleSource, fill: &dyn Fn(&mut String)) {
    if let Some(context) = &mut rule.context {
        fill(&mut context.text);
    }
    for item in &mut rule.items {
        match item {
            RuleItem::Let(found) => fill_let(found, fill),
            RuleItem::Check(check) => fill_check(check, fill),
            RuleItem::Extends(id, _) => fill(id),
        }
    }
}

fn fill_check(check: &mut CheckSource, fill: &dyn Fn(&mut String)) {
    fill(&mut check.test.text);
    for text in [&mut check.id, &mut check.flag, &mut check.role].into_iter().flatten() {
        fill(text);
    }
    for piece in &mut check.message {
        if let Piece::ValueOf(code) | Piece::Name(Some(code)) = piece {
            fill(&mut code.text);
        }
    }
}

fn fill_let(found: &mut Let, fill: &dyn Fn(&mut String)) {
    match &mut found.value {
        VariableValue::Select(code) => fill(&mut code.text),
        VariableValue::Body(body) => body.iter_mut().for_each(|step| fill_instruction(step, fill)),
    }
}

fn fill_instruction(step: &mut Instruction, fill: &dyn Fn(&mut String)) {
    let fill_code = |code: &mut ScopedExpression| fill(&mut code.text);
    match step {
        Instruction::Variable(found) => fill_let(found, fill),
        Instruction::Sequence(code) | Instruction::ValueOf { select: code, .. } => fill_code(code),
        Instruction::Text(_) => {}
        Instruction::Choose { branches, otherwise } => {
            for (test, body) in branches {
                fill_code(test);
                body.iter_mut().for_each(|step| fill_instruction(step, fill));
            }
            otherwise.iter_mut().for_each(|step| fill_instruction(step, fill));
        }
    }
}

/// Replaces `$name` by the value of the parameter. A reference ends where the name ends; only
/// where no parameter has that name may a shorter one stand before `-` or `.`, which names can
/// hold. Other variables stay.
pub(super) fn substitute(text: &str, params: &BTreeMap<&str, &str>) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let after = from.get(1..).unwrap_or_default();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let end = after.find(|c| !is_name(c)).unwrap_or(after.len());
        let mut name = after.get(..end).unwrap_or_default();
        let mut value = params.get(name);
        while value.is_none() {
            let Some(cut) = name.rfind(['-', '.']) else { break };
            name = name.get(..cut).unwrap_or_default();
            value = params.get(name);
        }
        match value {
            Some(value) => {
                out.push_str(value);
                rest = after.get(name.len()..).unwrap_or_default();
            }
            None => {
                out.push('$');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
