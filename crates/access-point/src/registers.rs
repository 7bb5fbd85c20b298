//! The registers outside in which a participant has an entry: the SML, which leads to our SMP, and
//! the Directory. The worker carries out what the store wishes; how a register is spoken to is
//! behind a trait.

pub mod directory;
mod identity;
pub mod sml;
mod sml_client;

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use quoin_delivery::registration::{DesiredState, Register, RegistrationTry};
use quoin_peppol::identifiers::ParticipantId;

/// What a register is asked for.
#[derive(Debug, Clone, Copy)]
pub struct RegisterRequest<'o> {
    /// Whose entry.
    pub participant: &'o ParticipantId,
    /// What it is to be.
    pub wish: DesiredState,
    /// With [`DesiredState::Present`], the key under which the participant comes from another SMP;
    /// with [`DesiredState::Leaving`], the key under which it may go to another.
    pub migration_key: Option<&'o str>,
    /// Whether it is at our SMP already and was to leave it: with [`DesiredState::Present`], what
    /// is wished is that nobody comes for it any more with the key.
    pub is_taken_back: bool,
    /// Whether it was never tried before, so that no answer can be lost.
    pub is_first: bool,
}

/// A register. Doing an order twice must have the same result.
pub trait RegisterDesk: Send + Sync {
    /// Brings the register to hold what is wished.
    fn carry_out<'a>(&'a self, order: RegisterRequest<'a>) -> BoxFuture<'a, RegistrationTry>;

    /// The same for several orders, together where the register can do that. Answers one result
    /// each, in their order.
    fn carry_out_all<'a>(
        &'a self,
        orders: &'a [RegisterRequest<'a>],
    ) -> BoxFuture<'a, Vec<RegistrationTry>> {
        futures::future::join_all(orders.iter().map(|order| self.carry_out(*order))).boxed()
    }

    /// Whether this installation has such a register at all.
    fn is_set_up(&self) -> bool {
        true
    }

    /// Whether a participant that may leave has left; `None` where nobody can tell at the moment.
    fn has_left<'a>(&'a self, _participant: &'a ParticipantId) -> BoxFuture<'a, Option<bool>> {
        std::future::ready(None).boxed()
    }
}

/// Both registers.
#[derive(Clone)]
pub struct Registers {
    /// The SML.
    pub sml: Arc<dyn RegisterDesk>,
    /// The Directory.
    pub directory: Arc<dyn RegisterDesk>,
}

impl Registers {
    /// Registers of an installation that is not connected to any.
    pub fn unset() -> Registers {
        Registers {
            sml: Arc::new(Unset(
                "no SML is set up for this installation: the participant is published at our SMP, \
                 but nobody finds it until its name leads there; have it registered in the SML",
            )),
            directory: Arc::new(Unset(
                "no Directory is set up for this installation: the business card is published at \
                 our SMP, but is not announced to the Peppol Directory",
            )),
        }
    }

    /// The desk of a register.
    pub fn desk(&self, register: Register) -> &dyn RegisterDesk {
        match register {
            Register::Sml => self.sml.as_ref(),
            Register::Directory => self.directory.as_ref(),
        }
    }
}

/// A register that is not set up.
struct Unset(&'static str);

impl RegisterDesk for Unset {
    fn is_set_up(&self) -> bool {
        false
    }

    fn carry_out<'a>(&'a self, _order: RegisterRequest<'a>) -> BoxFuture<'a, RegistrationTry> {
        std::future::ready(RegistrationTry::Unset(self.0.to_owned())).boxed()
    }
}
