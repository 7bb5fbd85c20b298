//! The codes of what enrolment and the store refuse, as they are recorded with a bulk job and as
//! the interface answers them.

use quoin_store::Refusal;

/// The code of a party identifier that is not valid.
pub(super) const BAD_PARTY_ID: &str = "API400.PartyId";
/// The code of a configuration that is not valid.
pub(super) const BAD_CONFIG: &str = "API400.Config";
/// The code of a business card that is not valid.
pub(super) const BAD_CARD: &str = "API400.BusinessCard";
/// The code of what is our fault.
pub(super) const FAULT: &str = "API500";

/// The code of a refusal of the store that says the same wherever it arises.
pub fn code_of(refusal: &Refusal) -> Option<&'static str> {
    Some(match refusal {
        Refusal::NotFound { what: "user", .. } => "API404.User",
        Refusal::NotFound { what: "job", .. } => "API404.Job",
        Refusal::NotFound { what: "client", .. } => "API404.Client",
        Refusal::NotFound { what: "party", .. } => "API403",
        Refusal::NotFound { what: "registration", .. } | Refusal::Unregistered { .. } => {
            "API409.Registration"
        }
        Refusal::Taken { what: "participant" | "identifier", .. } => "API409.Participant",
        Refusal::NotFound { what: "service group" | "document type" | "business card", .. } => {
            "API404.Smp"
        }
        Refusal::NotFound { what: "active hook" | "finished hook call", .. } => "API404.Hook",
        Refusal::Foreign(_) => BAD_CONFIG,
        Refusal::Held { .. }
        | Refusal::LastIdentifier { .. }
        | Refusal::EnterpriseNumber { .. } => "API409.Smp",
        Refusal::Taken { what: "hook", .. } => "API400.Hook",
        Refusal::Taken { what: "job", .. } => "API409.Job",
        Refusal::NotNow(_) | Refusal::TooMany { .. } => "API409.Job",
        Refusal::Taken { .. } => "API409.Name",
        Refusal::Unlinked { .. } => "API409.LinkedUser",
        Refusal::Unverified { .. } => "API400.Verification",
        Refusal::Rotating { .. } => "API409.Rotation",
        Refusal::Changed { .. } => "API412",
        _ => return None,
    })
}

/// The code that is recorded of a refusal; any other one is our fault.
pub fn recorded_code(refusal: &Refusal) -> &'static str {
    code_of(refusal).unwrap_or(FAULT)
}

/// What whoever asked is told of a refusal.
pub fn sentence_of(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Unverified { party } => format!(
            "there is no end-user verification of {party} on record: give one as \
             services.peppol.verification of an enrolment, or as verification of the configuration \
             of the party"
        ),
        refusal => refusal.to_string(),
    }
}

#[cfg(test)]
mod tests;
