//! Official sets beside our own rules: who decides, what differs, what is coming.

use std::sync::Arc;

use jiff::civil::Date;

use super::*;
use crate::official::{
    Applies, Engine, OfficialFinding, OfficialLibrary, OfficialSet, OfficialSetKind, Policies,
};
use crate::report::{StepOutcome, ValidationPolicy};
use crate::rules::RuleSet;
use quoin_formats::Syntax;
use quoin_model::Flag;

/// Fires its rules at the document element.
#[derive(Debug)]
struct Fires {
    fired: Vec<(&'static str, Flag)>,
    /// Whether it has all rules of the specification, as official files do.
    is_whole: bool,
}

impl Engine for Fires {
    fn rules(&self) -> usize {
        self.fired.len()
    }

    fn has_rule(&self, rule: &str) -> bool {
        self.is_whole || self.fired.iter().any(|(own, _)| *own == rule)
    }

    fn check<'d>(&self, root: Element<'d>, _: Date, hit: &mut dyn FnMut(OfficialFinding<'d>)) {
        for (rule, flag) in &self.fired {
            hit(OfficialFinding {
                rule: (*rule).to_owned(),
                flag: *flag,
                message: "It is so.".to_owned(),
                element: Some(root),
                below: "/@x".to_owned(),
                location: None,
                value: None,
                expected: None,
                assertion: None,
            });
        }
    }
}

fn set(
    coordinate: &str,
    kind: OfficialSetKind,
    from: Option<Date>,
    fires: &[(&'static str, Flag)],
) -> Arc<OfficialSet> {
    Arc::new(OfficialSet {
        coordinate: coordinate.parse().unwrap(),
        title: String::new(),
        kind,
        from,
        until: None,
        applies: Applies { formats: vec![Syntax::UblInvoice, Syntax::Isdoc], ..Applies::default() },
        added_on: None,
        engine: Box::new(Fires { fired: fires.to_vec(), is_whole: true }),
    })
}

/// Rules of the house.
fn house(fires: &[(&'static str, Flag)]) -> Arc<OfficialSet> {
    let mut set = set("a:house:1.0", OfficialSetKind::Rules, None, &[]);
    let engine = Box::new(Fires { fired: fires.to_vec(), is_whole: false });
    Arc::get_mut(&mut set).unwrap().engine = engine;
    set
}

const DAY: Date = date(2026, 5, 20);
const ISDOC: &str = "<x:Invoice xmlns:x='http://isdoc.cz/namespace/2013'/>";

fn judged(text: &str, library: &OfficialLibrary, policy: ValidationPolicy, coming: bool) -> Report {
    let policies = Policies::all(policy);
    let options =
        Options { library: Some(library), policies: Some(&policies), coming, ..Options::default() };
    validate_with(&read(text.as_bytes()), DAY, &options)
}

#[test]
fn the_policy_says_who_decides() {
    let fires = [("OFF-1", Flag::Fatal), ("OFF-2", Flag::Information)];
    let library = OfficialLibrary::new([set("a:rules:1.0", OfficialSetKind::Rules, None, &fires)]);
    let builtin = judged(samples::INVOICE, &library, ValidationPolicy::Builtin, false);
    assert!(builtin.is_valid() && !builtin.rule_sets.iter().any(|set| set == "a:rules:1.0"));
    let official = judged(samples::INVOICE, &library, ValidationPolicy::Official, false);
    assert_eq!(
        (official.is_valid(), &official.rule_sets[..]),
        (false, &["a:rules:1.0".into()][..])
    );
    assert_eq!(official.findings[0].rule_set.as_deref(), Some("a:rules:1.0"));
    assert_eq!(official.findings[0].location.as_ref().unwrap().xpath, "/Invoice[1]/@x");
    assert_eq!(official.count(Flag::Information), 1);
    assert!(official.differences.is_empty());
}

#[test]
fn without_an_official_set_our_own_rules_decide() {
    let wrong = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    for policy in [ValidationPolicy::Official, ValidationPolicy::Both] {
        let report = judged(&wrong, &OfficialLibrary::default(), policy, false);
        assert!(report.has("BR-CO-16"), "{policy:?}");
        assert!(report.differences.is_empty());
    }
}

#[test]
fn both_collects_what_differs_and_the_official_side_decides() {
    let wrong = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    let fires = [("OFF-1", Flag::Warning), ("BR-CO-15", Flag::Warning)];
    let library = OfficialLibrary::new([set("a:rules:1.0", OfficialSetKind::Rules, None, &fires)]);
    let report = judged(&wrong, &library, ValidationPolicy::Both, false);
    assert!(report.is_valid() && !report.has("BR-CO-16"));
    let differ: Vec<_> =
        report.differences.iter().map(|d| (&*d.rule, d.builtin, d.official)).collect();
    assert_eq!(differ, [("BR-CO-15", Some(0), 1), ("BR-CO-16", Some(1), 0), ("OFF-1", None, 1)]);
}

#[test]
fn an_official_schema_takes_the_place_of_the_light_check() {
    let fires = [("XSD-1", Flag::Fatal)];
    let library =
        OfficialLibrary::new([set("a:schema:1.0", OfficialSetKind::Structure, None, &fires)]);
    let report = judged(samples::INVOICE, &library, ValidationPolicy::Official, false);
    let steps: Vec<_> = report.steps.iter().map(|step| step.outcome).collect();
    use StepOutcome::{Failed, Passed};
    // The rules still run: one report tells everything.
    assert_eq!(steps, [Passed, Passed, Failed, Passed, Passed]);
}

#[test]
fn a_format_without_rules_of_ours_is_judged_by_official_ones() {
    let library = OfficialLibrary::new([set(
        "a:rules:1.0",
        OfficialSetKind::Rules,
        None,
        &[("C-1", Flag::Fatal)],
    )]);
    let report = judged(ISDOC, &library, ValidationPolicy::Official, false);
    assert!(report.has("C-1") && !report.has("QUOIN-FORMAT-UNSUPPORTED"));
    let report = judged(ISDOC, &library, ValidationPolicy::Builtin, false);
    assert!(!report.has("C-1") && report.has("QUOIN-FORMAT-UNSUPPORTED"));
}

#[test]
fn the_coming_release_is_told_apart() {
    let day = date(2026, 11, 16);
    let later = Some(day);
    let library = OfficialLibrary::new([
        set("a:rules:1.0", OfficialSetKind::Rules, None, &[("OLD", Flag::Warning)]),
        set(
            "a:rules:2.0",
            OfficialSetKind::Rules,
            later,
            &[("OLD", Flag::Warning), ("NEW", Flag::Fatal)],
        ),
    ]);
    let report = judged(samples::INVOICE, &library, ValidationPolicy::Official, true);
    assert!(report.is_valid() && !report.has("NEW"));
    let [coming] = &report.coming[..] else { panic!("{:?}", report.coming) };
    assert_eq!((coming.from, coming.refuses()), (day, true));
    let rules: Vec<_> = coming.findings.iter().map(|finding| &*finding.rule).collect();
    assert_eq!(rules, ["NEW"]);
    assert!(
        judged(samples::INVOICE, &library, ValidationPolicy::Official, false).coming.is_empty()
    );
}

#[test]
fn exactly_these_sets_run_on_anything() {
    let mut any = set(
        "a:rules:1.0",
        OfficialSetKind::Rules,
        Some(date(2030, 1, 1)),
        &[("X-1", Flag::Warning)],
    );
    Arc::get_mut(&mut any).unwrap().applies = Applies::default();
    let sets = [any, set("a:invoices:1.0", OfficialSetKind::Rules, None, &[("X-2", Flag::Fatal)])];
    let options = Options { exactly: Some(&sets), ..Options::default() };
    let report = validate_with(&read(b"<anything/>"), DAY, &options);
    assert!(report.has("X-1") && !report.has("X-2") && report.is_valid());
    assert_eq!(report.policy, ValidationPolicy::Official);
}

/// Whoever adds rules of the house did not ask for the others to be left out.
#[test]
fn rules_of_the_house_stand_beside_our_own() {
    let wrong = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    let bis = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
    assert!(wrong.contains(bis));
    let unknown = wrong.replace(bis, "urn:who:knows");
    // A rule that has the name of one of ours does not stand for all of them.
    let fires = [("HOUSE-1", Flag::Warning), ("BR-CO-16", Flag::Information)];
    let library = OfficialLibrary::new([house(&fires)]);
    for policy in [ValidationPolicy::Official, ValidationPolicy::Both] {
        let report = judged(&wrong, &library, policy, true);
        assert!(!report.is_valid() && report.has("HOUSE-1"), "{policy:?}");
        assert!(report.fatal().any(|finding| finding.rule == "BR-CO-16"), "{policy:?}");
        let alone = judged(&wrong, &OfficialLibrary::default(), policy, true);
        let beside: Vec<_> = report.rule_sets.iter().filter(|set| *set != "a:house:1.0").collect();
        assert_eq!(beside, alone.rule_sets.iter().collect::<Vec<_>>());
        assert_eq!((&report.package, report.coming.len()), (&alone.package, alone.coming.len()));
        assert_eq!(report.findings.len(), alone.findings.len() + fires.len());
        // Of ours there is nothing to compare with.
        let differ: Vec<_> = report.differences.iter().map(|own| &*own.rule).collect();
        let is_both = policy == ValidationPolicy::Both;
        assert_eq!(differ, if is_both { vec!["HOUSE-1"] } else { vec![] });
        let report = judged(&unknown, &library, policy, false);
        assert!(report.has("QUOIN-PROFILE-UNKNOWN"), "{:?}", report.findings);
    }
    let report = judged(&wrong, &library, ValidationPolicy::Builtin, false);
    assert!(!report.is_valid() && !report.has("HOUSE-1"));
    // What nobody has rules for is judged by those of the house alone.
    let report = judged(ISDOC, &library, ValidationPolicy::Official, false);
    assert_eq!((&report.rule_sets[..], report.is_judged), (&["a:house:1.0".into()][..], true));
}

/// Of a specification that stands on another one, files may be registered for a part.
#[test]
fn what_no_official_file_has_is_left_to_us() {
    #[derive(Debug)]
    struct Core(&'static RuleSet);
    impl Engine for Core {
        fn rules(&self) -> usize {
            self.0.tested().count()
        }
        fn has_rule(&self, rule: &str) -> bool {
            self.0.tested().any(|own| own == rule)
        }
        fn check<'d>(&self, _: Element<'d>, _: Date, _: &mut dyn FnMut(OfficialFinding<'d>)) {}
    }
    let wrong = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    let sets = judged(&wrong, &OfficialLibrary::default(), ValidationPolicy::Official, false);
    let [core, own] = &sets.rule_sets[..] else { panic!("{:?}", sets.rule_sets) };
    let find = |name: &str| crate::releases::RULE_SETS.iter().find(|set| set.coordinate == name);
    for (registered, left, is_valid) in [(core, own, true), (own, core, false)] {
        let mut official = set("a:rules:1.0", OfficialSetKind::Rules, None, &[]);
        let engine = Box::new(Core(find(registered).unwrap()));
        Arc::get_mut(&mut official).unwrap().engine = engine;
        let library = OfficialLibrary::new([official]);
        let report = judged(&wrong, &library, ValidationPolicy::Official, false);
        assert_eq!(report.rule_sets, ["a:rules:1.0".into(), left.clone()]);
        assert_eq!((report.is_valid(), report.has("BR-CO-16")), (is_valid, !is_valid));
        assert_eq!(report.package, None);
    }
}
