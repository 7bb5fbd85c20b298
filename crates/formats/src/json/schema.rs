//! The JSON Schema of the form, made of the same rows as its reader and its writer.
//!
//! Source: JSON Schema 2020-12 (core and validation).

use super::form::{MEMBERS, Member, MemberContent, TextForm, required};
use super::lexical::{SAYS_SOMETHING, keywords};
use super::markup::NAMESPACE;
use super::output::escaped;

/// A JSON Schema 2020-12 of the JSON form of an invoice. What it does not name is read, told as
/// unread and not converted.
pub fn invoice_schema() -> String {
    let mut text = String::from("{\n");
    for (name, value) in [
        ("$schema", "https://json-schema.org/draft/2020-12/schema"),
        ("$id", NAMESPACE),
        ("title", "Invoice or credit note"),
        (
            "description",
            "EN 16931-1:2017+A1:2019 as one object. Amounts are in the currency of the document, \
             numbers are texts and keep their digits.",
        ),
    ] {
        line(&mut text, 1, name, value);
    }
    object(&mut text, 1, MEMBERS, "\"object\"");
    text.push_str("\n}\n");
    text
}

fn indent(text: &mut String, depth: usize) {
    text.extend(std::iter::repeat_n("  ", depth));
}

/// A member with a text, and the comma after it.
fn line(text: &mut String, depth: usize, name: &str, value: &str) {
    indent(text, depth);
    escaped(name, text);
    text.push_str(": ");
    escaped(value, text);
    text.push_str(",\n");
}

/// What is said of an object of this type.
fn object(text: &mut String, depth: usize, members: &[Member], of: &str) {
    indent(text, depth);
    text.push_str(&format!("\"type\": {of},\n"));
    let required = required(members, depth == 1);
    if !required.is_empty() {
        indent(text, depth);
        text.push_str("\"required\": [");
        for (at, name) in required.iter().enumerate() {
            text.push_str(if at > 0 { ", " } else { "" });
            escaped(name, text);
        }
        text.push_str("],\n");
    }
    indent(text, depth);
    text.push_str("\"additionalProperties\": false,\n");
    indent(text, depth);
    text.push_str("\"properties\": {\n");
    let mut between = "";
    if depth == 1 {
        indent(text, depth + 1);
        text.push_str("\"$schema\": { \"type\": \"string\" }");
        between = ",\n";
    }
    for member in members {
        text.push_str(between);
        indent(text, depth + 1);
        escaped(member.name, text);
        text.push_str(": {\n");
        one(text, depth + 2, member, depth == 1 && required.contains(&member.name));
        text.push('\n');
        indent(text, depth + 1);
        text.push('}');
        between = ",\n";
    }
    text.push('\n');
    indent(text, depth);
    text.push('}');
}

/// What is said of a member, and whether it must say something. `null` says that there is none, as
/// the reader takes it and the writer says it; an item of a list is never `null`.
fn one(text: &mut String, depth: usize, member: &Member, is_said: bool) {
    line(text, depth, "description", member.about);
    match member.content {
        MemberContent::Text(form) => {
            let more = match form == TextForm::Plain && is_said {
                true => SAYS_SOMETHING,
                false => keywords(form),
            };
            indent(text, depth);
            text.push_str(&format!("\"type\": [\"string\", \"null\"]{more}"));
        }
        MemberContent::Object(members) => object(text, depth, members, "[\"object\", \"null\"]"),
        MemberContent::Objects(members) => {
            indent(text, depth);
            text.push_str("\"type\": [\"array\", \"null\"],\n");
            indent(text, depth);
            text.push_str("\"items\": {\n");
            object(text, depth + 1, members, "\"object\"");
            text.push('\n');
            indent(text, depth);
            text.push('}');
        }
    }
}
