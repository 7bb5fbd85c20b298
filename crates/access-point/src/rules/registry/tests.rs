//! What is added is there whole or not at all; releases live side by side.

mod removal;

use std::sync::atomic::{AtomicU32, Ordering};

use quoin_rules::official::{Applies, Coordinate};

use super::*;

const XSD: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' \
    targetNamespace='urn:n'><xs:element name='note'/></xs:schema>";

struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("quoin-rules-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn with(&self, path: &str, text: &str) -> PathBuf {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn registry(folder: &Folder) -> Registry {
    Registry::at(&folder.0.join("data"))
}

fn add(folder: &Folder, package: &str) -> Result<Added, RulesError> {
    let package = PackageFiles::read(&folder.0.join(package))?;
    registry(folder).add(&package, &Overrides::default(), Timestamp::UNIX_EPOCH)
}

fn names(folder: &Folder) -> Vec<String> {
    let packages = registry(folder).packages().unwrap();
    let sets = packages.iter().flat_map(|package| &package.manifest.sets);
    sets.map(|set| set.coordinate.to_string()).collect()
}

fn entries(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.0.join("data/rules")).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_folder_is_registered_once_and_found_again() {
    let folder = Folder::new();
    folder.with("notes-1.0/note.xsd", XSD);
    folder.with("notes-1.0/readme.md", "not a rule");
    folder.with("notes-1.0/.git/config.xml", "<a/>");
    let added = add(&folder, "notes-1.0").unwrap();
    assert!(!added.known);
    assert_eq!(names(&folder), ["xsd:note:1.0"]);
    assert_eq!(added.package.files().unwrap().into_keys().collect::<Vec<_>>(), ["note.xsd"]);
    assert!(add(&folder, "notes-1.0").unwrap().known);
    let library = registry(&folder).load().unwrap();
    assert_eq!(library.sets().len(), 1);
    assert_eq!(library.sets()[0].added_on, Some(Timestamp::UNIX_EPOCH));
    assert_eq!(entries(&folder), [added.package.digest]);
}

#[test]
fn releases_live_side_by_side_and_a_name_is_taken_once() {
    let folder = Folder::new();
    folder.with("notes-1.0/note.xsd", XSD);
    folder.with("notes-2.0/note.xsd", XSD);
    add(&folder, "notes-1.0").unwrap();
    add(&folder, "notes-2.0").unwrap();
    assert_eq!(names(&folder).len(), 2);
    let newest = registry(&folder).load_named("xsd:note").unwrap();
    assert_eq!(newest.len(), 2);
    folder.with("notes-1.0/note.xsd", &XSD.replace("'note'", "'other'"));
    let error = add(&folder, "notes-1.0").unwrap_err();
    assert!(matches!(error, RulesError::Taken(_)), "{error}");
    registry(&folder).remove("xsd:note:1.0").unwrap();
    assert_eq!(names(&folder), ["xsd:note:2.0"]);
    let error = registry(&folder).remove("xsd:note:1.0").unwrap_err();
    assert!(error.to_string().contains("quoin rules list"), "{error}");
    add(&folder, "notes-1.0").unwrap();
}

#[test]
fn a_manifest_says_what_the_sets_are() {
    let folder = Folder::new();
    folder.with("house/xsd/note.xsd", XSD);
    folder.with(
        "house/quoin-rules.toml",
        "[[set]]\ncoordinate = 'org.example:note:7'\ntitle = 'Notes'\nkind = 'structure'\n\
         file = 'xsd/note.xsd'\nfrom = 2026-05-18\nuntil = '2027-01-01'\n\
         applies = { roots = ['note'] }\n",
    );
    add(&folder, "house").unwrap();
    let (_, set) = registry(&folder).find("org.example:note:7").unwrap();
    assert_eq!(set.from, Some(jiff::civil::date(2026, 5, 18)));
    assert_eq!(set.until, Some(jiff::civil::date(2027, 1, 1)));
    assert_eq!(set.applies.roots, ["note"]);
    folder.with("house/quoin-rules.toml", "[[set]]\ncoordinate = 'org'\nfile = 'x'\n");
    let error = add(&folder, "house").unwrap_err().to_string();
    assert!(error.contains("group:artifact:release"), "{error}");
    folder.with("house/quoin-rules.toml", "[[set]]\nsurprise = 1\n");
    let error = add(&folder, "house").unwrap_err().to_string();
    assert!(error.contains("surprise"), "{error}");
}

