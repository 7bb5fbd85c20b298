//! What a server may say before its answer: informational responses (1xx, RFC 9110 section 15.2),
//! which a reader passes over one after the other until the final one comes.

/// Bytes of informational responses before a final one.
pub(super) const INFORMATIONAL_BYTES: usize = 64 << 10;
/// How the first line of an informational response begins, as far as it tells; the digit of the
/// version stands where `?` is.
const FIRST_LINE: &[u8] = b"HTTP/1.? 1";

/// Why a connection is not read any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the server sent more than {INFORMATIONAL_BYTES} bytes of informational responses (1xx), \
     expected the final one"
)]
pub(super) struct InformationalStorm;

/// How far an answer of HTTP/1.1 is, as far as its informational responses go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AwaitedPart {
    /// A first line, of which so many bytes agree with an informational one.
    FirstLine(usize),
    /// The end of an informational response; whether its last line is empty so far.
    EmptyLine(bool),
    /// The final response came: nothing more is counted.
    Nothing,
}

/// Counts what a server says before its answer, on one connection.
#[derive(Debug)]
pub(super) struct InformationalCount {
    awaited: AwaitedPart,
    bytes: usize,
}

impl InformationalCount {
    pub(super) fn new() -> InformationalCount {
        InformationalCount { awaited: AwaitedPart::FirstLine(0), bytes: 0 }
    }

    /// Something is sent: after an answer, it is the next request. Answers whether it is.
    pub(super) fn sent(&mut self) -> bool {
        let is_next = self.awaited == AwaitedPart::Nothing;
        if is_next {
            *self = InformationalCount::new();
        }
        is_next
    }

    /// Something came.
    ///
    /// # Errors
    /// [`InformationalStorm`] where too much came before a final response.
    pub(super) fn came(&mut self, part: &[u8]) -> Result<(), InformationalStorm> {
        for &byte in part {
            self.awaited = match self.awaited {
                AwaitedPart::Nothing => return Ok(()),
                AwaitedPart::FirstLine(0) if matches!(byte, b'\r' | b'\n') => {
                    AwaitedPart::FirstLine(0)
                }
                AwaitedPart::FirstLine(at) => match FIRST_LINE.get(at) {
                    Some(b'?') => AwaitedPart::FirstLine(at + 1),
                    Some(&expected) if expected != byte => AwaitedPart::Nothing,
                    _ if at + 1 == FIRST_LINE.len() => AwaitedPart::EmptyLine(false),
                    _ => AwaitedPart::FirstLine(at + 1),
                },
                AwaitedPart::EmptyLine(true) if byte == b'\n' => AwaitedPart::FirstLine(0),
                AwaitedPart::EmptyLine(is_empty) => {
                    AwaitedPart::EmptyLine(byte == b'\n' || is_empty && byte == b'\r')
                }
            };
            self.bytes += 1;
            if self.bytes > INFORMATIONAL_BYTES && self.awaited != AwaitedPart::Nothing {
                return Err(InformationalStorm);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(parts: &[&[u8]]) -> Result<AwaitedPart, InformationalStorm> {
        let mut count = InformationalCount::new();
        parts.iter().try_for_each(|part| count.came(part))?;
        Ok(count.awaited)
    }

    #[test]
    fn informational_responses_are_bounded_and_answers_are_not() {
        let storm = b"HTTP/1.1 100 C\r\n\r\n".repeat(INFORMATIONAL_BYTES / 18 + 1);
        assert_eq!(count(&[&storm]), Err(InformationalStorm));
        // Byte by byte, with headers, with bare line ends, and of HTTP/1.0, too.
        let early = b"HTTP/1.0 103 Early Hints\nLink: </a>\r\n\n".repeat(2_000);
        let bytes: Vec<&[u8]> = early.chunks(1).collect();
        assert_eq!(count(&bytes), Err(InformationalStorm));
        // One that never ends its head, and one that never begins.
        assert_eq!(count(&[b"HTTP/1.1 100 ", &[b'C'; 70_000]]), Err(InformationalStorm));
        assert_eq!(count(&[&[b'\n'; 70_000]]), Err(InformationalStorm));
        // A final response after two of them is of any length, whatever its body says.
        let body = b"HTTP/1.1 100 C\r\n\r\n".repeat(100_000);
        let before = b"HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\nLink: </a>\r\n\r\n";
        let head = b"HTTP/1.1 200 OK\r\n\r\n";
        assert_eq!(count(&[before, head, &body]), Ok(AwaitedPart::Nothing));
        assert_eq!(count(&[b"SSH-2.0\r\n", &body]), Ok(AwaitedPart::Nothing));
    }

    #[test]
    fn each_request_of_a_connection_is_counted_by_itself() {
        let mut count = InformationalCount::new();
        for _ in 0..10_000 {
            count.sent();
            count.came(b"HTTP/1.1 100 Continue\r\n\r\n").unwrap();
            count.sent();
            count.came(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
        }
        // What is sent before the answer came begins no new count.
        let storm = (0..10_000).try_for_each(|_| {
            count.sent();
            count.came(b"HTTP/1.1 100 C\r\n\r\n")
        });
        assert_eq!(storm, Err(InformationalStorm));
    }
}
