//! Match patterns: XSLT 2.0 section 5.5.

use super::super::*;
use super::SAMPLE;
use crate::tree::{Document, Limits, NodeId};

/// The nodes that a pattern matches, as their positions tell them.
fn matched(pattern: &str) -> String {
    let document = Document::parse(SAMPLE.as_bytes(), &Limits::default()).unwrap();
    let mut compiler = Compiler::new();
    compiler.declare_prefix("c", "urn:c");
    compiler.declare_prefix("b", "urn:b");
    let mut scope = VariableScope::new();
    let limit = compiler.declare_variable();
    let value = compiler.compile("'2'", &mut scope).unwrap();
    compiler.define_variable(limit, value);
    scope.declare_variable("limit", limit);
    let pattern = match compiler.compile_pattern(pattern, &mut scope) {
        Ok(pattern) => pattern,
        Err(error) => return error.code.to_string(),
    };
    let program = compiler.finish().unwrap();
    let environment = Environment::new(&program, &document, EvaluationSettings::default());
    let mut found = Vec::new();
    if environment.matches(&pattern, NodeRef::ROOT) {
        found.push("/".to_owned());
    }
    for id in (0..document.node_count() as u32).map(NodeId) {
        let name = document.element(id).map(|element| element.local().to_owned());
        let shown = name.unwrap_or_else(|| document.string_value(id.0).into_owned());
        if environment.matches(&pattern, NodeRef::of(id)) {
            found.push(shown.trim().to_owned());
        }
        for attribute in document.attribute_numbers(id.0) {
            if environment.matches(&pattern, NodeRef::attribute(id, attribute)) {
                let attribute = document.attribute(attribute).unwrap();
                found.push(format!("@{}={}", attribute.local, attribute.value));
            }
        }
    }
    assert!(environment.limit_reached().is_none());
    found.join(" ")
}

#[test]
fn paths() {
    let table = [
        ("/", "/"),
        ("c:Line", "Line Line Line"),
        ("/c:Inv", "Inv"),
        ("/c:Line", ""),
        ("//c:Line", "Line Line Line"),
        ("c:Inv/b:ID", "ID"),
        ("c:Line/b:ID", "ID ID ID"),
        ("c:Inv//b:Name", "Name Name"),
        ("c:Line//c:Item/b:ID", "ID ID"),
        ("/c:Inv/c:Line/c:Item", "Item Item"),
        ("c:Item//b:ID", "ID ID"),
        (
            "*",
            "Inv ID Date Amt Amt Line ID Amt Item Name ID Line ID Amt Item Name Item ID Line ID \
              Amt plain ID",
        ),
        ("b:Nope", ""),
        ("c:Inv/*[1]", "ID"),
        ("*:plain", "plain"),
        ("c:*/b:Date", "Date"),
        ("child::b:Date", "Date"),
        ("element(b:Date)", "Date"),
    ];
    for (pattern, expected) in table {
        assert_eq!(matched(pattern), expected, "{pattern}");
    }
}

#[test]
fn attributes_texts_and_others() {
    let table = [
        ("@n", "@n=1 @n=2 @n=3"),
        ("b:Amt/@cur", "@cur=EUR @cur=USD @cur=EUR @cur=EUR @cur=SEK"),
        ("c:Line/b:Amt/@cur", "@cur=EUR @cur=EUR @cur=SEK"),
        ("c:Line//@cur", "@cur=EUR @cur=EUR @cur=SEK"),
        ("//@v", "@v=1"),
        ("plain/@*", "@y=q"),
        ("attribute::v", "@v=1"),
        ("attribute(v)", "@v=1"),
        ("@cur[. = 'USD']", "@cur=USD"),
        ("plain/text()", "t uvw"),
        ("comment()", "top x"),
        ("processing-instruction()", "the element some data"),
        ("processing-instruction(pi)", "some data"),
        ("plain/node()", "t ID uvw"),
    ];
    for (pattern, expected) in table {
        assert_eq!(matched(pattern), expected, "{pattern}");
    }
}

#[test]
fn predicates_and_unions() {
    let table = [
        ("c:Line[2]/b:ID", "ID"),
        ("c:Line[last()]/@n", "@n=3"),
        ("c:Line[b:ID = '1'][2]/@n", "@n=3"),
        ("c:Line[position() > 1]/@n", "@n=2 @n=3"),
        ("c:Line[@n = $limit]/@n", "@n=2"),
        ("c:Line[c:Item]/@n", "@n=1 @n=2"),
        ("b:Date | plain", "Date plain"),
        ("(b:Date | plain)", "Date plain"),
        ("(c:Line | c:Inv)/b:Amt[. = '20']", "Amt"),
        ("(c:Line | plain)[b:ID = 'C']", "plain"),
        ("/c:Inv/(b:Date | plain)", "Date plain"),
        ("//(b:Date | plain)", "Date plain"),
        ("(/c:Inv | c:Line)[$limit = '2']/@v", "@v=1"),
        ("c:Line[every $x in b:Amt satisfies $x castable as xs:decimal]/@n", "@n=1 @n=2"),
    ];
    for (pattern, expected) in table {
        assert_eq!(matched(pattern), expected, "{pattern}");
    }
}

#[test]
fn an_error_in_a_predicate_is_no_match() {
    assert_eq!(matched("c:Line[1 div 0 = 1]"), "");
    assert_eq!(matched("b:ID[xs:integer(.) = 1]/.."), "XPST0003");
    assert_eq!(matched("c:Line/b:ID[xs:integer(.) = 2]"), "ID");
    assert_eq!(matched("b:ID[xs:integer(.) = 2]"), "ID");
}

#[test]
fn what_is_no_pattern_fails_while_compiling() {
    for (pattern, code) in [
        ("c:Line/..", "XPST0003"),
        ("ancestor::c:Line", "XPST0010"),
        ("$limit", "XPST0003"),
        ("count(c:Line)", "XPST0017"),
        ("c:Line +", "XPST0003"),
        ("(c:Line | plain)[1]", "XPST0003"),
        ("(c:Line | plain)[last()]", "XPST0003"),
        ("c:Line/(/plain)", "XPST0003"),
        ("", "XPST0003"),
        ("q:x", "XPST0081"),
    ] {
        assert_eq!(matched(pattern), code, "{pattern}");
    }
}

#[test]
fn targets_for_dispatch() {
    let mut compiler = Compiler::new();
    let slot = compiler.name_slot("", "a");
    let pattern = compiler.compile_pattern(
        "/ | a | * | @a | @* | text() | comment() | processing-instruction() | node() | x/y:a",
        &mut VariableScope::new(),
    );
    assert_eq!(pattern.unwrap_err().code, ErrorCode::XPST0081);
    let text = "/ | x/a | * | @a | @* | text() | comment() | processing-instruction() | node()";
    let pattern = compiler.compile_pattern(text, &mut VariableScope::new()).unwrap();
    let targets: Vec<Target> = pattern.targets().collect();
    let expected = [
        Target::Document,
        Target::Element(slot),
        Target::AnyElement,
        Target::Attribute(slot),
        Target::AnyAttribute,
        Target::Text,
        Target::Comment,
        Target::Instruction,
        Target::AnyChild,
    ];
    assert_eq!(targets, expected);
}
