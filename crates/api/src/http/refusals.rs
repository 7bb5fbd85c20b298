//! What operations can refuse, for the description of the interface: a group of codes for each
//! thing that a handler looks at. A handler names its groups among its responses; the description
//! sorts their codes by status (`api::openapi`).

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::response::Response;
use utoipa::openapi::{RefOr, ResponseBuilder};

use super::codes::{self, ProblemCode};

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident: $($code:ident),+;)*) => {$(
        $(#[$doc])*
        pub(crate) enum $name {}

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                named(&[$(&codes::$code),+])
            }
        }
    )*};
}

/// One entry for each code, under its name instead of a status.
fn named(codes: &[&ProblemCode]) -> BTreeMap<String, RefOr<Response>> {
    let entry = |code: &&ProblemCode| ResponseBuilder::new().description(code.title).build().into();
    codes.iter().map(|code| (code.id.to_owned(), entry(code))).collect()
}

refusals! {
    /// Anybody who calls with a token.
    Called: BAD_REQUEST, BAD_QUERY, NO_TOKEN, TOKEN_MALFORMED, TOKEN_EXPIRED, TOKEN_INVALID, RATE, FAULT,
        TOO_LARGE, UNAVAILABLE;
    /// Anybody who calls without one.
    Open: FAULT, TOO_LARGE, UNAVAILABLE;
    /// Another network, which is let in by the secret of a hook.
    OfNetwork: BAD_REQUEST, EMPTY_BODY, BODY_TIMEOUT, TOO_MANY, FAULT, TOO_LARGE, UNAVAILABLE;
    /// A page in the path.
    OfPage: NO_PATH;
    /// A party in the path.
    OfParty: BAD_PARTY_ID, FORBIDDEN_PARTY, FORBIDDEN_PERMISSION;
    /// A party in whose name something is sent.
    OfSender: BAD_PARTY_ID, FORBIDDEN_PARTY, FORBIDDEN_PERMISSION, FORBIDDEN_IDENTIFIER;
    /// The role that is needed.
    OfRole: FORBIDDEN_ROLE;
    /// A document in the path.
    OfDocument: BAD_DOCUMENT_ID, NO_DOCUMENT;
    /// The bytes of a document, which are kept for some time.
    Kept: EXPIRED;
    /// A format to convert to.
    Converted: BAD_QUERY, CONVERSION, PACKAGE;
    /// A document that is shown.
    Shown: BAD_QUERY, PAGE;
    /// What larger packages have.
    Packaged: PACKAGE;
    /// Parameters behind the path.
    Queried: BAD_QUERY;
    /// A list that is read page by page.
    Paged: BAD_QUERY, BAD_TOKEN;
    /// Identifiers behind the path.
    Identified: BAD_QUERY, BAD_PARTY_ID;
    /// A body of JSON.
    JsonBody: BAD_JSON, BODY_TIMEOUT, MEDIA_TYPE, TRANSFER_CODING;
    /// A document in the body.
    DocumentBody: EMPTY_BODY, BAD_MULTIPART, BODY_TIMEOUT, MEDIA_TYPE, TRANSFER_CODING;
    /// A document that is recorded under an id of its own.
    Recorded: BAD_DOCUMENT_ID, ENVELOPE, CONFLICT, PACKAGE;
    /// A topic that is asked for.
    Topical: NO_TOPIC;
    /// A cursor of the feed.
    Followed: CURSOR;
    /// A channel that is asked for.
    Channelled: NO_CHANNEL;
    /// A document that is answered.
    Answering: UNANSWERABLE, EXPIRED, OUT_OF_ORDER;
    /// An order that is cancelled.
    Cancelling: UNANSWERABLE, EXPIRED, OUT_OF_ORDER;
    /// The states of an invoice.
    Responding: UNANSWERABLE, CAPABILITY, OUT_OF_ORDER;
    /// A hook in the path.
    OfHook: NO_HOOK;
    /// What a hook is to be.
    HookBody: BAD_HOOK;
    /// A secret that is changed.
    Rotating: ROTATING;
    /// A version that is expected.
    Versioned: CHANGED;
    /// What an organisation is to have.
    Configured: BAD_CONFIG, BAD_CARD;
    /// What a party is to have, and the registers outside.
    Published: BAD_CONFIG, BAD_CARD, NOT_VERIFIED, NO_LINKED_USER, PARTICIPANT_TAKEN;
    /// A participant in the registers outside.
    Registered: NOT_REGISTERED;
    /// A user that is named.
    OfUser: NO_USER;
    /// What a user is to be.
    UserBody: BAD_USER, NAME_TAKEN;
    /// A party that keeps a linked user.
    Linked: NO_LINKED_USER;
    /// A look-up that is waited for.
    LookedUp: LOOKUP;
    /// A client in the path.
    OfClient: NO_CLIENT;
    /// What a client is to be.
    ClientBody: BAD_CLIENT;
    /// A client that is changed.
    ChangedClient: FIXED_CLIENT;
    /// A file with an invoice inside.
    Recognized: NO_INVOICE;
    /// What only the provider may do.
    OfProvider: NOT_THE_PROVIDER, FORBIDDEN_ROLE;
    /// A report that is sent.
    Reported: REPORT;
    /// A report to a tax authority that is changed.
    TaxChanged: TAX_REPORT;
    /// What a job is to do.
    JobBody: BAD_JOB, JOB_CONFLICT;
    /// A job in the path.
    OfJob: NO_JOB;
    /// A manager of the SMP, who may sign in without a token.
    Managing: TOO_MANY, FORBIDDEN_ROLE, BAD_PARTY_ID;
    /// A record of the SMP.
    OfRecord: NO_RECORD;
    /// What a record of the SMP is to be.
    RecordBody: BAD_RECORD, BODY_TIMEOUT, MEDIA_TYPE, TRANSFER_CODING;
    /// The document type of a record in the path.
    OfService: BAD_RECORD, NO_RECORD;
    /// A record that the configuration of the party may hold.
    HeldRecord: HELD_RECORD;
}
