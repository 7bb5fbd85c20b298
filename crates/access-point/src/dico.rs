//! DICO over HTTPS: the messages of building and installation in the Netherlands, handed over to
//! the network at an address. The wire is for members of the network and was not at hand;
//! everything that is assumed of it is in [`assumed`], and nowhere else.

mod action;
pub mod assumed;

pub use action::{DICO, DicoAction, DicoTarget, believed};
