//! The statistics reports of the provider, made from what was exchanged in a month. The worker
//! sends them, the interface shows them, and the command line writes them to files; all three get
//! the same bytes.

use quoin_delivery::mls;
use quoin_delivery::reporting::{Month, ReportKind};
use quoin_delivery::{Direction, DocumentId, Family};
use quoin_formats::statistics::{
    Dataset, EndUserLine, ExchangeDirection, ReportScope, TransactionLine, end_user_statistics,
    transaction_statistics,
};
use quoin_peppol::countries::is_country;
use quoin_store::{ExchangeCount, ExchangeUser, ReportDocument, ReportKey, Store, SubmitOptions};
use uuid::Uuid;

use crate::provider::Provider;

/// Why a report cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] quoin_store::Error),
    /// Message ids cannot be made.
    #[error(transparent)]
    Id(#[from] quoin_delivery::IdError),
    /// Reports are not sent by this installation.
    #[error("statistics reports are switched off: set reports = true in [provider]")]
    Off,
}

/// The report about a month, from the log as it is now.
///
/// # Errors
/// Those of the store.
pub async fn write(
    store: &Store,
    provider: &Provider,
    key: ReportKey,
) -> Result<String, quoin_store::Error> {
    let ReportKey { month, kind } = key;
    let covered = covered(provider, month);
    Ok(match kind {
        ReportKind::Transactions => {
            let lines: Vec<TransactionLine> =
                store.exchange_counts(month).await?.into_iter().map(transactions).collect();
            transaction_statistics(&covered, &lines)
        }
        ReportKind::EndUsers => {
            let country = provider.country.as_str();
            let users = store.exchange_users(month).await?.into_iter();
            let lines: Vec<EndUserLine> = users
                .filter(|user| is_of_an_end_user(&user.document_type))
                .map(|user| end_user(user, country))
                .collect();
            end_user_statistics(&covered, &lines)
        }
    })
}

/// The report as a document that is sent from the provider to whoever collects reports.
///
/// # Errors
/// [`ReportError`].
pub async fn document(
    store: &Store,
    provider: &Provider,
    key: ReportKey,
    now: jiff::Timestamp,
) -> Result<ReportDocument, ReportError> {
    let (sender, receiver) = provider.reports.clone().ok_or(ReportError::Off)?;
    let text = write(store, provider, key).await?;
    // Each run is a document of its own: the last one that arrives in time counts.
    let id = DocumentId::from_uuid(Uuid::now_v7());
    let owner = (&provider.organisation, provider.id.as_str());
    let document = provider.outgoing(owner, id, Family::Document, text, now)?;
    let wishes = SubmitOptions {
        sender: Some(sender.to_string()),
        receiver: Some(receiver.to_string()),
        ..SubmitOptions::default()
    };
    Ok(ReportDocument { document, wishes })
}

fn covered(provider: &Provider, month: Month) -> ReportScope {
    let reporter = provider.seat.to_string();
    ReportScope { first: month.first(), last: month.last(), reporter }
}

/// Statuses between providers are transactions, and not those of an end user.
fn is_of_an_end_user(document_type: &str) -> bool {
    document_type.parse().map_or(true, |id| mls::is_answered(&id))
}

fn way(direction: Direction) -> ExchangeDirection {
    match direction {
        Direction::Incoming => ExchangeDirection::Incoming,
        Direction::Outgoing => ExchangeDirection::Outgoing,
    }
}

fn dataset(document_type: &str, process: &str) -> Dataset {
    let split = |text: &str| match text.split_once("::") {
        Some((scheme, value)) => (scheme.to_owned(), value.to_owned()),
        None => (String::new(), text.to_owned()),
    };
    let (document_scheme, document_type) = split(document_type);
    let (process_scheme, process) = split(process);
    Dataset { document_scheme, document_type, process_scheme, process }
}

/// A code that is no country, which an older release took, is told as an unknown one: it must not
/// keep the whole report from being valid.
fn transactions(count: ExchangeCount) -> TransactionLine {
    TransactionLine {
        way: way(count.direction),
        dataset: dataset(&count.document_type, &count.process),
        transport: count.transport,
        provider: count.provider,
        sender_country: count.country_c1.filter(|code| is_country(code)),
        receiver_country: count.country_c4.filter(|code| is_country(code)),
        count: count.count,
    }
}

/// An end user without a country on record, or with what is none, is counted where the provider is
/// domiciled, since the report has no code for an unknown country.
fn end_user(user: ExchangeUser, country: &str) -> EndUserLine {
    EndUserLine {
        dataset: dataset(&user.document_type, &user.process),
        way: way(user.direction),
        country: user.country.filter(|code| is_country(code)).unwrap_or_else(|| country.to_owned()),
        user: user.end_user,
    }
}
