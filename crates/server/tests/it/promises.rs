//! Promises to users, to other access points and to whoever runs the service, as each meets them.
//! The names begin with the finding or the item that asked for them.

mod duplicates;
