//! The part of XPath 2.0 that structure rules are written in, read into a small tree.
//!
//! Whatever is outside of it is an error, and the rule goes to the list of rules to write by hand.

mod tokens;

use tokens::{Token, tokens};

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Literal(String),
    Number(String),
    Variable(String),
    Path(Path),
    Call(String, Vec<Expr>),
    /// `or`, `and`, `=`, `<=`, `|`, `+` and the other operators of two sides.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Sequence(Vec<Expr>),
    /// `some $name in SEQUENCE satisfies TEST`.
    Some(String, Box<Expr>, Box<Expr>),
    Castable(Box<Expr>, String),
}

/// A location path.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    pub start: Start,
    pub steps: Vec<Step>,
}

/// Where a path begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    Root,
    Here,
    /// `(a | b)/c`: another expression.
    From(Box<Expr>),
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub axis: Axis,
    pub name: String,
    pub predicates: Vec<Expr>,
    /// A step that is an expression: `a/normalize-space(b)`, `a/(b|c)`.
    pub inner: Option<Box<Expr>>,
}

/// The axes in use; `Descendant` is `//` before a child step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    Child,
    Descendant,
    Attribute,
    DescendantAttribute,
    Parent,
    Ancestor,
    Itself,
    /// The text of the element itself, without that of elements inside.
    Text,
}

