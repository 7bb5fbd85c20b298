//! What an organisation used of its package, and what the package allows (interface specification
//! 1 and 8).

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use quoin_delivery::{BillingPackage, Family, OrganisationId, is_billable};
use quoin_formats::convert::ConversionRequest;
use quoin_model::text::quoted;
use quoin_peppol::identifiers::DocumentTypeId;
use quoin_store::{ChannelUsageLine, Error, Refusal, TransactionRecord, UsageLine, usage::month};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, OfRole, Queried};
use crate::http::sentences::ProblemDetail;
use crate::http::{Caller, Problem, codes, sentences};

use super::conversion::WantedFormat;
use super::rights::{Right, whole};
use super::upload::{NewUpload, is_taken};
use super::{Api, format};

/// Which months to tell of.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct UsageQuery {
    /// The first month, `2026-01`; this month unless told otherwise, or `to` where that is earlier.
    #[cfg_attr(test, param(example = "2026-01", pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$"))]
    from: Option<String>,
    /// The last month; this month unless told otherwise, or `from` where that is after it.
    #[cfg_attr(test, param(example = "2026-03", pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$"))]
    to: Option<String>,
}

/// The package of an organisation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PackageView {
    /// Its name.
    #[cfg_attr(test, schema(example = "10K"))]
    pub name: String,
    /// Billable documents in a month; absent where there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = 10000))]
    pub documents: Option<u64>,
    /// How many more billable documents fit into this month; absent where there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = 9983))]
    pub left: Option<u64>,
    /// Whether formats are converted on the way.
    pub transformation: bool,
}

/// What was used.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Usage {
    /// The package.
    pub package: PackageView,
    /// The months with documents, the oldest first.
    pub months: Vec<MonthOfUse>,
}

/// A month.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct MonthOfUse {
    /// Which one, in UTC.
    #[cfg_attr(test, schema(example = "2026-05"))]
    pub month: String,
    /// Documents that are paid for.
    #[cfg_attr(test, schema(example = 17))]
    pub billable: u64,
    /// Statuses and reports, which are part of the price of the documents.
    #[cfg_attr(test, schema(example = 9))]
    pub free: u64,
    /// The same by direction and family.
    pub documents: Vec<UseOfFamily>,
    /// What was sent, by channel and family.
    pub channels: Vec<UseOfChannel>,
}

/// The documents of a family that were sent over a channel.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UseOfChannel {
    /// The channel, as its protocol names it.
    #[cfg_attr(test, schema(example = "Https"))]
    pub protocol: String,
    /// The family.
    #[cfg_attr(test, schema(example = "Invoice"))]
    pub family: String,
    /// How many.
    #[cfg_attr(test, schema(example = 5))]
    pub count: u64,
    /// Their size together.
    #[cfg_attr(test, schema(example = 33057))]
    pub bytes: u64,
}

/// The documents of a family, going one way.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UseOfFamily {
    /// `outgoing` or `incoming`.
    #[cfg_attr(test, schema(example = "outgoing"))]
    pub direction: String,
    /// The family.
    #[cfg_attr(test, schema(example = "Invoice"))]
    pub family: String,
    /// Whether they are paid for.
    pub is_billable: bool,
    /// How many.
    #[cfg_attr(test, schema(example = 17))]
    pub count: u64,
    /// Their size together.
    #[cfg_attr(test, schema(example = 112394))]
    pub bytes: u64,
}

/// The months that are asked for. Who names one end only asks for what is between it and the
/// present month.
fn period(query: UsageQuery, present: String) -> Result<(String, String), Problem> {
    let given = |name: &str, text: Option<String>| match text {
        None => Ok(None),
        Some(text) if is_month(&text) => Ok(Some(text)),
        Some(text) => {
            let detail = format!(
                "{name} is {text}, expected a month such as 2026-05",
                text = quoted(&text, 20)
            );
            Err(Problem::new(&codes::BAD_QUERY, detail))
        }
    };
    let (from, to) = match (given("from", query.from)?, given("to", query.to)?) {
        (Some(from), Some(to)) => (from, to),
        (Some(from), None) => (from.clone(), present.max(from)),
        (None, Some(to)) => (present.min(to.clone()), to),
        (None, None) => (present.clone(), present),
    };
    super::paging::period(&from, &to)?;
    Ok((from, to))
}

