//! The table of budgets in `docs/operating/limits.md`, made from what is in force: what each one
//! protects, how large it is, who hits it, what is answered, and how it is raised. A budget without
//! a row here is a failing test.

use std::borrow::Cow;

use super::bytes::SMALL;
use super::pool::{PURPOSES, PurposeRow, sizes};
use super::{
    Budgets, CALLS, CALLS_OF_ONE, FIRST_CALLS, FIRST_CALLS_OF_ONE, FOLLOWERS, HOOKS, LOOKUPS,
    PASSWORDS, Purpose, SPOOL,
};
use crate::config::LimitsSection;

/// What the manual says about a budget: its name, what it protects, how large it is and one's share
/// of it, who hits it, what is answered, and what raises it.
struct ManualRow {
    name: &'static str,
    protects: &'static str,
    size: String,
    hit_by: &'static str,
    answer: Cow<'static, str>,
    raise: &'static str,
}

/// The table, in the order of [`Budgets::all`].
pub fn table() -> String {
    let mut text = String::from(
        "| budget | protects | size, and the share of one | who hits it | what is answered | \
         how to raise it |\n|---|---|---|---|---|---|\n",
    );
    for ManualRow { name, protects, size, hit_by, answer, raise } in rows() {
        let line = format!("| `{name}` | {protects} | {size} | {hit_by} | {answer} | {raise} |\n");
        text.push_str(&line);
    }
    text
}

/// The names that the table has.
pub fn names() -> Vec<&'static str> {
    rows().into_iter().map(|row| row.name).collect()
}

fn rows() -> Vec<ManualRow> {
    let limits = LimitsSection::default();
    let mut rows = memory(&limits);
    rows.extend(PURPOSES.iter().map(threads));
    rows.extend(destinations());
    rows.push(ManualRow {
        name: "passwords",
        protects: "memory and processors from password hashes of 19 MiB each",
        size: format!("{}; {} wait", PASSWORDS.total, PASSWORDS.waiting),
        hit_by: "whoever tries or sets many passwords",
        answer: "the token request, the sign-in by HTTP basic or the change of a user waits 30 s, \
                 then 503 with `Retry-After: 5`"
            .into(),
        raise: "not configurable",
    });
    rows.push(ManualRow {
        name: "followers",
        protects: "the interface and the store from many who follow the events",
        size: format!("{}; {} of one organisation", FOLLOWERS.total, FOLLOWERS.share),
        hit_by: "clients that follow the event stream over many connections",
        answer: "503 with `Retry-After: 60`".into(),
        raise: "not configurable",
    });
    let size = format!("{}; {} of one address", limits.connections, limits.connections_per_address);
    for name in CONNECTIONS {
        rows.push(ManualRow {
            name,
            protects: "places and descriptors of this listener",
            size: size.clone(),
            hit_by: "silent or very many connections",
            answer: "idle ones are ended first; one over its share is closed".into(),
            raise: "`limits.connections`, `limits.connections_per_address`, `ulimit -n`",
        });
    }
    rows
}

/// The listeners, each with its connections.
const CONNECTIONS: &[&str] =
    &["connections_api", "connections_as4", "connections_smp", "connections_metrics"];

fn memory(limits: &LimitsSection) -> Vec<ManualRow> {
    let budgets = Budgets::new(limits);
    let total = budgets.bytes.total() >> 20;
    vec![
        ManualRow {
            name: "bytes",
            protects: "memory from messages, uploads and documents under way",
            size: format!(
                "{total} MiB: {} of an organisation, access point or destination, {} of all \
                 strangers, {} of one; the last {} for holdings up to {} KiB",
                total / 2,
                total / 4,
                total / 16,
                total / 8,
                SMALL >> 10
            ),
            hit_by: "many or large messages at a time",
            answer: "waits in turn for a moment, then 503 with `Retry-After: 5`; the worker waits"
                .into(),
            raise: "`limits.memory_megabytes`",
        },
        ManualRow {
            name: "spool",
            protects: "the disk from what is large while it arrives or is sent",
            size: format!("{} MiB; half of one", SPOOL >> 20),
            hit_by: "organisations and access points that send much at a time",
            answer: "503 with `Retry-After: 5`".into(),
            raise: "not configurable",
        },
    ]
}

