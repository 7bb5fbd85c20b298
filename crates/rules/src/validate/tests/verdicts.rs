//! The four verdicts, on every day and for every profile.

use super::*;

/// PE-9: between publication and the day it is mandatory, a document may pass a release or the one
/// before it; what the newer one finds is a warning with the day.
#[test]
fn between_publication_and_mandatory_either_release_may_be_passed() {
    let french = samples::INVOICE.replace(
        "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
        "urn:peppol:bis:billing_with_response",
    );
    let on = |text: &str, day| validate(&read(text.as_bytes()), day);
    // The newer release takes it, the older does not.
    let (before, between, after) = (date(2026, 5, 17), date(2026, 5, 18), date(2026, 8, 17));
    assert_eq!(on(&french, before).verdict(), Verdict::NotValid);
    let newer = on(&french, between);
    assert_eq!(newer.verdict(), Verdict::Valid, "{:?}", newer.findings);
    assert_eq!(newer.package.as_ref().map(|own| &*own.release), Some("2026.5"));
    assert!(newer.rule_sets.iter().all(|set| set.contains("2026.5") || set.contains("1.3.16")));
    assert_eq!(on(&french, after).verdict(), Verdict::Valid);
    // The older takes it, the newer does not: a warning that names the day.
    let numbered = samples::INVOICE.replace("poacc:billing:01:1.0", "poacc:billing:77:1.0");
    let older = on(&numbered, before);
    let allowed = on(&numbered, between);
    let mandatory = on(&numbered, after);
    assert!(older.is_valid(), "{:?}", older.findings);
    assert!(allowed.is_valid(), "{:?}", allowed.findings);
    assert_eq!(mandatory.verdict(), Verdict::NotValid, "{:?}", mandatory.findings);
    let told: Vec<_> =
        allowed.findings.iter().filter(|finding| finding.fatal_from.is_some()).collect();
    assert!(!told.is_empty());
    for finding in told {
        assert_eq!((finding.flag, finding.fatal_from), (Flag::Warning, Some(after)));
        assert!(mandatory.fatal().any(|own| own.rule == finding.rule), "{}", finding.rule);
    }
    assert_eq!(allowed.package.map(|own| own.release), Some("2025.11".into()));
}

/// What is a warning today and refused by the next release names the day, too.
#[test]
fn a_warning_that_becomes_fatal_names_the_day() {
    let at = samples::INVOICE.find("</cbc:EndpointID>").unwrap() + "</cbc:EndpointID>".len();
    let (before, behind) = samples::INVOICE.split_at(at);
    let number = r#"<cbc:ID schemeID="0096">123</cbc:ID>"#;
    let number = format!("<cac:PartyIdentification>{number}</cac:PartyIdentification>");
    let text = format!("{before}{number}{behind}");
    let (announced, between, after) = (date(2026, 5, 17), date(2026, 5, 18), date(2026, 8, 17));
    let rule = "PEPPOL-COMMON-R052";
    let told = |day| {
        let options = Options { coming: true, ..Options::default() };
        let report = validate_with(&read(text.as_bytes()), day, &options);
        let own = report.findings.iter().find(|finding| finding.rule == rule).unwrap().clone();
        let coming = report.coming.iter().flat_map(|coming| &coming.findings);
        let coming = coming.filter(|finding| finding.rule == rule).count();
        (report.is_valid(), own.flag, own.fatal_from, coming)
    };
    assert_eq!(told(announced), (true, Flag::Warning, None, 1));
    assert_eq!(told(between), (true, Flag::Warning, Some(after), 0));
    assert_eq!(told(after), (false, Flag::Fatal, None, 0));
}

/// The transport execution plan stands on UBL 2.4, of which it uses one element besides 2.3,
/// and is judged by that.
#[test]
fn the_structure_of_a_transport_execution_plan_is_judged() {
    let example = "corpora/logistics/logistics-bis/rules/examples/TransportExecutionPlan";
    for (kind, official) in [("", "_Example_Full.xml"), ("Request", "Request_Example_Full.xml")] {
        let Some(text) = quoin_testing::shared_text(&format!("{example}{official}")) else {
            return;
        };
        let outcome = |text: &str| {
            let report = report(text);
            let step = report.steps.iter().find(|own| own.step == ValidationStep::Structure);
            (step.map(|own| own.outcome), report.is_valid())
        };
        assert_eq!(outcome(&text), (Some(StepOutcome::Passed), true), "{kind}");
        let end = text.rfind("</").unwrap();
        let dated = "<cbc:IssueDate>2026-01-01</cbc:IssueDate>";
        let last = format!("{}{dated}{}", &text[..end], &text[end..]);
        assert_eq!(outcome(&last), (Some(StepOutcome::Failed), false), "{kind}");
        assert!(text.contains("<cbc:FunctionCode>"), "{kind}");
        let unknown = text.replace("FunctionCode>", "PurposeCode>");
        assert_eq!(outcome(&unknown), (Some(StepOutcome::Failed), false), "{kind}");
    }
}

