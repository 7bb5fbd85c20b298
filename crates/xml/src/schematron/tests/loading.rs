//! What the loader reads, puts in place and refuses.

use std::collections::BTreeMap;

use crate::schematron::expand::{expand, substitute};
use crate::schematron::library::{ParsedFiles, join};
use crate::schematron::source::{RuleItem, SchematronSource};
use crate::schematron::{LoadError, PhaseChoice, ResolveError, read};

fn load(files: &[(&str, &str)], phase: PhaseChoice) -> Result<SchematronSource, LoadError> {
    let wrap = |body: &str| {
        body.replacen('>', " xmlns='http://purl.oclc.org/dsdl/schematron' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>", 1)
    };
    let files: BTreeMap<String, Vec<u8>> =
        files.iter().map(|(path, body)| (path.to_string(), wrap(body).into_bytes())).collect();
    let library = ParsedFiles::read(&files, "a/main.sch")?;
    expand(read::read(&library)?, &phase)
}

fn tests_of(source: &SchematronSource) -> Vec<String> {
    let rules = source.patterns.iter().flat_map(|pattern| &pattern.rules);
    let mut found = Vec::new();
    for rule in rules {
        let context = rule.context.as_ref().map_or("", |code| &code.text);
        for item in &rule.items {
            if let RuleItem::Check(check) = item {
                found.push(format!("{context} | {}", check.test.text));
            }
        }
    }
    found
}

#[test]
fn includes_are_put_in_place_and_abstract_patterns_filled() {
    let main = "<schema><include href='../b/abstract.sch'/>\
        <pattern is-a='money' id='p'><param name='where ' value='/a/b'/>\
        <param name='BR-1' value='x'/><param name='BR-10' value='y'/></pattern></schema>";
    let other = "<pattern abstract='true' id='money'><rule context='$where'>\
        <assert test='$BR-10 and $BR-1 and $other' id='R'>t</assert></rule></pattern>";
    let source = load(&[("a/main.sch", main), ("b/abstract.sch", other)], PhaseChoice::All);
    assert_eq!(tests_of(&source.unwrap()), ["/a/b | y and x and $other"]);
}

#[test]
fn abstract_rules_are_extended_over_patterns_and_files() {
    let main = "<schema><pattern><rule abstract='true' id='r'><assert test='1'/></rule></pattern>\
        <pattern><rule context='c'><extends rule='r'/><extends href='x.sch'/>\
        <assert test='3'/></rule></pattern></schema>";
    let other = "<rule context='ignored'><assert test='2'/></rule>";
    let source = load(&[("a/main.sch", main), ("a/x.sch", other)], PhaseChoice::All).unwrap();
    assert_eq!(tests_of(&source), ["c | 1", "c | 2", "c | 3"]);
}

#[test]
fn a_phase_chooses_patterns() {
    let main = "<schema defaultPhase='one'><phase id='one'><active pattern='p1'/></phase>\
        <pattern id='p1'><rule context='c'><assert test='1'/></rule></pattern>\
        <pattern id='p2'><rule context='c'><assert test='2'/></rule></pattern></schema>";
    let files = [("a/main.sch", main)];
    let run = |phase| tests_of(&load(&files, phase).unwrap());
    assert_eq!(run(PhaseChoice::Default), ["c | 1"]);
    assert_eq!(run(PhaseChoice::All), ["c | 1", "c | 2"]);
    let missing = load(&files, PhaseChoice::Named("two".into())).unwrap_err().to_string();
    assert!(missing.contains("#ALL, #DEFAULT, one, found two"), "{missing}");
}

#[test]
fn what_is_not_supported_or_wrong_fails_with_its_place() {
    let cases = [
        ("<schema>\n <xsl:template match='/'/></schema>", "a/main.sch:2:2: xsl:template inside"),
        ("<schema><rule context='x'/></schema>", "rule inside schema is not supported"),
        ("<schema queryBinding='stx'></schema>", "the query binding \"stx\" is not supported"),
        (
            "<schema><include href='gone.sch'/></schema>",
            "a/gone.sch cannot be read (wanted by a/main",
        ),
        ("<schema><include href='../../etc'/></schema>", "outside the folder"),
        ("<schema><include href='file:///etc'/></schema>", "outside the folder"),
        ("<schema><include href='#x'/><p id='x'/></schema>", ""),
        ("<schema><pattern><rule><assert test='1'/></rule></pattern></schema>", "context"),
        (
            "<schema><pattern><rule context='a'><assert/></rule></pattern></schema>",
            "test on assert",
        ),
        ("<schema><pattern is-a='none'/></schema>", "the identifier of an abstract pattern"),
        (
            "<schema><pattern><rule context='a'><extends rule='r'/></rule></pattern></schema>",
            "the identifier of an abstract rule",
        ),
        (
            "<schema><pattern><rule context='a'><assert test='1' diagnostics='d'/></rule></pattern>\
             </schema>",
            "the identifier of a diagnostic",
        ),
        (
            "<schema><pattern><rule abstract='true' id='r'><extends rule='r'/></rule>\
             <rule context='a'><extends rule='r'/></rule></pattern></schema>",
            "more than 32 rules that extend",
        ),
        ("<schema><xsl:function name='f'><xsl:for-each/></xsl:function></schema>", "xsl:for-each"),
        ("<schema><!-- > --><!DOCTYPE x></schema>", "main.sch"),
    ];
    for (main, expected) in cases {
        match load(&[("a/main.sch", main)], PhaseChoice::All) {
            Ok(_) => assert_eq!(expected, "", "{main}"),
            Err(error) => {
                let text = error.to_string();
                assert!(!expected.is_empty() && text.contains(expected), "{main}: {text}");
            }
        }
    }
}

#[test]
fn a_file_that_includes_itself_ends() {
    let main = "<schema><include href='p.sch'/></schema>";
    let error = load(
        &[("a/main.sch", main), ("a/p.sch", "<include href='p.sch'></include>")],
        PhaseChoice::All,
    );
    assert!(matches!(error, Err(LoadError::Limit { .. })), "{error:?}");
}

#[test]
fn schematron_1_is_refused_by_name() {
    let files: BTreeMap<String, Vec<u8>> =
        [("m".to_owned(), b"<schema xmlns='http://www.ascc.net/xml/schematron'/>".to_vec())].into();
    let library = ParsedFiles::read(&files, "m").unwrap();
    let error = read::read(&library).unwrap_err().to_string();
    assert!(error.contains("Schematron 1.5"), "{error}");
    let missing = ParsedFiles::read(&files, "n").unwrap_err();
    let expected = ResolveError::Missing;
    assert!(matches!(missing, LoadError::Read { reason, .. } if reason == expected));
}

#[test]
fn paths_stay_in_the_folder() {
    assert_eq!(join("a/b.sch", "../c/./d.sch").as_deref(), Some("c/d.sch"));
    for href in ["../../c", "/etc/passwd", "a\\b", "http://x/y", "c:/x", "..", "../.."] {
        assert_eq!(join("b.sch", href), None, "{href}");
    }
}

#[test]
fn parameters_end_where_names_end() {
    let params = [("a", "1"), ("a-b", "2"), ("ab", "3")].into();
    assert_eq!(
        substitute("$a $a-b $ab $a-c $abc $ $$a (.,'$a')", &params),
        "1 2 3 1-c $abc $ $1 (.,'1')"
    );
}
