//! The `action` of an SFTP hook: `sftp://user@host:port/folder` with its parameters (conventions
//! A9), or `sftpfrom://` where documents to send are looked for. The password, or the private key,
//! stands behind `#` and is kept apart from it.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use url::Host;

use crate::naming::FileTemplate;

/// How the action of a hook begins that writes documents.
const INTO: &str = "sftp://";
/// How one begins that looks for documents to send.
const FROM: &str = "sftpfrom://";
/// The port where none is named.
const PORT: u16 = 22;
/// Characters of a user name.
const USER: usize = 100;
/// Characters of a folder.
const FOLDER: usize = 500;
/// Host keys that can be confirmed at a time: one in use and those that follow it.
const HOST_KEYS: usize = 8;
/// How the fingerprint of a key begins, as `ssh-keygen -l` writes it.
const FINGERPRINT: &str = "SHA256:";
/// Characters behind that.
const DIGEST: usize = 43;

/// An SFTP hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SftpAction {
    /// The account.
    pub user: String,
    /// The server, in lower case.
    pub host: Host,
    /// Its port.
    pub port: u16,
    /// The folder as the server sees it: from its root, or from where a login starts.
    pub folder: String,
    /// The fingerprints of the host keys that are confirmed; none until somebody did.
    pub host_keys: Vec<String>,
    /// How files are named.
    pub filename: FileTemplate,
}

/// Why a text is no SFTP hook. It repeats nothing that may be secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SftpError {
    /// There is no host, or no user.
    #[error("expected sftp://user@host/folder, with :port behind the host where it is not 22")]
    Shape,
    /// A password in front of the host would be shown with the action.
    #[error("put the password behind # at the end of the action; in front of @ it would be shown")]
    Password,
    /// The user.
    #[error("the user is not 1 to {USER} characters that can be printed")]
    User,
    /// The host.
    #[error("{0:?} is not the name or the address of a host")]
    Host(String),
    /// The port.
    #[error("{0:?} is not a port")]
    Port(String),
    /// The folder.
    #[error(
        "the folder is at most {FOLDER} characters that can be printed, and no part of it is `..`"
    )]
    Folder,
    /// A parameter that there is not.
    #[error("there is no parameter {0:?}; there are hostKey, and filename where files are written")]
    Parameter(String),
    /// A host key.
    #[error(
        "hostKey is {0:?}; expected the fingerprint {FINGERPRINT} and {DIGEST} characters, as \
         ssh-keygen -l writes it, or up to {HOST_KEYS} of them with commas between"
    )]
    HostKey(String),
    /// A name for files.
    #[error("{0}")]
    Filename(String),
    /// Nothing to log in with.
    #[error("put the password, or the private key, behind # at the end of the action")]
    NoLogin,
    /// A private key that cannot be used.
    #[error("the private key behind # cannot be used: {0}")]
    Key(String),
    /// A password that no keyboard has.
    #[error("the password behind # is not 1 to 512 characters that can be printed")]
    Secret,
}

impl SftpError {
    /// The same as a sentence about the hook.
    pub fn of_hook(&self) -> String {
        format!("the SFTP hook: {self}")
    }
}

impl SftpAction {
    /// Reads an action without its secret.
    ///
    /// # Errors
    /// [`SftpError`].
    pub fn parse(text: &str) -> Result<SftpAction, SftpError> {
        let from = text.strip_prefix(FROM);
        let rest = from.or_else(|| text.strip_prefix(INTO)).ok_or(SftpError::Shape)?;
        let (rest, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let (user, place) = authority.rsplit_once('@').ok_or(SftpError::Shape)?;
        if user.contains(':') {
            return Err(SftpError::Password);
        }
        let (host, port) = place_of(place)?;
        let mut action = SftpAction {
            user: user_of(user)?,
            host,
            port,
            folder: folder_of(path)?,
            host_keys: Vec::new(),
            filename: FileTemplate::default(),
        };
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let value = decoded(value);
            match decoded(name).as_str() {
                "hostKey" => action.host_keys = host_keys(&value)?,
                "filename" if from.is_none() => {
                    action.filename = FileTemplate::parse(&value).map_err(SftpError::Filename)?;
                }
                other => return Err(SftpError::Parameter(cut(other))),
            }
        }
        Ok(action)
    }

