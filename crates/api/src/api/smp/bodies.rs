//! Bodies of submitted records: within a size, without a document type declaration, as their schema
//! says, and about what the address names.

use axum::extract::Request;
use bytes::Bytes;
use quoin_formats::structure_tables;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::smp::SmpRefusal;
use quoin_xml::tree::{Document, Limits};

use crate::api::Api;
use crate::http::body::{self, Tenant};
use crate::http::{Problem, codes};
use quoin_access_point::budget::BodyLimits;

/// The largest record, in bytes.
const LARGEST: u64 = 1 << 20;

pub(super) fn bad(detail: impl std::fmt::Display) -> Problem {
    Problem::new(&codes::BAD_RECORD, detail.to_string())
}

/// Reads a body that is a document of its schema.
///
/// # Errors
/// API400.Smp, and what reading a body can give.
pub(super) async fn read(api: &Api, request: Request) -> Result<Bytes, Problem> {
    let limits = BodyLimits { bytes: LARGEST, ..api.settings.body };
    let (parts, body) = request.into_parts();
    let bytes = body::read_counted(body, limits, &api.settings.uploads, &parts.extensions).await?;
    let checked = bytes.clone();
    let who = parts.extensions.get::<Tenant>().map_or("smp", |tenant| &tenant.0).to_owned();
    api.settings.judges.run(&who, move || check(&checked)).await??;
    Ok(bytes)
}

fn check(bytes: &[u8]) -> Result<(), Problem> {
    let limits = Limits { bytes: LARGEST as usize, ..Limits::default() };
    let document = Document::parse(bytes, &limits)
        .map_err(|error| bad(format!("the body cannot be read: {error}")))?;
    let root = document.root();
    let structure = structure_tables::find(root.namespace(), root.local(), None);
    let Some(schema) = structure.and_then(|structure| structure.schema()) else {
        let name = root.qualified_name();
        return Err(bad(format!("the root {name} is not one of a record of an SMP")));
    };
    schema.validate(root).violations.first().map_or(Ok(()), |violation| Err(bad(violation)))
}

/// The refusal of the reader, as a problem.
pub(super) fn refused(refusal: SmpRefusal) -> Problem {
    bad(format!("the body: {refusal}"))
}

/// The body must be about the participant of the address.
pub(super) fn same(found: &ParticipantId, asked: &ParticipantId) -> Result<(), Problem> {
    if found == asked {
        return Ok(());
    }
    Err(bad(format!("the body is about {found}, the address about {asked}")))
}
