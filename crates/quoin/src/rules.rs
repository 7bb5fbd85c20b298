//! `quoin rules`: official rule files, registered, listed, shown, tested and removed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand};
use jiff::Timestamp;
use jiff::civil::Date;
use quoin_rules::official::{Applies, Coordinate, Description, TestFileResult, run_unit_tests};

use super::{CommandResult, DataDir, print};
use quoin_access_point::reading::time::day;
use quoin_access_point::rules::{Overrides, PackageFiles, RegisteredPackage, syntax_named};

/// A verb on rule sets.
#[derive(Debug, Args)]
pub struct RulesArguments {
    #[command(subcommand)]
    verb: RulesCommand,
    #[command(flatten)]
    data: DataDir,
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    /// Register the sets of a folder, an archive, or a single .sch or .xsd file with what it
    /// includes.
    Add {
        /// The folder, archive or file.
        path: PathBuf,
        /// The coordinate, `group:artifact:release`, of a package with one set.
        #[arg(long)]
        coordinate: Option<Coordinate>,
        /// The release, where neither path nor title tells it.
        #[arg(long)]
        release: Option<String>,
        /// The first day in force.
        #[arg(long, value_name = "DATE", value_parser = day)]
        from: Option<Date>,
        /// The last day in force.
        #[arg(long, value_name = "DATE", value_parser = day)]
        until: Option<Date>,
        /// What it applies to: format=ublInvoice (or ubl-invoice), root=Order, profile=peppol-bis3,
        /// customization=urn:… (a beginning), process=urn:…, or the plural as in a manifest; may be
        /// given several times.
        #[arg(long, value_name = "KEY=VALUE")]
        applies: Vec<String>,
    },
    /// List what is registered.
    List,
    /// Show a set: dates, what it applies to, files.
    Show {
        /// The coordinate.
        coordinate: Coordinate,
    },
    /// Run the unit tests (testSet files) of a folder, or of a registered package.
    Test {
        /// A coordinate, or a folder.
        what: String,
        /// Take the tests from this folder instead of from beside the rules.
        #[arg(long, value_name = "FOLDER")]
        tests: Option<PathBuf>,
    },
    /// Remove a set.
    Remove {
        /// The coordinate.
        coordinate: Coordinate,
    },
}

/// `quoin rules`.
///
/// # Errors
/// What keeps the verb from being done.
pub fn rules(arguments: RulesArguments) -> CommandResult {
    let data = &arguments.data;
    match arguments.verb {
        RulesCommand::Add { path, coordinate, release, from, until, applies } => {
            let applies = applied(&applies)?;
            add(data, &path, &Overrides { coordinate, release, from, until, applies })
        }
        RulesCommand::List => list(data),
        RulesCommand::Show { coordinate } => show(data, coordinate.as_str()),
        RulesCommand::Test { what, tests } => test(data, &what, tests.as_deref()),
        RulesCommand::Remove { coordinate } => {
            data.registry()?.remove(coordinate.as_str()).map_err(|error| error.to_string())?;
            print(&format!("removed {coordinate}\n"))
        }
    }
}

fn applied(given: &[String]) -> Result<Option<Applies>, String> {
    let mut applies = Applies::default();
    for pair in given {
        let (key, value) = pair.split_once('=').ok_or_else(|| unknown(pair))?;
        match key {
            "format" | "formats" => applies.formats.push(syntax_named(value).ok_or_else(|| {
                let form = "expected a format as in ublInvoice; docs/reference/formats.md has them";
                format!("--applies {pair}: {form}")
            })?),
            "root" | "roots" => applies.roots.push(value.to_owned()),
            "profile" | "profiles" => applies.profiles.push(value.to_owned()),
            "customization" | "customizations" => applies.customizations.push(value.to_owned()),
            "process" | "processes" => applies.processes.push(value.to_owned()),
            _ => return Err(unknown(pair)),
        }
    }
    Ok((!applies.is_empty()).then_some(applies))
}

fn unknown(pair: &str) -> String {
    format!(
        "--applies {pair:?}: expected format=, root=, profile=, customization= or process= and a \
         value"
    )
}

fn add(data: &DataDir, path: &Path, overrides: &Overrides) -> CommandResult {
    let package = PackageFiles::read(path).map_err(|error| error.to_string())?;
    let begun = Instant::now();
    let added = data.new_registry()?.add(&package, overrides, Timestamp::now());
    let added = added.map_err(|error| error.to_string())?;
    let took = begun.elapsed().as_millis();
    let mut text = String::new();
    for set in &added.sets {
        let (coordinate, rules, kind) = (&set.coordinate, set.engine.rules(), set.kind.as_str());
        text.push_str(&format!("{coordinate}  {rules} assertions, {kind}\n"));
        text.push_str(&format!("    {}\n", set.title));
        text.push_str(&format!("    applies to {}\n", applies_text(&set.applies)));
    }
    for (file, reason) in &added.unclear {
        text.push_str(&format!("left out {file}: {reason}\n"));
    }
    let (files, digest) = (package.files.len(), &added.package.digest);
    text.push_str(&match added.known {
        true => format!("registered before, with the same content ({digest})\n"),
        false => {
            format!("registered {} sets, {files} files, {took} ms ({digest})\n", added.sets.len())
        }
    });
    print(&text)
}

