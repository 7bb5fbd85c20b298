//! The parameters behind a path, with a code of our own for what is wrong with them. Their names
//! are taken in any case, as the clients of this interface family are used to.

use axum::extract::FromRequestParts;
use axum::extract::Query as Inner;
use axum::http::Uri;
use axum::http::request::Parts;
use quoin_model::text::quoted;
use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

use super::codes;
use super::problem::Problem;

/// The parameters of a request, read into a type.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Query<T>(pub T);

/// Parameters that are taken beside a type: name and value, in their order.
pub(crate) type GivenBeside = Vec<(&'static str, String)>;

impl<T: DeserializeOwned> Query<T> {
    /// Reads parameters as they stand behind a path.
    ///
    /// # Errors
    /// API400.Query.
    pub(crate) fn read(text: &str) -> Result<Query<T>, Problem> {
        let bad = |detail: String| Problem::new(&codes::BAD_QUERY, detail);
        let text = spelled(text, names::<T>());
        let uri: Uri = format!("/?{text}").parse().map_err(|error| bad(format!("{error}")))?;
        let read = Inner::<T>::try_from_uri(&uri);
        // The framework's own words begin with what it tried to do; the cause stands behind.
        let cause = |text: &str| text.split_once(": ").map_or(text, |(_, cause)| cause).to_owned();
        read.map(|Inner(value)| Query(value))
            .map_err(|error| bad(in_our_words(cause(&error.body_text()), &text)))
    }

    /// Reads parameters of which some are taken beside the type: answers those as well, by their
    /// names as they are known.
    ///
    /// # Errors
    /// API400.Query, which names what may be given, of both.
    pub(crate) fn read_beside(
        text: &str,
        beside: &[&'static str],
    ) -> Result<(Query<T>, GivenBeside), Problem> {
        let mut own = Vec::new();
        let mut rest = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in url::form_urlencoded::parse(text.as_bytes()) {
            match known(&name, beside) {
                Some(name) => own.push((name, value.into_owned())),
                None => _ = rest.append_pair(&name, &value),
            }
        }
        let rest = rest.finish();
        let names = [names::<T>(), beside].concat();
        let mut given = url::form_urlencoded::parse(rest.as_bytes());
        if let Some((wrong, _)) = given.find(|(name, _)| known(name, &names).is_none()) {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let names = names.join(", ");
            let detail = format!("unknown field `{wrong:.40}`, expected one of {names}");
            return Err(Problem::new(&codes::BAD_QUERY, detail));
        }
        Ok((Query::read(&rest)?, own))
    }
}

/// The parameters of what has none: any that is given is refused, so that nobody takes a list for
/// the part of it that he asked for.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoQuery {}

/// An extension of a request whose operation takes no parameters: they are refused once it is known
/// who calls.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoParameters;

/// What the standard library says of a text that is no whole number of the size.
const NO_NUMBER: &[&str] = &[
    "invalid digit found in string",
    "cannot parse integer from empty string",
    "number too large to fit in target type",
    "number too small to fit in target type",
];

/// What is wrong with a parameter (`NAME: WHY`), with what was expected and found.
fn in_our_words(cause: String, query: &str) -> String {
    let Some((name, why)) = cause.split_once(": ") else { return cause };
    if !NO_NUMBER.contains(&why) {
        return cause;
    }
    let found = url::form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name);
    let found = found.map(|(_, value)| value.into_owned()).unwrap_or_default();
    format!("{name}: expected a whole number, found {found}", found = quoted(&found, 60))
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, Problem> {
        Query::read(parts.uri.query().unwrap_or_default())
    }
}

/// The names of the parameters that a type has.
fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut found: &[&str] = &[];
    // It always fails, once it was told the names.
    let _ = T::deserialize(FieldNames(&mut found));
    found
}

/// Notes the names of a type that is to be read, and reads nothing.
struct FieldNames<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("nothing is read"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A parameter as it is known, whatever the case in which it is named.
pub(crate) fn known<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let exact = known.iter().find(|known| **known == name);
    exact.or_else(|| known.iter().find(|known| known.eq_ignore_ascii_case(name))).copied()
}

/// Parameters with their names as they are known; others stay as they are.
fn spelled(text: &str, names: &[&str]) -> String {
    let part = |part: &str| {
        let (name, value) = part.split_once('=').map_or((part, None), |(n, v)| (n, Some(v)));
        let name = known(name, names).unwrap_or(name);
        value.map_or_else(|| name.to_owned(), |value| format!("{name}={value}"))
    };
    text.split('&').map(part).collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Asked {
        page_size: Option<u32>,
        #[serde(alias = "targetFormat")]
        target_type: Option<String>,
    }

    #[test]
    fn names_are_taken_in_any_case_and_values_as_they_are() {
        let wanted = Asked { page_size: Some(7), target_type: Some("A=b&C".to_owned()) };
        for text in [
            "pageSize=7&targetType=A%3Db%26C",
            "PageSize=7&TARGETTYPE=A=b%26C",
            "pagesize=7&TargetFormat=A%3Db%26C",
        ] {
            assert_eq!(Query::<Asked>::read(text).unwrap().0, wanted, "{text}");
        }
        for text in ["page_size=7", "size=7", "pageSize=x", "pageSize=7&PAGESIZE=8"] {
            assert_eq!(Query::<Asked>::read(text).unwrap_err().code.id, "API400.Query", "{text}");
        }
        let told = Query::<Asked>::read("pageSize=ab%63").unwrap_err().detail.to_string();
        assert_eq!(told, "pageSize: expected a whole number, found \"abc\"");
        let refused = Query::<NoQuery>::read("limit=1").unwrap_err();
        assert_eq!(refused.code.id, "API400.Query");
        assert!(refused.detail.to_string().contains("limit"), "{}", refused.detail);
        let nothing = Asked { page_size: None, target_type: None };
        assert_eq!(Query::<Asked>::read("").unwrap().0, nothing);
    }

    #[test]
    fn what_is_taken_beside_a_type_is_named_with_it() {
        let read = |text| Query::<Asked>::read_beside(text, &["direction", "family"]);
        let (Query(asked), own) = read("DIRECTION=out&pagesize=7&family=A%26B").unwrap();
        assert_eq!(asked, Asked { page_size: Some(7), target_type: None });
        let expected = [("direction", "out".to_owned()), ("family", "A&B".to_owned())];
        assert_eq!(own, expected);
        let refused = read("direction=out&kind=x").unwrap_err();
        let told = refused.detail.to_string();
        assert_eq!(refused.code.id, "API400.Query");
        for name in ["`kind`", "`pageSize`", "`targetType`", "`direction`", "`family`"] {
            assert!(told.contains(name), "{told}");
        }
        assert!(read("pageSize=x").is_err());
    }
}
