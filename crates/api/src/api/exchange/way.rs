//! Which way documents go, and of which family they are, in the list of documents of any kind.

use quoin_delivery::topics::FAMILIES;
use quoin_delivery::{Direction, Family};
use quoin_model::text::quoted;
use serde::Deserialize;
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::api::documents::{ANY_RECEIVED, ANY_SENT, Side};
use crate::http::{Problem, codes};

/// The names of the parameters.
pub(super) const DIRECTION: &str = "direction";
pub(super) const FAMILY: &str = "family";

/// Which way the documents go.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct WayQuery {
    /// `incoming` or `outgoing`; `incoming` unless told otherwise.
    #[cfg_attr(test, param(value_type = Option<DirectionName>, example = "incoming"))]
    pub(super) direction: Option<String>,
    /// Only those of this family: `Invoice`, `InvoiceResponse`, `Order`, `MessageLevelStatus`,
    /// `TaxReport`, `Document`.
    #[cfg_attr(test, param(value_type = Option<FamilyName>, example = "Order"))]
    pub(super) family: Option<String>,
}

/// A direction, for the description of the interface.
#[cfg(test)]
#[cfg_attr(test, derive(ToSchema))]
#[cfg_attr(test, schema(rename_all = "lowercase"))]
#[expect(dead_code, reason = "describes a text")]
pub(crate) enum DirectionName {
    Incoming,
    Outgoing,
}

/// A family, for the description of the interface.
#[cfg(test)]
#[cfg_attr(test, derive(ToSchema))]
#[expect(dead_code, reason = "describes a text")]
pub(crate) enum FamilyName {
    Invoice,
    InvoiceResponse,
    Order,
    MessageLevelStatus,
    TaxReport,
    Document,
}

impl WayQuery {
    /// The side on which the documents are.
    pub(super) fn side(&self) -> Result<Side, Problem> {
        let bad = |detail: String| Problem::new(&codes::BAD_QUERY, detail);
        let side = match self.direction.as_deref().map(Direction::named) {
            None | Some(Some(Direction::Incoming)) => ANY_RECEIVED,
            Some(Some(Direction::Outgoing)) => ANY_SENT,
            Some(None) => {
                let found = quoted(self.direction.as_deref().unwrap_or_default(), 40);
                return Err(bad(format!("direction is {found}, expected incoming or outgoing")));
            }
        };
        let family = self.family.as_deref().map(|name| {
            Family::named(name).ok_or_else(|| {
                let known: Vec<&str> = FAMILIES.iter().map(|row| row.name).collect();
                let known = known.join(", ");
                bad(format!(
                    "there is no family {name}, expected one of {known}",
                    name = quoted(name, 40)
                ))
            })
        });
        Ok(Side { family: family.transpose()?, ..side })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_described_and_an_unknown_one_is_told_which_there_are() {
        let described = serde_json::to_value(<FamilyName as utoipa::PartialSchema>::schema());
        let names: Vec<&str> = FAMILIES.iter().map(|row| row.name).collect();
        assert_eq!(described.unwrap()["enum"], serde_json::json!(names));
        let way = WayQuery { direction: Some("both".to_owned()), family: None };
        let told = way.side().unwrap_err().detail.to_string();
        assert_eq!(told, "direction is \"both\", expected incoming or outgoing");
        let way = WayQuery { direction: None, family: Some("Post".to_owned()) };
        let told = way.side().unwrap_err().detail.to_string();
        assert!(names.iter().all(|name| told.contains(name)), "{told}");
    }
}
