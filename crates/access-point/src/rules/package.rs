//! A folder, an archive or a single file with official rules, read into memory within limits, and
//! what the sets in it are.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use quoin_rules::official::{
    Applies, Coordinate, Description, OfficialSet, OfficialSetKind, SetFiles, guess,
};

use quoin_formats::profiles::Profile;
use quoin_formats::unwrap::{UnopenedReason, UnwrapLimits};
use quoin_formats::{Unwrapped, unwrap};

use super::{MANIFEST, RulesError, RulesManifest, single};

/// Files of a package at most.
pub(super) const MAX_FILES: usize = 5_000;
/// Bytes of one file at most.
pub(super) const MAX_FILE: u64 = 16 << 20;
/// Bytes of a package at most, unpacked.
const MAX_BYTES: u64 = 256 << 20;
/// Folders inside one another at most.
const MAX_DEPTH: usize = 24;
/// Reasons that an error names at most.
const REASONS: usize = 5;
/// What a rule set is made of, by the end of the name.
const KEPT: &[&str] = &["sch", "xsd", "xml", "xsl", "xslt", "gc", "toml"];

/// What an operator says on the command line; it overrules manifest and guess.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// The coordinate; only for a package with one set.
    pub coordinate: Option<Coordinate>,
    /// The release of every set.
    pub release: Option<String>,
    /// The first day in force.
    pub from: Option<Date>,
    /// The last day in force.
    pub until: Option<Date>,
    /// What it applies to; only for a package with one set.
    pub applies: Option<Applies>,
}

/// What the sets of a package are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// The sets.
    pub sets: Vec<Description>,
    /// Main files that were left out, each with the reason.
    pub unclear: Vec<(String, String)>,
}

/// A package in memory.
#[derive(Debug)]
pub struct PackageFiles {
    /// Where it came from.
    pub path: PathBuf,
    /// Its files.
    pub files: SetFiles,
    /// The main file, where one file was named.
    main: Option<String>,
}

