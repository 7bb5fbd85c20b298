//! Keys that the service makes for itself on first start and keeps in its data folder.

use std::io::Write;
use std::path::{Path, PathBuf};

use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject;

use crate::plainfile;

/// A key file that cannot be used. A fault of the installation.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct KeyFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

/// Reads a key, or makes one and writes it durably, readable by the owner only.
///
/// # Errors
/// [`KeyFileError`].
pub fn read_or_make(
    path: &Path,
    make: impl FnOnce() -> Result<Vec<u8>, String>,
) -> Result<Vec<u8>, KeyFileError> {
    let error = |reason: String| KeyFileError { path: path.to_owned(), reason };
    if let Some(key) = read(path)? {
        return Ok(key);
    }
    let key = make().map_err(error)?;
    write(path, &key).map_err(|e| error(e.to_string()))?;
    Ok(key)
}

/// Reads a key, if there is one.
///
/// # Errors
/// [`KeyFileError`].
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, KeyFileError> {
    match plainfile::bytes(path, plainfile::MOST) {
        Ok(key) => Ok(Some(key)),
        Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(other) => Err(KeyFileError { path: path.to_owned(), reason: other.to_string() }),
    }
}

/// Reads a PKCS#8 private key from PEM; answers its DER.
///
/// # Errors
/// [`KeyFileError`].
pub fn read_pem(path: &Path) -> Result<Vec<u8>, KeyFileError> {
    let error = |reason: String| KeyFileError { path: path.to_owned(), reason };
    let pem = plainfile::bytes(path, plainfile::MOST).map_err(|e| error(e.to_string()))?;
    let key = PrivatePkcs8KeyDer::from_pem_slice(&pem)
        .map_err(|_| error("expected a PKCS#8 private key in PEM".to_owned()))?;
    Ok(key.secret_pkcs8_der().to_vec())
}

/// First under another name, so that a crash never leaves half a key.
fn write(path: &Path, key: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let draft = path.with_extension("new");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft)?;
    file.write_all(key)?;
    file.sync_all()?;
    std::fs::rename(&draft, path)?;
    std::fs::File::open(folder)?.sync_all()
}
