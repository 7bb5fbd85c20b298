//! The chores of the house: `cargo xtask check | tidy | codelists | bench`.

mod bench;
mod check;
mod codelists;
mod tidy;

const USAGE: &str = "usage: cargo xtask check          format, lints, tidy
       cargo xtask tidy           the rules of the house only
       cargo xtask codelists      regenerate the code list tables
       cargo xtask bench [NAME]   run one bench, or all: as4, e2e, xml";

fn main() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut arguments = std::env::args().skip(1);
    let answer = match arguments.next().as_deref() {
        Some("check") => check::run(&root),
        Some("tidy") => tidy::run(&root),
        Some("codelists") => codelists::run(&root),
        Some("bench") => bench::run(&root, arguments.next().as_deref()),
        _ => Err(USAGE.to_owned()),
    };
    if let Err(error) = answer {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
