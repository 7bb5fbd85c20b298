//! The parts of a page as HTML.

use super::escape;
use crate::page::{
    PageCard, PageCell, PageField, PagePart, PageSection, PageTable, PageText, QrPicture,
    TextStyle, TreeLine,
};

/// A section with its heading.
pub(super) fn section(section: &PageSection, out: &mut String) {
    out.push_str("<section>\n");
    if !section.heading.is_empty() {
        out.push_str("<h2>");
        escape(&section.heading, out);
        out.push_str("</h2>\n");
    }
    let level = if section.heading.is_empty() { 2 } else { 3 };
    for part in &section.parts {
        match part {
            PagePart::Fields(fields) => list("facts", fields, out),
            PagePart::Sums(fields) => list("sums", fields, out),
            PagePart::Cards(cards) => {
                out.push_str("<div class=\"cards\">\n");
                cards.iter().for_each(|one| card(one, level, out));
                out.push_str("</div>\n");
            }
            PagePart::Table(one) => table(one, out),
            PagePart::Paragraphs(texts) => {
                out.push_str("<div class=\"text\">\n");
                texts.iter().for_each(|text| paragraph(text, out));
                out.push_str("</div>\n");
            }
            PagePart::Tree(lines) => tree(lines, out),
            PagePart::Qr(picture) => qr(picture, out),
        }
    }
    out.push_str("</section>\n");
}

/// Links to the findings about something.
fn marks(numbers: &[usize], out: &mut String) {
    for number in numbers {
        out.push_str(&format!("<a class=\"mark\" href=\"#f{number}\">{number}</a>"));
    }
}

fn list(class: &str, fields: &[PageField], out: &mut String) {
    out.push_str(&format!("<dl class=\"{class}\">\n"));
    for field in fields {
        out.push_str(if field.is_strong { "<div class=\"strong\">" } else { "<div>" });
        // The name of an element is English, or the document's own.
        out.push_str(if field.is_name { "<dt lang=\"en\" dir=\"auto\">" } else { "<dt>" });
        escape(&field.label, out);
        out.push_str("</dt>");
        for value in &field.values {
            out.push_str("<dd dir=\"auto\">");
            escape(&value.text, out);
            out.push_str("</dd>");
        }
        if field.values.is_empty() || !field.marks.is_empty() {
            out.push_str("<dd>");
            marks(&field.marks, out);
            out.push_str("</dd>");
        }
        out.push_str("</div>\n");
    }
    out.push_str("</dl>\n");
}

fn card(card: &PageCard, level: u8, out: &mut String) {
    out.push_str(&format!("<div class=\"card\">\n<h{level}>"));
    escape(&card.heading, out);
    marks(&card.marks, out);
    out.push_str(&format!("</h{level}>\n"));
    card.lines.iter().for_each(|line| paragraph(line, out));
    if !card.fields.is_empty() {
        list("more", &card.fields, out);
    }
    out.push_str("</div>\n");
}

fn paragraph(text: &PageText, out: &mut String) {
    let class = if text.style == TextStyle::Small { " class=\"small\"" } else { "" };
    out.push_str(&format!("<p dir=\"auto\"{class}>"));
    let is_strong = text.style == TextStyle::Strong;
    out.push_str(if is_strong { "<strong>" } else { "" });
    escape(&text.text, out);
    out.push_str(if is_strong { "</strong></p>\n" } else { "</p>\n" });
}

fn table(table: &PageTable, out: &mut String) {
    out.push_str("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"");
    escape(&table.caption, out);
    out.push_str("\">\n<table>\n<caption>");
    escape(&table.caption, out);
    out.push_str("</caption>\n<thead><tr>");
    for column in &table.columns {
        let class = if column.is_numeric { " class=\"n\"" } else { "" };
        out.push_str(&format!("<th scope=\"col\"{class}>"));
        escape(&column.title, out);
        out.push_str("</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        let id = row.finding.map(|number| format!(" id=\"f{number}\"")).unwrap_or_default();
        let class = if row.marks.is_empty() { "" } else { " class=\"bad\"" };
        out.push_str(&format!("<tr{id}{class}>"));
        let columns = table.columns.iter().map(|column| column.is_numeric);
        for (place, (one, is_numeric)) in row.cells.iter().zip(columns).enumerate() {
            let numbers = if place == 0 { row.marks.as_slice() } else { &[] };
            cell(one, is_numeric, numbers, out);
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    if let Some(remark) = &table.remark {
        out.push_str("<p>");
        escape(remark, out);
        out.push_str("</p>\n");
    }
}

fn cell(cell: &PageCell, is_numeric: bool, numbers: &[usize], out: &mut String) {
    out.push_str(if is_numeric { "<td class=\"n\">" } else { "<td>" });
    cell.texts.iter().for_each(|text| paragraph(text, out));
    marks(numbers, out);
    if !cell.fields.is_empty() {
        list("more", &cell.fields, out);
    }
    out.push_str("</td>");
}

fn tree(lines: &[TreeLine], out: &mut String) {
    out.push_str("<ul class=\"tree\">\n");
    for line in lines {
        out.push_str(&format!("<li style=\"--d:{}\">", line.depth));
        let tag = if line.is_attribute { "i" } else { "b" };
        out.push_str(&format!("<{tag} lang=\"en\">"));
        escape(&line.name, out);
        out.push_str(&format!("</{tag}>"));
        if let Some(text) = &line.text {
            out.push_str(" <span dir=\"auto\">");
            escape(text, out);
            out.push_str("</span>");
        }
        marks(&line.marks, out);
        out.push_str("</li>\n");
    }
    out.push_str("</ul>\n");
}

/// One path of squares: nothing is fetched, and it scales.
fn qr(picture: &QrPicture, out: &mut String) {
    let side = picture.size;
    out.push_str("<figure class=\"qr\"><svg role=\"img\" aria-label=\"");
    escape(&picture.caption, out);
    out.push_str(&format!("\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">"));
    out.push_str("<path fill=\"#000\" d=\"");
    let dark = picture.dark.iter().enumerate().filter(|(_, dark)| **dark);
    for (place, _) in dark {
        out.push_str(&format!("M{} {}h1v1h-1z", place % side.max(1), place / side.max(1)));
    }
    out.push_str("\"/></svg>\n<figcaption>");
    escape(&picture.caption, out);
    out.push_str("</figcaption></figure>\n");
}
