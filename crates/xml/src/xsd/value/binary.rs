//! Binary data as hexadecimal digits and as base64 (sections 3.2.15 and 3.2.16).

use super::Primitive;

/// How many octets a valid text of a binary type stands for.
pub(in super::super) fn octets(primitive: Primitive, text: &str) -> Option<usize> {
    match primitive {
        Primitive::HexBinary => Some(text.len() / 2),
        Primitive::Base64Binary => base64_octets(text),
        _ => None,
    }
}

/// Checks base64 with single spaces between characters; answers the number of octets.
pub(super) fn base64_octets(text: &str) -> Option<usize> {
    let mut digits = 0_usize;
    let mut padding = 0_usize;
    let mut last = 0_u8;
    for byte in text.bytes() {
        match byte {
            b' ' => continue,
            b'=' => padding += 1,
            _ if padding > 0 => return None,
            _ => {
                last = sextet(byte)?;
                digits += 1;
            }
        }
    }
    // What the padding cuts off must be zero bits.
    let is_sound = match (digits % 4, padding) {
        (0, 0) => true,
        (3, 1) => last & 0b11 == 0,
        (2, 2) => last & 0b1111 == 0,
        _ => false,
    };
    is_sound.then_some(digits * 3 / 4)
}

fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}
