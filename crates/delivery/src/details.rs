//! What events and channels tell of a document or of the service, by name: the fields that filters
//! of hooks can compare, and as what each is compared.

use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};

use crate::channel::PROTOCOLS;
use crate::corners::{Corner, Fixer};
use crate::tax::{TaxAct, TaxRole, TaxState};
use crate::topics::{self, Topic};

/// As what a field is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// As texts, letter by letter.
    Text,
    /// As participants: with letter aliases, without regard to case.
    Participant,
    /// As document types, with their scheme or without it.
    DocumentType,
    /// As whole numbers.
    Number,
    /// As the name of a topic, letter by letter.
    Topic,
    /// As one of these words.
    OneOf(&'static [&'static str]),
}

/// A row of [`DETAILS`].
#[derive(Debug, Clone, Copy)]
pub struct EventDetail {
    /// The name in events.
    pub name: &'static str,
    /// As what it is compared.
    pub compared: Compared,
    /// What it tells.
    pub tells: &'static str,
    /// A name under which it is told as well, by channels or by events.
    pub also: Option<&'static str>,
}

const fn row(name: &'static str, compared: Compared, tells: &'static str) -> EventDetail {
    EventDetail { name, compared, tells, also: None }
}

const fn text(name: &'static str, tells: &'static str) -> EventDetail {
    row(name, Compared::Text, tells)
}

/// A function that gives the words of all values of a type.
macro_rules! words {
    ($name:ident, $type:ident) => {
        #[expect(clippy::indexing_slicing, reason = "done by the compiler")]
        const fn $name() -> [&'static str; $type::ALL.len()] {
            let mut all = [""; $type::ALL.len()];
            let mut at = 0;
            while at < $type::ALL.len() {
                all[at] = $type::ALL[at].as_str();
                at += 1;
            }
            all
        }
    };
}

words!(corners, Corner);
words!(fixers, Fixer);
words!(tax_states, TaxState);
words!(tax_roles, TaxRole);
words!(tax_acts, TaxAct);

const CORNERS: &[&str] = &corners();
const FIXERS: &[&str] = &fixers();
const TAX_STATES: &[&str] = &tax_states();
const TAX_ROLES: &[&str] = &tax_roles();
const TAX_ACTS: &[&str] = &tax_acts();

/// Every field, by topic roughly in the order in which users meet them.
pub static DETAILS: &[EventDetail] = &[
    row("topic", Compared::Topic, "The topic of the event."),
    row("partyId", Compared::Participant, "The party that the event is about."),
    text("documentId", "The document that it is about."),
    row("sender", Compared::Participant, "Who sends the document."),
    row("recipient", Compared::Participant, "Who receives the document."),
    text("id", "The number that the document has in it: of the invoice, of the order."),
    EventDetail {
        also: Some("sourceDocumentTypeId"),
        ..row(
            "documentTypeId",
            Compared::DocumentType,
            "As `sourceDocumentTypeId`, where a channel is asked.",
        )
    },
    EventDetail {
        also: Some("documentTypeId"),
        ..row(
            "sourceDocumentTypeId",
            Compared::DocumentType,
            "The type of the document as it was uploaded or as it came.",
        )
    },
    row("targetDocumentTypeId", Compared::DocumentType, "The type of the document as it was sent."),
    text("channel", "The hook over which the document was sent."),
    row("protocol", Compared::OneOf(PROTOCOLS), "How it was sent."),
    text("endpoint", "The address that it was sent to; of `HookDisabled` that of the hook."),
    row("attempt", Compared::Number, "Which attempt it was, from 1."),
    text("nextAttempt", "When the next attempt is made."),
    text("messageId", "The id of the message that carried the document."),
    text(
        "returnedMessageId",
        "What the other side called it: the id of its receipt, of its answer or of a file.",
    ),
    text("code", "Why it did not do, in one stable word."),
    row("corner", Compared::OneOf(CORNERS), "At which corner it failed."),
    row("whoCanFix", Compared::OneOf(FIXERS), "Who can mend it."),
    text("cause", "What was seen, for whoever looks into it."),
    text("mailRecipient", "To whom a mail went that came back."),
    text("mailStatus", "The status in the report about such a mail."),
    row("httpStatus", Compared::Number, "The HTTP status of the answer."),
    text("ebmsErrorCode", "The code of an AS4 error."),
    row("findingCount", Compared::Number, "How many findings the document has."),
    text("findings", "The first of them, a line each."),
    text("responseDocumentId", "The answer, where the event tells of one."),
    text(
        "answeredDocumentId",
        "The document that an answer of yours is about; the order that is changed or cancelled, \
         or whose change or cancellation was answered.",
    ),
    row(
        "statusCode",
        Compared::OneOf(&["AB", "IP", "UQ", "CA", "RE", "AP", "PD"]),
        "The state that an answer gives.",
    ),
    text("ksefNumber", "The number that the Polish national system gave the invoice."),
    text("clearanceMode", "In which mode an invoice left that is registered later."),
    text("clearanceDueOn", "Until when it has to be registered."),
    row("clearanceCode", Compared::Number, "What became of the registration, as a code."),
    text("taxReportId", "The tax report."),
    row("taxState", Compared::OneOf(TAX_STATES), "What became of it."),
    row("taxRole", Compared::OneOf(TAX_ROLES), "Of which corner it is."),
    row("taxAct", Compared::OneOf(TAX_ACTS), "What was done with it."),
    text("taxCountry", "For which country it is."),
    text("taxRegime", "By which rules it is made."),
    text("taxAuthority", "Who is told."),
    text("taxDataUuid", "The identifier of the data in it."),
    text("hook", "The hook that was called."),
    row("hookTopic", Compared::Topic, "The topic that it was told."),
    row("hookAttempt", Compared::Number, "Which try of the call it was, from 1."),
    text("batchId", "The batch."),
    row("count", Compared::Number, "How many events are in it."),
    row("size", Compared::Number, "How many bytes its archive has."),
    text("sha256", "The digest of its archive; of a file in a folder that of the file."),
    text("url", "Where it is fetched."),
    text("provider", "The service provider at the other end."),
    text("level", "What is due: an answer, a status, a report."),
    text("report", "Which statistics report."),
    text("month", "The month that it is about."),
    text("sentOn", "When the document was sent."),
    text("dueOn", "Until when it is due."),
    text("instanceIdentifier", "The identifier of the envelope."),
    text("jobId", "The bulk job."),
    text("kind", "What kind of job it is."),
    text("state", "How it ended."),
    row("total", Compared::Number, "How many parties it names."),
    text("createdBy", "Who made it."),
    row("planned", Compared::Number, "Of its parties: those that would be changed."),
    row("refused", Compared::Number, "Of its parties: those that cannot be changed as asked."),
    row("waiting", Compared::Number, "Of its parties: those that were not reached yet."),
    row("done", Compared::Number, "Of its parties: those that were changed."),
    row("unchanged", Compared::Number, "Of its parties: those that were as asked already."),
    row("failed", Compared::Number, "Of its parties: those that could not be changed."),
    text("use", "What a certificate is used for."),
    text("subject", "Whom a certificate names; of an alarm what it is about."),
    text("issuer", "Who issued the certificate."),
    text("notAfter", "When it ends."),
    row("daysLeft", Compared::Number, "In how many days that is."),
    text("accessPoint", "The access point that sent the document."),
    text("existing", "The document that was there before."),
    text("organisation", "The tenant that an alarm is about."),
    text("expected", "What should have been."),
    text("found", "What was found instead."),
    text("about", "What a step was about."),
    text("step", "The step that failed."),
    text("fault", "What went wrong in it."),
    row("generation", Compared::Number, "What the feed is called now."),
    row("statuses", Compared::Number, "How many statuses are owed."),
    row("underWay", Compared::Number, "How many are under way."),
    row("unknownFiles", Compared::Number, "How many files nobody knows."),
];

