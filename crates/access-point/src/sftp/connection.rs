//! The connection to a server: to an address that the guard has judged, to a key that was
//! confirmed, and only then the login.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use russh::client::{self, AuthResult, Handle, KeyboardInteractiveAuthResponse, Msg};
use russh::keys::{Algorithm, EcdsaCurve, HashAlg, PrivateKeyWithHashAlg, PublicKeyOrCertificate};
use russh::{ChannelStream, Disconnect, MethodKind, Preferred, SshId, kex};
use tokio::net::TcpStream;

use super::action::SftpAction;
use super::fault::{SftpFault, SftpFaultKind};
use super::leash::{Leash, LeashedStream};
use super::login::{LoginMethod, SftpLogin};
use super::wire::SftpSession;
use crate::net::{AddressRefusal, Guard};

/// How long a connection may be silent before it is dropped, whoever still holds it.
const SILENCE: Duration = Duration::from_secs(60);
/// How long a connection may be there at all, whatever comes over it.
pub(super) const LIFETIME: Duration = Duration::from_secs(900);
/// Time for a goodbye.
const GOODBYE: Duration = Duration::from_secs(1);
/// Questions of a server that asks for the password in words.
const QUESTIONS: usize = 3;

/// How keys are exchanged. Groups that the server may choose itself are not among them, since they
/// can be made to cost much.
const EXCHANGES: &[kex::Name] = &[
    kex::MLKEM768X25519_SHA256,
    kex::CURVE25519,
    kex::CURVE25519_PRE_RFC_8731,
    kex::ECDH_SHA2_NISTP256,
    kex::ECDH_SHA2_NISTP384,
    kex::ECDH_SHA2_NISTP521,
    kex::DH_G14_SHA256,
    kex::DH_G16_SHA512,
    kex::EXTENSION_SUPPORT_AS_CLIENT,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT,
];

/// The keys of servers that are taken, the shorter ones first. `ssh-rsa` with SHA-1 is not.
const HOST_KEYS: &[Algorithm] = &[
    Algorithm::Ed25519,
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 },
    Algorithm::Rsa { hash: Some(HashAlg::Sha512) },
    Algorithm::Rsa { hash: Some(HashAlg::Sha256) },
];

/// The key that a server showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShownKey {
    /// What kind it is: `ssh-ed25519`.
    pub(super) algorithm: String,
    /// Its SHA-256, as `ssh-keygen -l` writes it.
    pub(super) fingerprint: String,
}

/// Takes the key of a server where it is one that was confirmed, and notes it in any case.
struct KeyWitness {
    confirmed: Vec<String>,
    shown: Arc<OnceLock<ShownKey>>,
}

impl client::Handler for KeyWitness {
    type Error = russh::Error;

    async fn check_server_key(
        &mut self,
        shown: &PublicKeyOrCertificate,
    ) -> Result<bool, russh::Error> {
        // Certificates are not asked for, so that none comes.
        let PublicKeyOrCertificate::PublicKey { key, .. } = shown else { return Ok(false) };
        let fingerprint = key.fingerprint(HashAlg::Sha256).to_string();
        let is_confirmed = self.confirmed.contains(&fingerprint);
        let algorithm = key.algorithm().to_string();
        let _ = self.shown.set(ShownKey { algorithm, fingerprint });
        Ok(is_confirmed)
    }
}

/// A connection with a login, and the session for files in it.
pub(super) struct SftpConnection {
    handle: Handle<KeyWitness>,
    /// The session.
    pub(super) session: SftpSession<ChannelStream<Msg>>,
    /// The key of the server.
    pub(super) key: ShownKey,
    /// How many documents it has carried.
    pub(super) documents: u32,
    /// Since when it is there.
    pub(super) since: Instant,
    /// Without it the connection ends, whatever its task is doing.
    _leash: Leash,
}

