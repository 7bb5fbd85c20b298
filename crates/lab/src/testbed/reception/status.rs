//! Documents that are taken by a wildcard registration, and what is told about documents afterwards
//! (H-12; Peppol MLS 1.0).

use std::time::{Duration, Instant};

use futures::FutureExt;
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId};
use quoin_peppol::sbdh::MlsType;
use quoin_xml::tree::{Document, Limits};

use crate::testbed::bench::Bench;
use crate::testbed::case::{CaseArea, Expect, TestCase, act};
use crate::testbed::forge::{ForgeError, TestMessage};
use crate::testbed::stage::STATUS;
use crate::testbed::submission::documents;

use crate::testbed::verdict::{CaseFailure, CaseFixer, CaseVerdict, wrong};

use super::smuggled::{self, CORE, OTHER_DAY, OTHER_PROCESS, Smuggled, TAIL, UNKNOWN};

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(100);
/// Codes of a document that was delivered, with or without confirmation.
const DELIVERED: &[&str] = &["AP", "AB"];
/// The code of a document that was refused.
const REFUSED: &[&str] = &["RE"];

const SOURCE: &str = "H-12, G-02 to G-05; MLS 1.0; Policy for use of identifiers 4.4, 5.1.2";

/// The cases.
pub(crate) static CASES: &[TestCase] = &[
    act(
        "H-12a",
        CaseArea::Reception,
        "a PINT document is taken under its full type by a wildcard registration",
        SOURCE,
        |bench| wildcard(bench).boxed(),
    ),
    act(
        STATUS,
        CaseArea::Reception,
        "a delivered document is reported where that is asked for (MLS: AP or AB)",
        SOURCE,
        |bench| reported(bench, STATUS, DELIVERED).boxed(),
    ),
    act(
        "H-12c",
        CaseArea::Reception,
        "a document that the rules refuse is reported (MLS: RE)",
        SOURCE,
        |bench| reported(bench, "H-12c", REFUSED).boxed(),
    ),
    act(
        "H-12d",
        CaseArea::Reception,
        "a wrong invoice that calls itself one of the core of EN 16931 is not accepted (RE)",
        IDENTITY,
        |bench| held(bench, &CORE).boxed(),
    ),
    act(
        "H-12e",
        CaseArea::Reception,
        "a wrong invoice with an identifier that nobody knows is not accepted (RE)",
        IDENTITY,
        |bench| held(bench, &UNKNOWN).boxed(),
    ),
    act(
        "H-12f",
        CaseArea::Reception,
        "a wrong invoice with a tail on its identifier is not accepted (RE)",
        IDENTITY,
        |bench| held(bench, &TAIL).boxed(),
    ),
    act(
        "H-12g",
        CaseArea::Reception,
        "a wrong invoice that is dated before all rules is not accepted (RE)",
        IDENTITY,
        |bench| held(bench, &OTHER_DAY).boxed(),
    ),
    act(
        "H-12h",
        CaseArea::Reception,
        "an invoice of another process than its envelope is not accepted (RE)",
        IDENTITY,
        |bench| held(bench, &OTHER_PROCESS).boxed(),
    ),
];

/// Where it is asked for that a document is judged as what its envelope announces.
const IDENTITY: &str = "MLS 1.0, 3.2; Policy for use of identifiers 4.4, policies 20 and 26";

fn own(error: &dyn std::fmt::Display) -> CaseFailure {
    wrong("a message to send", error.to_string(), "the testbed").by(CaseFixer::Testbed)
}

async fn wildcard(bench: &Bench) -> CaseVerdict {
    let Some(kind) = &bench.setup.subject.wildcard_type else {
        return CaseVerdict::skip("no subject.wildcard_type is set");
    };
    let message = match pint(bench, kind) {
        Ok(message) => message,
        Err(error) => return CaseVerdict::Fail(own(&error)),
    };
    let seen = bench.expect(&message, Expect::Receipt).await;
    bench.note("H-12a", &message.number, 1);
    seen.into()
}

fn pint(bench: &Bench, kind: &str) -> Result<TestMessage, ForgeError> {
    let forge = &bench.forge;
    let document_type: DocumentTypeId = kind.parse().map_err(ForgeError::of)?;
    let process: ProcessId = documents::PINT_PROCESS.parse().map_err(ForgeError::of)?;
    let number = forge.number();
    let (from, to) = (forge.from.to_string(), forge.to.to_string());
    let invoice = quoin_formats::samples::invoice(&from, &to, &number);
    let invoice = documents::pint(&invoice, kind)?;
    let mut sbdh = forge.sbdh();
    (sbdh.document_type, sbdh.process) = (document_type, process);
    let draft = forge.draft_of(&sbdh, &invoice, &number)?;
    Ok(forge.seal(&draft)?.message("a PINT invoice"))
}

