//! `quoin`: the command line. Each verb is a thin shell around the library.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Gives memory back to the system soon after a burst (docs/dependencies.md).
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A complete e-invoice delivery service: Peppol access point, SMP, validator, router and webhook
/// sender in one program.
#[derive(Parser)]
#[command(name = "quoin", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    verb: QuoinCommand,
}

#[derive(Subcommand)]
enum QuoinCommand {
    /// Run a whole Peppol network on loopback and send an invoice across it.
    Lab {
        /// End after the first delivery.
        #[arg(long)]
        once: bool,
        /// Keep the lab's files in this folder instead of a temporary one.
        #[arg(long, value_name = "FOLDER")]
        folder: Option<PathBuf>,
        /// Show the services' own log lines.
        #[arg(long)]
        verbose: bool,
    },
    /// Run the service.
    Serve {
        /// The configuration file; `quoin default-config` prints one with every setting explained.
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// What this process does, instead of the roles in the file.
        #[arg(long, value_delimiter = ',', value_name = "ROLE")]
        roles: Vec<quoin_access_point::config::ServiceRole>,
        /// Go on with the database that is there, such as a backup, or with an empty one, though
        /// another was here before.
        #[arg(long)]
        new_store: bool,
    },
    /// Check a configuration file and say everything that is wrong with it. Exit code 0: a start
    /// finds what it needs; 2: it does not.
    CheckConfig {
        /// The configuration file.
        file: PathBuf,
    },
    /// Print the default configuration with every setting explained.
    DefaultConfig,
    /// Print the OpenAPI 3.1 description of the interface.
    Openapi,
    /// Convert invoices, credit notes and orders to another format, and list what is lost. Exit
    /// code 0: it is converted; 1: it has no place in the target; 2: something could not be read
    /// or done.
    Convert(quoin::convert::Convert),
    /// Show a document as a page, as a PDF, or as a hybrid PDF with its data inside. Exit code 0:
    /// it is written; 1: it cannot be shown so; 2: something could not be read or done.
    Render(quoin::render::Render),
    /// Validate documents. Exit code 0: all are valid; 1: some are not; 2: something could not be
    /// read, or the call is wrong; 3: some cannot be routed; 4: some are judged by no rules. Of
    /// several the first of 2, 1, 4 and 3.
    Validate(quoin::validate::Validate),
    /// Explain a rule: what it asks, where, in which rule sets, and who fixes what it finds.
    Explain(quoin::explain::Explain),
    /// Make the delivery dossier of a document from the store of a service that is stopped.
    Dossier(quoin::dossier::Dossier),
    /// Verify a delivery dossier without asking anybody, and print what holds. Exit code 0:
    /// everything holds; 1: something does not; 2: it could not be read, or the call is wrong.
    Verify(quoin::verify::Verify),
    /// Register our SMP at the SML, or see what is known of it there.
    Sml(quoin::sml::SmlArguments),
    /// Write the statistics reports (TSR and EUSR) about a month to files, from the store of a
    /// service that is not running.
    Report(quoin::report::ReportFiles),
    /// List the reports to tax authorities of a service that is stopped, and have one made once
    /// more or taken back.
    Tax(quoin::tax::TaxArguments),
    /// Register, list, show, test and remove official rule files.
    Rules(quoin::rules::RulesArguments),
    /// Test an access point: its door, its SMP, what it sends, and what it must not do. Exit code
    /// 0: no case failed; 1: some did; 2: the run could not begin.
    Testbed(quoin::testbed::Testbed),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().verb {
        QuoinCommand::Lab { once, folder, verbose } => quoin::lab(once, folder, verbose),
        QuoinCommand::Serve { config, roles, new_store } => {
            quoin::memory::goes_back_soon();
            quoin::serve(&config, roles, new_store)
        }
        QuoinCommand::CheckConfig { file } => quoin::check_config(&file),
        QuoinCommand::DefaultConfig => quoin::print(quoin_access_point::config::DEFAULT_TOML),
        QuoinCommand::Openapi => quoin::openapi(),
        QuoinCommand::Convert(arguments) => quoin::convert::convert(&arguments),
        QuoinCommand::Render(arguments) => quoin::render::run(&arguments),
        QuoinCommand::Validate(arguments) => quoin::validate::validate(&arguments),
        QuoinCommand::Explain(arguments) => quoin::explain::run(&arguments),
        QuoinCommand::Dossier(arguments) => quoin::dossier::run(&arguments),
        QuoinCommand::Verify(arguments) => quoin::verify::run(&arguments),
        QuoinCommand::Sml(arguments) => quoin::sml::sml(&arguments),
        QuoinCommand::Report(arguments) => quoin::report::report(&arguments),
        QuoinCommand::Tax(arguments) => quoin::tax::run(&arguments),
        QuoinCommand::Rules(arguments) => quoin::rules::rules(arguments),
        QuoinCommand::Testbed(arguments) => quoin::testbed::testbed(arguments),
    };
    match outcome {
        Ok(code) => code,
        Err(problem) => {
            quoin::say(&problem);
            ExitCode::from(2)
        }
    }
}
