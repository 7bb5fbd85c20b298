//! The tables of channels say the same, and each row is whole.

use std::collections::BTreeSet;

use quoin_delivery::channel;
use quoin_delivery::hook::KINDS;

use super::*;

#[test]
fn every_row_has_a_folder_and_every_folder_a_row() {
    let rows: Vec<ActionKind> = channel::CHANNELS.iter().map(|row| row.kind).collect();
    let folders: Vec<ActionKind> = CHANNELS.iter().map(|channel| channel.kind()).collect();
    assert_eq!(rows, folders);
}

#[test]
fn every_row_is_whole() {
    let mut protocols = BTreeSet::new();
    for row in channel::CHANNELS {
        assert!(KINDS.iter().any(|kind| kind.kind == row.kind), "{row:?} has no kind of hook");
        assert!(!row.routed.is_empty() && row.routed.trim() == row.routed, "{row:?}");
        assert!(row.delivered.ends_with('.'), "{row:?}");
        assert!(protocols.insert(row.protocol), "{row:?}: another has its protocol");
    }
    let networks = channel::CHANNELS.iter().filter(|row| row.network);
    assert_eq!(networks.count(), 1, "one of them is there without being registered");
}

#[test]
fn what_no_channel_is_has_no_folder() {
    for kind in KINDS.iter().filter(|row| channel::row(row.kind).is_none()) {
        assert!(of(kind.kind).is_none(), "{kind:?}");
    }
}
