//! What the network says beforehand about a party of a bulk job: where its name in the SML leads
//! decides whether a change can succeed at all.

use super::JobKind;

/// The code of what the SML or an SMP says.
const CODE: &str = "sml";

/// Where the name of a participant leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SmpLocation {
    /// Nowhere: it is not registered.
    Nowhere,
    /// To our SMP.
    Here,
    /// To another SMP: its address, and what that says of it where it is not what one expects.
    Elsewhere(String),
    /// Nobody could tell, and why.
    Unknown(String),
}

/// What is said of a party in a preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreseen {
    /// Whether the change would not succeed, so that it is left out.
    pub is_refused: bool,
    /// A code, as a verdict has one.
    pub code: &'static str,
    /// One sentence for people.
    pub message: String,
}

/// What follows for a job of a kind from where the name of a party leads; nothing where that is as
/// the job needs it.
pub fn foresee(kind: JobKind, whereabouts: &SmpLocation) -> Option<Foreseen> {
    use JobKind::{Capabilities, Certificate, Endpoint, Enrol, MigrateIn, MigrateOut, Withdraw};
    use SmpLocation::{Elsewhere, Here, Nowhere, Unknown};
    let refused = |message| Some(Foreseen { is_refused: true, code: CODE, message });
    let noted = |message| Some(Foreseen { is_refused: false, code: CODE, message });
    match (kind, whereabouts) {
        (_, Unknown(why)) => noted(format!("it could not be asked where its name leads: {why}")),
        (_, Here) | (Enrol | Withdraw, Nowhere) | (MigrateIn, Elsewhere(_)) => None,
        (Enrol, Elsewhere(other)) => refused(format!(
            "it is registered at {other}: it comes here by migrateIn, with a key of its present \
             provider"
        )),
        (MigrateIn, Nowhere) => {
            refused("it is registered nowhere, so no key holds: enrol it".to_owned())
        }
        (MigrateOut, Nowhere) => {
            refused("it is registered nowhere, so nobody can take it over".to_owned())
        }
        (MigrateOut, Elsewhere(other)) => refused(format!("it is at {other} already")),
        (Withdraw, Elsewhere(other)) => {
            noted(format!("its name leads to {other}: only what is published here ends"))
        }
        (Capabilities | Endpoint | Certificate, Nowhere) => {
            noted("its name leads nowhere, so no sender sees the change".to_owned())
        }
        (Capabilities | Endpoint | Certificate, Elsewhere(other)) => {
            noted(format!("its name leads to {other}, so no sender sees the change"))
        }
    }
}
