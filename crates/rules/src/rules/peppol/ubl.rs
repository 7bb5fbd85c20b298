//! Peppol BIS Billing 3 in UBL: rules of the profile, numbers of parties, and national rules.

pub(crate) mod country;
pub(crate) mod denmark;
pub(crate) mod document;
pub(crate) mod germany;
pub(crate) mod greece;
pub(crate) mod iceland;
pub(crate) mod italy;
pub(crate) mod lines;
pub(crate) mod netherlands;
pub(crate) mod norway;
pub(crate) mod paths;
pub(crate) mod sweden;
