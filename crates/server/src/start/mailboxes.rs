//! What reads mailboxes: those of customers, and the operator's own.

use quoin_access_point::config::Config;
use quoin_access_point::mail::{Mailer, MailerError, token_login};
use quoin_access_point::mailbox::{MailboxClient, MailboxTarget};
use quoin_access_point::net::{Guard, TlsRoot};
use quoin_access_point::oauth::TokenDesk;
use quoin_access_point::worker::bounces::BounceBox;

use super::StartError;
use super::parts::hook_guard;

/// What reads the mailboxes of customers, and the one that mail comes back to, where there is one.
/// That is the operator's own, so that nothing guards it.
pub(super) fn mailboxes(
    config: &Config,
    roots: &[TlsRoot],
    (mailer, tokens): (Option<&Mailer>, TokenDesk),
) -> Result<(MailboxClient, Option<BounceBox>), StartError> {
    let patience = config.limits.hook_timeout();
    let client = |guard| MailboxClient::new(guard, roots, patience, tokens.clone());
    let customers = client(hook_guard(config).guard)?;
    let mail = &config.mail;
    let Some(place) = &mail.bounce_mailbox else { return Ok((customers, None)) };
    let target = match (&mail.bounce_password, &mail.bounce_oauth) {
        (Some(password), _) => MailboxTarget::own(place, password.expose())?,
        (None, Some(oauth)) => {
            let login = token_login(oauth).map_err(MailerError::Token)?;
            MailboxTarget::own_by_token(place, login)?
        }
        (None, None) => return Ok((customers, None)),
    };
    let bounces = BounceBox {
        client: client(Guard { any_address: true, ..Guard::default() })?,
        target,
        returns: mailer.and_then(|mailer| mailer.returns().cloned()),
    };
    Ok((customers, Some(bounces)))
}
