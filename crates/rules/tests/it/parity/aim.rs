//! Edits aimed at one check of an official file: what its context and test name is removed, added,
//! emptied, doubled, and given other values.

use std::collections::BTreeMap;

use quoin_xml::schematron::SchematronCheck;
use quoin_xml::tree::{Document, Element, NodeId};

use super::edits::{Edit, changed, escape};
use super::named::{Named, alternatives, paths, spread};

/// Values that are tried for one element.
const VALUES: usize = 14;
/// Elements of a context that are changed.
const PLACES: usize = 2;

/// The namespaces of the prefixes of an official file.
pub type Prefixes = BTreeMap<String, String>;

/// A change of a document: an element and what is done to it.
pub type Change = (NodeId, Edit);

/// What a check names.
pub struct Aim {
    contexts: Vec<Vec<Named>>,
    tested: Vec<Named>,
    values: Vec<String>,
    has_variable: bool,
}

impl Aim {
    pub fn of(check: &SchematronCheck) -> Aim {
        let contexts = alternatives(&check.context).into_iter().flat_map(spread);
        let contexts: Vec<Vec<Named>> = contexts.map(|context| paths(&context)).collect();
        let tested = paths(&check.test);
        let all = contexts.iter().flatten().chain(&tested).flat_map(|path| &path.values);
        let mut values: Vec<String> = all.filter(|value| value.len() < 60).cloned().collect();
        values.dedup();
        values.truncate(VALUES);
        // Where decimals are counted or rounded, some with many.
        if ["substring-after", "round", "matches"].iter().any(|own| check.test.contains(own)) {
            values.push("1.23456789".to_owned());
        }
        Aim { contexts, tested, values, has_variable: check.test.contains('$') }
    }

    /// Tells the last names of what the check names, an attribute's with `@`, with the values that
    /// stand beside them.
    pub fn values(&self, mut tell: impl FnMut(&str, &str)) {
        for path in self.contexts.iter().flatten().chain(&self.tested) {
            let Some(last) = path.steps.last() else { continue };
            let sign = if last.starts_with('@') { "@" } else { "" };
            let local = last.trim_start_matches(['/', '@']);
            let local = local.rsplit(':').next().unwrap_or(local);
            let own = path.values.iter().chain(&self.values);
            own.for_each(|value| tell(&format!("{sign}{local}"), value));
        }
    }

    /// The document with the context of the check added: one for each alternative.
    pub fn with_context(&self, document: &Document, prefixes: &Prefixes) -> Vec<String> {
        let root = document.root();
        let all = self.contexts.iter().take(4).filter_map(|named| {
            let target = named.last()?;
            let skipped = usize::from(target.absolute && !target.steps.first()?.starts_with("//"));
            let mut tree = Tree::default();
            for path in named {
                tree.add(path.steps.get(skipped..)?, path.values.first().map(String::as_str));
            }
            let xml = tree.xml(prefixes);
            // Beneath what is there already as well as from the top.
            let parent = target.steps.get(skipped..target.steps.len().saturating_sub(1))?;
            let there = walk(root, parent, prefixes);
            let last = target.steps.last()?;
            let mut leaf = Tree::default();
            leaf.add(std::slice::from_ref(last), target.values.first().map(String::as_str));
            let inner = there.first().filter(|_| !parent.is_empty());
            let inner = inner.map(|own| (own.id(), Edit::Append(leaf.xml(prefixes))));
            let whole = Some((root.id(), Edit::Append(xml)));
            let both = [whole, inner].into_iter().flatten();
            Some(both.map(|edit| changed(document, &[edit])).collect::<Vec<_>>())
        });
        all.flatten().collect()
    }

    /// The changes of a document that may break the check or keep it.
    pub fn changes(&self, document: &Document, prefixes: &Prefixes) -> Vec<Change> {
        let mut found = Vec::new();
        for named in &self.contexts {
            let Some(target) = named.last() else { continue };
            // The last ones: what was added for the check comes behind what was there.
            let places = self.places(document, target, prefixes);
            let first = places.first().copied().filter(|_| places.len() > PLACES);
            for place in places.into_iter().rev().take(PLACES).chain(first) {
                for path in &self.tested {
                    self.beneath(place, path, prefixes, &mut found);
                }
                self.together(place, prefixes, &mut found);
                self.itself(place, &mut found);
                for path in named.iter().filter(|path| *path != target) {
                    let from = Named { absolute: true, ..path.clone() };
                    self.beneath(place, &from, prefixes, &mut found);
                }
            }
        }
        found.dedup();
        found
    }

