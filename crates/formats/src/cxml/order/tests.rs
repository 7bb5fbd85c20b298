//! Orders there and back: what another syntax says otherwise has a row.

use crate::convert::{ConversionRefusal, ConversionTarget, Converted, Loss, LossKind, convert};

const ORDER: &str = include_str!("../../../samples/order.xml");
const ANSWER: &str = include_str!("../../../samples/order-response.xml");
const CXML: &str = include_str!("../../../samples/order-cxml.xml");

fn to(text: &str, target: ConversionTarget) -> Result<Converted, ConversionRefusal> {
    let parsed = crate::read(text.as_bytes());
    let document = parsed.tree().expect("it is read");
    convert(document, target)
}

/// The sample with texts in the place of others, each of which is in it.
fn changed(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn cxml(edits: &[(&str, &str)]) -> Converted {
    to(&changed(ORDER, edits), ConversionTarget::CXML).expect("it is converted")
}

fn row<'c>(converted: &'c Converted, value: &str) -> Option<&'c Loss> {
    converted.losses.iter().find(|loss| loss.value == value)
}

/// What stands between two texts.
fn between<'t>(text: &'t str, from: &str, until: &str) -> &'t str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{from} in {text}"));
    rest.split_once(until).unwrap_or_else(|| panic!("{until} in {rest}")).0
}

#[test]
fn a_tax_that_is_not_vat_is_called_what_it_is() {
    let there = cxml(&[("<cbc:ID>VAT<", "<cbc:ID>GST<")]);
    let text = &there.document;
    assert!(text.contains("category=\"gst\""), "{text}");
    assert!(!text.contains("category=\"vat\"") && !text.contains(">VAT<"), "{text}");
    let back = to(text, ConversionTarget::UBL).expect("it comes back");
    let scheme = between(&back.document, "<cac:AllowanceCharge>", "</cac:AllowanceCharge>");
    let wanted = "<cbc:ID>GST</cbc:ID>";
    assert!(scheme.contains(wanted) && scheme.contains("<cbc:ID>S</cbc:ID>"), "{scheme}");
    // One of which cXML has no word goes as it is.
    let other = cxml(&[("<cbc:ID>VAT<", "<cbc:ID>LOC<")]);
    assert!(other.document.contains("category=\"LOC\""), "{}", other.document);
}

/// What comes back is of the usual process: another one is lost, and the list says so.
#[test]
fn another_process_than_the_usual_has_a_row() {
    let usual = "urn:fdc:peppol.eu:poacc:bis:ordering:3";
    let only = "urn:fdc:peppol.eu:poacc:bis:order_only:3";
    let specified = "urn:fdc:peppol.eu:poacc:trns:order:3";
    assert!(ORDER.contains(usual) && ORDER.contains(specified));
    let other = format!("{specified}:extended:urn:example");
    for target in [ConversionTarget::CXML, ConversionTarget::DICO] {
        let own = |edits: &[(&str, &str)]| to(&changed(ORDER, edits), target).expect("it goes");
        for value in [usual, specified] {
            assert_eq!(row(&own(&[]), value), None);
        }
        let lost = own(&[(usual, only), (specified, &other)]);
        for (value, term) in [(only, "tir01-002"), (other.as_str(), "tir01-001")] {
            let row = row(&lost, value).unwrap_or_else(|| panic!("{:?}", lost.losses));
            assert_eq!((row.kind, row.term), (LossKind::Lost, Some(term)));
        }
    }
}

/// The period of the document, then that of the line.
const PERIOD: &str = "<cbc:StartDate>2026-05-18</cbc:StartDate>
      <cbc:StartTime>08:00:00</cbc:StartTime>
      <cbc:EndDate>2026-05-20</cbc:EndDate>
      <cbc:EndTime>16:00:00</cbc:EndTime>";
const OF_LINE: &str = "<cbc:StartDate>2026-05-18</cbc:StartDate>
          <cbc:StartTime>09:00:00</cbc:StartTime>
          <cbc:EndDate>2026-05-18</cbc:EndDate>
          <cbc:EndTime>11:00:00</cbc:EndTime>";

