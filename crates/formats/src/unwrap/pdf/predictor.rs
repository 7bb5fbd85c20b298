//! The predictors of PNG, which cross-reference streams use (ISO 32000-1 section 7.4.4.4).

use super::object::Dict;

/// Undoes the predictor that the parameters name; none where they name none.
pub(super) fn unpredicted(content: Vec<u8>, parameters: Option<&Dict>) -> Option<Vec<u8>> {
    let number = |key: &str, usual: i64| {
        let value = parameters.and_then(|parameters| parameters.number(key)).unwrap_or(usual);
        usize::try_from(value).ok().filter(|value| *value <= 1 << 16)
    };
    if number("Predictor", 1)? < 10 {
        return Some(content);
    }
    let bits = number("Colors", 1)?.checked_mul(number("BitsPerComponent", 8)?)?;
    let pixel = bits.div_ceil(8).max(1);
    let row = bits.checked_mul(number("Columns", 1)?)?.div_ceil(8);
    let mut out: Vec<u8> = Vec::with_capacity(content.len());
    for line in content.chunks(row + 1) {
        let (&filter, line) = line.split_first()?;
        let start = out.len();
        let above = start.checked_sub(row);
        for (at, byte) in line.iter().enumerate() {
            let left = at.checked_sub(pixel).and_then(|at| out.get(start + at)).copied();
            let up = above.and_then(|above| out.get(above + at)).copied();
            let corner = above.zip(at.checked_sub(pixel)).and_then(|(a, at)| out.get(a + at));
            let (left, up) = (left.unwrap_or(0), up.unwrap_or(0));
            let guess = match filter {
                1 => left,
                2 => up,
                3 => u8::midpoint(left, up),
                4 => paeth(left, up, corner.copied().unwrap_or(0)),
                _ => 0,
            };
            out.push(byte.wrapping_add(guess));
        }
    }
    Some(out)
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(up) - i16::from(corner);
    let far = |byte: u8| (guess - i16::from(byte)).abs();
    if far(left) <= far(up) && far(left) <= far(corner) {
        left
    } else if far(up) <= far(corner) {
        up
    } else {
        corner
    }
}
