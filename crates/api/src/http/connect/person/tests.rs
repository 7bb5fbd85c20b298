//! Tests of the sign-in with a name and a password: what is answered where none can be checked.

use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::http::header::RETRY_AFTER;
use axum::response::IntoResponse;
use futures::future::{BoxFuture, FutureExt};

use super::*;
use crate::http::auth::{AccountRights, ClientRecord, Clients};
use crate::http::password::{PasswordError, Passwords};
use crate::http::throttle::Throttle;
use crate::http::token::Tokens;

/// Nobody has an account, or nobody can be looked up.
struct Nobody {
    broken: bool,
}

impl Nobody {
    fn answer<T: Send + 'static>(&self, none: T) -> BoxFuture<'_, Result<T, AccountsFault>> {
        let fault = AccountsFault("the disk is gone".to_owned());
        let answer = if self.broken { Err(fault) } else { Ok(none) };
        std::future::ready(answer).boxed()
    }
}

impl Clients for Nobody {
    fn find<'a>(
        &'a self,
        _: &'a str,
    ) -> BoxFuture<'a, Result<Option<ClientRecord>, AccountsFault>> {
        self.answer(None)
    }

    fn users<'a>(
        &'a self,
        _: Option<&'a str>,
        _: &'a str,
    ) -> BoxFuture<'a, Result<Vec<UserRecord>, AccountsFault>> {
        self.answer(Vec::new())
    }

    fn has_organisation<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<bool, AccountsFault>> {
        self.answer(false)
    }

    fn standing<'a>(
        &'a self,
        _: &'a str,
        _: &'a str,
    ) -> BoxFuture<'a, Result<Option<AccountRights>, AccountsFault>> {
        self.answer(None)
    }
}

async fn refused(passwords: Passwords, broken: bool) -> GrantRefusal {
    let key = Tokens::generate_key().unwrap();
    let auth = Auth {
        tokens: Arc::new(Tokens::new(&key, "https://api.example.org", 3600).unwrap()),
        clients: Arc::new(Nobody { broken }),
        throttle: Arc::new(Throttle::new(3)),
        passwords,
        issuers: Default::default(),
        clock: Default::default(),
    };
    let signed_in = named(&auth, "alice", "correct horse", Ipv4Addr::LOCALHOST.into()).await;
    signed_in.err().expect("nobody has an account")
}

#[tokio::test]
async fn a_full_budget_asks_to_come_again_and_a_fault_does_not() {
    let full = refused(Passwords::full(), false).await;
    assert_eq!((full.status.as_u16(), full.error), (503, "temporarily_unavailable"));
    assert_eq!(full.into_response().headers()[RETRY_AFTER], "5");

    let fault = GrantRefusal::from(PasswordError::Fault("no random bytes".to_owned()));
    assert_eq!((fault.status.as_u16(), fault.error), (500, "server_error"));
    assert!(!fault.into_response().headers().contains_key(RETRY_AFTER));

    let broken = refused(Passwords::default(), true).await;
    assert_eq!((broken.status.as_u16(), broken.error), (503, "temporarily_unavailable"));
    let nobody = refused(Passwords::default(), false).await;
    assert_eq!((nobody.status.as_u16(), nobody.error), (400, "invalid_grant"));
}
