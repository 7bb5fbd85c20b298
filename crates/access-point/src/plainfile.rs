//! Files that the operator names: plain ones of a bounded size. A device never ends and a pipe may
//! never begin, and neither says so by its length.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Bytes of a file of certificates or keys, at most.
pub(crate) const MOST: u64 = 1024 * 1024;

/// The bytes of a file.
///
/// # Errors
/// It cannot be read, is no plain file, or is longer than `most`.
pub fn bytes(path: &Path, most: u64) -> Result<Vec<u8>> {
    let kind = std::fs::metadata(path)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        let said = "is a device or a pipe, and a plain file is expected";
        return Err(Error::new(ErrorKind::InvalidInput, said));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let said = format!("has more than {most} bytes, and such a file has at most that");
        return Err(Error::new(ErrorKind::FileTooLarge, said));
    }
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
/// As [`bytes`], and where it is no text in UTF-8.
pub fn text(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(bytes(path, most)?)
        .map_err(|_| Error::new(ErrorKind::InvalidData, "is no text in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_bound() {
        let folder = std::env::temp_dir().join(format!("quoin-plain-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("file");
        std::fs::write(&file, "text").unwrap();
        assert_eq!(text(&file, 4).unwrap(), "text");
        let said = text(&file, 3).unwrap_err().to_string();
        assert!(said.contains("more than 3 bytes"), "{said}");
        std::fs::write(&file, [0xff]).unwrap();
        assert!(text(&file, 4).unwrap_err().to_string().contains("UTF-8"));
        assert!(bytes(&folder, 4).is_err(), "a folder");
        assert!(bytes(&folder.join("gone"), 4).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_read() {
        let said = bytes(Path::new("/dev/zero"), 4).unwrap_err().to_string();
        assert!(said.contains("a device or a pipe"), "{said}");
    }
}
