//! Reports against the samples that the authorities published.

mod samples;
mod vectors;
