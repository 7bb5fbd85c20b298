//! Writing ebInterface, on documents of our own.
