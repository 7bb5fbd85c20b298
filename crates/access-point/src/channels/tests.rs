//! The tables of channels say the same, and each row is whole.

use std::collections::BTreeSet;

use quoin_delivery::channel;
use quoin_delivery::hook::kinds;

use super::*;

#[test]
fn every_row_has_a_folder_and_every_folder_a_row() {
    let rows: Vec<ActionKind> = channel::CHANNELS.iter().map(|row| row.hook.kind).collect();
    let folders: Vec<ActionKind> = CHANNELS.iter().map(|channel| channel.kind()).collect();
    assert_eq!(rows, folders);
}

#[test]
fn every_row_is_whole() {
    let mut protocols = BTreeSet::new();
    for row in channel::CHANNELS {
        assert_eq!(kinds().filter(|kind| kind.kind == row.hook.kind).count(), 1, "{row:?}");
        assert!(!row.routed.is_empty() && row.routed.trim() == row.routed, "{row:?}");
        assert!(row.delivered.ends_with('.'), "{row:?}");
        assert!(protocols.insert(row.protocol), "{row:?}: another has its protocol");
    }
    let networks = channel::CHANNELS.iter().filter(|row| row.network);
    assert_eq!(networks.count(), 1, "one of them is there without being registered");
}

#[test]
fn what_no_channel_is_has_no_folder() {
    for kind in kinds().filter(|row| channel::row(row.kind).is_none()) {
        assert!(of(kind.kind).is_none(), "{kind:?}");
    }
}

#[test]
fn no_example_of_a_manual_is_refused() {
    let from = "a@example.org".parse().unwrap();
    let senders = Some(crate::mail::Senders { from, domains: Vec::new() });
    let allowed = Allowed { senders, ..Allowed::default() };
    for channel in CHANNELS {
        let manual = channel.manual();
        assert_eq!(ActionKind::of(manual.example), Some(channel.kind()));
        let example = manual.example.replace("KEY", &"A".repeat(43));
        let checked = channel.check(&example, &allowed);
        assert!(checked.is_ok(), "{}: {checked:?}", manual.example);
        let texts = [manual.formats, manual.received, manual.doubles];
        assert!(texts.iter().all(|text| text.ends_with('.')), "{}", manual.example);
        assert!(!manual.needs.is_empty(), "{}", manual.example);
        for name in channel.sealed_fields() {
            let need = manual.needs.iter().find(|need| need.name == *name).unwrap();
            assert!(need.is_secret && need.place == "init", "{name}");
        }
    }
}
