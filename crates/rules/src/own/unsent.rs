//! Why the service does not send a document that no rule is against: the names that its timeline
//! and a dry run have for it. No rule set tests them; each row is the documentation of its
//! identifier.

use super::{Own, fatal, master_data};

/// All of them.
pub static UNSENT: &[Own] = &[
    fatal(
        "QUOIN-NOT-JUDGED",
        "No rules judge a document of this kind, and the service sends nothing that nobody \
         judged.",
        "Send it in a form that has rules, or ask the operator to allow it (validation.unjudged).",
    ),
    master_data(fatal(
        "QUOIN-ENDPOINT-SENDER",
        "The document names a sender that is not an identifier of the party it was uploaded \
         for, or that party has none.",
        "Upload it for the party that it names, or write an identifier of this party into it \
         (BT-34).",
    )),
    fatal(
        "QUOIN-ENDPOINT",
        "An end of the document, its sender or its receiver, has no address in the network \
         that can be read.",
        "Write the electronic address with its scheme into the document (BT-34, BT-49), or \
         give senderId or receiverId beside it.",
    ),
    fatal(
        "QUOIN-RECEIVER",
        "The document does not name its receiver as the network knows receivers, or \
         receiverId cannot be written into it.",
        "Give receiverId beside the document; where it is given, correct it.",
    ),
    master_data(fatal(
        "QUOIN-COUNTRY-C1",
        "The country of the sender (corner 1) is not known or is no code of ISO 3166-1; the \
         network asks for it with each message.",
        "Write the country into the address of the sender (BT-40), or into the record of the \
         party.",
    )),
    fatal(
        "QUOIN-DOCUMENT-TYPE",
        "The document has no document type of the network, or is not what its type asks for.",
        "Name its format with sourceFormat at generic/send, or send a document of a type that \
         the network has.",
    ),
    fatal(
        "QUOIN-FORMAT-EXPECTED",
        "The document is not in the format that was named beside it.",
        "Name the format that it has, or leave sourceFormat out.",
    ),
    fatal(
        "QUOIN-KIND",
        "The document is of another kind than the endpoint that it was uploaded at takes.",
        "Upload it at the endpoint of its kind, or at generic/send.",
    ),
    fatal(
        "QUOIN-LOSS",
        "The receiver takes another format, and something that the document says has no place \
         in it.",
        "Leave out what is listed, allow it with allowLosses, or send it over another \
         channel.",
    ),
    fatal(
        "QUOIN-CONVERSION",
        "The receiver takes other formats, and the document becomes a valid one in none of \
         them.",
        "Correct what the reason for each format names, or send it over another channel.",
    ),
    fatal(
        "QUOIN-PACKAGE",
        "The receiver takes another format, and the package of this organisation has no \
         conversion.",
        "Send the document in a format that the receiver takes, or ask the operator for \
         another package.",
    ),
    fatal(
        "QUOIN-SECRET",
        "The header of the document holds a secret, and over this channel it would go as it \
         is.",
        "Leave the secret out; a hook of the network writes it itself.",
    ),
    fatal(
        "QUOIN-ENVELOPE",
        "The envelope that the caller handed over says something else than what is asked \
         beside it, or cannot be sent.",
        "Make both say the same, or hand over the document without an envelope.",
    ),
    master_data(fatal(
        "QUOIN-TAX-REPORT",
        "The report to the tax authority about this document cannot be sent as it is.",
        "The text says what is missing; correct the document or the profile of the reports.",
    )),
];
