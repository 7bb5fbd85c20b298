//! A document in the form that a channel carries: converted, with the same list of losses and the
//! same policy as for a receiver of the network.

use bytes::Bytes;
use quoin_delivery::Event;
use quoin_formats::Syntax;
use quoin_formats::convert::{
    ConversionRequest, ConversionTarget, Converted, LossPolicy, convert_at,
};

use super::converted::{ConversionRecord, losing};
use super::{CONVERSION, OutboundPayload, Plan, rejection, sentence};

/// What a channel carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CarriedForm {
    /// What documents are converted to.
    pub target: ConversionTarget,
    /// The syntax of what is in this form already.
    pub syntax: Syntax,
    /// Whether files that are embedded travel beside the document.
    pub files_beside: bool,
}

impl CarriedForm {
    /// Whether a document is in this form already, and goes as it is.
    pub fn has(&self, plan: &Plan) -> bool {
        plan.payload == OutboundPayload::Document && plan.content.syntax == Some(self.syntax)
    }
}

/// Why a document does not go in the form that a channel carries.
#[derive(Debug, Clone, PartialEq)]
pub enum NotCarried {
    /// It has no such form: another channel may take it as it is.
    NoForm(Box<Event>),
    /// It would lose what it is not allowed to lose, which is for whoever sends it to say.
    Losing(Box<Event>),
}

impl NotCarried {
    /// The rejection that it is where no other channel takes the document.
    pub fn rejection(self) -> Box<Event> {
        match self {
            NotCarried::NoForm(event) | NotCarried::Losing(event) => event,
        }
    }
}

/// What is of the network of participants, and of the syntax that a document was uploaded in: its
/// specification, its process, and the electronic addresses of both ends. Another network has its
/// own, so that these may be left out without being asked for.
const OF_THE_NETWORK: [&str; 6] = ["BT-23", "BT-24", "BT-34", "BT-34-1", "BT-49", "BT-49-1"];

/// Converts a document to what a channel carries. One that is written so already stays the same
/// tree.
///
/// # Errors
/// [`NotCarried`], with the losses that the policy does not allow, or with the reason why there is
/// no document of it.
pub fn carried(
    document: &[u8],
    source: &str,
    form: CarriedForm,
    policy: &LossPolicy,
) -> Result<(Bytes, ConversionRecord), NotCarried> {
    // The target has a title of its invoices only.
    let title = form.target.as_str();
    let refused = |why: String| {
        let text =
            format!("The channel carries {title}, and the document cannot become one: {why}");
        NotCarried::NoForm(rejection(CONVERSION, text))
    };
    let parsed = quoin_formats::read(document);
    let root = parsed.root().ok_or_else(|| refused("it is no XML.".to_owned()))?;
    let request = ConversionRequest {
        files_beside: form.files_beside,
        ..ConversionRequest::from(form.target)
    };
    let Converted { document, losses, tally } =
        convert_at(root, request).map_err(|refusal| refused(sentence(&refusal.to_string())))?;
    let record = ConversionRecord {
        source_document_type_id: Some(source.to_owned()),
        target_document_type_id: form.target.as_str().to_owned(),
        carried: tally.carried + tally.derived,
        losses,
    };
    let mut policy = policy.clone();
    policy.allowed.extend(OF_THE_NETWORK.map(str::to_owned));
    match record.losses.iter().any(|loss| policy.refuses(loss)) {
        true => Err(NotCarried::Losing(losing(&record, &policy, "The channel carries"))),
        false => Ok((Bytes::from(document), record)),
    }
}