/// PE-1: nobody chooses the rules by the date he writes, and no day is without rules.
#[test]
fn on_every_day_some_set_judges() {
    let wrong = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    for claimed in ["0001-01-01", "1999-12-31", "2000-01-01", "2026-11-22", "9999-12-31"] {
        let at = wrong.find("<cbc:IssueDate>").unwrap() + "<cbc:IssueDate>".len();
        let text = format!("{}{claimed}{}", &wrong[..at], &wrong[at + 10..]);
        for day in [date(-1, 1, 1), date(0, 1, 1), date(1999, 12, 31), date(9999, 12, 31)] {
            let report = validate(&read(text.as_bytes()), day);
            assert!(report.has("BR-CO-16") && !report.is_valid(), "{claimed} {day}");
            assert_eq!(report.rule_sets.len(), 2, "{claimed} {day}");
        }
    }
}

/// PE-11: one treatment of both syntaxes.
#[test]
fn a_document_without_addresses_is_valid_and_cannot_be_routed() {
    let bare = |text: &str, local: &str| {
        let (start, end) = (format!("<{local}"), format!("</{local}>"));
        let mut text = text.to_owned();
        while let Some(at) = text.find(&start) {
            let until = at + text[at..].find(&end).unwrap() + end.len();
            text.replace_range(at..until, "");
        }
        text
    };
    let ubl = report(bare(samples::NLCIUS_INVOICE, "cbc:EndpointID"));
    assert_eq!(ubl.verdict(), Verdict::Unroutable, "{:#?}", ubl.findings);
    let cii = include_str!("../../../../formats/samples/every-term-cii.xml");
    let cii = report(bare(cii, "ram:URIUniversalCommunication"));
    for report in [ubl, cii] {
        let routing = report.fatal().filter(|finding| finding.step == ValidationStep::Routing);
        let rules: Vec<_> = routing.map(|finding| &*finding.rule).collect();
        assert_eq!(rules, ["QUOIN-ENDPOINT-MISSING"; 2], "{:?}", report.detection.syntax);
    }
}

/// `valid` implies that a set has judged, whatever the profile is.
#[test]
fn nothing_is_valid_that_was_not_judged() {
    for profile in quoin_formats::profiles::PROFILES {
        for day in [date(1, 1, 1), date(1999, 12, 31), date(2026, 11, 22), date(9999, 12, 31)] {
            let text = with_customization(profile.example);
            let report = validate(&read(text.as_bytes()), day);
            let judged = report.rule_sets.iter().any(|set| !set.starts_with("eu.peppol:sbdh"));
            assert_eq!(report.is_judged, judged, "{} {day}", profile.id);
            assert!(!report.is_valid() || judged, "{} {day}", profile.id);
        }
    }
}

/// The findings of our own are those of the model: CII has them at its own paths.
#[test]
fn a_date_and_an_account_are_looked_at_in_cii_too() {
    let day = ">20260515</udt:DateTimeString>";
    assert!(samples::CII_INVOICE.contains(day), "{}", samples::CII_INVOICE);
    for (other, is_found) in [("20260229", true), ("2026052", true), ("20280229", false)] {
        let text = samples::CII_INVOICE.replacen(day, &day.replace("20260515", other), 1);
        let report = report(&text);
        assert_eq!(report.has("QUOIN-DATE"), is_found, "{other}: {:?}", report.findings);
    }
    let every = include_str!("../../../../formats/samples/every-term-cii.xml");
    let account = "<ram:IBANID>NL02 ABNA 0123456789</ram:IBANID>";
    assert!(every.contains(account) && !report(every).has("QUOIN-CHECKSUM-IBAN"));
    for name in ["IBANID", "ProprietaryID"] {
        let wrong = account.replace("NL02", "NL03").replace("IBANID", name);
        let report = report(every.replacen(account, &wrong, 1));
        assert!(report.has("QUOIN-CHECKSUM-IBAN"), "{:?}", report.findings);
    }
}

/// White space may be all that is wrong with a day or a number: it is told as it is.
#[test]
fn white_space_around_a_day_or_a_number_is_shown() {
    let text = samples::INVOICE;
    let with_space = |local: &str| {
        let (start, end) = (format!("<cbc:{local}"), format!("</cbc:{local}>"));
        let at = text.find(&start).unwrap();
        let at = at + text[at..].find('>').unwrap() + 1;
        let until = at + text[at..].find(&end).unwrap();
        let value = format!(" {} ", &text[at..until]);
        (report(format!("{}{value}{}", &text[..at], &text[until..])), value)
    };
    for (local, rule) in [("IssueDate", "PEPPOL-EN16931-F001"), ("TaxExclusiveAmount", "BR-DEC-12")]
    {
        let (report, value) = with_space(local);
        let finding = report.findings.iter().find(|own| own.rule == rule);
        let finding = finding.unwrap_or_else(|| panic!("{rule}: {:#?}", report.findings));
        assert!(finding.message.contains(&format!("\"{value}\"")), "{}", finding.message);
    }
}
