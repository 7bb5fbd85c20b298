//! What keeps a row and what breaks it, where that is short.

use super::super::notation::{NameTest, RowTest, TableAxis, TablePath};
use super::RowInRule;

/// What keeps a row and what breaks it, as XML.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    /// This is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
    /// This is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaks: Option<String>,
}

impl RowInRule<'_> {
    /// An example, where the test is as simple as that.
    pub fn example(&self) -> Option<Example> {
        self.example_of(&self.row.test)
    }

    fn example_of(&self, test: &RowTest) -> Option<Example> {
        let both = |paths: &[TablePath], holds: String, breaks: String| {
            let path = paths.first()?;
            let (holds, breaks) = (self.xml(path, &holds)?, self.xml(path, &breaks)?);
            Some(Example { holds: Some(holds), breaks: Some(breaks) })
        };
        match test {
            RowTest::Never => {
                let name = Some(self.element()).filter(|name| !name.contains('*'))?;
                Some(Example { holds: None, breaks: Some(format!("<{name}>…</{name}>")) })
            }
            RowTest::Not(inner) => match &**inner {
                RowTest::Has(paths) => {
                    let breaks = self.xml(paths.first()?, "…");
                    breaks.map(|breaks| Example { holds: None, breaks: Some(breaks) })
                }
                _ => None,
            },
            RowTest::Decimals(most, paths) => {
                let digits = |number| "5".repeat(number);
                let most = *most as usize;
                let point = if most > 0 { "." } else { "" };
                let holds = format!("12{point}{}", digits(most));
                both(paths, holds, format!("12.{}", digits(most + 1)))
            }
            RowTest::Date(paths) => both(paths, "2026-05-18".to_owned(), "18-05-2026".to_owned()),
            RowTest::Is(_, values, paths) => {
                let holds = self.xml(paths.first()?, values.first()?)?;
                Some(Example { holds: Some(holds), breaks: None })
            }
            RowTest::In(_, list, paths) => {
                let holds = self.xml(paths.first()?, list.0.codes().next()?)?;
                Some(Example { holds: Some(holds), breaks: None })
            }
            RowTest::Isnt(_, values, paths) if values.as_slice() == [""] => {
                both(paths, "…".to_owned(), String::new())
            }
            RowTest::Or(parts) => match parts.as_slice() {
                [RowTest::Not(_), rest] => self.example_of(rest),
                _ => None,
            },
            _ => None,
        }
    }

    /// A value at the end of a path, where that is one named element or attribute.
    fn xml(&self, path: &TablePath, value: &str) -> Option<String> {
        let last = path.steps.iter().rfind(|step| {
            !matches!(step.axis, TableAxis::Text)
                && (step.axis != TableAxis::Itself || step.name != NameTest::Any)
        });
        let (is_attribute, name) = match last {
            Some(step) => (
                matches!(step.axis, TableAxis::Attribute | TableAxis::DescendantAttribute),
                self.name(step.name),
            ),
            None => (false, self.element()),
        };
        let value = value.replace('&', "&amp;").replace('<', "&lt;");
        match (is_attribute, name.contains('*')) {
            (_, true) => None,
            (true, _) => Some(format!("{name}=\"{}\"", value.replace('"', "&quot;"))),
            (false, _) if value.is_empty() => Some(format!("<{name}/>")),
            (false, _) => Some(format!("<{name}>{value}</{name}>")),
        }
    }
}
