//! Days that have a time, or no format: the day is there, and a row says what is not.

use super::{CII, ConversionTarget, Converted, LossKind, UBL, converted, edit};

/// The kind and the reason of the row of BT-2.
fn row(own: &Converted) -> Option<(LossKind, &str)> {
    let row = own.losses.iter().find(|loss| loss.term == Some("BT-2"))?;
    assert!(row.target_path.is_some(), "{row:?}");
    Some((row.kind, row.reason))
}

#[test]
fn a_day_with_a_time_is_the_day_in_every_target() {
    let cii = |date: &str| {
        let whole = "<ram:IssueDateTime><udt:DateTimeString format=\"102\">20260504\
            </udt:DateTimeString></ram:IssueDateTime>";
        let text = super::compact(CII).replace("> <", "><");
        assert!(text.contains(whole));
        text.replacen(whole, &format!("<ram:IssueDateTime>{date}</ram:IssueDateTime>"), 1)
    };
    let day = "the target has the day only, without time and time zone";
    for date in [
        "<udt:DateTime>2026-05-04T00:00:00</udt:DateTime>",
        "<udt:DateTime>2026-05-04T09:30:00.5+02:00</udt:DateTime>",
        "<udt:DateTimeString format=\"203\">202605040930</udt:DateTimeString>",
    ] {
        let ubl = converted(&cii(date), ConversionTarget::UBL).expect("it has a place");
        assert!(ubl.has("<cbc:IssueDate>2026-05-04</cbc:IssueDate>"), "{date}");
        assert_eq!(row(&ubl), Some((LossKind::Changed, day)), "{date}");
    }
    let date = "<udt:DateTimeString>20260504</udt:DateTimeString>";
    let ubl = converted(&cii(date), ConversionTarget::UBL).expect("it has a place");
    assert!(ubl.has("<cbc:IssueDate>2026-05-04</cbc:IssueDate>"));
    let (kind, reason) = row(&ubl).expect("a row");
    assert!(kind == LossKind::Changed && reason.contains("in which form"), "{reason}");
    let own = edit(UBL, &[("<cbc:IssueDate>2026-05-04<", "<cbc:IssueDate>2026-05-04T10:00:00Z<")]);
    for target in [ConversionTarget::CII, ConversionTarget::JSON] {
        let other = converted(&own, target).expect("it has a place");
        assert_eq!(row(&other), Some((LossKind::Changed, day)));
        assert!(other.has("20260504") || other.has("\"issueDate\": \"2026-05-04\""));
    }
    let none = edit(UBL, &[("<cbc:IssueDate>2026-05-04<", "<cbc:IssueDate>2026-02-30T10:00:00<")]);
    let cii = converted(&none, ConversionTarget::CII).expect("it has a place");
    assert!(cii.rows().iter().any(|row| row.1 == LossKind::Lost && row.0 == "BT-2"));
}
