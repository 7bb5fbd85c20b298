//! Which official files stand for which of our sets: under the policy `official` what none of them
//! has is judged by ours.

use std::collections::BTreeSet;

use quoin_rules::releases::RULE_SETS;
use quoin_testing::shared;
use quoin_xml::schematron::{PhaseChoice, SchematronSchema};

use super::Folder;
use super::official::files;

/// The rules of the official files of a set; `None` where they are not at hand.
fn rules(files: &[(String, String)]) -> Option<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    for (folder, name) in files {
        let folder = Folder(shared(&format!("corpora/{folder}"))?);
        let schema = SchematronSchema::load(&folder, name, &PhaseChoice::default()).unwrap();
        all.extend(schema.names().map(str::to_owned));
    }
    Some(all)
}

/// How many of the rules of a set there are among those, of how many.
fn share(coordinate: &str, rules: &BTreeSet<String>) -> (usize, usize) {
    let set = RULE_SETS.iter().find(|set| set.coordinate == coordinate).unwrap();
    let ids: BTreeSet<&str> = set.tested().collect();
    (ids.iter().filter(|id| rules.contains(**id)).count(), ids.len())
}

#[test]
fn an_official_file_has_most_of_the_rules_of_its_set_and_few_of_others() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for set in RULE_SETS.iter() {
        let Some(files) = files(set) else { continue };
        let Some(found) = rules(&files) else { return };
        let (had, all) = share(set.coordinate, &found);
        if 2 * had < all {
            wrong.push(format!("{}: {had} of {all}", set.coordinate));
        }
        seen += 1;
        // What stands on EN 16931 does not stand for it.
        let bases = ["eu.cen.en16931:ubl:1.3.16", "eu.cen.en16931:cii:1.3.16"];
        if ["eu.peppol.bis3", "de.xrechnung"].iter().any(|own| set.coordinate.starts_with(own)) {
            for base in bases {
                let (had, all) = share(base, &found);
                if 2 * had >= all {
                    wrong.push(format!("{} and {base}: {had} of {all}", set.coordinate));
                }
            }
        }
    }
    assert!(seen > 50 && wrong.is_empty(), "{seen}: {wrong:#?}");
}
