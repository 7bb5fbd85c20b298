//! Several notes for a specification that has one place for them.

use super::{
    CII, ConversionRequest, ConversionTarget, Converted, LossKind, UBL, compact, convert_at,
};

const CORE: &str = "urn:cen.eu:en16931:2017";
const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const PINT: &str = "urn:peppol:pint:billing-1@eu-1";

/// The sample in UBL with these notes alone.
fn ubl(notes: &[&str]) -> String {
    let notes: String = notes.iter().map(|note| format!("<cbc:Note{note}</cbc:Note>")).collect();
    replaced(UBL, ("<cbc:Note", "</cbc:Note>"), &notes)
}

/// The sample in CII with these notes alone.
fn cii(notes: &[&str]) -> String {
    let note = |note: &&str| format!("<ram:IncludedNote>{note}</ram:IncludedNote>");
    let notes: String = notes.iter().map(note).collect();
    replaced(CII, ("<ram:IncludedNote>", "</ram:IncludedNote>"), &notes)
}

/// A sample with something else in place of all that stands between its first and last note: those
/// of lines are behind them.
fn replaced(sample: &str, (start, end): (&str, &str), notes: &str) -> String {
    let mut text = compact(sample);
    let from = text.find(start).unwrap();
    while let Some(to) = text.get(from..).filter(|rest| rest.starts_with(start)) {
        let to = from + to.find(end).unwrap() + end.len();
        text.replace_range(from..to, "");
    }
    text.insert_str(from, notes);
    text
}

fn to(source: &str, target: ConversionTarget, specification: &str) -> Converted {
    let specification = Some(specification);
    let request = ConversionRequest { specification, ..target.into() };
    convert_at(crate::read(source.as_bytes()).root().unwrap(), request).unwrap()
}

/// Kind, term and value of the rows of notes.
fn told(converted: &Converted) -> Vec<(LossKind, Option<&str>, &str)> {
    let of_note = |path: &str| path.contains("Note") || path.contains("/notes/");
    let rows = converted.losses.iter().filter(|row| of_note(&row.source_path));
    rows.map(|row| (row.kind, row.term, row.value.as_str())).collect()
}

#[test]
fn several_notes_are_one_text_where_there_is_one_place() {
    let merged = |value| (LossKind::Merged, Some("BT-22"), value);
    let source = ubl(&[">First &amp; more", "> ", ">#AAI#Second"]);
    for specification in [BIS, PINT] {
        let made = to(&source, ConversionTarget::UBL, specification);
        assert!(
            made.document.contains("<cbc:Note>First &amp; more\n#AAI#Second</cbc:Note>"),
            "{made:?}"
        );
        assert_eq!(made.document.matches("<cbc:Note>First").count(), 1);
        assert_eq!(told(&made), [merged("First & more"), merged("#AAI#Second")]);
        assert_eq!(made.losses[0].term, Some("BT-24"));
        let row = made.losses.iter().find(|row| row.value == "#AAI#Second").unwrap();
        assert_eq!(row.source_path, "/Invoice[1]/cbc:Note[3]");
        assert_eq!(row.target_path.as_deref(), Some("/Invoice[1]/cbc:Note[1]"));
        assert!(made.losses.iter().all(|row| row.kind != LossKind::Lost), "{:?}", made.losses);
    }
    // Nobody asks for that elsewhere, or of one.
    assert!(told(&to(&source, ConversionTarget::UBL, CORE)).is_empty());
    for alone in [&[">First"][..], &[]] {
        let made = to(&ubl(alone), ConversionTarget::UBL, BIS);
        assert!(told(&made).is_empty(), "{:?}", made.losses);
    }
    // What is empty is no note.
    let made = to(&ubl(&["> ", ">Only"]), ConversionTarget::UBL, BIS);
    assert!(
        made.document.contains("<cbc:Note>Only</cbc:Note>") && told(&made).is_empty(),
        "{:?}",
        made.losses
    );
}

#[test]
fn what_names_the_specification_itself_stays_as_it_is() {
    let source = ubl(&[">First", ">Second"]).replacen(&format!(">{CORE}<"), &format!(">{BIS}<"), 1);
    let made = to(&source, ConversionTarget::UBL, BIS);
    assert!(
        made.document.contains("<cbc:Note>First</cbc:Note><cbc:Note>Second</cbc:Note>"),
        "{made:?}"
    );
    assert!(told(&made).is_empty());
}

