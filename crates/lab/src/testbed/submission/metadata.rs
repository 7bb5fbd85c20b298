//! Faults of the SMP and of its metadata (SMP 1.4.0, 4 and 5).

use super::ExpectedOutcome::{Delivered, Nothing, Settled, Withheld};
use super::case;
use crate::testbed::case::TestCase;
use crate::testbed::stage::fault::ContentFault::{
    Certificate, Expired, Garbage, NotYet, OnlyAs2, OtherParticipant, OtherProcess, OtherType,
    PlainAddress, Redirect, RedirectLoop, RedirectTwice, RedirectUid, TwoEndpoints, TypeCase,
};
use crate::testbed::stage::fault::SignatureFault::{
    ExtraTransform, Second, Sha1, Signer, Tampered, Unsigned, Wrapped,
};
use crate::testbed::stage::fault::SimulatedFault::{Content, Signature, Smp};
use crate::testbed::stage::fault::SmpFault::{
    Declared, Dripping, FailsFirst, Huge, Moved, NoDeclaration, NotFound, OnlyGroup, Page,
    SilentFirst, UntrustedTls, Utf16, WrongType,
};
use crate::testbed::test_identities::TestIdentity;

const HTTP: &str = "SMP 1.4.0, 5.2";
const MOVING: &str = "SMP 1.4.0, 5.2";
const FORM: &str = "SMP 1.4.0, 5.2";
const SIGNED: &str = "B-13; SMP 1.4.0, 5.5";
const SAID: &str = "E-07; SMP 1.4.0, 5.3";
const REDIRECTED: &str = "E-07; SMP 1.4.0, 5.4";
const ENDPOINT: &str = "B-09; AS4 profile 7";

