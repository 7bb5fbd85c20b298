//! Each business term is read from its path in each syntax.

use std::collections::{BTreeMap, BTreeSet};

use super::{CII, UBL_CREDIT_NOTE, UBL_INVOICE, leaves, parsed, plain, reading};

/// How many identifiers of terms there are: BT-1 to BT-165 without BT-4, and the sub-terms that
/// are schemes, versions, media types and file names.
const TERMS: usize = 180;

/// Where each term of a document stands.
fn places(text: &str) -> BTreeMap<&'static str, BTreeSet<String>> {
    let document = parsed(text);
    let mut places: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for term in reading(&document).invoice.terms() {
        places.entry(term.id).or_default().insert(plain(&term.source.path()));
    }
    places
}

#[test]
fn the_samples_have_every_term_and_leave_nothing_unread() {
    for (name, text) in [("ubl", UBL_INVOICE), ("credit note", UBL_CREDIT_NOTE), ("cii", CII)] {
        let document = parsed(text);
        let reading = reading(&document);
        let unread: Vec<_> = reading.residue.iter().map(|one| one.path()).collect();
        assert_eq!(unread, Vec::<String>::new(), "{name}");
        let tally = reading.tally;
        let sum = tally.read + tally.derived + tally.regenerated;
        assert_eq!(sum, leaves(document.root()), "{name}");
        let found = places(text);
        let wanted = (1..=165).filter(|number| *number != 4).map(|number| format!("BT-{number}"));
        let missing: Vec<_> = wanted.filter(|id| !found.contains_key(id.as_str())).collect();
        assert_eq!(missing, Vec::<String>::new(), "{name}");
        assert_eq!(found.len(), TERMS, "{name}");
    }
}

/// The mapping that was made from the standards, if it is at hand: identifier and path.
fn mapping(column: usize) -> Option<Vec<(String, String)>> {
    let table = quoin_testing::shared_text("research/formats/01_en16931_ubl_cii.tsv")?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let id = cells.first().filter(|id| id.starts_with("BT-"))?;
        let path = cells.get(column).filter(|path| !path.is_empty())?;
        Some(((*id).to_owned(), plain(path)))
    };
    Some(table.lines().filter_map(row).collect())
}

#[test]
fn each_term_is_read_from_its_path() {
    for (column, text) in [(5, UBL_INVOICE), (6, UBL_CREDIT_NOTE), (7, CII)] {
        let Some(mapping) = mapping(column) else { return };
        let found = places(text);
        assert!(mapping.len() >= TERMS, "{}", mapping.len());
        for (id, path) in mapping {
            let places = &found[id.as_str()];
            assert!(places.contains(&path), "{id}: {path} is not {places:?}");
        }
    }
}

#[test]
fn terms_of_several_paths_are_read_from_each() {
    for (from, to, id, path) in [
        ("IBANID", "ProprietaryID", "BT-84", "ProprietaryID"),
        (
            "<ram:GlobalID schemeID=\"0088\">Seller-ID</ram:GlobalID>",
            "<ram:ID>Seller-ID</ram:ID>",
            "BT-29",
            "SellerTradeParty/ID",
        ),
        ("PersonName", "DepartmentName", "BT-41", "DepartmentName"),
    ] {
        assert!(CII.contains(from), "{from}");
        let found = places(&CII.replace(from, to));
        assert!(found[id].iter().any(|place| place.ends_with(path)), "{id}: {:?}", found[id]);
    }
    // Without BG-29's net base quantity the gross one is BT-149.
    let net = "<ram:BasisQuantity unitCode=\"C62\">1</ram:BasisQuantity>";
    let gross = "<ram:ChargeAmount>20.00</ram:ChargeAmount>";
    let moved = CII.replace(net, "").replace(gross, &format!("{gross}{net}"));
    assert!(places(&moved)["BT-149"].iter().all(|place| place.contains("GrossPrice")));
}