/// Sends a document and waits for what is told about it.
async fn reported(bench: &Bench, case: &'static str, codes: &[&str]) -> CaseVerdict {
    if !bench.setup.subject.mls {
        return CaseVerdict::skip(
            "subject.mls is not set: it is not said to send message level statuses",
        );
    }
    told(bench, case, codes).await.into()
}

/// Sends a document that is not what its envelope announces: it is refused at the door, or taken
/// and reported.
async fn held(bench: &Bench, smuggled: &Smuggled) -> CaseVerdict {
    if !bench.setup.subject.mls {
        return CaseVerdict::skip(
            "subject.mls is not set: it is not said to send message level statuses",
        );
    }
    let asked = asking(bench, |invoice| smuggled.write(&invoice)).map_err(|error| own(&error));
    let seen = async {
        let (message, instance) = asked?;
        if let Ok(answer) = bench.expect(&message, Expect::NoReceipt).await {
            return Ok(format!("refused at the door: {answer}"));
        }
        awaited(bench, &message, &instance, REFUSED).await
    };
    seen.await.into()
}

async fn told(bench: &Bench, case: &'static str, codes: &[&str]) -> Result<String, CaseFailure> {
    let write = |invoice: String| match codes == REFUSED {
        true => smuggled::wrong(&invoice),
        false => Ok(invoice),
    };
    let (message, instance) = asking(bench, write).map_err(|error| own(&error))?;
    bench.expect(&message, Expect::Receipt).await?;
    if codes == DELIVERED {
        bench.note(case, &message.number, 1);
    }
    awaited(bench, &message, &instance, codes).await
}

/// Waits for what is told about a message that was sent.
async fn awaited(
    bench: &Bench,
    message: &TestMessage,
    instance: &str,
    codes: &[&str],
) -> Result<String, CaseFailure> {
    let slot = bench.stage.get().and_then(|stage| stage.slot(STATUS));
    let slot = slot.ok_or_else(|| own(&"there is nobody to tell"))?;
    let begun = Instant::now();
    loop {
        let seen = slot.seen();
        let about = |text: &&String| text.contains(instance);
        if let Some(text) = seen.taken.iter().map(|taken| &taken.envelope).find(about) {
            return code(text, codes).map_err(|found| {
                let expected = format!("a message level status with {}", codes.join(" or "));
                bench.wrong_at(message, expected, found)
            });
        }
        if begun.elapsed() > bench.patience() {
            let asked = seen.asked.join(", ");
            let refused = seen.refused.join("; ");
            let found = format!("none; asked: [{asked}]; refused: [{refused}]");
            let expected =
                format!("a message level status about {instance} to {}", slot.participant);
            return Err(bench.wrong_at(message, expected, found));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// A message that asks for a status in any case, with what becomes of an invoice in it.
fn asking(
    bench: &Bench,
    write: impl FnOnce(String) -> Result<String, ForgeError>,
) -> Result<(TestMessage, String), ForgeError> {
    let forge = &bench.forge;
    let number = forge.number();
    let (from, to) = (forge.from.to_string(), forge.to.to_string());
    let invoice = write(quoin_formats::samples::invoice(&from, &to, &number))?;
    let mut sbdh = forge.sbdh();
    sbdh.mls_type = Some(MlsType::AlwaysSend);
    sbdh.mls_to = Some(forge.provider()?);
    let instance = sbdh.instance.clone();
    let draft = forge.draft_of(&sbdh, &invoice, &number)?;
    Ok((forge.seal(&draft)?.message("an invoice that asks for a status"), instance))
}

/// The response code of a status; an error says what was found instead.
fn code(envelope: &str, codes: &[&str]) -> Result<String, String> {
    let parsed = Document::parse(envelope.as_bytes(), &Limits::default());
    let document = parsed.map_err(|error| error.to_string())?;
    let response = document
        .root()
        .descendants()
        .filter(|element| element.local() == "DocumentResponse")
        .flat_map(|response| response.descendants())
        .find(|element| element.local() == "ResponseCode");
    let found = response.map(|code| code.text().trim().to_owned()).unwrap_or_default();
    if codes.contains(&found.as_str()) { Ok(format!("status {found}")) } else { Err(found) }
}
