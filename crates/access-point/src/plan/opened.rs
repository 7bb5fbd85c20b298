//! What was uploaded, opened: a document, a file that is no XML, or an envelope that its caller
//! made.

use bytes::Bytes;
use quoin_delivery::Event;
use quoin_formats::Syntax;
use quoin_formats::routing::Routing;
use quoin_formats::{Detection, ParsedDocument};
use quoin_identity::{Announced, is_of_format};
use quoin_model::{Finding, FixBy, Flag, ValidationStep};
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::sbdh::{self, Sbdh, SbdhRefusal, WrapRefusal};
use quoin_store::SubmitOptions;
use quoin_xml::tree::Limits;

use super::{CONVERSION, rejection};

#[cfg(test)]
mod tests;

/// Under which name it is told that an envelope cannot be sent as it is.
const ENVELOPE: &str = "QUOIN-ENVELOPE";
/// The rule that the receiver of an envelope is one that its document names.
pub(super) const OTHER_RECEIVER: &str = "QUOIN-SBDH-RECEIVER";

/// What travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutboundPayload {
    /// A document in XML, in an envelope of ours.
    Document,
    /// A file that is no XML, in an envelope of ours (BME 2.0 section 2.3, `BinaryContent`).
    File {
        /// Its media type.
        media_type: &'static str,
    },
    /// An envelope that its caller made, with its header: sent as it is, with its own identifiers
    /// (checklist D-15).
    Envelope(Box<Sbdh>),
}

impl OutboundPayload {
    /// The header that its caller wrote.
    pub fn header(&self) -> Option<&Sbdh> {
        match self {
            OutboundPayload::Envelope(header) => Some(header),
            OutboundPayload::Document | OutboundPayload::File { .. } => None,
        }
    }

    /// What goes over the wire for an upload: in an envelope with this header, or as it is.
    ///
    /// # Errors
    /// [`WrapRefusal`] where it cannot be enveloped.
    pub fn enclosed(&self, header: &Sbdh, upload: &Bytes) -> Result<Bytes, WrapRefusal> {
        match self {
            OutboundPayload::Document => sbdh::wrap(header, upload).map(Bytes::from),
            OutboundPayload::File { media_type } => {
                sbdh::wrap_binary(header, media_type, None, upload).map(Bytes::from)
            }
            OutboundPayload::Envelope(_) => Ok(upload.clone()),
        }
    }

    /// What corner 4 takes out of it: the upload without the envelope of its caller.
    pub fn content(&self, upload: &Bytes) -> Bytes {
        let OutboundPayload::Envelope(_) = self else { return upload.clone() };
        let content = sbdh::read(upload)
            .and_then(|envelope| Ok(Bytes::from(envelope.content(upload)?.into_owned())));
        content.unwrap_or_else(|_| upload.clone())
    }
}

/// An upload that was looked at.
pub struct OpenedUpload {
    /// The document in it: of a file, the one inside, or the file itself.
    pub parsed: ParsedDocument,
    /// What the file is, where it is no XML.
    file: Option<Detection>,
    /// What travels.
    pub payload: OutboundPayload,
    /// What is wrong with the envelope of its caller.
    refusal: Option<SbdhRefusal>,
}

/// Looks at an upload. A file of no known kind may be sent where what is asked beside it is a type
/// of files.
pub fn open(upload: &[u8], wishes: &SubmitOptions) -> OpenedUpload {
    let parsed = quoin_formats::read(upload);
    if !parsed.detection().enveloped {
        let asked = super::announced(wishes).document_type;
        let any = asked.is_some_and(|asked| asked.parts().local_name.is_none());
        return OpenedUpload::file((upload, parsed), OutboundPayload::Document, any);
    }
    let read = sbdh::read_checked(upload, &Limits::default());
    let content = read.and_then(|envelope| {
        envelope.sbdh.check_statuses()?;
        let is_file = envelope.kind != sbdh::PayloadKind::Xml;
        let file = is_file.then(|| Ok::<_, SbdhRefusal>(envelope.content(upload)?.into_owned()));
        Ok((envelope.sbdh, file.transpose()?))
    });
    match content {
        Err(refusal) => {
            let payload = OutboundPayload::Document;
            OpenedUpload { parsed, file: None, payload, refusal: Some(refusal) }
        }
        Ok((header, None)) => {
            let payload = OutboundPayload::Envelope(Box::new(header));
            OpenedUpload { parsed, file: None, payload, refusal: None }
        }
        Ok((header, Some(file))) => {
            let parsed = quoin_formats::read(&file);
            OpenedUpload::file((&file, parsed), OutboundPayload::Envelope(Box::new(header)), true)
        }
    }
}

impl OpenedUpload {
    /// A document, or a file that is no XML: of a known kind, or of any.
    fn file(
        (bytes, parsed): (&[u8], ParsedDocument),
        payload: OutboundPayload,
        any: bool,
    ) -> OpenedUpload {
        let detection = parsed.detection();
        // The JSON form of an invoice is a document: it is converted, unless it is sent as a file.
        let is_document = !any && parsed.root().is_some();
        let media_type = match detection.syntax {
            Some(syntax) if !syntax.is_xml() && !is_document => syntax.media_type(),
            None if any && detection.root.is_none() => "application/octet-stream",
            _ => return OpenedUpload { parsed, file: None, payload, refusal: None },
        };
        let file = Some(detection.clone());
        let is_pdf = detection.syntax == Some(Syntax::Pdf);
        let inner = if is_pdf { quoin_formats::inside(bytes) } else { None };
        let payload = match payload {
            OutboundPayload::Document => OutboundPayload::File { media_type },
            payload => payload,
        };
        OpenedUpload { parsed: inner.unwrap_or(parsed), file, payload, refusal: None }
    }