    /// The folder as it is shown, without parameters.
    pub fn endpoint(&self) -> String {
        let port = if self.port == PORT { String::new() } else { format!(":{}", self.port) };
        let user = utf8_percent_encode(&self.user, NON_ALPHANUMERIC);
        let folder = match self.folder.as_str() {
            "." => "/~".to_owned(),
            folder if folder.starts_with('/') => folder.to_owned(),
            folder => format!("/~/{folder}"),
        };
        format!("{INTO}{user}@{}{port}{folder}", self.host)
    }

    /// Whether another one logs in to the same account of the same server, so that a secret that
    /// was given for one may be used for the other.
    pub fn has_account_of(&self, other: &SftpAction) -> bool {
        (&self.user, &self.host, self.port) == (&other.user, &other.host, other.port)
    }

    /// A file in the folder.
    pub fn path(&self, name: &str) -> String {
        match self.folder.as_str() {
            "." => name.to_owned(),
            folder => format!("{}/{name}", folder.trim_end_matches('/')),
        }
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

fn user_of(text: &str) -> Result<String, SftpError> {
    let user = decoded(text);
    let fits = (1..=USER).contains(&user.chars().count());
    if fits && !user.chars().any(char::is_control) { Ok(user) } else { Err(SftpError::User) }
}

fn place_of(place: &str) -> Result<(Host, u16), SftpError> {
    let in_brackets = place.starts_with('[') && place.ends_with(']');
    let (host, port) = match place.rsplit_once(':').filter(|_| !in_brackets) {
        Some((host, port)) => (host, number(port)?),
        None => (place, PORT),
    };
    // As web addresses are read, so that every way to write an address by number is known as one.
    let host = Host::parse(host).map_err(|_| SftpError::Host(cut(host)))?;
    Ok((host, port))
}

fn number(text: &str) -> Result<u16, SftpError> {
    let port = text.parse().ok().filter(|port| *port != 0);
    port.ok_or_else(|| SftpError::Port(cut(text)))
}

/// A path is from the root; behind `/~` it is from where a login starts.
fn folder_of(path: &str) -> Result<String, SftpError> {
    let path = decoded(path);
    let steps_up = path.split('/').any(|part| part == "..");
    if steps_up || path.chars().count() > FOLDER || path.chars().any(char::is_control) {
        return Err(SftpError::Folder);
    }
    let from_login = match path.as_str() {
        "" | "/~" => Some(""),
        path => path.strip_prefix("/~/"),
    };
    let folder = match from_login {
        Some(rest) => rest.trim_matches('/'),
        None => path.trim_end_matches('/'),
    };
    Ok(match (folder, from_login) {
        ("", Some(_)) => ".",
        ("", None) => "/",
        (folder, _) => folder,
    }
    .to_owned())
}

fn host_keys(value: &str) -> Result<Vec<String>, SftpError> {
    let wrong = || SftpError::HostKey(cut(value));
    let keys = value.split(',').map(|key| {
        let digest = key.trim().strip_prefix(FINGERPRINT).ok_or_else(wrong)?;
        let digest = digest.trim_end_matches('=');
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
        match digest.len() == DIGEST && digest.bytes().all(plain) {
            true => Ok(format!("{FINGERPRINT}{digest}")),
            false => Err(wrong()),
        }
    });
    let keys = keys.collect::<Result<Vec<String>, SftpError>>()?;
    if keys.len() > HOST_KEYS { Err(wrong()) } else { Ok(keys) }
}

#[cfg(test)]
mod tests;
