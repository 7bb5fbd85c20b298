//! Payment.

use super::{CREDIT_NOTE, ConversionTarget, LossKind, converted, edit, to_cii, to_ubl};

const SECOND: &str = "<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode>\
    <cac:PayeeFinancialAccount><cbc:ID>DE75512108001245126199</cbc:ID></cac:PayeeFinancialAccount>\
    </cac:PaymentMeans>";

#[test]
fn several_means_keep_their_codes_and_accounts() {
    let place = "<cac:PaymentTerms>";
    let cii = to_cii(&[(place, &format!("{SECOND}{place}"))]);
    assert!(cii.has("<ram:TypeCode>30</ram:TypeCode><ram:Information>Credit transfer<"));
    assert!(cii.has(
        "<ram:TypeCode>58</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount>\
        <ram:IBANID>DE75512108001245126199</ram:IBANID>"
    ));
    let ubl = converted(&cii.document, ConversionTarget::UBL).unwrap();
    assert!(ubl.has("<cbc:PaymentMeansCode>58</cbc:PaymentMeansCode>"));
    assert_eq!(ubl.count("<cac:PayeeFinancialAccount>"), 2);
}

#[test]
fn a_second_account_of_one_means_stays() {
    let account = "<ram:PayeeSpecifiedCreditorFinancialInstitution>";
    let second = "<ram:PayeePartyCreditorFinancialAccount><ram:ProprietaryID>99</ram:ProprietaryID>\
        </ram:PayeePartyCreditorFinancialAccount>";
    let ubl = to_ubl(&[(account, &format!("{second}{account}"))]);
    assert!(ubl.has("<cac:PayeeFinancialAccount><cbc:ID>99</cbc:ID>"));
    // The words stand once (UBL-SR-46).
    assert_eq!(ubl.count("name=\"Credit transfer\">30</cbc:PaymentMeansCode>"), 1);
    assert_eq!(ubl.count("<cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>"), 1);
}

/// UBL-SR-46: the words of a means stand with the first; those of others are lost, or told by it.
#[test]
fn the_words_of_a_means_stand_once_in_ubl() {
    let place = "<ram:ApplicableTradeTax><ram:CalculatedAmount>47.50";
    let means = |words: &str| {
        format!(
            "<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode>\
            <ram:Information>{words}</ram:Information></ram:SpecifiedTradeSettlementPaymentMeans>\
            {place}"
        )
    };
    let ubl = to_ubl(&[(place, &means("By SEPA"))]);
    assert_eq!(ubl.count(" name=\""), 1, "{}", ubl.document);
    assert!(ubl.rows().contains(&("BT-82", LossKind::Lost, "By SEPA")), "{:?}", ubl.rows());
    let ubl = to_ubl(&[(place, &means("Credit transfer"))]);
    assert_eq!(ubl.count(" name=\""), 1);
    assert!(!ubl.rows().iter().any(|row| row.0 == "BT-82"), "{:?}", ubl.rows());
    let eb = include_str!("../../../samples/ebinterface.xml");
    let account = "</eb:BeneficiaryAccount>";
    let second = "<eb:BeneficiaryAccount><eb:IBAN>DE75512108001245126199</eb:IBAN>";
    let eb = edit(eb, &[(account, &format!("{account}{second}{account}"))]);
    let ubl = converted(&eb, ConversionTarget::UBL).unwrap();
    assert_eq!(ubl.count("<cac:PayeeFinancialAccount>"), 2, "{}", ubl.document);
    assert_eq!(ubl.count("PaymentMeansCode name=\"Bitte \u{fc}berweisen\""), 1);
}

/// BR-51 is a warning in UBL and fatal in CII.
#[test]
fn a_card_with_more_digits_than_cii_allows_is_announced() {
    let row = |number: &str| {
        let cii = to_cii(&[(
            ">1234</cbc:PrimaryAccountNumberID>",
            &format!(
                ">{number}<\
            /cbc:PrimaryAccountNumberID>"
            ),
        )]);
        assert!(cii.has(&format!("<ram:ID>{number}</ram:ID>")), "{}", cii.document);
        let mut rows = cii.losses.into_iter().filter(|loss| loss.reason.contains("BR-51"));
        rows.next().map(|loss| (loss.term, loss.kind, loss.value))
    };
    assert_eq!(row("1234567890"), None);
    let long = "123456******1234";
    assert_eq!(row(long), Some((Some("BT-87"), LossKind::Changed, long.to_owned())));
}

