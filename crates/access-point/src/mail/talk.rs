//! What is said about one mail. A server answers for each recipient by itself (RFC 5321, section
//! 3.3): the mail goes to those that it takes it for, and of the others is told.

use std::error::Error as _;

use futures::FutureExt;
use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{Extension, MailBodyParameter, MailParameter};
use lettre::transport::smtp::response::Response;

use super::line::{LineFault, in_one_line, words};
use super::ready::ReadyMail;
use super::transport::is_about_us;

/// What a server said of a mail.
pub(super) struct MailSaid {
    /// What it said when it took it; none where it took it for nobody.
    pub(super) taken: Option<Response>,
    /// For whom it took it.
    pub(super) reached: Vec<Address>,
    /// For whom it did not.
    pub(super) missed: Vec<MissedAddress>,
}

/// Somebody for whom a server did not take a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissedAddress {
    /// The address.
    pub address: Address,
    /// The server's code, if it said one.
    pub code: Option<u16>,
    /// What it said, with its code.
    pub said: String,
    /// The same for the log.
    pub cause: String,
    /// Whether it will never take mail for this address.
    pub is_final: bool,
}

impl MissedAddress {
    fn of(address: &Address, error: &Error) -> MissedAddress {
        let code = error.status().map(u16::from);
        let text = error.source().map(ToString::to_string).unwrap_or_default();
        let code_text = code.map(|code| code.to_string()).unwrap_or_default();
        MissedAddress {
            address: address.clone(),
            code,
            said: in_one_line(&format!("{code_text} {text}")),
            cause: words(error),
            is_final: error.is_permanent() && !is_about_us(code),
        }
    }

    /// Only a server that knows SMTPUTF8 takes letters beyond ASCII in front of the @ (RFC 6531).
    fn unspeakable(address: &Address) -> MissedAddress {
        let said = "it does not know SMTPUTF8, without which there are only letters of ASCII in \
                    front of the @ of an address";
        MissedAddress {
            address: address.clone(),
            code: None,
            said: said.to_owned(),
            cause: format!("{said}: {address}"),
            is_final: true,
        }
    }
}

impl MailSaid {
    /// A mail that was not begun: those whose addresses the server cannot take are told of.
    fn to_nobody(to: &[Address]) -> MailSaid {
        let foreign = to.iter().filter(|address| !is_plain(address));
        let missed = foreign.map(MissedAddress::unspeakable).collect();
        MailSaid { taken: None, reached: Vec::new(), missed }
    }
}

/// Why a mail does not go where the address that it is from cannot be said.
const FOREIGN_SENDER: &str = "it does not know SMTPUTF8, without which the address that a mail is \
    from (from of the hook, [mail] from) has letters of ASCII only in front of the @";

/// Whether an address has letters of ASCII only, which every server takes.
pub(super) fn is_plain(address: &Address) -> bool {
    AsRef::<str>::as_ref(address).is_ascii()
}

/// What a code begins with that says that a command is done (RFC 5321, section 4.2.1).
const COMPLETED: &str = "2";

fn fits(expected: &str, said: &Response) -> bool {
    said.code().to_string().starts_with(expected)
}

/// An answer has the code that fits what was asked, and is all that was said: any other belongs to
/// another question, and nobody knows what the next ones are about.
fn expect(
    connection: &mut AsyncSmtpConnection,
    asked: &'static str,
    expected: &'static str,
    said: &Response,
) -> Result<(), LineFault> {
    match fits(expected, said) {
        false => Err(unasked(asked, expected, said)),
        true => match connection.read_response().now_or_never() {
            None => Ok(()),
            Some(Err(error)) if error.status().is_none() => Err(error.into()),
            Some(_) => Err(LineFault::SaidMore(asked)),
        },
    }
}

fn unasked(asked: &'static str, expected: &'static str, said: &Response) -> LineFault {
    let text: String = said.message().collect::<Vec<_>>().join(" ");
    let expected = if expected == COMPLETED { "2yz" } else { expected };
    LineFault::Unfitting { asked, expected, said: format!("{} {text}", said.code()) }
}

/// Whether something is there, or the end, though nothing was asked.
pub(super) fn says_more(connection: &mut AsyncSmtpConnection) -> bool {
    connection.read_response().now_or_never().is_some()
}

/// Hands a mail over to those for whom it is taken.
///
/// # Errors
/// [`LineFault`]: it went to nobody, or nobody knows; the connection is of no use any more.
pub(super) async fn talk(
    connection: &mut AsyncSmtpConnection,
    mail: &ReadyMail,
) -> Result<MailSaid, LineFault> {
    let knows = |what| connection.server_info().supports_feature(what);
    let speaks_utf8 = knows(Extension::SmtpUtfEight);
    if !speaks_utf8 && mail.sender.as_ref().is_some_and(|sender| !is_plain(sender)) {
        return Err(LineFault::Unfit(FOREIGN_SENDER));
    }
    let takes_eight = knows(Extension::EightBitMime);
    let Some(bytes) = mail.bytes_for(speaks_utf8 && takes_eight) else {
        // There is a header of ASCII unless it would name nobody, or none whom the mail is from.
        let named = if mail.needed.is_empty() { &mail.to } else { &mail.needed };
        return match (speaks_utf8, named.iter().any(is_plain)) {
            (true, _) => Err(LineFault::Unfit("it does not know 8BITMIME, which the mail needs")),
            (false, true) => Err(LineFault::Unfit(FOREIGN_SENDER)),
            (false, false) => Ok(MailSaid::to_nobody(&mail.to)),
        };
    };
    let mut options = Vec::new();
    let foreign = mail.to.iter().chain(&mail.sender).any(|address| !is_plain(address));
    if speaks_utf8 && (foreign || !bytes.is_ascii()) {
        // A header may have letters beyond ASCII in such a mail only (RFC 6531, section 3.4).
        options.push(MailParameter::SmtpUtfEight);
    }
    if !bytes.is_ascii() {
        options.push(MailParameter::Body(MailBodyParameter::EightBitMime));
    }
    let taken = connection.command(Mail::new(mail.sender.clone(), options)).await?;
    expect(connection, "MAIL", COMPLETED, &taken)?;
    let (mut reached, mut missed) = (Vec::new(), Vec::new());
    for address in &mail.to {
        if !is_plain(address) && !speaks_utf8 {
            missed.push(MissedAddress::unspeakable(address));
            continue;
        }
        match connection.command(Rcpt::new(address.clone(), Vec::new())).await {
            Ok(said) => {
                expect(connection, "RCPT", COMPLETED, &said)?;
                reached.push(address.clone());
            }
            Err(error) if error.status().is_some() => {
                missed.push(MissedAddress::of(address, &error));
            }
            Err(error) => return Err(error.into()),
        }
    }
    // Copies alone are no reason to send a mail that none of its addressees gets.
    let wanted = |address: &Address| mail.needed.is_empty() || mail.needed.contains(address);
    if !reached.iter().any(wanted) {
        // It has said what it thinks of the mail, whether or not it goes on from here.
        if connection.command(Rset).await.is_err() {
            connection.abort().await;
        }
        return Ok(MailSaid { taken: None, reached: Vec::new(), missed });
    }
    let begins = connection.command(Data).await?;
    expect(connection, "DATA", "354", &begins)?;
    let taken = connection.message(bytes).await?;
    if !fits(COMPLETED, &taken) {
        return Err(unasked("the end of the mail", COMPLETED, &taken));
    }
    Ok(MailSaid { taken: Some(taken), reached, missed })
}
