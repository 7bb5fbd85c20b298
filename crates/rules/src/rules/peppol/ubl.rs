//! Peppol BIS Billing 3 in UBL: rules of the profile, numbers of parties, and national rules.

pub(in crate::rules) mod country;
pub(in crate::rules) mod denmark;
pub(in crate::rules) mod document;
pub(in crate::rules) mod germany;
pub(in crate::rules) mod greece;
pub(in crate::rules) mod iceland;
pub(in crate::rules) mod italy;
pub(in crate::rules) mod lines;
pub(in crate::rules) mod netherlands;
pub(in crate::rules) mod norway;
pub(in crate::rules) mod paths;
pub(in crate::rules) mod sweden;
