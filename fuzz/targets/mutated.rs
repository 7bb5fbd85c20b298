//! Documents with parts taken out, doubled, moved and written over, as the input says. What is well
//! formed and wrong in its meaning gets further into a reader than bytes that no parser takes.

use quoin_formats::convert::{ConversionTarget, InvoiceFile, convert_at};
use quoin_formats::orders::read_order_at;
use quoin_formats::readers::read_invoice_at;

/// What texts are written over with; one that is not here is taken from the input.
const WORDS: &[&str] = &[
    "",
    " ",
    "0",
    "-0.00",
    "-1",
    "1e9",
    "0.005",
    "99999999999999999999999999.99",
    ".5",
    "1,5",
    "NaN",
    "2026-02-30",
    "2026-11-26",
    "2026-11-26Z",
    "20261126",
    "0000-01-01",
    "EUR",
    "XXX",
    "S",
    "Z",
    "AE",
    "380",
    "381",
    "384",
    "389",
    "true",
    "false",
    "NL",
    "IT",
    "0106",
    "\u{202e}",
    "&amp;#AAI#",
    "C62",
];

/// The most changes to one document.
const CHANGES: usize = 24;

/// Reads a changed sample, and writes what was read in a syntax; the first bytes of the input say
/// which, the others what is changed.
pub fn read_and_written(samples: &[String], input: &[u8]) {
    let [sample, target, changes @ ..] = input else { return };
    let text = changed(&samples[usize::from(*sample) % samples.len()], changes);
    let parsed = quoin_formats::read(text.as_bytes());
    let Some(root) = parsed.root() else { return };
    if let Some(reading) = read_invoice_at(root) {
        assert_eq!(reading.residue.len(), reading.tally.unread);
    }
    if let Some(file) = InvoiceFile::of(root) {
        assert_eq!(file.alone(file.count() + 1), None);
    }
    let targets: Vec<ConversionTarget> = ConversionTarget::all().collect();
    let target = targets[usize::from(*target) % targets.len()];
    let Ok(converted) = convert_at(root, target) else { return };
    let again = quoin_formats::read(converted.document.as_bytes());
    let root = again.root().expect("what is written is well formed");
    let is_read = read_invoice_at(root).is_some() || read_order_at(root).is_some();
    assert!(is_read, "what is written as {} is read", target.as_str());
}

/// An element of the text: where it begins and ends, and what is in it.
struct Span {
    whole: std::ops::Range<usize>,
    inside: std::ops::Range<usize>,
    has_elements: bool,
}

fn changed(sample: &str, changes: &[u8]) -> String {
    let mut text = sample.to_owned();
    for change in changes.chunks(4).take(CHANGES) {
        let &[kind, high, low, word] = change else { break };
        let spans = elements(&text);
        // The document element stays.
        let place = usize::from(u16::from_be_bytes([high, low])) % spans.len().max(2);
        let Some(Span { whole, inside, has_elements }) = spans.get(place.max(1)) else { break };
        let (whole, inside) = (whole.clone(), inside.clone());
        match kind % 5 {
            0 => text.replace_range(whole, ""),
            1 => text.insert_str(whole.end, &text[whole.clone()].to_owned()),
            2 if !has_elements => {
                let own = char::from(word.clamp(b'0', b'z')).to_string().replace('<', "");
                text.replace_range(inside, WORDS.get(usize::from(word)).unwrap_or(&own.as_str()));
            }
            3 => text.replace_range(inside, ""),
            _ => {
                let moved = text[whole.clone()].to_owned();
                let to = spans.get(usize::from(word) % spans.len()).map(|span| span.inside.end);
                if let Some(to) = to.filter(|to| !whole.contains(to)) {
                    text.insert_str(to, &moved);
                }
            }
        }
        if text.len() > 1 << 20 {
            break;
        }
    }
    text
}

/// Every element of a text that is well formed and has no CDATA.
fn elements(text: &str) -> Vec<Span> {
    let (mut spans, mut open, mut at): (Vec<Span>, Vec<usize>, usize) = (Vec::new(), Vec::new(), 0);
    while let Some(begin) = text[at..].find('<').map(|found| at + found) {
        let closing = if text[begin..].starts_with("<!--") { "-->" } else { ">" };
        let Some(end) = text[begin..].find(closing).map(|found| begin + found + closing.len())
        else {
            break;
        };
        at = end;
        match text.as_bytes()[begin + 1] {
            b'?' | b'!' => {}
            b'/' => {
                if let Some(span) = open.pop().and_then(|place| spans.get_mut(place)) {
                    span.inside.end = begin;
                    span.whole.end = end;
                }
            }
            _ => {
                if let Some(parent) = open.last().and_then(|place| spans.get_mut(*place)) {
                    parent.has_elements = true;
                }
                let is_empty = text[..end].ends_with("/>");
                if !is_empty {
                    open.push(spans.len());
                }
                spans.push(Span { whole: begin..end, inside: end..end, has_elements: is_empty });
            }
        }
    }
    spans
}
