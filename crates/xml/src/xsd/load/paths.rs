//! The part of XPath that selectors and fields may use (part 1 section 3.11.6).

use super::{At, SchemaBuilder, SchemaLoadError};
use crate::xsd::schema::{SelectorPath, SelectorStep, SelectorTest};

/// Alternatives and steps of one expression at most.
const MAX_PARTS: usize = 64;

/// Reads a selector or field.
pub(super) fn paths<'d>(
    builder: &mut SchemaBuilder<'d>,
    at: At<'d>,
    text: &'d str,
    is_field: bool,
) -> Result<Vec<SelectorPath>, SchemaLoadError> {
    let clause = if is_field { "c-fields-xpaths" } else { "c-selector-xpath" };
    if text.split(['|', '/']).count() > MAX_PARTS {
        return Err(builder.fail(at, "limit", "the expression has too many parts"));
    }
    text.split('|')
        .map(|alternative| path(builder, at, alternative.trim(), is_field, clause))
        .collect()
}

fn path<'d>(
    builder: &mut SchemaBuilder<'d>,
    at: At<'d>,
    text: &'d str,
    is_field: bool,
    clause: &'static str,
) -> Result<SelectorPath, SchemaLoadError> {
    let (is_deep, rest) = match text.strip_prefix('.').map(str::trim_start) {
        Some(rest) if rest.starts_with("//") => (true, rest.get(2..).unwrap_or_default()),
        _ => (false, text),
    };
    let mut path = SelectorPath { is_deep, steps: Vec::new(), attribute: None };
    for step in rest.split('/').map(str::trim) {
        if path.attribute.is_some() {
            return Err(builder.fail(at, clause, "an attribute can only be the last step"));
        }
        let attribute = step.strip_prefix('@').or_else(|| step.strip_prefix("attribute::"));
        if let Some(attribute) = attribute {
            if !is_field {
                return Err(builder.fail(at, clause, "a selector selects elements"));
            }
            path.attribute = Some(test(builder, at, attribute.trim(), clause)?);
        } else if step == "." {
            path.steps.push(SelectorStep::This);
        } else {
            let step = step.strip_prefix("child::").unwrap_or(step);
            path.steps.push(SelectorStep::Child(test(builder, at, step.trim(), clause)?));
        }
    }
    Ok(path)
}

fn test<'d>(
    builder: &mut SchemaBuilder<'d>,
    at: At<'d>,
    text: &'d str,
    clause: &'static str,
) -> Result<SelectorTest, SchemaLoadError> {
    if text == "*" {
        return Ok(SelectorTest::Any);
    }
    let (prefix, local) = text.split_once(':').unwrap_or(("", text));
    let is_name = crate::xsd::value::is_name(local, false) || local == "*";
    if !is_name || (text.contains(':') && !crate::xsd::value::is_name(prefix, false)) {
        return Err(builder.fail(at, clause, format!("expected a name, found {text:?}")));
    }
    // A name without prefix is in no namespace, whatever the default namespace is.
    let namespace = match prefix {
        "" => "",
        prefix => match at.element.resolve_prefix(prefix) {
            Some(namespace) => namespace,
            None => return Err(builder.fail(at, "src-qname", format!("{prefix} is not declared"))),
        },
    };
    Ok(match local {
        "*" => SelectorTest::Namespace(builder.string(namespace)),
        local => SelectorTest::Name(builder.name(namespace, local)),
    })
}
