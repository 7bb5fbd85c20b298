//! Names of elements and attributes: read letter by letter once, and known by their bytes after
//! that, for as long as the same namespaces are in scope.
//!
//! What is repeated in a document, such as its lines, has the same names in the same order. So the
//! name that followed the last one before, after as many ends of elements, is tried first.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::super::{NameId, Span};
use super::{ParseResult, TreeReader, scan};

/// A qualified name as written, checked and not resolved.
#[derive(Debug, Clone, Copy)]
pub(super) struct QName {
    start: usize,
    end: usize,
    /// Bytes of the prefix.
    prefix: usize,
    /// Its place among the known ones.
    known: Option<usize>,
}

impl QName {
    pub(super) fn start(self) -> usize {
        self.start
    }

    /// Whether it was seen before. No declaration of a namespace is known.
    pub(super) fn is_known(self) -> bool {
        self.known.is_some()
    }

    pub(super) fn whole(self) -> Span {
        Span::of_source(self.start, self.end)
    }

    pub(super) fn prefix(self) -> Span {
        Span::of_source(self.start, self.start + self.prefix)
    }

    pub(super) fn local(self) -> Span {
        let colon = usize::from(self.prefix > 0);
        Span::of_source(self.start + self.prefix + colon, self.end)
    }
}

/// The names that were seen, those of elements or those of attributes.
#[derive(Debug, Default)]
pub(super) struct NameCache {
    list: Vec<CachedName>,
    by_bytes: HashTable<usize>,
    hasher: DefaultHashBuilder,
    /// The one that was met last.
    last: usize,
}

#[derive(Debug)]
struct CachedName {
    written: Span,
    prefix: usize,
    name: NameId,
    /// The number of the namespaces for which `name` holds.
    bindings: u32,
    /// The one that was met after this one, by the number of elements that ended between them.
    followed_by: [usize; ENDS],
}

/// Ends between two names that are told apart.
const ENDS: usize = 4;

impl NameCache {
    /// The one that the bytes begin with; what follows it is no part of a name.
    fn meet(&mut self, source: &str, bytes: &[u8], ends: usize) -> Option<(usize, &CachedName)> {
        let ends = ends.min(ENDS - 1);
        let guess = self.list.get(self.last).and_then(|last| last.followed_by.get(ends));
        let guess = guess.copied().unwrap_or_default();
        let at = match self.list.get(guess).filter(|seen| seen.begins(source, bytes)) {
            Some(_) => guess,
            None => {
                let length = scan::name_length(bytes);
                let found = self.find(source, bytes.get(..length).unwrap_or_default())?;
                let last = self.list.get_mut(self.last);
                if let Some(follows) = last.and_then(|last| last.followed_by.get_mut(ends)) {
                    *follows = found;
                }
                found
            }
        };
        self.last = at;
        self.list.get(at).map(|seen| (at, seen))
    }

    fn find(&self, source: &str, written: &[u8]) -> Option<usize> {
        let same = |&at: &usize| {
            self.list.get(at).is_some_and(|seen| seen.written.bytes(source, "") == written)
        };
        self.by_bytes.find(self.hasher.hash_one(written), same).copied()
    }

    /// The name that a written one stood for when it was last resolved, if that was under the same
    /// namespaces.
    pub(super) fn resolved(&self, name: QName, bindings: u32) -> Option<NameId> {
        let seen = self.list.get(name.known?)?;
        (seen.bindings == bindings).then_some(seen.name)
    }

    /// Keeps what a written name stands for.
    pub(super) fn keep(&mut self, source: &str, written: QName, name: NameId, bindings: u32) {
        let kept = written.known.and_then(|at| self.list.get_mut(at));
        if let Some(seen) = kept {
            (seen.name, seen.bindings) = (name, bindings);
            return;
        }
        let bytes = written.whole().bytes(source, "");
        // Another attribute of the same tag may have brought it.
        if self.find(source, bytes).is_some() {
            return;
        }
        let at = self.list.len();
        let (prefix, followed_by) = (written.prefix, [at; ENDS]);
        self.list.push(CachedName {
            written: written.whole(),
            prefix,
            name,
            bindings,
            followed_by,
        });
        let NameCache { list, by_bytes, hasher, .. } = self;
        let hash = |&at: &usize| {
            hasher.hash_one(list.get(at).map_or(&b""[..], |seen| seen.written.bytes(source, "")))
        };
        by_bytes.insert_unique(hash(&at), at, hash);
    }
}

impl CachedName {
    /// Whether some bytes begin with this name, and not with a longer one.
    fn begins(&self, source: &str, bytes: &[u8]) -> bool {
        let (start, end) = (self.written.start as usize, self.written.end as usize);
        let own = source.as_bytes().get(start..end).unwrap_or_default();
        let ends = |next: Option<&u8>| next.is_none_or(|&byte| !scan::is_in_name(byte));
        bytes.starts_with(own) && ends(bytes.get(own.len()))
    }
}

impl TreeReader<'_> {
    /// `QName`: one that is known, or one that is read.
    pub(super) fn qname(
        &mut self,
        of: fn(&mut Self) -> &mut NameCache,
        expected: &'static str,
    ) -> ParseResult<QName> {
        let (start, source, ends) = (self.at, self.text, self.ends);
        let rest = self.bytes.get(start..).unwrap_or_default();
        if let Some((at, seen)) = of(self).meet(source, rest, ends) {
            let (prefix, end) = (seen.prefix, start + seen.written.length() as usize);
            self.at = end;
            return Ok(QName { start, end, prefix, known: Some(at) });
        }
        self.ncname(expected)?;
        let mut prefix = 0;
        if self.peek() == b':' {
            prefix = self.at - start;
            self.at += 1;
            self.ncname("a local name after the prefix")?;
        }
        Ok(QName { start, end: self.at, prefix, known: None })
    }
}
