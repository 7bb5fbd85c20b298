//! Which hook a message of a network is for: by its address, and by the secret that the hook and
//! the network share.

use quoin_delivery::hook::ActionKind;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Hook, HookScope, Secret};
use subtle::ConstantTimeEq;

use super::accounts::TradingAccounts;
use super::action::CxmlAction;
use super::credential::CxmlCredential;
use super::inbound::CxmlRequest;
use crate::partner::{PartnerMode, PartnerSecrets};

/// A hook that a message is for.
#[derive(Debug)]
pub struct CxmlDoorway {
    /// The hook.
    pub hook: Hook,
    /// The supplier and the buyer of an order, where the hook says who they are in the network of
    /// participants; else the supplier is the party of the hook, where it is one's.
    pub supplier: Option<ParticipantId>,
    /// The buyer.
    pub buyer: Option<ParticipantId>,
}

/// The hook that shares its secret with whoever sent a message, in the environment that is in use;
/// `None` where there is none: what is tried settles nothing that counts. Each is compared in a
/// time that says nothing of the secret.
pub fn believed(hooks: Vec<Hook>, request: &CxmlRequest) -> Option<CxmlDoorway> {
    let shown = request.secret.as_ref()?;
    let mut found = None;
    for hook in hooks.into_iter().filter(|hook| hook.is_active) {
        let secrets = hook.secrets.first().and_then(|own| PartnerSecrets::parse(own.reveal()).ok());
        let own = secrets.as_ref().and_then(|secrets| secrets.of(request.mode));
        let own = own.filter(|_| mode_of(&hook) == Some(request.mode));
        if own.is_some_and(|own| is_same(own, shown)) && found.is_none() {
            found = Some(doorway(hook, request));
        }
    }
    found
}

/// The environment that is in use.
fn mode_of(hook: &Hook) -> Option<PartnerMode> {
    match ActionKind::of(&hook.action) {
        Some(ActionKind::TradingNetwork) => TradingAccounts::place(&hook.action).ok(),
        _ => CxmlAction::parse(&hook.action).ok().map(|action| action.place),
    }
    .map(|place| place.mode)
}

fn is_same(own: &Secret, shown: &Secret) -> bool {
    own.reveal().as_bytes().ct_eq(shown.reveal().as_bytes()).into()
}

fn doorway(hook: Hook, request: &CxmlRequest) -> CxmlDoorway {
    let (supplier, buyer) = match ActionKind::of(&hook.action) {
        Some(ActionKind::TradingNetwork) => {
            let accounts = TradingAccounts::parse(&hook.init).ok();
            let pair = accounts.and_then(|accounts| accounts.pair(&request.from, &request.to));
            pair.unzip()
        }
        _ => (None, CxmlAction::parse(&hook.action).ok().and_then(|action| action.buyer)),
    };
    let named = |own: &CxmlCredential| format!("{}:{}", own.domain, own.identity).parse().ok();
    let is_of_all = hook.scope == HookScope::Environment;
    CxmlDoorway {
        buyer: buyer.or_else(|| named(&request.from)),
        supplier: supplier.or_else(|| named(&request.to).filter(|_| is_of_all)),
        hook,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(mode: &str, secret: &str) -> CxmlRequest {
        let end = "<Credential domain=\"NetworkID\"><Identity>A</Identity>";
        let text = format!(
            "<cXML payloadID=\"1\"><Header><From>{end}</Credential></From><To>{end}</Credential>\
             </To><Sender>{end}<SharedSecret>{secret}</SharedSecret></Credential></Sender></Header>\
             <Request deploymentMode=\"{mode}\"><ProfileRequest/></Request></cXML>"
        );
        CxmlRequest::read(text.as_bytes()).unwrap()
    }

    #[test]
    fn only_a_message_of_the_mode_in_use_is_believed() {
        for (action, init) in [
            ("cxml://n.example/c?from=A&to=B", serde_json::json!({})),
            ("tradingnetwork://n.example/c", serde_json::json!({ "relationships": [] })),
        ] {
            for (own, mode, secret, is_believed) in [
                ("production", "production", "real", true),
                ("production", "test", "tried", false),
                ("production", "production", "tried", false),
                ("test", "test", "tried", true),
                ("test", "production", "real", false),
            ] {
                let sign = if action.contains('?') { '&' } else { '?' };
                let hook = Hook {
                    action: format!("{action}{sign}mode={own}"),
                    init: init.clone(),
                    secrets: vec![Secret::new("production=real&test=tried")],
                    ..crate::hooks::bare_hook("of", "net")
                };
                let found = believed(vec![hook], &request(mode, secret));
                assert_eq!(found.is_some(), is_believed, "{action} {own}: {mode} {secret}");
            }
        }
    }
}
