//! A page as HTML: one file, no script, nothing fetched, every text escaped.
//!
//! Source: HTML Living Standard; WCAG 2.2 (language 3.1.1, headings 1.3.1, contrast 1.4.3, reflow
//! 1.4.10). The policy in the head (CSP 3) forbids everything but the style of the page itself.

mod parts;

use crate::page::PageTree;

/// How the page looks, on the screen and on paper.
const STYLE: &str = include_str!("html/page.css");

/// What the page may do: look like something, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The whole page.
pub(crate) fn write(page: &PageTree) -> String {
    let mut out = String::with_capacity(16 << 10);
    let title = format!("{} {}", page.title, page.number);
    out.push_str("<!DOCTYPE html>\n<html lang=\"");
    out.push_str(page.language.code());
    out.push_str("\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"));
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
    escape(title.trim(), &mut out);
    out.push_str("</title>\n<style>\n");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n<main>\n<h1>");
    escape(&page.title, &mut out);
    if !page.number.is_empty() {
        out.push_str(" <span dir=\"auto\">");
        escape(&page.number, &mut out);
        out.push_str("</span>");
    }
    out.push_str("</h1>\n");
    for section in &page.sections {
        parts::section(section, &mut out);
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Text that is only text wherever it stands, between tags and in quotes.
pub(crate) fn escape(text: &str, out: &mut String) {
    for one in text.chars() {
        match one {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            one => out.push(one),
        }
    }
}
