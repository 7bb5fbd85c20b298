//! The folder `rules` in the data folder: a folder for each package, named after the digest of its
//! content, with the files and a manifest.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use aws_lc_rs::digest;
use jiff::Timestamp;
use quoin_rules::official::{Description, OfficialLibrary, OfficialSet, SetFiles};

use super::package::{Described, compile, folder};
use super::{MANIFEST, Overrides, PackageFiles, RulesError, RulesManifest};

mod removal;
#[cfg(test)]
mod tests;

/// Where the files of a package are inside its folder.
const FILES: &str = "files";
/// The file of a package that says that its folder is named by what is in it now. Earlier versions
/// left the name when a set was removed, and wrote none.
const NAMED: &str = "named";
/// Hexadecimal digits of a digest that name a folder.
const NAME_LENGTH: usize = 32;

/// The registry of a data folder.
#[derive(Debug, Clone)]
pub struct Registry {
    folder: PathBuf,
}

/// A package that is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredPackage {
    /// The digest of its content: SHA-256, the first 32 hexadecimal digits.
    pub digest: String,
    /// Its sets, where it came from and when.
    pub manifest: RulesManifest,
    folder: PathBuf,
}

/// What an addition came to.
#[derive(Debug)]
pub struct Added {
    /// The package.
    pub package: RegisteredPackage,
    /// Its sets, compiled.
    pub sets: Vec<OfficialSet>,
    /// Main files that were left out, each with the reason.
    pub unclear: Vec<(String, String)>,
    /// It was registered before, with the same content.
    pub known: bool,
}

impl Registry {
    /// The registry of a data folder. The folder need not exist yet.
    pub fn at(data_dir: &Path) -> Registry {
        Registry { folder: data_dir.join("rules") }
    }

    /// Registers a package: describes, compiles, and only then copies it, in one rename.
    ///
    /// # Errors
    /// [`RulesError`]; nothing is left behind.
    pub fn add(
        &self,
        package: &PackageFiles,
        overrides: &Overrides,
        now: Timestamp,
    ) -> Result<Added, RulesError> {
        let Described { sets: described, unclear } = package.describe(overrides)?;
        if let Some(set) = described.iter().find(|set| set.applies.is_empty()) {
            let (path, reasons) = (package.path.clone(), format!(" of {}", set.coordinate));
            return Err(RulesError::Nothing { path, reasons });
        }
        let sets = package.compile(described.clone())?;
        let source = package.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let manifest = RulesManifest { added_on: Some(now), source, sets: described };
        // As whoever looks at the folder later on reads it.
        let written = manifest.text()?;
        let described = RulesManifest::read(&package.path, written.as_bytes())?.sets;
        let digest = name(&described, &package.files);
        let known = self.packages()?.into_iter().find(|known| known.digest == digest);
        if let Some(package) = known {
            return Ok(Added { package, sets, unclear, known: true });
        }
        for known in self.packages()?.iter().flat_map(|package| &package.manifest.sets) {
            if described.iter().any(|set| set.coordinate == known.coordinate) {
                return Err(RulesError::Taken(Box::new(known.coordinate.clone())));
            }
        }
        let folder = self.folder.join(&digest);
        self.write(&folder, &manifest, &package.files)?;
        let package = RegisteredPackage { digest, manifest, folder };
        Ok(Added { package, sets, unclear, known: false })
    }

    /// Writes a package beside its place, and moves it there when all of it is on the disk.
    fn write(
        &self,
        place: &Path,
        manifest: &RulesManifest,
        files: &SetFiles,
    ) -> Result<(), RulesError> {
        let draft = self.folder.join(format!(".draft-{}", std::process::id()));
        let written = || -> Result<(), RulesError> {
            for (path, bytes) in files {
                write_file(&draft.join(FILES).join(path), bytes)?;
            }
            write_file(&draft.join(MANIFEST), manifest.text()?.as_bytes())?;
            write_file(&draft.join(NAMED), b"")?;
            std::fs::rename(&draft, place).map_err(RulesError::file(place))?;
            sync(&self.folder)
        };
        let outcome = written();
        if outcome.is_err() {
            // Nothing of a package that could not be written whole is of use.
            let _ = std::fs::remove_dir_all(&draft);
        }
        outcome
    }

    /// All packages, in the order of their registration.
    ///
    /// # Errors
    /// [`RulesError`] where the folder or a manifest cannot be read.
    pub fn packages(&self) -> Result<Vec<RegisteredPackage>, RulesError> {
        let mut packages = self.folders()?;
        let gone = removal::cut_short(&packages);
        packages.retain(|package| !gone.contains(&package.digest));
        Ok(packages)
    }