/// Tells what the organisation of the caller used: documents by month, and its package. A document
/// counts in the month in which it was delivered or arrived; what failed does not count. It is for
/// managers, and for clients that may send and receive for all parties.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/usage", tag = "me",
    params(UsageQuery),
    responses(
        (status = 200, description = "What was used.", body = Usage),
        Called,
        OfRole,
        Queried,
    ),
    security(("token" = []))
))]
pub(crate) async fn usage(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<UsageQuery>,
) -> Result<Json<Usage>, Problem> {
    let owner = whole(&api, &caller, &[Right::Send, Right::Receive]).await?;
    let now = api.clock.now();
    let period = period(query, month(now))?;
    let (package, used) = package_of(&api, &owner, now).await?;
    let lines = api.store.usage(&owner, period.clone()).await?;
    let sent = api.store.usage_of_channels(&owner, period).await?;
    Ok(Json(Usage { package: view(&package, used), months: months(lines, sent) }))
}

/// The package of an organisation, and the billable documents of this month. A package that the
/// configuration no longer knows holds nobody back.
async fn package_of(
    api: &Api,
    owner: &OrganisationId,
    now: Timestamp,
) -> Result<(BillingPackage, u64), Problem> {
    let (name, used) = api.store.package_of(owner, now).await?;
    let Some(name) = name else { return Ok((BillingPackage::without(), used)) };
    let known = api.settings.packages.named(&name).cloned();
    let package = known.unwrap_or_else(|| {
        tracing::warn!(organisation = %owner, package = name, "the package is not configured");
        BillingPackage { name, ..BillingPackage::without() }
    });
    Ok((package, used))
}

fn is_month(text: &str) -> bool {
    text.len() == 7 && format!("{text}-01").parse::<jiff::civil::Date>().is_ok()
}

fn view(package: &BillingPackage, used: u64) -> PackageView {
    PackageView {
        name: package.name.clone(),
        documents: package.documents,
        left: package.documents.map(|limit| limit.saturating_sub(used)),
        transformation: package.transformation,
    }
}

fn months(lines: Vec<UsageLine>, sent: Vec<ChannelUsageLine>) -> Vec<MonthOfUse> {
    let mut months: BTreeMap<String, MonthOfUse> = BTreeMap::new();
    for line in lines {
        let month = months.entry(line.month.clone()).or_default();
        month.month = line.month;
        let sum = if line.is_billable { &mut month.billable } else { &mut month.free };
        *sum += line.documents;
        month.documents.push(UseOfFamily {
            direction: line.direction.as_str().to_owned(),
            family: line.family.row().name.to_owned(),
            is_billable: line.is_billable,
            count: line.documents,
            bytes: line.bytes,
        });
    }
    for line in sent {
        let month = months.entry(line.month.clone()).or_default();
        month.month = line.month;
        month.channels.push(UseOfChannel {
            protocol: line.protocol,
            family: line.family.row().name.to_owned(),
            count: line.documents,
            bytes: line.bytes,
        });
    }
    months.into_values().collect()
}

/// Asks whether another document fits into the package of its organisation. One that was taken
/// before needs no room: its repeat is told as such.
///
/// # Errors
/// API403.Package.
pub(super) async fn check_room(
    api: &Api,
    parcel: &NewUpload,
) -> Result<Option<BillingPackage>, Problem> {
    if !is_billable(parcel.family, None) {
        return Ok(None);
    }
    let now = api.clock.now();
    let (package, used) = package_of(api, &parcel.party.organisation, now).await?;
    if package.has_room(used) || is_taken(api, &parcel.party, &parcel.document_id).await? {
        return Ok(Some(package));
    }
    Err(full(&package, used, now))
}

