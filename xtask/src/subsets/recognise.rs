//! Tells the shapes of structure rules in XPath and says them in the notation of the tables.
//!
//! A shape that is not known gives `None`: the rule is then one to write by hand. Nothing is
//! approximated, apart from values that the structure check already keeps single.

mod values;

use std::collections::BTreeMap;

use super::notation::{How, Path, Step, Test};
use super::sources;
use super::xpath::{self, Axis, Expr, Start};
use crate::codes::Lists;

/// What a test is read against.
pub struct Scope<'a> {
    /// Prefix to the prefix of our own.
    pub prefixes: &'a BTreeMap<String, String>,
    /// Variables of the schema and the pattern; their paths start at the root.
    pub global: BTreeMap<String, Expr>,
    /// Variables of the rule; their paths start at its node.
    pub local: BTreeMap<String, Expr>,
    /// Code lists that a `document()` call stands for, by the key it asks for.
    pub documents: &'a BTreeMap<String, Vec<String>>,
    pub lists: &'a mut Lists,
    /// The rule that is read, to name a list that has no name.
    pub rule: String,
}

/// A value: what is done to it, where it stands, and whether an absent one is read as empty.
struct Value {
    how: How,
    paths: Vec<Path>,
    is_call: bool,
}

impl Value {
    /// How it is compared: the argument of a function is one value.
    fn how(&self) -> How {
        if self.is_call { self.how.one() } else { self.how }
    }

    /// The same of a value that is an argument itself.
    fn how_of_argument(&self) -> How {
        let may_be_several = self.paths.iter().any(|path| !path.steps.is_empty());
        if may_be_several { self.how.one() } else { self.how }
    }
}