impl SftpConnection {
    /// Connects, checks the key and logs in. Each of these may take as long as `patience` says.
    pub(super) async fn open(
        (guard, patience): (&Guard, Duration),
        action: &SftpAction,
        login: &SftpLogin,
    ) -> Result<SftpConnection, SftpFault> {
        let stream = connect(guard, patience, action).await?;
        let since = Instant::now();
        let (stream, leash) = LeashedStream::new(stream, LIFETIME);
        let shown = Arc::new(OnceLock::new());
        let witness = KeyWitness { confirmed: action.host_keys.clone(), shown: Arc::clone(&shown) };
        let shaking = client::connect_stream(Arc::new(settings()), stream, witness);
        let shaken = in_time(patience, shaking, "exchange keys").await?;
        let mut handle = shaken.map_err(|error| unshaken(&error, action, shown.get()))?;
        let key = shown.get().cloned().ok_or_else(|| ended("showed no key", None))?;
        in_time(patience, log_in(&mut handle, &action.user, login), "answer the login").await??;
        let session = in_time(patience, session(&handle, patience), "begin SFTP").await??;
        Ok(SftpConnection { handle, session, key, documents: 0, since, _leash: leash })
    }

    /// Whether it was ended, by the server or by its silence.
    pub(super) fn is_closed(&self) -> bool {
        self.handle.is_closed()
    }

    /// Says goodbye, and does not wait long.
    pub(super) async fn close(mut self) {
        let bye = async {
            self.handle.disconnect(Disconnect::ByApplication, "", "").await?;
            (&mut self.handle).await
        };
        let _ = tokio::time::timeout(GOODBYE, bye).await;
    }
}

fn settings() -> client::Config {
    client::Config {
        client_id: SshId::Standard("SSH-2.0-Quoin".into()),
        preferred: Preferred { kex: EXCHANGES.into(), key: HOST_KEYS.into(), ..Preferred::DEFAULT },
        inactivity_timeout: Some(SILENCE),
        nodelay: true,
        ..client::Config::default()
    }
}

async fn connect(
    guard: &Guard,
    patience: Duration,
    action: &SftpAction,
) -> Result<TcpStream, SftpFault> {
    let addresses = guard.addresses(&action.host, action.port).await.map_err(|refusal| {
        let kind = match refusal {
            AddressRefusal::Private { .. } => SftpFaultKind::Refused,
            _ => SftpFaultKind::Unavailable,
        };
        SftpFault::new(kind, refusal.to_string())
    })?;
    let mut cause = "it has no address".to_owned();
    for address in addresses {
        match tokio::time::timeout(patience, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                // A connection that waits to fill its packets is slower, and works.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Ok(Err(error)) => cause = error.to_string(),
            Err(_) => cause = format!("no connection within {patience:?}"),
        }
    }
    let cause = format!("the SFTP server {}:{} is not reached: {cause}", action.host, action.port);
    Err(SftpFault::new(SftpFaultKind::Unavailable, cause))
}

async fn in_time<T>(
    patience: Duration,
    work: impl Future<Output = T>,
    doing: &str,
) -> Result<T, SftpFault> {
    tokio::time::timeout(patience, work).await.map_err(|_| {
        let cause = format!("the SFTP server did not {doing} within {patience:?}");
        SftpFault::new(SftpFaultKind::Unavailable, cause)
    })
}

fn ended(what: &str, error: Option<&russh::Error>) -> SftpFault {
    let cause = match error {
        Some(error) => format!("the SFTP server {what}: {error}"),
        None => format!("the SFTP server {what}"),
    };
    SftpFault::new(SftpFaultKind::Unavailable, cause)
}

/// Why there was no exchange of keys. A key that is not confirmed is told with its fingerprint.
fn unshaken(error: &russh::Error, action: &SftpAction, shown: Option<&ShownKey>) -> SftpFault {
    let (russh::Error::UnknownKey, Some(shown)) = (error, shown) else {
        return ended("ended the exchange of keys", Some(error));
    };
    let ShownKey { algorithm, fingerprint } = shown;
    let server = format!("{}:{}", action.host, action.port);
    let cause = match action.host_keys.as_slice() {
        [] => format!(
            "the key of the SFTP server {server} is not confirmed, and nothing was sent to it. It \
             showed an {algorithm} key with the fingerprint {fingerprint}. If whoever runs the \
             server says that this is its key, add hostKey={fingerprint} to the action of the hook"
        ),
        confirmed => format!(
            "the key of the SFTP server {server} is another one than was confirmed, and nothing \
             was sent to it: somebody may be between. It showed an {algorithm} key with the \
             fingerprint {fingerprint}; confirmed is {}. Ask whoever runs the server",
            confirmed.join(" or ")
        ),
    };
    SftpFault::new(SftpFaultKind::HostKey, cause)
}