    /// What decides the document type: the file, or the document.
    pub fn detection(&self) -> &Detection {
        self.file.as_ref().unwrap_or_else(|| self.parsed.detection())
    }

    /// What the document says of its ends; a file may say nothing.
    pub fn routing(&self) -> Option<Routing> {
        let routing = self.parsed.routing();
        if self.file.is_some() { Some(routing.unwrap_or_default()) } else { routing }
    }

    /// What was said of it: by its own envelope, or beside it.
    pub fn announced(&self, wishes: &SubmitOptions) -> Announced {
        match self.payload.header() {
            None => super::announced(wishes),
            Some(header) => Announced {
                document_type: Some(header.document_type.clone()),
                process: Some(header.process.clone()),
            },
        }
    }

    /// Whether it can be sent as what its caller wants: an envelope is whole, and nothing was asked
    /// beside it that it does not say itself.
    ///
    /// # Errors
    /// [`Event::Rejected`] with what is wrong.
    pub fn check(&self, wishes: &SubmitOptions) -> Result<(), Box<Event>> {
        if let Some(refusal) = &self.refusal {
            let text = format!("The envelope around the document is wrong: {refusal}.");
            return Err(rejection(ENVELOPE, text));
        }
        let Some(header) = self.payload.header() else {
            self.check_form(wishes)?;
            // Without a type that holds files the report says what the file is not.
            return wishes.document_type.as_ref().map_or(Ok(()), |_| self.check_inside());
        };
        let asked = [
            ("senderId", &wishes.sender, header.sender.to_string()),
            ("receiverId", &wishes.receiver, header.receiver.to_string()),
            ("sourceFormat", &wishes.document_type, header.document_type.to_string()),
            ("processId", &wishes.process, header.process.to_string()),
        ];
        if let Some(format) = &wishes.target_format
            && !is_of_format(&header.document_type, format)
        {
            return Err(contradiction("targetFormat", format, &header.document_type.to_string()));
        }
        for (name, asked, said) in asked {
            // Participant identifiers are the same in any case; types and processes are not
            // (policy for the use of identifiers, POLICY 1).
            let any_case = matches!(name, "senderId" | "receiverId");
            let same = |asked: &str| asked == said || any_case && asked.eq_ignore_ascii_case(&said);
            if let Some(asked) = asked.as_ref().filter(|asked| !same(asked)) {
                return Err(contradiction(name, asked, &said));
            }
        }
        self.check_inside()
    }

    /// A file travels as it is: it is not converted to the form that was asked for.
    fn check_form(&self, wishes: &SubmitOptions) -> Result<(), Box<Event>> {
        let is_file = matches!(self.payload, OutboundPayload::File { .. });
        let asked = wishes.target_format.as_ref().filter(|_| is_file);
        let own = super::announced(wishes).document_type;
        match asked {
            Some(format) if !own.as_ref().is_some_and(|own| is_of_format(own, format)) => {
                let text = format!(
                    "targetFormat is {format}, and a file is sent as it is; leave targetFormat \
                     out, or send the document in the form that is wanted."
                );
                Err(rejection(CONVERSION, text))
            }
            _ => Ok(()),
        }
    }

    /// What is to be told where the envelope of a caller leads to another receiver than the
    /// document names: it may, and the envelope decides.
    pub(super) fn other_receiver(&self, routing: &Routing) -> Option<Finding> {
        let receiver = &self.payload.header()?.receiver;
        let named = routing.receiver.endpoint.as_ref()?;
        let named = ParticipantId::new(&named.scheme, &named.value).ok()?;
        let is_other = named.folded() != receiver.folded();
        is_other.then(|| Finding {
            rule: OTHER_RECEIVER.into(),
            step: ValidationStep::Rules,
            flag: Flag::Warning,
            message: format!(
                "The envelope leads to {receiver}, and the document names {named} as its receiver; \
                 it goes to whom the envelope names."
            ),
            location: None,
            value: Some(receiver.to_string()),
            expected: Some(named.to_string()),
            terms: Vec::new(),
            fix_by: FixBy::SourceSystem,
            rule_set: None,
            assertion: None,
            patch: None,
            fatal_from: None,
        })
    }

    /// A hybrid file holds what it is about.
    fn check_inside(&self) -> Result<(), Box<Event>> {
        let is_pdf = self.file.as_ref().is_some_and(|file| file.syntax == Some(Syntax::Pdf));
        if !is_pdf || self.parsed.detection().root.is_some() {
            return Ok(());
        }
        let text = "The PDF holds no e-invoice that can be read, which the types of hybrid files \
                    need; a picture of an invoice is not one.";
        Err(rejection("QUOIN-DOCUMENT-TYPE", text.to_owned()))
    }
}

/// Why an envelope is not sent: what was asked beside it is not what it says.
fn contradiction(name: &str, asked: &str, said: &str) -> Box<Event> {
    let text = format!(
        "{name} is {asked}, and the envelope around the document says {said}; an envelope is sent \
         as it is, so leave {name} out or send the document without one."
    );
    rejection(ENVELOPE, text)
}
