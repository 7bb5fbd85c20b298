//! The verb: the document, the list, and the exit codes.

use super::*;

const UBL: &str = include_str!("../../../formats/samples/every-term-ubl-invoice.xml");

/// A folder of a test of its own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("quoin-convert-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn arguments(folder: &Path, text: &str, to: &str) -> Convert {
    let file = folder.join("in.xml");
    std::fs::write(&file, text).unwrap();
    let to = to.to_owned();
    let (output, losses) = (Some(folder.join("out.xml")), Some(folder.join("losses.jsonl")));
    Convert { file, to, output, losses, invoice: None }
}

#[test]
fn a_document_is_written_with_its_list() {
    let folder = folder("written");
    let call = arguments(&folder, UBL, "cii");
    assert_eq!(convert(&call), Ok(ExitCode::SUCCESS));
    let written = std::fs::read_to_string(folder.join("out.xml")).unwrap();
    assert!(written.contains("<rsm:CrossIndustryInvoice "));
    let list = std::fs::read_to_string(folder.join("losses.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> =
        list.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["kind"], "derived");
    assert_eq!(rows[0]["sourcePath"], "/Invoice[1]/cac:ProjectReference[1]");
    assert!(rows[0]["targetPath"].as_str().unwrap().ends_with("/ram:Name"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_refusal_is_1_and_an_unreadable_file_2() {
    let folder = folder("refused");
    let refused = UBL.replacen(">380<", ">381<", 1);
    let call = arguments(&folder, &refused, "cii");
    assert_eq!(convert(&call), Ok(ExitCode::from(1)));
    let call = arguments(&folder, "no XML", "cii");
    assert!(convert(&call).is_err());
    assert!(!folder.join("out.xml").exists());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_folder_becomes_a_folder_and_what_is_refused_is_counted() {
    let folder = folder("folder");
    let (own, other) = (folder.join("in"), folder.join("out"));
    std::fs::create_dir_all(own.join("deep")).unwrap();
    std::fs::write(own.join("a.xml"), UBL).unwrap();
    std::fs::write(own.join("deep/b.xml"), UBL).unwrap();
    std::fs::write(own.join("notes.txt"), "no document").unwrap();
    let call = |output: Option<PathBuf>| Convert {
        file: own.clone(),
        to: "cii".to_owned(),
        output,
        losses: Some(folder.join("losses.jsonl")),
        invoice: None,
    };
    assert_eq!(convert(&call(Some(other.clone()))), Ok(ExitCode::SUCCESS));
    for name in ["a.xml", "deep/b.xml"] {
        let text = std::fs::read_to_string(other.join(name)).unwrap();
        assert!(text.contains("<rsm:CrossIndustryInvoice "), "{name}");
    }
    let list = std::fs::read_to_string(folder.join("losses.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> =
        list.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["file"], &rows[1]["file"]), (&"a.xml".into(), &"deep/b.xml".into()));
    // One that is refused does not stop the others; one that is no XML is told by the exit code.
    std::fs::write(own.join("a.xml"), UBL.replacen(">380<", ">381<", 1)).unwrap();
    assert_eq!(convert(&call(Some(other.clone()))), Ok(ExitCode::from(1)));
    std::fs::write(own.join("a.xml"), "no XML").unwrap();
    assert_eq!(convert(&call(Some(other))), Ok(ExitCode::from(2)));
    // Without a folder to write to, or into the folder that is read.
    assert!(convert(&call(None)).unwrap_err().contains("--output"));
    assert!(convert(&call(Some(own.join("out")))).unwrap_err().contains("inside"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A FatturaPA with the same body twice.
fn two_bodies() -> String {
    let one = include_str!("../../../formats/samples/fatturapa.xml");
    let start = one.find("<FatturaElettronicaBody>").unwrap();
    let end = one.find("</FatturaElettronicaBody>").unwrap() + "</FatturaElettronicaBody>".len();
    format!("{}{}{}", &one[..end], &one[start..end], &one[end..])
}

#[test]
fn each_invoice_of_a_file_becomes_a_file_or_the_one_that_is_asked_for() {
    let folder = folder("several");
    let call = arguments(&folder, &two_bodies(), "json");
    assert_eq!(convert(&call), Ok(ExitCode::SUCCESS));
    let written = |name: &str| folder.join(name).exists();
    assert!(written("out-1.xml") && written("out-2.xml") && !written("out.xml"));
    let second = Convert { invoice: Some(2), ..arguments(&folder, &two_bodies(), "json") };
    assert_eq!(convert(&second), Ok(ExitCode::SUCCESS));
    assert!(written("out.xml"));
    let third = Convert { invoice: Some(3), ..arguments(&folder, &two_bodies(), "json") };
    assert!(convert(&third).unwrap_err().contains("it holds 2"));
    let printed = Convert { output: None, ..arguments(&folder, &two_bodies(), "json") };
    let refused = convert(&printed).unwrap_err();
    assert!(refused.contains("it holds 2 invoices") && refused.contains("--invoice"), "{refused}");
    let other = Convert { invoice: Some(2), ..arguments(&folder, UBL, "cii") };
    assert!(convert(&other).unwrap_err().contains("it holds one"));
    std::fs::remove_dir_all(&folder).unwrap();
}
