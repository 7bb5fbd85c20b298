//! Peppol BIS Billing 3 in CII: rules of the profile and national rules. Numbers of parties are in
//! [`super::numbers`].

pub(in crate::rules) mod denmark;
pub(in crate::rules) mod document;
pub(in crate::rules) mod lines;
pub(in crate::rules) mod national;
pub(in crate::rules) mod paths;