#[test]
fn what_does_not_compile_leaves_nothing_behind() {
    let folder = Folder::new();
    let broken = XSD.replace("<xs:element name='note'/>", "<xs:element name='note' type='gone'/>");
    folder.with("notes-1.0/note.xsd", &broken);
    folder.with("notes-1.0/other.xsd", XSD);
    let error = add(&folder, "notes-1.0").unwrap_err();
    assert!(matches!(error, RulesError::Compile { .. }), "{error}");
    assert!(error.to_string().contains("note.xsd:1:"), "{error}");
    assert_eq!(entries(&folder), [""; 0]);
}

#[test]
fn the_operator_overrules() {
    let folder = Folder::new();
    let path = folder.with("note.xsd", XSD);
    let package = PackageFiles::read(&path).unwrap();
    let error =
        registry(&folder).add(&package, &Overrides::default(), Timestamp::UNIX_EPOCH).unwrap_err();
    assert!(error.to_string().contains("--applies"), "{error}");
    let coordinate: Coordinate = "org.example:note:1".parse().unwrap();
    let applies =
        quoin_rules::official::Applies { roots: vec!["note".to_owned()], ..Default::default() };
    let overrides = Overrides {
        coordinate: Some(coordinate),
        applies: Some(applies),
        from: Some(jiff::civil::date(2026, 1, 1)),
        ..Overrides::default()
    };
    registry(&folder).add(&package, &overrides, Timestamp::UNIX_EPOCH).unwrap();
    let (_, set) = registry(&folder).find("org.example:note:1").unwrap();
    assert_eq!(set.from, Some(jiff::civil::date(2026, 1, 1)));
}

#[test]
fn a_folder_without_rules_is_told() {
    let folder = Folder::new();
    folder.with("empty/readme.xml", "<a/>");
    let error = add(&folder, "empty").unwrap_err();
    assert!(matches!(error, RulesError::Nothing { .. }), "{error}");
    let error = add(&folder, "missing").unwrap_err();
    assert!(matches!(error, RulesError::File { .. }), "{error}");
}

#[test]
fn the_state_changes_with_what_is_registered() {
    let folder = Folder::new();
    folder.with("notes-1.0/note.xsd", XSD);
    let before = registry(&folder).state();
    add(&folder, "notes-1.0").unwrap();
    let after = registry(&folder).state();
    assert_ne!(before, after);
    assert_eq!(after, registry(&folder).state());
    registry(&folder).remove("xsd:note:1.0").unwrap();
    assert_eq!(before, registry(&folder).state());
}

/// The archives were written by another program.
fn add_archive(folder: &Folder, name: &str) -> Result<Added, RulesError> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let package = PackageFiles::read(&path)?;
    registry(folder).add(&package, &Overrides::default(), Timestamp::UNIX_EPOCH)
}

#[test]
fn an_archive_is_registered_as_its_folder_would_be() {
    let folder = Folder::new();
    let added = add_archive(&folder, "notes-1.0.zip").unwrap();
    assert_eq!(names(&folder), ["xsd:note:1.0"]);
    let files: Vec<_> = added.package.files().unwrap().into_keys().collect();
    assert_eq!(files, ["note.xsd", "parts/types.xsd"]);
    assert_eq!(registry(&folder).load().unwrap().sets().len(), 1);
}

#[test]
fn an_archive_that_leads_out_or_blows_up_leaves_nothing_behind() {
    let folder = Folder::new();
    for (name, said) in [("escapes-1.0.zip", "../note.xsd"), ("bomb-1.0.zip", "times")] {
        let error = add_archive(&folder, name).unwrap_err().to_string();
        assert!(error.contains(said), "{name}: {error}");
        assert_eq!(entries(&folder), [""; 0], "{name}");
    }
}

