//! The PDF: what an independent tool reads from it, and that it is the same each time.

use std::process::Command;

use quoin_model::Language;

use super::corpora::{document, files};
use super::{INVOICE, request, texts};
use crate::{FacturXLevel, RenderForm, RenderRefusal, RenderRequest, page, render};

/// The PDF of a document.
fn pdf(bytes: &[u8], form: RenderForm) -> Vec<u8> {
    let request = RenderRequest { form, ..request(Language::De) };
    render(&quoin_formats::read(bytes), &request).unwrap().bytes
}

/// The text that `pdftotext` reads from a PDF; `None`, counted as skipped, where it is not there.
#[allow(clippy::disallowed_methods, reason = "another program reads a file")]
fn text_of(pdf: &[u8], name: &str) -> Option<String> {
    let file = std::env::temp_dir().join(format!("quoin-{}-{name}.pdf", std::process::id()));
    std::fs::write(&file, pdf).ok()?;
    let read =
        Command::new("pdftotext").args(["-raw", "-enc", "UTF-8"]).arg(&file).arg("-").output();
    let _ = std::fs::remove_file(&file);
    match read {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(_) => {
            quoin_testing::skipped("pdftotext");
            None
        }
    }
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    for form in [RenderForm::Pdf, RenderForm::FacturX] {
        let first = pdf(INVOICE.as_bytes(), form);
        assert!(first.starts_with(b"%PDF-1.7"));
        assert_eq!(first, pdf(INVOICE.as_bytes(), form));
    }
}

#[test]
fn nothing_in_a_pdf_is_active() {
    let bytes = pdf(INVOICE.as_bytes(), RenderForm::FacturX);
    let text = String::from_utf8_lossy(&bytes);
    for active in ["/JavaScript", "/JS", "/Launch", "/OpenAction", "/AA", "/URI"] {
        assert!(!text.contains(active), "{active}");
    }
}

#[test]
fn every_script_has_its_font() {
    use crate::pdf::drawable;
    let text = "Ω Ж ł ş İ € ش א 請 カ ﬁ";
    assert_eq!(drawable(text), "Ω Ж ł ş İ € ش א 請 カ fi");
    assert_eq!(drawable("😀"), "[U+1F600]");
    let document = INVOICE.replace("Flour", text);
    let bytes = pdf(document.as_bytes(), RenderForm::Pdf);
    if let Some(said) = text_of(&bytes, "scripts") {
        for one in ["Ω", "Ж", "ł", "ş", "İ", "€", "ش", "א", "請", "カ"] {
            assert!(said.contains(one), "{one} in {said}");
        }
    }
}

#[test]
fn a_hybrid_has_the_invoice_inside() {
    let bytes = pdf(INVOICE.as_bytes(), RenderForm::FacturX);
    let inside = quoin_formats::inside(&bytes).expect("it is a hybrid");
    let detection = inside.detection();
    assert_eq!(detection.syntax, Some(quoin_formats::Syntax::Cii));
    assert!(detection.is_factur_x(), "{detection:?}");
    let reading = quoin_formats::readers::read_invoice_at(inside.root().unwrap()).unwrap();
    assert_eq!(reading.invoice.number.text().as_deref(), Some("R-7"));
}

/// Files that the data have no place for stand beside them, under names of their own.
#[test]
fn a_hybrid_has_the_files_that_its_data_have_not() {
    let file = |id: &str, name: &str, content: &str| {
        format!(
            "<cac:AdditionalDocumentReference><cbc:ID>{id}</cbc:ID><cac:Attachment>\
             <cbc:EmbeddedDocumentBinaryObject mimeCode=\"text/csv\" filename=\"{name}\">\
             {}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>",
            quoin_xml::base64::encode(content.as_bytes())
        )
    };
    let place = "<cac:AccountingSupplierParty>";
    let files = file("A", "factur-x.xml", "<a/>") + &file("B", "Zeiten \u{fc}.csv", "a;b");
    let document = INVOICE.replacen(place, &(files + place), 1);
    assert_ne!(document, INVOICE);
    let hybrid = |level| {
        let form = RenderForm::FacturX;
        let request = RenderRequest { form, level: Some(level), ..request(Language::En) };
        render(&quoin_formats::read(document.as_bytes()), &request).unwrap().bytes
    };
    for level in [FacturXLevel::Minimum, FacturXLevel::BasicWl, FacturXLevel::Basic] {
        let bytes = hybrid(level);
        let text = String::from_utf8_lossy(&bytes);
        let count = |word: &str| text.matches(word).count();
        assert_eq!(count("/AFRelationship /Supplement"), 2, "{level:?}");
        // Its key, and both of its names.
        assert_eq!((count("(2-factur-x.xml)"), count("(factur-x.xml)")), (3, 3), "{level:?}");
        let inside = quoin_formats::inside(&bytes).expect("one invoice");
        assert!(quoin_formats::readers::read_invoice_at(inside.root().unwrap()).is_some());
        let limits = quoin_formats::unwrap::UnwrapLimits::default();
        let unwrapped = quoin_formats::unwrap(&bytes, &limits);
        let names: Vec<_> = unwrapped.attachments.iter().map(|one| one.name.as_deref()).collect();
        assert_eq!(names, [Some("2-factur-x.xml")]);
    }
    // The data of EN 16931 have them.
    let bytes = hybrid(FacturXLevel::En16931);
    assert!(!String::from_utf8_lossy(&bytes).contains("/AFRelationship /Supplement"));
}

#[test]
fn a_hybrid_is_refused_where_the_data_have_no_profile() {
    let other = INVOICE.replace("urn:cen.eu:en16931:2017", "urn:something");
    let request = RenderRequest { form: RenderForm::FacturX, ..request(Language::En) };
    let refusal = render(&quoin_formats::read(other.as_bytes()), &request).unwrap_err();
    assert_eq!(refusal, RenderRefusal::NoProfile("urn:something".to_owned()));
    let refusal = render(&quoin_formats::read(b"<x/>"), &request).unwrap_err();
    assert_eq!(refusal, RenderRefusal::NoInvoice);
}

/// Letters of a text in the order of their numbers: another program has lines in another order.
fn letters(text: &str) -> std::collections::BTreeMap<char, usize> {
    let mut counts = std::collections::BTreeMap::new();
    let seen = text.chars().filter(|one| !one.is_whitespace());
    seen.for_each(|one| *counts.entry(one).or_default() += 1);
    counts
}

#[test]
fn what_the_page_says_can_be_read_from_the_pdf() {
    let (mut looked_at, mut short) = (0, Vec::new());
    for (place, file) in files().iter().enumerate().filter(|(place, _)| place % 60 == 7) {
        let Some(document) = document(file) else { continue };
        let request =
            RenderRequest { form: RenderForm::Pdf, ..request(Language::ALL[place / 60 % 5]) };
        let page = page(&document, &request).unwrap();
        let wanted: String =
            texts(&page).iter().map(|text| crate::pdf::drawable(text) + "\n").collect();
        if wanted.len() > 60_000 {
            continue;
        }
        let bytes = render(&document, &request).unwrap().bytes;
        let Some(said) = text_of(&bytes, &place.to_string()) else { return };
        let (wanted, said) = (letters(&wanted), letters(&said));
        let missing: Vec<_> = wanted
            .iter()
            .filter(|(one, count)| said.get(one).copied().unwrap_or(0) < **count)
            .collect();
        looked_at += 1;
        if !missing.is_empty() {
            short.push(format!("{file}: {missing:?}"));
        }
    }
    println!("{looked_at} documents");
    assert!(short.is_empty(), "{short:#?}");
}
