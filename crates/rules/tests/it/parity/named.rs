//! What an XPath expression names: the paths in it, and the values beside them.

/// A path without its predicates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Named {
    /// From the document element, or from anywhere in the document.
    pub absolute: bool,
    /// `cac:Item`, `//cbc:ID`, `@schemeID`, `..`, `*`.
    pub steps: Vec<String>,
    /// The values that stand behind it, before the next path.
    pub values: Vec<String>,
}

/// Words of a text value that are taken: of a list of codes the first and the last.
const WORDS: usize = 3;

const KEYWORDS: &[&str] = &[
    "and",
    "or",
    "not",
    "div",
    "mod",
    "idiv",
    "if",
    "then",
    "else",
    "for",
    "in",
    "return",
    "some",
    "every",
    "satisfies",
    "eq",
    "ne",
    "lt",
    "gt",
    "le",
    "ge",
    "is",
    "to",
    "instance",
    "castable",
    "cast",
    "treat",
    "of",
    "as",
    "union",
    "except",
    "intersect",
];

/// The paths of an expression, in their order.
pub fn paths(expression: &str) -> Vec<Named> {
    let mut reader = Reader { text: expression.as_bytes(), found: Vec::new() };
    reader.read(0, expression.len(), &Named::default());
    reader.found
}

/// The alternatives of a pattern, split at its `|`.
pub fn alternatives(pattern: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start, mut quote) = (Vec::new(), 0, 0, None);
    for (at, byte) in pattern.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'[' | b'(') => depth += 1,
            (None, b']' | b')') => depth -= 1,
            (None, b'|') if depth == 0 => {
                found.push(pattern[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(pattern[start..].trim());
    found
}

/// `(a | b)[c]` as `a[c]` and `b[c]`; any other pattern as it is.
pub fn spread(pattern: &str) -> Vec<String> {
    let inner = pattern.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    match inner {
        Some((inner, rest)) if !inner.contains('(') => {
            inner.split('|').map(|own| format!("{}{rest}", own.trim())).collect()
        }
        _ => vec![pattern.to_owned()],
    }
}

struct Reader<'t> {
    text: &'t [u8],
    found: Vec<Named>,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || byte > 127
}

impl Reader<'_> {
    /// Reads from one place to another, where paths start at `base`.
    fn read(&mut self, mut at: usize, end: usize, base: &Named) {
        while at < end {
            let byte = self.text[at];
            at = match byte {
                b'\'' | b'"' => self.literal(at, end),
                b'$' => self.word_end(at + 1, end),
                b'0'..=b'9' => {
                    let stop = self.word_end(at, end);
                    self.value(at, stop);
                    stop
                }
                b'(' => self.group(at, end, base),
                b'/' | b'@' | b'.' => self.path(at, end, base, byte == b'/'),
                _ if is_name(byte) => self.path(at, end, base, false),
                _ => at + 1,
            };
        }
    }

    fn literal(&mut self, at: usize, end: usize) -> usize {
        let rest = &self.text[at + 1..end];
        let length = rest.iter().position(|byte| *byte == self.text[at]).unwrap_or(rest.len());
        self.value(at + 1, at + 1 + length);
        at + length + 2
    }

    fn value(&mut self, from: usize, to: usize) {
        let text = String::from_utf8_lossy(&self.text[from..to]).into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        let chosen: Vec<String> = match words.as_slice() {
            [] | [_] => vec![text],
            [first, .., last] if words.len() > WORDS => vec![(*first).into(), (*last).into()],
            _ => std::iter::once(text.as_str()).chain(words).map(str::to_owned).collect(),
        };
        match self.found.last_mut() {
            Some(path) => path.values.extend(chosen),
            None => self.found.push(Named { values: chosen, ..Named::default() }),
        }
    }

    fn word_end(&self, at: usize, end: usize) -> usize {
        let rest = &self.text[at..end];
        let is_inner = |byte: &u8| is_name(*byte) || *byte == b':';
        at + rest.iter().position(|byte| !is_inner(byte)).unwrap_or(rest.len())
    }

    fn spaces(&self, at: usize, end: usize) -> usize {
        let rest = &self.text[at..end];
        at + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())
    }

    fn starts(&self, at: usize, end: usize, sign: &str) -> bool {
        self.text[at..end].starts_with(sign.as_bytes())
    }

    /// The place after the bracket that closes the one here.
    fn closed(&self, at: usize, end: usize) -> usize {
        let (mut depth, mut quote) = (0, None);
        for (place, &byte) in self.text[..end].iter().enumerate().skip(at) {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => quote = Some(byte),
                (None, b'(' | b'[') => depth += 1,
                (None, b')' | b']') => {
                    depth -= 1;
                    if depth == 0 {
                        return place + 1;
                    }
                }
                _ => {}
            }
        }
        end
    }

    /// What stands in brackets; a path goes on behind it from each path in it.
    fn group(&mut self, at: usize, end: usize, base: &Named) -> usize {
        let close = self.closed(at, end);
        let first = self.found.len();
        self.read(at + 1, close.saturating_sub(1).max(at + 1), base);
        let mut after = close;
        if self.starts(close, end, "/") {
            for from in self.found.get(first..).unwrap_or_default().to_vec() {
                after = self.path(close, end, &from, false);
            }
        }
        after
    }

    /// Reads a path and answers where it ends.
    fn path(&mut self, mut at: usize, end: usize, base: &Named, absolute: bool) -> usize {
        let mut path = Named { values: Vec::new(), ..base.clone() };
        if absolute {
            path = Named { absolute, ..Named::default() };
        }
        let from = path.steps.len();
        loop {
            let deep = self.starts(at, end, "//");
            while at < end && self.text[at] == b'/' {
                at += 1;
            }
            at = self.spaces(at, end);
            match self.step((at, end), (deep, path.steps.len() == from), &mut path) {
                Step::Next(after) => at = after,
                Step::Apart(after) => return after,
                Step::Ends(after) => {
                    self.emit(path, from);
                    return after;
                }
            }
            at = self.spaces(at, end);
            while at < end && self.text[at] == b'[' {
                let close = self.closed(at, end);
                self.read(at + 1, close.saturating_sub(1).max(at + 1), &path);
                at = self.spaces(close, end);
            }
            if at >= end || self.text[at] != b'/' {
                self.emit(path, from);
                return at;
            }
        }
    }

    fn emit(&mut self, path: Named, from: usize) {
        if path.steps.len() > from || path.absolute || from > 0 {
            self.found.push(path);
        }
    }

    /// One step of a path: behind `//`, and the first one or not.
    fn step(
        &mut self,
        (at, end): (usize, usize),
        (deep, first): (bool, bool),
        path: &mut Named,
    ) -> Step {
        if self.starts(at, end, "..") {
            path.steps.push("..".to_owned());
            return Step::Next(at + 2);
        }
        if self.starts(at, end, ".") {
            return Step::Next(at + 1);
        }
        if self.starts(at, end, "*") && !self.starts(at, end, "*:") {
            path.steps.push(if deep { "//*" } else { "*" }.to_owned());
            return Step::Next(at + 1);
        }
        if self.starts(at, end, "(") {
            let close = self.closed(at, end);
            self.read(at + 1, close.saturating_sub(1), path);
            return Step::Apart(close);
        }
        let attribute = self.starts(at, end, "@");
        let start = if attribute { at + 1 } else { at };
        let star = if self.starts(start, end, "*:") { 2 } else { 0 };
        let mut stop = self.word_end(start + star, end);
        if self.starts(stop.saturating_sub(1), end, ":*") {
            stop += 1;
        }
        let word = String::from_utf8_lossy(&self.text[start..stop]).into_owned();
        if word.is_empty() {
            return Step::Apart(at + 1);
        }
        if let Some((axis, name)) = word.split_once("::") {
            match axis {
                "self" => {}
                "child" => path.steps.push(name.to_owned()),
                "parent" | "ancestor" | "ancestor-or-self" => path.steps.push("..".to_owned()),
                _ => return Step::Ends(stop),
            }
            return Step::Next(stop);
        }
        if attribute {
            path.steps.push(format!("@{word}"));
            return Step::Ends(stop);
        }
        if first && KEYWORDS.contains(&word.as_str()) {
            return Step::Apart(stop);
        }
        let open = self.spaces(stop, end);
        if self.starts(open, end, "(") {
            return self.function(open, end, &word, path);
        }
        path.steps.push(if deep { format!("//{word}") } else { word });
        Step::Next(stop)
    }

    fn function(&mut self, open: usize, end: usize, word: &str, path: &mut Named) -> Step {
        let close = self.closed(open, end);
        match (word, self.found.last_mut()) {
            ("true" | "false", Some(last)) => last.values.push(word.to_owned()),
            _ => self.read(open + 1, close.saturating_sub(1).max(open + 1), path),
        }
        Step::Apart(close)
    }
}

