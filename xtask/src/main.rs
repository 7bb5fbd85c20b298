//! The chores of the house.

mod codelists;

fn main() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let answer = match std::env::args().nth(1).as_deref() {
        Some("codelists") => codelists::run(&root),
        _ => Err("usage: cargo xtask codelists".to_owned()),
    };
    if let Err(error) = answer {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