    /// The elements that a pattern may match; where it takes any name, those whose name ends like a
    /// value of the check.
    fn places<'d>(
        &self,
        document: &'d Document,
        target: &Named,
        prefixes: &Prefixes,
    ) -> Vec<Element<'d>> {
        let mut found = elements(document, target, prefixes);
        if target.steps.last().is_some_and(|step| step.ends_with('*')) {
            let ends = |own: &Element<'_>| {
                self.values.iter().any(|end| end.len() > 2 && own.local().ends_with(end.as_str()))
            };
            if found.iter().any(ends) {
                found.retain(ends);
            }
        }
        found
    }

    /// Adds everything that the test names at once, once and twice: paths with their conditions.
    fn together(&self, place: Element<'_>, prefixes: &Prefixes, found: &mut Vec<Change>) {
        let is_below = |path: &&Named| {
            let first = path.steps.first().is_some_and(|own| own.starts_with("//"));
            (first || !path.absolute) && !path.steps.iter().any(|own| own == "..")
        };
        let mut tree = Tree::default();
        for path in self.tested.iter().filter(is_below) {
            tree.add(&path.steps, path.values.first().map(String::as_str));
        }
        let xml = tree.xml(prefixes);
        found.push((place.id(), Edit::Append(xml.repeat(2))));
        found.push((place.id(), Edit::Append(xml)));
    }

    fn itself(&self, place: Element<'_>, found: &mut Vec<Change>) {
        let id = place.id();
        found.extend([(id, Edit::Duplicate), (id, Edit::Delete)]);
        // What a variable may stand for.
        let usual = self.has_variable.then_some(["format", "unitCode", "schemeID"]);
        let own = place.attributes().map(|own| own.local);
        for name in own.chain(usual.into_iter().flatten()) {
            let values = ["zz 9", ""].map(|value| Some(value.to_owned())).into_iter();
            let set = |value| (id, Edit::Attribute(name.to_owned(), value));
            found.extend(values.chain([None]).map(set));
        }
        if place.elements().next().is_none() {
            // What stands in another place of the document is likely right here.
            let all = place.document().root().descendants();
            let others = all.filter(|own| own.local() == place.local()).map(|own| own.text());
            let others: Vec<_> = others.filter(|text| *text != place.text()).take(2).collect();
            found.extend(others.into_iter().map(|text| (id, Edit::Text(text.into_owned()))));
            found.extend(self.texts(&place.text()).into_iter().map(|text| (id, Edit::Text(text))));
        }
    }

    /// Changes at the end of a path: what is there is changed, what is not there is added.
    fn beneath(
        &self,
        place: Element<'_>,
        path: &Named,
        prefixes: &Prefixes,
        found: &mut Vec<Change>,
    ) {
        let (attribute, steps) = match path.steps.split_last() {
            Some((last, before)) if last.starts_with('@') => (last.strip_prefix('@'), before),
            _ => (None, path.steps.as_slice()),
        };
        let start = if path.absolute { place.document().root() } else { place };
        let is_root = path.absolute && steps.first().is_some_and(|own| is(start, own, prefixes));
        let steps = if is_root { &steps[1..] } else { steps };
        let ends = walk(start, steps, prefixes);
        for end in ends.iter().rev().take(2) {
            match attribute {
                Some(name) => {
                    let name = name.rsplit(':').next().unwrap_or(name).to_owned();
                    found.push((end.id(), Edit::Attribute(name.clone(), None)));
                    let texts = self.texts(end.attribute(&name).unwrap_or("")).into_iter();
                    let set = |text| (end.id(), Edit::Attribute(name.clone(), Some(text)));
                    found.extend(texts.map(set));
                }
                None => self.itself(*end, found),
            }
        }
        if ends.is_empty() || attribute.is_none() {
            let values = path.values.iter().chain(&self.values).map(String::as_str).take(4);
            let values: Vec<&str> = values.chain(["1"]).collect();
            let rest = &path.steps[path.steps.len() - steps.len() - attribute.iter().count()..];
            added(start, (steps, rest), &values, prefixes, found);
        }
    }

    /// Texts to put in the place of one.
    fn texts(&self, old: &str) -> Vec<String> {
        let mut texts: Vec<String> = self.values.clone();
        if let Ok(number) = old.trim().parse::<f64>() {
            texts.extend([0.01, -0.01, 1.0, 100.0].map(|by| format!("{:.2}", number + by)));
            texts.extend([format!("{number:.3}1"), format!("{}", -number), "0".to_owned()]);
        }
        if old.len() == 10 && old.as_bytes().get(4) == Some(&b'-') {
            texts.extend(["2000-01-01", "2099-12-31", "20260131"].map(str::to_owned));
        }
        texts.extend(["", "XX", "zz 9"].map(str::to_owned));
        texts.extend([format!(" {old} "), old.to_lowercase(), format!("{old}0")]);
        texts.extend(self.values.first().map(|first| first.to_lowercase()));
        if self.values.iter().any(|value| value == "#") {
            texts.insert(0, "#XXX#zz".to_owned());
        }
        texts.retain(|text| text != old);
        texts.dedup();
        texts
    }
}

