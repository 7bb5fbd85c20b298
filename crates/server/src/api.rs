//! The customers' interface.

use axum::Router;

use crate::start::{Parts, StartError};

/// The routes.
pub fn router(_parts: &Parts) -> Result<Router, StartError> {
    Ok(Router::new())
}
