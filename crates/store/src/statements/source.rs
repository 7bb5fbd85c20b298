//! Reading statements out of Rust source: string literals, and macros of the form
//! `(…literals) => { concat!(…) }`.

use std::collections::BTreeMap;
use std::path::Path;

use super::{FoundStatement, is_statement};

/// What source is made of, as far as it matters here.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Mark(char),
}

/// A piece of what a macro puts together.
#[derive(Debug, Clone, PartialEq)]
enum TemplatePiece {
    Text(String),
    /// A parameter by its name.
    Parameter(String),
}

/// A macro that puts literals together: its parameters and its pieces.
#[derive(Debug, Clone, PartialEq)]
struct Template {
    parameters: Vec<String>,
    pieces: Vec<TemplatePiece>,
}

type Templates = BTreeMap<String, Template>;

/// The statements of a file. Tests at its end are left out.
pub(super) fn statements(root: &Path, file: &str, text: &str) -> Vec<FoundStatement> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let tokens = tokens(text);
    let mut templates = imported(root, file, &tokens);
    templates.extend(templates_of(&tokens));
    let defined = defined(&tokens);
    let (mut found, mut name, mut at) = (Vec::new(), String::new(), 0);
    while at < tokens.len() {
        if let Some(end) = defined.iter().find(|range| range.0 == at).map(|range| range.1) {
            at = end;
            continue;
        }
        let (sql, next) = match &tokens[at..] {
            [Token::Word(word), Token::Word(constant), ..] if word == "const" => {
                name.clone_from(constant);
                (None, at + 2)
            }
            [Token::Word(word), Token::Mark('!'), Token::Mark('('), ..]
                if templates.contains_key(word) =>
            {
                let end = closing(&tokens, at + 2);
                (Some(expanded(&templates[word], &tokens[at + 3..end])), end + 1)
            }
            [Token::Text(text), ..] => (Some(text.clone()), at + 1),
            _ => (None, at + 1),
        };
        let sql = sql.filter(|sql| is_statement(sql));
        found.extend(sql.map(|sql| FoundStatement {
            file: file.to_owned(),
            name: name.clone(),
            sql,
        }));
        at = next;
    }
    found
}

fn expanded(template: &Template, arguments: &[Token]) -> String {
    let texts: Vec<&String> = arguments
        .iter()
        .filter_map(|token| match token {
            Token::Text(text) => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(texts.len(), template.parameters.len(), "{arguments:?}");
    let value = |piece: &TemplatePiece| match piece {
        TemplatePiece::Text(text) => text.clone(),
        TemplatePiece::Parameter(name) => {
            let at = template.parameters.iter().position(|one| one == name);
            texts[at.expect("a parameter of the macro")].clone()
        }
    };
    template.pieces.iter().map(value).collect()
}

/// Where macros are defined: from the first token to behind the last.
fn defined(tokens: &[Token]) -> Vec<(usize, usize)> {
    let is_one = |at: &usize| matches!(&tokens[*at], Token::Word(word) if word == "macro_rules");
    let all = (0..tokens.len()).filter(is_one);
    all.map(|at| (at, closing(tokens, at + 3) + 1)).collect()
}

fn templates_of(tokens: &[Token]) -> Templates {
    let mut all = Templates::new();
    for (start, end) in defined(tokens) {
        let Token::Word(name) = &tokens[start + 2] else { panic!("a macro without a name") };
        let body = &tokens[start + 4..end - 1];
        let split = body.windows(2).position(|two| two == [Token::Mark('='), Token::Mark('>')]);
        let (head, rest) = body.split_at(split.expect("a macro has an arrow"));
        all.insert(name.clone(), Template { parameters: parameters(head), pieces: pieces(rest) });
    }
    all
}

fn parameters(tokens: &[Token]) -> Vec<String> {
    let name = |two: &[Token]| match two {
        [Token::Mark('$'), Token::Word(name)] => Some(name.clone()),
        _ => None,
    };
    tokens.windows(2).filter_map(name).collect()
}

fn pieces(tokens: &[Token]) -> Vec<TemplatePiece> {
    let mut all = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1)) {
            (Token::Text(text), _) => all.push(TemplatePiece::Text(text.clone())),
            (Token::Mark('$'), Some(Token::Word(name))) => {
                all.push(TemplatePiece::Parameter(name.clone()));
            }
            _ => {}
        }
    }
    all
}

/// Macros of other files that this one uses by name.
fn imported(root: &Path, file: &str, tokens: &[Token]) -> Templates {
    let mut all = Templates::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        if word != "use" {
            continue;
        }
        let end = at + tokens[at..].iter().position(|one| *one == Token::Mark(';')).unwrap();
        let words: Vec<&str> = tokens[at + 1..end]
            .iter()
            .filter_map(|token| match token {
                Token::Word(word) => Some(word.as_str()),
                _ => None,
            })
            .collect();
        let other = match words[..] {
            ["crate", module, ..] => format!("{module}.rs"),
            ["super", ..] => match file.rsplit_once('/') {
                Some((parent, _)) => format!("{parent}.rs"),
                None => continue,
            },
            _ => continue,
        };
        let Ok(text) = std::fs::read_to_string(root.join(&other)) else { continue };
        let theirs = templates_of(&self::tokens(&text));
        all.extend(theirs.into_iter().filter(|(name, _)| words.contains(&name.as_str())));
    }
    all
}

/// The place of the bracket that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Mark('(' | '{' | '[') => depth += 1,
            Token::Mark(')' | '}' | ']') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("a bracket is not closed");
}

fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let (mut all, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        match chars[at] {
            '/' if chars.get(at + 1) == Some(&'/') => {
                while at < chars.len() && chars[at] != '\n' {
                    at += 1;
                }
            }
            '"' => {
                let (literal, end) = literal(&chars, at + 1);
                all.push(Token::Text(literal));
                at = end;
            }
            // A character, or the name of a lifetime.
            '\'' => {
                let is_escape = chars.get(at + 1) == Some(&'\\');
                at += match (is_escape, chars.get(at + 2)) {
                    (true, _) => 4,
                    (false, Some('\'')) => 3,
                    _ => 1,
                };
            }
            one if one.is_alphanumeric() || one == '_' => {
                let start = at;
                while at < chars.len() && (chars[at].is_alphanumeric() || chars[at] == '_') {
                    at += 1;
                }
                all.push(Token::Word(chars[start..at].iter().collect()));
            }
            one => {
                if !one.is_whitespace() {
                    all.push(Token::Mark(one));
                }
                at += 1;
            }
        }
    }
    all
}

/// A string literal from behind its quotation mark, and where it ends.
fn literal(chars: &[char], mut at: usize) -> (String, usize) {
    let mut text = String::new();
    while chars[at] != '"' {
        if chars[at] != '\\' {
            text.push(chars[at]);
            at += 1;
            continue;
        }
        at += 1;
        match chars[at] {
            '\n' => {
                while chars[at].is_whitespace() {
                    at += 1;
                }
                continue;
            }
            'n' => text.push('\n'),
            other => text.push(other),
        }
        at += 1;
    }
    (text, at + 1)
}
