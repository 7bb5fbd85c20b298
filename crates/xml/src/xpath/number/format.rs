//! Doubles and floats as text, and back, Functions and Operators sections 17.1.2 and 6.4.4.

/// The lexical form of `xs:double` without white space around it.
pub(crate) fn parse_double(text: &str) -> Option<f64> {
    match text {
        "INF" => return Some(f64::INFINITY),
        "-INF" => return Some(f64::NEG_INFINITY),
        "NaN" => return Some(f64::NAN),
        _ => {}
    }
    let allowed =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
    if text.is_empty() || !text.bytes().all(allowed) {
        return None;
    }
    text.parse().ok()
}

/// A double as `xs:string`: decimal notation from 0.000001 to below 1000000, else scientific.
pub(crate) fn double_text(value: f64) -> String {
    match special(value) {
        Some(text) => text.to_owned(),
        None if in_decimal_notation(value.abs()) => value.to_string(),
        None => scientific(format!("{value:E}")),
    }
}

/// A float as `xs:string`.
pub(crate) fn float_text(value: f32) -> String {
    match special(value.into()) {
        Some(text) => text.to_owned(),
        None if in_decimal_notation(value.abs().into()) => value.to_string(),
        None => scientific(format!("{value:E}")),
    }
}

fn special(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("NaN")
    } else if value.is_infinite() {
        Some(if value > 0.0 { "INF" } else { "-INF" })
    } else if value == 0.0 {
        Some(if value.is_sign_negative() { "-0" } else { "0" })
    } else {
        None
    }
}

fn in_decimal_notation(absolute: f64) -> bool {
    (0.000_001..1_000_000.0).contains(&absolute)
}

/// The mantissa always has a point.
fn scientific(text: String) -> String {
    match text.split_once('E') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.0E{exponent}"),
        _ => text,
    }
}

/// `fn:round` of a double: half up, the sign of zero kept.
pub(crate) fn round_double(value: f64) -> f64 {
    if !value.is_finite() || value.fract() == 0.0 {
        return value;
    }
    let floor = value.floor();
    let rounded = if value - floor >= 0.5 { floor + 1.0 } else { floor };
    if rounded == 0.0 && value < 0.0 { -0.0 } else { rounded }
}
