//! The pieces that the model is made of.

use quoin_xml::tree::{Document, Limits};

use super::*;

fn parsed(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

#[test]
fn a_field_keeps_every_occurrence_in_order() {
    let mut field = Field::default();
    assert_eq!((field.count(), field.first(), field.one()), (0, None, None));
    field.push(1);
    assert_eq!((field.all(), field.one(), field.is_repeated()), (&[1][..], Some(&1), false));
    field.extend([2, 3]);
    assert_eq!((field.all(), field.one(), field.is_repeated()), (&[1, 2, 3][..], None, true));
    let mut other: Field<i32> = [4, 5].into_iter().collect();
    field.append(&mut other);
    assert_eq!((field.iter().sum::<i32>(), other.is_absent()), (15, true));
    field.all_mut()[0] = 7;
    assert_eq!(field.first(), Some(&7));
    assert_eq!(format!("{field:?}"), "[7, 2, 3, 4, 5]");
}

#[test]
fn a_value_knows_its_text_and_its_place() {
    let document = parsed("<a>\n  <b schemeID=''> x<!-- y --> y </b></a>");
    let element = document.root().elements().next().unwrap();
    let id = Identifier::from(ValueSource::of(element));
    assert_eq!((id.text().as_ref(), id.trimmed().as_ref()), (" x y ", "x y"));
    assert!(id.is("x y") && !id.is_blank());
    assert_eq!((id.path(), id.position().line), ("/a[1]/b[1]".to_owned(), 2));
    let scheme = id.scheme().expect("present and empty");
    assert!(scheme.is_blank());
    assert_eq!(scheme.path(), "/a[1]/b[1]/@schemeID");
    assert_eq!(id.scheme_version(), None);
    assert_eq!(scheme.element(), element);
}

#[test]
fn indicators_are_xs_boolean() {
    for (text, value) in [
        ("true", Some(true)),
        (" 1 ", Some(true)),
        ("false", Some(false)),
        ("0", Some(false)),
        ("TRUE", None),
        ("", None),
        ("no", None),
    ] {
        let document = parsed(&format!("<a>{text}</a>"));
        assert_eq!(Indicator::from(ValueSource::of(document.root())).value(), value, "{text:?}");
    }
}

#[test]
fn a_note_begins_with_its_subject_in_ubl() {
    for (text, subject, content) in [
        ("#AAI#General", Some("AAI"), "General"),
        ("#AAI##SUR#x", Some("AAI"), "#SUR#x"),
        ("# 1 of #2", None, "# 1 of #2"),
        ("#SKONTO#TAGE=7#", None, "#SKONTO#TAGE=7#"),
        ("plain", None, "plain"),
    ] {
        let document = parsed(&format!("<a>{text}</a>"));
        let mut note = Note::new(document.root());
        note.text.push(ValueSource::of(document.root()).into());
        assert_eq!(note.subject().as_deref(), subject, "{text}");
        assert_eq!(note.content().as_deref(), Some(content), "{text}");
    }
}

#[test]
fn values_and_lines_are_small() {
    assert_eq!(size_of::<ValueSource<'_>>(), 16);
    assert_eq!(size_of::<Field<Amount<'_>>>(), 24);
    assert!(size_of::<Line<'_>>() <= 1300, "{}", size_of::<Line<'_>>());
}
