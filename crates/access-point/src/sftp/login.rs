//! What logs in: a password, or a private key as its file holds it.

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use russh::keys::{self, PrivateKey};

use super::action::SftpError;
use super::fault::SftpFault;
use crate::oauth::ShownLogin;

mod scalar;

/// How a private key begins.
const KEY: &str = "-----BEGIN ";
/// Characters of a password.
const PASSWORD: usize = 512;
/// Characters of a private key; one of RSA with 8192 bits has less than 7,000.
const KEY_TEXT: usize = 12_000;

/// What logs in.
#[derive(Clone)]
pub struct SftpLogin {
    pub(super) method: LoginMethod,
    /// Tells one login from another without holding it.
    pub(super) mark: [u8; 32],
}

/// How somebody logs in.
#[derive(Clone)]
pub(super) enum LoginMethod {
    /// By a password.
    Password(String),
    /// By a private key.
    Key(Arc<PrivateKey>),
}

impl SftpLogin {
    /// Reads what stands behind `#`.
    ///
    /// # Errors
    /// What is wrong with it; it is not repeated.
    pub fn parse(text: &str) -> Result<SftpLogin, SftpError> {
        let method = if text.trim_start().starts_with(KEY) {
            key(text)?
        } else {
            let fits = (1..=PASSWORD).contains(&text.chars().count());
            if !fits || text.chars().any(char::is_control) {
                return Err(SftpError::Secret);
            }
            LoginMethod::Password(text.to_owned())
        };
        let mut mark = [0; 32];
        for (to, from) in mark.iter_mut().zip(digest(&SHA256, text.as_bytes()).as_ref()) {
            *to = *from;
        }
        Ok(SftpLogin { method, mark })
    }

    /// A failure as it can be told: without the password, which a server may say again.
    pub(super) fn hidden_in(&self, fault: SftpFault) -> SftpFault {
        match &self.method {
            LoginMethod::Password(password) => {
                let cause = ShownLogin::long_secret(password).hidden(&fault.cause, usize::MAX);
                SftpFault { cause, ..fault }
            }
            _ => fault,
        }
    }

    /// Which of the two it is, for reports.
    pub fn kind(&self) -> &'static str {
        match self.method {
            LoginMethod::Password(_) => "password",
            LoginMethod::Key(_) => "privateKey",
        }
    }
}

fn key(text: &str) -> Result<LoginMethod, SftpError> {
    if text.len() > KEY_TEXT {
        return Err(SftpError::Key(format!("it is longer than {KEY_TEXT} characters")));
    }
    let whole = scalar::filled_up(text);
    let key = keys::decode_secret_key(whole.as_deref().unwrap_or(text), None).map_err(|error| {
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
    Ok(LoginMethod::Key(Arc::new(key)))
}

impl fmt::Debug for SftpLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SftpLogin({} ***)", self.kind())
    }
}

#[cfg(test)]
mod tests;