impl PackageFiles {
    /// Reads a folder, a `.zip`, or a single `.sch` or `.xsd` with what it includes.
    ///
    /// # Errors
    /// [`RulesError`] where something cannot be read or is over a limit.
    pub fn read(path: &Path) -> Result<PackageFiles, RulesError> {
        let named =
            |end: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(end));
        let (mut files, mut main) = (SetFiles::new(), None);
        if path.is_dir() {
            folder(path, path, 0, &mut files)?;
        } else if named("zip") {
            files = archive(path)?;
        } else {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let around = path.parent().filter(|parent| *parent != Path::new(""));
            let around = around.unwrap_or(Path::new("."));
            let name = name.unwrap_or_default();
            files = single::read(around, &name)?;
            main = Some(name);
        }
        Ok(PackageFiles { path: path.to_owned(), files, main })
    }

    /// What the sets in it are: by its manifest, else by a guess, then by what the operator says.
    ///
    /// # Errors
    /// [`RulesError::Nothing`] where nothing is found, [`RulesError::Manifest`] where the manifest
    /// is wrong or the operator says of several sets what can only be true of one.
    pub fn describe(&self, overrides: &Overrides) -> Result<Described, RulesError> {
        let mut unclear = Vec::new();
        let mut sets = match (&self.main, self.files.get(MANIFEST)) {
            (None, Some(bytes)) => RulesManifest::read(&self.path.join(MANIFEST), bytes)?.sets,
            (None, None) => {
                let place = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
                let place = place.to_string_lossy().into_owned();
                let guessed = guess(&place, &self.files, overrides.release.as_deref());
                unclear = guessed.unclear;
                guessed.sets
            }
            (Some(main), _) => self.single(main, overrides).into_iter().collect(),
        };
        if sets.is_empty() && overrides.coordinate.is_some() {
            let mut mains =
                self.files.keys().filter(|path| OfficialSetKind::of_file(path).is_some());
            if let (Some(only), None) = (mains.next(), mains.next()) {
                sets.extend(self.single(only, overrides));
            }
        }
        self.overrule(&mut sets, overrides)?;
        if sets.is_empty() {
            let reasons = unclear.iter().take(REASONS);
            let reasons = reasons.map(|(file, reason)| format!("\n  {file}: {reason}")).collect();
            return Err(RulesError::Nothing { path: self.path.clone(), reasons });
        }
        self.distinct(&sets)?;
        sets.iter().try_for_each(|set| self.usable(set))?;
        Ok(Described { sets, unclear })
    }

    /// A set that no document could meet, or no day, would be registered for nothing.
    fn usable(&self, set: &Description) -> Result<(), RulesError> {
        let wrong = |why: String| {
            let reason = format!("{}: {why}", set.coordinate);
            Err(RulesError::Manifest { path: self.path.clone(), reason })
        };
        if let Some(id) = set.applies.profiles.iter().find(|id| Profile::by_id(id).is_none()) {
            let why = format!(
                "it applies to the profile {id:?}, which nobody knows; docs/reference/formats.md \
                 lists them"
            );
            return wrong(why);
        }
        let Applies { roots, customizations, processes, .. } = &set.applies;
        let bare = |(_, values): &(&str, &Vec<String>)| {
            values.iter().any(|value| matches!(value.as_str(), "" | "$"))
        };
        let lists = [("root", roots), ("customization", customizations), ("process", processes)];
        if let Some((name, _)) = lists.iter().find(|list| bare(list)) {
            return wrong(format!(
                "a {name} that it applies to is empty: expected a value (quotes keep a $ from the \
                 shell)"
            ));
        }
        match (set.from, set.until) {
            (Some(from), Some(until)) if until < from => wrong(format!(
                "from {from} is after until {until}, so that it would never be in force"
            )),
            _ => Ok(()),
        }
    }

    /// A coordinate names one set.
    fn distinct(&self, sets: &[Description]) -> Result<(), RulesError> {
        let mut files = BTreeMap::new();
        for set in sets {
            if let Some(other) = files.insert(&set.coordinate, &set.file) {
                let (name, file) = (&set.coordinate, &set.file);
                let reason =
                    format!("{other} and {file} would both be {name}; name them in a {MANIFEST}");
                return Err(RulesError::Manifest { path: self.path.clone(), reason });
            }
        }
        Ok(())
    }

    /// A single file under a coordinate that the operator gives, or one made from its name.
    fn single(&self, main: &str, overrides: &Overrides) -> Option<Description> {
        let name = main.rsplit('/').next().unwrap_or(main);
        let plain: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '-' })
            .collect();
        let release = overrides.release.as_deref().unwrap_or("0");
        let made = || format!("file:{plain}:{release}").parse().ok();
        Some(Description {
            coordinate: overrides.coordinate.clone().or_else(made)?,
            title: name.to_owned(),
            kind: OfficialSetKind::of_file(main)?,
            file: main.to_owned(),
            phase: None,
            from: None,
            until: None,
            applies: Applies::default(),
        })
    }

    fn overrule(&self, sets: &mut [Description], said: &Overrides) -> Result<(), RulesError> {
        let one = said.coordinate.is_some() || said.applies.is_some();
        if one && sets.len() > 1 {
            let names: Vec<_> = sets.iter().map(|set| set.coordinate.as_str()).collect();
            let reason = format!(
                "--coordinate and --applies are for a package with one set; this one has {}",
                names.join(", ")
            );
            return Err(RulesError::Manifest { path: self.path.clone(), reason });
        }
        for set in sets {
            set.coordinate = said.coordinate.clone().unwrap_or(set.coordinate.clone());
            set.applies = said.applies.clone().unwrap_or(std::mem::take(&mut set.applies));
            set.from = said.from.or(set.from);
            set.until = said.until.or(set.until);
        }
        Ok(())
    }

    /// Compiles all sets, in the order given.
    ///
    /// # Errors
    /// [`RulesError::Compile`] of the first that does not compile.
    pub fn compile(&self, sets: Vec<Description>) -> Result<Vec<OfficialSet>, RulesError> {
        compile(sets, &self.files)
    }
}

/// Compiles sets from their files.
pub(super) fn compile(
    sets: Vec<Description>,
    files: &SetFiles,
) -> Result<Vec<OfficialSet>, RulesError> {
    let one = |set: Description| {
        let coordinate = Box::new(set.coordinate.clone());
        let phase = set.phase.clone();
        OfficialSet::new(set, files).map_err(|error| {
            let phase = phase.filter(|phase| !phase.starts_with('#'));
            match phase.map(|phase| (single::phases(files), phase)) {
                Some((known, phase)) if !known.contains(&phase) => {
                    RulesError::Phase { coordinate, known, phase }
                }
                _ => RulesError::Compile { coordinate, error },
            }
        })
    };
    sets.into_iter().map(one).collect()
}

