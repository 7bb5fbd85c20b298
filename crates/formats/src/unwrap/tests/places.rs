//! Where a PDF names its files: the associated files, the name tree, its pages. What an earlier
//! revision of the file named is not in it any more.

use super::*;

/// A PDF without a cross-reference: what the catalogue has, and objects by their numbers. A stream
/// is the text behind its dictionary.
fn file(catalogue: &str, objects: &[(u32, &str, Option<&str>)]) -> Vec<u8> {
    let mut out = format!("%PDF-1.7\n1 0 obj\n<</Type/Catalog{catalogue}>>\nendobj\n");
    for (number, dictionary, stream) in objects {
        out.push_str(&format!("{number} 0 obj\n"));
        match stream {
            None => out.push_str(dictionary),
            Some(text) => out.push_str(&format!(
                "<<{dictionary}/Length {}>>\nstream\n{text}\nendstream",
                text.len()
            )),
        }
        out.push_str("\nendobj\n");
    }
    out.push_str("trailer\n<</Root 1 0 R>>\n");
    out.into_bytes()
}

const SPECIFICATION: &str =
    "<</Type/Filespec/F(factur-x.xml)/AFRelationship/Alternative/EF<</F 6 0 R>>>>";
const NAMED: &str = "/Names<</EmbeddedFiles<</Names[(factur-x.xml) 5 0 R]>>>>";

fn found(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let unwrapped = open(bytes);
    let documents = unwrapped.documents.into_iter();
    let named = documents.filter_map(|one| Some((one.name?, one.bytes.into_owned())));
    named.collect()
}

fn invoice() -> Vec<(String, Vec<u8>)> {
    vec![("factur-x.xml".to_owned(), CII.as_bytes().to_vec())]
}

#[test]
fn the_name_tree_is_read_beside_the_associated_files() {
    let other = "<</Type/Filespec/F(a.txt)/EF<</F 8 0 R>>>>";
    let objects = [
        (5, SPECIFICATION, None),
        (6, "/Type/EmbeddedFile", Some(CII)),
        (7, other, None),
        (8, "/Type/EmbeddedFile", Some("hello")),
    ];
    assert_eq!(found(&file(&format!("/AF[7 0 R]{NAMED}"), &objects)), invoice());
    assert_eq!(found(&file(NAMED, &objects)), invoice());
    let kids = "/Names<</EmbeddedFiles<</Kids[9 0 R]>>>>";
    let objects = [&objects[..], &[(9, "<</Names[(a) 7 0 R(b) 5 0 R]>>", None)]].concat();
    assert_eq!(found(&file(kids, &objects)), invoice());
}

#[test]
fn a_file_is_found_behind_many_objects() {
    let mut objects: Vec<(u32, &str, Option<&str>)> =
        (10..1_200).map(|number| (number, "<</Type/Annot>>", None)).collect();
    objects.push((1_500, SPECIFICATION, None));
    objects.push((6, "/Type/EmbeddedFile", Some(CII)));
    let catalogue = NAMED.replace("5 0 R", "1500 0 R");
    assert_eq!(found(&file(&catalogue, &objects)), invoice());
}

#[test]
fn the_key_names_a_file_that_names_itself_not() {
    let bare = "<</Type/Filespec/EF<</F 6 0 R>>>>";
    let objects = [(5, bare, None), (6, "/Type/EmbeddedFile", Some(CII))];
    assert_eq!(found(&file(NAMED, &objects)), invoice());
    // The specification itself stands in the tree.
    let inline = NAMED.replace("5 0 R", SPECIFICATION);
    assert_eq!(found(&file(&inline, &objects[1..])), invoice());
}

