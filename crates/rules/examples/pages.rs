//! Writes the pages of the rules into a folder, in English: `cargo xtask rules [FOLDER]`.

#![allow(clippy::disallowed_methods, reason = "a tool that writes files, outside the room")]

use std::path::PathBuf;

use quoin_model::Language;
use quoin_rules::explain::pages::{Links, PageTopic};

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or("target/rules".into()));
    std::fs::create_dir_all(folder.join("sets"))?;
    let (mut pages, mut bytes) = (0, 0);
    for topic in PageTopic::all() {
        let Some(page) = topic.page(Language::En) else { continue };
        let text = page.markdown(Links::Files);
        std::fs::write(folder.join(Links::Files.place(&topic)), &text)?;
        (pages, bytes) = (pages + 1, bytes + text.len());
    }
    println!("wrote {pages} pages, {bytes} bytes, into {}", folder.display());
    Ok(())
}
