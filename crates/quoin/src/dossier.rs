//! `quoin dossier`: makes a delivery dossier from the store of a service that is stopped; a running
//! one gives it out over the interface.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use quoin_delivery::{Direction, DocumentId, OrganisationId};

use super::{CommandResult, folders, print, run as run_async};
use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_access_point::dossier::{DossierMaker, make};
use quoin_server::start::StoppedService;

/// Makes a delivery dossier.
#[derive(Debug, Args)]
pub struct Dossier {
    /// The configuration file of the service.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// The organisation whose document it is.
    #[arg(long, value_name = "ID")]
    organisation: String,
    /// Which way the document went.
    #[arg(long, value_enum, default_value = "outgoing")]
    direction: DossierDirection,
    /// The archive to write.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The document id.
    document: String,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum DossierDirection {
    Outgoing,
    Incoming,
}

/// Runs the verb.
///
/// # Errors
/// What cannot be opened or found.
pub fn run(arguments: &Dossier) -> CommandResult {
    let text = |error: &dyn std::error::Error| error.to_string();
    let config = Config::load(&arguments.config).map_err(|error| text(&error))?;
    let owner: OrganisationId = arguments.organisation.parse().map_err(|error| text(&error))?;
    let document: DocumentId = arguments.document.parse().map_err(|error| text(&error))?;
    let direction = match arguments.direction {
        DossierDirection::Outgoing => Direction::Outgoing,
        DossierDirection::Incoming => Direction::Incoming,
    };
    run_async(async {
        let now = Clock::default().now();
        let parts = StoppedService::open(&config).await;
        let parts = parts.map_err(|error| text(&error))?;
        super::tax::is_known(&parts.store, &owner).await?;
        let found = parts.store.transaction_of(&owner, direction, &document).await;
        let record = found.map_err(|error| text(&error))?;
        let record = record.ok_or_else(|| format!("{owner} has no such document {document}"))?;
        let (trust, pool) = (&parts.authorities, &parts.budgets.pool);
        let maker = DossierMaker { own: parts.own.at(now), trust, pool, now };
        let archive = make(&parts.store, &maker, &record).await.map_err(|error| text(&error))?;
        folders::replace(&arguments.output, &archive)?;
        parts.store.close().await;
        print(&format!("{}\n", arguments.output.display()))
    })
}
