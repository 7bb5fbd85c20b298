//! What a run finds, in which order, where, and what it says.

use std::collections::BTreeMap;

use crate::schematron::{
    Cause, LoadError, PhaseChoice, RunOptions, SchematronOutcome, SchematronSchema, svrl,
};
use crate::tree::{Document, Limits};
use crate::xpath::EvaluationBudget;

const HEAD: &str = "<schema xmlns='http://purl.oclc.org/dsdl/schematron' queryBinding='xslt2' \
    xmlns:xsl='http://www.w3.org/1999/XSL/Transform' xmlns:u='urn:u'>\
    <ns prefix='i' uri='urn:i'/><ns prefix='c' uri='urn:c'/><ns prefix='u' uri='urn:u'/>";

const DOCUMENT: &str = "<Invoice xmlns='urn:i' xmlns:x='urn:c'><x:ID>7</x:ID>\
    <x:Line a='1'><x:Amount cur='EUR'>10.00</x:Amount></x:Line>\n\
    <x:Line a='2'><x:Amount cur='SEK'>x</x:Amount><!-- note -->tail</x:Line></Invoice>";

fn load(body: &str) -> Result<SchematronSchema, LoadError> {
    load_with(body, &[])
}

fn load_with(body: &str, others: &[(&str, &str)]) -> Result<SchematronSchema, LoadError> {
    let mut files: BTreeMap<String, Vec<u8>> =
        [("main.sch".to_owned(), format!("{HEAD}{body}</schema>").into_bytes())].into();
    files.extend(others.iter().map(|(path, text)| (path.to_string(), text.as_bytes().to_vec())));
    SchematronSchema::load(&files, "main.sch", &PhaseChoice::Default)
}

fn run_on(body: &str, document: &str, options: &RunOptions) -> SchematronOutcome {
    let schema = load(body).unwrap_or_else(|error| panic!("{error}"));
    let document = Document::parse(document.as_bytes(), &Limits::default()).unwrap();
    schema.validate(&document, options)
}

fn run(body: &str) -> SchematronOutcome {
    run_on(body, DOCUMENT, &RunOptions::default())
}

fn lines(outcome: &SchematronOutcome) -> Vec<String> {
    let fired = outcome.fired.iter();
    fired
        .map(|found| {
            let id = found.check.id.as_deref().unwrap_or("-");
            let cause = match &found.cause {
                Cause::FailedAssert => "assert",
                Cause::SuccessfulReport => "report",
                Cause::Error { code, .. } | Cause::Limit { code, .. } => code,
            };
            format!("{id} {cause} {} {}", found.location.path, found.message)
        })
        .collect()
}

#[test]
fn the_first_matching_rule_of_each_pattern_judges_a_node() {
    let found = run("<pattern>\
        <rule context='c:Line[@a = 2]'><assert id='A' test='false()'>second</assert></rule>\
        <rule context='i:Invoice/c:Line'><assert id='B' test='false()'>other</assert></rule>\
        <rule context='*'><report id='C' test='true()'>rest</report></rule></pattern>\
        <pattern><rule context='c:Line'><assert id='D' test='false()'>again</assert></rule></pattern>");
    assert_eq!(
        lines(&found),
        [
            "C report /Invoice[1] rest",
            "C report /Invoice[1]/x:ID[1] rest",
            "B assert /Invoice[1]/x:Line[1] other",
            "C report /Invoice[1]/x:Line[1]/x:Amount[1] rest",
            "A assert /Invoice[1]/x:Line[2] second",
            "C report /Invoice[1]/x:Line[2]/x:Amount[1] rest",
            "D assert /Invoice[1]/x:Line[1] again",
            "D assert /Invoice[1]/x:Line[2] again",
        ]
    );
    assert!(found.is_complete && !found.reference_stops());
}

#[test]
fn contexts_may_be_the_document_attributes_texts_and_comments() {
    let found = run("<pattern>\
        <rule context='/'><report id='R' test='true()'/></rule>\
        <rule context='@cur'><assert id='A' test='. = \"EUR\"'><value-of select='.'/> <name/>\
        </assert></rule>\
        <rule context='c:Line/text()'><report id='T' test='normalize-space()'/></rule>\
        <rule context='comment()'><report id='C' test='contains(., \"note\")'/></rule></pattern>");
    assert_eq!(
        lines(&found),
        [
            "R report / ",
            "A assert /Invoice[1]/x:Line[2]/x:Amount[1]/@cur SEK cur",
            "C report /Invoice[1]/x:Line[2]/node() ",
            "T report /Invoice[1]/x:Line[2]/node() ",
        ]
    );
    assert_eq!(found.fired[1].value.as_deref(), Some("SEK"));
}