/// Adds the end of a path beneath what is there of it; `rest` are its steps with an attribute.
fn added(
    start: Element<'_>,
    (steps, rest): (&[String], &[String]),
    values: &[&str],
    prefixes: &Prefixes,
    found: &mut Vec<Change>,
) {
    let there = |kept: &usize| walk(start, &steps[..*kept], prefixes).pop();
    let longest = (0..steps.len()).rev().find(|kept| there(kept).is_some()).unwrap_or(0);
    let Some(parent) = there(&longest) else { return };
    for value in values {
        let mut tree = Tree::default();
        tree.add(&rest[longest..], Some(value));
        found.push((parent.id(), Edit::Append(tree.xml(prefixes))));
    }
}

/// Whether an element is what a step names.
fn is(element: Element<'_>, step: &str, prefixes: &Prefixes) -> bool {
    let name = step.trim_start_matches('/');
    match name.split_once(':') {
        None => name == "*" || element.is("", name),
        Some(("*", local)) => element.local() == local,
        Some((prefix, local)) => {
            let namespace = prefixes.get(prefix);
            (local == "*" || element.local() == local)
                && namespace.is_some_and(|own| own == element.namespace())
        }
    }
}

/// The elements that steps lead to.
fn walk<'d>(start: Element<'d>, steps: &[String], prefixes: &Prefixes) -> Vec<Element<'d>> {
    let mut here = vec![start];
    for step in steps {
        here = match step.as_str() {
            ".." => here.into_iter().filter_map(Element::parent).collect(),
            _ if step.starts_with("//") => {
                let root = start.document().root();
                std::iter::once(root)
                    .chain(root.descendants())
                    .filter(|own| is(*own, step, prefixes))
                    .collect()
            }
            _ => {
                let inside = here.into_iter().flat_map(Element::elements);
                inside.filter(|own| is(*own, step, prefixes)).collect()
            }
        };
    }
    here
}

/// The elements that may be what a pattern matches: by the last two names.
fn elements<'d>(document: &'d Document, path: &Named, prefixes: &Prefixes) -> Vec<Element<'d>> {
    let steps: Vec<&String> = path.steps.iter().filter(|step| !step.starts_with('@')).collect();
    let Some((last, before)) = steps.split_last() else { return vec![document.root()] };
    let above = before.last();
    let root = document.root();
    let all = std::iter::once(root).chain(root.descendants());
    let fits = |own: &Element<'_>| {
        is(*own, last, prefixes)
            && above.is_none_or(|step| {
                last.starts_with("//") || own.parent().is_none_or(|up| is(up, step, prefixes))
            })
    };
    all.filter(fits).collect()
}

/// Elements to be written: names with what is inside.
#[derive(Default)]
struct Tree {
    text: Option<String>,
    inner: Vec<(String, Tree)>,
}

impl Tree {
    fn add(&mut self, steps: &[String], value: Option<&str>) {
        let Some((first, rest)) = steps.split_first() else {
            self.text = value.map(str::to_owned).or(self.text.take());
            return;
        };
        let name = first.trim_start_matches('/');
        if name == ".." || name.is_empty() {
            return;
        }
        let at = self.inner.iter().position(|(own, _)| own == name).unwrap_or_else(|| {
            self.inner.push((name.to_owned(), Tree::default()));
            self.inner.len() - 1
        });
        self.inner[at].1.add(rest, value);
    }

    fn xml(&self, prefixes: &Prefixes) -> String {
        let mut xml = String::new();
        for (name, tree) in self.inner.iter().filter(|(name, _)| !name.starts_with('@')) {
            let (prefix, local) = name.split_once(':').unwrap_or(("", name));
            if name == "*" {
                // Something that no rule of a known name takes.
                xml.push_str("<Other xmlns=\"urn:example:other\">1</Other>");
                continue;
            }
            if local == "*" || prefix == "*" {
                continue;
            }
            let namespace = prefixes.get(prefix).map_or("", String::as_str);
            let colon = if prefix.is_empty() { "" } else { ":" };
            xml.push_str(&format!("<{name} xmlns{colon}{prefix}=\"{}\"", escape(namespace)));
            for (attribute, value) in &tree.inner {
                if let Some(own) = attribute.strip_prefix('@').filter(|own| !own.contains(':')) {
                    let value = value.text.as_deref().unwrap_or("1");
                    xml.push_str(&format!(" {own}=\"{}\"", escape(value)));
                }
            }
            xml.push('>');
            let inner = tree.xml(prefixes);
            match (inner.is_empty(), &tree.text) {
                (true, text) => xml.push_str(&escape(text.as_deref().unwrap_or("1"))),
                (false, _) => xml.push_str(&inner),
            }
            xml.push_str(&format!("</{name}>"));
        }
        xml
    }
}
