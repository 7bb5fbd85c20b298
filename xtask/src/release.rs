//! The skeleton of a new release of rules, made from the newest one of its publisher.
//!
//! ```text
//! releases/peppol/r2026_05.rs ──► releases/peppol/r2026_11.rs, its `mod` line and its row
//! ```
//! The new file says the same as the one before it under the new number, and judges by the same
//! tables, so that the tree builds. What only a person knows is printed as what is left to do.

#[cfg(test)]
mod tests;
mod version;

use std::path::Path;

use jiff::civil::Date;

use version::Version;

/// The folder of the releases, below the root of the checkout.
const FOLDER: &str = "crates/rules/src/releases";

const USAGE: &str = "usage: cargo xtask release PUBLISHER VERSION [PUBLISHED MANDATORY], such as\n       \
     cargo xtask release peppol 2026-11 2026-11-16 2027-02-15\n       \
     cargo xtask release pint my-1.4.0";

/// `cargo xtask release PUBLISHER VERSION [PUBLISHED MANDATORY]`: writes the skeleton.
///
/// # Errors
/// A sentence about what is wrong with the arguments, or the file that could not be written.
pub fn run(root: &Path, arguments: &[String]) -> Result<(), String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (publisher, version, days) = match arguments.as_slice() {
        [publisher, version] => (*publisher, *version, None),
        [publisher, version, published, mandatory] => {
            (*publisher, *version, Some(days(published, mandatory)?))
        }
        _ => return Err(USAGE.to_owned()),
    };
    let folder = root.join(FOLDER);
    let table = table(&folder, publisher)?;
    let made = make(publisher, &table, version, days.as_ref(), &|module| {
        read(&folder.join(publisher).join(format!("{module}.rs")))
    })?;
    let file = folder.join(publisher).join(format!("{}.rs", made.module));
    if file.exists() {
        return Err(format!("{} is there already", file.display()));
    }
    write(&file, &made.text)?;
    write(&folder.join(format!("{publisher}.rs")), &made.table)?;
    super::check::cargo(root, &["fmt", "--package", "quoin-rules"])?;
    print!("{}", told(publisher, &made, days.is_some()));
    Ok(())
}

/// The day of publication and the day from which it is mandatory, as code.
type Days = [String; 2];

/// What is written.
struct Made {
    /// The name of the new module.
    module: String,
    /// Its text.
    text: String,
    /// The table of the publisher with its `mod` line and its row.
    table: String,
    version: Version,
    /// The release that it was made from.
    from: Version,
    /// Coordinates of sets that have a number of their own, and are now in both.
    same: Vec<String>,
}

/// The table of a publisher.
fn table(folder: &Path, publisher: &str) -> Result<String, String> {
    let mut known = Vec::new();
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if path.extension().is_none_or(|ending| ending != "rs") || stem == "tests" {
            continue;
        }
        let text = read(&path)?;
        if text.contains("const PUBLISHER: RulePublisher") {
            if stem == publisher {
                return Ok(text);
            }
            known.push(stem.to_owned());
        }
    }
    known.sort();
    Err(format!("there is no publisher {publisher}; there are {}", known.join(", ")))
}

