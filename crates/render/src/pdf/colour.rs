//! The colours of the PDF: a small ICC profile with the primaries of sRGB.
//!
//! Source: ICC.1:2001-04 (version 2.4: header, tag table, `curv`, `desc`, `text`, `XYZ `);
//! IEC 61966-2-1 (primaries adapted to D50). The tone curve is a power of 2.2.

/// What is written after the header: the tag and its data.
type ProfileTag = (&'static [u8; 4], Vec<u8>);

/// The profile, made anew each time; it is some 500 bytes.
pub(super) fn profile() -> Vec<u8> {
    let curve = [b"curv".as_slice(), &[0; 4], &[0, 0, 0, 1], &[2, 0x33, 0, 0]].concat();
    let tags: [ProfileTag; 9] = [
        (b"desc", description("sRGB")),
        (b"cprt", [b"text".as_slice(), &[0; 4], b"No copyright\0\0\0\0"].concat()),
        (b"wtpt", point([0.9642, 1.0, 0.8249])),
        (b"rXYZ", point([0.4361, 0.2225, 0.0139])),
        (b"gXYZ", point([0.3851, 0.7169, 0.0971])),
        (b"bXYZ", point([0.1431, 0.0606, 0.7141])),
        (b"rTRC", curve.clone()),
        (b"gTRC", curve.clone()),
        (b"bTRC", curve),
    ];
    let mut table = be(tags.len());
    let mut data = Vec::new();
    let start = 128 + 4 + 12 * tags.len();
    for (name, content) in &tags {
        table.extend(name.as_slice());
        table.extend(be(start + data.len()));
        table.extend(be(content.len()));
        data.extend(content);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    let mut profile = be(start + data.len());
    profile.extend([0; 4]);
    profile.extend([2, 0x40, 0, 0]);
    profile.extend(b"mntrRGB XYZ ");
    // A day that never changes: the profile is the same in every file.
    profile.extend([0x07, 0xea, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
    profile.extend(b"acsp");
    profile.resize(68, 0);
    profile.extend(fixed([0.9642, 1.0, 0.8249]));
    profile.resize(128, 0);
    [profile, table, data].concat()
}

fn be(number: usize) -> Vec<u8> {
    u32::try_from(number).unwrap_or_default().to_be_bytes().to_vec()
}

/// ObjectNumbers with sixteen bits behind the point.
fn fixed(numbers: [f64; 3]) -> Vec<u8> {
    numbers.iter().flat_map(|one| ((one * 65_536.0).round() as i32).to_be_bytes()).collect()
}

fn point(numbers: [f64; 3]) -> Vec<u8> {
    [b"XYZ ".to_vec(), vec![0; 4], fixed(numbers)].concat()
}

fn description(text: &str) -> Vec<u8> {
    let mut data = [b"desc".to_vec(), vec![0; 4], be(text.len() + 1)].concat();
    data.extend(text.as_bytes());
    // Its end, and no text in Unicode or for the Macintosh.
    data.extend([0; 1 + 4 + 4 + 2 + 1 + 67]);
    data
}
