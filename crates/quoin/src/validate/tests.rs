//! The batch keeps its order and its window; files are found; exit codes say what they say.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use quoin_formats::samples;

use super::*;

fn names(count: usize) -> Vec<PathBuf> {
    (0..count).map(|number| PathBuf::from(number.to_string())).collect()
}

#[test]
fn results_come_in_the_order_of_the_files() {
    let files = names(500);
    let mut seen = Vec::new();
    let batch = Batch { jobs: 8, progress: false };
    let slow_first = |file: &Path| {
        if file.to_string_lossy().ends_with('0') {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        file.to_path_buf()
    };
    let taken: Result<(), String> = batch.run(&files, slow_first, |file, result| {
        assert_eq!(file, result);
        seen.push(result);
        Ok(())
    });
    assert_eq!((taken, seen), (Ok(()), files));
}

#[test]
fn nobody_runs_ahead_of_what_was_taken() {
    let (files, begun, taken) = (names(300), AtomicUsize::new(0), AtomicUsize::new(0));
    let batch = Batch { jobs: 4, progress: false };
    let work = |_: &Path| {
        let ahead = begun.fetch_add(1, Ordering::SeqCst) + 1 - taken.load(Ordering::SeqCst);
        assert!(ahead <= 4 * 8 + 4, "{ahead} ahead");
    };
    let outcome: Result<(), String> = batch.run(&files, work, |_, ()| {
        taken.fetch_add(1, Ordering::SeqCst);
        Ok(())
    });
    assert_eq!((outcome, begun.into_inner()), (Ok(()), 300));
}

#[test]
fn an_error_ends_the_batch() {
    let (files, begun) = (names(10_000), AtomicUsize::new(0));
    let batch = Batch { jobs: 2, progress: false };
    let work = |_: &Path| begun.fetch_add(1, Ordering::SeqCst);
    let outcome = batch.run(&files, work, |_, _| Err("closed".to_owned()));
    assert_eq!(outcome, Err("closed".to_owned()));
    assert!(begun.into_inner() <= 2 * 8 + 4);
}

#[test]
fn every_verdict_has_an_exit_code_of_its_own() {
    assert_eq!(ending(0, None), ExitCode::SUCCESS);
    assert_eq!(ending(0, Some(Verdict::Valid)), ExitCode::SUCCESS);
    assert_eq!(ending(0, Some(Verdict::NotValid)), ExitCode::FAILURE);
    assert_eq!(ending(0, Some(Verdict::Unroutable)), ExitCode::from(3));
    assert_eq!(ending(0, Some(Verdict::NotJudged)), ExitCode::from(4));
    assert_eq!(ending(1, None), ExitCode::from(2));
    assert_eq!(ending(1, Some(Verdict::NotValid)), ExitCode::from(2));
}

#[test]
fn a_day_is_a_date_or_today_and_never_the_documents() {
    assert_eq!("today".parse(), Ok(Day::Today));
    assert!("document".parse::<Day>().unwrap_err().contains("the day on which it is sent"));
    assert_eq!("2026-05-18".parse(), Ok(Day::Is(jiff::civil::date(2026, 5, 18))));
    let error = "18-05-2026".parse::<Day>().unwrap_err();
    assert!("20260518".parse::<Day>().is_err(), "days are written in one way");
    assert!(error.contains("expected today or a date as in 2026-05-18"), "{error}");
}

#[test]
fn folders_are_read_in_order_and_empty_ones_are_told() {
    let folder = std::env::temp_dir().join(format!("quoin-files-{}", std::process::id()));
    let deep = folder.join("b/c");
    std::fs::create_dir_all(&deep).unwrap();
    assert!(files::collect(std::slice::from_ref(&folder)).unwrap_err().contains("no .xml"));
    for name in ["z.xml", "a.XML", "b/c/m.xml", "b/notes.txt"] {
        std::fs::write(folder.join(name), samples::INVOICE).unwrap();
    }
    let found = files::collect(&[folder.clone(), PathBuf::from("-")]).unwrap();
    let wanted = ["a.XML", "b/c/m.xml", "z.xml"].map(|name| folder.join(name));
    assert_eq!(found, [&wanted[..], &[PathBuf::from("-")]].concat());
    let twice = files::collect(&["-", "-"].map(PathBuf::from)).unwrap_err();
    assert!(twice.contains("named twice"), "{twice}");
    assert_eq!(files::read(&wanted[0]).unwrap(), samples::INVOICE.as_bytes());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_line_of_json_is_one_document() {
    let wrong = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    let day = jiff::civil::date(2026, 5, 20);
    let judged = validate_file(wrong.as_bytes(), day, &Options::default());
    let rendered = out::render(ReportFormat::Json, false, false, "a\nb.xml", &judged);
    assert_eq!((rendered.tally.documents(), rendered.tally.of(Verdict::NotValid)), (1, 1));
    assert_eq!(rendered.fatal.get("BR-CO-16"), Some(&1));
    assert_eq!(rendered.text.lines().count(), 1);
    let line: serde_json::Value = serde_json::from_str(&rendered.text).unwrap();
    assert_eq!((&line["file"], &line["isValid"]), (&"a\nb.xml".into(), &false.into()));
    assert_eq!(line["findings"][0]["rule"], "BR-CO-16");
}
