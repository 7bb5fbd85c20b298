//! Reading SETU.