/// Why a document would not be taken now, where the package of an organisation has no room for it.
///
/// # Errors
/// A fault.
pub(super) async fn no_room(
    api: &Api,
    owner: &OrganisationId,
    family: Family,
) -> Result<Option<String>, Problem> {
    let now = api.clock.now();
    let (package, used) = package_of(api, owner, now).await?;
    let is_full = is_billable(family, None) && !package.has_room(used);
    Ok(is_full.then(|| full_in(&package, used, now).to_string()))
}

/// What is told where the package is full.
fn full(package: &BillingPackage, used: u64, now: Timestamp) -> Problem {
    Problem::new(&codes::PACKAGE, full_in(package, used, now))
}

fn full_in(package: &BillingPackage, used: u64, now: Timestamp) -> ProblemDetail {
    sentences::PACKAGE_FULL.with([
        ("package", &package.name),
        ("most", &package.documents.unwrap_or_default()),
        ("used", &used),
        ("month", &month(now)),
    ])
}

/// What the store refused, in the words of the package that it does not fit into.
pub(super) fn refused(api: &Api, package: Option<&BillingPackage>, error: Error) -> Problem {
    match (error, package) {
        (Error::Refusal(Refusal::PackageFull { used }), Some(package)) => {
            full(package, used, api.clock.now())
        }
        (error, _) => error.into(),
    }
}

/// The format that a document is asked for in; `None` where it has that already.
///
/// # Errors
/// API400.Query for what is no document type, API403.Package where conversion is not part of the
/// package, API400.Conversion where there is none.
pub(super) async fn wanted_format(
    api: &Api,
    found: &TransactionRecord,
    target: Option<&str>,
) -> Result<Option<WantedFormat>, Problem> {
    let own = found.transaction.source_document_type.as_deref();
    let known: Option<DocumentTypeId> = own.and_then(|own| own.parse().ok());
    let Some(wanted) = target.filter(|text| !format::is(known.as_ref(), text)) else {
        return Ok(None);
    };
    if !format::is_customization(wanted) && ConversionRequest::named(wanted).is_none() {
        format::document_type(wanted).map_err(|error| {
            let names: Vec<&str> = ConversionRequest::names().map(|(name, _)| name).collect();
            let detail = format!(
                "targetDocumentTypeId: expected a document type identifier, a specification \
                 identifier (BT-24) or a format ({names}); as the first, {error}",
                names = names.join(", ")
            );
            Problem::new(&codes::BAD_QUERY, detail)
        })?;
    }
    check_package(api, found.transaction.organisation.as_str()).await?;
    let wanted = WantedFormat::named(wanted, None)?;
    Ok(Some(wanted))
}

/// Asks whether the package of an organisation has conversion.
///
/// # Errors
/// API403.Package.
pub(super) async fn check_package(api: &Api, organisation: &str) -> Result<(), Problem> {
    let refused = no_conversion(api, organisation).await?;
    refused.map_or(Ok(()), |detail| Err(Problem::new(&codes::PACKAGE, detail)))
}

/// Why the package of an organisation has no conversion, where it has none.
///
/// # Errors
/// A fault.
pub(super) async fn no_conversion(
    api: &Api,
    organisation: &str,
) -> Result<Option<String>, Problem> {
    let owner: OrganisationId = organisation.parse().map_err(Problem::fault)?;
    let (package, _) = package_of(api, &owner, api.clock.now()).await?;
    if package.transformation {
        return Ok(None);
    }
    let least = api.settings.packages.with_transformation();
    let least = least.map_or("none of the packages", |package| &package.name);
    let detail = format!(
        "conversion of formats is part of the package {least} and above, the organisation has {}",
        package.name
    );
    Ok(Some(detail))
}
