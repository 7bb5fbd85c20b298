//! Reading the configuration from one TOML file. Every mistake in it is reported in one go, with
//! its line; what only shows when settings are seen together is looked at as well.

mod check;
mod problems;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::config::Config;

pub use check::wrong_filter;
pub use problems::{ConfigError, ConfigProblem};

/// The largest configuration file that is read, in bytes.
const LARGEST_FILE: u64 = 1024 * 1024;

impl Config {
    /// Reads a file; relative paths in it are taken from the folder of the file.
    ///
    /// # Errors
    /// Every problem of the file at once: syntax, unknown settings, wrong types, settings that
    /// contradict each other, secrets that point to nothing.
    pub fn load(path: &Path) -> Result<Config, ConfigError> {
        let unreadable = |source| ConfigError::Unreadable { path: path.to_owned(), source };
        let length = std::fs::metadata(path).map_err(unreadable)?.len();
        if length > LARGEST_FILE {
            return Err(ConfigError::TooLarge { path: path.to_owned(), length });
        }
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let mut config = Config::parse(&text)?;
        config.resolve_paths(path.parent().unwrap_or(Path::new("")));
        Ok(config)
    }

    /// Reads the text of a configuration file and checks it as a whole.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        let (config, mut problems) = problems::read(text);
        problems.extend(check::check(&config));
        if problems.is_empty() { Ok(config) } else { Err(ConfigError::Problems(problems)) }
    }
}
