//! The Schematron Validation Report Language: an outcome as other tools read it.
//!
//! Source: ISO/IEC 19757-3, annex D. A run with [`super::RunOptions::trace`] also lists the rules
//! that were applied. A test that could not be evaluated has no element of its own in the language;
//! it is a failed assertion here whose text begins with the error code.

use super::outcome::{Cause, Fired, FiredRule, SchematronOutcome};
use super::schema::SchematronSchema;
use crate::namespaces::SVRL;
use crate::write::{escape_attribute, escape_text};

/// The report of one outcome, as a whole document in UTF-8.
pub fn write(schema: &SchematronSchema, outcome: &SchematronOutcome) -> String {
    let mut out = String::with_capacity(1024 + outcome.fired.len() * 512);
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svrl:schematron-output");
    push(&mut out, "xmlns:svrl", Some(SVRL));
    push(&mut out, "title", Some(schema.title().unwrap_or_default()));
    push(&mut out, "schemaVersion", Some(schema.version().unwrap_or_default()));
    out.push_str(">\n");
    for (prefix, uri) in schema.namespaces() {
        out.push_str("  <svrl:ns-prefix-in-attribute-values");
        push(&mut out, "uri", Some(uri));
        push(&mut out, "prefix", Some(prefix));
        out.push_str("/>\n");
    }
    let (mut rules, mut fired) = (outcome.rules.iter().peekable(), 0);
    for (number, pattern) in schema.patterns().enumerate() {
        out.push_str("  <svrl:active-pattern");
        push(&mut out, "id", pattern.id);
        push(&mut out, "name", pattern.title);
        out.push_str("/>\n");
        if outcome.rules.is_empty() {
            continue;
        }
        while let Some(rule) = rules.next_if(|rule| rule.pattern == number) {
            applied(&mut out, rule);
            let end = rules.peek().map_or(outcome.fired.len(), |next| next.before);
            for found in outcome.fired.get(fired..end).unwrap_or_default() {
                entry(&mut out, found);
            }
            fired = end;
        }
    }
    for found in outcome.fired.get(fired..).unwrap_or_default() {
        entry(&mut out, found);
    }
    out.push_str("</svrl:schematron-output>\n");
    out
}

fn push(out: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        out.push(' ');
        out.push_str(name);
        out.push_str("=\"");
        escape_attribute(value, out);
        out.push('"');
    }
}

fn applied(out: &mut String, rule: &FiredRule) {
    out.push_str("  <svrl:fired-rule");
    push(out, "context", Some(&rule.context));
    push(out, "id", rule.id.as_deref());
    push(out, "role", rule.role.as_deref());
    push(out, "flag", rule.flag.as_deref());
    out.push_str("/>\n");
}

fn entry(out: &mut String, fired: &Fired) {
    let check = &fired.check;
    let name = match fired.cause {
        Cause::SuccessfulReport => "svrl:successful-report",
        _ => "svrl:failed-assert",
    };
    out.push_str(&format!("  <{name}"));
    push(out, "test", Some(&check.test));
    push(out, "id", check.id.as_deref());
    push(out, "role", check.role.as_deref());
    push(out, "flag", check.flag.as_deref());
    push(out, "location", Some(&fired.location.path));
    out.push_str(">\n");
    for (id, diagnostic) in &fired.diagnostics {
        out.push_str("    <svrl:diagnostic-reference");
        push(out, "diagnostic", Some(id));
        out.push('>');
        escape_text(diagnostic, out);
        out.push_str("</svrl:diagnostic-reference>\n");
    }
    out.push_str("    <svrl:text>");
    if let Cause::Error { code, message } | Cause::Limit { code, message } = &fired.cause {
        escape_text(&format!("{code}: {message}. "), out);
    }
    escape_text(&fired.message, out);
    out.push_str(&format!("</svrl:text>\n  </{name}>\n"));
}
