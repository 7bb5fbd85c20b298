//! `quoin sml`: our SMP at the SML. Participants are registered by the service itself; the SMP is
//! registered once, by its operator.

use std::path::PathBuf;
use std::process::ExitCode;

use jiff::tz::TimeZone;
use quoin_peppol::sml::soap::{
    CertificateChange, ParticipantPage, Publisher, SmlAnswer, SmlRequest,
};

use super::{CommandResult, print, run};
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, NextKey};
use quoin_access_point::identity::{Credentials, smp_over_time};
use quoin_access_point::net::{Guard, HttpSettings, extra_roots};
use quoin_access_point::registers::sml::{SmlClient, client};
use quoin_access_point::trust::CertificateStanding;

/// What stands where the SML wants an IPv4 address that nobody reads.
const NO_ADDRESS: &str = "1.1.1.1";

/// Register our SMP at the SML, or see what is known of it there.
#[derive(Debug, clap::Args)]
pub struct SmlArguments {
    /// The configuration file, with its sections [smp] and [sml].
    #[arg(long, global = true, value_name = "FILE", default_value = "quoin.toml")]
    config: PathBuf,
    #[command(subcommand)]
    verb: SmlCommand,
}

#[derive(Debug, clap::Subcommand)]
enum SmlCommand {
    /// Say what the SML knows of our SMP.
    Show,
    /// Make our SMP known with its id, its address and its certificate.
    Create,
    /// Tell the SML the address of the configuration; the names of all participants follow. With
    /// more than 10,000 participants agree on a time with the operator of the SML first.
    Update,
    /// Remove our SMP with all its participants.
    Delete {
        /// Say the id of the SMP again, since this ends the registration of every participant.
        #[arg(long, value_name = "SMP_ID")]
        really: String,
    },
    /// Announce the certificate of `[smp] next` for the day of its `from`, while the present one is
    /// still valid.
    Renew,
    /// List the participants that the SML has for our SMP, one a line.
    List,
}

/// `quoin sml`.
///
/// # Errors
/// The configuration names no SML, or what the SML said no to.
pub fn sml(arguments: &SmlArguments) -> CommandResult {
    let config = Config::load(&arguments.config).map_err(|error| error.to_string())?;
    let lab = config.network.allow_any_port;
    let settings = HttpSettings {
        extra_roots: extra_roots(&config.tls.extra_ca_files).map_err(|e| e.to_string())?,
        guard: Guard { any_address: lab, standard_port: !lab, ..Guard::default() },
        ..HttpSettings::default()
    };
    let found = client(&config, settings, &Clock::default()).map_err(|error| error.to_string())?;
    let client = found.ok_or("sml.url is not set: this configuration names no SML")?;
    let ours = unusable(&config);
    let outcome = asked(arguments, config, client);
    outcome.map_err(|said| match ours {
        Some(ours) => format!("{said}. {ours}"),
        None => said,
    })
}

/// What is wrong with the certificate that is shown to the SML, where it cannot be used now.
fn unusable(config: &Config) -> Option<String> {
    let over_time = smp_over_time(&config.smp.key_place(), config.smp.next.as_ref()).ok()?;
    let now = Clock::default().now();
    let certificate = &over_time.at(now).certificate;
    let problem = CertificateStanding::of(certificate, now).problem(certificate)?;
    let subject = certificate.subject();
    Some(format!("The certificate of our SMP ({subject}) {problem}: the SML knows us by it"))
}

fn asked(arguments: &SmlArguments, config: Config, client: SmlClient) -> CommandResult {
    if let SmlCommand::Renew = arguments.verb {
        return run(renew(client, config.smp.next));
    }
    let publisher = Publisher {
        id: client.publisher().to_owned(),
        logical_address: config.smp.public_url.unwrap_or_default(),
        physical_address: NO_ADDRESS.to_owned(),
    };
    run(carry_out(&arguments.verb, client, publisher))
}

async fn carry_out(verb: &SmlCommand, client: SmlClient, publisher: Publisher) -> CommandResult {
    let request = match verb {
        SmlCommand::Show => SmlRequest::ReadPublisher(publisher),
        SmlCommand::Create => SmlRequest::CreatePublisher(publisher),
        SmlCommand::Update => SmlRequest::UpdatePublisher(publisher),
        SmlCommand::Delete { really } if *really == publisher.id => {
            SmlRequest::DeletePublisher(publisher.id)
        }
        SmlCommand::Delete { really } => {
            return Err(format!("--really says {really:?}, but the SMP is {:?}", publisher.id));
        }
        SmlCommand::List => return list(&client).await,
        SmlCommand::Renew => return Err("a renewal is announced by itself".to_owned()),
    };
    print(&match ask(&client, &request).await? {
        SmlAnswer::Publisher(known) => {
            format!("{}  {}  {}\n", known.id, known.logical_address, known.physical_address)
        }
        _ => format!("{}: done\n", client.publisher()),
    })
}

/// Announces the next certificate of the SMP.
async fn renew(client: SmlClient, next: Option<NextKey>) -> CommandResult {
    let next = next.ok_or("smp.next is not set: there is no certificate to announce")?;
    let from = next.from.ok_or("smp.next.from is not set")?;
    let certificate = Credentials::load(&next.key).map_err(|error| error.to_string())?.certificate;
    let on = from.to_zoned(TimeZone::UTC).date();
    let change = CertificateChange { certificate_pem: certificate.pem(), on: Some(on) };
    ask(&client, &SmlRequest::ChangeCertificate(change)).await?;
    print(&format!("{}: announced for {on}: {}\n", client.publisher(), certificate.subject()))
}

async fn list(client: &SmlClient) -> CommandResult {
    let mut page = None;
    loop {
        let request = SmlRequest::List { publisher: client.publisher().to_owned(), page };
        let SmlAnswer::Page(ParticipantPage { participants, next, .. }) =
            ask(client, &request).await?
        else {
            return Err("the SML answered with something else than a page".to_owned());
        };
        let lines: String = participants.iter().map(|id| format!("{id}\n")).collect();
        print(&lines)?;
        match next {
            Some(next) => page = Some(next),
            None => return Ok(ExitCode::SUCCESS),
        }
    }
}

async fn ask(client: &SmlClient, request: &SmlRequest) -> Result<SmlAnswer, String> {
    match client.call(request).await.map_err(|error| error.to_string())? {
        SmlAnswer::Fault(fault) => Err(format!("the SML refuses it. It said: {}", fault.text)),
        answer => Ok(answer),
    }
}