#[test]
fn what_the_catalogue_names_no_longer_is_not_there() {
    let old = CII.replace("2017", "2016");
    let objects = [
        (5, SPECIFICATION, None),
        (6, "/Type/EmbeddedFile", Some(CII)),
        (7, "<</Type/Filespec/F(factur-x.xml)/EF<</F 8 0 R>>>>", None),
        (8, "/Type/EmbeddedFile", Some(old.as_str())),
    ];
    assert_eq!(found(&file(NAMED, &objects)), invoice());
    // Where nothing names them, none is there.
    assert_eq!(found(&file("", &objects)), []);
}

#[test]
fn the_files_of_pages_are_read() {
    let page = |of_page: &str| {
        let page = format!("<</Type/Page/Parent 2 0 R{of_page}>>");
        let annotation = "<</Type/Annot/Subtype/FileAttachment/FS 5 0 R>>";
        let objects = [
            (2, "<</Type/Pages/Kids[3 0 R]>>", None),
            (3, "<</Type/Pages/Parent 2 0 R/Kids[2 0 R 3 0 R 4 0 R]>>", None),
            (4, page.as_str(), None),
            (5, SPECIFICATION, None),
            (6, "/Type/EmbeddedFile", Some(CII)),
            (7, annotation, None),
            (8, "<</Type/Annot/Subtype/Link/FS 5 0 R>>", None),
            (9, "<</Type/Annot/Subtype/Link/AF[5 0 R]>>", None),
            (10, "[7 0 R 5 0 R]", None),
        ];
        found(&file("/Pages 2 0 R", &objects))
    };
    for of_page in ["/AF[5 0 R]", "/Annots[7 0 R]", "/Annots 10 0 R", "/Annots[9 0 R]"] {
        assert_eq!(page(of_page), invoice(), "{of_page}");
    }
    for of_page in ["", "/Annots[8 0 R]", "/Annots 8 0 R", "/AF 5 0 R"] {
        assert_eq!(page(of_page), [], "{of_page}");
    }
}

/// A file in revisions, each with its table; an object without text is deleted in its revision.
fn revised(revisions: &[&[(u32, &str)]]) -> Vec<u8> {
    let (mut out, mut before) = ("%PDF-1.7\n".to_owned(), None);
    for revision in revisions {
        let mut table = String::new();
        for (number, object) in *revision {
            let (at, kind) = if object.is_empty() { (0, 'f') } else { (out.len(), 'n') };
            table.push_str(&format!("{number} 1\n{at:010} 00000 {kind} \n"));
            if !object.is_empty() {
                out.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
            }
        }
        let start = out.len();
        let prev = before.map(|at| format!("/Prev {at}")).unwrap_or_default();
        out.push_str(&format!("xref\n{table}trailer\n<</Root 1 0 R{prev}>>\n"));
        out.push_str(&format!("startxref\n{start}\n%%EOF\n"));
        before = Some(start);
    }
    out.into_bytes()
}

/// Makes the last table one that is not where the file says.
fn lead_astray(bytes: &mut Vec<u8>) {
    let at = memchr::memmem::rfind(bytes, b"startxref").unwrap();
    bytes.truncate(at);
    bytes.extend(b"startxref\n3\n%%EOF\n");
}

fn stream(dictionary: &str, text: &str) -> String {
    format!("<<{dictionary}/Length {}>>\nstream\n{text}\nendstream", text.len())
}

#[test]
fn what_an_update_takes_away_is_not_there() {
    let catalogue = format!("<</Type/Catalog/AF[5 0 R]{NAMED}>>");
    let content = stream("/Type/EmbeddedFile", CII);
    let first = [(1, catalogue.as_str()), (5, SPECIFICATION), (6, content.as_str())];
    assert_eq!(found(&revised(&[&first])), invoice());
    let bare = [(1, "<</Type/Catalog>>")];
    let deleted = [(5, "")];
    for update in [&bare[..], &deleted[..]] {
        let mut bytes = revised(&[&first, update]);
        assert_eq!(found(&bytes), []);
        assert_eq!(closed(&bytes, &UnwrapLimits::default()), [UnopenedReason::Nothing]);
        // The newest revision counts where the table leads nowhere, too.
        lead_astray(&mut bytes);
        let left = if update[0].1.is_empty() { invoice() } else { Vec::new() };
        assert_eq!(found(&bytes), left);
    }
    // Behind many revisions, as well.
    let mut many: Vec<&[(u32, &str)]> = vec![&first];
    many.extend(std::iter::repeat_n(&bare[..], 100));
    let mut bytes = revised(&many);
    assert_eq!(found(&bytes), []);
    lead_astray(&mut bytes);
    assert_eq!(found(&bytes), []);
}