/// The field of this name, in any case.
pub fn named(name: &str) -> Option<&'static EventDetail> {
    DETAILS.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

impl Compared {
    /// Whether a field with this value is equal to what it is compared with. The empty text stands
    /// for a field that is not there.
    pub fn equal(self, found: &str, wanted: &str) -> bool {
        if found.is_empty() || wanted.is_empty() {
            return found == wanted;
        }
        match self {
            Compared::Text | Compared::Topic => found == wanted,
            Compared::Participant => same::<ParticipantId>(found, wanted),
            Compared::DocumentType => bare(found) == bare(wanted),
            Compared::Number => same::<u64>(found, wanted),
            Compared::OneOf(_) => found.eq_ignore_ascii_case(wanted),
        }
    }

    /// What a comparison with this value should have been, where no field is ever equal to it.
    ///
    /// # Errors
    /// What was expected.
    pub fn check(self, wanted: &str) -> Result<(), String> {
        let is = |fits: bool, expected: &str| match fits || wanted.is_empty() {
            true => Ok(()),
            false => Err(expected.to_owned()),
        };
        match self {
            Compared::Text => Ok(()),
            Compared::Participant => is(
                wanted.parse::<ParticipantId>().is_ok(),
                "a participant identifier as in 0106:12345678",
            ),
            Compared::DocumentType => is(
                is_document_type(wanted),
                "a document type as in busdox-docid-qns::…##…::2.1, with its scheme or without it",
            ),
            Compared::Number => is(wanted.parse::<u64>().is_ok(), "a whole number"),
            Compared::Topic => is(
                Topic::named(wanted).is_some(),
                &match topics::meant(wanted) {
                    Some(meant) => format!("the name of one topic; did you mean {meant}?"),
                    None => "the name of one topic as in InvoiceSent, without *".to_owned(),
                },
            ),
            Compared::OneOf(words) => is(
                words.iter().any(|word| word.eq_ignore_ascii_case(wanted)),
                &format!("one of {}", words.join(", ")),
            ),
        }
    }
}

/// Whether two texts are the same thing; letter by letter where one of them is no such thing.
fn same<T: std::str::FromStr + PartialEq>(one: &str, other: &str) -> bool {
    match (one.parse::<T>(), other.parse::<T>()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

fn is_document_type(text: &str) -> bool {
    let schemes = ["", "busdox-docid-qns::", "peppol-doctype-wildcard::"];
    schemes.iter().any(|scheme| format!("{scheme}{text}").parse::<DocumentTypeId>().is_ok())
}

/// An identifier without its scheme.
fn bare(text: &str) -> &str {
    let schemes = ["busdox-docid-qns::", "peppol-doctype-wildcard::"];
    schemes.iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(text)
}
