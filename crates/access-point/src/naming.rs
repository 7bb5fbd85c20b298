//! How files are named: a template with facts of the document, bounded, and without anything that
//! a path could be made of.

/// Characters of a template.
const TEMPLATE: usize = 200;
/// Characters of a fact in a name.
const FACT: usize = 60;
/// Bytes of a name; file systems take 255, and the name of a file under way is longer.
const NAME: usize = 200;
/// What a template may name.
const NAMES: &[&str] =
    &["id", "number", "family", "format", "sender", "recipient", "topic", "extension"];

/// The name of files before the facts are in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTemplate(String);

/// What is known of a document that gets a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// The document's id in the service.
    pub id: String,
    /// Its own number.
    pub number: String,
    /// The kind of business: `Invoice`, `Order`.
    pub family: String,
    /// The syntax: `ubl`, `cii`.
    pub format: String,
    /// Who sends it.
    pub sender: String,
    /// Who receives it.
    pub recipient: String,
    /// The topic of the event, where it is one.
    pub topic: String,
    /// `.xml` and the like.
    pub extension: String,
}

impl Default for FileTemplate {
    fn default() -> FileTemplate {
        FileTemplate("{{id}}{{extension}}".to_owned())
    }
}

impl FileTemplate {
    /// Reads a template. It holds `{{id}}`, so that no document takes the place of another one.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(value: &str) -> Result<FileTemplate, String> {
        let shown: String = value.chars().take(80).collect();
        let wrong = |why: &str| {
            let names = NAMES.join(", ");
            format!("filename is {shown:?}: {why}; {{{{…}}}} may be one of {names}")
        };
        let (mut rest, mut has_id) = (value, false);
        let mut plain = String::new();
        while let Some((before, behind)) = rest.split_once("{{") {
            let (named, after) =
                behind.split_once("}}").ok_or_else(|| wrong("a {{ has no }} behind it"))?;
            if !NAMES.contains(&named) {
                return Err(wrong("it names something else"));
            }
            has_id |= named == "id";
            plain.push_str(before);
            rest = after;
        }
        plain.push_str(rest);
        if !plain.chars().all(is_plain) {
            return Err(wrong("letters, digits, blanks, - _ . ( ) are taken, and no / or \\"));
        }
        if value.starts_with(['.', ' ']) || value.chars().count() > TEMPLATE {
            return Err(wrong("it begins with a dot or a blank, or is too long"));
        }
        match has_id {
            true => Ok(FileTemplate(value.to_owned())),
            false => Err(wrong(
                "it lacks {{id}}, without which a document could take the place \
                                of another one",
            )),
        }
    }

    /// The name of a document's file.
    pub fn name(&self, facts: &FileFacts) -> String {
        let mut name = String::new();
        let mut rest = self.0.as_str();
        while let Some((before, behind)) = rest.split_once("{{") {
            let (named, after) = behind.split_once("}}").unwrap_or((behind, ""));
            name.push_str(before);
            name.push_str(&safe(facts.fact(named)));
            rest = after;
        }
        name.push_str(rest);
        let name = name.trim_start_matches(['.', ' ']).trim_end();
        if name.len() <= NAME {
            return name.to_owned();
        }
        // A name that is too long is the id, which is what tells it from all others.
        format!("{}{}", safe(&facts.id), safe(&facts.extension))
    }
}

impl FileFacts {
    fn fact(&self, name: &str) -> &str {
        match name {
            "id" => &self.id,
            "number" => &self.number,
            "family" => &self.family,
            "format" => &self.format,
            "sender" => &self.sender,
            "recipient" => &self.recipient,
            "topic" => &self.topic,
            "extension" => &self.extension,
            _ => "",
        }
    }
}

/// Letters and digits of ASCII only: servers differ in what they make of others.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '(' | ')')
}

fn safe(fact: &str) -> String {
    let plain = |c: char| if is_plain(c) && c != ' ' { c } else { '_' };
    fact.chars().take(FACT).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> FileFacts {
        FileFacts {
            id: "0192".into(),
            number: "../../etc/passwd".into(),
            family: "Invoice".into(),
            format: "ubl".into(),
            sender: "0106:12345678".into(),
            recipient: "0106:87654321".into(),
            topic: "InvoiceReceived".into(),
            extension: ".xml".into(),
        }
    }

    #[test]
    fn a_name_is_made_of_facts_and_never_a_path() {
        for (template, name) in [
            ("{{id}}{{extension}}", "0192.xml"),
            ("{{family}} {{format}}-{{id}}{{extension}}", "Invoice ubl-0192.xml"),
            ("{{number}}_{{id}}.xml", "_.._etc_passwd_0192.xml"),
            ("{{sender}}-{{recipient}}-{{id}}", "0106_12345678-0106_87654321-0192"),
            ("{{topic}}({{id}})", "InvoiceReceived(0192)"),
        ] {
            let found = FileTemplate::parse(template).unwrap().name(&facts());
            assert_eq!(found, name, "{template}");
        }
        let hostile = FileFacts { number: "a/b\\c\0d\n{{id}} é".into(), ..facts() };
        let name = FileTemplate::parse("{{number}}{{id}}").unwrap().name(&hostile);
        assert_eq!(name, "a_b_c_d___id____0192");
    }

    #[test]
    fn a_name_that_is_too_long_is_the_id() {
        let long = "x".repeat(300);
        let facts = FileFacts { number: long.clone(), sender: long, ..facts() };
        let template = "{{number}}{{sender}}{{number}}{{sender}}{{id}}{{extension}}";
        assert_eq!(FileTemplate::parse(template).unwrap().name(&facts), "0192.xml");
        let short = FileTemplate::parse("{{number}}{{id}}").unwrap().name(&facts);
        assert_eq!(short.len(), FACT + 4);
    }

    #[test]
    fn a_template_that_could_harm_is_refused() {
        for template in [
            "",
            "a.xml",
            "{{number}}.xml",
            "../{{id}}",
            "in/{{id}}",
            "in\\{{id}}",
            ".{{id}}",
            "{{id",
            "{{Id}}",
            "{{secret}}{{id}}",
            "{{id}}\0",
            "é{{id}}",
            &format!("{{{{id}}}}{}", "x".repeat(TEMPLATE)),
        ] {
            let error = FileTemplate::parse(template).expect_err(template);
            assert!(error.contains("recipient"), "{error}");
        }
    }
}
