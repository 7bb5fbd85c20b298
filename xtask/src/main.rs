//! The chores of the house: `cargo xtask check | tidy | codelists | structure | subsets |
//! rules | release | parity | siege | bench | profile`.

mod bench;
mod check;
mod codelists;
mod codes;
mod parity;
mod profile;
mod release;
mod rules;
mod structure;
mod subsets;
mod tidy;

const USAGE: &str = "usage: cargo xtask check          format, lints, tidy
       cargo xtask tidy           the rules of the house only
       cargo xtask codelists      regenerate the code list tables
       cargo xtask structure [ID] regenerate the structure tables, or one of them
       cargo xtask subsets        regenerate the code lists and structure rules of documents
       cargo xtask rules [FOLDER] write the pages of the rules, into target/rules
       cargo xtask release PUBLISHER VERSION [PUBLISHED MANDATORY]
                                  make the skeleton of a release of rules
       cargo xtask parity [PART]  judge with the built-in rules and the official files, and write
                                  docs/reference/parity.md; or only the sets of a name
       cargo xtask siege [SECONDS] attack a service beside honest documents: an hour, or so long
       cargo xtask bench [NAME]   run one bench, or all:{benches}
       cargo xtask profile [NAME] run a bench (e2e) under perf: a flame graph, and whose work it is,
                                  in target/profile";

/// What can be asked, with the benches that there are.
fn usage() -> String {
    const MARGIN: &str = "\n                                  ";
    let mut lines = Vec::new();
    for names in bench::names().chunks(7) {
        lines.push(format!("{MARGIN}{}", names.join(", ")));
    }
    USAGE.replace("{benches}", &lines.join(","))
}

fn main() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut arguments = std::env::args().skip(1);
    let answer = match arguments.next().as_deref() {
        Some("check") => check::run(&root),
        Some("tidy") => tidy::run(&root),
        Some("codelists") => codelists::run(&root),
        Some("structure") => structure::run(&root, arguments.next().as_deref()),
        Some("subsets") => subsets::run(&root),
        Some("rules") => rules::run(&root, arguments.next().as_deref()),
        Some("release") => release::run(&root, &arguments.collect::<Vec<_>>()),
        Some("parity") => parity::run(&root, arguments.next().as_deref()),
        Some("siege") => bench::siege(&root, arguments.next().as_deref()),
        Some("profile") => profile::run(&root, arguments.next().as_deref()),
        Some("bench") => bench::run(&root, arguments.next().as_deref()),
        _ => Err(usage()),
    };
    if let Err(error) = answer {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
