//! Tokens of XPath 2.0, appendix A.2.

use super::super::error::{CompileError, ErrorCode};

/// Bytes of an expression at most.
const MAX_LENGTH: usize = 1 << 20;

/// A token and where it begins, in bytes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct XPathToken<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) offset: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind<'t> {
    /// A name, with its prefix if it has one; also keywords.
    Name(Option<&'t str>, &'t str),
    /// `*:local`.
    AnyPrefix(&'t str),
    /// `prefix:*`.
    AnyLocal(&'t str),
    /// A literal, quotes undoubled.
    Text(String),
    /// A numeric literal.
    Number(&'t str),
    /// A symbol.
    Symbol(&'static str),
    End,
}

const SYMBOLS: &[&str] = &[
    "//", "..", "::", "!=", "<=", ">=", "<<", ">>", "(", ")", "[", "]", ",", "/", "@", "$", "|",
    "+", "-", "*", "=", "<", ">", ".", "?",
];

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || (!c.is_ascii() && crate::tree::is_name_start(c))
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '-' | '.')
        || (!c.is_ascii() && crate::tree::is_name(c))
}

pub(super) struct XPathLexer<'t> {
    text: &'t str,
    at: usize,
}

/// All tokens, the last one [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<XPathToken<'_>>, CompileError> {
    let mut lexer = XPathLexer { text, at: 0 };
    if text.len() > MAX_LENGTH {
        return Err(lexer.error(0, "the expression is longer than 1 MiB"));
    }
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    loop {
        let token = lexer.next()?;
        let done = token.kind == TokenKind::End;
        tokens.push(token);
        if done {
            return Ok(tokens);
        }
    }
}

impl<'t> XPathLexer<'t> {
    fn error(&self, offset: usize, message: &str) -> CompileError {
        CompileError {
            code: ErrorCode::XPST0003,
            expression: self.text.to_owned(),
            offset: self.text.get(..offset).unwrap_or(self.text).chars().count(),
            message: message.to_owned(),
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&mut self) -> Result<XPathToken<'t>, CompileError> {
        self.skip()?;
        let (offset, rest) = (self.at, self.rest());
        let Some(first) = rest.chars().next() else {
            return Ok(XPathToken { kind: TokenKind::End, offset });
        };
        let second = rest.get(1..).and_then(|rest| rest.bytes().next());
        let kind = if first == '\'' || first == '"' {
            self.literal(first)?
        } else if first.is_ascii_digit()
            || first == '.' && second.is_some_and(|b| b.is_ascii_digit())
        {
            self.number()?
        } else if is_name_start(first) {
            self.name()
        } else if let Some(local) = rest.strip_prefix("*:")
            && local.chars().next().is_some_and(is_name_start)
        {
            self.at += 2;
            TokenKind::AnyPrefix(self.ncname())
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.at += symbol.len();
            TokenKind::Symbol(symbol)
        } else {
            return Err(self.error(offset, &format!("the character {first:?} is not expected")));
        };
        Ok(XPathToken { kind, offset })
    }

    /// Passes white space and comments, which nest.
    fn skip(&mut self) -> Result<(), CompileError> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.rest().starts_with("(:") {
                return Ok(());
            }
            let (start, mut open) = (self.at, 0usize);
            loop {
                if self.rest().starts_with("(:") {
                    open += 1;
                    self.at += 2;
                } else if self.rest().starts_with(":)") {
                    open -= 1;
                    self.at += 2;
                    if open == 0 {
                        break;
                    }
                } else if let Some(c) = self.rest().chars().next() {
                    self.at += c.len_utf8();
                } else {
                    return Err(self.error(start, "a comment is not closed"));
                }
            }
        }
    }

    fn literal(&mut self, quote: char) -> Result<TokenKind<'t>, CompileError> {
        let start = self.at;
        self.at += 1;
        let mut value = String::new();
        loop {
            let rest = self.rest();
            let Some(end) = rest.find(quote) else {
                return Err(self.error(start, "a string literal is not closed"));
            };
            value.push_str(rest.get(..end).unwrap_or_default());
            self.at += end + 1;
            if !self.rest().starts_with(quote) {
                return Ok(TokenKind::Text(value));
            }
            value.push(quote);
            self.at += 1;
        }
    }

    fn number(&mut self) -> Result<TokenKind<'t>, CompileError> {
        let start = self.at;
        self.digits();
        if self.rest().starts_with('.') {
            self.at += 1;
            self.digits();
        }
        if self.rest().starts_with(['e', 'E']) {
            let sign = self.rest().get(1..).is_some_and(|rest| rest.starts_with(['+', '-']));
            let after = self.rest().get(1 + usize::from(sign)..).unwrap_or_default();
            if after.starts_with(|c: char| c.is_ascii_digit()) {
                self.at += 1 + usize::from(sign);
                self.digits();
            }
        }
        Ok(TokenKind::Number(self.text.get(start..self.at).unwrap_or_default()))
    }

    fn digits(&mut self) {
        self.at += self.rest().bytes().take_while(u8::is_ascii_digit).count();
    }

    fn ncname(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn name(&mut self) -> TokenKind<'t> {
        let first = self.ncname();
        let Some(after) = self.rest().strip_prefix(':') else {
            return TokenKind::Name(None, first);
        };
        if after.starts_with('*') {
            self.at += 2;
            return TokenKind::AnyLocal(first);
        }
        if !after.chars().next().is_some_and(is_name_start) {
            return TokenKind::Name(None, first);
        }
        self.at += 1;
        TokenKind::Name(Some(first), self.ncname())
    }
}
