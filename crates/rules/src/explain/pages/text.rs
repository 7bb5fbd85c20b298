//! A page as Markdown and as HTML.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;

use quoin_model::Language;

use super::PageTopic;
use crate::explain::ids;

/// A page: its topic, its title, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulePage {
    /// What it is about.
    pub topic: PageTopic,
    /// Its title.
    pub title: String,
    /// The language that it is in.
    pub language: Language,
    /// What it says, behind the title.
    pub blocks: Vec<Block>,
}

/// A part of a page that stands by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A heading below the title.
    Heading(String),
    /// A paragraph.
    Paragraph(Vec<PageSpan>),
    /// A list without numbers.
    List(Vec<Vec<PageSpan>>),
    /// A table: its head and its rows.
    Table(Vec<Vec<PageSpan>>, Vec<Vec<Vec<PageSpan>>>),
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageSpan {
    /// Words.
    Text(String),
    /// Words that stand out.
    Strong(String),
    /// What is written so in a document.
    Code(String),
    /// Words that lead to another page.
    Link(String, PageTopic),
}

/// Where other pages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// In files of a folder: `BR-CO-15.md`, `sets/en16931-ubl.md`, `README.md`.
    Files,
    /// At addresses below that of the index: `rules/BR-CO-15`, `rules/sets/en16931-ubl`.
    Addresses,
}

impl Links {
    /// The file or the address of a page, below the folder of all pages.
    pub fn place(self, topic: &PageTopic) -> String {
        match (self, topic) {
            (Links::Files, PageTopic::Index) => "README.md".to_owned(),
            (Links::Files, PageTopic::Rule(id)) => format!("{}.md", file(id)),
            (Links::Files, PageTopic::Set(id)) => format!("sets/{}.md", file(id)),
            (Links::Addresses, PageTopic::Index) => "../rules".to_owned(),
            (Links::Addresses, PageTopic::Rule(id)) => segment(id),
            (Links::Addresses, PageTopic::Set(id)) => format!("sets/{}", segment(id)),
        }
    }

    /// How a page leads to another one.
    pub fn between(self, from: &PageTopic, to: &PageTopic) -> String {
        let place = self.place(to);
        match (self, from) {
            (_, PageTopic::Set(_)) => format!("../{place}"),
            (Links::Addresses, PageTopic::Index) => format!("rules/{place}"),
            _ => place,
        }
    }
}

/// A rule as the name of a file. Two rules that differ in case alone have different ones, for
/// file systems that do not tell case apart.
fn file(id: &str) -> String {
    static TWINS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
        let mut seen = BTreeSet::new();
        ids().into_iter().filter(|id| !seen.insert(id.to_ascii_lowercase())).collect()
    });
    let safe = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    let name: String = id.chars().map(|letter| if safe(letter) { letter } else { '_' }).collect();
    if TWINS.contains(id) { name + "_" } else { name }
}

/// A text as a part of an address.
fn segment(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

impl RulePage {
    pub(super) fn new(topic: PageTopic, title: String, language: Language) -> RulePage {
        RulePage { topic, title, language, blocks: Vec::new() }
    }

    pub(super) fn head(&mut self, text: String) {
        self.blocks.push(Block::Heading(text));
    }

    pub(super) fn say(&mut self, parts: Vec<PageSpan>) {
        self.blocks.push(Block::Paragraph(parts));
    }

    pub(super) fn list(&mut self, lines: Vec<Vec<PageSpan>>) {
        self.blocks.push(Block::List(lines));
    }

    pub(super) fn table(&mut self, head: Vec<Vec<PageSpan>>, rows: Vec<Vec<Vec<PageSpan>>>) {
        self.blocks.push(Block::Table(head, rows));
    }

    /// The page as Markdown.
    pub fn markdown(&self, links: Links) -> String {
        let line = |parts: &[PageSpan]| self.line(parts, links);
        let cells = |cells: &[Vec<PageSpan>]| {
            let cells = cells.iter().map(|parts| line(parts).replace('|', "\\|"));
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        let mut out = format!("# {}\n", escaped(&self.title));
        for block in &self.blocks {
            out.push('\n');
            match block {
                Block::Heading(text) => out.push_str(&format!("## {}\n", escaped(text))),
                Block::Paragraph(parts) => out.push_str(&format!("{}\n", line(parts))),
                Block::List(lines) => {
                    lines.iter().for_each(|own| out.push_str(&format!("- {}\n", line(own))));
                }
                Block::Table(head, rows) => {
                    out.push_str(&cells(head));
                    out.push_str(&format!("|{}\n", "---|".repeat(head.len())));
                    rows.iter().for_each(|row| out.push_str(&cells(row)));
                }
            }
        }
        out
    }

    fn line(&self, parts: &[PageSpan], links: Links) -> String {
        let part = |part: &PageSpan| match part {
            PageSpan::Text(text) => escaped(text),
            PageSpan::Strong(text) => format!("**{}**", escaped(text)),
            PageSpan::Code(text) => {
                let fence = if text.contains('`') { "``" } else { "`" };
                format!("{fence}{text}{fence}")
            }
            PageSpan::Link(text, to) => {
                format!("[{}]({})", escaped(text), links.between(&self.topic, to))
            }
        };
        parts.iter().map(part).collect()
    }

    /// The title, safe in HTML.
    pub fn title_html(&self) -> String {
        html_text(&self.title)
    }

    /// The page as HTML, without the frame around it.
    pub fn html(&self, links: Links) -> String {
        let line = |parts: &[PageSpan]| self.html_line(parts, links);
        let mut out = format!("<h2>{}</h2>\n", html_text(&self.title));
        for block in &self.blocks {
            match block {
                Block::Heading(text) => {
                    let _ = writeln!(out, "<h3>{}</h3>", html_text(text));
                }
                Block::Paragraph(parts) => {
                    let _ = writeln!(out, "<p>{}</p>", line(parts));
                }
                Block::List(lines) => {
                    out.push_str("<ul>\n");
                    for own in lines {
                        let _ = writeln!(out, "<li>{}</li>", line(own));
                    }
                    out.push_str("</ul>\n");
                }
                Block::Table(head, rows) => {
                    let row = |cells: &[Vec<PageSpan>], element: &str| {
                        let cell = |parts: &Vec<PageSpan>| {
                            format!("<{element}>{}</{element}>", line(parts))
                        };
                        format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>())
                    };
                    let _ = writeln!(out, "<table>\n<thead>\n{}</thead>", row(head, "th"));
                    let rows: String = rows.iter().map(|cells| row(cells, "td")).collect();
                    let _ = writeln!(out, "<tbody>\n{rows}</tbody>\n</table>");
                }
            }
        }
        out
    }

    fn html_line(&self, parts: &[PageSpan], links: Links) -> String {
        let part = |part: &PageSpan| match part {
            PageSpan::Text(text) => html_text(text),
            PageSpan::Strong(text) => format!("<strong>{}</strong>", html_text(text)),
            PageSpan::Code(text) => format!("<code>{}</code>", html_text(text)),
            PageSpan::Link(text, to) => {
                let address = html_text(&links.between(&self.topic, to));
                format!("<a href=\"{address}\">{}</a>", html_text(text))
            }
        };
        parts.iter().map(part).collect()
    }
}

/// A text whose signs mean nothing to Markdown.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if "*_<>[]`\\".contains(letter) {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

/// A text whose signs mean nothing to HTML.
fn html_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter => safe.push(letter),
        }
    }
    safe
}