#[test]
fn until_when_goods_are_wanted_stays_the_end() {
    let end = "<cbc:EndDate>2026-05-20</cbc:EndDate><cbc:EndTime>18:00:00</cbc:EndTime>";
    let there = cxml(&[(PERIOD, end), (OF_LINE, end)]);
    let count =
        there.document.matches("requestedDeliveryDate=\"2026-05-20T18:00:00+00:00\"").count();
    assert_eq!(count, 2, "{}", there.document);
    // Nobody said in which zone.
    let zones = there.losses.iter().filter(|loss| {
        (loss.kind, &*loss.value) == (LossKind::Derived, "+00:00")
            && loss.target_path.as_deref().is_some_and(|at| at.ends_with("requestedDeliveryDate"))
    });
    assert_eq!(zones.count(), 2, "{:?}", there.losses);
    let back = to(&there.document, ConversionTarget::UBL).expect("it comes back").document;
    for period in back.split("<cac:RequestedDeliveryPeriod>").skip(1) {
        let (period, _) = period.split_once("</cac:RequestedDeliveryPeriod>").expect("its end");
        assert!(!period.contains("Start"), "{period}");
        let wanted = ["<cbc:EndDate>2026-05-20<", "<cbc:EndTime>18:00:00<"];
        assert!(wanted.iter().all(|one| period.contains(one)), "{period}");
    }
    // What says its zone has no row.
    let zoned = cxml(&[(PERIOD, &end.replace("18:00:00", "18:00:00+02:00")), (OF_LINE, "")]);
    let of_delivery = |loss: &Loss| {
        loss.value == "+00:00"
            && loss.target_path.as_deref().is_some_and(|at| at.contains("equested"))
    };
    assert!(!zoned.losses.iter().any(of_delivery), "{:?}", zoned.losses);
}

#[test]
fn one_day_is_told_by_its_end() {
    let day = "<cbc:StartDate>2026-05-20</cbc:StartDate><cbc:EndDate>2026-05-20</cbc:EndDate>";
    let there = cxml(&[(PERIOD, day)]);
    assert!(there.document.contains("requestedDeliveryDate=\"2026-05-20T00:00:00+00:00\""));
    let row = row(&there, "2026-05-20").expect("a row of the first day");
    assert_eq!(row.kind, LossKind::Changed);
    assert!(row.source_path.contains("StartDate"), "{row:?}");
    // A part of a day has two ends.
    let part = cxml(&[(PERIOD, OF_LINE)]);
    let wanted =
        "<Period startDate=\"2026-05-18T09:00:00+00:00\" endDate=\"2026-05-18T11:00:00+00:00\"";
    assert!(part.document.contains(wanted), "{}", part.document);
}

#[test]
fn a_conversion_between_units_is_not_made_up() {
    let base = "<cbc:BaseQuantity unitCode=\"H87\">1<";
    let of = |text: &str| changed(ORDER, &[(base, text)]);
    // The line costs what it costs without it.
    let there = to(&of("<cbc:BaseQuantity unitCode=\"KGM\">1<"), ConversionTarget::CXML).unwrap();
    assert!(!there.document.contains("PriceBasisQuantity"), "{}", there.document);
    assert_eq!(row(&there, "KGM").map(|row| row.kind), Some(LossKind::Lost));
    // A hundredfold would be another price.
    let many = of("<cbc:BaseQuantity unitCode=\"KGM\">100<");
    let many = changed(
        &many,
        &[(
            "<cbc:LineExtensionAmount currencyID=\"EUR\">30.00<",
            "<cbc:LineExtensionAmount currencyID=\"EUR\">1.29<",
        )],
    );
    let refused = to(&many, ConversionTarget::CXML);
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("how many of it"), "{refused}");
    // Pieces are pieces, and without a unit it is that of the quantity.
    for (text, unit) in
        [("<cbc:BaseQuantity unitCode=\"EA\">1<", "EA"), ("<cbc:BaseQuantity>1<", "H87")]
    {
        let there = to(&of(text), ConversionTarget::CXML).unwrap().document;
        let basis = between(&there, "<PriceBasisQuantity", "</PriceBasisQuantity>");
        assert!(basis.contains("conversionFactor=\"1\"") && basis.contains(unit), "{basis}");
    }
}

#[test]
fn a_confirmed_price_is_for_one() {
    let base = "<cbc:BaseQuantity unitCode=\"H87\">1<";
    let many = changed(ANSWER, &[(base, &base.replace(">1<", ">100<"))]);
    let refused = to(&many, ConversionTarget::CXML).unwrap_err().to_string();
    assert!(refused.contains("for one"), "{refused}");
}

#[test]
fn the_number_in_a_catalogue_is_not_the_makers() {
    let maker = "<cac:ManufacturersItemIdentification>
          <cbc:ID>M-33</cbc:ID>
        </cac:ManufacturersItemIdentification>";
    let text = maker.replace("Manufacturers", "Catalogue");
    let there = cxml(&[(maker, &text)]);
    assert!(!there.document.contains("ManufacturerPartID"), "{}", there.document);
    assert_eq!(row(&there, "M-33").map(|row| row.kind), Some(LossKind::Lost));
    assert!(cxml(&[]).document.contains("<ManufacturerPartID>M-33<"));
}