#[test]
fn account_card_and_mandate_stay_whatever_the_code() {
    for code in ["10", "48", "ZZZ", "30"] {
        let from = "name=\"Credit transfer\">30<";
        let cii = to_cii(&[(from, &from.replace("30", code))]);
        assert!(cii.has(&format!("<ram:TypeCode>{code}</ram:TypeCode><ram:Information>")));
        for kept in ["NL02 ABNA 0123456789", "1234", "MANDATE-10", "SE3550000000054910000003"] {
            assert_eq!(cii.count(&format!(">{kept}<")), 1, "{code} {kept}");
        }
    }
}

#[test]
fn terms_of_payment_are_not_invented() {
    let cii = to_cii(&[
        ("<cac:PaymentTerms><cbc:Note>Net 30 days</cbc:Note></cac:PaymentTerms>", ""),
        ("<cbc:DueDate>2026-06-03</cbc:DueDate>", ""),
        ("<cbc:ID>MANDATE-10</cbc:ID>", ""),
    ]);
    assert_eq!(cii.count("SpecifiedTradePaymentTerms"), 0);
    let second = "<cac:PaymentTerms><cbc:Note>#SKONTO#TAGE=7#PROZENT=2.00#\n</cbc:Note>\
        </cac:PaymentTerms>";
    let terms = "<cac:PaymentTerms>";
    let cii = to_cii(&[(terms, &format!("{second}{terms}"))]);
    let joined = "<ram:Description>#SKONTO#TAGE=7#PROZENT=2.00#\nNet 30 days</ram:Description>";
    assert!(cii.document.contains(joined));
    assert!(cii.rows().contains(&("BT-20", LossKind::Merged, "Net 30 days")));
}

#[test]
fn the_due_date_of_an_invoice_is_its_own() {
    let ubl = to_ubl(&[]);
    assert!(ubl.has("<cbc:DueDate>2026-06-03</cbc:DueDate>"));
    assert_eq!(ubl.count("PaymentDueDate"), 0);
    let credit =
        to_ubl(&[("<ram:TypeCode>380</ram:TypeCode>", "<ram:TypeCode>381</ram:TypeCode>")]);
    assert!(credit.has("30</cbc:PaymentMeansCode><cbc:PaymentDueDate>2026-06-03<"));
    assert_eq!(credit.count("<cbc:DueDate>"), 0);
}

#[test]
fn a_credit_note_is_told_by_its_type_and_keeps_its_signs() {
    let cii = converted(CREDIT_NOTE, ConversionTarget::CII).unwrap();
    let ubl = converted(&cii.document, ConversionTarget::UBL).unwrap();
    assert!(ubl.has("<CreditNote ") && ubl.has("<cbc:CreditNoteTypeCode>"));
    assert!(ubl.has("<cbc:CreditedQuantity ") && ubl.count("<cac:CreditNoteLine>") == 1);
    assert!(ubl.has("<cbc:DocumentTypeCode>50</cbc:DocumentTypeCode>"));
    // Without payment means there is no place for the day: means of their own, listed.
    let text = cii.document;
    let (head, rest) = text.split_once("<ram:SpecifiedTradeSettlementPaymentMeans>").unwrap();
    let (_, tail) = rest.split_once("</ram:SpecifiedTradeSettlementPaymentMeans>").unwrap();
    let ubl = converted(&format!("{head}{tail}"), ConversionTarget::UBL).unwrap();
    assert!(ubl.rows().contains(&("BT-81", LossKind::Derived, "1")));
}

#[test]
fn one_remittance_is_said_once_and_another_has_a_row() {
    let place = "<cac:PaymentTerms>";
    let with = |text: &str| {
        let code = "58</cbc:PaymentMeansCode>";
        let id = format!("{code}<cbc:PaymentID>{text}</cbc:PaymentID>");
        to_cii(&[(place, &format!("{}{place}", edit(SECOND, &[(code, &id)])))])
    };
    assert_eq!(with("RF18 5390").tally.listed, 0);
    assert!(with("RF99").rows().contains(&("BT-83", LossKind::Lost, "RF99")));
}
