//! The AS4 profile row by row: the names of the tests begin with the row of the requirements list
//! (A: message structure, B: security, C: receipts and errors) that they hold the code to.

mod a_header;
mod a_package;
mod b_encryption;
mod b_peers;
mod b_signature;
mod c_errors;
mod c_receipt;
mod canonical;
mod captured;
mod fixture;
mod mutations;
