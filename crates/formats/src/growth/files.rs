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
