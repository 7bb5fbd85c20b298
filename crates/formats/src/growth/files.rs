//! Containers that ask for much work.

/// An archive of stored entries; those over one another have one local header and one content.
pub(super) fn zip(entries: usize, content: &[u8], shared: bool) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    let mut crc = flate2::Crc::new();
    crc.update(content);
    let length = u32::try_from(content.len()).unwrap().to_le_bytes();
    let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &crc.sum().to_le_bytes(), &length, &length];
    let common = [&common.concat()[..], &[5, 0, 0, 0]].concat();
    let mut offset = 0;
    for entry in 0..entries {
        if entry == 0 || !shared {
            offset = u32::try_from(out.len()).unwrap();
            out.extend([b"PK\x03\x04", &common[..], b"a.xml", content].concat());
        }
        directory.extend([b"PK\x01\x02\x14\0", &common[..], &[0; 10]].concat());
        directory.extend(offset.to_le_bytes());
        directory.extend(b"a.xml");
    }
    let count = u16::try_from(entries).unwrap().to_le_bytes();
    let start = u32::try_from(out.len()).unwrap().to_le_bytes();
    let size = u32::try_from(directory.len()).unwrap().to_le_bytes();
    out.extend(directory);
    out.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &start, &[0, 0]].concat());
    out
}

/// An archive of entries over one another, which are blocks of which nothing comes.
pub(super) fn empty_blocks(entries: usize, blocks: usize) -> Vec<u8> {
    let mut out = zip(entries, &[0, 0, 0, 0xff, 0xff].repeat(blocks), true);
    for (signature, method) in [(b"PK\x03\x04", 8), (b"PK\x01\x02", 10)] {
        let heads: Vec<usize> = memchr::memmem::find_iter(&out, signature).collect();
        heads.into_iter().for_each(|head| out[head + method] = 8);
    }
    out
}

/// Signed data in BER whose content is these octets, in an indefinite length.
pub(super) fn cms(pieces: &[u8]) -> Vec<u8> {
    const SIGNED: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
    const DATA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01";
    let head = [b"\x30\x80", SIGNED, b"\xa0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80", DATA];
    [&head.concat()[..], b"\xa0\x80\x24\x80", pieces, &[0; 14]].concat()
}

/// A PDF without a cross-reference, with these objects beside a catalogue.
pub(super) fn pdf(objects: String) -> Vec<u8> {
    format!(
        "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Names<</EmbeddedFiles 4 0 R>>>>\nendobj\n{objects}\n\
         trailer\n<</Root 1 0 R>>\n"
    )
    .into_bytes()
}

/// A PDF whose name tree is one array of nodes, each of which has that array as its kids and so
/// many numbers beside it.
pub(super) fn shared_kids(nodes: usize, numbers: usize) -> Vec<u8> {
    let node = format!("<</Kids 5 0 R/X[{}]>>", "1 ".repeat(numbers));
    pdf(format!("4 0 obj\n<</Kids 5 0 R>>\nendobj\n5 0 obj\n[{}]\nendobj\n", node.repeat(nodes)))
}

/// The same whose nodes have one array of names, with a file specification of so many numbers.
pub(super) fn shared_names(nodes: usize, numbers: usize) -> Vec<u8> {
    let kids = "<</Names 5 0 R/X[1 1 1]>>".repeat(nodes);
    let numbers = "1 ".repeat(numbers.min(90_000));
    pdf(format!("4 0 obj\n<</Kids[{kids}]>>\nendobj\n5 0 obj\n[(a) <</X[{numbers}]>>]\nendobj\n"))
}

/// The same whose nodes have that array by references of their own.
pub(super) fn distant_names(nodes: usize, numbers: usize) -> Vec<u8> {
    let kids: String = (10..nodes + 10).map(|at| format!("<</Names {at} 0 R>>")).collect();
    let ways: String = (10..nodes + 10).map(|at| format!("{at} 0 obj\n5 0 R\nendobj\n")).collect();
    let numbers = "1 ".repeat(numbers.min(90_000));
    pdf(format!(
        "4 0 obj\n<</Kids[{kids}]>>\nendobj\n5 0 obj\n[(a) <</X[{numbers}]>>]\nendobj\n{ways}"
    ))
}

/// A PDF whose pages have one array of annotations, by references of their own; each annotation is
/// a file of so many numbers.
pub(super) fn distant_annotations(pages: usize, annotations: usize) -> Vec<u8> {
    let kids: String = (10..pages + 10).map(|at| format!("<</Annots {at} 0 R>>")).collect();
    let ways: String = (10..pages + 10).map(|at| format!("{at} 0 obj\n5 0 R\nendobj\n")).collect();
    let all = "<</Subtype/FileAttachment/FS(a)>>".repeat(annotations);
    format!(
        "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 4 0 R>>\nendobj\n4 0 obj\n<</Kids[{kids}]>>\n\
         endobj\n5 0 obj\n[{all}]\nendobj\n{ways}\ntrailer\n<</Root 1 0 R>>\n"
    )
    .into_bytes()
}

/// A PDF whose table has so many objects in one place, where a comment of so many bytes begins.
pub(super) fn lost_objects(objects: usize, comment: usize) -> Vec<u8> {
    let kids: String = (10..objects + 10).map(|at| format!("{at} 0 R ")).collect();
    let head = format!(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/Names<</EmbeddedFiles<</Kids[{kids}]>>>>>>endobj\n"
    );
    let body = format!("{head}%{}\n", "x".repeat(comment));
    let lost = format!("{:010} 00000 n \n", head.len()).repeat(objects);
    format!(
        "{body}xref\n1 1\n0000000009 00000 n \n10 {objects}\n{lost}trailer<</Root 1 0 R>>\n\
         startxref\n{}\n%%EOF\n",
        body.len()
    )
    .into_bytes()
}

/// A PDF with so many files, whose name is one long text.
pub(super) fn long_names(files: usize) -> Vec<u8> {
    let specifications: String = (10..files + 10)
        .map(|at| format!("(a)<</F 5 0 R/AFRelationship/{0}/EF<</F {at} 0 R>>>>", "y".repeat(200)))
        .collect();
    let streams: String =
        (10..files + 10).map(|at| format!("{at} 0 obj\n<<>>\nstream\n<a/>\nendstream\n")).collect();
    let name = format!("{}.xml", "x".repeat(15_000));
    pdf(format!(
        "4 0 obj\n<</Names[{specifications}]>>\nendobj\n5 0 obj\n({name})\nendobj\n{streams}"
    ))
}
