//! What `--rules` names: files, folders and archives, or what is registered.

use std::path::Path;
use std::sync::Arc;

use quoin_rules::official::{Applies, OfficialSet, OfficialSetKind};

use crate::DataDir;
use quoin_access_point::rules::{Overrides, PackageFiles};

/// The sets that are named; none where nothing is.
pub(super) fn named(
    names: &[String],
    data: &DataDir,
) -> Result<Option<Vec<Arc<OfficialSet>>>, String> {
    if names.is_empty() {
        return Ok(None);
    }
    let mut all = Vec::new();
    for name in names {
        all.extend(one(name, data)?.into_iter().map(Arc::new));
    }
    Ok(Some(all))
}

fn one(name: &str, data: &DataDir) -> Result<Vec<OfficialSet>, String> {
    let path = Path::new(name);
    if path.exists() {
        let package = PackageFiles::read(path).map_err(|error| error.to_string())?;
        let sets = package.describe(&Overrides::default()).map_err(|error| error.to_string())?;
        return package.compile(sets.sets).map_err(|error| error.to_string());
    }
    if name.contains('/') || OfficialSetKind::of_file(name).is_some() {
        return Err(format!("{name}: there is no such file"));
    }
    let mut sets = data.registry()?.load_named(name).map_err(|error| error.to_string())?;
    if let Some(last) = sets.iter().map(|set| set.coordinate.clone()).max() {
        // Without a release, the last one.
        sets.retain(|set| set.coordinate == last);
    }
    for set in &mut sets {
        // What is named runs, whatever it is made for.
        set.applies = Applies::default();
    }
    Ok(sets)
}