    /// The same, with those whose removal was cut short.
    fn folders(&self) -> Result<Vec<RegisteredPackage>, RulesError> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(RulesError::file(&self.folder)(error)),
        };
        let mut packages = Vec::new();
        for entry in entries {
            let entry = entry.map_err(RulesError::file(&self.folder))?;
            let digest = entry.file_name().to_string_lossy().into_owned();
            let is_package =
                digest.len() == NAME_LENGTH && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
            if is_package {
                let folder = entry.path();
                let path = folder.join(MANIFEST);
                let bytes = std::fs::read(&path).map_err(RulesError::file(&path))?;
                let manifest = RulesManifest::read(&path, &bytes)?;
                if manifest.sets.is_empty() {
                    let reason =
                        "it names no set, so that it is not whole: put it back, or remove \
                                  its folder and register the rules again"
                            .to_owned();
                    return Err(RulesError::Manifest { path, reason });
                }
                packages.push(RegisteredPackage { digest, manifest, folder });
            }
        }
        packages.sort_by(|one, other| {
            let key =
                |package: &RegisteredPackage| (package.manifest.added_on, package.digest.clone());
            key(one).cmp(&key(other))
        });
        Ok(packages)
    }

    /// Compiles everything that is registered.
    ///
    /// # Errors
    /// [`RulesError`] of the first package that cannot be read or compiled.
    pub fn load(&self) -> Result<OfficialLibrary, RulesError> {
        let mut all = Vec::new();
        for package in self.packages()? {
            all.extend(package.compile(|_| true)?.into_iter().map(Arc::new));
        }
        Ok(OfficialLibrary::new(all))
    }

    /// Compiles the sets of a coordinate, or all releases of a `group:artifact`.
    ///
    /// # Errors
    /// [`RulesError::Unknown`] where there is none.
    pub fn load_named(&self, name: &str) -> Result<Vec<OfficialSet>, RulesError> {
        let wanted =
            |set: &Description| set.coordinate.as_str() == name || set.coordinate.line() == name;
        let mut all = Vec::new();
        for package in self.packages()? {
            if package.manifest.sets.iter().any(wanted) {
                all.extend(package.compile(wanted)?);
            }
        }
        if all.is_empty() { Err(RulesError::Unknown(name.to_owned())) } else { Ok(all) }
    }

    /// The package and the description of a coordinate.
    ///
    /// # Errors
    /// [`RulesError::Unknown`].
    pub fn find(&self, coordinate: &str) -> Result<(RegisteredPackage, Description), RulesError> {
        for package in self.packages()? {
            let sets = &package.manifest.sets;
            let found = sets.iter().find(|set| set.coordinate.as_str() == coordinate).cloned();
            if let Some(set) = found {
                return Ok((package, set));
            }
        }
        Err(RulesError::Unknown(coordinate.to_owned()))
    }

    /// What changes when a package comes or goes: the packages, and when each manifest was written.
    pub(super) fn state(&self) -> BTreeMap<PathBuf, Option<SystemTime>> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let visible = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
        let written = |path: &Path| std::fs::metadata(path.join(MANIFEST))?.modified();
        visible.map(|entry| (entry.path(), written(&entry.path()).ok())).collect()
    }
}

impl RegisteredPackage {
    /// Its files, which are those that were registered.
    ///
    /// # Errors
    /// [`RulesError`] where one cannot be read, [`RulesError::Altered`] where they or what they are
    /// called are others.
    pub fn files(&self) -> Result<SetFiles, RulesError> {
        let (root, mut files) = (self.folder.join(FILES), SetFiles::new());
        folder(&root, &root, 0, &mut files)?;
        if name(&self.manifest.sets, &files) == self.digest {
            return Ok(files);
        }
        if !self.folder.join(NAMED).exists() {
            let folder = self.folder.display();
            tracing::warn!(%folder, "registered by an earlier version: whether it was changed \
                since cannot be told; remove its sets and add them again");
            return Ok(files);
        }
        let named = |set: &Description| format!("{}, {}", set.coordinate, set.file);
        let sets = self.manifest.sets.iter().map(named).collect::<Vec<_>>().join("; ");
        Err(RulesError::Altered { path: self.folder.clone(), sets })
    }

    fn compile(
        &self,
        wanted: impl Fn(&Description) -> bool,
    ) -> Result<Vec<OfficialSet>, RulesError> {
        let sets = self.manifest.sets.iter().filter(|set| wanted(set)).cloned().collect();
        let mut sets = compile(sets, &self.files()?)?;
        sets.iter_mut().for_each(|set| set.added_on = self.manifest.added_on);
        Ok(sets)
    }
}

/// The digest of what a package is: its sets and its files.
fn name(sets: &[Description], files: &SetFiles) -> String {
    let mut context = digest::Context::new(&digest::SHA256);
    let mut add = |bytes: &[u8]| {
        context.update(&(bytes.len() as u64).to_be_bytes());
        context.update(bytes);
    };
    for set in sets {
        add(&serde_json::to_vec(set).unwrap_or_default());
    }
    for (path, bytes) in files {
        add(path.as_bytes());
        add(bytes);
    }
    let mut name = data_encoding::HEXLOWER.encode(context.finish().as_ref());
    name.truncate(NAME_LENGTH);
    name
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), RulesError> {
    let write = || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = std::fs::File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(RulesError::file(path))
}

fn sync(folder: &Path) -> Result<(), RulesError> {
    let synced = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(RulesError::file(folder))
}
