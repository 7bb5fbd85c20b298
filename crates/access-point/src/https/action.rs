//! What an HTTPS hook asks for besides its address: the fields of its `init` (interface
//! specification 2.4; conventions A9). All of them are texts. Those in [`SEALED`] are secrets and
//! read elsewhere.

use hyper::Method;
use quoin_identity::distance;
use serde_json::Value;
use url::Url;

use crate::naming::FileTemplate;
use crate::oauth::TokenRequest;

/// The fields that are secrets: the password, the token, the secret of a client, a private key.
pub const SEALED: &[&str] = &["password", "bearerToken", "clientSecret", "clientKey"];

/// The fields that are none.
pub const OPEN: &[&str] = &[
    "method",
    "document",
    "filename",
    "user",
    "tokenUrl",
    "clientId",
    "clientAuthentication",
    "scope",
    "audience",
    "clientCertificate",
    "serverAuthorities",
];

/// A name that differs in more characters is another one.
const FAR: usize = 3;
/// Characters of a field that is no certificate.
const FIELD: usize = 1_000;
/// Bytes of certificates in one field.
const CERTIFICATES: usize = 32 << 10;

/// How the document stands in the body of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DocumentForm {
    /// The body is the document.
    #[default]
    Raw,
    /// `multipart/form-data` with `file` and `metaAttributes`, as this interface takes uploads.
    Multipart,
    /// A JSON object with the document in base64 and what is known of it.
    Json,
}

impl DocumentForm {
    /// Every form, with its word.
    pub const ALL: [(DocumentForm, &'static str); 3] = [
        (DocumentForm::Raw, "raw"),
        (DocumentForm::Multipart, "multipart"),
        (DocumentForm::Json, "json"),
    ];

    /// The word in `init`.
    pub fn as_str(self) -> &'static str {
        DocumentForm::ALL.iter().find(|(form, _)| *form == self).map_or("raw", |(_, word)| word)
    }
}

/// An HTTPS hook, without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpsAction {
    /// The address.
    pub url: Url,
    /// `POST` or `PUT`.
    pub method: Method,
    /// How documents stand in a body; none where the hook asks for no documents that arrived.
    pub document: Option<DocumentForm>,
    /// How files are named.
    pub filename: FileTemplate,
    /// Whom basic authentication names.
    pub user: Option<String>,
    /// How tokens are asked for.
    pub token: Option<TokenRequest>,
    /// What the client shows to the server, in PEM.
    pub client_certificate: Option<String>,
    /// Authorities that are believed besides the public ones, in PEM.
    pub server_authorities: Option<String>,
}

