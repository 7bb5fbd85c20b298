//! From text to the compiled form: XPath 2.0 appendix A.1 by recursive descent.

mod calls;
mod lexer;
mod operators;
mod paths;
mod patterns;
mod types;

use super::compiler::{Compiler, Scope};
use super::error::{CompileError, ErrorCode};
use super::ir::Expr;
use super::pattern::Pattern;
use super::types::SequenceType;
use lexer::{Kind, Token};

/// Expressions inside one another at most.
const MAX_NESTING: u32 = 80;
/// Operators that chain (`a + b + c`) in one expression at most: each makes the tree deeper.
const MAX_CHAIN: usize = 400;

type Result<T> = std::result::Result<T, CompileError>;

/// Parses a whole expression.
pub(super) fn expression(compiler: &mut Compiler, scope: &mut Scope, text: &str) -> Result<Expr> {
    let mut parser = Parser::new(compiler, scope, text)?;
    let expr = parser.expr()?;
    parser.end()?;
    Ok(expr)
}

/// Parses a match pattern.
pub(super) fn pattern(compiler: &mut Compiler, scope: &mut Scope, text: &str) -> Result<Pattern> {
    let mut parser = Parser::new(compiler, scope, text)?;
    let alternatives = parser.pattern()?;
    parser.end()?;
    Ok(Pattern { alternatives, slots: 0 })
}

/// Parses a sequence type.
pub(super) fn sequence_type(compiler: &mut Compiler, text: &str) -> Result<SequenceType> {
    let mut scope = Scope::new();
    let mut parser = Parser::new(compiler, &mut scope, text)?;
    let kind = parser.sequence_type()?;
    parser.end()?;
    Ok(kind)
}

struct Parser<'t, 'c> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    at: usize,
    nesting: u32,
    /// Operators that chain so far.
    chained: usize,
    compiler: &'c mut Compiler,
    scope: &'c mut Scope,
}

const END: Kind<'static> = Kind::End;

impl<'t, 'c> Parser<'t, 'c> {
    fn new(compiler: &'c mut Compiler, scope: &'c mut Scope, text: &'t str) -> Result<Self> {
        let tokens = lexer::tokens(text)?;
        Ok(Parser { text, tokens, at: 0, nesting: 0, chained: 0, compiler, scope })
    }

    // ---- tokens

    fn peek(&self) -> &Kind<'t> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &Kind<'t> {
        self.tokens.get(self.at + ahead).map_or(&END, |token| &token.kind)
    }

    fn advance(&mut self) {
        self.at += 1;
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Kind::Symbol(found) if *found == symbol)
    }

    fn is_at(&self, ahead: usize, symbol: &str) -> bool {
        matches!(self.peek_at(ahead), Kind::Symbol(found) if *found == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        self.is_word_at(0, word)
    }

    fn is_word_at(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek_at(ahead), Kind::Name(None, found) if *found == word)
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

    fn need(&mut self, symbol: &str) -> Result<()> {
        if self.take(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    fn need_word(&mut self, word: &str) -> Result<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    fn end(&self) -> Result<()> {
        if *self.peek() == Kind::End { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    // ---- errors

    fn unexpected(&self, expected: &str) -> CompileError {
        let found = match self.peek() {
            Kind::Name(Some(prefix), local) => format!("`{prefix}:{local}`"),
            Kind::Name(None, local) => format!("`{local}`"),
            Kind::AnyPrefix(local) => format!("`*:{local}`"),
            Kind::AnyLocal(prefix) => format!("`{prefix}:*`"),
            Kind::Text(_) => "a string".to_owned(),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Symbol(symbol) => format!("`{symbol}`"),
            Kind::End => "the end".to_owned(),
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
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
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
    fn chain(&mut self) -> Result<()> {
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
    fn namespace(&self, prefix: &str) -> Result<String> {
        self.compiler.prefixes.get(prefix).cloned().ok_or_else(|| {
            self.error(ErrorCode::XPST0081, format!("the prefix {prefix} is not declared"))
        })
    }

    /// The slot of an element or attribute name; no prefix is no namespace.
    fn slot(&mut self, prefix: Option<&str>, local: &str) -> Result<u32> {
        let namespace = match prefix {
            Some(prefix) => self.namespace(prefix)?,
            None => String::new(),
        };
        Ok(self.compiler.names.slot(&namespace, local))
    }

    /// `$name`, after the dollar sign.
    fn variable_name(&mut self) -> Result<String> {
        let name = match self.peek() {
            Kind::Name(None, local) => (*local).to_owned(),
            Kind::Name(Some(prefix), local) => format!("{prefix}:{local}"),
            _ => return Err(self.unexpected("the name of a variable")),
        };
        self.advance();
        Ok(name)
    }
}
