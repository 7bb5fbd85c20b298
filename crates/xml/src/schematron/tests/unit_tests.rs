//! The readers of published unit tests, on files written for them.

use std::collections::BTreeMap;

use crate::schematron::mutation::{MutationError, mutations};
use crate::schematron::testset::{ExpectedVerdict, TestSet};
use crate::schematron::{PhaseChoice, RunOptions, SchematronOutcome, SchematronSchema};

const RULES: &str = "<schema xmlns='http://purl.oclc.org/dsdl/schematron'><pattern>\
    <rule context='a'><assert id='R1' flag='fatal' test='b'>b</assert>\
    <assert id='R2' flag='warning' test='@c = \"1\"'>c</assert></rule></pattern></schema>";

fn judge(document: &crate::tree::Document) -> SchematronOutcome {
    let files: BTreeMap<String, Vec<u8>> = [("m".to_owned(), RULES.as_bytes().to_vec())].into();
    let schema = SchematronSchema::load(&files, "m", &PhaseChoice::Default).unwrap();
    schema.validate(document, &RunOptions::default())
}

#[test]
fn a_test_set_is_read_and_judged() {
    let text = "<testSet xmlns='http://difi.no/xsd/vefa/validator/1.0' configuration='k'>\
        <assert><scope>R1</scope></assert>\
        <test><assert><success>R1</success></assert><a xmlns=''><b/></a></test>\
        <test id='two'><assert><error>R1</error><warning number='1'>R2</warning></assert>\
        <a xmlns=''/></test>\
        <test><assert><Success>R1</Success></assert><a xmlns=''><b/></a></test>\
        <test><assert><warning>R1</warning><error number='2'>R1</error></assert>\
        <a xmlns=''/></test>\
        <test><assert><success>R2</success></assert><a xmlns='' c='1'/></test></testSet>";
    let set = TestSet::read(text.as_bytes()).unwrap().unwrap();
    assert_eq!(set.configuration.as_deref(), Some("k"));
    assert_eq!(set.tests[1].name, "two");
    assert_eq!(set.tests[1].expectations[1].verdict, ExpectedVerdict::Warning);
    let wrong: Vec<usize> =
        set.tests.iter().map(|test| test.judge(&[judge(&test.document)]).len()).collect();
    // The last one breaks the rule of the scope, which it does not name.
    assert_eq!(wrong, [0, 0, 0, 2, 1]);
}

#[test]
fn other_files_are_no_test_sets() {
    assert!(TestSet::read(b"<a/>").unwrap().is_none());
    let none = b"<testSet xmlns='http://difi.no/xsd/vefa/validator/1.0'><test/></testSet>";
    assert!(TestSet::read(none).unwrap_err().to_string().contains("found 0"));
}

#[test]
fn mutations_change_one_thing() {
    let text = "<a c='1'><?xmute mutator='identity' schematron-valid='x:R1' id='i'?>\
        <?xmute mutator=\"remove\" schematron-invalid=\"x:R1 y:R3\"?><!-- of b -->\
        <?xmute mutator='code' values='1, 2' attribute='d'?><?xmute mutator='empty'?><b>t&amp;</b></a>";
    let found = mutations(text.as_bytes()).unwrap();
    let sources: Vec<_> = found.iter().map(|mutation| mutation.document.source()).collect();
    assert_eq!(
        sources,
        [
            "<a c=\"1\"><b>t&amp;</b></a>",
            "<a c=\"1\"></a>",
            "<a c=\"1\"><b d=\"1\">t&amp;</b></a>",
            "<a c=\"1\"><b d=\"2\">t&amp;</b></a>",
            "<a c=\"1\"><b></b></a>",
        ]
    );
    assert_eq!(found[0].valid, [("x".to_owned(), "R1".to_owned())]);
    assert_eq!(found[1].invalid.len(), 2);
    assert_eq!(judge(&found[1].document).fired.len(), 1);
}

#[test]
fn an_unknown_mutator_is_refused() {
    let found = mutations(b"<a><?xmute mutator='shuffle'?><b/></a>");
    assert!(matches!(found, Err(MutationError::Mutator { found, .. }) if found == "shuffle"));
}
