//! Everything above paths: sequences, `for`, `if`, quantifiers and operators.

use super::super::ir::{Binding, Comparison, Expr, NodeComparison, Operator};
use super::{CompileResult, ErrorCode, Parser, TokenKind};

/// Which binder is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Binder {
    For,
    Some,
    Every,
}

impl Parser<'_, '_> {
    /// `Expr ::= ExprSingle ("," ExprSingle)*`
    pub(super) fn expr(&mut self) -> CompileResult<Expr> {
        self.nested(|parser| {
            let first = parser.single()?;
            if !parser.is(",") {
                return Ok(first);
            }
            let mut parts = vec![first];
            while parser.take(",") {
                parts.push(parser.single()?);
            }
            Ok(Expr::Sequence(parts.into()))
        })
    }

    pub(super) fn single(&mut self) -> CompileResult<Expr> {
        let binder = match self.peek() {
            TokenKind::Name(None, "for") => Some(Binder::For),
            TokenKind::Name(None, "some") => Some(Binder::Some),
            TokenKind::Name(None, "every") => Some(Binder::Every),
            TokenKind::Name(None, "if") if self.is_at(1, "(") => {
                return self.nested(Self::conditional);
            }
            _ => None,
        };
        match binder {
            Some(binder) if self.is_at(1, "$") => {
                self.advance();
                self.nested(|parser| parser.binding(binder))
            }
            _ => self.or(),
        }
    }

    fn conditional(&mut self) -> CompileResult<Expr> {
        self.advance();
        self.need("(")?;
        let test = self.expr()?;
        self.need(")")?;
        self.need_word("then")?;
        let then = self.single()?;
        self.need_word("else")?;
        let otherwise = self.single()?;
        Ok(Expr::If(Box::new([test, then, otherwise])))
    }

    /// `$x in source, $y in source return body`, from the first dollar sign.
    fn binding(&mut self, binder: Binder) -> CompileResult<Expr> {
        self.need("$")?;
        let name = self.variable_name()?;
        self.need_word("in")?;
        let source = self.single()?;
        let Some(slot) = self.scope.push_temporary(&name) else {
            return Err(self.error(ErrorCode::QX0004, "too many variables"));
        };
        let body = if self.take(",") {
            self.nested(|parser| parser.binding(binder))?
        } else {
            self.need_word(if binder == Binder::For { "return" } else { "satisfies" })?;
            self.single()?
        };
        self.scope.pop_temporary();
        let binding = Box::new(Binding { slot, source, body });
        Ok(match binder {
            Binder::For => Expr::For(binding),
            Binder::Some => Expr::Some(binding),
            Binder::Every => Expr::Every(binding),
        })
    }

