//! Official example documents: valid ones give no fatal finding, refused ones are refused.

use std::path::{Path, PathBuf};

use jiff::civil::date;
use quoin_formats::Syntax;
use quoin_formats::{ParsedDocument, read};
use quoin_model::Finding;
use quoin_rules::{Report, validate};
use quoin_testing::shared;

/// All XML files under a folder of the official artefacts whose path passes a test.
fn files(folder: &str, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let Some(root) = shared(folder) else { return Vec::new() };
    let (mut folders, mut files) = (vec![root], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.to_string_lossy().into_owned();
            if name.to_ascii_lowercase().ends_with(".xml") && wanted(&name) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[allow(clippy::disallowed_methods, reason = "an official artefact, not all of them UTF-8")]
fn parsed(path: &Path) -> ParsedDocument {
    read(&std::fs::read(path).unwrap())
}

fn report(path: &Path) -> Report {
    validate(&parsed(path), date(2026, 8, 20))
}

/// Routing is stricter than the standard: one readable electronic address for each party.
fn by_the_standard(finding: &&Finding) -> bool {
    !finding.rule.starts_with("QUOIN-ENDPOINT-")
}

/// Examples of the standard that are of BIS Billing 3 have invented numbers that do not fit.
fn by_the_core(finding: &&Finding) -> bool {
    let is_of_peppol = finding.rule.starts_with("PEPPOL-COMMON-") || finding.rule.contains("-R-");
    by_the_standard(finding) && !is_of_peppol
}

/// How many of the files are there, so that a test which lists nothing does not pass as if it did.
fn no_fatal(files: &[PathBuf], at_least: usize) {
    none(files, at_least, by_the_standard);
}

fn none(files: &[PathBuf], at_least: usize, counts: fn(&&Finding) -> bool) {
    if shared("corpora").is_none() {
        return;
    }
    assert!(files.len() >= at_least, "{} files", files.len());
    for file in files {
        let report = report(file);
        let Some(syntax) = report.detection.syntax else { panic!("{}", file.display()) };
        assert!(syntax.is_ubl_invoice(), "{}: {syntax:?}", file.display());
        let fatal: Vec<_> = report.fatal().filter(counts).collect();
        assert!(fatal.is_empty(), "{}: {fatal:#?}", file.display());
    }
}

const PEPPOL: &str = "corpora/peppol-bis-billing/github-2025-Q2/rules";

#[test]
fn examples_of_en_16931_are_valid() {
    let base = "corpora/en16931/eInvoicing-EN16931";
    let examples = files(&format!("{base}/ubl/examples"), |name| !name.contains("negativ"));
    none(&examples, 13, by_the_core);
    none(&files(&format!("{base}/test/testfiles"), |_| true), 15, by_the_core);
}

#[test]
fn examples_of_peppol_are_valid() {
    no_fatal(&files(&format!("{PEPPOL}/examples"), |_| true), 4);
    no_fatal(&files(&format!("{PEPPOL}/national-examples/NO"), |_| true), 1);
    no_fatal(&files("corpora/peppol-bis-billing/phive-rules/test-files", |_| true), 2);
    no_fatal(&files("corpora/peppol-selfbilling/phive-rules/test-files", |_| true), 9);
}

/// The Greek example passes the rules and not the UBL schema: its document references stand behind
/// the parties.
#[test]
fn the_greek_example_breaks_the_order_of_the_schema() {
    let correct = |name: &str| name.contains("correct");
    for file in files(&format!("{PEPPOL}/national-examples/GR"), correct) {
        let report = report(&file);
        let fatal: Vec<_> = report.fatal().map(|finding| &*finding.rule).collect();
        assert!(fatal.iter().all(|rule| *rule == "QUOIN-UBL-ORDER"), "{fatal:?}");
        assert!(!report.is_valid());
    }
}

#[test]
fn self_billed_examples_go_to_the_seller() {
    for file in files("corpora/peppol-selfbilling/phive-rules/test-files", |_| true) {
        let header = parsed(&file).header().unwrap();
        assert!(header.self_billing && header.receiver() == header.seller.as_ref());
        assert!(header.receiver().is_some() && header.sender().is_some());
    }
}

#[test]
fn test_suite_of_xrechnung_is_valid() {
    let suite = files("corpora/xrechnung/xrechnung-testsuite", |name| name.ends_with("_ubl.xml"));
    no_fatal(&suite, 37);
}

const NLCIUS: &str = "corpora/nlcius-si-ubl/peppolautoriteit-testset";

#[test]
fn test_set_of_nlcius() {
    let folder = format!("{NLCIUS}/SI-UBL-2.0");
    no_fatal(&files(&folder, |name| name.contains("_ok")), 25);
    let mut compared = 0;
    // The file named after BR-08 lacks the address of the buyer, which is BR-10.
    for file in files(&folder, |name| name.contains("error") && !name.contains("BR-08")) {
        let name = file.file_name().unwrap().to_str().unwrap().replace("-error", "_error");
        let rule = name.split("_error").next().unwrap_or_default();
        let rule = rule.trim_start_matches("SI-UBL-2.0").trim_start_matches(['-', '_']);
        // The code of a credit note in an invoice is one that BR-NL-7 allows, and BR-NL-8 does not.
        let rule = if name.contains("error_381_invoice") { "BR-NL-8" } else { rule };
        if quoin_rules::releases::RULE_SETS
            .iter()
            .flat_map(|set| set.ids())
            .any(|known| known == rule)
        {
            assert!(report(&file).has(rule), "{name}: {rule}");
            compared += 1;
        }
    }
    assert!(compared >= 39 || shared(NLCIUS).is_none(), "{compared}");
}

#[test]
fn warnings_of_the_test_set_of_nlcius() {
    let warns = |name: &str| name.contains("BR-NL") && name.contains("_warning_");
    let all = files(&format!("{NLCIUS}/SI-UBL-2.0"), warns);
    for file in &all {
        let name = file.file_name().unwrap().to_str().unwrap();
        let rule = name.split('_').nth(1).unwrap_or_default();
        // Reasons of charges are BR-NL-34 in words, and BR-NL-32-1 by identifier.
        let rule = rule.replace("BR-NL-34", "BR-NL-32");
        let is = |own: &str| own == rule || own.starts_with(&format!("{rule}-"));
        let report = report(file);
        assert!(report.findings.iter().any(|finding| is(&finding.rule)), "{name}: {rule}");
    }
    assert!(all.len() >= 14 || shared(NLCIUS).is_none(), "{}", all.len());
}

#[test]
fn test_set_of_the_g_account() {
    let all = files(&format!("{NLCIUS}/si-ubl-2.0-ext-gaccount"), |_| true);
    for file in &all {
        let report = report(file);
        let is_own = report.fatal().any(|finding| finding.rule.starts_with("BR-GA-"));
        assert!(is_own, "{}", file.display());
    }
    assert!(all.len() >= 8 || shared(NLCIUS).is_none(), "{}", all.len());
}

#[test]
fn si_ubl_1_is_refused() {
    let all = files(&format!("{NLCIUS}/SI-UBL-1.2"), |name| name.contains("-INV-"));
    let mut refused = 0;
    for file in &all {
        let report = report(file);
        let found = &report.detection;
        let named = found.well_formed && found.profile.as_deref() == Some("si-ubl-1");
        assert_eq!(report.has("QUOIN-PROFILE-SI-UBL-1"), named, "{}", file.display());
        assert!(!report.is_valid(), "{}", file.display());
        refused += usize::from(named);
    }
    // Three are broken earlier: no CustomizationID, another document element, not XML.
    assert_eq!(refused, all.len().saturating_sub(3));
}

#[test]
fn peppol_bis_2_is_recognised() {
    for file in files("corpora/peppol-bis2-legacy", |_| true) {
        let found = parsed(&file).detection().clone();
        let bii = found.customization_id.as_deref().is_some_and(|id| id.contains("cenbii.eu:tr"));
        if found.syntax.is_some_and(Syntax::is_ubl_invoice) && bii {
            let profile = found.profile.as_deref().unwrap_or_default();
            assert!(["peppol-bis2", "ehf2"].contains(&profile), "{profile} {}", file.display());
        }
    }
}

/// Without business rules of their own yet: structure and routing only.
#[test]
fn examples_of_pint_are_sound() {
    // This one has elements that a UBL 2.1 credit note does not have (DueDate, PrepaidPayment).
    let broken = "CompleteSample_LHDN-CreditNote";
    let all = files("corpora/pint", |name| name.contains("example") && !name.contains(broken));
    let read: Vec<PathBuf> = all
        .into_iter()
        .filter(|file| parsed(file).detection().syntax.is_some_and(Syntax::is_ubl_invoice))
        .collect();
    no_fatal(&read, 50);
}

/// The rules by which a document is refused.
fn refusals(path: &Path) -> Vec<String> {
    let report = validate(&parsed(path), date(2026, 11, 21));
    report.fatal().map(|finding| finding.rule.to_string()).collect()
}

/// Every file is accepted, or every file is refused by a rule that begins so.
fn all_are(files: &[PathBuf], at_least: usize, refused: Option<&str>) {
    assert!(files.len() >= at_least || shared("corpora").is_none(), "{} files", files.len());
    for file in files {
        let rules = refusals(file);
        match refused {
            None => assert!(rules.is_empty(), "{}: {rules:?}", file.display()),
            // One with the identifier of nothing that is known is not judged.
            Some("") => assert!(!report(file).is_valid(), "{}", file.display()),
            Some(start) => {
                let is_told = rules.iter().any(|rule| rule.starts_with(start));
                assert!(is_told, "{}: {rules:?}", file.display());
            }
        }
    }
}

#[test]
fn message_level_status_is_judged() {
    let good = |name: &str| name.contains("MessageLevelStatus_Example");
    all_are(&files("corpora/mls-mlr/mls-resources-1.1.0", good), 8, None);
    let bad = |name: &str| name.contains("/mls-") && !name.contains("template");
    all_are(&files("corpora/mls-mlr/peppol-mls/test-files/bad", bad), 66, Some(""));
    all_are(&files("corpora/mls-mlr/peppol-mlr", |_| true), 1, None);
}

#[test]
fn reports_are_judged() {
    let reports = "corpora/reporting-tsr-eusr";
    for (name, count) in [("tsr", 43), ("eusr", 42)] {
        let folder = format!("{reports}/edec-reporting/{name}");
        all_are(&files(&folder, |path| path.contains("bad-examples")), count, Some(""));
        all_are(&files(&folder, |path| path.contains("/example/")), 4, None);
        let folder = format!("{reports}/phive-rules/test-files/reporting/{name}");
        all_are(&files(&folder, |_| true), 1, None);
    }
}

#[test]
fn envelopes_are_judged() {
    let folder = "corpora/sbdh/peppol-testfiles";
    for file in files(&format!("{folder}/good"), |_| true) {
        let rules = refusals(&file);
        let told = rules.iter().any(|rule| rule.starts_with("QUOIN-SBDH-"));
        assert!(!told, "{}: {rules:?}", file.display());
    }
    all_are(&files(&format!("{folder}/bad"), |_| true), 30, Some("QUOIN-SBDH-"));
}

#[test]
fn post_award_examples_are_valid() {
    let examples = "corpora/peppol-poacc/github-2025-Q2/rules/examples";
    all_are(&files(examples, |_| true), 40, None);
    // This one breaks PEPPOL-T128-R023 by the official rules too.
    let wanted = |name: &str| !name.contains("ReceiptAdvice_Example_Full");
    all_are(&files("corpora/logistics/logistics-bis/rules/examples", wanted), 40, None);
}

#[test]
fn peppol_bis_2_is_refused() {
    let mut refused = 0;
    for file in files("corpora/peppol-bis2-legacy", |_| true) {
        let parsed = parsed(&file);
        let profile = parsed.detection().profile.clone().unwrap_or_default();
        if profile.starts_with("peppol-bis2") {
            let report = validate(&parsed, date(2026, 11, 21));
            assert!(report.has("QUOIN-PROFILE-BIS-2"), "{}", file.display());
            refused += 1;
        }
    }
    assert!(refused > 150 || shared("corpora").is_none(), "{refused}");
}
