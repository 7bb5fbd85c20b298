//! How much of a month was in time: the service levels of Message Level Statuses.

use axum::Json;
use axum::extract::State;
use quoin_delivery::reporting::Month;
use quoin_delivery::service_level::{Figures, Level, PAYLOAD_LIMIT, TARGET};
use quoin_store::LevelCount;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, OfRole, Queried};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::rights::{Right, whole};

/// Which month to tell of.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct MonthQuery {
    /// The month in UTC, `2026-11`; this month unless told otherwise.
    #[cfg_attr(test, param(example = "2026-11", pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$"))]
    month: Option<String>,
}

/// The service levels of a month.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(example = json!({
    "month": "2026-11",
    "allOrganisations": false,
    "levels": [{
        "level": "mls-received", "limitMinutes": 25, "targetPercent": 99.5,
        "payloadBelowBytes": 10000000,
        "total": { "due": 2, "inTime": 1, "late": 1, "open": 0, "percent": 50.0, "isMet": false },
        "providers": [{
            "provider": "POP000002",
            "figures": {
                "due": 2, "inTime": 1, "late": 1, "open": 0, "percent": 50.0, "isMet": false
            }
        }]
    }]
})))]
pub(super) struct ServiceLevels {
    /// The month in UTC.
    #[cfg_attr(test, schema(example = "2026-11"))]
    pub month: String,
    /// Whether these are the figures of the whole service, which only the provider is told.
    pub all_organisations: bool,
    /// Each level.
    pub levels: Vec<LevelView>,
}

/// A service level.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct LevelView {
    /// `mls-sent`: statuses that we owe left in time. `mls-received`: those that we await arrived
    /// in time.
    #[cfg_attr(test, schema(example = "mls-received"))]
    pub level: &'static str,
    /// Minutes from the time in the message that carried the document.
    #[cfg_attr(test, schema(example = 25))]
    pub limit_minutes: i64,
    /// The share of a month that has to be in time.
    #[cfg_attr(test, schema(example = 99.5))]
    pub target_percent: f64,
    /// Documents from this size on do not count, envelope included.
    #[cfg_attr(test, schema(example = 10_000_000))]
    pub payload_below_bytes: u64,
    /// All providers together.
    pub total: FiguresView,
    /// One provider after the other.
    pub providers: Vec<ProviderLevel>,
}

/// The figures with one provider.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct ProviderLevel {
    /// Its seat id.
    #[cfg_attr(test, schema(example = "POP000002"))]
    pub provider: String,
    /// The figures.
    pub figures: FiguresView,
}

/// Figures of a month.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct FiguresView {
    /// Statuses that were due.
    #[cfg_attr(test, schema(example = 2))]
    pub due: u64,
    /// Those in time.
    #[cfg_attr(test, schema(example = 1))]
    pub in_time: u64,
    /// Those too late, or missing after their limit.
    #[cfg_attr(test, schema(example = 1))]
    pub late: u64,
    /// Those whose time is still running.
    #[cfg_attr(test, schema(example = 0))]
    pub open: u64,
    /// The share in time of those that are decided; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = 50.0))]
    pub percent: Option<f64>,
    /// Whether the target is met so far.
    pub is_met: bool,
}

impl From<Figures> for FiguresView {
    fn from(figures: Figures) -> FiguresView {
        let Figures { due, in_time, late } = figures;
        let (percent, is_met) = (figures.share(), figures.is_met());
        FiguresView { due, in_time, late, open: figures.open(), percent, is_met }
    }
}

/// A month in a query; this month where none is given.
///
/// # Errors
/// API400.Query.
pub(super) fn month(api: &Api, name: &str, text: Option<&str>) -> Result<Month, Problem> {
    match text {
        None => Ok(Month::of(api.clock.now())),
        Some(text) => text
            .parse()
            .map_err(|error| Problem::new(&codes::BAD_QUERY, format!("{name}: {error}"))),
    }
}

/// Tells how many Message Level Statuses of a month were in time, by provider. An organisation sees
/// its own documents; the provider sees those of all, without telling whose they are. It is for
/// managers, and for clients that may send and receive for all parties.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/serviceLevels", tag = "me",
    params(MonthQuery),
    responses(
        (status = 200, description = "The levels.", body = ServiceLevels),
        Called,
        OfRole,
        Queried,
    ),
    security(("token" = []))
))]
pub(crate) async fn of_month(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<MonthQuery>,
) -> Result<Json<ServiceLevels>, Problem> {
    let owner = whole(&api, &caller, &[Right::Send, Right::Receive]).await?;
    let month = month(&api, "month", query.month.as_deref())?;
    let provider = api.settings.provider.as_ref();
    let all = provider.is_some_and(|provider| provider.organisation == owner);
    let only = (!all).then_some(&owner);
    let counts = api.store.service_levels(month, only, api.clock.now()).await?;
    Ok(Json(ServiceLevels {
        month: month.to_string(),
        all_organisations: all,
        levels: Level::ALL.into_iter().map(|level| view(level, &counts)).collect(),
    }))
}

fn view(level: Level, counts: &[LevelCount]) -> LevelView {
    let of_level = || counts.iter().filter(|count| count.level == level);
    let total = of_level().fold(Figures::default(), |sum, count| Figures {
        due: sum.due + count.figures.due,
        in_time: sum.in_time + count.figures.in_time,
        late: sum.late + count.figures.late,
    });
    let provider = |count: &LevelCount| ProviderLevel {
        provider: count.provider.clone(),
        figures: count.figures.into(),
    };
    LevelView {
        level: level.as_str(),
        limit_minutes: level.limit().as_mins(),
        target_percent: TARGET as f64 / 10.0,
        payload_below_bytes: PAYLOAD_LIMIT,
        total: total.into(),
        providers: of_level().map(provider).collect(),
    }
}