fn list(data: &DataDir) -> CommandResult {
    let mut sets: Vec<(Description, RegisteredPackage)> = Vec::new();
    for package in data.registry()?.packages().map_err(|error| error.to_string())? {
        // What is listed is what judges: files that were changed since do not.
        package.files().map_err(|error| error.to_string())?;
        sets.extend(package.manifest.sets.iter().map(|set| (set.clone(), package.clone())));
    }
    if sets.is_empty() {
        return print("no official rule sets are registered; see quoin rules add --help\n");
    }
    sets.sort_by(|(one, _), (other, _)| one.coordinate.cmp(&other.coordinate));
    let width = sets.iter().map(|(set, _)| set.coordinate.as_str().len()).max().unwrap_or_default();
    let mut text = String::new();
    for (set, _) in &sets {
        let (name, kind, title) = (set.coordinate.as_str(), set.kind.as_str(), &set.title);
        text.push_str(&format!("{name:width$}  {kind:9}  {:23}  {title}\n", dates(set)));
    }
    print(&text)
}

fn show(data: &DataDir, coordinate: &str) -> CommandResult {
    let registry = data.registry()?;
    let (package, set) = registry.find(coordinate).map_err(|error| error.to_string())?;
    let begun = Instant::now();
    let compiled = registry.load_named(coordinate).map_err(|error| error.to_string())?;
    let took = begun.elapsed().as_millis();
    let rules: usize = compiled.iter().map(|set| set.engine.rules()).sum();
    let manifest = &package.manifest;
    let files = package.files().map_err(|error| error.to_string())?;
    let added = manifest.added_on.map(|time| time.to_string()).unwrap_or_default();
    let mut text = String::new();
    for (name, value) in [
        ("coordinate", set.coordinate.to_string()),
        ("title", set.title.clone()),
        ("kind", set.kind.as_str().to_owned()),
        ("in force", dates(&set)),
        ("applies to", applies_text(&set.applies)),
        ("file", set.file.clone()),
        ("phase", set.phase.clone().unwrap_or_else(|| "default".to_owned())),
        ("assertions", format!("{rules}, compiled in {took} ms")),
        ("package", format!("{} ({} files)", package.digest, files.len())),
        ("added", format!("{added} from {}", manifest.source.as_deref().unwrap_or("unknown"))),
    ] {
        text.push_str(&format!("{name:12}{value}\n"));
    }
    print(&text)
}

fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"))
}

fn dates(set: &Description) -> String {
    match (set.from, set.until) {
        (None, None) => "always".to_owned(),
        (Some(from), None) => format!("from {from}"),
        (None, Some(until)) => format!("until {until}"),
        (Some(from), Some(until)) => format!("{from} to {until}"),
    }
}

fn applies_text(applies: &Applies) -> String {
    let formats = applies.formats.iter().map(|format| format.title().to_owned());
    let formats: Vec<String> = formats.collect();
    let Applies { roots, profiles, customizations, processes, .. } = applies;
    let lists = [
        ("", &formats),
        ("element ", roots),
        ("profile ", profiles),
        ("CustomizationID ", customizations),
        ("ProfileID ", processes),
    ];
    let named = lists.iter().filter(|(_, list)| !list.is_empty());
    let texts: Vec<String> =
        named.map(|(name, list)| format!("{name}{}", list.join(" or "))).collect();
    if texts.is_empty() { "any document".to_owned() } else { texts.join(", ") }
}

fn test(data: &DataDir, what: &str, beside: Option<&Path>) -> CommandResult {
    let path = Path::new(what);
    // The tests of a single file lie beside it.
    let beside = beside.or_else(|| path.parent().filter(|_| path.is_file() && !is_archive(path)));
    let beside = beside.map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
    let (files, sets) = if path.exists() {
        let package = PackageFiles::read(path).map_err(|error| error.to_string())?;
        let described = package.describe(&Overrides::default());
        (package.files, described.map(|described| described.sets).unwrap_or_default())
    } else {
        let (package, _) = data.registry()?.find(what).map_err(|error| error.to_string())?;
        (package.files().map_err(|error| error.to_string())?, package.manifest.sets)
    };
    let beside = beside.map(PackageFiles::read).transpose().map_err(|error| error.to_string())?;
    let tests = beside.as_ref().map_or(&files, |package| &package.files);
    let tested = run_unit_tests(&files, &sets, tests);
    if tested.is_empty() {
        return Err(format!(
            "{what}: there is no file with unit tests (testSet, or instructions xmute)"
        ));
    }
    let width = tested.iter().map(|tested| tested.file.chars().count()).max().unwrap_or_default();
    let (mut text, mut tests, mut failed) = (String::new(), 0, 0);
    for TestFileResult { file, tests: count, wrong } in &tested {
        let verdict = if wrong.is_empty() { "ok" } else { "FAILED" };
        text.push_str(&format!("{file:width$}  {count:5} tests  {verdict}\n"));
        wrong.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        tests += count;
        failed += usize::from(!wrong.is_empty());
    }
    let files = tested.len();
    text.push_str(&format!("\n{tests} tests in {files} files, {failed} files failed\n"));
    print(&text)?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
