//! Writing FatturaPA, on documents of our own.
