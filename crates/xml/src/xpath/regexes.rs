//! Regular expressions of `matches`, `replace` and `tokenize`, Functions and Operators 7.6.

use std::sync::Arc;

use super::error::{DynamicError, ErrorCode};
use crate::pattern::{Pattern, PatternError};

/// A compiled regular expression in the XPath dialect.
#[derive(Debug)]
pub(crate) struct Regex {
    pattern: Pattern,
}

/// Compiles a regular expression with its flags.
pub(crate) fn compile(text: &str, flags: &str) -> Result<Arc<Regex>, DynamicError> {
    let pattern = Pattern::xpath(text, flags).map_err(|error| coded(&error))?;
    Ok(Arc::new(Regex { pattern }))
}

fn coded(error: &PatternError) -> DynamicError {
    let code = match error {
        PatternError::Flag(_) => ErrorCode::FORX0001,
        PatternError::MatchesEmpty => ErrorCode::FORX0003,
        PatternError::Replacement => ErrorCode::FORX0004,
        _ => ErrorCode::FORX0002,
    };
    DynamicError::new(code, error.to_string())
}

impl Regex {
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }

    pub(crate) fn replace(&self, text: &str, replacement: &str) -> Result<String, DynamicError> {
        self.pattern.replace(text, replacement).map_err(|error| coded(&error))
    }

    pub(crate) fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<&'t str>, DynamicError> {
        self.pattern.tokenize(text).map_err(|error| coded(&error))
    }
}
