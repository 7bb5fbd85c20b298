//! The ids of an envelope: what a signature and a token reference point at.
//!
//! An id that occurs twice is refused when it is used, whichever attributes carry it: otherwise the
//! one element could be verified and the other one read.

use quoin_xml::namespaces::XML;
use quoin_xml::tree::{Attribute, Document, Element};
use quoin_xmldsig::signature::SignatureError;

use super::error::{As4Refusal, EbmsCode};
use super::names::WSU;
use super::security::refuse;

/// Every id of one envelope, collected in one walk and sorted.
pub(super) struct Ids<'d>(Vec<(&'d str, Element<'d>)>);

impl<'d> Ids<'d> {
    pub(super) fn of(document: &'d Document) -> Ids<'d> {
        let mut ids = Vec::with_capacity(16);
        for element in document.root().descendants() {
            let own = element.attributes().filter(is_id).map(|id| (id.value, element));
            ids.extend(own);
        }
        ids.sort_by_key(|(id, _)| *id);
        Ids(ids)
    }

    /// The one element with this id.
    pub(super) fn element(&self, id: &str) -> Result<Element<'d>, As4Refusal> {
        let first = self.0.partition_point(|(known, _)| *known < id);
        let mut found = self.0.iter().skip(first).take_while(|(known, _)| *known == id);
        let Some((_, element)) = found.next() else {
            return Err(refuse(SignatureError::Dangling(format!("#{id}"))));
        };
        match found.next() {
            None => Ok(*element),
            Some(_) => Err(As4Refusal::new(
                EbmsCode::FailedAuthentication,
                format!("duplicate id {id:?}: it is not clear what is signed"),
            )),
        }
    }
}

fn is_id(attribute: &Attribute<'_>) -> bool {
    match attribute.namespace {
        "" => attribute.local.eq_ignore_ascii_case("id"),
        WSU => attribute.local == "Id",
        XML => attribute.local == "id",
        _ => false,
    }
}
