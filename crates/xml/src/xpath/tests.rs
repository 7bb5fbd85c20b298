//! The whole room: expressions against the values that the specifications give.

mod errors;
mod functions;
mod limits;
mod official;
mod operators;
mod paths;
mod patterns;
mod programs;
mod sequences;

use super::*;
use crate::tree::{Document, Limits};

/// A small document with the peculiarities of large ones: mixed content, comments inside values,
/// CDATA, nested elements of one name, several namespaces.
const SAMPLE: &str = r#"<?before the element?><c:Inv xmlns:c="urn:c" xmlns:b="urn:b" v="1" xml:lang="en-GB"><!-- top --><b:ID> INV-1 </b:ID><b:Date>2024-02-29</b:Date><b:Amt cur="EUR">100.10</b:Amt><b:Amt cur="USD">-7</b:Amt><c:Line n="1"><b:ID>1</b:ID><b:Amt cur="EUR">10.5</b:Amt><c:Item><b:Name>Foo <!-- x -->bar</b:Name><b:ID>A</b:ID></c:Item></c:Line><c:Line n="2"><b:ID>2</b:ID><b:Amt cur="EUR">20</b:Amt><c:Item><b:Name/><c:Item><b:ID>B</b:ID></c:Item></c:Item></c:Line><?pi some data?><c:Line n="3"><b:ID>1</b:ID><b:Amt cur="SEK">3e1</b:Amt></c:Line><plain x:y="q" xmlns:x="urn:x">t<b:ID>C</b:ID>u<![CDATA[v]]>w</plain></c:Inv>"#;

/// Evaluates an expression with the document element as context: its items joined by spaces, each
/// as a string; or the code of its error.
fn value_in(expression: &str, xml: &str) -> String {
    let document = Document::parse(xml.as_bytes(), &Limits::default()).unwrap();
    let mut compiler = Compiler::new();
    compiler.declare_prefix("c", "urn:c");
    compiler.declare_prefix("b", "urn:b");
    let mut scope = VariableScope::new();
    let compiled = match compiler.compile(expression, &mut scope) {
        Ok(compiled) => compiled,
        Err(error) => return error.code.to_string(),
    };
    let (layout, program) = (scope.into_layout(), compiler.finish().unwrap());
    let now = "2024-02-29T12:30:00.5Z".parse().ok();
    let settings = EvaluationSettings { now, ..EvaluationSettings::default() };
    let environment = Environment::new(&program, &document, settings);
    let frame = Frame::new(&layout, NodeRef::of(document.root().id()));
    environment.evaluate_string(&compiled, &frame).unwrap_or_else(|error| error.code.to_string())
}

fn value(expression: &str) -> String {
    value_in(expression, SAMPLE)
}

/// Checks a table of expressions and their values, and prints every one that is wrong.
#[track_caller]
fn check(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(expression, expected)| (expression, expected, value(expression)))
        .filter(|(_, expected, found)| **expected != found)
        .map(|(expression, expected, found)| {
            format!("{expression}\n  expected {expected:?}\n  found    {found:?}")
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
