//! Every code that an answer can carry. A code has a status, a title and a page in `docs/errors`
//! that tells what it means, where it comes from and what to do; the page is served at
//! `/docs/errors/CODE`, which is the `type` and the `helpLink` of the problem.

/// A code.
#[derive(Debug, PartialEq, Eq)]
pub struct ProblemCode {
    /// Stable name, as in `API403`; the status, and a word where a status has several causes.
    pub id: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// A short sentence that is the same for every occurrence.
    pub title: &'static str,
    /// What a detail of it looks like, for the description of the interface.
    pub example: &'static str,
    /// The page, in Markdown. `{actions}` and `{channels}` stand for how actions of hooks begin.
    pub page: &'static str,
}

macro_rules! codes {
    ($($name:ident = $id:literal, $status:literal, $title:literal, $example:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title, ".")]
            pub static $name: ProblemCode = ProblemCode {
                id: $id,
                status: $status,
                title: $title,
                example: $example,
                page: include_str!(concat!("../../../../docs/errors/", $id, ".md")),
            };
        )*

        /// All codes, in the order of their names.
        pub static CODES: &[&ProblemCode] = &[$(&$name),*];
    };
}

codes! {
    BAD_REQUEST = "API400", 400, "The request is not understood",
        "expected If-Match with entity tags or *, or If-None-Match: *";
    EMPTY_BODY = "API400.EmptyBody", 400, "The body is empty",
        "expected an XML document, found nothing";
    BAD_MULTIPART = "API400.Multipart", 400, "The multipart body cannot be read",
        "there is no part named file";
    ENVELOPE = "API400.Envelope", 400, "The envelope is not taken",
        "Another envelope of your organisation has this InstanceIdentifier: each envelope needs one of its own, and this one is not sent. Leave the envelope out, and the service writes it.";
    BAD_PARTY_ID = "API400.PartyId", 400, "The party identifier is not valid",
        "expected a scheme and an identifier, as in 0106:12345678, found 12345678";
    BAD_DOCUMENT_ID = "API400.DocumentId", 400, "The document id is not valid",
        "the document id is no UUID: INV-2026-17";
    BAD_QUERY = "API400.Query", 400, "A query parameter is not valid",
        "status is \"Sent\", expected one of Pending, Validated, Routed, Delivered, Rejected, Failed";
    BAD_TOKEN = "API400.Continuation", 400, "The continuation token is not valid",
        "the continuation token \"next\" is not one of ours; start again without one";
    NO_TOPIC = "API400.Topic", 400, "There is no such topic",
        "topic: \"InvoiceSend\" matches no topic; did you mean InvoiceSent?";
    BAD_JSON = "API400.Json", 400, "The JSON body is not valid",
        "the body, line 3, column 5: expected `,` or `}`";
    CONVERSION = "API400.Conversion", 400, "This conversion does not exist",
        "the document is of type busdox-docid-qns::urn:example; a conversion to busdox-docid-qns::urn:other is not available";
    PAGE = "API400.Page", 400, "The document cannot be shown so",
        "a hybrid PDF has an invoice or a credit note inside, and this document is neither";
    UNANSWERABLE = "API400.Unanswerable", 400, "The document cannot be answered",
        "the invoice has no number, so nothing can refer to it";
    BAD_HOOK = "API400.Hook", 400, "The hook is not valid",
        "expected 1 to 64 topics and at most 32 rows of output, found 0 and 0";
    NO_CHANNEL = "API400.Channel", 400, "There is no such channel",
        "there is no channel archive for 0106:12345678, expected one of peppol, erp";
    NO_INVOICE = "API400.NoInvoice", 400, "There is no e-invoice in the file",
        "expected XML or a PDF with one e-invoice inside, found a PDF without one";
    BAD_USER = "API400.User", 400, "The user is not valid",
        "a password has 8 to 256 characters, found 5";
    BAD_CLIENT = "API400.Client", 400, "The client is not valid",
        "a name has 1 to 100 characters, found 0";
    BAD_CONFIG = "API400.Config", 400, "The configuration is not valid",
        "invoices: expected on, off or inherited, found \"yes\"";
    BAD_CARD = "API400.BusinessCard", 400, "The business card is not valid",
        "Both name(s) and country code are required when adding a business card";
    BAD_RECORD = "API400.Smp", 400, "The record of the SMP is not valid",
        "the participant is 0106:12345678 in the path, 0106:87654321 in the body";
    BAD_JOB = "API400.Job", 400, "The job is not valid",
        "a job has 1 to 200000 parties, found 0";
    NOT_VERIFIED = "API400.Verification", 400, "The end user is not verified",
        "party 0106:12345678 has no verification on record";
    NO_TOKEN = "API401", 401, "No access token",
        "the header Authorization is missing";
    TOKEN_MALFORMED = "API401.Malformed", 401, "The access token cannot be read",
        "expected one header Authorization: Bearer TOKEN";
    TOKEN_EXPIRED = "API401.Expired", 401, "The access token has expired",
        "the token expired at 2026-11-22T09:30:00Z";
    TOKEN_INVALID = "API401.Invalid", 401, "The access token is not valid",
        "the signature of the token is not ours";
    FORBIDDEN_PARTY = "API403", 403, "The party is not yours",
        "acme-erp has no party 0106:87654321";
    FORBIDDEN_PERMISSION = "API403.Permission", 403, "A permission is missing",
        "alice lacks canSendDocument for 0106:12345678";
    FORBIDDEN_IDENTIFIER = "API403.Identifier", 403, "Nobody may send under this identifier here",
        "nobody has verified 0106:12345678 for acme: enrol it, or record its verification";
    FORBIDDEN_ROLE = "API403.Role", 403, "The role does not allow this",
        "acme-erp has the role ApUser, ApManager is needed";
    PACKAGE = "API403.Package", 403, "The package does not allow this",
        "the package 100 holds 100 documents a month, and 100 were delivered in 2026-11";
    NOT_THE_PROVIDER = "API403.Provider", 403, "Only the provider may do this",
        "acme-erp belongs to acme, which is not the provider";
    CAPABILITY = "API403.Capability", 403, "The capability is not on",
        "the capability invoiceResponse of 0106:12345678 is not on: switch it on with its configuration";
    NO_DOCUMENT = "API404", 404, "There is no such document",
        "0106:12345678 has no document 0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";
    NO_RECORD = "API404.Smp", 404, "There is no such record in the SMP",
        "participant 0106:12345678 is not registered here";
    EXPIRED = "API404.Expired", 404, "The document is no longer kept",
        "the time for which document 0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6 is kept is over";
    NO_HOOK = "API404.Hook", 404, "There is no such hook",
        "there is no hook erp here";
    NO_USER = "API404.User", 404, "There is no such user",
        "there is no user alice@example.org";
    NO_JOB = "API404.Job", 404, "There is no such job",
        "there is no job 0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";
    NO_CLIENT = "API404.Client", 404, "There is no such client",
        "there is no client acme-erp";
    NO_PATH = "API404.Path", 404, "There is no such address",
        "there is nothing at /api/v1/invoices";
    METHOD = "API405", 405, "The method is not allowed here",
        "PATCH is not possible here";
    BODY_TIMEOUT = "API408", 408, "The request took too long",
        "the body did not arrive within 60s";
    CONFLICT = "API409", 409, "The document was already taken",
        "a document 0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6 with the same content was taken before";
    OUT_OF_ORDER = "API409.Status", 409, "The status does not follow",
        "AB cannot follow AP; after it come PD and RE";
    REPORT = "API409.Report", 409, "The report cannot be sent now",
        "the month 2026-11 is not over";
    TAX_REPORT = "API409.Tax", 409, "The tax report cannot be changed so",
        "the tax report 0192f0c1-2b3c-8d4e-8f90-a1b2c3d4e5f6 (submit) is accepted and cannot be made once more: only one that is rejected or failed can, or one that is sent and whose authority answered none of its messages in its time, however often it was sent";
    ROTATING = "API409.Rotation", 409, "The secret was changed less than a day ago",
        "the secret was changed before; both sign until 2026-11-23T09:30:00Z";
    NAME_TAKEN = "API409.Name", 409, "The name is taken",
        "the name alice@example.org belongs to a client";
    FIXED_CLIENT = "API409.Client", 409, "The client cannot be changed here",
        "the client acme-erp stands in the configuration";
    NO_LINKED_USER = "API409.LinkedUser", 409, "The party needs a linked user",
        "party 0106:12345678 has no linked user of role ApUser";
    PARTICIPANT_TAKEN = "API409.Participant", 409, "The participant is registered already",
        "participant 0106:12345678 is registered by another organisation";
    NOT_REGISTERED = "API409.Registration", 409, "The participant is not registered here",
        "there is no registration 0106:12345678";
    HELD_RECORD = "API409.Smp", 409, "The record belongs to the configuration of the party",
        "the document type is published through the configuration of the party";
    JOB_CONFLICT = "API409.Job", 409, "The job cannot do this now",
        "the job is finished, so it cannot be cancelled";
    CURSOR = "API409.Cursor", 409, "The number is not of this feed",
        "after is 360, but the newest event is 250; the feed was put back to an earlier state";
    CHANGED = "API412", 412, "The record is not the one that was read",
        "the record has version v7, expected v6";
    MEDIA_TYPE = "API415", 415, "The content type is not supported",
        "expected application/xml, found text/plain";
    TOO_MANY = "API429", 429, "Too many requests",
        "too many failed attempts, try again later";
    RATE = "API429.Rate", 429, "The limit of your client is reached",
        "600 requests of client acme-erp in a minute are all; wait 12 seconds";
    FAULT = "API500", 500, "The service failed",
        "the request could not be completed and may be repeated";
    TOO_LARGE = "API500.TooLarge", 500, "The request is too large",
        "a request may have 25165824 bytes with its headers";
    TRANSFER_CODING = "API501", 501, "The transfer coding is not supported",
        "expected Transfer-Encoding chunked, or none, found \"gzip\"; a compressed body is told by Content-Encoding gzip";
    UNAVAILABLE = "API503", 503, "The service is not available for the moment",
        "the store does not answer";
    LOOKUP = "API503.Lookup", 503, "The look-up had no answer in time",
        "no answer about 0106:87654321; the last that was seen: the SMP does not know the participant";
}

/// Looks a code up by its name.
pub fn find(id: &str) -> Option<&'static ProblemCode> {
    CODES.iter().copied().find(|code| code.id == id)
}

#[cfg(test)]
mod tests;
