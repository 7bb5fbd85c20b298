//! How fast a document becomes a page, a PDF and a hybrid PDF, its parse included.

use std::time::Duration;

use quoin_formats::samples::{SampleKind, document};
use quoin_model::Language;
use quoin_render::{FacturXLevel, RenderForm, RenderRequest, render};
use quoin_testing::bench::{Bench, invoice};

/// Lines of a long invoice.
const LINES: usize = 10_000;

fn main() {
    let small = invoice(20_000);
    let large = document(SampleKind::Invoice, "0106:12345678", "0106:87654321", "F1", LINES);
    let shown = |text: &str, form: RenderForm| {
        let level = (form == RenderForm::FacturX).then_some(FacturXLevel::En16931);
        let request = RenderRequest { language: Language::De, form, level, findings: &[] };
        render(&quoin_formats::read(text.as_bytes()), &request).unwrap().bytes
    };
    for (name, text) in [("20 kB", &small), ("10,000 lines", &large)] {
        for form in RenderForm::ALL {
            println!("{name} as {}: {} bytes", form.as_str(), shown(text, *form).len());
        }
    }
    let mut bench = Bench::new("render");
    bench.case("HTML 20 kB", || shown(&small, RenderForm::Html));
    bench.case("PDF 20 kB", || shown(&small, RenderForm::Pdf));
    bench.case("Factur-X 20 kB", || shown(&small, RenderForm::FacturX));
    bench.case("HTML 10,000 lines", || shown(&large, RenderForm::Html));
    bench.case("PDF 10,000 lines", || shown(&large, RenderForm::Pdf));
    let mut report = bench.measure(Duration::from_secs(3));
    report.rows_of_cases();
    report.finish();
}
