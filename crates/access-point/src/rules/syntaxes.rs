//! Syntaxes by the names that people write: that of reports and of the interface (`ublInvoice`), or
//! the identifier of a format (`ubl-invoice`).

use quoin_formats::{FORMATS, Syntax};
use serde_json::Value;

/// The syntax of a name, in either spelling.
pub fn syntax_named(name: &str) -> Option<Syntax> {
    let of_report = serde_json::from_value(Value::String(name.to_owned())).ok();
    let of_format = || FORMATS.iter().find(|format| format.id == name).map(|row| row.syntax);
    of_report.or_else(of_format)
}

/// The name of a syntax in reports.
pub fn syntax_name(syntax: Syntax) -> Option<String> {
    match serde_json::to_value(syntax) {
        Ok(Value::String(name)) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_name_a_syntax() {
        assert_eq!(syntax_named("ublInvoice"), Some(Syntax::UblInvoice));
        for format in FORMATS {
            assert_eq!(syntax_named(format.id), Some(format.syntax), "{}", format.id);
            let name = syntax_name(format.syntax).unwrap();
            assert_eq!(syntax_named(&name), Some(format.syntax), "{name}");
        }
        assert_eq!(syntax_named("ublinvoice"), None);
    }
}
