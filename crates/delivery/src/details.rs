//! What events and channels tell of a document or of the service, by name: the fields that filters
//! of hooks can compare, and as what each is compared.

use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};

use crate::channel::PROTOCOLS;
use crate::tax::{TaxAct, TaxRole, TaxState};

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
    /// A name under which it is told as well, by channels or by events.
    pub also: Option<&'static str>,
}

const fn row(name: &'static str, compared: Compared) -> EventDetail {
    EventDetail { name, compared, also: None }
}

const fn text(name: &'static str) -> EventDetail {
    row(name, Compared::Text)
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

words!(tax_states, TaxState);
words!(tax_roles, TaxRole);
words!(tax_acts, TaxAct);

const TAX_STATES: &[&str] = &tax_states();
const TAX_ROLES: &[&str] = &tax_roles();
const TAX_ACTS: &[&str] = &tax_acts();

/// Every field, by topic roughly in the order in which users meet them.
pub static DETAILS: &[EventDetail] = &[
    text("topic"),
    row("partyId", Compared::Participant),
    text("documentId"),
    row("sender", Compared::Participant),
    row("recipient", Compared::Participant),
    text("id"),
    EventDetail {
        also: Some("sourceDocumentTypeId"),
        ..row("documentTypeId", Compared::DocumentType)
    },
    EventDetail {
        also: Some("documentTypeId"),
        ..row("sourceDocumentTypeId", Compared::DocumentType)
    },
    row("targetDocumentTypeId", Compared::DocumentType),
    text("channel"),
    row("protocol", Compared::OneOf(PROTOCOLS)),
    text("endpoint"),
    row("attempt", Compared::Number),
    text("nextAttempt"),
    text("messageId"),
    text("returnedMessageId"),
    text("code"),
    text("corner"),
    text("whoCanFix"),
    text("cause"),
    text("mailRecipient"),
    text("mailStatus"),
    row("httpStatus", Compared::Number),
    text("ebmsErrorCode"),
    row("findingCount", Compared::Number),
    text("findings"),
    text("responseDocumentId"),
    text("answeredDocumentId"),
    row("statusCode", Compared::OneOf(&["AB", "IP", "UQ", "CA", "RE", "AP", "PD"])),
    text("ksefNumber"),
    text("clearanceMode"),
    text("clearanceDueOn"),
    row("clearanceCode", Compared::Number),
    text("taxReportId"),
    row("taxState", Compared::OneOf(TAX_STATES)),
    row("taxRole", Compared::OneOf(TAX_ROLES)),
    row("taxAct", Compared::OneOf(TAX_ACTS)),
    text("taxCountry"),
    text("taxRegime"),
    text("taxAuthority"),
    text("taxDataUuid"),
    text("hook"),
    text("hookTopic"),
    row("hookAttempt", Compared::Number),
    text("batchId"),
    row("count", Compared::Number),
    row("size", Compared::Number),
    text("sha256"),
    text("url"),
    text("provider"),
    text("level"),
    text("report"),
    text("month"),
    text("sentOn"),
    text("dueOn"),
    text("instanceIdentifier"),
    text("jobId"),
    text("kind"),
    text("state"),
    row("total", Compared::Number),
    text("createdBy"),
    row("planned", Compared::Number),
    row("refused", Compared::Number),
    row("waiting", Compared::Number),
    row("done", Compared::Number),
    row("unchanged", Compared::Number),
    row("failed", Compared::Number),
    text("use"),
    text("subject"),
    text("issuer"),
    text("notAfter"),
    row("daysLeft", Compared::Number),
    text("accessPoint"),
    text("existing"),
    text("organisation"),
    text("expected"),
    text("found"),
    text("about"),
    text("step"),
    text("fault"),
    row("generation", Compared::Number),
    row("statuses", Compared::Number),
    row("underWay", Compared::Number),
    row("unknownFiles", Compared::Number),
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
            Compared::Text => found == wanted,
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
