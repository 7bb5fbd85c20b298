//! The tokens of XPath: names, literals, numbers, variables and signs.

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Name(String),
    Literal(String),
    Number(String),
    Variable(String),
    Sign(&'static str),
}

const SIGNS: &[&str] = &[
    "//", "::", "!=", "<=", ">=", "..", "/", "(", ")", "[", "]", ",", "@", "=", "<", ">", "|", "+",
    "-", "*", ".", "?",
];

/// The tokens of an expression.
pub fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' => {
                let body = rest.get(1..).unwrap_or_default();
                let end = body.find(first).ok_or("a literal does not end")?;
                found.push(Token::Literal(body[..end].to_owned()));
                end + 2
            }
            '0'..='9' => {
                let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
                let end = end.unwrap_or(rest.len());
                found.push(Token::Number(rest[..end].to_owned()));
                end
            }
            '$' => {
                let end = name_length(&rest[1..]) + 1;
                found.push(Token::Variable(rest[1..end].to_owned()));
                end
            }
            c if c.is_alphabetic() || c == '_' => {
                let end = name_length(rest);
                found.push(Token::Name(rest[..end].to_owned()));
                end
            }
            '*' if rest[1..].starts_with(':') => {
                let end = 2 + name_length(&rest[2..]);
                found.push(Token::Name(rest[..end].to_owned()));
                end
            }
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                let sign = sign.ok_or_else(|| format!("{first:?} is no sign"))?;
                found.push(Token::Sign(sign));
                sign.len()
            }
        };
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

/// A name with one colon at most; an axis keeps its two.
fn name_length(text: &str) -> usize {
    let part = |text: &str| {
        text.find(|c: char| !c.is_alphanumeric() && !"_-.".contains(c)).unwrap_or(text.len())
    };
    let first = part(text);
    match text[first..].strip_prefix(':') {
        Some(rest) if rest.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
            first + 1 + part(rest)
        }
        Some(rest) if rest.starts_with('*') => first + 2,
        _ => first,
    }
}
