//! What the files of a folder are, where nobody has written it down: by the names that official
//! releases give their files, and by what stands in them.
//!
//! A guess is shown to the operator, who can overrule it with a `quoin-rules.toml`. What cannot be
//! guessed is left out and named, never registered for everything.

use quoin_xml::tree::{Document, Element, Limits, ParseError, ParseErrorKind};

use super::{Applies, Coordinate, Description, OfficialSetKind, SetFiles};
use quoin_formats::Syntax;

#[cfg(test)]
mod tests;

const SCHEMATRON: &str = "http://purl.oclc.org/dsdl/schematron";
const XSLT: &str = "http://www.w3.org/1999/XSL/Transform";
const XSD: &str = "http://www.w3.org/2001/XMLSchema";

/// What the files of a folder were taken for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Guessed {
    /// The sets, in the order of their files.
    pub sets: Vec<Description>,
    /// Main files of which it is not clear what they are, each with the reason.
    pub unclear: Vec<(String, String)>,
}

/// A main file that official releases call like this.
struct KnownMainFile {
    /// The beginning of its name, in lower case, with `-` for `_`.
    name: &'static str,
    /// Group and artifact; `*` stands for what was found in the name of a folder or in the file.
    line: &'static str,
    formats: &'static [Syntax],
    /// Beginning of CustomizationID, with `*` as above and `$` for its end.
    customization: &'static str,
}

const UBL: &[Syntax] = &[Syntax::UblInvoice, Syntax::UblCreditNote];
const CII: &[Syntax] = &[Syntax::Cii];

const fn known(
    name: &'static str,
    line: &'static str,
    formats: &'static [Syntax],
    customization: &'static str,
) -> KnownMainFile {
    KnownMainFile { name, line, formats, customization }
}

const CEN: &str = "urn:cen.eu:en16931:2017";
const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const SELF: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0";
const XR: &str = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
const NL: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";
const NL_G: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
                    #conformant#urn:fdc:nen.nl:gaccount:v1.0";
const FX_BASIC: &str = "urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic$";
const FX_EXTENDED: &str = "urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended$";

/// Longer names before shorter ones.
static KNOWN: &[KnownMainFile] = &[
    known("peppol-en16931-ubl-sb", "eu.peppol.bis3:selfbilling", UBL, SELF),
    known("peppol-en16931-ubl", "eu.peppol.bis3:invoice", UBL, BIS),
    known("peppol-en16931-cii", "eu.peppol.bis3:invoice-cii", CII, BIS),
    known("cen-en16931-ubl", "eu.cen.en16931:ubl", UBL, CEN),
    known("en16931-ubl-validation", "eu.cen.en16931:ubl", UBL, CEN),
    known("cen-en16931-cii", "eu.cen.en16931:cii", CII, CEN),
    known("en16931-cii-validation", "eu.cen.en16931:cii", CII, CEN),
    known("xrechnung-ubl", "de.xrechnung:ubl", UBL, XR),
    known("xrechnung-cii", "de.xrechnung:cii", CII, XR),
    known("si-ubl-2.0-ext-gaccount", "nl.nlcius:gaccount", UBL, NL_G),
    known("si-ubl-2.0", "nl.nlcius:ubl", UBL, NL),
    known("nlcius-cii", "nl.nlcius:cii", CII, NL),
    known("factur-x-minimum", "org.factur-x:minimum", CII, "urn:factur-x.eu:1p0:minimum$"),
    known("factur-x-basic-wl", "org.factur-x:basic-wl", CII, "urn:factur-x.eu:1p0:basicwl$"),
    known("factur-x-basic", "org.factur-x:basic", CII, FX_BASIC),
    known("factur-x-en16931", "org.factur-x:en16931", CII, "urn:cen.eu:en16931:2017$"),
    known("factur-x-extended", "org.factur-x:extended", CII, FX_EXTENDED),
    known("pint-ubl-validation", "org.peppol.pint:*-shared", UBL, "*"),
    known("pint-en16931-aligned", "org.peppol.pint:*-en16931", UBL, "*"),
    known("pint-jurisdiction-aligned", "org.peppol.pint:*-aligned", UBL, "*"),
    known("peppol-mls", "eu.peppol:mls", &[], "urn:peppol:edec:mls:1.0"),
    known("peppolbis-t", "eu.peppol.*", &[], "*"),
];

