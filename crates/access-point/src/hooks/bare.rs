//! A hook of nothing, for tests.

use jiff::Timestamp;
use quoin_store::{Hook, HookScope};

pub(crate) fn bare_hook(organisation: &str, id: &str) -> Hook {
    Hook {
        organisation: organisation.parse().unwrap(),
        id: id.parse().unwrap(),
        key: id.parse().unwrap(),
        scope: HookScope::Environment,
        name: String::new(),
        action: String::new(),
        secrets: Vec::new(),
        topics: Vec::new(),
        output: Vec::new(),
        publish_topics: Vec::new(),
        filter: None,
        init: serde_json::Value::Null,
        sealed: Default::default(),
        is_active: true,
        created_on: Timestamp::UNIX_EPOCH,
        changed_on: Timestamp::UNIX_EPOCH,
        rotated_on: None,
        failing_since: None,
    }
}
