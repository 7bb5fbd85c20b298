//! What a rule set is made of: variables, functions, keys, other documents.

use super::super::*;
use super::SAMPLE;
use crate::tree::{Document, Limits};

struct Shelf(Document);

impl<'d> DocumentResolver<'d> for &'d Shelf {
    fn document(&self, reference: &str) -> Option<&'d Document> {
        (reference == "codes.xml").then_some(&self.0)
    }
}

fn compiler() -> Compiler {
    let mut compiler = Compiler::new();
    for (prefix, uri) in [("c", "urn:c"), ("b", "urn:b"), ("u", "urn:u")] {
        compiler.declare_prefix(prefix, uri);
    }
    compiler
}

/// Evaluates in a scope, for every `c:Line` and joined by commas.
fn for_lines(mut compiler: Compiler, mut scope: VariableScope, expression: &str) -> String {
    let compiled = compiler.compile(expression, &mut scope).unwrap();
    let (layout, program) = (scope.into_layout(), compiler.finish().unwrap());
    let document = Document::parse(SAMPLE.as_bytes(), &Limits::default()).unwrap();
    let codes = r#"<list><code n="1">A</code><code n="2">B</code><plain/></list>"#;
    let shelf = Shelf(Document::parse(codes.as_bytes(), &Limits::default()).unwrap());
    let shelf = &&shelf;
    let settings = EvaluationSettings { documents: shelf, ..EvaluationSettings::default() };
    let environment = Environment::new(&program, &document, settings);
    let mut frame = Frame::new(&layout, NodeRef::ROOT);
    let lines = document.root().children_named("urn:c", "Line");
    let values = lines.map(|line| {
        frame.reset(&layout, NodeRef::of(line.id()));
        let value = environment.evaluate_string(&compiled, &frame);
        value.unwrap_or_else(|error| error.code.to_string())
    });
    values.collect::<Vec<_>>().join(",")
}

#[test]
fn variables_are_lazy_and_know_their_context() {
    let (mut compiler, mut scope) = (compiler(), VariableScope::new());
    let total = compiler.declare_variable();
    scope.declare_variable("total", total);
    let broken = compiler.declare_variable();
    scope.declare_variable("broken", broken);
    let value = compiler.compile("sum(c:Inv/c:Line/b:Amt)", &mut scope).unwrap();
    compiler.define_variable(total, value);
    let value = compiler.compile("1 div 0", &mut scope).unwrap();
    compiler.define_variable(broken, value);
    let amount = compiler.compile("b:Amt", &mut scope).unwrap();
    scope.declare_local("amount", amount).unwrap();
    let share = compiler.compile("$amount div $total", &mut scope).unwrap();
    scope.declare_local("share", share).unwrap();
    let never = compiler.compile("$broken + 1", &mut scope).unwrap();
    scope.declare_local("never", never).unwrap();
    let seen = scope.clone();
    let values = for_lines(compiler, scope, "round($share * 100)");
    assert_eq!(values, "17,33,50");
    assert!(seen.visible() == 5);
}

#[test]
fn temporary_variables_do_not_touch_lazy_ones() {
    let (mut compiler, mut scope) = (compiler(), VariableScope::new());
    let first = compiler.compile("for $i in (1, 2) return $i * 10", &mut scope).unwrap();
    scope.declare_local("first", first).unwrap();
    let second = compiler.compile("'second'", &mut scope).unwrap();
    scope.declare_local("second", second).unwrap();
    let test = "for $x in ('x', 'y') return concat($x, $second, sum($first), $second)";
    let values = for_lines(compiler, scope, test);
    assert!(values.starts_with("xsecond30second ysecond30second,"), "{values}");
}

#[test]
fn a_variable_defined_by_itself_is_an_error() {
    let (mut compiler, mut scope) = (compiler(), VariableScope::new());
    let (a, b) = (compiler.declare_variable(), compiler.declare_variable());
    scope.declare_variable("a", a);
    scope.declare_variable("b", b);
    let value = compiler.compile("$b + 1", &mut scope).unwrap();
    compiler.define_variable(a, value);
    let value = compiler.compile("$a + 1", &mut scope).unwrap();
    compiler.define_variable(b, value);
    assert_eq!(for_lines(compiler, scope, "$a"), "XTDE0640,XTDE0640,XTDE0640");
}

#[test]
fn what_is_declared_must_be_defined() {
    let mut open = compiler();
    open.declare_variable();
    assert_eq!(open.finish().unwrap_err().code, ErrorCode::XPST0008);
    let mut open = compiler();
    open.declare_function("u:f", 0).unwrap();
    assert!(open.declare_function("u:f", 0).is_err());
    assert!(open.declare_function("u:f", 1).is_ok());
    assert!(open.declare_function("q:f", 1).is_err());
    assert_eq!(open.finish().unwrap_err().code, ErrorCode::XPST0017);
}

/// `u:check($text as xs:string, $factor as xs:decimal) as xs:integer` with a variable and a choice.
fn with_function() -> Compiler {
    let mut compiler = compiler();
    let function = compiler.declare_function("u:check", 2).unwrap();
    let mut scope = VariableScope::new();
    let kind = compiler.sequence_type("xs:string?").unwrap();
    scope.declare_parameter("text", Some(kind)).unwrap();
    let kind = compiler.sequence_type("xs:decimal").unwrap();
    scope.declare_parameter("factor", Some(kind)).unwrap();
    let length = compiler.compile("string-length($text) * $factor", &mut scope).unwrap();
    let slot = scope.declare_slot("length").unwrap();
    let test = compiler.compile("$text = 'skip'", &mut scope).unwrap();
    let then = Expression::text("7");
    let otherwise = compiler.compile("$length", &mut scope).unwrap();
    let otherwise = Expression::text_of(otherwise, " ");
    let body = Expression::bind(slot, length, Expression::choose(test, then, otherwise));
    let result = compiler.sequence_type("xs:integer").unwrap();
    compiler.define_function(function, scope, body, Some(result));
    compiler
}