#[test]
fn notes_between_german_parties_stay_in_ubl() {
    let source = ubl(&[">First", ">Second"]);
    let countries = "<cbc:IdentificationCode>";
    let mut german = String::new();
    for (at, piece) in source.split(countries).enumerate() {
        match at {
            0 => german.push_str(piece),
            _ => german.push_str(&format!("{countries}DE{}", piece.get(2..).unwrap())),
        }
    }
    let made = to(&german, ConversionTarget::UBL, BIS);
    assert!(told(&made).is_empty(), "{:?}", made.losses);
    // PINT has one place for all of them.
    let made = to(&german, ConversionTarget::UBL, PINT);
    assert!(made.document.contains("<cbc:Note>First\nSecond</cbc:Note>"), "{made:?}");
    assert_eq!(told(&made).len(), 2, "{:?}", made.losses);
    // In CII the rule has no such exception.
    let made = to(&german, ConversionTarget::CII, BIS);
    assert_eq!(told(&made).len(), 2, "{:?}", made.losses);
}

#[test]
fn what_stands_beside_the_texts_stays_where_it_is_the_same() {
    let source = ubl(&[" languageID=\"en\">First", " languageID=\"en\">Second"]);
    let made = to(&source, ConversionTarget::UBL, BIS);
    assert!(
        made.document.contains("<cbc:Note languageID=\"en\">First\nSecond</cbc:Note>"),
        "{made:?}"
    );
    assert!(made.losses.iter().all(|row| row.kind != LossKind::Lost), "{:?}", made.losses);
    let source = ubl(&[" languageID=\"en\">First", " languageID=\"de\">Zweitens"]);
    let made = to(&source, ConversionTarget::UBL, BIS);
    assert!(made.document.contains("<cbc:Note>First\nZweitens</cbc:Note>"), "{made:?}");
    let lost: Vec<_> = made.losses.iter().filter(|row| row.kind == LossKind::Lost).collect();
    assert_eq!(lost.len(), 2, "{lost:?}");
    assert_eq!(lost[1].source_path, "/Invoice[1]/cbc:Note[2]/@languageID");
}

#[test]
fn notes_of_cii_and_json_are_joined_with_their_subjects() {
    let two = cii(&[
        "<ram:Content>First</ram:Content><ram:SubjectCode>AAI</ram:SubjectCode>",
        "<ram:Content>Second</ram:Content>",
    ]);
    let json = convert_at(crate::read(two.as_bytes()).root().unwrap(), ConversionTarget::JSON);
    let json = json.unwrap().document;
    for source in [&two, &json] {
        for target in [ConversionTarget::UBL, ConversionTarget::CII] {
            let made = to(source, target, BIS);
            assert!(made.document.contains(">#AAI#First\nSecond</"), "{made:?}");
            let mut told = told(&made);
            told.sort_unstable_by_key(|row| row.2);
            let merged = |term, value| (LossKind::Merged, Some(term), value);
            let wanted =
                [merged("BT-21", "AAI"), merged("BT-22", "First"), merged("BT-22", "Second")];
            assert_eq!(told, wanted, "{:?}", made.losses);
        }
    }
    // One note with a subject: BIS in CII has no place for that.
    let one = cii(&["<ram:Content>First</ram:Content><ram:SubjectCode>AAI</ram:SubjectCode>"]);
    let made = to(&one, ConversionTarget::CII, BIS);
    assert!(
        made.document.contains("<ram:Content>#AAI#First</ram:Content></ram:IncludedNote>"),
        "{made:?}"
    );
    assert_eq!(told(&made), [(LossKind::CarriedAsText, Some("BT-21"), "AAI")]);
    let made = to(&one, ConversionTarget::UBL, BIS);
    assert!(made.document.contains("<cbc:Note>#AAI#First</cbc:Note>") && told(&made).is_empty());
}

/// What nobody writes costs no more than its size, and the rules refuse it.
#[test]
fn more_notes_than_anybody_writes_stay() {
    for (count, expected) in [(200, 200), (201, 0)] {
        let notes = vec![">Note"; count];
        let made = to(&ubl(&notes), ConversionTarget::UBL, BIS);
        assert_eq!(told(&made).len(), expected, "{count}");
    }
}
