//! What is wrong is told while compiling, with its place, or while evaluating, with its code.

use super::super::*;
use super::check;

fn refused(expression: &str) -> CompileError {
    Compiler::new().compile(expression, &mut VariableScope::new()).expect_err(expression)
}

#[test]
fn what_is_not_supported_fails_while_compiling() {
    let table: &[(&str, ErrorCode, usize)] = &[
        ("", ErrorCode::XPST0003, 0),
        ("1 +", ErrorCode::XPST0003, 3),
        ("(1", ErrorCode::XPST0003, 2),
        ("1)", ErrorCode::XPST0003, 1),
        ("a[", ErrorCode::XPST0003, 2),
        ("'abc", ErrorCode::XPST0003, 0),
        ("1 (: open", ErrorCode::XPST0003, 2),
        ("a # b", ErrorCode::XPST0003, 2),
        ("if (1) then 2", ErrorCode::XPST0003, 13),
        ("for $x in 1", ErrorCode::XPST0003, 11),
        ("a = b = c", ErrorCode::XPST0003, 6),
        ("1 + $x", ErrorCode::XPST0008, 5),
        ("for $x in $x return 1", ErrorCode::XPST0008, 11),
        ("p:a", ErrorCode::XPST0081, 0),
        ("p:f()", ErrorCode::XPST0081, 0),
        ("unknown(1)", ErrorCode::XPST0017, 0),
        ("1 + count()", ErrorCode::XPST0017, 4),
        ("count(1, 2)", ErrorCode::XPST0017, 0),
        ("xs:integer(1, 2)", ErrorCode::XPST0017, 0),
        ("xs:gYear('2024')", ErrorCode::XPST0017, 0),
        ("1 cast as xs:unknown", ErrorCode::XPST0051, 10),
        ("1 cast as xs:anyAtomicType", ErrorCode::XPST0080, 26),
        ("namespace::x", ErrorCode::XPST0010, 0),
        ("schema-element(a)", ErrorCode::XPST0008, 0),
        ("matches(a, '(')", ErrorCode::FORX0002, 0),
        (r"matches(a, '(a)\1')", ErrorCode::FORX0002, 0),
        ("matches(a, 'a', 'q')", ErrorCode::FORX0002, 0),
        ("key('k', 1)", ErrorCode::XTDE1260, 0),
        ("key($n, 1)", ErrorCode::XPST0008, 5),
    ];
    for &(expression, code, offset) in table {
        let error = refused(expression);
        assert_eq!((error.code, error.offset), (code, offset), "{error}");
        assert_eq!(error.expression, expression);
    }
}

#[test]
fn messages_show_the_place_in_a_long_expression() {
    let long = format!("{} or $x", vec!["a = 'b'"; 200].join(" or "));
    let text = refused(&long).to_string();
    assert!(text.contains("$x is not declared") && text.contains('…'), "{text}");
    assert!(text.len() < 400, "{text}");
}

#[test]
fn comments_and_odd_white_space_are_passed_over() {
    check(&[
        ("1 (: one (: two :) :) + 2", "3"),
        ("\n\t1\r\n+ 2 ", "3"),
        ("count( c:Line )", "3"),
        ("count(child :: c:Line)", "3"),
        ("'it''s'", "it's"),
        ("\"a\"\"b\"", "a\"b"),
        ("c:Line[1]/@n*2", "2"),
        ("2*3", "6"),
        ("10 div 2 div 5", "1"),
        ("- 1 - - 1", "0"),
        ("1-1", "0"),
        ("count(*) * 2", "16"),
        ("if(true())then 1 else 2", "1"),
        (".5 + 1.", "1.5"),
    ]);
}

#[test]
fn dynamic_errors_have_the_codes_of_the_specification() {
    check(&[
        ("1 div 0", "FOAR0001"),
        ("1 idiv 0", "FOAR0001"),
        ("1 mod 0", "FOAR0001"),
        ("1.0 div 0", "FOAR0001"),
        ("1e0 idiv 0", "FOAR0001"),
        ("xs:double('INF') idiv 1", "FOAR0002"),
        ("'a' + 1", "XPTY0004"),
        ("b:ID + 1", "FORG0001"),
        ("b:Amt + 1", "XPTY0004"),
        ("-'a'", "XPTY0004"),
        ("string((1, 2))", "XPTY0004"),
        ("concat((1, 2), 'a')", "XPTY0004"),
        ("upper-case(1)", "XPTY0004"),
        ("sum(('a', 'b'))", "FORG0006"),
        ("sum(b:ID)", "FORG0001"),
        ("max((1, 'a'))", "FORG0006"),
        ("avg((xs:date('2024-01-01')))", "FORG0006"),
        ("exactly-one(())", "FORG0005"),
        ("one-or-more(())", "FORG0004"),
        ("zero-or-one((1, 2))", "FORG0003"),
        ("codepoints-to-string(0)", "FOCH0001"),
        ("codepoints-to-string(55296)", "FOCH0001"),
        ("compare('a', 'b', 'urn:other')", "FOCH0002"),
        ("replace('abc', 'b', '$')", "FORX0004"),
        ("replace('abc', 'x*', 'y')", "FORX0003"),
        ("tokenize('abc', '')", "FORX0003"),
        ("document('x.xml')", "FODC0002"),
        ("error()", "FOER0000"),
        ("dateTime(xs:date('2024-01-01Z'), xs:time('00:00:00+01:00'))", "FORG0008"),
        ("adjust-date-to-timezone(xs:date('2024-01-01'), xs:dayTimeDuration('PT15H'))", "FODT0003"),
        ("xs:date('999999999999-01-01')", "FODT0001"),
        ("xs:yearMonthDuration('P1Y') * xs:double('NaN')", "FOCA0005"),
        ("xs:yearMonthDuration('P1Y') div 0", "FODT0002"),
        ("QName('', 'a:b')", "FOCA0002"),
        ("(1, 2)[b:ID]", "XPTY0020"),
        ("for $x in 1 return $x/a", "XPTY0019"),
    ]);
}