#[test]
fn what_an_update_puts_into_a_stream_of_objects_counts() {
    let catalogue = format!("<</Type/Catalog{NAMED}>>");
    let content = stream("/Type/EmbeddedFile", CII);
    let bare = stream("/Type/ObjStm/N 1/First 4", "1 0 <</Type/Catalog>>");
    let first = [(1, catalogue.as_str()), (5, SPECIFICATION), (6, content.as_str())];
    let cut = |second: &[(u32, &str)]| {
        let mut bytes = revised(&[&first, second]);
        lead_astray(&mut bytes);
        bytes
    };
    assert_eq!(found(&cut(&[(9, bare.as_str())])), []);
    // An object that stands behind the stream is newer than the one inside.
    assert_eq!(found(&cut(&[(9, bare.as_str()), (1, catalogue.as_str())])), invoice());
}

#[test]
fn a_table_that_misses_a_file_is_mended() {
    let catalogue = format!("<</Type/Catalog{NAMED}>>");
    let content = stream("/Type/EmbeddedFile", CII);
    let first = [(1, catalogue.as_str()), (5, SPECIFICATION), (6, content.as_str())];
    let bytes = revised(&[&first]);
    let text = String::from_utf8(bytes).unwrap();
    let at = text.find("5 0 obj").unwrap();
    let wrong = text.replace(&format!("{at:010}"), &format!("{:010}", at + 3));
    assert_eq!(found(wrong.as_bytes()), invoice());
}

#[test]
fn what_is_inside_is_counted_before_it_is_held() {
    use quoin_testing::containers::{Entry, deflated, zip};

    let lines: String =
        (0..40_000).map(|at| format!("<b>a line with much text {at}</b>")).collect();
    let large = format!("<a>{lines}</a>").into_bytes();
    let archive = zip(&[Entry("a.xml", &large, 8, 0), Entry("b.xml", b"<b/>", 0, 0)]);
    assert!(archive.len() < large.len() / 5 && deflated(&large).len() < archive.len());
    assert!(crate::may_hold_documents(&archive));
    assert_eq!(crate::unpacked(&archive, 64 << 20), large.len() + "<b/>".len());
    // An archive in an archive is unpacked, too.
    let outer = zip(&[Entry("a.zip", &archive, 0, 0)]);
    let all = archive.len() + large.len() + "<b/>".len();
    assert_eq!(crate::unpacked(&outer, 64 << 20), all);
    // Beyond what may be held it is not counted on.
    for most in [0, 1, 100_000] {
        assert_eq!(crate::unpacked(&archive, most), most);
    }
    for plain in ["<a/>", " \n<a/>", "\u{feff}<a/>", "{\"a\":1}", ""] {
        assert!(!crate::may_hold_documents(plain.as_bytes()), "{plain:?}");
    }
    for other in [
        &b"<a><BinaryContent>UEs=</BinaryContent></a>"[..],
        b"\xff\xfe<\0a\0",
        b"<\0a\0",
        b"junk\n%PDF-1.7\n",
        b" <junk>\n%PDF-1.7\n",
        b"--b\r\n\r\n<a/>\r\n--b--",
        b"MIAGCSqGSIb3DQEHAqCA",
    ] {
        assert!(crate::may_hold_documents(other), "{:?}", String::from_utf8_lossy(other));
    }
}
