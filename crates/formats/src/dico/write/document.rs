//! The document level: BT-1 to BT-25, payment, texts and attachments.

use quoin_model::amount::Decimal;
use quoin_model::codes;
use quoin_model::en16931::{
    DocumentReference, Field, Invoice, PaymentMeans, Quantity, TermsAdjustment,
};

use super::super::codes::{CORRECTION, CREDIT_NOTE, FILES, INVOICE, PAYMENT_MEANS};
use super::amount;
use crate::reading::lookup_back;
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, WrittenSign, documents, pieces};

/// Types that are no invoice of the seller.
const NO_TYPES: &[&str] = &["389", "261", "751", "527"];

/// Characters of a number.
const NUMBER: usize = 17;
/// Characters of a free text.
const TEXT: usize = 70;

/// What a document is in DICO: its type, and the sign of its amounts.
pub(super) struct DicoKind {
    code: &'static str,
    pub sign: WrittenSign,
    /// What readers take the type for.
    read: &'static str,
}

impl DicoKind {
    /// A credit note is a correction whose amounts are negative.
    pub(super) fn of(invoice: &Invoice<'_>) -> Result<DicoKind, ConversionRefusal> {
        let refused = |code: &str, why| {
            Err(ConversionRefusal::TypeWithoutPlace { code: code.to_owned(), why })
        };
        let Some(code) = invoice.type_code.text() else {
            return refused("", "it is not said, and the target must say it");
        };
        let is_credit = invoice.is_credit_note();
        let is_below = super::totals::is_below_nought(invoice);
        let (own, sign, read) = match code.as_ref() {
            code if NO_TYPES.contains(&code) => {
                return refused(code, "the target has invoices and corrections of the seller");
            }
            CORRECTION if is_below => (CORRECTION, WrittenSign::TakenForOther, CREDIT_NOTE),
            CORRECTION => (CORRECTION, WrittenSign::Same, CORRECTION),
            _ if is_credit && is_below => (CORRECTION, WrittenSign::Other, CORRECTION),
            _ if is_credit => (CORRECTION, WrittenSign::Other, CREDIT_NOTE),
            code if codes::is_document_type(code) => (INVOICE, WrittenSign::Same, INVOICE),
            code => {
                return refused(code, "it is neither an invoice nor a credit note (BR-CL-01)");
            }
        };
        Ok(DicoKind { code: own, sign, read })
    }
}

/// BT-1 to BT-9 and BT-72.
pub(super) fn head<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, kind: &DicoKind) {
    let place = invoice.element;
    if let Some(code) = invoice.type_code.filled() {
        let words = out.words(*code);
        match () {
            () if out.ledger.in_own_words => out.kept("InvoiceType", &words, *code),
            () if code.is(kind.code) && code.is(kind.read) => {
                out.kept("InvoiceType", kind.code, *code);
            }
            () => {
                let reason = "the target has invoices (380) and corrections (384) only";
                out.changed("InvoiceType", kind.code, *code, reason);
            }
        }
    }
    match invoice.number.filled() {
        Some(number) if number.trimmed().chars().count() > NUMBER => {
            out.refuse_value(*number, "a number has at most 17 characters in the target");
        }
        Some(number) => out.kept("InvoiceNumber", &number.trimmed(), *number),
        None => out.refuse_without(place, "the number (BT-1)", "InvoiceNumber"),
    }
    if !out.plain_day("InvoiceDate", &invoice.issue_date) {
        out.refuse_without(place, "the day of issue (BT-2)", "InvoiceDate");
    }
    if let Some(delivery) = invoice.delivery.first() {
        out.plain_day("DeliveryDate", &delivery.date);
    }
    out.plain_day("ExpirationDate", &invoice.due_date);
    match invoice.currency.filled() {
        Some(code) => out.kept("Currency", &code.trimmed(), *code),
        None => out.refuse_without(place, "the currency (BT-5)", "Currency"),
    }
    process(out, invoice);
}

/// BT-24: the namespace is the specification.
fn process<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for id in &invoice.process.customization {
        let reason = "the namespace of DICO is the specification";
        out.ledger.list(**id, LossKind::Changed, None, reason);
    }
    if let Some(version) = invoice.extensions.ubl_version.get() {
        out.ledger.regenerate(*version);
    }
}

