//! Who may do what: users and their links, capabilities, business cards, enrolment, and the matrix
//! of operations and callers.

mod config;
mod enrolment;
mod issuers;
mod matrix;
mod registers;
mod users;
