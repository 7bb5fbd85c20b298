//! A greeting in a version of TLS that is too old, or with ciphers that are too weak, written byte
//! by byte, because no library of today offers them (RFC 2246, RFC 4346, RFC 5246, section 7.4.1).

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A version as it is written on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub u16);

/// Versions by their names, oldest first.
pub(super) const VERSIONS: &[(Version, &str)] = &[
    (Version(0x0300), "SSL 3.0"),
    (Version(0x0301), "TLS 1.0"),
    (Version(0x0302), "TLS 1.1"),
    (Version(0x0303), "TLS 1.2"),
];

/// Ciphers that every server of the time of TLS 1.0 and 1.1 had, and the better ones of that time.
pub(super) const OLD: &[u16] =
    &[0xc014, 0xc013, 0xc00a, 0xc009, 0x0039, 0x0033, 0x0035, 0x002f, 0x000a];
/// Ciphers without forward secrecy, with RC4, 3DES, export keys, or none at all.
pub(super) const WEAK: &[u16] = &[
    0x0000, 0x0001, 0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x0008, 0x0009, 0x000a, 0x0018, 0x001b,
    0x002f, 0x0034, 0x0035, 0x003a, 0x003b, 0x003c, 0x003d, 0x009c, 0x009d, 0xc007, 0xc011, 0xc012,
];

/// What a server said to a greeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerReply {
    /// It goes on, in this version and with this cipher.
    Hello(Version, u16),
    /// It refuses, with this alert (RFC 8446, section 6).
    Alert(u8),
    /// It closed the connection, or said something that is not TLS.
    Nothing,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = VERSIONS.iter().find(|(version, _)| version == self);
        f.write_str(known.map_or("an unknown version", |(_, name)| name))
    }
}

/// Greets a server and reads the first thing that it says.
///
/// # Errors
/// The server cannot be reached.
pub(super) async fn greet(
    host: &str,
    port: u16,
    version: Version,
    ciphers: &[u16],
    patience: Duration,
) -> Result<ServerReply, String> {
    let exchange = async {
        let mut stream = TcpStream::connect((host, port)).await.map_err(|e| e.to_string())?;
        stream.write_all(&client_hello(host, version, ciphers)).await.map_err(|e| e.to_string())?;
        let mut said = vec![0; 128];
        let mut length = 0;
        while length < HELLO_BYTES {
            let room = said.get_mut(length..).unwrap_or_default();
            // A server that breaks the connection refuses, too.
            match stream.read(room).await {
                Ok(0) | Err(_) => break,
                Ok(more) => length += more,
            }
            if said.first() == Some(&ALERT) && length >= 7 {
                break;
            }
        }
        said.truncate(length);
        Ok(read(&said))
    };
    match tokio::time::timeout(patience, exchange).await {
        Ok(said) => said,
        Err(_) => Ok(ServerReply::Nothing),
    }
}

/// Up to the cipher of a server hello with the longest session id.
const HELLO_BYTES: usize = 78;
const HANDSHAKE: u8 = 22;
const ALERT: u8 = 21;
const CLIENT_HELLO: u8 = 1;
const SERVER_HELLO: u8 = 2;

fn read(said: &[u8]) -> ServerReply {
    match said {
        [ALERT, _, _, _, _, _, alert, ..] => ServerReply::Alert(*alert),
        [HANDSHAKE, _, _, _, _, SERVER_HELLO, _, _, _, high, low, rest @ ..] => {
            let version = Version(u16::from_be_bytes([*high, *low]));
            // Random, then the session id with its length, then the cipher.
            let session = rest.get(32).copied().unwrap_or_default() as usize;
            let cipher = rest.get(33 + session..35 + session).unwrap_or_default();
            let cipher = cipher.try_into().map(u16::from_be_bytes).unwrap_or_default();
            ServerReply::Hello(version, cipher)
        }
        _ => ServerReply::Nothing,
    }
}

fn client_hello(host: &str, version: Version, ciphers: &[u16]) -> Vec<u8> {
    let mut body = version.0.to_be_bytes().to_vec();
    body.extend_from_slice(uuid::Uuid::new_v4().as_bytes());
    body.extend_from_slice(uuid::Uuid::new_v4().as_bytes());
    body.push(0);
    let list: Vec<u8> = ciphers.iter().flat_map(|cipher| cipher.to_be_bytes()).collect();
    body.extend(with_length(&list));
    body.extend_from_slice(&[1, 0]);
    if version > Version(0x0300) {
        body.extend(with_length(&extensions(host)));
    }
    let length = u32::try_from(body.len()).unwrap_or_default().to_be_bytes();
    let mut message = vec![CLIENT_HELLO, length[1], length[2], length[3]];
    message.extend(body);
    // The record layer names at most TLS 1.0, so that no server stumbles over it.
    let mut record = vec![HANDSHAKE, 3, u8::from(version > Version(0x0300))];
    record.extend(with_length(&message));
    record
}

/// Name of the server, groups, point formats and signature algorithms.
fn extensions(host: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut put = |kind: u16, content: Vec<u8>| {
        out.extend_from_slice(&kind.to_be_bytes());
        out.extend(with_length(&content));
    };
    if host.parse::<std::net::IpAddr>().is_err() {
        let mut name = vec![0];
        name.extend(with_length(host.as_bytes()));
        put(0, with_length(&name));
    }
    put(10, with_length(&[0, 23, 0, 24, 0, 29]));
    put(11, vec![1, 0]);
    put(13, with_length(&[4, 1, 5, 1, 6, 1, 4, 3, 5, 3, 8, 4, 2, 1, 2, 3]));
    out
}

/// Bytes after their length in two bytes.
fn with_length(bytes: &[u8]) -> Vec<u8> {
    let mut out = u16::try_from(bytes.len()).unwrap_or(u16::MAX).to_be_bytes().to_vec();
    out.extend_from_slice(bytes);
    out
}