#[test]
fn variables_of_all_levels_are_lazy_and_seen_where_they_should() {
    let found = run("<let name='g' value='count(//c:Line)'/>\
        <let name='bad' value='xs:decimal(\"never\")'/>\
        <pattern><let name='p' value='$g + 1'/><rule context='c:Line'>\
        <let name='r' value='$p + xs:integer(@a)'/><let name='lazy' value='xs:date(\"x\")'/>\
        <assert id='A' test='$r = 4'>r is <value-of select='$r'/></assert></rule></pattern>\
        <pattern><rule context='i:Invoice'><assert id='B' test='$p = 3 and $g = 2'/></rule></pattern>");
    assert_eq!(lines(&found), ["A assert /Invoice[1]/x:Line[2] r is 5"]);
}

#[test]
fn an_error_is_no_match_in_a_context_and_a_finding_in_a_test() {
    let found = run("<pattern>\
        <rule context='c:Amount[xs:decimal(.) > 0]'><assert id='A' test='false()'>number</assert>\
        </rule>\
        <rule context='c:Amount'><assert id='B' test='xs:decimal(.) > 0'>amount of <name/></assert>\
        <assert id='C' test='false()'>after</assert></rule></pattern>");
    assert_eq!(
        lines(&found),
        [
            "A assert /Invoice[1]/x:Line[1]/x:Amount[1] number",
            "B FORG0001 /Invoice[1]/x:Line[2]/x:Amount[1] amount of …",
            "C assert /Invoice[1]/x:Line[2]/x:Amount[1] after",
        ]
    );
    assert!(found.is_complete && found.reference_stops());
    assert_eq!(found.fired[1].value.as_deref(), Some("x"));
    assert_eq!(found.fired[1].location.position.line, 2);
}

#[test]
fn functions_keys_and_other_files() {
    let schema = load_with(
        "<xsl:key name='k' match='c:Line' use='@a'/>\
         <xsl:function name='u:sum' as='xs:integer'><xsl:param name='n' as='xs:integer'/>\
         <xsl:choose><xsl:when test='$n = 0'><xsl:sequence select='0'/></xsl:when><xsl:otherwise>\
         <xsl:variable name='rest' select='u:sum($n - 1)'/><xsl:sequence select='$n + $rest'/>\
         </xsl:otherwise></xsl:choose></xsl:function>\
         <xsl:function name='u:text'><xsl:variable name='t'>a<xsl:value-of select='(1, 2)'/>\
         </xsl:variable>\
         <xsl:value-of select='$t'/></xsl:function>\
         <pattern><rule context='i:Invoice'>\
         <assert id='A' test='u:sum(4) = 10'/><assert id='B' test='u:text() = \"a1 2\"'/>\
         <assert id='C' test='count(key(\"k\", \"2\")) = 1'/>\
         <assert id='D' test='c:ID = document(\"codes.xml\")/codes/code'/>\
         <report id='E' test='current()/c:ID = 7'>sum <value-of select='u:sum(3)'/></report></rule>\
         </pattern>",
        &[("codes.xml", "<codes><code>6</code><code>7</code></codes>")],
    );
    let schema = schema.unwrap_or_else(|error| panic!("{error}"));
    let document = Document::parse(DOCUMENT.as_bytes(), &Limits::default()).unwrap();
    let found = schema.validate(&document, &RunOptions::default());
    assert_eq!(lines(&found), ["E report /Invoice[1] sum 6"]);
}

#[test]
fn what_would_fail_at_run_time_fails_while_loading() {
    let cases = [
        ("<assert test='$nowhere'/>", "main.sch:1:", "XPST0008"),
        ("<assert test='q:x'/>", "main.sch:1:", "XPST0081"),
        ("<assert test='u:f(1)'/>", "main.sch:1:", "XPST0017"),
        ("<assert test='1 +'/>", "main.sch:1:", "XPST0003"),
        ("<assert test='document(\"no.xml\")'/>", "no.xml cannot be read", "no such file"),
        ("<assert test='document(c:ID)'/>", "main.sch:1:", "not supported"),
        ("<assert test='document(\"../a.xml\")'/>", "main.sch:1:", "outside"),
        ("<assert test='1'><value-of select='$x'/></assert>", "main.sch:1:", "XPST0008"),
    ];
    for (check, place, reason) in cases {
        let body = format!("<pattern><rule context='i:Invoice'>{check}</rule></pattern>");
        let error = load(&body).unwrap_err().to_string();
        assert!(error.contains(place) && error.contains(reason), "{check}: {error}");
    }
}