/// Why a hook cannot be used. It repeats nothing that may be secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HttpsError {
    /// The address.
    #[error("{0:?} is no web address")]
    Address(String),
    /// A field that there is not.
    #[error("init has no field {0:?}; there are {fields}", fields = fields())]
    Field(String),
    /// A field that there is not, and that is nearly one that there is.
    #[error("init has no field {0:?}; did you mean {1}? There are {fields}", fields = fields())]
    Near(String, &'static str),
    /// A field that is no text.
    #[error("init: {0} is no text of 1 to {1} characters that can be printed")]
    Text(&'static str, usize),
    /// A field that has a few words only.
    #[error("init: {0} is {1:?}; expected {2}")]
    Word(&'static str, String, &'static str),
    /// A name for files.
    #[error("init: {0}")]
    Filename(String),
    /// A field that lacks another one.
    #[error("init: {0} says nothing without {1}")]
    Lacks(&'static str, &'static str),
    /// Two ways to authenticate.
    #[error("init: {0} and {1} are two ways to authenticate; give one of them")]
    Both(&'static str, &'static str),
    /// What cannot be read.
    #[error("init: {0} cannot be used: {1}")]
    Unusable(&'static str, String),
}

impl HttpsError {
    /// The same as a sentence about the hook.
    pub fn of_hook(&self) -> String {
        format!("the HTTPS hook: {self}")
    }
}

fn fields() -> String {
    OPEN.iter().chain(SEALED).copied().collect::<Vec<_>>().join(", ")
}

/// Refuses a field that is nearly one that there is: a web hook may have fields of its owner's, and
/// what is misspelt would be one of them and do nothing.
///
/// # Errors
/// [`HttpsError::Near`].
pub fn check_names(init: &Value) -> Result<(), HttpsError> {
    let known = || OPEN.iter().chain(SEALED).copied();
    let near = |name: &str| {
        // What is missing or too much in a short name would make it another one.
        let far = FAR.min(name.len() / 3);
        let all = known().filter_map(|one| Some((distance(name, one)?, one)));
        all.min().filter(|(distance, _)| *distance <= far).map(|(_, meant)| meant)
    };
    let names = init.as_object().into_iter().flatten().map(|(name, _)| name);
    let mut wrong = names.filter(|name| !known().any(|one| one == *name));
    match wrong.find_map(|name| Some((name, near(name)?))) {
        Some((name, meant)) => Err(HttpsError::Near(cut(name), meant)),
        None => Ok(()),
    }
}

impl HttpsAction {
    /// Reads an address and its `init`. A field that is not known is refused where the hook is a
    /// channel or has one that is: a secret under a mistyped name would be shown.
    ///
    /// # Errors
    /// [`HttpsError`].
    pub fn parse(address: &str, init: &Value, is_channel: bool) -> Result<HttpsAction, HttpsError> {
        let url = Url::parse(address).map_err(|_| HttpsError::Address(cut(address)))?;
        let known = |name: &str| OPEN.contains(&name) || SEALED.contains(&name);
        if let Some(init) = init.as_object() {
            let strict = is_channel || init.keys().any(|name| known(name));
            if let Some(other) = init.keys().find(|name| strict && !known(name)) {
                return Err(HttpsError::Field(cut(other)));
            }
        }
        let text = |name: &'static str| text(init, name, FIELD);
        let certificates = |name: &'static str| text_of(init, name, CERTIFICATES);
        let filename = match text("filename")? {
            Some(filename) => FileTemplate::parse(&filename).map_err(HttpsError::Filename)?,
            None => FileTemplate::default(),
        };
        Ok(HttpsAction {
            url,
            method: method(text("method")?)?,
            document: form(text("document")?)?,
            filename,
            user: text("user")?,
            token: token(&text)?,
            client_certificate: certificates("clientCertificate")?,
            server_authorities: certificates("serverAuthorities")?,
        })
    }

    /// The address as it is shown: its query may hold a secret of the server's own.
    pub fn endpoint(&self) -> String {
        shown(&self.url)
    }

    /// Where a document goes: the name of its file is put behind an address that ends with `/`, as
    /// for a folder, where it is put.
    pub fn place(&self, file: &str) -> Url {
        let mut url = self.url.clone();
        if self.method == Method::PUT && url.path().ends_with('/') {
            let path = format!("{}{}", url.path(), file.replace(' ', "%20"));
            url.set_path(&path);
        }
        url
    }
}

/// An address without its query.
pub(super) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

fn text(init: &Value, name: &'static str, limit: usize) -> Result<Option<String>, HttpsError> {
    let found = text_of(init, name, limit)?;
    match found.as_ref().is_some_and(|text| text.chars().any(char::is_control)) {
        true => Err(HttpsError::Text(name, limit)),
        false => Ok(found),
    }
}

/// A text that may have lines.
fn text_of(init: &Value, name: &'static str, limit: usize) -> Result<Option<String>, HttpsError> {
    match init.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.is_empty() && text.len() <= limit => {
            Ok(Some(text.clone()))
        }
        Some(_) => Err(HttpsError::Text(name, limit)),
    }
}

fn method(word: Option<String>) -> Result<Method, HttpsError> {
    match word.as_deref() {
        None | Some("POST") => Ok(Method::POST),
        Some("PUT") => Ok(Method::PUT),
        Some(other) => Err(HttpsError::Word("method", cut(other), "POST or PUT")),
    }
}

fn form(word: Option<String>) -> Result<Option<DocumentForm>, HttpsError> {
    let Some(word) = word else { return Ok(None) };
    let form = DocumentForm::ALL.iter().find(|(_, known)| *known == word);
    let wrong = || HttpsError::Word("document", cut(&word), "raw, multipart or json");
    form.map(|(form, _)| Some(*form)).ok_or_else(wrong)
}

fn token(
    text: &impl Fn(&'static str) -> Result<Option<String>, HttpsError>,
) -> Result<Option<TokenRequest>, HttpsError> {
    let Some(url) = text("tokenUrl")? else {
        for name in ["clientId", "clientAuthentication", "scope", "audience"] {
            if text(name)?.is_some() {
                return Err(HttpsError::Lacks(name, "tokenUrl"));
            }
        }
        return Ok(None);
    };
    let in_body = match text("clientAuthentication")?.as_deref() {
        None | Some("basic") => false,
        Some("body") => true,
        Some(other) => {
            return Err(HttpsError::Word("clientAuthentication", cut(other), "basic or body"));
        }
    };
    Ok(Some(TokenRequest {
        url,
        client_id: text("clientId")?.ok_or(HttpsError::Lacks("tokenUrl", "clientId"))?,
        in_body,
        scope: text("scope")?,
        audience: text("audience")?,
    }))
}

#[cfg(test)]
mod tests;
