//! Paths, axes, node tests and predicates: XPath 2.0 section 3.2.

use super::{check, value_in};

#[test]
fn axes() {
    check(&[
        ("c:Line/b:ID", "1 2 1"),
        ("child::c:Line/child::b:ID", "1 2 1"),
        ("//b:ID", " INV-1  1 A 2 B 1 C"),
        ("descendant::b:ID[2]", "1"),
        ("//b:ID[1]", " INV-1  1 A 2 B 1 C"),
        ("(//b:ID)[3]", "A"),
        ("/c:Inv/@v", "1"),
        ("//@cur", "EUR USD EUR EUR SEK"),
        ("c:Line[1]/../@v", "1"),
        ("//b:Name[1]/ancestor::*/local-name()", "Inv Line Item Line Item"),
        ("(//b:Name)[1]/ancestor::*[1]/local-name()", "Item"),
        ("(//b:Name)[1]/ancestor-or-self::*[1]/local-name()", "Name"),
        ("c:Line[2]/preceding-sibling::*[1]/@n", "1"),
        ("c:Line[2]/preceding-sibling::*/local-name()", "ID Date Amt Amt Line"),
        ("c:Line[2]/preceding-sibling::*[last()]/local-name()", "ID"),
        ("c:Line[2]/following-sibling::*/local-name()", "Line plain"),
        ("c:Line[2]/following-sibling::node()[1] instance of processing-instruction()", "true"),
        ("c:Line[2]/preceding::b:ID", " INV-1  1 A"),
        ("c:Line[2]/preceding::b:ID[1]", "A"),
        ("c:Line[2]/following::b:ID", "1 C"),
        ("c:Line[2]/preceding::*[1]/local-name()", "ID"),
        ("self::c:Inv/@v", "1"),
        ("self::c:Line", ""),
        ("@v/..//b:Date", "2024-02-29"),
        ("@v/self::node()", "1"),
        ("@v/self::v", ""),
        ("@v/self::attribute(v)", "1"),
        ("@v/parent::c:Inv/b:Date", "2024-02-29"),
        ("@v/following::b:Date", "2024-02-29"),
        ("count(//c:Item/descendant-or-self::c:Item)", "3"),
        ("count(//c:Item//b:ID)", "2"),
        ("count(/)", "1"),
        ("count(/..)", "0"),
        ("count(//node())", "44"),
        ("root(.)/c:Inv/@v", "1"),
    ]);
}

#[test]
fn node_tests() {
    check(
        &[
            ("count(*)", "8"),
            ("b:*/local-name()", "ID Date Amt Amt"),
            ("*:plain/@*:y", "q"),
            ("count(*:ID)", "1"),
            ("count(text())", "0"),
            ("plain/text()", "t uvw"),
            ("plain/text()[2]", "uvw"),
            ("count(plain/text())", "2"),
            ("plain", "tCuvw"),
            ("comment()", " top "),
            ("processing-instruction()", "some data"),
            ("processing-instruction('pi')", "some data"),
            ("processing-instruction(other)", ""),
            ("count(/processing-instruction())", "1"),
            ("/node()[1]/name()", "before"),
            ("count(element())", "8"),
            ("element(b:Date)", "2024-02-29"),
            ("attribute(v)", "1"),
            ("count(@*)", "2"),
            ("c:Line/c:Item/b:Name[1]", "Foo bar "),
            ("//Unknown", ""),
            ("//b:Amt[@nope]", ""),
        ]
        .map(|(expression, expected)| match expression {
            "plain/text()" => (expression, "t uvw"),
            _ => (expression, expected),
        }),
    );
}

