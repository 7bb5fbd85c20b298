//! Procurement network 2: accounts, and a relationship for each pair of a supplier and a buyer, in
//! the `init` of the hook. In the test environment the account has the same id with `-T` behind it.

use quoin_model::text::quoted;
use quoin_peppol::identifiers::ParticipantId;
use serde::Deserialize;

use super::credential::{CxmlCredential, CxmlEnds};
use crate::partner::{PartnerAction, PartnerError, PartnerFault, PartnerFaultKind, PartnerMode};

/// How the action begins.
pub const TRADING_NETWORK: &str = "tradingnetwork://";
/// What an account of the test environment ends with.
const TEST: &str = "-T";
/// Relationships of one hook.
const MOST: usize = 5_000;

/// The relationships of a hook.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TradingAccounts {
    /// One for each pair.
    #[serde(default)]
    pub relationships: Vec<TradingRelationship>,
}

/// A supplier and a buyer who agreed to trade over the network.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TradingRelationship {
    /// The supplier, `scheme:identifier`.
    pub supplier: String,
    /// The id of the supplier's account, which it shared with the buyer.
    pub supplier_account: String,
    /// The buyer, `scheme:identifier`.
    pub buyer: String,
    /// The id of the buyer's account.
    pub buyer_account: String,
}

impl TradingAccounts {
    /// The place in an action.
    ///
    /// # Errors
    /// [`PartnerError`].
    pub fn place(action: &str) -> Result<PartnerAction, PartnerError> {
        PartnerAction::parse(action, TRADING_NETWORK, &[])
    }

    /// Reads the `init` of a hook.
    ///
    /// # Errors
    /// [`PartnerError::Init`] with what is wrong.
    pub fn parse(init: &serde_json::Value) -> Result<TradingAccounts, PartnerError> {
        let wrong = |why: String| PartnerError::Init(why);
        if init.is_null() {
            return Ok(TradingAccounts { relationships: Vec::new() });
        }
        let read: TradingAccounts =
            serde_json::from_value(init.clone()).map_err(|error| wrong(error.to_string()))?;
        if read.relationships.len() > MOST {
            return Err(wrong(format!("there are more than {MOST} relationships")));
        }
        let mut pairs = std::collections::BTreeSet::new();
        for (at, one) in read.relationships.iter().enumerate() {
            let place = format!("relationships[{at}]");
            let (supplier, buyer) = (folded(&one.supplier), folded(&one.buyer));
            for (name, id, read) in
                [("supplier", &one.supplier, &supplier), ("buyer", &one.buyer, &buyer)]
            {
                if read.is_none() {
                    let why = "expected a participant, as in 0106:12345678";
                    return Err(wrong(format!(
                        "{place}.{name} is {id}; {why}",
                        id = quoted(id, 80)
                    )));
                }
            }
            for (name, account) in
                [("supplierAccount", &one.supplier_account), ("buyerAccount", &one.buyer_account)]
            {
                if !is_account(account) {
                    let why = "expected the id of an account without -T, which the mode adds";
                    return Err(wrong(format!(
                        "{place}.{name} is {account}; {why}",
                        account = quoted(account, 80)
                    )));
                }
            }
            if !pairs.insert((supplier, buyer)) {
                return Err(wrong(format!("{place} is of a pair that has one already")));
            }
        }
        Ok(read)
    }

    /// Who is who on the way from a sender to a receiver: a supplier sends invoices to a buyer, who
    /// sends orders.
    ///
    /// # Errors
    /// [`PartnerFaultKind::Relationship`] where none is on record.
    pub fn ends(
        &self,
        sender: &ParticipantId,
        receiver: &ParticipantId,
        mode: PartnerMode,
    ) -> Result<CxmlEnds, PartnerFault> {
        let (from, to) = (Some(sender.folded()), Some(receiver.folded()));
        let found = self.relationships.iter().find_map(|one| {
            let (supplier, buyer) = (folded(&one.supplier), folded(&one.buyer));
            if (&supplier, &buyer) == (&from, &to) {
                return Some((&one.supplier_account, &one.buyer_account));
            }
            ((&buyer, &supplier) == (&from, &to))
                .then_some((&one.buyer_account, &one.supplier_account))
        });
        let Some((from, to)) = found else {
            let cause = format!(
                "no trading relationship of {sender} and {receiver} is on record: the supplier \
                 shares the id of its account with the buyer, and both ids are put into \
                 init.relationships of the hook"
            );
            return Err(PartnerFault::new(PartnerFaultKind::Relationship, cause));
        };
        let account = |id: &str| match mode {
            PartnerMode::Production => CxmlCredential::account(id),
            PartnerMode::Test => CxmlCredential::account(format!("{id}{TEST}")),
        };
        let from = account(from);
        Ok(CxmlEnds { to: account(to), sender: from.clone(), from })
    }
}

