//! Taking a set out of the registry, and what a crash leaves of that.

use std::collections::BTreeSet;
use std::path::Path;

use super::{MANIFEST, RegisteredPackage, Registry, name, sync, write_file};
use crate::rules::RulesError;

impl Registry {
    /// Removes a set; a package goes with its last set. What is left of one is in a folder of its
    /// own name before the former one goes, so that nothing is judged by fewer rules meanwhile.
    ///
    /// # Errors
    /// [`RulesError::Unknown`], or a file that cannot be removed.
    pub fn remove(&self, coordinate: &str) -> Result<(), RulesError> {
        let gone = self.sweep()?;
        let has = |package: &RegisteredPackage| package.names(coordinate);
        let (mut package, set) = match self.find(coordinate) {
            Err(RulesError::Unknown(_)) if gone.iter().any(has) => return Ok(()),
            found => found?,
        };
        let files = package.files();
        package.manifest.sets.retain(|kept| kept.coordinate != set.coordinate);
        if package.manifest.sets.is_empty() {
            return self.discard(&package);
        }
        if let Ok(files) = files {
            let place = self.folder.join(name(&package.manifest.sets, &files));
            self.write(&place, &package.manifest, &files)?;
            return self.discard(&package);
        }
        // What was altered stays so.
        let (path, draft) = (package.folder.join(MANIFEST), package.folder.join(".manifest"));
        write_file(&draft, package.manifest.text()?.as_bytes())?;
        std::fs::rename(&draft, &path).map_err(RulesError::file(&path))?;
        sync(&package.folder)
    }

    /// Removes a package: out of sight in one step, so that nobody loads half of it.
    fn discard(&self, package: &RegisteredPackage) -> Result<(), RulesError> {
        let gone = self.folder.join(format!(".removed-{}", package.digest));
        // What is left of an earlier removal would be in the way.
        removed(&gone)?;
        std::fs::rename(&package.folder, &gone).map_err(RulesError::file(&package.folder))?;
        sync(&self.folder)?;
        removed(&gone)
    }

    /// Ends the removals that were cut short; the packages that were to go.
    fn sweep(&self) -> Result<Vec<RegisteredPackage>, RulesError> {
        let mut packages = self.folders()?;
        let gone = cut_short(&packages);
        packages.retain(|package| gone.contains(&package.digest));
        for package in &packages {
            self.discard(package)?;
        }
        Ok(packages)
    }
}

impl RegisteredPackage {
    /// Whether one of its sets has this coordinate.
    fn names(&self, coordinate: &str) -> bool {
        self.manifest.sets.iter().any(|set| set.coordinate.as_str() == coordinate)
    }
}

/// The digests of packages of which a set was removed, when what is left was in its place and they
/// were not gone yet: a coordinate is registered once.
pub(super) fn cut_short(packages: &[RegisteredPackage]) -> BTreeSet<String> {
    let is_left_of = |whole: &RegisteredPackage, part: &RegisteredPackage| {
        let sets = &part.manifest.sets;
        sets.len() < whole.manifest.sets.len()
            && sets.iter().all(|set| whole.names(set.coordinate.as_str()))
    };
    let is_cut = |whole: &&RegisteredPackage| packages.iter().any(|part| is_left_of(whole, part));
    packages.iter().filter(is_cut).map(|package| package.digest.clone()).collect()
}

/// Removes a folder, if it is there.
fn removed(folder: &Path) -> Result<(), RulesError> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(RulesError::file(folder)(error))
        }
        _ => Ok(()),
    }
}