/// Tells what the main files among these files are.
///
/// `place` is what the folder or archive is called, with the folders above it; releases and
/// jurisdictions often stand only there. `release` overrules what is found.
pub fn guess(place: &str, files: &SetFiles, release: Option<&str>) -> Guessed {
    let parsed: Vec<(&str, OfficialSetKind, Document)> = files
        .iter()
        .filter_map(|(path, bytes)| {
            let kind = OfficialSetKind::of_file(path)?;
            Some((path.as_str(), kind, parse(bytes)?))
        })
        .collect();
    let used: Vec<(&str, String)> = parsed
        .iter()
        .flat_map(|(path, _, document)| {
            references(path, document).into_iter().map(move |used| (*path, used))
        })
        .collect();
    let mut guessed = Guessed::default();
    for (path, kind, document) in &parsed {
        let (path, root) = (*path, document.root());
        let main = match kind {
            OfficialSetKind::Rules => root.is(SCHEMATRON, "schema"),
            OfficialSetKind::Structure => root.is(XSD, "schema"),
        };
        let twin = path.replace("preprocessed/", "").replace("-preprocessed", "");
        if !main || used.iter().any(|(by, used)| is_part(path, by, used)) {
            continue;
        }
        if twin != path && files.contains_key(&twin) {
            continue;
        }
        match describe(place, path, *kind, document, release) {
            Ok(set) => guessed.sets.push(set),
            Err(reason) => guessed.unclear.push((path.to_owned(), reason)),
        }
    }
    guessed
}

/// A file of a set; some declare ISO 8859-1, in which only their comments can differ from UTF-8.
fn parse(bytes: &[u8]) -> Option<Document> {
    let limits = Limits::default();
    match Document::parse(bytes, &limits) {
        Ok(document) => Some(document),
        Err(ParseError { kind: ParseErrorKind::UnsupportedEncoding(_), .. }) => {
            let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            let (_, undeclared) = text.split_once("?>")?;
            Document::parse(undeclared.as_bytes(), &limits).ok()
        }
        Err(_) => None,
    }
}

/// Whether a file is a part of a set whose main file is `by`: it is used itself, or something
/// below its folder is used from outside that folder, as where a publisher delivers the files of
/// another one inside its own.
fn is_part(path: &str, by: &str, used: &str) -> bool {
    let folder = path.rsplit_once('/').map(|(folder, _)| format!("{folder}/"));
    let inside = |path: &str| folder.as_ref().is_some_and(|folder| path.starts_with(folder));
    used == path || (inside(used) && !inside(by))
}

/// The files that a file includes or imports, from the folder of the set.
fn references(path: &str, document: &Document) -> Vec<String> {
    let names = document.root().descendants().filter_map(|element| {
        let attribute = match (element.namespace(), element.local()) {
            (SCHEMATRON | XSLT, "include" | "extends" | "import") => "href",
            (XSD, "include" | "import" | "redefine") => "schemaLocation",
            _ => return None,
        };
        join(path, element.attribute(attribute)?)
    });
    names.filter(|name| name != path).collect()
}

