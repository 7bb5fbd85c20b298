//! Faults of the SML: the four of the WSDL, the codes seen in their texts, and what each means for
//! whoever asked.

/// The kinds of faults of the WSDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The SMP or the participant is not known.
    NotFound,
    /// The certificate is not that of the SMP.
    Unauthorized,
    /// The message or what it asks for is not acceptable.
    BadRequest,
    /// The SML failed.
    InternalError,
    /// A SOAP fault without any of these.
    Unspecified,
}

impl FaultKind {
    /// The kinds that have an element of their own.
    pub const NAMED: [FaultKind; 4] = [
        FaultKind::NotFound,
        FaultKind::Unauthorized,
        FaultKind::BadRequest,
        FaultKind::InternalError,
    ];

    /// The element in the detail of the fault; for [`FaultKind::Unspecified`] one that is not sent.
    pub fn element(self) -> &'static str {
        match self {
            FaultKind::NotFound => "NotFoundFault",
            FaultKind::Unauthorized => "UnauthorizedFault",
            FaultKind::BadRequest => "BadRequestFault",
            FaultKind::InternalError => "InternalErrorFault",
            FaultKind::Unspecified => "Fault",
        }
    }
}

/// A fault as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmlFault {
    /// Its kind.
    pub kind: FaultKind,
    /// Its text, with the code in brackets and the trace id of the SML; kept as it came, since the
    /// operator of the SML asks for it.
    pub text: String,
}

/// What a fault means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultMeaning {
    /// The SML does not know our SMP: its operator has to register it first.
    UnknownPublisher,
    /// Our certificate is not the one that the SMP was registered with, or is not accepted.
    ForeignCertificate,
    /// The participant may be in the SML already: whose it is decides.
    MaybeRegistered,
    /// The participant is not in the SML, or not ours.
    NotRegistered,
    /// A migration of the participant is prepared, which keeps it where it is.
    Migrating,
    /// What we ask for is refused, and will be refused again.
    Rejected,
    /// The SML failed; the same request may succeed later.
    Broken,
}

/// A row of the table of faults.
#[derive(Debug)]
pub struct FaultRow {
    /// The kind.
    pub kind: FaultKind,
    /// The code in the text; none for all others of the kind.
    pub code: Option<&'static str>,
    /// What it means.
    pub meaning: FaultMeaning,
}

const fn row(kind: FaultKind, code: Option<&'static str>, meaning: FaultMeaning) -> FaultRow {
    FaultRow { kind, code, meaning }
}

/// Every fault that is told apart, the specific ones before the others of their kind. `ERR-106` is
/// used for several mistakes of the input besides the participant that exists.
pub static FAULTS: &[FaultRow] = &[
    row(FaultKind::NotFound, Some("ERR-100"), FaultMeaning::UnknownPublisher),
    row(FaultKind::NotFound, Some("ERR-114"), FaultMeaning::Migrating),
    row(FaultKind::Unauthorized, Some("ERR-114"), FaultMeaning::Migrating),
    row(FaultKind::BadRequest, Some("ERR-114"), FaultMeaning::Migrating),
    row(FaultKind::InternalError, Some("ERR-114"), FaultMeaning::Migrating),
    row(FaultKind::NotFound, None, FaultMeaning::NotRegistered),
    row(FaultKind::Unauthorized, None, FaultMeaning::ForeignCertificate),
    row(FaultKind::BadRequest, Some("ERR-106"), FaultMeaning::MaybeRegistered),
    row(FaultKind::BadRequest, None, FaultMeaning::Rejected),
    row(FaultKind::InternalError, None, FaultMeaning::Broken),
    row(FaultKind::Unspecified, None, FaultMeaning::Broken),
];

impl SmlFault {
    /// The code that its text begins with, as in `[ERR-106] …`.
    pub fn code(&self) -> Option<&str> {
        let code = self.text.trim_start().strip_prefix('[')?.split(']').next()?;
        let number = code.strip_prefix("ERR-")?;
        (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(code)
    }

    /// What it means.
    pub fn meaning(&self) -> FaultMeaning {
        let fits = |row: &&FaultRow| {
            row.kind == self.kind && row.code.is_none_or(|code| self.code() == Some(code))
        };
        FAULTS.iter().find(fits).map_or(FaultMeaning::Broken, |row| row.meaning)
    }
}
