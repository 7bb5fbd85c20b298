//! XRechnung: the German specification on EN 16931, its extension, and its profile for clean
//! vehicles.
//!
//! Source: the Schematron of XRechnung 3.0.2, release 2.5.0. It has its own copy of rules of
//! Peppol BIS Billing; those that are no table are in `bis_ubl` and `bis_cii`. Rules of the
//! extension and for clean vehicles look at the specification identifier themselves.

mod bis_cii;
mod bis_ubl;
mod cii;
mod cii_extension;
mod formats;
mod kind;
mod ubl;
mod ubl_extension;

use super::Rule;

/// XRechnung in UBL.
pub(crate) const IN_UBL: &[&[Rule]] = &[bis_ubl::RULES, ubl::RULES, ubl_extension::RULES];
/// XRechnung in CII.
pub(crate) const IN_CII: &[&[Rule]] = &[bis_cii::RULES, cii::RULES, cii_extension::RULES];
