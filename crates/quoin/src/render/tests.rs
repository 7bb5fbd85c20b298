//! The verb: the page, the file, the folder, and the exit codes.

use super::*;

const UBL: &str = include_str!("../../../formats/samples/every-term-ubl-invoice.xml");

/// A folder of a test of its own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("quoin-render-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn arguments(file: PathBuf, form: &str, output: PathBuf) -> Render {
    let (form, output) = (form.to_owned(), Some(output));
    Render { file, form, profile: None, language: Language::De, findings: true, output }
}

#[test]
fn a_document_is_shown_in_each_form() {
    let folder = folder("forms");
    let file = folder.join("in.xml");
    std::fs::write(&file, UBL).unwrap();
    for (form, start) in [("html", "<!DOCTYPE html>"), ("pdf", "%PDF-1.7"), ("factur-x", "%PDF")] {
        let output = folder.join("out");
        let call = arguments(file.clone(), form, output.clone());
        assert_eq!(run(&call), Ok(ExitCode::SUCCESS), "{form}");
        assert!(std::fs::read(&output).unwrap().starts_with(start.as_bytes()), "{form}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_has_no_data_to_embed_is_refused() {
    let folder = folder("refused");
    let file = folder.join("in.xml");
    std::fs::write(&file, "<x/>").unwrap();
    let call = arguments(file, "factur-x", folder.join("out"));
    assert_eq!(run(&call), Ok(ExitCode::from(1)));
    assert!(!folder.join("out").exists());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn of_a_folder_each_document_becomes_a_page() {
    let folder = folder("batch");
    let (from, to) = (folder.join("from/deep"), folder.join("to"));
    std::fs::create_dir_all(&from).unwrap();
    std::fs::write(from.join("a.xml"), UBL).unwrap();
    std::fs::write(from.join("b.xml"), "no xml").unwrap();
    let call = arguments(folder.join("from"), "html", to.clone());
    assert_eq!(run(&call), Ok(ExitCode::from(2)), "one could not be read");
    assert!(to.join("deep/a.html").is_file() && !to.join("deep/b.html").exists());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_profile_of_a_hybrid_is_the_one_that_is_asked_for() {
    let folder = folder("profiles");
    let (file, output) = (folder.join("in.xml"), folder.join("out"));
    std::fs::write(&file, quoin_formats::samples::INVOICE).unwrap();
    for level in FacturXLevel::ALL {
        let plain = arguments(file.clone(), "factur-x", output.clone());
        let call = Render { profile: Some(level.name().to_owned()), ..plain };
        assert_eq!(run(&call), Ok(ExitCode::SUCCESS), "{level:?}");
        let inside = quoin_formats::inside(&std::fs::read(&output).unwrap()).unwrap();
        let read = quoin_formats::readers::read_invoice_at(inside.root().unwrap()).unwrap();
        let guideline = read.invoice.process.customization.text().unwrap();
        assert_eq!(FacturXLevel::of_guideline(&guideline), Some(*level));
    }
    let call = arguments(file, "pdf", output);
    let call = Render { profile: Some("basic".to_owned()), ..call };
    assert!(run(&call).is_err(), "a page has no profile");
    std::fs::remove_dir_all(&folder).unwrap();
}