/// BT-11 to BT-16 and BT-25: each has one number, which is short.
pub(super) fn references<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let references = &invoice.references;
    let has_filler = references.filler_of_order().is_some();
    let fields: [(&'static str, &Field<DocumentReference<'d>>, &str); 5] = [
        ("ProjectNumber", &references.project, documents::TENDER),
        ("ContractNumber", &references.contract, documents::CONTRACT),
        ("BuyersOrderNumber", &references.purchase_order, documents::ORDER),
        ("OrderResponseNumber", &references.sales_order, documents::ORDER_RESPONSE),
        ("DespatchAdviceNumber", &references.despatch_advice, documents::DESPATCH),
    ];
    for (name, field, kind) in fields {
        let is_filler = has_filler && name == "BuyersOrderNumber";
        let Some(one) = field.first().filter(|_| !is_filler) else { continue };
        if let Some(id) = one.id.filled() {
            out.limited(name, *id, NUMBER);
        }
        out.ledger.implied_document(one, kind);
    }
    if let Some(filler) = references.filler_of_order() {
        out.ledger.regenerate(*filler);
    }
    let preceding = references.preceding_invoices.first();
    if let Some(id) = preceding.and_then(|one| one.id.filled()) {
        out.limited("InvoiceNumberToBeCorrected", *id, NUMBER);
    }
}

/// The means that is told: the first that has an account, else the first.
pub(super) fn means<'i, 'd>(invoice: &'i Invoice<'d>) -> Option<&'i PaymentMeans<'d>> {
    let all = &invoice.payment.means;
    let has_account = |one: &&PaymentMeans<'d>| {
        one.credit_transfers.iter().any(|account| account.account.is_filled())
    };
    all.iter().find(has_account).or_else(|| all.first())
}

/// BT-81, and what only the Netherlands have.
pub(super) fn payment<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    if let Some(means) = means(invoice) {
        method(out, means);
    }
    let Some(more) = invoice.extensions.netherlands.as_deref() else { return };
    if let Some(code) = more.chain_liability.filled() {
        out.kept("ChainLiabilityIndicator", &code.trimmed(), *code);
    }
    if let Some(one) = more.blocked_account.first() {
        out.group("PaymentOnBlockedAccount", |out| {
            amount(out, "Amount", &one.amount, sign);
            if let Some(percentage) = one.percentage.filled() {
                out.kept("Percentage", &percentage.trimmed(), *percentage);
            }
        });
    }
    if let Some(id) = more.end_customer_order.filled() {
        out.group("CustomerOrderReference", |out| {
            out.limited("EndCustomerOrderNumber", *id, 35);
        });
    }
}

fn method<'d>(out: &mut InvoiceOutput<'d>, means: &PaymentMeans<'d>) {
    const NAME: &str = "PaymentMethodCode";
    const REASON: &str = "the target has three ways of payment: in cash, to an account, by debit";
    // Without a code an account is paid by a transfer of SEPA.
    let implies = |out: &mut InvoiceOutput<'d>| {
        let has_account = means.credit_transfers.iter().any(|one| one.account.is_filled());
        if has_account && !out.ledger.in_own_words {
            out.implied(NAME, "58", means.element, Some("BT-81"), REASON);
        }
    };
    let Some(code) = means.code.filled() else { return implies(out) };
    if out.ledger.in_own_words {
        if code.derivation().is_none() {
            out.kept(NAME, &code.trimmed(), *code);
        }
        return;
    }
    match lookup_back(PAYMENT_MEANS, &code.trimmed()) {
        Some(own) if code.is(own) => out.kept(NAME, own, *code),
        Some(own) => out.changed(NAME, own, *code, REASON),
        None => {
            out.lost(*code, REASON);
            implies(out);
        }
    }
}

/// BT-22, and BT-20 in words.
pub(super) fn texts<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for note in &invoice.notes {
        let Some(text) = note.text.filled() else { continue };
        let subject = note.subject_code.filled();
        let words = out.words(*text);
        let whole = match subject {
            Some(subject) => format!("#{}#{words}", subject.trimmed()),
            None => words.into_owned(),
        };
        if out.ledger.in_own_words {
            out.kept("FreeText", &whole, *text);
            continue;
        }
        let all = pieces(&whole, TEXT);
        match all.as_slice() {
            [one] => {
                out.constant("FreeText", one, &[]);
                out.ledger.carry(*text);
                subject.iter().for_each(|subject| out.ledger.carry(**subject));
            }
            several => {
                let reason = "a text of the target has 70 characters: it is in several";
                out.told_otherwise("FreeText", *text, LossKind::Changed, reason);
                if let Some(subject) = subject {
                    out.told_otherwise("FreeText", *subject, LossKind::Merged, reason);
                }
                several.iter().for_each(|piece| out.constant("FreeText", piece, &[]));
            }
        }
    }
    let skonto = skonto(invoice);
    for text in invoice.payment.texts().filter(|_| skonto.is_none()) {
        let reason = "the target has a discount for early payment, and no terms in words";
        out.told_otherwise("FreeText", *text, LossKind::CarriedAsText, reason);
        let words = text.trimmed();
        pieces(&words, TEXT).iter().for_each(|piece| out.constant("FreeText", piece, &[]));
    }
}

