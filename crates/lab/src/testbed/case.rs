//! A case: what it proves, where that is asked for, and how it is tried.

use futures::future::BoxFuture;
use serde::Serialize;

use super::bench::Bench;
use super::forge::{Forge, ForgeError, TestMessage};
use super::submission::Scenario;
use super::verdict::CaseVerdict;

/// On which side the access point under test is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseArea {
    /// Its door for messages: it is corner 3.
    Reception,
    /// Its web server.
    Transport,
    /// Its SMP.
    Publication,
    /// What it sends: it is corner 2.
    Submission,
}

/// A case.
#[derive(Debug)]
pub struct TestCase {
    /// Its id: that of the checklist where there is one, and a letter where there are several.
    pub id: &'static str,
    /// On which side.
    pub part: CaseArea,
    /// What it proves, in one line.
    pub proves: &'static str,
    /// Where that is asked for.
    pub source: &'static str,
    /// How it is tried.
    pub run: CaseMethod,
}

/// Builds the messages of a case, each a variant of it.
pub type Build = fn(&Forge) -> Result<Vec<TestMessage>, ForgeError>;

/// How a case is tried.
#[derive(Debug, Clone, Copy)]
pub enum CaseMethod {
    /// Messages are sent, and the answer to each of them is the same kind of answer.
    Messages(Expect, Build),
    /// Something of its own.
    Act(Act),
    /// The access point under test is asked to send, and something is not as it should be.
    Send(Scenario),
}

/// What must come back for a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// A receipt, and the document is delivered once.
    Receipt,
    /// A receipt, and nothing is delivered.
    ReceiptOnly,
    /// An ebMS error with one of these codes, and nothing is delivered.
    Error(&'static [&'static str]),
    /// The error of a receiver, document type or process that is not served here.
    NotServiced,
    /// Anything but a receipt and a failure: an ebMS error, or a status of HTTP 4xx.
    NoReceipt,
}

/// Errors about the header: its form, its values, the agreement.
pub const HEADER: &[&str] =
    &["EBMS:0001", "EBMS:0003", "EBMS:0004", "EBMS:0009", "EBMS:0010", "EBMS:0011"];
/// Errors about the package: parts that are missing, too many, or not as announced.
pub const PACKAGE: &[&str] =
    &["EBMS:0003", "EBMS:0004", "EBMS:0007", "EBMS:0009", "EBMS:0010", "EBMS:0011", "EBMS:0303"];
/// Errors about the signature, or about what is not allowed in one.
pub const SIGNATURE: &[&str] = &["EBMS:0101", "EBMS:0103"];
/// Errors about the encryption.
pub const ENCRYPTION: &[&str] = &["EBMS:0102", "EBMS:0103"];
/// Errors about a certificate.
pub const CERTIFICATE: &[&str] = &["EBMS:0101"];
/// Errors about the envelope of the business document.
pub const ENVELOPE: &[&str] = &["EBMS:0004"];
/// Errors about an envelope that says something else than the header.
pub const CONTRADICTION: &[&str] = &["EBMS:0003", "EBMS:0004"];

/// A case that sends messages.
pub const fn reception(
    id: &'static str,
    proves: &'static str,
    source: &'static str,
    expect: Expect,
    build: Build,
) -> TestCase {
    TestCase {
        id,
        part: CaseArea::Reception,
        proves,
        source,
        run: CaseMethod::Messages(expect, build),
    }
}

/// How a case of its own kind is tried.
pub type Act = for<'b> fn(&'b Bench) -> BoxFuture<'b, CaseVerdict>;

/// A case of its own kind.
pub const fn act(
    id: &'static str,
    part: CaseArea,
    proves: &'static str,
    source: &'static str,
    run: Act,
) -> TestCase {
    TestCase { id, part, proves, source, run: CaseMethod::Act(run) }
}

/// Every case, in the order in which they are tried.
pub fn all() -> impl Iterator<Item = &'static TestCase> {
    use super::{publication, reception, submission, transport};
    let tables: [&'static [TestCase]; 10] = [
        transport::CASES,
        transport::hostile::CASES,
        publication::CASES,
        reception::exchange::CASES,
        reception::header::CASES,
        reception::package::CASES,
        reception::security::CASES,
        reception::envelope::CASES,
        reception::certificates::CASES,
        reception::status::CASES,
    ];
    tables.into_iter().chain(submission::CASES.iter().copied()).flatten()
}

impl TestCase {
    /// Whether the testbed must play a receiver in it.
    pub fn needs_stage(&self) -> bool {
        self.part == CaseArea::Submission || self.id.starts_with("H-12")
    }

    /// Whether one of the ids or beginnings of ids names this case; no ids name all.
    pub fn is_wanted(&self, only: &[String]) -> bool {
        only.is_empty() || only.iter().any(|wanted| self.is_named(wanted))
    }

    /// Whether an id, or the beginning of one, names this case.
    fn is_named(&self, wanted: &str) -> bool {
        let wanted = wanted.to_ascii_uppercase();
        let rest = self.id.to_ascii_uppercase();
        !wanted.is_empty()
            && rest.strip_prefix(&wanted).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with(|c: char| c == '-' || c.is_alphabetic())
            })
    }
}

/// The cases that ids or beginnings of ids name, or all of them.
///
/// # Errors
/// Words that name no case, with ids that are like them.
pub fn chosen(only: &[String]) -> Result<Vec<&'static TestCase>, String> {
    let unknown = only.iter().find(|wanted| !all().any(|case| case.is_named(wanted)));
    if let Some(unknown) = unknown {
        let begin: String = unknown.chars().take(1).collect::<String>().to_ascii_uppercase();
        let near: Vec<&str> =
            all().map(|case| case.id).filter(|id| id.starts_with(&begin)).take(NEAR).collect();
        let near = match near.is_empty() {
            true => "quoin testbed --list prints all".to_owned(),
            false => format!("there are {}, …; quoin testbed --list prints all", near.join(", ")),
        };
        return Err(format!("--only {unknown:?} names no case: {near}"));
    }
    Ok(all().filter(|case| case.is_wanted(only)).collect())
}

/// Ids that are named in place of one that is not there.
const NEAR: usize = 8;