/// `a/b.sch` and `../c.sch` make `c.sch`.
pub(super) fn join(path: &str, reference: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in reference.split('#').next()?.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

fn describe(
    place: &str,
    path: &str,
    kind: OfficialSetKind,
    document: &Document,
    release: Option<&str>,
) -> Result<Description, String> {
    let root = document.root();
    let title = root.child(SCHEMATRON, "title").map(|title| title.text().trim().to_owned());
    let whole = format!("{place}/{path}");
    let (line, applies) = match kind {
        OfficialSetKind::Structure => schema(path, root),
        OfficialSetKind::Rules => rules(&whole, document),
    }
    .ok_or("nothing in its name or text says what it applies to")?;
    let stated = root.attribute("schemaVersion").filter(|version| is_release(version));
    let release = release
        .or_else(|| released_in(&whole))
        .or(stated)
        .or_else(|| title.as_deref().and_then(released_at_end))
        .ok_or("its release is not in its path or title")?;
    let coordinate: Coordinate =
        format!("{line}:{release}").parse().map_err(|error| format!("{error}"))?;
    let title = title.filter(|title| !title.is_empty()).unwrap_or_else(|| stem(path).to_owned());
    let (file, phase, from, until) = (path.to_owned(), None, None, None);
    Ok(Description { coordinate, title, kind, file, phase, from, until, applies })
}

fn rules(whole: &str, document: &Document) -> Option<(String, Applies)> {
    let name = stem(whole).to_ascii_lowercase().replace('_', "-");
    if name.starts_with("peppol-transaction-statistics") {
        return Some(("eu.peppol:tsr".to_owned(), rooted(["TransactionStatisticsReport"])));
    }
    if name.starts_with("peppol-end-user-statistics") {
        return Some(("eu.peppol:eusr".to_owned(), rooted(["EndUserStatisticsReport"])));
    }
    let known = KNOWN.iter().find(|known| name.starts_with(known.name))?;
    let (part, customization) = match known.name {
        "peppolbis-t" => transaction(document.source())?,
        start if start.starts_with("pint-") => jurisdiction(whole)?,
        _ => (String::new(), known.customization.to_owned()),
    };
    let formats = known.formats.to_vec();
    let applies = Applies { formats, customizations: vec![customization], ..Applies::default() };
    Some((known.line.replace('*', &part), applies))
}

/// The transaction that a Peppol rule file names: `poacc:order` and its CustomizationID.
fn transaction(source: &str) -> Option<(String, String)> {
    const START: &str = "urn:fdc:peppol.eu:";
    let found = source.match_indices(START).find_map(|(at, _)| {
        let rest = source.get(at..)?;
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || ":._-".contains(c)))?;
        rest.get(..end).filter(|id| id.contains(":trns:"))
    })?;
    let (domain, rest) = found.strip_prefix(START)?.split_once(":trns:")?;
    let (name, _) = rest.split_once(':')?;
    Some((format!("{domain}:{}", name.replace('_', "-")), found.to_owned()))
}

/// The jurisdiction in the name of a folder, as in `pint-jp-sb`, and the CustomizationID.
fn jurisdiction(whole: &str) -> Option<(String, String)> {
    let part = whole.to_ascii_lowercase();
    let folders = part.rsplit(['/', '\\']).skip(1);
    let part = folders.into_iter().find_map(|part| part.strip_prefix("pint-"))?;
    let mut words = part.split('-');
    let country = words.next()?;
    let (kind, suffix) = match words.next() {
        Some("sb") => ("selfbilling", "-sb"),
        Some("ntr") => ("nontaxinvoice", "-ntr"),
        _ => ("billing", ""),
    };
    let customization = match country {
        "base" => format!("urn:peppol:pint:{kind}-1"),
        country => format!("urn:peppol:pint:{kind}-1@{country}-1"),
    };
    Some((format!("{country}{suffix}"), customization))
}

/// A schema applies to the elements that it declares at the top.
fn schema(path: &str, root: Element<'_>) -> Option<(String, Applies)> {
    let namespace = root.attribute("targetNamespace").unwrap_or_default();
    let names = root.children_named(XSD, "element").filter_map(|element| element.attribute("name"));
    let roots: Vec<String> = names.map(|name| format!("{{{namespace}}}{name}")).collect();
    if roots.is_empty() {
        return None;
    }
    let name: String = stem(path)
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || ".-".contains(c) { c } else { '-' })
        .collect();
    Some((format!("xsd:{name}"), rooted(roots)))
}

fn rooted<Root: Into<String>>(roots: impl IntoIterator<Item = Root>) -> Applies {
    let roots = roots.into_iter().map(Into::into).collect();
    Applies { roots, ..Applies::default() }
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    [".sch.xml", ".sch", ".xsd"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// Numbers with points between them: `2026.5`, `1.3.16`.
fn is_release(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.contains('.') && text.len() <= 20 && text.split('.').all(number)
}

/// The release in the innermost part of a path that has one: `xrechnung-3.0.2/ubl/rules.sch`.
fn released_in(path: &str) -> Option<&str> {
    path.rsplit(['/', '\\']).find_map(|part| {
        let part = [".sch.xml", ".sch", ".xsd", ".zip"]
            .iter()
            .find_map(|end| part.strip_suffix(end))
            .unwrap_or(part);
        let words = part.rsplit(['-', '_', ' ']);
        words.map(|word| word.trim_start_matches(['v', 'V'])).find(|word| is_release(word))
    })
}

fn released_at_end(title: &str) -> Option<&str> {
    title.split_whitespace().rev().find(|word| is_release(word))
}
