//! Match patterns, XSLT 2.0 section 5.5.2, with unions in parentheses.

use super::super::analyse::uses_position;
use super::super::ir::{NodeTest, Predicate, PredicateKind};
use super::super::pattern::{Alternative, Anchor, PatternStep};
use super::{CompileResult, ErrorCode, Parser, TokenKind};

/// Alternatives of one pattern at most, after unions in parentheses are multiplied out.
const MAX_ALTERNATIVES: usize = 10_000;

/// Steps from the first to the last.
type Steps = Vec<PatternStep>;

impl Parser<'_, '_> {
    /// `Pattern ::= PathPattern ("|" PathPattern)*`
    pub(super) fn pattern(&mut self) -> CompileResult<Vec<Alternative>> {
        let mut alternatives = Vec::new();
        for (anchor, mut steps) in self.pattern_union()? {
            steps.reverse();
            alternatives.push(Alternative { steps, anchor, required: Box::new([]) });
        }
        Ok(alternatives)
    }

    fn pattern_union(&mut self) -> CompileResult<Vec<(Anchor, Steps)>> {
        self.nested(|parser| {
            let mut all = parser.path_pattern()?;
            while parser.take("|") || parser.take_word("union") {
                all.extend(parser.path_pattern()?);
                if all.len() > MAX_ALTERNATIVES {
                    return Err(parser.error(ErrorCode::QX0004, "too many alternatives"));
                }
            }
            Ok(all)
        })
    }

    fn path_pattern(&mut self) -> CompileResult<Vec<(Anchor, Steps)>> {
        let anchor = if self.take("//") {
            Anchor::BelowRoot
        } else if self.take("/") {
            if matches!(self.peek(), TokenKind::End) || self.is("|") || self.is(")") {
                return Ok(vec![(Anchor::Root, Vec::new())]);
            }
            Anchor::Root
        } else {
            Anchor::Anywhere
        };
        let mut paths = self.pattern_step(anchor)?;
        loop {
            let below = if self.take("//") {
                true
            } else if self.take("/") {
                false
            } else {
                return Ok(paths);
            };
            let next = self.pattern_step(Anchor::Anywhere)?;
            paths = self.joined(&paths, below, &next)?;
        }
    }

    /// Each path continued by each of the next ones.
    fn joined(
        &self,
        paths: &[(Anchor, Steps)],
        below: bool,
        next: &[(Anchor, Steps)],
    ) -> CompileResult<Vec<(Anchor, Steps)>> {
        if paths.len() * next.len() > MAX_ALTERNATIVES {
            return Err(self.error(ErrorCode::QX0004, "too many alternatives"));
        }
        let mut joined = Vec::new();
        for (anchor, head) in paths {
            for (inner, tail) in next {
                if *inner != Anchor::Anywhere {
                    let message = "a pattern in the middle of a path may not begin with `/`";
                    return Err(self.error(ErrorCode::XPST0003, message));
                }
                let mut steps = head.clone();
                let at = steps.len();
                steps.extend(tail.iter().cloned());
                if let Some(first) = steps.get_mut(at) {
                    first.below |= below;
                }
                joined.push((*anchor, steps));
            }
        }
        Ok(joined)
    }

    /// One step, or a union in parentheses; with what stands before the first step.
    fn pattern_step(&mut self, anchor: Anchor) -> CompileResult<Vec<(Anchor, Steps)>> {
        if self.take("(") {
            let inner = self.pattern_union()?;
            self.need(")")?;
            let place = self.at;
            let predicates = self.predicates()?;
            return self.in_parentheses(anchor, inner, &predicates, place);
        }
        let attribute = if self.take("@") {
            true
        } else if self.is_word("attribute") && self.is_at(1, "::") {
            self.at += 2;
            true
        } else {
            if self.is_word("child") && self.is_at(1, "::") {
                self.at += 2;
            } else if matches!(self.peek(), TokenKind::Name(..)) && self.is_at(1, "::") {
                let message = "a pattern has only the axes child and attribute";
                return Err(self.error(ErrorCode::XPST0010, message));
            }
            false
        };
        let test = match self.peek() {
            TokenKind::Symbol("*")
            | TokenKind::Name(..)
            | TokenKind::AnyPrefix(_)
            | TokenKind::AnyLocal(_) => self.node_test()?,
            _ => return Err(self.unexpected("a step of a pattern")),
        };
        if self.is("(") {
            return Err(self.error(ErrorCode::XPST0017, "a function call is no pattern here"));
        }
        let attribute = attribute || matches!(test, NodeTest::Attribute(_));
        let predicates = self.predicates()?;
        Ok(vec![(anchor, vec![PatternStep { attribute, test, predicates, below: false }])])
    }

    fn in_parentheses(
        &self,
        outer: Anchor,
        inner: Vec<(Anchor, Steps)>,
        predicates: &[Predicate],
        place: usize,
    ) -> CompileResult<Vec<(Anchor, Steps)>> {
        // A number that only evaluation can tell would count among the siblings of each step.
        let counts = |predicate: &Predicate| match predicate.kind {
            PredicateKind::Boolean => false,
            PredicateKind::Counted => uses_position(&predicate.expr),
            PredicateKind::Position(_) | PredicateKind::Sized => true,
        };
        if predicates.iter().any(counts) {
            let message = "a position after parentheses in a pattern is not supported";
            return Err(self.error_at(place, ErrorCode::XPST0003, message));
        }
        let mut paths = Vec::new();
        for (anchor, mut steps) in inner {
            let anchor = match (outer, anchor) {
                (Anchor::Anywhere, anchor) => anchor,
                (outer, Anchor::Anywhere) => outer,
                _ => {
                    let message = "a pattern after `/` may not begin with `/`";
                    return Err(self.error_at(place, ErrorCode::XPST0003, message));
                }
            };
            if let Some(last) = steps.last_mut() {
                last.predicates.extend(predicates.iter().cloned());
            }
            paths.push((anchor, steps));
        }
        Ok(paths)
    }
}