/// The new release out of the newest one of the same kind.
fn make(
    publisher: &str,
    table: &str,
    version: &str,
    days: Option<&Days>,
    text_of: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Made, String> {
    let version = Version::parse(version)?;
    let module = version.module();
    let mut all = Vec::new();
    for other in rows(table) {
        let text = text_of(other)?;
        let name = text.lines().find_map(|line| line.trim().strip_prefix("name: \""));
        let name = name.and_then(|name| name.split('"').next()).unwrap_or_default();
        all.push((other, Version::parse(name)?, text));
    }
    let names = || all.iter().map(|(_, known, _)| known.to_string()).collect::<Vec<_>>().join(", ");
    if all.iter().any(|(other, known, _)| *other == module || *known == version) {
        return Err(format!("{publisher} {version} is there already; there are {}", names()));
    }
    let like = all.iter().rfind(|(_, known, _)| known.is_like(&version));
    let Some((last, from, text)) = like else {
        return Err(format!("{publisher} has no release like {version}; it has {}", names()));
    };
    if version < *from {
        return Err(format!("{publisher} {version} is older than {from}, the newest one"));
    }
    Ok(Made {
        text: skeleton(text, from, &version, publisher, days),
        table: with_row(table, last, &module),
        same: same(text, from),
        from: from.clone(),
        module,
        version,
    })
}

/// The modules of the rows of a table, in their order.
fn rows(table: &str) -> Vec<&str> {
    let rows = table.split_once("publications: &[").map_or("", |(_, rows)| rows);
    let rows = rows.split_once(']').map_or(rows, |(rows, _)| rows);
    rows.split(',').filter_map(|row| row.trim().strip_suffix("::RELEASE")).collect()
}

/// The table with the `mod` line and the row of a module, behind those of the last one.
fn with_row(table: &str, last: &str, module: &str) -> String {
    let (line, row) = (format!("mod {last};\n"), format!("{last}::RELEASE"));
    let table = table.replacen(&line, &format!("{line}mod {module};\n"), 1);
    table.replacen(&row, &format!("{row},\n{module}::RELEASE"), 1)
}

/// The text of a release under another number. Its tables stay, until there are new ones.
fn skeleton(
    text: &str,
    from: &Version,
    to: &Version,
    publisher: &str,
    days: Option<&Days>,
) -> String {
    let not_known = || ["NOT_KNOWN".to_owned(), "NOT_KNOWN".to_owned()];
    let [published, mandatory] = days.cloned().unwrap_or_else(not_known);
    let (old, new) = (from.number(), to.number());
    let mut out = format!("//! {publisher} {to}: what is other than in {from} is told here.\n\n");
    let mut body = String::new();
    for line in text.lines().filter(|line| !line.starts_with("//!")) {
        let line = match line.trim() {
            own if own.starts_with("published: ") => format!("published: {published},"),
            own if own.starts_with("mandatory: ") => format!("mandatory: {mandatory},"),
            own if own.starts_with("name: ") => format!("name: \"{to}\","),
            own if own.starts_with("const TABLES") => line.to_owned(),
            _ => line
                .replace(&format!("\"{old}\""), &format!("\"{new}\""))
                .replace(&format!(":{old}\""), &format!(":{new}\"")),
        };
        body.push_str(&line);
        body.push('\n');
    }
    // The days need other imports than before.
    body = body.replace("use jiff::civil::date;\n\n", "").replace("{ALWAYS, ", "{");
    match days {
        Some(_) => out.push_str("use jiff::civil::date;\n\n"),
        None => body = body.replacen("releases::{", "releases::{NOT_KNOWN, ", 1),
    }
    out + body.trim_start()
}

/// The coordinates of the sets of a release that do not end in its number.
fn same(text: &str, from: &Version) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("coordinate: \""));
    let found = lines.filter_map(|rest| rest.split('"').next());
    let end = format!(":{}", from.number());
    found.filter(|coordinate| !coordinate.ends_with(&end)).map(str::to_owned).collect()
}

/// A day of this millennium as code.
fn day(text: &str) -> Result<String, String> {
    let day: Option<Date> = (text.len() == 10).then(|| text.parse().ok()).flatten();
    match day.filter(|day| (2000..=2999).contains(&day.year())) {
        Some(day) => Ok(format!("date({}, {}, {})", day.year(), day.month(), day.day())),
        None => Err(format!("{text} is no day; one is 2026-11-16")),
    }
}

fn days(published: &str, mandatory: &str) -> Result<Days, String> {
    let days = [day(published)?, day(mandatory)?];
    if mandatory < published {
        return Err(format!("{mandatory}, the day from which it is mandatory, is too early"));
    }
    Ok(days)
}

/// What was written, and what is left to do.
fn told(publisher: &str, made: &Made, has_days: bool) -> String {
    let (version, from) = (&made.version, &made.from);
    let mut left = vec![format!(
        "its official files in xtask/src/subsets/sources.rs, then `cargo xtask subsets`, then the \
         new release in `const TABLES` of the file"
    )];
    if !has_days {
        left.push("the days `published` and `mandatory`, which are not known yet".to_owned());
    }
    for coordinate in &made.same {
        left.push(format!("a number for the set {coordinate}, or no row if it is not new"));
    }
    left.push(
        "the releases of other publishers that its packages are published with (`parts`)"
            .to_owned(),
    );
    left.push(
        "what it tests otherwise: functions in crates/rules/src/rules, lists in the file; the \
         tests of the house name what is missing"
            .to_owned(),
    );
    left.push(
        "`UPDATE=1 cargo test -p quoin-identity reference`, which writes the page".to_owned(),
    );
    left.push("a line in CHANGELOG.md".to_owned());
    let mut text = format!(
        "{FOLDER}/{publisher}/{}.rs is {publisher} {version}, made from {from};\n\
         {FOLDER}/{publisher}.rs has its row. What is left to do:\n",
        made.module
    );
    for line in left {
        text.push_str(&format!("- {line}\n"));
    }
    text
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
