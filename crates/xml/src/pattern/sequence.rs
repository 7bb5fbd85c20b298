//! Patterns that are a sequence of classes, such as `[A-Z]{2}\d{9}`: matched by one walk over the
//! text, without an automaton and without its cost of building.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Steps of a sequence at most; a longer pattern goes to the automaton.
const MAX_STEPS: usize = 64;

#[derive(Debug)]
pub(super) struct ClassSequence {
    steps: Vec<ClassStep>,
}

#[derive(Debug)]
struct ClassStep {
    /// Bit `n` stands for the ASCII character `n`.
    ascii: u128,
    /// Sorted, disjoint.
    ranges: Vec<(char, char)>,
    min: u32,
    max: u32,
}

impl ClassSequence {
    /// Reads a translated pattern; `None` where taking as much as possible at every step could
    /// give another answer than trying all ways.
    pub(super) fn of(translated: &str) -> Option<ClassSequence> {
        let hir = regex_syntax::parse(translated).ok()?;
        let mut steps = Vec::new();
        add(&hir, &mut steps)?;
        (steps.len() <= MAX_STEPS && is_deterministic(&steps)).then_some(ClassSequence { steps })
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        let mut rest = text.chars();
        for step in &self.steps {
            let mut count = 0;
            while count < step.max {
                let mut ahead = rest.clone();
                match ahead.next() {
                    Some(char) if step.contains(char) => rest = ahead,
                    _ => break,
                }
                count += 1;
            }
            if count < step.min {
                return false;
            }
        }
        rest.next().is_none()
    }
}

impl ClassStep {
    fn new(ranges: Vec<(char, char)>, min: u32, max: u32) -> ClassStep {
        let mut ascii = 0;
        for code in 0..128_u8 {
            let char = char::from(code);
            if ranges.iter().any(|(first, last)| (*first..=*last).contains(&char)) {
                ascii |= 1_u128 << code;
            }
        }
        ClassStep { ascii, ranges, min, max }
    }

    fn contains(&self, char: char) -> bool {
        if char.is_ascii() {
            return self.ascii >> (char as u32) & 1 == 1;
        }
        let at = self.ranges.partition_point(|(_, last)| *last < char);
        self.ranges.get(at).is_some_and(|(first, _)| *first <= char)
    }

    fn meets(&self, other: &ClassStep) -> bool {
        self.ranges.iter().any(|(first, last)| {
            other
                .ranges
                .iter()
                .any(|(other_first, other_last)| first <= other_last && other_first <= last)
        })
    }
}

fn add(hir: &Hir, steps: &mut Vec<ClassStep>) -> Option<()> {
    if steps.len() > MAX_STEPS {
        return None;
    }
    match hir.kind() {
        HirKind::Empty => {}
        HirKind::Literal(literal) => {
            for char in std::str::from_utf8(&literal.0).ok()?.chars() {
                steps.push(ClassStep::new(vec![(char, char)], 1, 1));
            }
        }
        HirKind::Class(class) => steps.push(ClassStep::new(ranges(class)?, 1, 1)),
        HirKind::Repetition(repetition) => {
            let ranges = match repetition.sub.kind() {
                HirKind::Class(class) => ranges(class)?,
                HirKind::Capture(capture) => match capture.sub.kind() {
                    HirKind::Class(class) => ranges(class)?,
                    _ => return None,
                },
                HirKind::Literal(literal) => {
                    let mut chars = std::str::from_utf8(&literal.0).ok()?.chars();
                    let char = chars.next()?;
                    if chars.next().is_some() {
                        return None;
                    }
                    vec![(char, char)]
                }
                _ => return None,
            };
            steps.push(ClassStep::new(ranges, repetition.min, repetition.max.unwrap_or(u32::MAX)));
        }
        HirKind::Capture(capture) => add(&capture.sub, steps)?,
        HirKind::Concat(parts) => {
            for part in parts {
                add(part, steps)?;
            }
        }
        HirKind::Look(_) | HirKind::Alternation(_) => return None,
    }
    Some(())
}

fn ranges(class: &Class) -> Option<Vec<(char, char)>> {
    match class {
        Class::Unicode(class) => {
            Some(class.iter().map(|range| (range.start(), range.end())).collect())
        }
        Class::Bytes(class) => class
            .iter()
            .map(|range| {
                let is_ascii = range.end() < 128;
                is_ascii.then(|| (char::from(range.start()), char::from(range.end())))
            })
            .collect(),
    }
}

/// A step that may take more or less must not take what a later step could need.
fn is_deterministic(steps: &[ClassStep]) -> bool {
    steps.iter().enumerate().filter(|(_, step)| step.min < step.max).all(|(at, step)| {
        let later = steps.get(at + 1..).unwrap_or_default();
        let needed = later.iter().position(|next| next.min > 0).map_or(later.len(), |n| n + 1);
        later.iter().take(needed).all(|next| !step.meets(next))
    })
}