#[test]
fn limits_end_a_run_with_a_finding() {
    let endless = "<xsl:function name='u:f'><xsl:param name='n'/><xsl:sequence select='u:f($n + 1)'/>\
        </xsl:function><pattern><rule context='i:Invoice'><assert id='A' test='u:f(1)'/>\
        <assert id='B' test='false()'/></rule></pattern>";
    let found = run(endless);
    assert!(!found.is_complete && found.fired.len() == 1, "{:?}", lines(&found));
    assert!(matches!(&found.fired[0].cause, Cause::Limit { code: "QX0004", .. }));
    let squared = "<pattern><rule context='c:Line'>\
        <assert id='A' test='count(for $a in //*, $b in //* return current()/@a) > 0'/></rule></pattern>";
    let rows: String = (0..400).map(|n| format!("<x:Line a='{n}'/>")).collect();
    let document = format!("<Invoice xmlns='urn:i' xmlns:x='urn:c'>{rows}</Invoice>");
    let budget = EvaluationBudget { steps: 1_000_000, items: 1_000_000, text: 1 << 20, depth: 500 };
    let options = RunOptions { budget: Some(budget), ..RunOptions::default() };
    let found = run_on(squared, &document, &options);
    assert!(matches!(&found.fired[0].cause, Cause::Limit { code: "QX0001", .. }), "{found:?}");
    let options = RunOptions { findings: 3, ..RunOptions::default() };
    let all = "<pattern><rule context='*'><report id='A' test='true()'/></rule></pattern>";
    let found = run_on(all, DOCUMENT, &options);
    assert_eq!(found.fired.len(), 4);
    assert!(!found.is_complete);
}

#[test]
fn hostile_rules_end_within_the_limits() {
    let function = |body: &str| {
        format!(
            "<xsl:function name='u:f'><xsl:param name='n'/><xsl:sequence select='{body}'/></xsl:function>"
        )
    };
    let test = |test: &str| {
        format!(
            "<pattern><rule context='i:Invoice'><assert id='A' test='{test}'/></rule></pattern>"
        )
    };
    let cases = [
        (function("u:f($n - 1) + u:f($n - 2)") + &test("u:f(9)"), "QX0004"),
        (
            function("if ($n < 1) then 1 else u:f($n - 1) + u:f($n - 2)") + &test("u:f(60)"),
            "QX0001",
        ),
        (test("count(1 to 100000000000) = 1"), "QX0002"),
        (
            "<let name='a' value='$b'/><let name='b' value='$a'/>".to_owned() + &test("$a"),
            "XTDE0640",
        ),
        (
            "<pattern><rule context='*[u:f(60)]'><assert id='A' test='true()'/></rule></pattern>"
                .to_owned()
                + &function("if ($n < 1) then 1 else u:f($n - 1) + u:f($n - 2)"),
            "QX0001",
        ),
    ];
    for (body, expected) in cases {
        let found = run(&body.replace("$n < 1", "$n &lt; 1"));
        let first = found.fired.first().map(|fired| &fired.cause);
        let (Some(Cause::Error { code, .. }) | Some(Cause::Limit { code, .. })) = first else {
            panic!("{body}: {:?}", lines(&found))
        };
        assert_eq!(*code, expected, "{body}");
    }
}

#[test]
fn regular_expressions_take_linear_time() {
    let found = run("<pattern><rule context='i:Invoice'><assert id='A' test=\"\
        not(matches(concat(string-join(for $i in 1 to 20000 return 'a', ''), '!'), '^(a+)+$'))\"/>\
        </rule></pattern>");
    assert_eq!(lines(&found), [""; 0]);
}

#[test]
fn diagnostics_flags_and_the_report_language() {
    let body = "<title>T &amp; U</title><pattern id='p'><rule context='c:Amount' id='r'>\
        <assert id='A' flag='fatal' role='error' diagnostics='d' test='. castable as xs:decimal'>\
        is  <emph>no</emph>\n number</assert></rule></pattern>\
        <diagnostics><diagnostic id='d'>found <value-of select='.'/></diagnostic></diagnostics>";
    let schema = load(body).unwrap();
    let document = Document::parse(DOCUMENT.as_bytes(), &Limits::default()).unwrap();
    let outcome = schema.validate(&document, &RunOptions { trace: true, ..RunOptions::default() });
    let [found] = outcome.fired.as_slice() else { panic!("{:?}", lines(&outcome)) };
    assert_eq!(found.message, "is no number");
    assert_eq!(found.diagnostics, [("d".to_owned(), "found x".to_owned())]);
    assert_eq!(found.check.flag.as_deref(), Some("fatal"));
    assert_eq!(found.check.context, "c:Amount");
    let report = svrl::write(&schema, &outcome);
    let parsed = Document::parse(report.as_bytes(), &Limits::default()).unwrap();
    let names: Vec<_> =
        parsed.root().elements().map(|element| element.local().to_owned()).collect();
    assert_eq!(
        names,
        [
            "ns-prefix-in-attribute-values",
            "ns-prefix-in-attribute-values",
            "ns-prefix-in-attribute-values",
            "active-pattern",
            "fired-rule",
            "fired-rule",
            "failed-assert",
        ]
    );
    let last = parsed.root().elements().last().unwrap();
    assert_eq!(last.attribute("location"), Some("/Invoice[1]/x:Line[2]/x:Amount[1]"));
    assert_eq!(last.elements().count(), 2);
}

#[test]
fn a_schema_is_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<SchematronSchema>();
}
