//! Reading the configuration from one TOML file. Every mistake in it is reported in one go, with
//! its line; what only shows when settings are seen together is looked at as well.

mod check;
mod parts;
mod problems;
#[cfg(test)]
mod tests;
mod words;

use std::path::Path;

use crate::config::Config;
use crate::plainfile;

pub use check::{whole_filter, wrong_filter};
pub use problems::{ConfigError, ConfigProblem};

/// The largest configuration file that is read, in bytes.
const LARGEST_FILE: u64 = 1024 * 1024;

/// A configuration with its mistakes.
#[derive(Debug)]
pub struct ExaminedConfig {
    /// What could be read of it, the rest being the default; none of a text that is no TOML.
    pub config: Option<Config>,
    /// What is wrong with it.
    pub problems: Vec<ConfigProblem>,
}

impl ExaminedConfig {
    /// Reads a file as [`Config::load`] does, and goes on where that ends, so that the rest can be
    /// looked at, too.
    ///
    /// # Errors
    /// There is no such file, or none of this size is read.
    pub fn load(path: &Path) -> Result<ExaminedConfig, ConfigError> {
        let unreadable = |source| ConfigError::Unreadable { path: path.to_owned(), source };
        let length = std::fs::metadata(path).map_err(unreadable)?.len();
        if length > LARGEST_FILE {
            return Err(ConfigError::TooLarge { path: path.to_owned(), length });
        }
        let text = plainfile::text(path, LARGEST_FILE).map_err(unreadable)?;
        let mut examined = ExaminedConfig::parse(&text);
        if let Some(config) = &mut examined.config {
            config.resolve_paths(path.parent().unwrap_or(Path::new("")));
        }
        Ok(examined)
    }

    fn parse(text: &str) -> ExaminedConfig {
        let (mut config, mut problems) = problems::read(text);
        if let Some(config) = &mut config {
            config.end_public_addresses();
        }
        problems.extend(config.iter().flat_map(check::check));
        ExaminedConfig { config, problems }
    }

    fn whole(self) -> Result<Config, ConfigError> {
        match self.config {
            Some(config) if self.problems.is_empty() => Ok(config),
            _ => Err(ConfigError::Problems(self.problems)),
        }
    }
}

impl Config {
    /// Takes the slash off the end of our own addresses: what is added to them begins with one.
    fn end_public_addresses(&mut self) {
        let own =
            [&mut self.api.public_url, &mut self.access_point.public_url, &mut self.smp.public_url];
        for address in own.into_iter().flatten() {
            address.truncate(address.trim_end_matches('/').len());
        }
    }

    /// Reads a file; relative paths in it are taken from the folder of the file.
    ///
    /// # Errors
    /// Every problem of the file at once: syntax, unknown settings, wrong types, settings that
    /// contradict each other, secrets that point to nothing.
    pub fn load(path: &Path) -> Result<Config, ConfigError> {
        ExaminedConfig::load(path)?.whole()
    }

    /// Reads the text of a configuration file and checks it as a whole.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        ExaminedConfig::parse(text).whole()
    }
}