    fn or(&mut self) -> CompileResult<Expr> {
        let first = self.and()?;
        if !self.is_word("or") {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take_word("or") {
            parts.push(self.and()?);
        }
        Ok(Expr::Or(parts.into()))
    }

    fn and(&mut self) -> CompileResult<Expr> {
        let first = self.comparison()?;
        if !self.is_word("and") {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take_word("and") {
            parts.push(self.comparison()?);
        }
        Ok(Expr::And(parts.into()))
    }

    fn comparison(&mut self) -> CompileResult<Expr> {
        let left = self.range()?;
        let general = match self.peek() {
            TokenKind::Symbol("=") => Some(Comparison::Equal),
            TokenKind::Symbol("!=") => Some(Comparison::NotEqual),
            TokenKind::Symbol("<") => Some(Comparison::Less),
            TokenKind::Symbol("<=") => Some(Comparison::LessOrEqual),
            TokenKind::Symbol(">") => Some(Comparison::Greater),
            TokenKind::Symbol(">=") => Some(Comparison::GreaterOrEqual),
            _ => None,
        };
        if let Some(operator) = general {
            self.advance();
            let right = self.range()?;
            return Ok(Expr::General(operator, Box::new([left, right])));
        }
        let single = match self.peek() {
            TokenKind::Name(None, "eq") => Some(Comparison::Equal),
            TokenKind::Name(None, "ne") => Some(Comparison::NotEqual),
            TokenKind::Name(None, "lt") => Some(Comparison::Less),
            TokenKind::Name(None, "le") => Some(Comparison::LessOrEqual),
            TokenKind::Name(None, "gt") => Some(Comparison::Greater),
            TokenKind::Name(None, "ge") => Some(Comparison::GreaterOrEqual),
            _ => None,
        };
        if let Some(operator) = single {
            self.advance();
            let right = self.range()?;
            return Ok(Expr::Single(operator, Box::new([left, right])));
        }
        let nodes = match self.peek() {
            TokenKind::Name(None, "is") => NodeComparison::Is,
            TokenKind::Symbol("<<") => NodeComparison::Before,
            TokenKind::Symbol(">>") => NodeComparison::After,
            _ => return Ok(left),
        };
        self.advance();
        let right = self.range()?;
        Ok(Expr::Nodes(nodes, Box::new([left, right])))
    }

    fn range(&mut self) -> CompileResult<Expr> {
        let first = self.additive()?;
        if !self.take_word("to") {
            return Ok(first);
        }
        let last = self.additive()?;
        Ok(Expr::Range(Box::new([first, last])))
    }

    fn additive(&mut self) -> CompileResult<Expr> {
        let mut left = self.multiplicative()?;
        loop {
            let operator = match self.peek() {
                TokenKind::Symbol("+") => Operator::Add,
                TokenKind::Symbol("-") => Operator::Subtract,
                _ => return Ok(left),
            };
            self.chain()?;
            let right = self.multiplicative()?;
            left = Expr::Arithmetic(operator, Box::new([left, right]));
        }
    }

    fn multiplicative(&mut self) -> CompileResult<Expr> {
        let mut left = self.union()?;
        loop {
            let operator = match self.peek() {
                TokenKind::Symbol("*") => Operator::Multiply,
                TokenKind::Name(None, "div") => Operator::Divide,
                TokenKind::Name(None, "idiv") => Operator::IntegerDivide,
                TokenKind::Name(None, "mod") => Operator::Modulo,
                _ => return Ok(left),
            };
            self.chain()?;
            let right = self.union()?;
            left = Expr::Arithmetic(operator, Box::new([left, right]));
        }
    }

    fn union(&mut self) -> CompileResult<Expr> {
        let first = self.intersect()?;
        let mut parts = vec![first];
        while self.take("|") || self.take_word("union") {
            parts.push(self.intersect()?);
        }
        if parts.len() > 1 {
            return Ok(Expr::Union(parts.into()));
        }
        parts.pop().ok_or_else(|| self.unexpected("an expression"))
    }

    fn intersect(&mut self) -> CompileResult<Expr> {
        let mut left = self.instance_of()?;
        loop {
            if self.is_word("intersect") {
                self.chain()?;
                left = Expr::Intersect(Box::new([left, self.instance_of()?]));
            } else if self.is_word("except") {
                self.chain()?;
                left = Expr::Except(Box::new([left, self.instance_of()?]));
            } else {
                return Ok(left);
            }
        }
    }

    fn instance_of(&mut self) -> CompileResult<Expr> {
        let mut value = self.unary()?;
        // From the tightest to the loosest: cast, castable, treat, instance.
        if self.is_word("cast") && self.is_word_at(1, "as") {
            self.at += 2;
            let (kind, optional) = self.single_type()?;
            value = Expr::Cast(kind, optional, Box::new(value));
        }
        if self.is_word("castable") && self.is_word_at(1, "as") {
            self.at += 2;
            let (kind, optional) = self.single_type()?;
            value = Expr::Castable(kind, optional, Box::new(value));
        }
        if self.is_word("treat") && self.is_word_at(1, "as") {
            self.at += 2;
            let kind = self.sequence_type()?;
            value = Expr::Treat(Box::new((value, kind)));
        }
        if self.is_word("instance") && self.is_word_at(1, "of") {
            self.at += 2;
            let kind = self.sequence_type()?;
            value = Expr::InstanceOf(Box::new((value, kind)));
        }
        Ok(value)
    }

    fn unary(&mut self) -> CompileResult<Expr> {
        let (mut negative, mut signed) = (false, false);
        loop {
            if self.take("-") {
                negative = !negative;
            } else if !self.take("+") {
                break;
            }
            signed = true;
        }
        let value = self.path()?;
        Ok(match (signed, negative) {
            (_, true) => Expr::Negate(Box::new(value)),
            (true, false) => Expr::Plus(Box::new(value)),
            (false, false) => value,
        })
    }
}
