//! The collaboration platform: companies that are known by an identifier `-0003:XC…`, which is none
//! of the network. The wire is that of the platform and was not at hand; everything that is assumed
//! of it is in [`assumed`], and nowhere else.

mod action;
pub mod assumed;

pub use action::{
    COLLABORATION, CollaborationAction, CollaborationTarget, believed, instruction_of,
};
