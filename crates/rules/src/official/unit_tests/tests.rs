//! Test sets run with the rules that their build file names, or with those that fit.

use super::*;
use crate::official::guess;

const RULES: &str = "<schema xmlns='http://purl.oclc.org/dsdl/schematron' queryBinding='xslt2'>\
    <pattern><rule context='/note'><assert id='N-1' flag='fatal' test='to'>To whom?</assert>\
    </rule></pattern></schema>";
const TESTS: &str = "<testSet xmlns='http://difi.no/xsd/vefa/validator/1.0' configuration='notes'>\
    <test><assert><success>N-1</success></assert><note xmlns=''><to/></note></test>\
    <test><assert><error>N-1</error></assert><note xmlns=''/></test></testSet>";
const BUILD: &str = "<buildConfigurations xmlns='http://difi.no/xsd/vefa/validator/1.0'>\
    <configuration><identifier>base</identifier><file source='sch/note.sch' path='n.xsl'/>\
    </configuration><configuration><identifier>notes</identifier><inherit>base</inherit>\
    <inherit>notes</inherit></configuration></buildConfigurations>";

fn files(all: &[(&str, &str)]) -> SetFiles {
    all.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
}

#[test]
fn a_build_file_names_the_rules() {
    let all = files(&[("sch/note.sch", RULES), ("build.xml", BUILD), ("unit/n.xml", TESTS)]);
    let wanted = TestFileResult { file: "unit/n.xml".to_owned(), tests: 2, wrong: Vec::new() };
    assert_eq!(run_unit_tests(&all, &[], &all), [wanted]);
}

#[test]
fn a_test_that_is_not_as_expected_is_told() {
    let wrong = RULES.replace("test='to'", "test='true()'");
    let all = files(&[("sch/note.sch", &wrong), ("build.xml", BUILD), ("unit/n.xml", TESTS)]);
    let found = run_unit_tests(&all, &[], &all);
    assert_eq!(found[0].wrong.len(), 1, "{found:?}");
    assert!(found[0].wrong[0].contains("test 2: N-1: expected one error, found 0"), "{found:?}");
    let missing = files(&[("build.xml", BUILD), ("unit/n.xml", TESTS)]);
    let found = run_unit_tests(&missing, &[], &missing);
    assert!(found[0].wrong[0].contains("sch/note.sch"), "{found:?}");
}

#[test]
fn without_a_build_file_the_rules_that_fit_take_part() {
    let other = RULES.replace("N-1", "N-2");
    let all = files(&[("PEPPOL-MLS-1.0.sch", RULES), ("si-ubl-2.0.sch", &other), ("n.xml", TESTS)]);
    let sets = guess("", &all, None).sets;
    assert_eq!(sets.len(), 2);
    let found = run_unit_tests(&all, &sets, &all);
    assert!(found[0].wrong.is_empty(), "{found:?}");
    let found = run_unit_tests(&all, &sets[1..], &all);
    assert!(found[0].wrong.iter().all(|line| line.contains("no rule file")), "{found:?}");
}

const INSTRUCTED: &str = "<note><?xmute mutator='remove' id='a' schematron-invalid='x:N-1'?>\
    <?xmute mutator='identity' id='b' schematron-valid='x:N-1 other:M-1'?><to>me</to>\
    <?xmute mutator='remove' id='c' schematron-invalid='other:M-1'?><from/></note>";

#[test]
fn instructions_in_a_document_are_followed() {
    let all =
        files(&[("PEPPOL-MLS-1.0.sch", RULES), ("n.xml", INSTRUCTED), ("plain.xml", "<note/>")]);
    let sets = guess("", &all, None).sets;
    let wanted = TestFileResult { file: "n.xml".to_owned(), tests: 2, wrong: Vec::new() };
    assert_eq!(run_unit_tests(&all, &sets, &all), [wanted]);
}

#[test]
fn an_instruction_that_is_not_answered_as_expected_is_told() {
    let text = INSTRUCTED.replace("schematron-invalid='x:", "schematron-valid='x:");
    let all = files(&[("PEPPOL-MLS-1.0.sch", RULES), ("n.xml", &text)]);
    let sets = guess("", &all, None).sets;
    let found = run_unit_tests(&all, &sets, &all);
    assert_eq!(found[0].wrong.len(), 1, "{found:?}");
    assert!(found[0].wrong[0].contains("N-1: expected to be kept"), "{found:?}");
    let unknown = INSTRUCTED.replace("'remove'", "'melt'");
    let all = files(&[("PEPPOL-MLS-1.0.sch", RULES), ("n.xml", &unknown)]);
    let found = run_unit_tests(&all, &sets, &all);
    assert!(found[0].wrong[0].contains("melt"), "{found:?}");
}