fn threads(row: &PurposeRow) -> ManualRow {
    let PurposeRow { purpose, name, patience, .. } = *row;
    let of = |cores: usize| sizes(purpose, cores).total;
    let waiting = sizes(purpose, 2).waiting;
    const TENANTS: &str = "organisations, in turn";
    let (protects, hit_by, then) = match purpose {
        Purpose::As4Open => ("listeners from opening messages", "access points", ", then 503"),
        Purpose::As4Large => (
            "memory from messages above 4 MiB, as they come or decompressed: one is opened at a time",
            "access points",
            ", then 503",
        ),
        Purpose::Answer => ("the worker from reading answers", "SMPs and access points", ""),
        Purpose::Seal => ("processors from sealing messages", TENANTS, ""),
        Purpose::Validate => ("processors from documents in the worker", TENANTS, ""),
        Purpose::ValidateNow => {
            ("processors from documents in requests", TENANTS, ", then 503 with `Retry-After: 5`")
        }
    };
    ManualRow {
        name,
        protects,
        size: format!("{} on 2 cores, {} on 8; {waiting} wait", of(2), of(8)),
        hit_by,
        answer: format!("waits {patience} s{then}").into(),
        raise: "more cores",
    }
}

fn destinations() -> Vec<ManualRow> {
    let size = |sizes: super::Sizes| format!("{}; {} of one host", sizes.total, sizes.share);
    let own = |sizes: super::Sizes, of_one| {
        let there = sizes.of_one_there();
        format!("{}, {there} of these and {of_one} of all of one organisation", size(sizes))
    };
    vec![
        ManualRow {
            name: "calls",
            protects: "the worker from access points that answered within 5 s when last called",
            size: format!("{}; {} wait", own(CALLS, CALLS_OF_ONE), CALLS.waiting_of_one),
            hit_by: "documents to one host",
            answer: "as `first_calls`".into(),
            raise: "not configurable",
        },
        ManualRow {
            name: "first_calls",
            protects: "the worker from access points that are slow or silent, or were not called yet",
            size: format!("{}; {} wait", own(FIRST_CALLS, FIRST_CALLS_OF_ONE), FIRST_CALLS.waiting_of_one),
            hit_by: "documents to one host",
            answer: "a document that finds no place waits half a second (the first two of an organisation \
                     five), then in turn in the lane of its organisation for that host; no attempt is used".into(),
            raise: "not configurable",
        },
        ManualRow {
            name: "lookups",
            protects: "the worker and the interface from SMPs that are slow or silent",
            size: format!("{}; {} wait", size(LOOKUPS), LOOKUPS.waiting_of_one),
            hit_by: "look-ups at one SMP",
            answer: "waits, then 503 `smp-trouble`; documents step aside".into(),
            raise: "not configurable",
        },
        ManualRow {
            name: "hooks",
            protects: "calls of hooks from those of others, and from hosts that are slow or silent",
            size: format!(
                "{}; {} of one organisation, 32 of them at one host; {} wait; of hooks that fail \
                 64, 16, 8 and 32",
                HOOKS.total, HOOKS.share, HOOKS.waiting_of_one
            ),
            hit_by: "an organisation with many hooks, or with slow ones",
            answer: "it waits for 30 s, in turn by organisation; then the call comes a second later".into(),
            raise: "not configurable",
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGIN: &str = "<!-- budgets: made from the code, UPDATE=1 writes it anew -->\n";
    const END: &str = "<!-- end of budgets -->";

    #[test]
    fn the_manual_has_every_budget_as_it_is() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operating/limits.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (head, rest) = page.split_once(BEGIN).expect("the page has the table");
        let (found, tail) = rest.split_once(END).expect("the table has an end");
        if quoin_testing::writes_anew() {
            std::fs::write(path, format!("{head}{BEGIN}{}{END}{tail}", table())).unwrap();
            return;
        }
        assert_eq!(
            found,
            table(),
            "UPDATE=1 cargo test -p quoin-access-point --lib manual writes it anew"
        );
    }

    #[test]
    fn every_budget_has_a_row() {
        let known = names();
        let all = Budgets::default().all();
        for meter in &all {
            let name = meter.read().name;
            assert!(known.contains(&name), "{name} is not in the manual");
        }
        assert_eq!(all.len() + CONNECTIONS.len(), known.len(), "the manual names another one");
    }
}
