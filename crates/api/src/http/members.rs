//! Members that the bodies of some problems have beside the usual ones. There are no others: what
//! is added to a problem is a row here, and the description of the interface is made of the rows.

use super::codes::{self, ProblemCode};

/// A member of the bodies of one code.
#[derive(Debug)]
pub struct ProblemMember {
    /// Its name.
    pub name: &'static str,
    /// The code of the problems that can have it.
    pub code: &'static ProblemCode,
    /// The type of its value, as JSON Schema names it.
    pub kind: &'static str,
    /// What it tells.
    pub meaning: &'static str,
    /// An example of its value, as JSON.
    pub example: &'static str,
}

macro_rules! members {
    ($(
        $name:ident = $word:literal, $code:ident, $kind:literal, $meaning:literal, $example:literal;
    )*) => {
        $(
            #[doc = $meaning]
            pub static $name: ProblemMember = ProblemMember {
                name: $word,
                code: &codes::$code,
                kind: $kind,
                meaning: $meaning,
                example: $example,
            };
        )*

        /// All of them.
        pub static MEMBERS: &[&ProblemMember] = &[$(&$name),*];
    };
}

members! {
    ID = "id", CONFLICT, "string", "The document id that is taken.",
        r#""0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6""#;
    SAME_CONTENT = "sameContent", CONFLICT, "boolean",
        "Whether the document that has the id is the same, byte for byte, for the same receiver and \
         over the same channel; left out of another's.",
        "true";
    NEWEST = "newest", CURSOR, "integer", "The number of the newest event.", "250";
    GENERATION = "generation", CURSOR, "integer", "What the feed is called now.", "2";
    PARTY_ID = "partyId", LOOKUP, "string", "About whom nobody answered.", r#""0106:87654321""#;
    REASON = "reason", LOOKUP, "string", "What was seen last, as a code.",
        r#""PARTICIPANT_UNKNOWN_TO_SMP""#;
    CHECKS = "checks", UNAVAILABLE, "array",
        "Of `/health` and `/health/ready`: each check, as in the answer with status 200.", "[]";
    EXHAUSTED = "exhausted", UNAVAILABLE, "array",
        "Of `/health` and `/health/ready`: the budgets of which nothing is left.", "[]";
    ALARMS = "alarms", UNAVAILABLE, "array",
        "Of `/health` and `/health/ready`: what somebody should look at.", "[]";
    OLDEST_DUE = "oldestDueSeconds", UNAVAILABLE, "integer",
        "Of `/health` and `/health/ready`: how long the oldest work that is due has waited.", "0";
}