async fn log_in(
    handle: &mut Handle<KeyWitness>,
    user: &str,
    login: &SftpLogin,
) -> Result<(), SftpFault> {
    let broken = |error: russh::Error| ended("ended the login", Some(&error));
    let answer = match &login.method {
        LoginMethod::Password(password) => {
            let answer = handle.authenticate_password(user, password).await.map_err(broken)?;
            match &answer {
                AuthResult::Failure { remaining_methods, .. }
                    if remaining_methods.contains(&MethodKind::KeyboardInteractive) =>
                {
                    return in_words(handle, user, login).await;
                }
                _ => answer,
            }
        }
        LoginMethod::Key(key) => {
            let hash = handle.best_supported_rsa_hash().await.map_err(broken)?;
            // A server that does not say what it takes takes SHA-256.
            let hash = hash.flatten().unwrap_or(HashAlg::Sha256);
            let hash = key.algorithm().is_rsa().then_some(hash);
            let key = PrivateKeyWithHashAlg::new(Arc::clone(key), hash);
            handle.authenticate_publickey(user, key).await.map_err(broken)?
        }
    };
    match answer {
        AuthResult::Success => Ok(()),
        AuthResult::Failure { remaining_methods, partial_success } => {
            let takes: Vec<String> =
                remaining_methods.iter().map(|method| <&str>::from(method).to_owned()).collect();
            Err(not_let_in(user, login, &takes.join(", "), partial_success))
        }
    }
}

/// Some servers ask for the password in words of their own.
async fn in_words(
    handle: &mut Handle<KeyWitness>,
    user: &str,
    login: &SftpLogin,
) -> Result<(), SftpFault> {
    let LoginMethod::Password(password) = &login.method else {
        return Err(not_let_in(user, login, "", false));
    };
    let broken = |error: russh::Error| ended("ended the login", Some(&error));
    let begun = handle.authenticate_keyboard_interactive_start(user, None).await;
    let mut answer = begun.map_err(broken)?;
    for _ in 0..QUESTIONS {
        let prompts = match answer {
            KeyboardInteractiveAuthResponse::Success => return Ok(()),
            KeyboardInteractiveAuthResponse::Failure { .. } => break,
            KeyboardInteractiveAuthResponse::InfoRequest { prompts, .. } => prompts,
        };
        // The password is what is asked for where nothing may be shown.
        let said = prompts.iter().map(|prompt| match prompt.echo {
            true => String::new(),
            false => password.to_owned(),
        });
        let said = handle.authenticate_keyboard_interactive_respond(said.collect()).await;
        answer = said.map_err(broken)?;
    }
    match answer {
        KeyboardInteractiveAuthResponse::Success => Ok(()),
        _ => Err(not_let_in(user, login, "", false)),
    }
}

fn not_let_in(user: &str, login: &SftpLogin, takes: &str, partly: bool) -> SftpFault {
    let what = match login.method {
        LoginMethod::Password(_) => "the password",
        LoginMethod::Key(_) => "the private key",
    };
    let cause = match (partly, takes) {
        (true, _) => format!("the SFTP server wants more than {what} from {user:?}: {takes}"),
        // Some end the connection instead of saying no.
        (false, "") => {
            format!("the SFTP server ended the login of {user:?} with {what} and did not say why")
        }
        (false, _) => {
            format!("the SFTP server did not let {user:?} in with {what} (it takes {takes})")
        }
    };
    SftpFault::new(SftpFaultKind::Login, cause)
}

async fn session(
    handle: &Handle<KeyWitness>,
    patience: Duration,
) -> Result<SftpSession<ChannelStream<Msg>>, SftpFault> {
    let refused = |error: russh::Error| ended("does not offer SFTP", Some(&error));
    let channel = handle.channel_open_session().await.map_err(refused)?;
    channel.request_subsystem(true, "sftp").await.map_err(refused)?;
    let begun = SftpSession::begin(channel.into_stream(), patience).await;
    begun.map_err(|error| super::upload::told(error, "beginning", "a session"))
}
