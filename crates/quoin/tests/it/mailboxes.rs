//! Mailboxes on Dovecot and on a server that is odd, and mail that Postfix takes and sends back:
//! documents come in by mail, and whoever sent a mail that was not delivered is told.

mod bounces;
mod inbound;
mod kill;
mod oauth;
mod odd;
mod servers;