enum Step {
    /// The path may go on here.
    Next(usize),
    /// It ends, and what follows starts here.
    Ends(usize),
    /// It was told on its own, or is none, and what follows starts here.
    Apart(usize),
}

#[test]
fn names_and_values_are_found() {
    let found = paths(
        "not(cbc:A/@b = 'x') or (round(../cac:C[cbc:D = true()]/xs:decimal(cbc:E)) div 10 = //cbc:F)",
    );
    let steps: Vec<String> = found.iter().map(|path| path.steps.join("/")).collect();
    let pattern = paths("//a:B/a:C[a:D = 'L'][upper-case(a:E) = 'VAT' and a:F = 'X']");
    let told = |path: &Named| format!("{}={}", path.steps.join("/"), path.values.join(","));
    let told: Vec<String> = pattern.iter().map(told).collect();
    assert_eq!(told, ["//a:B/a:C/a:D=L", "//a:B/a:C/a:E=VAT", "//a:B/a:C/a:F=X", "//a:B/a:C="]);
    let united = paths("not((cac:G|cac:H)/cbc:I)");
    assert!(united.iter().any(|path| path.steps == ["cac:H", "cbc:I"]), "{united:?}");
    for path in ["cbc:A/@b", "../cac:C/cbc:D", "../cac:C/cbc:E", "//cbc:F"] {
        assert!(steps.iter().any(|own| own == path), "{path} of {steps:?}");
    }
    let values: Vec<&str> =
        found.iter().flat_map(|path| &path.values).map(String::as_str).collect();
    assert_eq!(values, ["x", "true", "10"]);
    assert_eq!(alternatives("/a/b[c | d] | e"), ["/a/b[c | d]", "e"]);
    assert_eq!(spread("(/a | /b)[c]"), ["/a[c]", "/b[c]"]);
    assert_eq!(spread("/a[(b | c)]"), ["/a[(b | c)]"]);
}