#[test]
fn functions_convert_their_arguments_and_results() {
    let run = |call: &str| for_lines(with_function(), VariableScope::new(), call);
    assert_eq!(run("u:check(c:Item[1]/b:Name, 2)"), "14,0,0");
    assert_eq!(run("u:check('skip', 1) + 1"), "8,8,8");
    assert_eq!(run("u:check(@n, b:Amt)"), "FORG0001,20,FORG0001");
    assert_eq!(run("u:check(@n, '1')"), "XPTY0004,XPTY0004,XPTY0004");
    assert_eq!(run("u:check((@n, @n), 1)"), "XPTY0004,XPTY0004,XPTY0004");
    assert_eq!(run("u:check((), ())"), "XPTY0004,XPTY0004,XPTY0004");
    assert_eq!(run("u:check((), 1.5)"), "0,0,0");
    assert_eq!(run("u:check('a', 1.5)"), "FORG0001,FORG0001,FORG0001");
}

#[test]
fn a_function_has_no_context() {
    let mut compiler = compiler();
    let function = compiler.declare_function("u:here", 0).unwrap();
    let body = compiler.compile("(., b:ID)", &mut VariableScope::new()).unwrap();
    compiler.define_function(function, VariableScope::new(), body, None);
    let values = for_lines(compiler, VariableScope::new(), "u:here()");
    assert_eq!(values, "XPDY0002,XPDY0002,XPDY0002");
}

#[test]
fn keys() {
    let mut compiler = compiler();
    compiler.declare_key("by-id", "c:Line", "b:ID").unwrap();
    compiler.declare_key("by-id", "plain", "(b:ID, 5)").unwrap();
    compiler.declare_key("cur", "b:Amt/@cur", ".").unwrap();
    let run = |compiler, expression: &str| for_lines(compiler, VariableScope::new(), expression);
    assert_eq!(run(compiler, "key('by-id', b:ID)/@n"), "1 3,2,1 3");
    let mut compiler = self::compiler();
    compiler.declare_key("by-id", "c:Line", "b:ID").unwrap();
    compiler.declare_key("by-id", "plain", "(b:ID, 5)").unwrap();
    compiler.declare_key("cur", "b:Amt/@cur", ".").unwrap();
    let counts = "(count(key('by-id', (5.0, '2'))), count(key('cur', 'EUR')), \
                  count(key('cur', 'EUR', .)), count(key('by-id', '5')))";
    assert_eq!(run(compiler, counts), "2 3 1 0,2 3 1 0,2 3 0 0");
    assert!(self::compiler().declare_key("k", "c:Line/..", ".").is_err());
}

#[test]
fn other_documents() {
    let run = |expression: &str| for_lines(compiler(), VariableScope::new(), expression);
    assert_eq!(run("document('codes.xml')/list/code[@n = current()/@n]"), "A,B,");
    assert_eq!(run("c:Item/b:ID = document('codes.xml')//code"), "true,false,false");
    assert_eq!(run("count(document('codes.xml') | /)"), "2,2,2");
    assert_eq!(run("document('codes.xml')/list/plain/root()/list/code[1]"), "A,A,A");
    assert_eq!(run("count(//plain[../code])"), "0,0,0");
    assert_eq!(run("count(doc('codes.xml')//plain[../code])"), "1,1,1");
    assert_eq!(run("doc-available('codes.xml')"), "true,true,true");
    assert_eq!(run("document(('codes.xml', 'codes.xml'))/list/code[2]"), "B,B,B");
    assert_eq!(run("document('other.xml')"), "FODC0002,FODC0002,FODC0002");
    assert_eq!(run("document('codes.xml')/list[/list/code = 'A']/code[1]"), "A,A,A");
    assert_eq!(run("/c:Inv/@v = document('codes.xml')/list/code/@n"), "true,true,true");
    assert_eq!(run("//c:Line[@n = document('codes.xml')//@n]/@n"), "1 2,1 2,1 2");
}

#[test]
fn what_does_not_depend_on_the_place_is_evaluated_once() {
    let steps = |expression: &str| {
        let lines = "<l><n>1</n></l>".repeat(500);
        let text = format!("<a>{lines}</a>");
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let (mut compiler, mut scope) = (Compiler::new(), VariableScope::new());
        let compiled = compiler.compile(expression, &mut scope).unwrap();
        let (layout, program) = (scope.into_layout(), compiler.finish().unwrap());
        let environment = Environment::new(&program, &document, EvaluationSettings::default());
        let before = environment.steps_left();
        for line in document.root().elements() {
            let frame = Frame::new(&layout, NodeRef::of(line.id()));
            assert!(environment.evaluate_boolean(&compiled, &frame).unwrap(), "{expression}");
        }
        before - environment.steps_left()
    };
    for expression in [
        "sum(//n) = 500",
        "count(//l[n = '1']) = 500 and n = '1'",
        "n = //n",
        "not(//l[n = '2'])",
        "every $x in //l satisfies $x/n = '1'",
        "(for $x in /a/l return number($x/n))[. = 1][1] = n",
    ] {
        assert!(steps(expression) < 20_000, "{expression}: {}", steps(expression));
    }
}

#[test]
fn programs_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Program>();
    shared::<Expression>();
    shared::<MatchPattern>();
    shared::<FrameLayout>();
    shared::<Compiler>();
}
