//! Tests of `codes`.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::*;

/// Whether each pixel of a PNG of 8 bits is dark, row after row, and its width.
fn pixels(png: &[u8]) -> (usize, Vec<bool>) {
    let word = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
    let (width, height) = (word(16), word(20));
    assert_eq!(png[24..29], [8, 6, 0, 0, 0], "8 bits, RGBA, not interlaced");
    let (mut at, mut packed) = (8, Vec::new());
    while at < png.len() {
        let length = word(at);
        if &png[at + 4..at + 8] == b"IDAT" {
            packed.extend_from_slice(&png[at + 8..at + 8 + length]);
        }
        at += length + 12;
    }
    let mut raw = Vec::new();
    ZlibDecoder::new(packed.as_slice()).read_to_end(&mut raw).unwrap();
    let stride = width * 4;
    let mut above = vec![0u8; stride];
    let mut dark = Vec::with_capacity(width * height);
    for line in raw.chunks(stride + 1) {
        let mut row = line[1..].to_vec();
        for x in 0..stride {
            let left = if x < 4 { 0 } else { row[x - 4] };
            let corner = if x < 4 { 0 } else { above[x - 4] };
            row[x] = row[x].wrapping_add(predicted(line[0], left, above[x], corner));
        }
        dark.extend(row.chunks(4).map(|pixel| pixel[0] < 128 && pixel[3] > 128));
        above = row;
    }
    (width, dark)
}

/// What a filter of PNG adds.
fn predicted(filter: u8, left: u8, above: u8, corner: u8) -> u8 {
    match filter {
        0 => 0,
        1 => left,
        2 => above,
        3 => ((u16::from(left) + u16::from(above)) / 2) as u8,
        _ => {
            let estimate = i16::from(left) + i16::from(above) - i16::from(corner);
            let away = |of: u8| (estimate - i16::from(of)).abs();
            if away(left) <= away(above) && away(left) <= away(corner) {
                left
            } else if away(above) <= away(corner) {
                above
            } else {
                corner
            }
        }
    }
}

/// The picture of a sample holds the same modules as our code of its link.
#[expect(clippy::disallowed_methods, reason = "tests read the official files")]
fn compare(file: &str, link: &str, left: f64, right: f64) {
    let Some(path) = quoin_testing::shared(&format!("ksef-data/qr-samples/{file}")) else {
        return;
    };
    let (width, dark) = pixels(&std::fs::read(path).unwrap());
    let ours = qr(link).unwrap();
    let module = (right - left) / ours.size as f64;
    let mut wrong = 0;
    for y in 0..ours.size {
        for x in 0..ours.size {
            let at = |place: usize| (left + (place as f64 + 0.5) * module) as usize;
            if dark[at(y) * width + at(x)] != ours.dark[y * ours.size + x] {
                wrong += 1;
            }
        }
    }
    assert_eq!(wrong, 0, "{file}: modules that differ, of {}", ours.size * ours.size);
}

const INVOICE: &str = "https://qr-test.ksef.mf.gov.pl/invoice/1111111111/01-02-2026/\
                       UtQp9Gpc51y-u3xApZjIjgkpZ01js-J8KflSPW8WzIE";

#[test]
fn the_codes_of_the_official_pictures() {
    for file in ["qr-ksef.png", "qr-offline.png"] {
        compare(file, INVOICE, 25.0, 276.0);
    }
    let certificate = "https://qr-test.ksef.mf.gov.pl/certificate/Nip/1111111111/1111111111/\
        01F20A5D352AE590/UtQp9Gpc51y-u3xApZjIjgkpZ01js-J8KflSPW8WzIE/mSkm_XmM9fq7PgAJwiL32L9ujhyg\
        uOEV48cDB0ncemD2r9TMGa3lr0iRoFk588agCi8QPsOuscUY1rZ7ff76STbGquO-gZtQys5_fHdf2HUfDqPqVTnUS6\
        HknBu0zLkyf9ygoW7WbH06Ty_8BgQTlOmJFzNWSt9WZa7tAGuAE9JOooNps-KG2PYkkIP4q4jPMp3FKypAygHVnXtS\
        0RDGgOxhhM7LWtFP7D-dWINbh5yXD8Lr-JVbeOpyQjHa6WmMYavCDQJ3X_Z-iS01LZu2s1B3xuOykl1h0sLObCdADr\
        bxOONsXrvQa61Xt_rxyprVraj2Uf9pANQgR4-12HEcMw";
    compare("qr-cert.png", certificate, 12.0, 288.0);
}

#[test]
fn the_longest_link_and_one_more() {
    assert_eq!(qr(&"a".repeat(2_331)).unwrap().size, 177);
    assert_eq!(qr(&"a".repeat(2_332)), None);
    let small = qr("a").unwrap();
    assert_eq!((small.size, small.dark.len()), (21, 441));
}