/// BT-20 that is one discount in the words of XRechnung: the days and the percentage.
fn skonto(invoice: &Invoice<'_>) -> Option<(String, String)> {
    let mut texts = invoice.payment.texts();
    let text = texts.next().filter(|_| texts.next().is_none())?.trimmed().into_owned();
    let rest = text.strip_prefix("#SKONTO#TAGE=")?.strip_suffix('#')?;
    let (days, percentage) = rest.split_once("#PROZENT=")?;
    let is_days = !days.is_empty() && days.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = Decimal::parse(percentage).is_ok();
    (is_days && is_number).then(|| (days.to_owned(), percentage.to_owned()))
}

/// `PaymentDiscount`: so many percent within so many days.
pub(super) fn discount<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    const DAYS: &str = "NumberOfDaysAfterDateOfInvoice";
    let all = invoice.payment.terms.iter().flat_map(|terms| &terms.discounts);
    let mut all = all.filter(|one| one.percentage.is_filled() && days(one).is_some());
    if let Some((one, days)) = all.next().and_then(|one| Some((one, days(one)?))) {
        out.group("PaymentDiscount", |out| {
            if let Some(percentage) = one.percentage.filled() {
                out.kept("DiscountPercentage", &percentage.trimmed(), *percentage);
            }
            out.kept(DAYS, &days.trimmed(), *days);
            if let Some(unit) = days.unit() {
                out.ledger.carry(*unit);
            }
        });
        return;
    }
    let Some((days, percentage)) = skonto(invoice) else { return };
    let reason = "the target has days and percentage of a discount for early payment";
    out.group("PaymentDiscount", |out| {
        out.constant("DiscountPercentage", &percentage, &[]);
        out.constant(DAYS, &days, &[]);
        for text in invoice.payment.texts() {
            out.told_otherwise("DiscountPercentage", *text, LossKind::Changed, reason);
        }
    });
}

/// How many days a discount holds, where it says days.
fn days<'d>(one: &TermsAdjustment<'d>) -> Option<Quantity<'d>> {
    let period = one.basis_period.filled()?;
    let is_days = period.unit().is_some_and(|unit| unit.is("DAY"));
    let is_whole = period.trimmed().bytes().all(|byte| byte.is_ascii_digit());
    (is_days && is_whole).then_some(period)
}

/// BG-24: a file, or where it lies. The target has the name of the file, and no other identifier.
pub(super) fn attachment<'d>(out: &mut InvoiceOutput<'d>, one: &DocumentReference<'d>) {
    let data = one.embedded.iter().find(|data| !data.is_blank());
    if data.is_none() && one.uri.filled().is_none() && !out.ledger.in_own_words {
        return;
    }
    let reason = "the target has the name of the file, which is its identifier";
    out.ledger.implied_document(one, documents::SUPPORTING);
    out.group("Attachment", |out| {
        match one.document_type.filled().filter(|_| out.ledger.in_own_words) {
            Some(kind) => out.kept("DocumentType", &kind.trimmed(), *kind),
            None => out.constant("DocumentType", "OTA", &[]),
        }
        if let Some(media) = data.and_then(|data| data.mime_code()) {
            let own = lookup_back(FILES, &media.trimmed());
            match own.filter(|_| !out.ledger.in_own_words) {
                Some(own) => out.kept("FileType", own, media),
                None => {
                    let words = out.words(media).into_owned();
                    out.kept("FileType", &words, media);
                }
            }
        }
        let file = data.and_then(|data| data.filename()).filter(|name| !name.is_blank());
        let id = one.id.filled();
        match (file, id) {
            (Some(file), id) => {
                out.kept("FileName", &file.trimmed(), file);
                if let Some(id) = id.filter(|id| !id.is(&file.trimmed())) {
                    out.told_otherwise("FileName", *id, LossKind::Changed, reason);
                } else if let Some(id) = id {
                    out.ledger.carry(*id);
                }
            }
            (None, Some(id)) if !one.uri.iter().any(|uri| **uri == *id) => {
                out.kept("FileName", &id.trimmed(), *id);
                if data.is_some() {
                    out.implied("FileName", &id.trimmed(), one.element, Some("BT-125-2"), reason);
                }
            }
            _ => {}
        }
        if let Some(uri) = one.uri.filled() {
            out.kept("URL", &uri.trimmed(), *uri);
        }
        if let Some(data) = data {
            out.text("AttachedData", *data);
        }
    });
}
