//! What keeps a row and what breaks it, where that is short.

use super::super::notation::{Axis, Name, Path, Test};
use super::Asked;

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

impl Asked<'_> {
    /// An example, where the test is as simple as that.
    pub fn example(&self) -> Option<Example> {
        self.example_of(&self.row.test)
    }

    fn example_of(&self, test: &Test) -> Option<Example> {
        let both = |paths: &[Path], holds: String, breaks: String| {
            let path = paths.first()?;
            let (holds, breaks) = (self.xml(path, &holds)?, self.xml(path, &breaks)?);
            Some(Example { holds: Some(holds), breaks: Some(breaks) })
        };
        match test {
            Test::Never => {
                let name = Some(self.element()).filter(|name| !name.contains('*'))?;
                Some(Example { holds: None, breaks: Some(format!("<{name}>…</{name}>")) })
            }
            Test::Not(inner) => match &**inner {
                Test::Has(paths) => {
                    let breaks = self.xml(paths.first()?, "…");
                    breaks.map(|breaks| Example { holds: None, breaks: Some(breaks) })
                }
                _ => None,
            },
            Test::Decimals(most, paths) => {
                let digits = |number| "5".repeat(number);
                let most = *most as usize;
                let point = if most > 0 { "." } else { "" };
                let holds = format!("12{point}{}", digits(most));
                both(paths, holds, format!("12.{}", digits(most + 1)))
            }
            Test::Date(paths) => both(paths, "2026-05-18".to_owned(), "18-05-2026".to_owned()),
            Test::Is(_, values, paths) => {
                let holds = self.xml(paths.first()?, values.first()?)?;
                Some(Example { holds: Some(holds), breaks: None })
            }
            Test::In(_, list, paths) => {
                let holds = self.xml(paths.first()?, list.0.codes().next()?)?;
                Some(Example { holds: Some(holds), breaks: None })
            }
            Test::Isnt(_, values, paths) if values.as_slice() == [""] => {
                both(paths, "…".to_owned(), String::new())
            }
            Test::Or(parts) => match parts.as_slice() {
                [Test::Not(_), rest] => self.example_of(rest),
                _ => None,
            },
            _ => None,
        }
    }

    /// A value at the end of a path, where that is one named element or attribute.
    fn xml(&self, path: &Path, value: &str) -> Option<String> {
        let last = path.steps.iter().rfind(|step| {
            !matches!(step.axis, Axis::Text)
                && (step.axis != Axis::Itself || step.name != Name::Any)
        });
        let (is_attribute, name) = match last {
            Some(step) => (
                matches!(step.axis, Axis::Attribute | Axis::DescendantAttribute),
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