const SCH: &str = "<schema xmlns='http://purl.oclc.org/dsdl/schematron' queryBinding='xslt2'>\
    <include href='parts/notes.sch'/></schema>";
const PATTERN: &str = "<pattern xmlns='http://purl.oclc.org/dsdl/schematron' id='p'>\
    <rule context='note'><assert id='N-1' test=\"document('codes.xml')//c\">no</assert></rule>\
    </pattern>";

/// A folder with a rule file, with what it includes and what it does not.
fn house() -> (Folder, PathBuf) {
    let folder = Folder::new();
    let file = folder.with("home/house.sch", SCH);
    folder.with("home/parts/notes.sch", PATTERN);
    folder.with("home/parts/codes.xml", "<codes><c/></codes>");
    folder.with("home/private/letters.xml", "<letter/>");
    folder.with("home/other.sch", SCH);
    (folder, file)
}

fn of_notes() -> Overrides {
    let applies = Applies { roots: vec!["note".to_owned()], ..Applies::default() };
    Overrides { applies: Some(applies), ..Overrides::default() }
}

#[test]
fn of_a_single_file_what_it_includes_is_taken_and_nothing_else() {
    let (folder, file) = house();
    let package = PackageFiles::read(&file).unwrap();
    let taken: Vec<&str> = package.files.keys().map(String::as_str).collect();
    assert_eq!(taken, ["house.sch", "parts/codes.xml", "parts/notes.sch"]);
    registry(&folder).add(&package, &of_notes(), Timestamp::UNIX_EPOCH).unwrap();
    let outside = SCH.replace("parts/notes.sch", "../notes.sch");
    let file = folder.with("home/outside.sch", &outside);
    folder.with("notes.sch", PATTERN);
    let package = PackageFiles::read(&file).unwrap();
    assert_eq!(package.files.len(), 1, "{:?}", package.files.keys());
    let added = registry(&folder).add(&package, &of_notes(), Timestamp::UNIX_EPOCH);
    assert!(added.unwrap_err().to_string().contains("outside.sch"));
}

#[test]
fn what_could_never_judge_is_refused() {
    let (folder, file) = house();
    let package = PackageFiles::read(&file).unwrap();
    let add = |overrides: &Overrides| {
        let added = registry(&folder).add(&package, overrides, Timestamp::UNIX_EPOCH);
        added.map(|_| ()).unwrap_err().to_string()
    };
    let applies = Applies { profiles: vec!["nope".to_owned()], ..Applies::default() };
    let said = add(&Overrides { applies: Some(applies), ..Overrides::default() });
    assert!(said.contains("profile \"nope\"") && said.contains("formats.md"), "{said}");
    for (name, value) in [("root", ""), ("customization", "$")] {
        let mut applies = Applies::default();
        let list = if name == "root" { &mut applies.roots } else { &mut applies.customizations };
        list.push(value.to_owned());
        let said = add(&Overrides { applies: Some(applies), ..Overrides::default() });
        assert!(said.contains(&format!("a {name} that it applies to is empty")), "{said}");
    }
    let day = |text: &str| Some(text.parse().unwrap());
    let said = add(&Overrides { from: day("2027-01-01"), until: day("2026-01-01"), ..of_notes() });
    assert!(said.contains("from 2027-01-01 is after until 2026-01-01"), "{said}");
    assert_eq!(names(&folder), [""; 0]);
}

