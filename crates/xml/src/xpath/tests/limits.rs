//! Hostile rules and documents end in a coded error, within the stack of a thread.

use super::super::*;
use crate::tree::{Document, Limits};

fn evaluate(expression: &str, budget: Option<EvaluationBudget>) -> Result<String, ErrorCode> {
    let document = Document::parse(b"<a><b/></a>", &Limits::default()).unwrap();
    let (mut compiler, mut scope) = (Compiler::new(), VariableScope::new());
    let compiled = compiler.compile(expression, &mut scope).map_err(|error| error.code)?;
    let (layout, program) = (scope.into_layout(), compiler.finish().unwrap());
    let settings = EvaluationSettings { budget, ..EvaluationSettings::default() };
    let environment = Environment::new(&program, &document, settings);
    let frame = Frame::new(&layout, NodeRef::ROOT);
    environment.evaluate_string(&compiled, &frame).map_err(|error| error.code)
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn nesting_is_limited_while_compiling() {
    for (open, close) in [("(", ")"), ("not(", ")"), ("a[", "]"), ("abs(", ")")] {
        assert!(evaluate(&nested(open, "1", close, 70), None).is_ok(), "{open}");
        let deep = nested(open, "1", close, 200_000);
        assert_eq!(evaluate(&deep, None), Err(ErrorCode::QX0004), "{open}");
    }
    let chain = vec!["1"; 300].join(" + ");
    assert_eq!(evaluate(&chain, None).as_deref(), Ok("300"));
    let chain = vec!["1"; 100_000].join(" + ");
    assert_eq!(evaluate(&chain, None), Err(ErrorCode::QX0004));
    let left = nested("(", "1", &format!("{})", " + 1".repeat(350)), 70);
    assert_eq!(evaluate(&left, None), Err(ErrorCode::QX0004));
    let conditions = vec!["1 = 2"; 5_000].join(" or ");
    assert_eq!(evaluate(&conditions, None).as_deref(), Ok("false"));
    let steps = vec!["a"; 5_000].join("/");
    assert_eq!(evaluate(&steps, None), Err(ErrorCode::QX0004));
    let minus = format!("{}1", "-".repeat(100_001));
    assert_eq!(evaluate(&minus, None).as_deref(), Ok("-1"));
    let branches = format!("{}2", "if (a) then 1 else ".repeat(10_000));
    assert_eq!(evaluate(&branches, None), Err(ErrorCode::QX0004));
}

#[test]
fn long_loops_end() {
    let few = EvaluationBudget { items: 1_000_000, text: 1_000, steps: 1_000_000, depth: 50 };
    let loops = "for $a in 1 to 100000, $b in 1 to 100000 return ()";
    assert_eq!(evaluate(loops, Some(few)), Err(ErrorCode::QX0001));
    let nothing = "some $a in 1 to 100000, $b in 1 to 100000 satisfies $a = -$b";
    assert_eq!(evaluate(nothing, Some(few)), Err(ErrorCode::QX0001));
    let pairs = "(1 to 10000) = (10001 to 20000)";
    assert_eq!(evaluate(pairs, Some(few)), Err(ErrorCode::QX0001));
}

#[test]
fn memory_is_limited() {
    assert_eq!(evaluate("count(1 to 1000000000)", None), Err(ErrorCode::QX0002));
    assert_eq!(evaluate("1 to 99999999999999999999", None), Err(ErrorCode::QX0002));
    let small = EvaluationBudget { items: 10, text: 100, steps: 10_000, depth: 50 };
    let list = "count(for $x in 1 to 5, $y in 1 to 5 return $y)";
    assert_eq!(evaluate(list, Some(small)).as_deref(), Ok("25"));
    let list = "reverse(for $x in 1 to 5, $y in 1 to 5 return $y)";
    assert_eq!(evaluate(list, Some(small)), Err(ErrorCode::QX0002));
    let text = "string-join(for $x in //b, $y in 1 to 9 return 'abcdefghijklmno', '')";
    assert_eq!(evaluate(text, Some(small)), Err(ErrorCode::QX0003));
    let squares = nested("(for $x in ", "2", " return $x * $x)", 20);
    assert_eq!(evaluate(&squares, None), Err(ErrorCode::FOAR0002));
}

#[test]
fn functions_that_call_themselves_end() {
    let run = |body: &str, call: &str| {
        let document = Document::parse(b"<a/>", &Limits::default()).unwrap();
        let mut compiler = Compiler::new();
        compiler.declare_prefix("u", "urn:u");
        let function = compiler.declare_function("u:f", 1).unwrap();
        let mut scope = VariableScope::new();
        scope.declare_parameter("n", None).unwrap();
        let body = compiler.compile(body, &mut scope).unwrap();
        compiler.define_function(function, scope, body, None);
        let call = compiler.compile(call, &mut VariableScope::new()).unwrap();
        let layout = FrameLayout::default();
        let program = compiler.finish().unwrap();
        let environment = Environment::new(&program, &document, EvaluationSettings::default());
        let frame = Frame::new(&layout, NodeRef::ROOT);
        environment.evaluate_string(&call, &frame).map_err(|error| error.code)
    };
    let sum = "if ($n = 0) then 0 else $n + u:f($n - 1)";
    assert_eq!(run(sum, "u:f(40)").as_deref(), Ok("820"));
    assert_eq!(run(sum, "u:f(1000000)"), Err(ErrorCode::QX0004));
    assert_eq!(run("u:f($n)", "u:f(1)"), Err(ErrorCode::QX0004));
    assert_eq!(run("(for $x in (1, 2) return u:f($x))[1]", "u:f(1)"), Err(ErrorCode::QX0004));
    assert_eq!(run("not(some $x in ($n, 2) satisfies u:f($x))", "u:f(1)"), Err(ErrorCode::QX0004));
    assert_eq!(
        run("string-join(for $x in ($n, $n) return concat($n, u:f($x)), '')", "u:f('ab')"),
        Err(ErrorCode::QX0004)
    );
}

#[test]
fn regular_expressions_are_linear() {
    let text = "a".repeat(50_000);
    let found = evaluate(&format!("matches('{text}', '^(a+)+$')"), None);
    assert_eq!(found.as_deref(), Ok("true"));
    let found = evaluate(&format!("matches('{text}b', '^((a|aa)+)+$')"), None);
    assert_eq!(found.as_deref(), Ok("false"));
    assert_eq!(evaluate("matches('a', '((a{1000}){1000}){1000}')", None), Err(ErrorCode::FORX0002));
}

proptest::proptest! {
    #[test]
    fn no_text_brings_the_compiler_down(text in "\\PC{0,60}") {
        let _ = evaluate(&text, None);
    }

    #[test]
    fn no_mixture_of_tokens_brings_the_compiler_down(
        tokens in proptest::collection::vec(proptest::sample::select(&[
            "a", "b", "(", ")", "[", "]", "/", "//", "@", "$", "x", "for", "in", "return", "if",
            "then", "else", "some", "satisfies", "every", "1", "2.5", "1e3", "'s'", "=", "<", "<<",
            "+", "-", "*", "div", "idiv", "mod", "to", "|", "union", "except", "cast", "castable",
            "as", "xs:date", "xs:integer", "?", "instance", "of", "treat", "is", ".", "..", "::",
            "ancestor", "preceding-sibling", "text()", "node()", "position()", "last()", "count(",
            "string(", "not(", ",", "and", "or", "eq", "*:a", "xs:*", "matches(", "tokenize(",
        ][..]), 0..24),
    ) {
        let small = EvaluationBudget { items: 1_000, text: 10_000, steps: 100_000, depth: 200 };
        let _ = evaluate(&tokens.join(" "), Some(small));
        let _ = Compiler::new().compile_pattern(&tokens.join(" "), &mut VariableScope::new());
    }
}
