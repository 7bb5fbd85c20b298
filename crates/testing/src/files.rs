//! Files that ask for much work, for the tests of the parsers and for attacks on a service.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// A PDF whose name tree leads so many times to one string of so many bytes in an object stream.
///
/// # Panics
/// Never: it writes to memory.
pub fn nested_pdf(string: usize, kids: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut write = |bytes: &[u8]| encoder.write_all(bytes).expect("memory takes it");
    write(b"6 0 (");
    // Not quite as even as zeros, which would be over the ratio.
    for at in 0..string / 64 {
        write(&[b'a' + (at * at % 23) as u8; 64]);
    }
    write(b")");
    let packed = encoder.finish().expect("memory takes it");
    let kids = "6 0 R ".repeat(kids);
    let mut out = format!(
        "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Names<</EmbeddedFiles<</Kids[{kids}]>>>>>>\nendobj\n\
         7 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length {}>>\nstream\n",
        packed.len()
    )
    .into_bytes();
    out.extend(packed);
    out.extend(b"\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n");
    out
}
