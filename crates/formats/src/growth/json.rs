//! Invoices in JSON that ask for much work.

use super::{Case, ConversionTarget, Parser, convert_at, repeat};

/// The row of the table.
pub(super) const FORM: Parser = Parser {
    name: "JSON form",
    covers: &["json/read.rs tree", "json/markup/skim.rs skim"],
    cases: JSON,
    size: 16 << 10,
    run: json_form,
};

/// An invoice in JSON that has this again and again.
fn json(unit: &str, bytes: usize) -> Vec<u8> {
    let head = "{\"$schema\": \"urn:quoin:json:invoice:1\", \"number\": \"1\", \
                \"issueDate\": \"2026-05-18\", \"typeCode\": \"380\", \"currency\": \"EUR\"";
    repeat(head, unit, "}", bytes)
}

/// Reads, lists what is unread, and writes again.
fn json_form(bytes: &[u8]) {
    let parsed = crate::read(bytes);
    let Some(root) = parsed.root() else { return };
    std::hint::black_box(crate::readers::unread(root));
    std::hint::black_box(convert_at(root, ConversionTarget::JSON).is_ok());
}

const JSON: &[Case] = &[
    ("lines", |n| {
        let line = "{\"netPrice\": \"1\", \"quantity\": {\"value\": \"1\", \"unit\": \"C62\"}},";
        let text = format!(", \"lines\": [{}{{}}]", line.repeat(n / line.len()));
        json(&text, text.len())
    }),
    ("items of a list that is not known", |n| {
        json(&format!(", \"{}\": [{}1]", "x".repeat(100), "1,".repeat(n / 2)), n)
    }),
    ("nested lists", |n| {
        let deep = format!("{}1{},", "[".repeat(28), "]".repeat(28));
        json(&format!(", \"x\": [{}1]", deep.repeat(n / deep.len())), n)
    }),
    ("members that are not known", |n| {
        let all: String = (0..n / 14).map(|at| format!(", \"$/~{at}\": 1")).collect();
        json(&all, all.len())
    }),
    ("files", |n| {
        let content = "QUJD\\n".repeat(n / 16);
        let one = format!("{{\"file\": {{\"content\": \"{content}\"}}}},");
        let text = format!(", \"supportingDocuments\": [{}{{}}]", one.repeat(3));
        json(&text, text.len())
    }),
    ("long numbers", |n| {
        let digits = "1".repeat(n / 2);
        let rate = format!("[{{\"rate\": \"{digits}\"}}]");
        let text = format!(", \"vatBreakdown\": {rate}, \"totals\": {{\"due\": \"{digits}\"}}");
        json(&text, text.len())
    }),
    ("escapes", |n| json(&format!(", \"taxCurrency\": \"{}\"", "\\u00e9".repeat(n / 6)), n)),
    ("charges and allowances", |n| {
        let one = "{\"amount\": \"1\", \"vatCategory\": \"S\"},";
        let text = format!(", \"charges\": [{}{{}}]", one.repeat(n / one.len()));
        json(&text, text.len())
    }),
    ("a long day", |n| {
        json(&format!(", \"dueDate\": \"2026-05-18T00:00:00.{}\"", "1".repeat(n)), n)
    }),
    ("broken in the end", |n| json(&format!(", \"x\": [{}", "1,\n".repeat(n / 3)), n)),
];
