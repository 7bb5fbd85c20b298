//! Every code that an answer can carry. A code has a status, a title and a page in `docs/errors`
//! that tells what it means, where it comes from and what to do; the page is served at
//! `/docs/errors/CODE`, which is the `type` and the `helpLink` of the problem.

/// A code.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable name, as in `API403`; the status, and a word where a status has several causes.
    pub id: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// A short sentence that is the same for every occurrence.
    pub title: &'static str,
    /// The page, in Markdown.
    pub page: &'static str,
}

macro_rules! codes {
    ($($name:ident = $id:literal, $status:literal, $title:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title, ".")]
            pub static $name: Code = Code {
                id: $id,
                status: $status,
                title: $title,
                page: include_str!(concat!("../../../../docs/errors/", $id, ".md")),
            };
        )*

        /// All codes, in the order of their names.
        pub static CODES: &[&Code] = &[$(&$name),*];
    };
}

codes! {
    BAD_REQUEST = "API400", 400, "The request is not understood";
    EMPTY_BODY = "API400.EmptyBody", 400, "The body is empty";
    BAD_MULTIPART = "API400.Multipart", 400, "The multipart body cannot be read";
    BAD_PARTY_ID = "API400.PartyId", 400, "The party identifier is not valid";
    BAD_DOCUMENT_ID = "API400.DocumentId", 400, "The document id is not valid";
    BAD_QUERY = "API400.Query", 400, "A query parameter is not valid";
    BAD_JSON = "API400.Json", 400, "The JSON body is not valid";
    CONVERSION = "API400.Conversion", 400, "This conversion does not exist";
    UNANSWERABLE = "API400.Unanswerable", 400, "The document cannot be answered";
    BAD_HOOK = "API400.Hook", 400, "The hook is not valid";
    NO_CHANNEL = "API400.Channel", 400, "There is no such channel";
    NO_INVOICE = "API400.NoInvoice", 400, "There is no e-invoice in the file";
    BAD_USER = "API400.User", 400, "The user is not valid";
    BAD_CLIENT = "API400.Client", 400, "The client is not valid";
    BAD_CONFIG = "API400.Config", 400, "The configuration is not valid";
    BAD_CARD = "API400.BusinessCard", 400, "The business card is not valid";
    BAD_RECORD = "API400.Smp", 400, "The record of the SMP is not valid";
    BAD_JOB = "API400.Job", 400, "The job is not valid";
    NOT_VERIFIED = "API400.Verification", 400, "The end user is not verified";
    NO_TOKEN = "API401", 401, "No access token";
    TOKEN_MALFORMED = "API401.Malformed", 401, "The access token cannot be read";
    TOKEN_EXPIRED = "API401.Expired", 401, "The access token has expired";
    TOKEN_INVALID = "API401.Invalid", 401, "The access token is not valid";
    FORBIDDEN_PARTY = "API403", 403, "The party is not yours";
    FORBIDDEN_ROLE = "API403.Role", 403, "The role does not allow this";
    PACKAGE = "API403.Package", 403, "The package does not allow this";
    NOT_THE_PROVIDER = "API403.Provider", 403, "Only the provider may do this";
    CAPABILITY = "API403.Capability", 403, "The capability is not on";
    NO_DOCUMENT = "API404", 404, "There is no such document";
    NO_RECORD = "API404.Smp", 404, "There is no such record in the SMP";
    EXPIRED = "API404.Expired", 404, "The document is no longer kept";
    NO_HOOK = "API404.Hook", 404, "There is no such hook";
    NO_USER = "API404.User", 404, "There is no such user";
    NO_JOB = "API404.Job", 404, "There is no such job";
    NO_CLIENT = "API404.Client", 404, "There is no such client";
    NO_PATH = "API404.Path", 404, "There is no such address";
    METHOD = "API405", 405, "The method is not allowed here";
    BODY_TIMEOUT = "API408", 408, "The request took too long";
    CONFLICT = "API409", 409, "The document was already taken";
    OUT_OF_ORDER = "API409.Status", 409, "The status does not follow";
    REPORT = "API409.Report", 409, "The report cannot be sent now";
    ROTATING = "API409.Rotation", 409, "The secret was changed less than a day ago";
    NAME_TAKEN = "API409.Name", 409, "The name is taken";
    FIXED_CLIENT = "API409.Client", 409, "The client cannot be changed here";
    NO_LINKED_USER = "API409.LinkedUser", 409, "The party needs a linked user";
    PARTICIPANT_TAKEN = "API409.Participant", 409, "The participant is registered already";
    NOT_REGISTERED = "API409.Registration", 409, "The participant is not registered here";
    HELD_RECORD = "API409.Smp", 409, "The record belongs to the configuration of the party";
    JOB_CONFLICT = "API409.Job", 409, "The job cannot do this now";
    CHANGED = "API412", 412, "The record is not the one that was read";
    MEDIA_TYPE = "API415", 415, "The content type is not supported";
    TOO_MANY = "API429", 429, "Too many requests";
    RATE = "API429.Rate", 429, "The limit of your client is reached";
    FAULT = "API500", 500, "The service failed";
    TOO_LARGE = "API500.TooLarge", 500, "The request is too large";
    UNAVAILABLE = "API503", 503, "The service is not available for the moment";
    LOOKUP = "API503.Lookup", 503, "The look-up had no answer in time";
}

/// Looks a code up by its name.
pub fn find(id: &str) -> Option<&'static Code> {
    CODES.iter().copied().find(|code| code.id == id)
}

#[cfg(test)]
mod tests;