/// Reads a folder and the folders in it. Links are not followed.
pub(super) fn folder(
    root: &Path,
    folder_path: &Path,
    depth: usize,
    files: &mut SetFiles,
) -> Result<(), RulesError> {
    let limit =
        |what, limit: usize| RulesError::Limit { path: root.to_owned(), what, limit: limit as u64 };
    if depth > MAX_DEPTH {
        return Err(limit("folders inside one another", MAX_DEPTH));
    }
    let entries = std::fs::read_dir(folder_path).map_err(RulesError::file(folder_path))?;
    for entry in entries {
        let entry = entry.map_err(RulesError::file(folder_path))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(RulesError::file(&path))?;
        if kind.is_dir() && !hidden(&path) {
            folder(root, &path, depth + 1, files)?;
        } else if kind.is_file() && kept(&path) {
            let parts = path.strip_prefix(root).unwrap_or(&path).components();
            let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
            file(&path, parts.join("/"), files)?;
            if files.len() > MAX_FILES {
                return Err(limit("files", MAX_FILES));
            }
        }
    }
    Ok(())
}

fn hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn kept(path: &Path) -> bool {
    let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
    end.is_some_and(|end| KEPT.contains(&end.as_str()))
}

pub(super) fn file(path: &Path, name: String, files: &mut SetFiles) -> Result<(), RulesError> {
    let limit = |what, limit| RulesError::Limit { path: path.to_owned(), what, limit };
    let bytes = read(path, MAX_FILE)?.ok_or_else(|| limit("bytes in one file", MAX_FILE))?;
    let before: u64 = files.values().map(|bytes| bytes.len() as u64).sum();
    if before + bytes.len() as u64 > MAX_BYTES {
        return Err(limit("bytes", MAX_BYTES));
    }
    files.insert(name, bytes);
    Ok(())
}

/// The bytes of a file; none where there are more than the limit. What is no file, such as a
/// device, does not say how long it is.
fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, RulesError> {
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(path).map_err(RulesError::file(path))?;
    let read = opened.take(limit + 1).read_to_end(&mut bytes).map_err(RulesError::file(path))?;
    Ok((read as u64 <= limit).then_some(bytes))
}

/// Unpacks an archive in memory. Names in it are labels; one that would lead out of a folder is
/// refused, and archives inside it are not opened.
fn archive(path: &Path) -> Result<SetFiles, RulesError> {
    let wrong = |reason: String| RulesError::Archive { path: path.to_owned(), reason };
    let limit = |what, limit: u64| RulesError::Limit { path: path.to_owned(), what, limit };
    let bytes = read(path, MAX_BYTES)?.ok_or_else(|| limit("bytes", MAX_BYTES))?;
    let limits = UnwrapLimits { documents: MAX_FILES, depth: 1, ..UnwrapLimits::default() };
    let Unwrapped { documents, attachments, closed } = unwrap(&bytes, &limits);
    if let Some(closed) = closed.iter().find(|closed| closed.reason != UnopenedReason::TooDeep(1)) {
        return Err(wrong(closed.reason.to_string()));
    }
    let mut files = SetFiles::new();
    for inner in documents.into_iter().chain(attachments) {
        let Some(name) = inner.name.filter(|name| kept(Path::new(name))) else { continue };
        if !name.split('/').all(is_plain) {
            return Err(wrong(format!("{name:?} is not a path inside the archive")));
        }
        let above = Path::new(&name).parent().into_iter().flat_map(Path::components);
        if above.into_iter().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b".")) {
            // As in a folder.
            continue;
        }
        if inner.bytes.len() as u64 > MAX_FILE {
            return Err(limit("bytes in one file", MAX_FILE));
        }
        files.insert(name, inner.bytes.into_owned());
    }
    Ok(files)
}

/// Whether a part of a path stays where it is.
fn is_plain(part: &str) -> bool {
    !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0'])
}