#[test]
fn the_number_of_who_receives_is_his() {
    let there = cxml(&[]);
    let to_place = between(&there.document, "<ShipTo>", "</ShipTo>").to_owned();
    assert!(to_place.contains("addressID=\"8712345000042\""), "{to_place}");
    let back = to(&there.document, ConversionTarget::UBL).expect("it comes back").document;
    let party = between(&back, "<cac:DeliveryParty>", "</cac:DeliveryParty>");
    assert!(party.contains("schemeID=\"0088\">8712345000059<"), "{party}");
    let place = between(&back, "<cac:DeliveryLocation>", "</cac:DeliveryLocation>");
    assert!(place.contains("8712345000042") && !place.contains("8712345000059"), "{place}");
    // Without a number of the place it stands for that, and is told.
    let alone = cxml(&[("<cbc:ID schemeID=\"0088\">8712345000042</cbc:ID>", "")]);
    assert!(
        alone.document.contains("<Address addressID=\"8712345000059\" addressIDDomain=\"0088\"")
    );
    assert_eq!(row(&alone, "8712345000059").map(|row| row.kind), Some(LossKind::Changed));
}

#[test]
fn texts_keep_their_language() {
    let back = to(CXML, ConversionTarget::UBL).expect("it is converted");
    for wanted in [
        "<cbc:Note languageID=\"nl\">Ring twice before unloading<",
        "<cbc:Name languageID=\"nl\">Frame, white<",
    ] {
        assert!(back.document.contains(wanted), "{wanted} in {}", back.document);
    }
    let again = to(&back.document, ConversionTarget::CXML).expect("it comes back").document;
    assert!(again.contains("<Description xml:lang=\"nl\""), "{again}");
    assert!(again.contains("<Comments xml:lang=\"nl\">Ring twice"), "{again}");
    // One that nobody knows is none.
    let unknown = CXML.replace("xml:lang=\"nl\"", "xml:lang=\"und\"");
    let back = to(&unknown, ConversionTarget::UBL).expect("it is converted");
    assert!(!back.document.contains("languageID"), "{}", back.document);
    assert!(row(&back, "und").is_none(), "{:?}", back.losses);
    // Where the target has no place for it, it is listed.
    let english = ORDER.replace("<cbc:Note>Ring", "<cbc:Note languageID=\"en\">Ring");
    let dico = to(&english, ConversionTarget::DICO).expect("it is converted");
    assert_eq!(row(&dico, "en").map(|row| row.kind), Some(LossKind::Lost));
    let there = cxml(&[("<cbc:Note>Ring", "<cbc:Note languageID=\"en\">Ring")]);
    assert!(there.document.contains("<Comments xml:lang=\"en\">Ring"), "{}", there.document);
}

/// What the first conversion loses, Peppol BIS may ask for: the second says what it lacks.
#[test]
fn what_no_longer_has_what_peppol_bis_asks_for_says_so() {
    const PRICED: (&str, &str) = (">2.90<", ">3.00<");
    let back = |text: &str| {
        let own = to(text, ConversionTarget::UBL).expect("it comes back");
        let missing = own.losses.into_iter().filter(|loss| loss.kind == LossKind::Missing);
        (own.document.contains("<cbc:CustomizationID>"), missing.collect::<Vec<_>>())
    };
    let whole = cxml(&[PRICED]).document;
    assert_eq!(back(&whole), (true, Vec::new()));
    let country = "<Country isoCountryCode=\"NL\">";
    for (text, path, term) in [
        (cxml(&[]).document, "/cXML[1]/Request[1]/OrderRequest[1]/ItemOut[1]", Some("tir01-128")),
        (whole.replace(country, "<Country>"), "/cXML[1]", Some("tir01-069")),
    ] {
        let (is_named, rows) = back(&text);
        let [row] = rows.as_slice() else { panic!("{rows:?}") };
        assert!(!is_named && row.source_path.starts_with(path), "{row:?}");
        assert!(row.term == term && row.value.is_empty() && row.target_path.is_none(), "{row:?}");
        assert!(row.reason.contains("Peppol BIS"));
    }
}

/// A total that no reader makes again is lost, also where it says what another one says.
#[test]
fn a_total_without_tax_that_is_the_sum_of_the_lines_is_lost() {
    let without = "<cbc:TaxExclusiveAmount currencyID=\"EUR\">";
    let there = cxml(&[(&format!("{without}32.00<"), &format!("{without}30.00<"))]);
    let is_it = |loss: &&Loss| loss.source_path.ends_with("/cbc:TaxExclusiveAmount[1]");
    let row = there.losses.iter().find(is_it).expect("a row");
    assert_eq!((row.kind, row.value.as_str()), (LossKind::Lost, "30.00"));
    let due = "<cbc:PayableAmount currencyID=\"EUR\">";
    let there = cxml(&[(&format!("{due}38.00<"), &format!("{due}30.00<"))]);
    let is_it = |loss: &&Loss| loss.source_path.ends_with("/cbc:PayableAmount[1]");
    assert!(there.losses.iter().any(|loss| is_it(&loss)), "{:?}", there.losses);
}
