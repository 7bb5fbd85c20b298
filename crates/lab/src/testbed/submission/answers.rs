//! What the access point under test sends where nothing is wrong, and what it does with the answers
//! to its messages (H-03, H-11, section C of the checklist).

use super::ExpectedOutcome::{self, Delivered, GivenUp, Nothing, Repeated};
use super::{Scenario, TestDocument, case};
use crate::testbed::case::{CaseArea, CaseMethod, TestCase};
use crate::testbed::stage::fault::AnswerFault::{
    Busy, Delimiters, Duplicate, Foreign, Full, Lost, LostThenDuplicate, LostThenHandled,
    NotServiced, OtherDigest, OtherMessage, OtherSigner, Page, Renewed, Slow, Trouble,
    UnsignedError, UnsignedReceipt, UntrustedTls,
};
use crate::testbed::stage::fault::SimulatedFault::{self, Answer};

const RECEIPT: &str = "C-03, C-04; AS4 profile 5.1.8";
const ERRORS: &str = "C-08, C-10; ebMS 3.0 core 6";

/// The cases.
pub(super) static CASES: &[TestCase] = &[
    sends(
        "H-03a",
        "a message as the profile wants it is sent, and its receipt believed",
        "H-03 (TC2A.3), sections A, B and D",
        TestDocument::Invoice,
        Delivered,
    ),
    sends(
        "H-03b",
        "a large document is sent",
        "H-03 (TC2A.6)",
        TestDocument::LargeInvoice,
        Delivered,
    ),
    sends(
        "H-11",
        "a report reaches the participant that collects them",
        "H-11; SP operational \
          guideline",
        TestDocument::Report,
        Delivered,
    ),
    sends(
        "H-11b",
        "an envelope of the caller's own is sent as it is, with its own identifiers",
        "D-15, H-11; observed test environment of the network",
        TestDocument::Enveloped,
        Delivered,
    ),
    sends(
        "E-05",
        "a receiver that is registered by a wildcard is found, and the full type is sent",
        "E-05, A-09; Policy for use of identifiers 4.4, 5.1.2",
        TestDocument::Pint,
        Delivered,
    ),
    case(
        "R-01",
        "an access point that is busy (HTTP 503) gets the same message again",
        RECEIPT,
        Answer(Busy),
        Repeated,
    ),
    case("R-02", "a lost answer leads to the same message again", RECEIPT, Answer(Lost), Repeated),
    case("R-03", "a page of HTML is no receipt", RECEIPT, Answer(Page), Repeated),
    case(
        "R-04",
        "a receipt that is not signed is no receipt",
        RECEIPT,
        Answer(UnsignedReceipt),
        Repeated,
    ),
    case(
        "R-05",
        "a receipt of other digests is no receipt",
        RECEIPT,
        Answer(OtherDigest),
        Repeated,
    ),
    case(
        "R-06",
        "a receipt of another message is no receipt",
        RECEIPT,
        Answer(OtherMessage),
        Repeated,
    ),
    case(
        "R-07",
        "a receipt of another access point is no receipt",
        RECEIPT,
        Answer(OtherSigner),
        Repeated,
    ),
    case(
        "R-08",
        "a receipt with a certificate of another authority is no receipt",
        RECEIPT,
        Answer(Foreign),
        Repeated,
    ),
    case(
        "R-09",
        "a receiver that cannot store (EBMS:0202) gets the same message again",
        ERRORS,
        Answer(Full),
        Repeated,
    ),
    case(
        "R-10",
        "a receiver that does not serve the participant ends it",
        ERRORS,
        Answer(NotServiced),
        GivenUp,
    ),
    case("R-11", "an error that is not signed is read", ERRORS, Answer(UnsignedError), GivenUp),
    case(
        "R-14",
        "an answer of nothing but delimiters is no receipt, and read in no time",
        RECEIPT,
        Answer(Delimiters),
        Repeated,
    ),
    case(
        "R-12",
        "a duplicate (EBMS:4001) of what was never sent before proves no delivery",
        "C-05, C-10",
        Answer(Duplicate),
        GivenUp,
    ),
    case(
        "R-20",
        "a duplicate (EBMS:4001) after an answer that was lost was delivered before",
        "C-05, C-10; ebMS 3.0 reception awareness",
        Answer(LostThenDuplicate),
        Delivered,
    ),
    case(
        "R-21",
        "the same in the words of phase4 (EBMS:0004, already handled)",
        "C-05, C-10; observed peers",
        Answer(LostThenHandled),
        Delivered,
    ),
    case(
        "R-22",
        "an error (EBMS:0004) with HTTP 500 leads to the same message again",
        "C-08, C-10; observed peers",
        Answer(Trouble),
        Repeated,
    ),
    case(
        "R-23",
        "an access point that renewed its key behind a kept look-up gets the same message again",
        "SMP 1.4.0 2.1; observed peers",
        Answer(Renewed),
        Repeated,
    ),
    case(
        "R-24",
        "an answer after 90 seconds is waited for",
        "as4 notes 5: time of an answer",
        Answer(Slow),
        Delivered,
    ),
    case(
        "R-13",
        "an access point whose web server nobody believes gets nothing",
        "F-03; Transport \
         security policy 1.1.0, P4",
        Answer(UntrustedTls),
        Nothing,
    ),
];

const fn sends(
    id: &'static str,
    proves: &'static str,
    source: &'static str,
    document: TestDocument,
    outcome: ExpectedOutcome,
) -> TestCase {
    let run = CaseMethod::Send(Scenario { fault: SimulatedFault::None, outcome, document });
    TestCase { id, part: CaseArea::Submission, proves, source, run }
}
