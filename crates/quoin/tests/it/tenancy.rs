//! Who may do what: users and their links, capabilities, business cards, enrolment, and the matrix
//! of operations and callers.

mod clients;
mod config;
mod enrolment;
mod issuers;
mod many;
mod matrix;
mod registers;
mod rows;
mod signing;
mod strangers;
mod users;
