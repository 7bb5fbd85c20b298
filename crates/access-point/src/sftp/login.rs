//! What logs in: a password, or a private key as its file holds it.

use std::fmt;
use std::sync::Arc;

use russh::keys::{self, PrivateKey};

use super::action::SftpError;

/// How a private key begins.
const KEY: &str = "-----BEGIN ";
/// Characters of a password.
const PASSWORD: usize = 512;
/// Characters of a private key; one of RSA with 8192 bits has less than 7,000.
const KEY_TEXT: usize = 12_000;

/// What logs in.
#[derive(Clone)]
pub enum SftpLogin {
    /// A password.
    Password(String),
    /// A private key.
    Key(Arc<PrivateKey>),
}

impl SftpLogin {
    /// Reads what stands behind `#`.
    ///
    /// # Errors
    /// What is wrong with it; it is not repeated.
    pub fn parse(text: &str) -> Result<SftpLogin, SftpError> {
        if text.trim_start().starts_with(KEY) {
            return key(text);
        }
        let fits = (1..=PASSWORD).contains(&text.chars().count());
        match fits && !text.chars().any(char::is_control) {
            true => Ok(SftpLogin::Password(text.to_owned())),
            false => Err(SftpError::Secret),
        }
    }

    /// Which of the two it is, for reports.
    pub fn kind(&self) -> &'static str {
        match self {
            SftpLogin::Password(_) => "password",
            SftpLogin::Key(_) => "privateKey",
        }
    }
}

fn key(text: &str) -> Result<SftpLogin, SftpError> {
    if text.len() > KEY_TEXT {
        return Err(SftpError::Key(format!("it is longer than {KEY_TEXT} characters")));
    }
    let key = keys::decode_secret_key(text, None).map_err(|error| {
        SftpError::Key(match error {
            keys::Error::KeyIsEncrypted => {
                "it has a passphrase; take it off (ssh-keygen -p), it is kept sealed here"
                    .to_owned()
            }
            _ => "it is no key in the form of OpenSSH or PKCS#8".to_owned(),
        })
    })?;
    if key.is_encrypted() {
        let why = "it has a passphrase; take it off (ssh-keygen -p), it is kept sealed here";
        return Err(SftpError::Key(why.to_owned()));
    }
    Ok(SftpLogin::Key(Arc::new(key)))
}

impl fmt::Debug for SftpLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SftpLogin({} ***)", self.kind())
    }
}
