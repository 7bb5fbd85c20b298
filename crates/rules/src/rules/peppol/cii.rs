//! Peppol BIS Billing 3 in CII: rules of the profile and national rules. Numbers of parties are in
//! [`super::numbers`].

pub(crate) mod denmark;
pub(crate) mod document;
pub(crate) mod lines;
pub(crate) mod national;
pub(crate) mod paths;
