//! Writing Svefaktura, on documents of our own.
