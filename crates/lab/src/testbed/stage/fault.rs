//! What is not as it should be, one thing a case.

use crate::testbed::test_identities::TestIdentity;

/// Where the fault is, and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimulatedFault {
    /// Nothing is wrong.
    None,
    /// In DNS.
    Name(NameFault),
    /// The SMP as a web server.
    Smp(SmpFault),
    /// The signature of the metadata.
    Signature(SignatureFault),
    /// What the metadata says.
    Content(ContentFault),
    /// The answer to the message.
    Answer(AnswerFault),
}

/// What is wrong, or unusual, in DNS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameFault {
    /// NXDOMAIN.
    Missing,
    /// NODATA.
    Empty,
    /// SERVFAIL at first.
    FailsFirst,
    /// No answer at first.
    SilentFirst,
    /// No answer.
    Silent,
    /// Records of another service only.
    Foreign,
    /// Two SMPs, the better one last, and one of another service first.
    Ordered,
    /// A CNAME of a publisher.
    Alias,
    /// A CNAME that leads back to itself.
    AliasLoop,
    /// More records than fit into a datagram.
    Many,
    /// This substitution; `{rest}` stands for the address of the SMP without its scheme.
    Uri(&'static str),
}

/// What is wrong, or unusual, with the SMP as a web server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmpFault {
    /// 404 to everything.
    NotFound,
    /// The service group is there, the metadata is not.
    OnlyGroup,
    /// 503 at first.
    FailsFirst,
    /// No answer at first.
    SilentFirst,
    /// A body that does not end.
    Huge,
    /// A document type declaration with an entity.
    Declared,
    /// No XML declaration.
    NoDeclaration,
    /// A TLS certificate that nobody believes.
    UntrustedTls,
    /// This status of HTTP with the address at which the answer is.
    Moved(u16),
    /// A body that comes byte by byte and does not end.
    Dripping,
    /// A page of HTML instead of metadata, with status 200.
    Page,
    /// The right metadata, called a page of HTML.
    WrongType,
    /// The right metadata in UTF-16.
    Utf16,
}

/// What is wrong with the signature of the metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureFault {
    /// There is none.
    Unsigned,
    /// Something was changed afterwards.
    Tampered,
    /// The digest is SHA-1.
    Sha1,
    /// There is a transform too many.
    ExtraTransform,
    /// There are two.
    Second,
    /// What is signed is inside of what is read.
    Wrapped,
    /// Somebody else signed.
    Signer(TestIdentity),
}

/// What is wrong, or unusual, with what the metadata says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentFault {
    /// It is about another participant.
    OtherParticipant,
    /// It is about another document type.
    OtherType,
    /// It is about the document type in other letters.
    TypeCase,
    /// It is about another process.
    OtherProcess,
    /// The time of the endpoint is over.
    Expired,
    /// The time of the endpoint has not come.
    NotYet,
    /// There is an endpoint of another transport only.
    OnlyAs2,
    /// There are two endpoints of one transport, both active.
    TwoEndpoints,
    /// The address of the endpoint is not https.
    PlainAddress,
    /// The certificate of the endpoint is none.
    Garbage,
    /// The endpoint has this certificate.
    Certificate(TestIdentity),
    /// A redirect to another SMP.
    Redirect,
    /// A redirect to a redirect.
    RedirectTwice,
    /// A redirect to itself.
    RedirectLoop,
    /// A redirect that announces another signer.
    RedirectUid,
}

/// What is wrong with the answer to the message, at first or always.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFault {
    /// Two times 503.
    Busy,
    /// The connection breaks off once, after the message was taken.
    Lost,
    /// A page of HTML, once.
    Page,
    /// A package of nothing but delimiters, once.
    Delimiters,
    /// A receipt without a signature, once.
    UnsignedReceipt,
    /// A receipt with another digest, signed, once.
    OtherDigest,
    /// A receipt of another message, signed, once.
    OtherMessage,
    /// A receipt of another access point, once.
    OtherSigner,
    /// A receipt with a certificate of another authority, once.
    Foreign,
    /// EBMS:0202, once.
    Full,
    /// EBMS:0004 with PEPPOL:NOT_SERVICED, always.
    NotServiced,
    /// The same without a signature, always.
    UnsignedError,
    /// EBMS:4001, always.
    Duplicate,
    /// The receipt of the first message breaks off; to a repeat EBMS:4001, always.
    LostThenDuplicate,
    /// The same with EBMS:0004 and the words that phase4 has for what it took before.
    LostThenHandled,
    /// HTTP 500 around EBMS:0004, once.
    Trouble,
    /// 503 at first; from then on the access point has another key, which its SMP publishes.
    Renewed,
    /// A receipt that holds, after a long time.
    Slow,
    /// A TLS certificate that nobody believes.
    UntrustedTls,
}

impl SimulatedFault {
    /// Whether the fault goes away, so that a repeat succeeds.
    pub fn passes(self) -> bool {
        matches!(
            self,
            SimulatedFault::Name(NameFault::FailsFirst | NameFault::SilentFirst)
                | SimulatedFault::Smp(SmpFault::FailsFirst | SmpFault::SilentFirst)
                | SimulatedFault::Answer(
                    AnswerFault::LostThenDuplicate
                        | AnswerFault::LostThenHandled
                        | AnswerFault::Slow
                )
        )
    }

    /// The identities without which the fault cannot be made.
    pub fn needs(self) -> &'static [TestIdentity] {
        use {AnswerFault as A, ContentFault as C};
        const OTHER_AP: &[TestIdentity] = &[TestIdentity::ApOther];
        const FOREIGN_AP: &[TestIdentity] = &[TestIdentity::ApForeign];
        const OTHER_SMP: &[TestIdentity] = &[TestIdentity::SmpOther];
        match self {
            SimulatedFault::Answer(A::OtherSigner | A::Renewed) => OTHER_AP,
            SimulatedFault::Answer(A::Foreign) => FOREIGN_AP,
            SimulatedFault::Content(
                C::Redirect | C::RedirectTwice | C::RedirectLoop | C::RedirectUid,
            ) => OTHER_SMP,
            SimulatedFault::Content(C::Certificate(dress))
            | SimulatedFault::Signature(SignatureFault::Signer(dress)) => match dress {
                TestIdentity::ApExpired => &[TestIdentity::ApExpired],
                TestIdentity::ApRevoked => &[TestIdentity::ApRevoked],
                TestIdentity::ApForeign => FOREIGN_AP,
                TestIdentity::SmpExpired => &[TestIdentity::SmpExpired],
                TestIdentity::SmpRevoked => &[TestIdentity::SmpRevoked],
                TestIdentity::SmpForeign => &[TestIdentity::SmpForeign],
                _ => &[],
            },
            _ => &[],
        }
    }
}