#[test]
fn predicates() {
    check(&[
        ("c:Line[2]/@n", "2"),
        ("c:Line[last()]/@n", "3"),
        ("c:Line[position() > 1]/@n", "2 3"),
        ("c:Line[position() = last()]/@n", "3"),
        ("c:Line[b:ID = '1'][2]/@n", "3"),
        ("c:Line[2][b:ID = '1']/@n", ""),
        ("c:Line[c:Item][1]/@n", "1"),
        ("c:Line[0]/@n", ""),
        ("c:Line[1.5]/@n", ""),
        ("c:Line[1.0]/@n", "1"),
        ("c:Line[-1]/@n", ""),
        ("c:Line[99999999999999999999]/@n", ""),
        ("c:Line[xs:integer(@n)]/@n", "1 2 3"),
        ("c:Line[count(c:Item)]/@n", "1"),
        ("c:Line['x']/@n", "1 2 3"),
        ("c:Line['']/@n", ""),
        ("c:Line[(1, 2)]/@n", "FORG0006"),
        ("(1 to 10)[. mod 2 = 0]", "2 4 6 8 10"),
        ("(1 to 10)[last()]", "10"),
        ("('a', 'b')[. = 'b']", "b"),
        ("(c:Line, b:Date)[2]/@n", "2"),
        ("c:Line[not(following-sibling::c:Line)]/@n", "3"),
        ("c:Line[b:Amt castable as xs:decimal]/@n", "1 2"),
        ("//b:ID[. = 'A']/../b:Name", "Foo bar"),
        ("c:Line[position() mod 2 = 1]/@n", "1 3"),
        ("c:Line[@n > 1][@n < 3]/@n", "2"),
        ("c:Line[b:ID = current()/c:Line[3]/b:ID]/@n", "1 3"),
    ]);
}

#[test]
fn any_expression_is_a_step() {
    check(
        &[
            ("c:Line/b:Amt/string()", "10.5 20 3e1"),
            ("c:Line/normalize-space(b:ID)", "1 2 1"),
            ("c:Line/(b:ID, b:Amt)", "1 10.5 2 20 1 3e1"),
            ("c:Line/(b:Amt | b:ID)[1]", "1 2 1"),
            ("(c:Line | b:Date)/local-name()", "Date Line Line Line"),
            ("(c:Line | c:Nope)/b:ID", "1 2 1"),
            ("//(b:Name | b:Date)/local-name()", "Date Name Name"),
            ("c:Line/position()", "1 2 3"),
            ("c:Line/last()", "3 3 3"),
            ("sum(c:Line[position() < 3]/xs:decimal(b:Amt))", "30.5"),
            ("c:Line[2]/preceding-sibling::*/name()", "b:ID b:Date b:Amt b:Amt c:Line"),
            ("c:Line/c:Item/..", "110.5Foo barA 220B"),
            ("c:Line/string-length(b:ID)", "1 1 1"),
            ("(1, 2)/b:ID", "XPTY0019"),
            ("c:Line/1/b:ID", "XPTY0019"),
            ("c:Line/(b:ID, 1)", "XPTY0018"),
            ("b:ID/text()/..", " INV-1 "),
            ("c:Line[1]/(b:ID)/.", "1"),
        ]
        .map(|(expression, expected)| match expression {
            "c:Line/c:Item/.." => (expression, "110.5Foo barA 220B"),
            _ => (expression, expected),
        }),
    );
}

#[test]
fn nodes_come_once_and_in_document_order() {
    check(&[
        ("c:Line/c:Item/ancestor::*/local-name()", "Inv Line Line"),
        ("//c:Item//b:ID", "A B"),
        ("//c:Item/..//b:ID", "1 A 2 B"),
        ("(c:Line[3], c:Line[1])/@n", "1 3"),
        ("reverse(c:Line)/@n", "1 2 3"),
        ("for $l in reverse(c:Line) return $l/@n", "3 2 1"),
        ("count(//*/ancestor::*)", "8"),
        ("//b:ID/following-sibling::*[1]/local-name()", "Date Amt Amt Amt"),
        ("count(c:Line/../c:Line)", "3"),
    ]);
}

#[test]
fn a_name_that_is_absent_costs_no_error() {
    // The name is not in the document, so that the predicate is never evaluated.
    check(&[("b:Nope[1 div 0 = 1]", ""), ("exists(//b:Nope[error()])", "false")]);
}

#[test]
fn values_of_mixed_content() {
    let xml = "<a>1<!-- c -->2<b>3</b><![CDATA[<4>]]></a>";
    assert_eq!(value_in("string(.)", xml), "123<4>");
    assert_eq!(value_in("text()[1]", xml), "1");
    assert_eq!(value_in("count(text())", xml), "3");
    assert_eq!(value_in("number(b)", xml), "3");
    assert_eq!(value_in("string(/)", xml), "123<4>");
    assert_eq!(value_in("count(//text())", "<a><![CDATA[]]></a>"), "0");
}