#[test]
fn a_manifest_is_asked_the_same_and_takes_both_names_of_a_format() {
    let (folder, _) = house();
    let manifest = |rest: &str| {
        let text =
            format!("[[set]]\ncoordinate = 'org.example:house:1.0'\nfile = 'house.sch'\n{rest}\n");
        folder.with("home/quoin-rules.toml", &text);
        add(&folder, "home")
    };
    for (rest, said) in [
        ("applies = { profiles = ['nope'] }", "profile \"nope\""),
        ("applies = { roots = ['note'] }\nfrom = 2027-01-01\nuntil = 2026-01-01", "is after"),
        ("applies = { roots = ['note'] }\nphase = 'strict'", "no phase \"strict\""),
    ] {
        let error = manifest(rest).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let added = manifest("applies = { formats = ['ubl-invoice', 'cii'] }").unwrap();
    let named = [quoin_formats::Syntax::UblInvoice, quoin_formats::Syntax::Cii];
    assert_eq!(added.sets[0].applies.formats, named);
}

/// Where the files of a package lie.
fn place(folder: &Folder, package: &RegisteredPackage, name: &str) -> PathBuf {
    folder.0.join("data/rules").join(&package.digest).join(name)
}

#[test]
fn what_was_changed_after_it_was_registered_is_told() {
    let (folder, file) = house();
    let package = PackageFiles::read(&file).unwrap();
    let added = registry(&folder).add(&package, &of_notes(), Timestamp::UNIX_EPOCH).unwrap();
    let name = added.package.manifest.sets[0].coordinate.to_string();
    let loaded = || registry(&folder).load().map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(loaded(), Ok(()));
    let weaker = PATTERN.replace("<assert ", "<assert flag='warning' ");
    for (path, text) in [
        ("files/parts/notes.sch", Some(&*weaker)),
        ("files/parts/codes.xml", None),
        ("files/more.sch", Some(PATTERN)),
        ("quoin-rules.toml", Some("")),
        ("quoin-rules.toml", Some(MORE_MANIFEST)),
    ] {
        let path = place(&folder, &added.package, path);
        let before = std::fs::read(&path).ok();
        match text {
            Some(text) => std::fs::write(&path, text).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        let said = loaded().unwrap_err();
        let folder_name = &added.package.digest;
        let advises = said.contains("put it back") || said.contains("Put back");
        assert!(said.contains(folder_name) && advises, "{said}");
        match before {
            Some(bytes) => std::fs::write(&path, bytes).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        assert_eq!(loaded(), Ok(()), "put back");
    }
    // It can be removed all the same.
    std::fs::write(place(&folder, &added.package, "files/house.sch"), "<schema>").unwrap();
    assert!(loaded().unwrap_err().contains(&name));
    registry(&folder).remove(&name).unwrap();
    assert_eq!(loaded(), Ok(()));
}

/// A manifest that says something else of the files than the one they were registered with.
const MORE_MANIFEST: &str = "[[set]]\ncoordinate = 'org.example:house:1.0'\nfile = 'house.sch'\n\
    until = 2020-01-01\napplies = { roots = ['note'] }\n";

#[test]
fn a_set_that_asserts_nothing_is_refused() {
    let (folder, _) = house();
    let empty = "<schema xmlns='http://purl.oclc.org/dsdl/schematron' queryBinding='xslt2'/>";
    let file = folder.with("home/empty.sch", empty);
    let package = PackageFiles::read(&file).unwrap();
    let added = registry(&folder).add(&package, &of_notes(), Timestamp::UNIX_EPOCH);
    let said = added.map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("empty.sch has no assertion"), "{said}");
    assert_eq!(names(&folder), [""; 0]);
}

/// Earlier versions left the name when they removed a set, and wrote nothing of it.
#[test]
fn a_package_of_an_earlier_version_is_taken_as_it_is() {
    let (folder, file) = house();
    let package = PackageFiles::read(&file).unwrap();
    let added = registry(&folder).add(&package, &of_notes(), Timestamp::UNIX_EPOCH).unwrap();
    std::fs::write(place(&folder, &added.package, "quoin-rules.toml"), MORE_MANIFEST).unwrap();
    assert!(registry(&folder).load().is_err());
    std::fs::remove_file(place(&folder, &added.package, NAMED)).unwrap();
    assert_eq!(registry(&folder).load().unwrap().sets().len(), 1);
}
