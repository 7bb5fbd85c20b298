//! Sets that go, and what a crash leaves of that.

use super::*;

#[test]
fn a_package_that_loses_a_set_is_named_anew() {
    let folder = Folder::new();
    folder.with("notes-1.0/note.xsd", XSD);
    folder.with("notes-1.0/other.xsd", &XSD.replace("'note'", "'other'"));
    let added = add(&folder, "notes-1.0").unwrap();
    assert_eq!(added.sets.len(), 2);
    registry(&folder).remove("xsd:other:1.0").unwrap();
    assert_eq!(registry(&folder).load().unwrap().sets().len(), 1);
    let [left] = &entries(&folder)[..] else { panic!("{:?}", entries(&folder)) };
    assert_ne!(*left, added.package.digest);
    assert!(registry(&folder).packages().unwrap()[0].manifest.added_on.is_some());
    // It is registered once more as it was.
    let error = add(&folder, "notes-1.0").unwrap_err();
    assert!(matches!(error, RulesError::Taken(_)), "{error}");
}

/// A crash leaves what a removal is made of: the package beside what is left of it, or a package
/// that is out of sight.
#[test]
fn a_removal_that_was_cut_short_is_ended() {
    let folder = Folder::new();
    folder.with("notes-1.0/note.xsd", XSD);
    folder.with("notes-1.0/other.xsd", &XSD.replace("'note'", "'other'"));
    let whole = add(&folder, "notes-1.0").unwrap().package.digest;
    let rules = folder.0.join("data/rules");
    let copy = folder.0.join("copy");
    let put_back = |name: &str| {
        std::fs::create_dir_all(rules.join(name).join("files")).unwrap();
        for file in ["quoin-rules.toml", "named", "files/note.xsd", "files/other.xsd"] {
            std::fs::copy(copy.join(file), rules.join(name).join(file)).unwrap();
        }
    };
    std::fs::create_dir_all(copy.join("files")).unwrap();
    for file in ["quoin-rules.toml", "named", "files/note.xsd", "files/other.xsd"] {
        std::fs::copy(rules.join(&whole).join(file), copy.join(file)).unwrap();
    }
    registry(&folder).remove("xsd:other:1.0").unwrap();
    put_back(&whole);
    put_back(&format!(".removed-{whole}"));
    assert_eq!(names(&folder), ["xsd:note:1.0"], "judged by once");
    assert_eq!(registry(&folder).load().unwrap().sets().len(), 1);
    registry(&folder).remove("xsd:other:1.0").unwrap();
    assert_eq!(entries(&folder).len(), 1);
    let error = registry(&folder).remove("xsd:other:1.0").unwrap_err();
    assert!(matches!(error, RulesError::Unknown(_)), "{error}");
    registry(&folder).remove("xsd:note:1.0").unwrap();
    assert_eq!(entries(&folder), Vec::<String>::new());
}
