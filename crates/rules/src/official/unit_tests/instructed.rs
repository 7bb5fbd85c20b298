//! Documents with instructions how to change them, and which rules each change breaks.

use quoin_xml::schematron::mutation::{Mutation, mutations};
use quoin_xml::schematron::testset::rule_of;
use quoin_xml::schematron::{RunOptions, SchematronSchema};

use super::UnitTestRunner;

/// What such a document has in it.
const INSTRUCTION: &[u8] = b"<?xmute";

impl UnitTestRunner<'_> {
    /// How many changes are about rules of the files, and what is not as expected; `None` where
    /// the document has no such change.
    pub(super) fn instructed(
        &mut self,
        bytes: &[u8],
        mains: &[String],
    ) -> Option<(usize, Vec<String>)> {
        bytes.windows(INSTRUCTION.len()).find(|own| *own == INSTRUCTION)?;
        let all = match mutations(bytes) {
            Ok(all) => all,
            Err(error) => return Some((0, vec![error.to_string()])),
        };
        let mut wrong = Vec::new();
        for source in mains {
            if let Err(error) = self.schema(source) {
                wrong.push(error.clone());
            }
        }
        let schemas = mains.iter().filter_map(|source| self.schemas.get(source)?.as_ref().ok());
        let schemas: Vec<&SchematronSchema> = schemas.collect();
        let counted = all.iter().filter(|one| judge(one, &schemas, &mut wrong)).count();
        (counted > 0 || !wrong.is_empty()).then_some((counted, wrong))
    }
}

/// Judges a changed document; whether it is about rules that the files have.
fn judge(one: &Mutation, schemas: &[&SchematronSchema], wrong: &mut Vec<String>) -> bool {
    let valid = one.valid.iter().map(|(_, rule)| (rule, false));
    let expected = valid.chain(one.invalid.iter().map(|(_, rule)| (rule, true)));
    let mut is_about = false;
    for (rule, breaks) in expected {
        let has = |schema: &&&SchematronSchema| {
            schema.checks().any(|check| check.id.as_deref() == Some(rule.as_str()))
        };
        let having: Vec<&&SchematronSchema> = schemas.iter().filter(has).collect();
        if having.is_empty() {
            continue;
        }
        is_about = true;
        let broken = having.iter().any(|schema| {
            let outcome = schema.validate(&one.document, &RunOptions::default());
            outcome.fired.iter().any(|fired| rule_of(fired) == rule)
        });
        if broken != breaks {
            let place = format!("change {} of line {}", one.name, one.position.line);
            let verb = if breaks { "broken, and it holds" } else { "kept, and it is broken" };
            wrong.push(format!("{place}: {rule}: expected to be {verb}"));
        }
    }
    is_about
}
