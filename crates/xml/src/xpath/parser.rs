//! From text to the compiled form: XPath 2.0 appendix A.1 by recursive descent.

mod calls;
mod lexer;
mod operators;
mod paths;
mod patterns;
mod types;

use super::compiler::{Compiler, VariableScope};
use super::error::{CompileError, CompileResult, ErrorCode};
use super::ir::Expr;
use super::pattern::MatchPattern;
use super::types::SequenceType;
use lexer::{TokenKind, XPathToken};

/// Expressions inside one another at most.
const MAX_NESTING: u32 = 80;
/// Operators that chain (`a + b + c`) in one expression at most: each makes the tree deeper.
const MAX_CHAIN: usize = 400;

/// Parses a whole expression.
pub(super) fn expression(
    compiler: &mut Compiler,
    scope: &mut VariableScope,
    text: &str,
) -> CompileResult<Expr> {
    let mut parser = Parser::new(compiler, scope, text)?;
    let expr = parser.expr()?;
    parser.end()?;
    Ok(expr)
}

/// Parses a match pattern.
pub(super) fn pattern(
    compiler: &mut Compiler,
    scope: &mut VariableScope,
    text: &str,
) -> CompileResult<MatchPattern> {
    let mut parser = Parser::new(compiler, scope, text)?;
    let alternatives = parser.pattern()?;
    parser.end()?;
    Ok(MatchPattern { alternatives, slots: 0 })
}

/// Parses a sequence type.
pub(super) fn sequence_type(compiler: &mut Compiler, text: &str) -> CompileResult<SequenceType> {
    let mut scope = VariableScope::new();
    let mut parser = Parser::new(compiler, &mut scope, text)?;
    let kind = parser.sequence_type()?;
    parser.end()?;
    Ok(kind)
}

struct Parser<'t, 'c> {
    text: &'t str,
    tokens: Vec<XPathToken<'t>>,
    at: usize,
    nesting: u32,
    /// Operators that chain so far.
    chained: usize,
    compiler: &'c mut Compiler,
    scope: &'c mut VariableScope,
}

const END: TokenKind<'static> = TokenKind::End;

impl<'t, 'c> Parser<'t, 'c> {
    fn new(
        compiler: &'c mut Compiler,
        scope: &'c mut VariableScope,
        text: &'t str,
    ) -> CompileResult<Self> {
        let tokens = lexer::tokens(text)?;
        Ok(Parser { text, tokens, at: 0, nesting: 0, chained: 0, compiler, scope })
    }

    // ---- tokens

    fn peek(&self) -> &TokenKind<'t> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &TokenKind<'t> {
        self.tokens.get(self.at + ahead).map_or(&END, |token| &token.kind)
    }

    fn advance(&mut self) {
        self.at += 1;
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), TokenKind::Symbol(found) if *found == symbol)
    }

    fn is_at(&self, ahead: usize, symbol: &str) -> bool {
        matches!(self.peek_at(ahead), TokenKind::Symbol(found) if *found == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        self.is_word_at(0, word)
    }

    fn is_word_at(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek_at(ahead), TokenKind::Name(None, found) if *found == word)
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, symbol: &str) -> CompileResult<()> {
        if self.take(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    fn need_word(&mut self, word: &str) -> CompileResult<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    fn end(&self) -> CompileResult<()> {
        if *self.peek() == TokenKind::End { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    // ---- errors

    fn unexpected(&self, expected: &str) -> CompileError {
        let found = match self.peek() {
            TokenKind::Name(Some(prefix), local) => format!("`{prefix}:{local}`"),
            TokenKind::Name(None, local) => format!("`{local}`"),
            TokenKind::AnyPrefix(local) => format!("`*:{local}`"),
            TokenKind::AnyLocal(prefix) => format!("`{prefix}:*`"),
            TokenKind::Text(_) => "a string".to_owned(),
            TokenKind::Number(number) => format!("`{number}`"),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::End => "the end".to_owned(),
        };
        self.error(ErrorCode::XPST0003, format!("expected {expected}, found {found}"))
    }

    /// An error at the token under the cursor.
    fn error(&self, code: ErrorCode, message: impl Into<String>) -> CompileError {
        self.error_at(self.at, code, message)
    }

    fn error_at(&self, token: usize, code: ErrorCode, message: impl Into<String>) -> CompileError {
        let offset = self.tokens.get(token).map_or(self.text.len(), |token| token.offset);
        CompileError {
            code,
            expression: self.text.to_owned(),
            offset: self.text.get(..offset).unwrap_or(self.text).chars().count(),
            message: message.into(),
        }
    }

    /// Goes one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> CompileResult<T>) -> CompileResult<T> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let message = format!("expressions are nested deeper than {MAX_NESTING}");
            return Err(self.error(ErrorCode::QX0004, message));
        }
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    /// Passes an operator that chains.
    fn chain(&mut self) -> CompileResult<()> {
        self.chained += 1;
        if self.chained > MAX_CHAIN {
            let message = format!("more than {MAX_CHAIN} operators");
            return Err(self.error(ErrorCode::QX0004, message));
        }
        self.advance();
        Ok(())
    }

    // ---- names

    /// The namespace of a prefix, or the error that it is not declared.
    fn namespace(&self, prefix: &str) -> CompileResult<String> {
        self.compiler.prefixes.get(prefix).cloned().ok_or_else(|| {
            self.error(ErrorCode::XPST0081, format!("the prefix {prefix} is not declared"))
        })
    }

    /// The slot of an element or attribute name; no prefix is no namespace.
    fn slot(&mut self, prefix: Option<&str>, local: &str) -> CompileResult<u32> {
        let namespace = match prefix {
            Some(prefix) => self.namespace(prefix)?,
            None => String::new(),
        };
        Ok(self.compiler.names.slot(&namespace, local))
    }

    /// `$name`, after the dollar sign.
    fn variable_name(&mut self) -> CompileResult<String> {
        let name = match self.peek() {
            TokenKind::Name(None, local) => (*local).to_owned(),
            TokenKind::Name(Some(prefix), local) => format!("{prefix}:{local}"),
            _ => return Err(self.unexpected("the name of a variable")),
        };
        self.advance();
        Ok(name)
    }
}
