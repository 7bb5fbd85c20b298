//! Reports against what the authorities published: samples, schemas, rules.

#![expect(clippy::disallowed_methods, reason = "a test reads official files")]

mod france;
mod gulf;
mod judged;
mod overseas;
mod pilot;
mod places;
mod slovakia;
mod strangers;
mod told;
