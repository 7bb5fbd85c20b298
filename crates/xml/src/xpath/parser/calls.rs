//! Function calls: built-in functions, constructors, functions and keys of the rule set.

use super::super::functions::Function;
use super::super::ir::Expr;
use super::super::types::AtomicType;
use super::super::value::Item;
use super::{CompileResult, ErrorCode, Parser, TokenKind};

const FUNCTIONS: &str = "http://www.w3.org/2005/xpath-functions";
const SCHEMA: &str = "http://www.w3.org/2001/XMLSchema";

impl Parser<'_, '_> {
    /// `FunctionCall ::= QName "(" (ExprSingle ("," ExprSingle)*)? ")"`
    pub(super) fn call(&mut self) -> CompileResult<Expr> {
        let place = self.at;
        let TokenKind::Name(prefix, local) = *self.peek() else {
            return Err(self.unexpected("the name of a function"));
        };
        let namespace = match prefix {
            Some(prefix) => self.namespace(prefix)?,
            None => FUNCTIONS.to_owned(),
        };
        self.at += 2;
        let arguments = self.arguments()?;
        if let Some(id) = self.user_function(prefix, &namespace, local, arguments.len()) {
            return Ok(Expr::User(id, arguments.into()));
        }
        match namespace.as_str() {
            SCHEMA => self.constructor(place, local, arguments),
            FUNCTIONS if local == "key" => self.key(place, arguments),
            FUNCTIONS => match Function::find(local, arguments.len()) {
                Some(function) => Ok(Expr::Call(function, arguments.into())),
                None => Err(self.no_function(place, local, arguments.len())),
            },
            _ => {
                let name = format!("{}:{local}", prefix.unwrap_or_default());
                Err(self.no_function(place, &name, arguments.len()))
            }
        }
    }

    fn arguments(&mut self) -> CompileResult<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        self.nested(|parser| {
            loop {
                arguments.push(parser.single()?);
                if !parser.take(",") {
                    parser.need(")")?;
                    return Ok(arguments);
                }
            }
        })
    }

    fn user_function(
        &self,
        prefix: Option<&str>,
        namespace: &str,
        local: &str,
        arity: usize,
    ) -> Option<u32> {
        prefix?;
        let found = self.compiler.functions.iter().position(|function| {
            function.arity == arity && function.name.1 == local && function.name.0 == namespace
        });
        found.map(|id| id as u32)
    }

    fn no_function(&self, place: usize, name: &str, arity: usize) -> super::CompileError {
        let message = if Function::exists(name) {
            format!("{name}() does not take {arity} arguments")
        } else {
            format!("there is no function {name}() with {arity} arguments")
        };
        self.error_at(place, ErrorCode::XPST0017, message)
    }

    /// `xs:decimal(x)`: a cast that lets the empty sequence through.
    fn constructor(&self, place: usize, local: &str, arguments: Vec<Expr>) -> CompileResult<Expr> {
        let kind = AtomicType::named(local).filter(|kind| *kind != AtomicType::Any);
        let mut arguments = arguments.into_iter();
        match (kind, arguments.next(), arguments.next()) {
            (Some(kind), Some(value), None) => Ok(Expr::Cast(kind, true, Box::new(value))),
            (Some(_), _, _) => Err(self.no_function(place, &format!("xs:{local}"), 2)),
            (None, _, _) => {
                let message = format!("xs:{local} is not a type that is supported");
                Err(self.error_at(place, ErrorCode::XPST0017, message))
            }
        }
    }

    /// `key('name', value)`: the name must be known while compiling.
    fn key(&self, place: usize, arguments: Vec<Expr>) -> CompileResult<Expr> {
        let wrong = |message: String| Err(self.error_at(place, ErrorCode::XTDE1260, message));
        if !(2..=3).contains(&arguments.len()) {
            return Err(self.no_function(place, "key", arguments.len()));
        }
        let Some(Expr::Constant(Item::String(name))) = arguments.first() else {
            return wrong("the name of a key must be a string literal".to_owned());
        };
        let name = name.as_str();
        let expanded = match name.split_once(':') {
            Some((prefix, local)) => (self.namespace(prefix)?, local.to_owned()),
            None => (String::new(), name.to_owned()),
        };
        match self.compiler.keys.iter().position(|key| key.name == expanded) {
            Some(id) => Ok(Expr::Key(id as u32, arguments.into_iter().skip(1).collect())),
            None => wrong(format!("there is no key {name}")),
        }
    }
}