impl Scope<'_> {
    /// The alternatives of a rule's context.
    pub fn context(&mut self, text: &str) -> Option<Vec<Path>> {
        let paths = self.paths(&xpath::parse(text).ok()?, true)?;
        let elements = paths.iter().all(|path| {
            path.steps.iter().all(|step| matches!(step.axis, Axis::Child | Axis::Descendant))
                && !path.steps.is_empty()
        });
        elements.then_some(paths)
    }

    /// A test, on the node of its rule.
    pub fn test(&mut self, text: &str) -> Option<Test> {
        self.boolean(&xpath::parse(text).ok()?, false)
    }

    /// `inside` a predicate or a step, the variables of the rule stand for something else.
    fn boolean(&mut self, expr: &Expr, inside: bool) -> Option<Test> {
        if let Some(test) = self.special(expr, inside) {
            return Some(test);
        }
        match expr {
            Expr::Path(_) | Expr::Binary("|", ..) => Some(Test::Has(self.paths(expr, inside)?)),
            Expr::Binary("and", left, right) => {
                Some(join(self.boolean(left, inside)?, self.boolean(right, inside)?, true))
            }
            Expr::Binary("or", left, right) => {
                Some(join(self.boolean(left, inside)?, self.boolean(right, inside)?, false))
            }
            Expr::Binary(sign @ ("=" | "!=" | "<=" | ">=" | "<" | ">"), left, right) => {
                self.comparison(sign, left, right, inside)
            }
            Expr::Variable(_) => {
                let expr = self.resolve(expr, inside)?;
                self.boolean(&expr, inside)
            }
            Expr::Call(name, arguments) => self.call(name, arguments, inside),
            Expr::Some(name, sequence, test) => self.some(name, sequence, test, inside),
            _ => None,
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expr], inside: bool) -> Option<Test> {
        match (name, arguments) {
            ("true", []) => Some(Test::Always),
            ("false", []) => Some(Test::Never),
            ("not", [inner]) => Some(self.boolean(inner, inside)?.negated()),
            ("exists", [inner]) => Some(Test::Has(self.paths(inner, inside)?)),
            ("boolean", [inner]) => self.boolean(inner, inside),
            ("normalize-space", _) => {
                let value = self.value(&Expr::Call(name.to_owned(), arguments.to_vec()), inside)?;
                Some(Test::Isnt(value.how(), vec![String::new()], value.paths))
            }
            ("starts-with", [text, Expr::Literal(start)]) => {
                let value = self.value(text, inside)?;
                let fits = value.how == How::Trim && !start.is_empty() && !start.contains('\'');
                fits.then(|| Test::Starts(start.clone(), value.paths))
            }
            ("ends-with", [Expr::Call(name, none), Expr::Literal(end)]) => {
                let own = matches!(name.as_str(), "name" | "local-name") && none.is_empty();
                (own && !end.contains(':')).then(|| Test::Ends(end.clone()))
            }
            ("contains", [Expr::Literal(text), Expr::Call(concat, parts)])
                if concat == "concat" =>
            {
                let [Expr::Literal(before), value, Expr::Literal(after)] = parts.as_slice() else {
                    return None;
                };
                let value = self.value(value, inside)?;
                let fits = before == " " && after == " " && !text.contains('\'');
                fits.then(|| Test::Within(value.how_of_argument(), text.clone(), value.paths))
            }
            _ => None,
        }
    }

    /// Shapes of more than one operator.
    fn special(&mut self, expr: &Expr, inside: bool) -> Option<Test> {
        if let Expr::Binary("and", left, right) = expr {
            return self.guarded_list(left, right, inside).or_else(|| {
                self.date(left, right, inside).or_else(|| self.date(right, left, inside))
            });
        }
        if let Expr::Binary("or", left, right) = expr {
            return self.code_document(left, right, inside);
        }
        None
    }

    /// `not(contains(X, ' ')) and contains(' A B ', concat(' ', X, ' '))`.
    fn guarded_list(&mut self, left: &Expr, right: &Expr, inside: bool) -> Option<Test> {
        let Expr::Call(not, inner) = left else { return None };
        let [Expr::Call(contains, guard)] = inner.as_slice() else { return None };
        let [_, Expr::Literal(space)] = guard.as_slice() else { return None };
        if not != "not" || contains != "contains" || space != " " {
            return None;
        }
        let Expr::Call(name, arguments) = right else { return None };
        let [list, concat] = arguments.as_slice() else { return None };
        let list = self.resolve(list, inside)?;
        let arguments = [list, concat.clone()];
        let guard = self.value(guard.first()?, inside)?;
        match self.call(name, &arguments, inside)? {
            Test::Within(how, text, paths) if guard.paths == paths => {
                let mut codes: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
                if text.contains("  ") {
                    // What is empty stands between two spaces.
                    codes.push(String::new());
                }
                Some(Test::In(how, self.lists.intern(None, &self.rule, codes), paths))
            }
            _ => None,
        }
    }

    /// `string-length(.) = 10 and string(.) castable as xs:date`.
    fn date(&mut self, castable: &Expr, length: &Expr, inside: bool) -> Option<Test> {
        let Expr::Castable(value, kind) = castable else { return None };
        let Expr::Binary("=", length, ten) = length else { return None };
        let Expr::Call(name, arguments) = &**length else { return None };
        let fits =
            kind == "xs:date" && name == "string-length" && **ten == Expr::Number("10".to_owned());
        let paths = self.value(value, inside)?.paths;
        let same = match arguments.as_slice() {
            [value] => self.value(value, inside)?.paths == paths,
            _ => false,
        };
        (fits && same).then_some(Test::Date(paths))
    }

    /// `string-length($v) = 0 or document('db.xml')/codedb/cl[@id=3]/enumeration[@value=$v]`.
    fn code_document(&mut self, left: &Expr, right: &Expr, inside: bool) -> Option<Test> {
        let Expr::Binary("=", length, zero) = left else { return None };
        let Expr::Call(name, arguments) = &**length else { return None };
        let ([variable], "string-length", Expr::Number(zero)) =
            (arguments.as_slice(), name.as_str(), &**zero)
        else {
            return None;
        };
        let Expr::Path(path) = right else { return None };
        let Start::From(document) = &path.start else { return None };
        let Expr::Call(call, file) = &**document else { return None };
        let ([Expr::Literal(file)], "document", "0") =
            (file.as_slice(), call.as_str(), zero.as_str())
        else {
            return None;
        };
        let [_, list, _] = path.steps.as_slice() else { return None };
        let [Expr::Binary("=", _, number)] = list.predicates.as_slice() else { return None };
        let Expr::Number(number) = &**number else { return None };
        let codes = self.documents.get(&format!("{file}#{number}"))?.clone();
        let value = self.value(variable, inside)?;
        let key = self.lists.intern(None, &self.rule, codes);
        Some(Test::Or(vec![
            Test::Isnt(value.how_of_argument(), vec![String::new()], value.paths.clone()).negated(),
            Test::In(value.how(), key, value.paths),
        ]))
    }

    /// `some $code in LIST satisfies $code = VALUE`.
    fn some(&mut self, name: &str, list: &Expr, test: &Expr, inside: bool) -> Option<Test> {
        let Expr::Binary("=", left, right) = test else { return None };
        let code = Expr::Variable(name.to_owned());
        let value = match (**left == code, **right == code) {
            (true, false) => right,
            (false, true) => left,
            _ => return None,
        };
        let suggested = match list {
            Expr::Variable(name) => Some(name.as_str()),
            _ => None,
        };
        let codes = self.codes(list, inside)?;
        let value = self.value(value, inside)?;
        let key = self.lists.intern(suggested, &self.rule, codes);
        Some(Test::In(value.how(), key, value.paths))
    }

    fn codes(&self, expr: &Expr, inside: bool) -> Option<Vec<String>> {
        match self.resolve(expr, inside)? {
            Expr::Call(name, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("tokenize", [Expr::Literal(text), Expr::Literal(by)]) => match by.as_str() {
                    r"\s" => Some(text.split(char::is_whitespace).map(str::to_owned).collect()),
                    r"\s+" => Some(text.split_whitespace().map(str::to_owned).collect()),
                    _ => None,
                },
                _ => None,
            },
            Expr::Sequence(items) => items.iter().map(literal).collect(),
            _ => None,
        }
    }

    fn comparison(&mut self, sign: &str, left: &Expr, right: &Expr, inside: bool) -> Option<Test> {
        if let Some(test) = self.counted(sign, left, right, inside) {
            return Some(test);
        }
        if let Some(test) = self.in_last_step(sign, left, right, inside) {
            return Some(test);
        }
        if let Some(test) = self.in_namespace(sign, left, right) {
            return Some(test);
        }
        let right = self.resolve(right, inside)?;
        let boolean = match &right {
            Expr::Call(name, none) if none.is_empty() => match name.as_str() {
                "true" => Some(["true", "1"]),
                "false" => Some(["false", "0"]),
                _ => None,
            },
            _ => None,
        };
        if let (Some(words), "=") = (boolean, sign) {
            let paths = self.paths(left, inside)?;
            return Some(Test::Is(How::Boolean, words.map(str::to_owned).to_vec(), paths));
        }
        let literals = match &right {
            Expr::Literal(text) => Some(vec![text.clone()]),
            Expr::Sequence(items) => items.iter().map(literal).collect(),
            _ => None,
        };
        let Some(literals) = literals else {
            let both = matches!((left, &right), (Expr::Path(_), Expr::Path(_)));
            if !both || sign != "=" {
                return None;
            }
            let (left, right) = (self.value(left, inside)?, self.value(&right, inside)?);
            return Some(Test::Same(left.paths, right.paths));
        };
        let value = self.value(left, inside)?;
        if literals.iter().any(|text| text.contains('\'')) {
            return None;
        }
        equality(sign, value, literals)
    }

    /// `count(P) <= n` and its relatives, `string-length(…) <= n`.
    fn counted(&mut self, sign: &str, left: &Expr, right: &Expr, inside: bool) -> Option<Test> {
        let Expr::Number(number) = right else { return None };
        let number: u32 = number.parse().ok()?;
        let Expr::Call(name, arguments) = left else { return None };
        let [argument] = arguments.as_slice() else { return None };
        if name == "count" {
            let paths = self.paths(argument, inside)?;
            let (min, max) = match sign {
                "=" => (number, Some(number)),
                "<=" => (0, Some(number)),
                "<" => (0, Some(number.checked_sub(1)?)),
                ">=" => (number, None),
                ">" => (number + 1, None),
                _ => return None,
            };
            return Some(Test::Count(min, max, paths));
        }
        if name != "string-length" || sign != "<=" {
            return None;
        }
        if let Expr::Call(after, parts) = argument
            && let ("substring-after", [value, Expr::Literal(point)]) =
                (after.as_str(), parts.as_slice())
        {
            let value = self.value(value, inside)?;
            let fits = point == "." && value.how == How::Exact;
            return fits.then_some(Test::Decimals(number, value.paths));
        }
        let value = self.value(argument, inside)?;
        (value.how == How::Trim).then_some(Test::Length(number, value.paths))
    }

    /// `namespace-uri() = 'urn:…'`: the node itself is in a namespace.
    fn in_namespace(&self, sign: &str, left: &Expr, right: &Expr) -> Option<Test> {
        let (Expr::Call(name, none), Expr::Literal(namespace)) = (left, right) else { return None };
        if sign != "=" || name != "namespace-uri" || !none.is_empty() {
            return None;
        }
        let prefix = sources::prefix(namespace)?;
        let (axis, name) = (Axis::Itself, format!("{prefix}:*"));
        let step = Step { axis, name, predicates: Vec::new() };
        Some(Test::Has(vec![Path { from_root: false, steps: vec![step] }]))
    }

    /// `a/upper-case(b) = 'X'`: some `a` of which it is true.
    fn in_last_step(
        &mut self,
        sign: &str,
        left: &Expr,
        right: &Expr,
        inside: bool,
    ) -> Option<Test> {
        let Expr::Path(path) = left else { return None };
        let inner = path.steps.last()?.inner.clone()?;
        let test = self.comparison(sign, &inner, right, true)?;
        let mut before = path.clone();
        before.steps.pop();
        let mut paths = self.paths(&Expr::Path(before), inside)?;
        for path in &mut paths {
            path.steps.last_mut()?.predicates.push(test.clone());
        }
        Some(Test::Has(paths))
    }
}

/// Joins into a list of more than two where they are of one kind.
fn join(left: Test, right: Test, is_and: bool) -> Test {
    let mut parts = Vec::new();
    for part in [left, right] {
        match part {
            Test::And(inner) if is_and => parts.extend(inner),
            Test::Or(inner) if !is_and => parts.extend(inner),
            other => parts.push(other),
        }
    }
    if is_and { Test::And(parts) } else { Test::Or(parts) }
}

fn equality(sign: &str, value: Value, literals: Vec<String>) -> Option<Test> {
    let how = value.how();
    let Value { paths, is_call, .. } = value;
    let about_empty = literals.iter().any(String::is_empty);
    match (sign, is_call, about_empty) {
        ("=", true, true) if literals.len() == 1 => {
            Some(Test::Isnt(how, literals, paths).negated())
        }
        ("=", true, true) => None,
        ("=", ..) => Some(Test::Is(how, literals, paths)),
        ("!=", true, false) => Some(Test::Is(how, literals, paths).negated()),
        ("!=", ..) if literals.len() == 1 => Some(Test::Isnt(how, literals, paths)),
        _ => None,
    }
}

fn literal(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Literal(text) => Some(text.clone()),
        _ => None,
    }
}