/// Reads an expression.
pub fn parse(text: &str) -> Result<Expr, String> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens, at: 0 };
    let expr = parser.or()?;
    match parser.peek() {
        None => Ok(expr),
        Some(token) => Err(format!("{token:?} is left over")),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(known)) if *known == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Name(known)) if known == word)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.take_sign(sign) { Ok(()) } else { Err(format!("expected {sign}")) }
    }

    fn or(&mut self) -> Result<Expr, String> {
        if self.is_word("some") && matches!(self.tokens.get(self.at + 1), Some(Token::Variable(_)))
        {
            return self.some();
        }
        let mut left = self.and()?;
        while self.take_word("or") {
            left = Expr::Binary("or", Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn some(&mut self) -> Result<Expr, String> {
        self.at += 1;
        let Some(Token::Variable(name)) = self.peek().cloned() else {
            return Err("some without a variable".to_owned());
        };
        self.at += 1;
        if !self.take_word("in") {
            return Err("some without in".to_owned());
        }
        let sequence = self.or()?;
        if !self.take_word("satisfies") {
            return Err("some without satisfies".to_owned());
        }
        Ok(Expr::Some(name, Box::new(sequence), Box::new(self.or()?)))
    }

    fn and(&mut self) -> Result<Expr, String> {
        let mut left = self.comparison()?;
        while self.take_word("and") {
            left = Expr::Binary("and", Box::new(left), Box::new(self.comparison()?));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Expr, String> {
        let left = self.sum()?;
        for sign in ["=", "!=", "<=", ">=", "<", ">"] {
            if self.take_sign(sign) {
                return Ok(Expr::Binary(sign, Box::new(left), Box::new(self.sum()?)));
            }
        }
        if self.take_word("castable") {
            self.take_word("as");
            let Some(Token::Name(name)) = self.peek().cloned() else {
                return Err("castable without a type".to_owned());
            };
            self.at += 1;
            return Ok(Expr::Castable(Box::new(left), name));
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expr, String> {
        let mut left = self.union()?;
        loop {
            let sign = if self.take_sign("+") {
                "+"
            } else if self.take_sign("-") {
                "-"
            } else if self.take_word("div") {
                "div"
            } else if self.is_sign("*") {
                self.at += 1;
                "*"
            } else {
                return Ok(left);
            };
            left = Expr::Binary(sign, Box::new(left), Box::new(self.union()?));
        }
    }

    fn union(&mut self) -> Result<Expr, String> {
        let mut left = self.path()?;
        while self.take_sign("|") {
            left = Expr::Binary("|", Box::new(left), Box::new(self.path()?));
        }
        Ok(left)
    }

    fn path(&mut self) -> Result<Expr, String> {
        let mut path = Path { start: Start::Here, steps: Vec::new() };
        if self.take_sign("//") {
            path.start = Start::Root;
            let step = self.step(true)?;
            path.steps.push(step);
        } else if self.take_sign("/") {
            path.start = Start::Root;
            if !self.starts_step() {
                return Ok(Expr::Path(path));
            }
            let step = self.step(false)?;
            path.steps.push(step);
        } else if self.starts_step() {
            let step = self.step(false)?;
            path.steps.push(step);
        } else {
            let primary = self.primary()?;
            if !self.is_sign("/") && !self.is_sign("//") && !self.is_sign("[") {
                return Ok(primary);
            }
            path.start = Start::From(Box::new(primary));
            if self.is_sign("[") {
                return Err("a predicate on an expression".to_owned());
            }
        }
        loop {
            let deep = self.is_sign("//");
            if !deep && !self.is_sign("/") {
                return Ok(Expr::Path(path));
            }
            self.at += 1;
            let step = self.step(deep)?;
            path.steps.push(step);
        }
    }

    /// Whether a step of a path stands here, and no literal, variable, call or parenthesis.
    fn starts_step(&self) -> bool {
        match self.peek() {
            Some(Token::Name(name)) => {
                let call = matches!(self.tokens.get(self.at + 1), Some(Token::Sign("(")));
                !call || matches!(name.as_str(), "text" | "node")
            }
            Some(Token::Sign(sign)) => matches!(*sign, "." | ".." | "@" | "*"),
            _ => false,
        }
    }

    fn step(&mut self, deep: bool) -> Result<Step, String> {
        let mut axis = if deep { Axis::Descendant } else { Axis::Child };
        let mut step = Step { axis, name: String::new(), predicates: Vec::new(), inner: None };
        if !self.starts_step() {
            step.inner = Some(Box::new(self.primary()?));
            return Ok(step);
        }
        if self.take_sign("..") {
            axis = Axis::Parent;
        } else if self.take_sign(".") {
            axis = Axis::Itself;
        } else {
            if self.take_sign("@") {
                axis = if deep { Axis::DescendantAttribute } else { Axis::Attribute };
            } else if let Some(named) = self.named_axis()? {
                axis = named;
            }
            step.name = self.name_test()?;
        }
        step.axis = axis;
        while self.take_sign("[") {
            step.predicates.push(self.or()?);
            self.expect("]")?;
        }
        Ok(step)
    }

    fn named_axis(&mut self) -> Result<Option<Axis>, String> {
        if !matches!(self.tokens.get(self.at + 1), Some(Token::Sign("::"))) {
            return Ok(None);
        }
        let Some(Token::Name(name)) = self.peek() else { return Ok(None) };
        let axis = match name.as_str() {
            "self" => Axis::Itself,
            "ancestor" => Axis::Ancestor,
            "parent" => Axis::Parent,
            "child" => Axis::Child,
            other => return Err(format!("axis {other}")),
        };
        self.at += 2;
        Ok(Some(axis))
    }

    fn name_test(&mut self) -> Result<String, String> {
        if self.take_sign("*") {
            // `*:name` is a name in any namespace; the colon reached the tokens as nothing.
            return Ok("*".to_owned());
        }
        let Some(Token::Name(name)) = self.peek().cloned() else {
            return Err("expected a name".to_owned());
        };
        self.at += 1;
        if matches!(name.as_str(), "text" | "node") && self.take_sign("(") {
            self.expect(")")?;
            return Ok(format!("{name}()"));
        }
        Ok(name)
    }

    fn primary(&mut self) -> Result<Expr, String> {
        if self.take_sign("(") {
            let mut items = Vec::new();
            if !self.is_sign(")") {
                items.push(self.or()?);
                while self.take_sign(",") {
                    items.push(self.or()?);
                }
            }
            self.expect(")")?;
            return Ok(match items.len() {
                1 => items.remove(0),
                _ => Expr::Sequence(items),
            });
        }
        let token = self.peek().cloned().ok_or("it ends too early")?;
        self.at += 1;
        match token {
            Token::Literal(text) => Ok(Expr::Literal(text)),
            Token::Number(text) => Ok(Expr::Number(text)),
            Token::Variable(name) => Ok(Expr::Variable(name)),
            Token::Name(name) if self.take_sign("(") => {
                let mut arguments = Vec::new();
                if !self.is_sign(")") {
                    arguments.push(self.or()?);
                    while self.take_sign(",") {
                        arguments.push(self.or()?);
                    }
                }
                self.expect(")")?;
                Ok(Expr::Call(name, arguments))
            }
            other => Err(format!("{other:?} does not begin an expression")),
        }
    }
}
