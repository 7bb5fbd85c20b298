//! Whole exchanges: a good message, a large one, many at a time, the same one again.

use std::time::Instant;

use data_encoding::BASE64;
use futures::FutureExt;
use futures::future::join_all;
use quoin_peppol::as4::{As4Answer, PING_ACTION, PING_SERVICE, UserMessage};

use crate::testbed::bench::Bench;
use crate::testbed::case::{CaseArea, Expect, TestCase, act, reception};
use crate::testbed::forge::{Forge, ForgeError, MessageDraft, TestMessage};
use crate::testbed::verdict::{CaseFailure, CaseFixer, CaseVerdict, wrong};

/// How often the same message is sent.
const REPEATS: usize = 3;

/// The cases.
pub(crate) static CASES: &[TestCase] = &[
    reception(
        "H-01",
        "a message is taken, and its receipt holds",
        "H-01 (TC2A.2B), C-01, C-03; AS4 profile 5.1.8",
        Expect::Receipt,
        |forge| Ok(vec![forge.good()?.message("an invoice")]),
    ),
    reception(
        "A-19",
        "a connection test gets its receipt and is not delivered",
        "A-19; ebMS 3.0 core 5.2.2.8",
        Expect::ReceiptOnly,
        ping,
    ),
    act(
        "C-05a",
        CaseArea::Reception,
        "the same message again gets its receipt, and is delivered once",
        "C-05; ebMS 3.0 \
         reception awareness",
        |bench| again(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "C-05b",
        CaseArea::Reception,
        "the same message at the same moment is delivered once",
        "C-05; reception \
         awareness",
        |bench| at_once(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "C-06",
        CaseArea::Reception,
        "the same envelope in a new message is delivered once",
        "C-06; observed peers",
        |bench| same_envelope(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "C-06b",
        CaseArea::Reception,
        "another document in an envelope of the same id is refused, or delivered",
        "C-06; BME 2.0.1, 2.3: an id names one envelope",
        |bench| other_document(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "C-08",
        CaseArea::Reception,
        "an error is signed, names its message and comes with HTTP 200",
        "C-08; AS4 profile \
         5.1.8",
        |bench| signed_error(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "P-01",
        CaseArea::Reception,
        "many messages at a time are taken, each with its own receipt",
        "as4 notes 5: \
         concurrency",
        |bench| parallel(bench).map(CaseVerdict::from).boxed(),
    ),
    act("H-02", CaseArea::Reception, "a large message is taken", "H-02 (TC2A.5B)", |bench| {
        large(bench).map(CaseVerdict::from).boxed()
    }),
];

fn ping(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let draft = forge.draft()?;
    let message = UserMessage {
        service: PING_SERVICE.to_owned(),
        service_type: String::new(),
        action: PING_ACTION.to_owned(),
        ..draft.message
    };
    let draft = MessageDraft { message, payload: b"ping".to_vec(), number: String::new() };
    Ok(vec![forge.seal(&draft)?.message("a ping")])
}

/// What the testbed itself could not do.
fn own(error: &ForgeError) -> CaseFailure {
    wrong("a message to send", error.to_string(), "the testbed").by(CaseFixer::Testbed)
}

async fn again(bench: &Bench) -> Result<String, CaseFailure> {
    let forge = &bench.forge;
    let draft = forge.draft().map_err(|e| own(&e))?;
    bench.note("C-05a", &draft.number, 1);
    let message = forge.seal(&draft).map_err(|e| own(&e))?.message("the same bytes");
    for _ in 0..REPEATS {
        taken_before(bench, &message).await?;
    }
    // As a sender does that kept nothing but the id.
    let anew = forge.seal(&draft).map_err(|e| own(&e))?.message("sealed anew under the same id");
    taken_before(bench, &anew).await?;
    Ok(format!("{} times the same message id, each answered as taken", REPEATS + 1))
}

/// A receipt; or the error that some peers answer to what they took before.
async fn taken_before(bench: &Bench, message: &TestMessage) -> Result<(), CaseFailure> {
    let answered = bench.exchange(message).await?;
    match &answered.signal {
        Ok(As4Answer::Receipt { .. }) => Ok(()),
        Ok(As4Answer::Errors(errors)) if errors.iter().any(|error| error.code == "EBMS:4001") => {
            Ok(())
        }
        _ => {
            let expected = "a receipt again (or EBMS:4001, as some peers answer)";
            let found = match answered.signal {
                Ok(As4Answer::Errors(errors)) => {
                    errors.first().map(ToString::to_string).unwrap_or_default()
                }
                Err(refusal) => refusal.to_string(),
                Ok(As4Answer::Receipt { .. }) => String::new(),
            };
            Err(bench.wrong_at(message, expected, found))
        }
    }
}

async fn at_once(bench: &Bench) -> Result<String, CaseFailure> {
    let message = bench.forge.good().map_err(|e| own(&e))?.message("the same bytes at once");
    bench.note("C-05b", &message.number, 1);
    let repeats = (0..8).map(|_| taken_before(bench, &message));
    for answer in join_all(repeats).await {
        answer?;
    }
    Ok("8 at the same moment, each answered as taken".to_owned())
}

async fn same_envelope(bench: &Bench) -> Result<String, CaseFailure> {
    let forge = &bench.forge;
    let draft = forge.draft().map_err(|e| own(&e))?;
    bench.note("C-06", &draft.number, 1);
    let mut other = draft.clone();
    other.message.message_id = format!("{}@testbed.quoin.test", uuid::Uuid::new_v4());
    let first = forge.seal(&draft).map_err(|e| own(&e))?.message("the first");
    bench.expect(&first, Expect::Receipt).await?;
    let second = forge.seal(&other).map_err(|e| own(&e))?.message("a new message id");
    let answered = bench.exchange(&second).await?;
    match answered.signal {
        Ok(_) => Ok("a signal for the second, too".to_owned()),
        Err(refusal) => Err(bench.wrong_at(&second, "a receipt or an error signal", refusal)),
    }
}

/// A receipt for what is thrown away is the worst answer of all: it is told by the ledger of
/// deliveries, where the access point under test can be asked for them.
async fn other_document(bench: &Bench) -> Result<String, CaseFailure> {
    let forge = &bench.forge;
    let sbdh = forge.sbdh();
    let mut seen = String::new();
    for what in ["the first document", "another document, the same InstanceIdentifier"] {
        let number = forge.number();
        let (from, to) = (forge.from.to_string(), forge.to.to_string());
        let document = quoin_formats::samples::invoice(&from, &to, &number);
        let draft = forge.draft_of(&sbdh, &document, &number).map_err(|e| own(&e))?;
        let message = forge.seal(&draft).map_err(|e| own(&e))?.message(what);
        let answered = bench.exchange(&message).await?;
        let (is_taken, said) = match &answered.signal {
            Ok(As4Answer::Receipt { .. }) => (true, "a receipt".to_owned()),
            Ok(As4Answer::Errors(errors)) => {
                (false, errors.first().map(ToString::to_string).unwrap_or_default())
            }
            Err(refusal) => {
                let expected = "a receipt or an error signal";
                return Err(bench.wrong_at(&message, expected, refusal));
            }
        };
        bench.note("C-06b", &number, usize::from(is_taken));
        seen = said;
    }
    Ok(format!("for the second: {seen}"))
}

/// The signature itself is that of the signal; that it is there and about this message is what a
/// sender relies on.
async fn signed_error(bench: &Bench) -> Result<String, CaseFailure> {
    let mut draft = bench.forge.draft().map_err(|e| own(&e))?;
    draft.payload = b"no envelope".to_vec();
    let message = bench.forge.seal(&draft).map_err(|e| own(&e))?.message("no envelope");
    bench.note("C-08", &message.number, 0);
    let answered = bench.exchange(&message).await?;
    let Ok(As4Answer::Errors(errors)) = &answered.signal else {
        return Err(bench.wrong_at(&message, "an error signal", "none"));
    };
    let text = String::from_utf8_lossy(&answered.http.body);
    let named = errors
        .iter()
        .all(|error| error.ref_to_message.as_deref() == Some(message.sent.message_id.as_str()));
    let checks = [
        (answered.http.status == 200, "HTTP 200", format!("HTTP {}", answered.http.status)),
        (named, "refToMessageInError with the id of the message", "another id or none".to_owned()),
        (
            text.contains("RefToMessageId>"),
            "eb:RefToMessageId in the error signal",
            "an error signal without it".to_owned(),
        ),
        (text.contains(":Signature"), "a signed error signal", "an unsigned one".to_owned()),
    ];
    match checks.into_iter().find(|(holds, ..)| !holds) {
        Some((_, expected, found)) => Err(bench.wrong_at(&message, expected, found)),
        None => Ok("signed, about its message, with HTTP 200".to_owned()),
    }
}

async fn parallel(bench: &Bench) -> Result<String, CaseFailure> {
    let count = bench.setup.limits.parallel;
    let built: Result<Vec<TestMessage>, ForgeError> =
        (0..count).map(|_| Ok(bench.forge.good()?.message("one of many"))).collect();
    let messages = built.map_err(|e| own(&e))?;
    let begun = Instant::now();
    let exchanges = messages.iter().map(|message| async {
        let begun = Instant::now();
        bench.expect(message, Expect::Receipt).await.map(|_| begun.elapsed())
    });
    let mut times = Vec::new();
    for (message, outcome) in messages.iter().zip(join_all(exchanges).await) {
        times.push(outcome?);
        bench.note("P-01", &message.number, 1);
    }
    times.sort();
    let slowest = times.last().copied().unwrap_or_default().as_millis();
    let whole = begun.elapsed().as_millis();
    Ok(format!("{count} receipts in {whole} ms, the slowest after {slowest} ms"))
}

async fn large(bench: &Bench) -> Result<String, CaseFailure> {
    let megabytes = bench.setup.limits.large_megabytes;
    let message = tokio::task::block_in_place(|| {
        let forge = &bench.forge;
        let number = forge.number();
        let (from, to) = (forge.from.to_string(), forge.to.to_string());
        let invoice = quoin_formats::samples::invoice(&from, &to, &number);
        let large = with_attachment(&invoice, megabytes << 20)?;
        let draft = forge.draft_of(&forge.sbdh(), &large, &number)?;
        Ok(forge.seal(&draft)?.message(format!("{megabytes} MB")))
    });
    let message = message.map_err(|e| own(&e))?;
    let begun = Instant::now();
    let seen = bench.expect(&message, Expect::Receipt).await?;
    bench.note("H-02", &message.number, 1);
    let (wire, took) = (message.http().body.len() >> 20, begun.elapsed().as_millis());
    Ok(format!("{megabytes} MB, {wire} MB on the wire, {took} ms; {seen}"))
}

/// An invoice with an attachment of random bytes, which nothing makes smaller, so that it has about
/// this size.
pub(crate) fn with_attachment(invoice: &str, size: usize) -> Result<String, ForgeError> {
    const BEFORE: &str = "<cac:AccountingSupplierParty>";
    let mut random = vec![0; size.saturating_sub(invoice.len()) / 4 * 3];
    crate::testbed::forge::fill(&mut random)?;
    let attachment = format!(
        "<cac:AdditionalDocumentReference><cbc:ID>large</cbc:ID><cac:Attachment>\
         <cbc:EmbeddedDocumentBinaryObject mimeCode=\"application/pdf\" filename=\"large.pdf\">{}\
         </cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>\
         {BEFORE}",
        BASE64.encode(&random)
    );
    crate::testbed::forge::replaced(invoice, BEFORE, &attachment)
}