/// The cases.
pub(super) static CASES: &[TestCase] = &[
    case(
        "M-01",
        "a participant that the SMP does not know gets nothing",
        HTTP,
        Smp(NotFound),
        Withheld,
    ),
    case(
        "M-02",
        "a document type that the SMP does not know is not sent",
        HTTP,
        Smp(OnlyGroup),
        Withheld,
    ),
    case(
        "M-03",
        "an SMP that fails (HTTP 503) is asked again later",
        HTTP,
        Smp(FailsFirst),
        Delivered,
    ),
    case("M-04", "an SMP that is silent is asked again later", HTTP, Smp(SilentFirst), Delivered),
    case("M-05", "an answer without end is not read to its end", HTTP, Smp(Huge), Nothing),
    case(
        "M-06",
        "an answer with a document type declaration is refused",
        "B-12; XML 1.0, 2.8",
        Smp(Declared),
        Withheld,
    ),
    case(
        "M-07",
        "an answer without an XML declaration is read",
        "XML 1.0, 2.8",
        Smp(NoDeclaration),
        Delivered,
    ),
    case(
        "M-08",
        "an SMP whose web server nobody believes is not used",
        "F-03; Transport security \
         policy 1.1.0, P4",
        Smp(UntrustedTls),
        Nothing,
    ),
    case(
        "M-09a",
        "an SMP that answers HTTP 301 comes to an end: it need not be followed",
        MOVING,
        Smp(Moved(301)),
        Settled,
    ),
    case(
        "M-09b",
        "an SMP that answers HTTP 302 comes to an end: it need not be followed",
        MOVING,
        Smp(Moved(302)),
        Settled,
    ),
    case(
        "M-09c",
        "an SMP that answers HTTP 307 comes to an end: it need not be followed",
        MOVING,
        Smp(Moved(307)),
        Settled,
    ),
    case(
        "M-09d",
        "an answer that comes byte by byte is not waited for without end",
        HTTP,
        Smp(Dripping),
        Nothing,
    ),
    case("M-09e", "a page with HTTP 200 is no metadata", FORM, Smp(Page), Nothing),
    case(
        "M-09f",
        "metadata that is called a page comes to an end: it need not be read",
        FORM,
        Smp(WrongType),
        Settled,
    ),
    case(
        "M-09g",
        "an answer in UTF-16 comes to an end: SMP answers are in UTF-8",
        FORM,
        Smp(Utf16),
        Settled,
    ),
    case(
        "M-10",
        "metadata without a signature is not believed",
        SIGNED,
        Signature(Unsigned),
        Withheld,
    ),
    case(
        "M-11",
        "metadata that was changed is not believed",
        SIGNED,
        Signature(Tampered),
        Withheld,
    ),
    case("M-12", "a signature with SHA-1 is not believed", SIGNED, Signature(Sha1), Withheld),
    case(
        "M-13",
        "a signature with a further transform is not believed",
        SIGNED,
        Signature(ExtraTransform),
        Withheld,
    ),
    case("M-14", "two signatures are not believed", SIGNED, Signature(Second), Withheld),
    case(
        "M-15",
        "signed metadata inside of other metadata is not believed",
        SIGNED,
        Signature(Wrapped),
        Withheld,
    ),
    case(
        "M-16",
        "the certificate of an access point signs no metadata",
        SIGNED,
        Signature(Signer(TestIdentity::Ap)),
        Withheld,
    ),
    case(
        "M-17",
        "an expired certificate signs no metadata",
        SIGNED,
        Signature(Signer(TestIdentity::SmpExpired)),
        Withheld,
    ),
    case(
        "M-18",
        "a revoked certificate signs no metadata",
        SIGNED,
        Signature(Signer(TestIdentity::SmpRevoked)),
        Withheld,
    ),
    case(
        "M-19",
        "a certificate of another authority signs no metadata",
        SIGNED,
        Signature(Signer(TestIdentity::SmpForeign)),
        Withheld,
    ),
    case(
        "M-20",
        "metadata of another participant is not believed",
        SAID,
        Content(OtherParticipant),
        Withheld,
    ),
    case(
        "M-21",
        "metadata of another document type is not believed",
        SAID,
        Content(OtherType),
        Withheld,
    ),
    case("M-22", "document types are compared with case", SAID, Content(TypeCase), Withheld),
    case("M-23", "another process is another registration", SAID, Content(OtherProcess), Withheld),
    case("M-24", "an endpoint whose time is over is not used", SAID, Content(Expired), Withheld),
    case("M-25", "an endpoint whose time has not come is not used", SAID, Content(NotYet), Nothing),
    case("M-26", "an endpoint of another transport is not used", SAID, Content(OnlyAs2), Withheld),
    case(
        "M-27",
        "an endpoint that is not https is not used",
        SAID,
        Content(PlainAddress),
        Withheld,
    ),
    case(
        "M-28",
        "two endpoints of one transport come to an end: only one is allowed",
        "SMP 1.4.0, 4.3",
        Content(TwoEndpoints),
        Settled,
    ),
    case(
        "M-30",
        "an endpoint whose certificate is none is not used",
        ENDPOINT,
        Content(Garbage),
        Withheld,
    ),
    case(
        "M-31",
        "an endpoint with an expired certificate is not used",
        ENDPOINT,
        Content(Certificate(TestIdentity::ApExpired)),
        Withheld,
    ),
    case(
        "M-32",
        "an endpoint with a revoked certificate is not used (TC2A.4)",
        ENDPOINT,
        Content(Certificate(TestIdentity::ApRevoked)),
        Withheld,
    ),
    case(
        "M-33",
        "an endpoint with a certificate of another authority is not used",
        ENDPOINT,
        Content(Certificate(TestIdentity::ApForeign)),
        Withheld,
    ),
    case(
        "M-34",
        "an endpoint with the certificate of an SMP is not used",
        ENDPOINT,
        Content(Certificate(TestIdentity::Smp)),
        Withheld,
    ),
    case("M-40", "a redirect to another SMP is followed", REDIRECTED, Content(Redirect), Delivered),
    case("M-41", "a second redirect is not followed", REDIRECTED, Content(RedirectTwice), Withheld),
    case(
        "M-42",
        "a redirect that leads back to itself is not followed without end",
        REDIRECTED,
        Content(RedirectLoop),
        Withheld,
    ),
    case(
        "M-43",
        "another signer than the redirect announced is not believed",
        REDIRECTED,
        Content(RedirectUid),
        Withheld,
    ),
];
