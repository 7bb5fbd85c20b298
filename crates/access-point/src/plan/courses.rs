//! What is told where a receiver takes the documents of another course of business only.

use quoin_formats::Detection;
use quoin_identity::{BusinessCourse, ProcessOffer};
use quoin_peppol::identifiers::{ParticipantId, ProcessId};

/// Offers that are told of.
const TOLD: usize = 4;

/// Why a document becomes none of these offers, which are all of another course of business; `None`
/// where there are none.
pub fn other_course(
    receiver: &ParticipantId,
    others: &[ProcessOffer],
    (source, asked): (&Detection, Option<&ProcessId>),
) -> Option<String> {
    let one = |own: &ProcessOffer| {
        let ProcessOffer { offer, process } = own;
        format!("{} in {}", offer.document_type, process.value())
    };
    let takes: Vec<String> = others.iter().take(TOLD).map(one).collect();
    let course = BusinessCourse::of(source, asked);
    let course = course.as_ref().map_or("another", BusinessCourse::title);
    let takes = Some(takes.join(", ")).filter(|takes| !takes.is_empty())?;
    Some(format!(
        "{receiver} takes {takes}. That is another process of business, and the document is of \
         {course}: on its way a document never changes who bills whom, or who answers an order."
    ))
}
