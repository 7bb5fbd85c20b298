//! What an option says about a set of rules.

use jiff::civil::date;
use quoin_rules::official::{Applies, Engine, OfficialFinding, OfficialLibrary, OfficialSetKind};
use quoin_xml::tree::Element;

use super::*;

#[derive(Debug)]
struct Silent;

impl Engine for Silent {
    fn rules(&self) -> usize {
        0
    }

    fn has_rule(&self, _: &str) -> bool {
        false
    }

    fn check<'d>(&self, _: Element<'d>, _: Date, _: &mut dyn FnMut(OfficialFinding<'d>)) {}
}

fn set(coordinate: &str, from: Option<Date>, until: Option<Date>) -> Arc<OfficialSet> {
    Arc::new(OfficialSet {
        coordinate: coordinate.parse().unwrap(),
        title: "Rules".to_owned(),
        kind: OfficialSetKind::Rules,
        from,
        until,
        applies: Applies::default(),
        added_on: None,
        engine: Box::new(Silent),
    })
}

#[test]
fn the_state_tells_which_release_judges() {
    let library = OfficialLibrary::new([
        set("a:b:1", Some(date(2025, 1, 1)), None),
        set("a:b:2", Some(date(2026, 1, 1)), None),
        set("a:b:3", Some(date(2027, 1, 1)), None),
        set("a:c:1", None, Some(date(2025, 12, 31))),
    ]);
    let states: Vec<_> = library
        .sets()
        .iter()
        .map(|set| ValidationOption::of(set, &library, date(2026, 6, 1)).state)
        .collect();
    assert_eq!(states, ["previous", "active", "coming", "expired"]);
}

#[tokio::test]
async fn one_more_than_there_are_threads_waits_for_its_turn() {
    let judges = ValidatorPool(Pool::of(1));
    let (one, two) = tokio::join!(judges.run("a", || 1), judges.run("a", || 2));
    assert_eq!((one.unwrap(), two.unwrap()), (1, 2));
}
