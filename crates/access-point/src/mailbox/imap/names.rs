//! Names of mailboxes as they are written: quoted, what is not ASCII in a Base64 of UTF-16
//! (RFC 3501, section 5.1.3).

use data_encoding::BASE64_NOPAD;

/// A name in quotes.
pub(in crate::mailbox) fn quoted_mailbox(name: &str) -> String {
    let name = encoded(name).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{name}\"")
}

fn encoded(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut wide: Vec<u8> = Vec::new();
    let flush = |wide: &mut Vec<u8>, text: &mut String| {
        if !wide.is_empty() {
            text.push('&');
            text.push_str(&BASE64_NOPAD.encode(wide).replace('/', ","));
            text.push('-');
            wide.clear();
        }
    };
    for letter in name.chars() {
        match letter {
            '&' => {
                flush(&mut wide, &mut text);
                text.push_str("&-");
            }
            ' '..='~' => {
                flush(&mut wide, &mut text);
                text.push(letter);
            }
            _ => {
                let mut units = [0; 2];
                let units = letter.encode_utf16(&mut units);
                wide.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
            }
        }
    }
    flush(&mut wide, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_written_as_servers_know_it() {
        for (name, written) in [
            ("INBOX", "\"INBOX\""),
            ("Eingänge/2026", "\"Eing&AOQ-nge/2026\""),
            ("~peter/mail/台北/日本語", "\"~peter/mail/&U,BTFw-/&ZeVnLIqe-\""),
            ("A & B", "\"A &- B\""),
            ("a\"b\\c", "\"a\\\"b\\\\c\""),
        ] {
            assert_eq!(quoted_mailbox(name), written, "{name}");
        }
    }
}
