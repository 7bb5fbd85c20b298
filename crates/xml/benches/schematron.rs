//! How fast official rule sets are compiled and applied, and what a document costs in memory.
//!
//! Against SaxonC: `interop/bench_saxon.py`. Needs the official artefacts; without them there is
//! nothing to measure.

use std::path::PathBuf;
use std::time::Duration;

use quoin_testing::bench::{Bench, invoice};
use quoin_testing::shared;
use quoin_xml::schematron::{
    FileResolver, PhaseChoice, ResolveError, RunOptions, SchematronSchema,
};
use quoin_xml::tree::{Document, Limits};

const EN: &str = "en16931/eInvoicing-EN16931/ubl/schematron/preprocessed/EN16931-UBL-validation-preprocessed.sch";
const BIS: &str =
    "peppol-bis-billing/phive-rules/rule-source/openpeppol/2026.5/PEPPOL-EN16931-UBL.sch";
const XRECHNUNG: &str = "xrechnung/phive-rules/rule-source/3.0.2/ubl/XRechnung-UBL-validation.sch";
const FACTURX: &str = "facturx-zugferd/phive-rules/rule-source/2.5.2/FACTUR-X_EXTENDED.sch";
const ORDER: &str = "peppol-poacc/phive-rules/rule-source/openpeppol/2026.5/PEPPOLBIS-T01.sch";

struct Folder(PathBuf);

impl FileResolver for Folder {
    #[expect(clippy::disallowed_methods, reason = "a bench reads official files")]
    fn read(&self, path: &str) -> Result<Vec<u8>, ResolveError> {
        // The code lists of Factur-X lie in another folder than its rules.
        let path = match path.ends_with("_codedb.xml") {
            true => path.replace("/rule-source/", "/schematron/"),
            false => path.to_owned(),
        };
        std::fs::read(self.0.join(path)).map_err(|error| ResolveError::Failed(error.to_string()))
    }
}

fn main() {
    let Some(root) = shared("corpora") else { return };
    let folder = Folder(root);
    let load = |main: &str| SchematronSchema::load(&folder, main, &PhaseChoice::Default).unwrap();
    let (en, bis, xrechnung) = (load(EN), load(BIS), load(XRECHNUNG));
    let documents = [("20 kB", invoice(20_000)), ("5 MB", invoice(5_000_000))];
    let options = RunOptions::default();
    let run = |schemas: &[&SchematronSchema], text: &str| {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        schemas.iter().map(|schema| schema.validate(&document, &options).fired.len()).sum::<usize>()
    };
    let [(_, small), (_, large)] = &documents;
    println!("20 kB: {} bytes, {} findings", small.len(), run(&[&en, &bis], small));
    println!("5 MB: {} bytes, {} findings", large.len(), run(&[&en, &bis], large));
    let mut bench = Bench::new("schematron");
    for (name, main) in [
        ("compile EN 16931 UBL", EN),
        ("compile Peppol BIS", BIS),
        ("compile XRechnung", XRECHNUNG),
        ("compile Factur-X Extended", FACTURX),
        ("compile Order T01", ORDER),
    ] {
        bench.case(name, move || load(main));
    }
    bench.case("EN 16931, 20 kB", || run(&[&en], small));
    bench.case("Peppol BIS, 20 kB", || run(&[&bis], small));
    bench.case("XRechnung, 20 kB", || run(&[&xrechnung], small));
    bench.case("EN 16931 + Peppol, 20 kB", || run(&[&en, &bis], small));
    bench.case("EN 16931 + Peppol, 5 MB", || run(&[&en, &bis], large));
    let mut report = bench.measure(Duration::from_secs(8));
    report.rows_of_cases();
    let (small, large) = (small.len() as f64, large.len() as f64);
    let per_byte = |case: &str, bytes: f64| report.micros(case) / bytes;
    let growth =
        per_byte("EN 16931 + Peppol, 5 MB", large) / per_byte("EN 16931 + Peppol, 20 kB", small);
    report.row("time per byte, 5 MB to 20 kB", growth, "1 is linear", None, None);
    report.row("peak memory", peak_memory(), "MB", None, None);
    report.finish();
}

/// The most memory that this process had, in megabytes; on Linux only.
#[expect(clippy::disallowed_methods, reason = "a bench asks the system")]
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}