impl TradingAccounts {
    /// The supplier and the buyer behind the credentials of an order, which the buyer sends.
    pub fn pair(
        &self,
        from: &CxmlCredential,
        to: &CxmlCredential,
    ) -> Option<(ParticipantId, ParticipantId)> {
        let bare = |own: &CxmlCredential| {
            own.identity.strip_suffix(TEST).unwrap_or(&own.identity).to_owned()
        };
        let (buyer, supplier) = (bare(from), bare(to));
        let mut all = self.relationships.iter();
        let found = all.find(|one| one.buyer_account == buyer && one.supplier_account == supplier);
        found.and_then(|one| Some((one.supplier.parse().ok()?, one.buyer.parse().ok()?)))
    }
}

fn folded(text: &str) -> Option<String> {
    text.parse::<ParticipantId>().ok().map(|id| id.folded())
}

fn is_account(text: &str) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'@');
    (1..=64).contains(&text.len()) && text.bytes().all(plain) && !text.ends_with(TEST)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn accounts(rows: serde_json::Value) -> Result<TradingAccounts, String> {
        TradingAccounts::parse(&json!({ "relationships": rows })).map_err(|error| error.to_string())
    }

    fn row(supplier: &str, of_supplier: &str, buyer: &str, of_buyer: &str) -> serde_json::Value {
        json!({ "supplier": supplier, "supplierAccount": of_supplier,
                "buyer": buyer, "buyerAccount": of_buyer })
    }

    const S: &str = "0106:12345678";
    const B: &str = "0208:0123456749";

    #[test]
    fn each_pair_has_its_accounts_in_both_directions() {
        let own = accounts(json!([row(S, "AN01", B, "AN02"), row(S, "AN03", "0088:1", "AN04")]));
        let own = own.unwrap();
        let (s, b): (ParticipantId, ParticipantId) = (S.parse().unwrap(), B.parse().unwrap());
        let shown = |from: &ParticipantId, to: &ParticipantId, mode| {
            own.ends(from, to, mode)
                .map(|ends| format!("{} {} {}", ends.from, ends.to, ends.sender))
        };
        let invoice = shown(&s, &b, PartnerMode::Production).unwrap();
        assert_eq!(invoice, "NetworkID:AN01 NetworkID:AN02 NetworkID:AN01");
        let order = shown(&b, &s, PartnerMode::Test).unwrap();
        assert_eq!(order, "NetworkID:AN02-T NetworkID:AN01-T NetworkID:AN02-T");
        let fault = shown(&s, &"0088:2".parse().unwrap(), PartnerMode::Test).unwrap_err();
        assert_eq!(fault.kind, PartnerFaultKind::Relationship);
        for word in [S, "0088:2", "init.relationships"] {
            assert!(fault.cause.contains(word), "{}", fault.cause);
        }
    }

    #[test]
    fn what_is_wrong_with_a_relationship_is_told_with_its_place() {
        for (rows, word) in [
            (json!([row(S, "AN01", "nobody", "AN02")]), "relationships[0].buyer is \"nobody\""),
            (json!([row(S, "AN01-T", B, "AN02")]), "relationships[0].supplierAccount"),
            (json!([row(S, "AN01", B, "A N")]), "relationships[0].buyerAccount"),
            (json!([row(S, "A", B, "B"), row(S, "C", B, "D")]), "relationships[1] is of a pair"),
            (json!([{ "supplier": S }]), "supplierAccount"),
            (json!([row(S, "", B, "B")]), "supplierAccount is \"\""),
        ] {
            let error = accounts(rows).unwrap_err();
            assert!(error.starts_with("init: ") && error.contains(word), "{error}");
        }
        let error = TradingAccounts::parse(&json!({ "relations": [] })).unwrap_err().to_string();
        assert!(error.contains("relations"), "{error}");
        assert!(TradingAccounts::parse(&serde_json::Value::Null).unwrap().relationships.is_empty());
    }
}
