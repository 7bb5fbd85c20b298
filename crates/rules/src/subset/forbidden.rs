//! What is wrong with an element that some rule takes as wrong wherever it is: as a rule it has no
//! place there; but where the rule says of which elements it speaks, that says what is wrong.

use super::notation::{RowTest, TablePath};
use super::table::TableRule;

/// What is wrong with an element of a row whose test never holds.
pub(super) enum Forbidden<'t> {
    /// That it is there.
    Itself,
    /// That nothing is in it.
    Empty,
    /// That the first is not there although the second is.
    Lacks(&'t [TablePath], Option<&'t [TablePath]>),
}

impl TableRule {
    /// What is wrong with the elements that it speaks of, by the conditions of the first place.
    pub(super) fn forbidden(&self) -> Forbidden<'_> {
        let last = self.places.first().and_then(|place| place.steps.last());
        let mut conditions: Vec<&RowTest> = Vec::new();
        for condition in last.map_or(&[][..], |step| &step.predicates) {
            match condition {
                RowTest::And(parts) => conditions.extend(parts),
                other => conditions.push(other),
            }
        }
        if conditions.iter().any(|own| is_blank(own)) {
            return Forbidden::Empty;
        }
        let lacks = conditions.iter().find_map(|own| match own {
            RowTest::Not(inner) => match &**inner {
                RowTest::Has(paths) => Some(paths.as_slice()),
                _ => None,
            },
            _ => None,
        });
        let given = conditions.iter().find_map(|own| match own {
            RowTest::Has(paths) => Some(paths.as_slice()),
            _ => None,
        });
        lacks.map_or(Forbidden::Itself, |paths| Forbidden::Lacks(paths, given))
    }
}

/// Whether it says that there is no text in the element.
fn is_blank(condition: &RowTest) -> bool {
    let RowTest::Not(inner) = condition else { return false };
    matches!(&**inner, RowTest::Isnt(_, values, _) if values.as_slice() == [""])
}
