//! Shows documents by hand:
//! `cargo run -p quoin-render --example render -- LANGUAGE FORM FOLDER FILE…`.

#![allow(clippy::disallowed_methods, reason = "an example reads and writes files")]

use quoin_model::Language;
use quoin_render::{RenderForm, RenderRequest, render};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().unwrap_or_default();
    let language = Language::of(&next()).unwrap_or_default();
    let form = RenderForm::named(&next()).unwrap_or(RenderForm::Html);
    let folder = std::path::PathBuf::from(next());
    for file in arguments {
        let bytes = std::fs::read(&file).unwrap_or_default();
        let parsed = quoin_formats::opened(&bytes);
        let request = RenderRequest { language, form, level: None, findings: &[] };
        let started = std::time::Instant::now();
        match render(&parsed, &request) {
            Ok(shown) => {
                let taken = started.elapsed();
                let name = std::path::Path::new(&file).file_stem().unwrap_or_default();
                let place = folder.join(name).with_extension(form.extension());
                println!("{} {} {taken:?}", place.display(), shown.bytes.len());
                if let Err(error) = std::fs::write(&place, shown.bytes) {
                    eprintln!("{}: {error}", place.display());
                }
            }
            Err(refusal) => eprintln!("{file}: {refusal}"),
        }
    }
}
