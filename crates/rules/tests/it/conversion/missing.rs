//! What the list of losses calls missing is what the rules of EN 16931 find missing, over every
//! official document of every syntax: nothing that they ask for is left unsaid, and nothing is
//! said to be asked for that they do not ask.

use quoin_formats::convert::ConversionRequest;

use super::*;

const CORE: &str = "urn:cen.eu:en16931:2017";

/// Rules that ask for something to be there. Without a number, a day, a type or a currency
/// (BR-02 to BR-05) and without lines (BR-16) there is no conversion; those on rates (-05 to -07)
/// find rates that are there, too, BR-17 a payee who is the seller, and BR-54 attributes that one
/// target leaves out.
const ASKED: &[&str] = &[
    "BR-06", "BR-07", "BR-08", "BR-09", "BR-10", "BR-11", "BR-12", "BR-13", "BR-14", "BR-15",
    "BR-18", "BR-19", "BR-20", "BR-21", "BR-22", "BR-23", "BR-24", "BR-25", "BR-26", "BR-31",
    "BR-32", "BR-33", "BR-36", "BR-37", "BR-38", "BR-41", "BR-42", "BR-43", "BR-44", "BR-45",
    "BR-46", "BR-47", "BR-48", "BR-49", "BR-52", "BR-53", "BR-55", "BR-56", "BR-57", "BR-61",
    "BR-62", "BR-63", "BR-64", "BR-65", "BR-CO-04", "BR-CO-18", "BR-CO-21", "BR-CO-22", "BR-CO-23",
    "BR-CO-24", "BR-CO-25", "BR-CO-26", "BR-S-02", "BR-S-03", "BR-S-04", "BR-Z-02", "BR-Z-03",
    "BR-Z-04", "BR-E-02", "BR-E-03", "BR-E-04", "BR-E-10", "BR-AE-02", "BR-AE-03", "BR-AE-04",
    "BR-AE-10", "BR-IC-02", "BR-IC-03", "BR-IC-04", "BR-IC-10", "BR-IC-11", "BR-IC-12", "BR-G-02",
    "BR-G-03", "BR-G-04", "BR-G-10", "BR-O-10",
];

/// Rules of the standard that the files of the release in force do not test any more.
const UNTESTED: &[&str] = &["BR-CO-25"];

/// Terms of groups that CII leaves out where nothing is said of them: its rules look inside.
const WITHOUT_GROUP: &[&str] = &["BT-84", "BT-106", "BT-109", "BT-112", "BT-115", "BT-118"];

/// Whether a row of the list names a rule: `BR-S-03` is of `BR-S-02 to BR-S-04`.
fn names(loss: &Loss, rule: &str) -> bool {
    let is_it = |own: &str| match own.split_once(" to ") {
        Some((first, last)) => first <= rule && rule <= last,
        None => own == rule,
    };
    loss.reason.split(['(', ')', ',']).any(|own| is_it(own.trim()))
}

/// What differs between the list of losses and what the rules find.
fn differences(losses: &[Loss], report: &Report) -> Vec<String> {
    let broken = fatal(report);
    let missing: Vec<&Loss> = losses.iter().filter(|loss| loss.kind == LossKind::Missing).collect();
    let asked = broken.iter().filter(|rule| ASKED.contains(&rule.as_str()));
    let unsaid = asked.filter(|rule| !missing.iter().any(|loss| names(loss, rule)));
    let unsaid = unsaid.map(|rule| format!("{rule} is not said"));
    // Other rows say what the schema asks for, and no rule.
    let ruled = missing.iter().filter(|loss| loss.reason.contains("(BR-"));
    let is_found = |loss: &&&Loss| {
        report.findings.iter().any(|finding| names(loss, &finding.rule))
            || loss.term.is_some_and(|term| WITHOUT_GROUP.contains(&term))
            || UNTESTED.iter().any(|rule| names(loss, rule))
    };
    let unasked = ruled.filter(|loss| !is_found(loss));
    let unasked = unasked.map(|loss| format!("{:?} is not asked: {}", loss.term, loss.reason));
    unsaid.chain(unasked).collect()
}

#[test]
fn what_the_rules_find_missing_has_a_row_and_nothing_else() {
    let (mut found, mut converted_ones) = (BTreeMap::<String, Vec<String>>::new(), 0);
    for (path, bytes) in documents() {
        let parsed = read(&bytes);
        let Some(root) = parsed.root() else { continue };
        let Some(own) = parsed.tree().ok().and_then(readers::syntax) else { continue };
        for target in [ConversionTarget::UBL, ConversionTarget::CII] {
            if target.writes(own) {
                continue;
            }
            let request =
                ConversionRequest { specification: Some(CORE), ..ConversionRequest::from(target) };
            let Ok(converted) = convert_at(root, request) else { continue };
            converted_ones += 1;
            let found_in_it = report(&read(converted.document.as_bytes()));
            for difference in differences(&converted.losses, &found_in_it) {
                let name = format!("{} {}", target.as_str(), path.display());
                found.entry(difference).or_default().push(name);
            }
        }
    }
    println!("{converted_ones} conversions");
    assert!(converted_ones == 0 || converted_ones > 500, "{converted_ones}");
    let told: Vec<_> = found.iter().map(|(why, all)| (why, all.len(), &all[0])).collect();
    assert!(told.is_empty(), "{told:#?}");
}
