//! What whoever runs the service has to look at, one row for each kind. Each is told once when it
//! begins and once a day as long as it goes on, so that nobody is flooded and nothing is forgotten.

use jiff::{SignedDuration, Timestamp};

/// How long the same alarm about the same thing is not told again.
pub const QUIET: SignedDuration = SignedDuration::from_hours(24);
/// How many alarms of one kind are told in an hour at most; more are counted and logged.
pub const MOST_AN_HOUR: u32 = 50;

/// A kind of alarm: a row of [`ALARMS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlarmKind {
    /// The stable word in events, metrics and logs.
    pub code: &'static str,
    /// Whether it lasts until it is over; else it is something that happened.
    pub lasts: bool,
    /// What it means and what to do, one sentence.
    pub meaning: &'static str,
}

macro_rules! alarms {
    ($($const:ident $code:literal $lasts:literal $meaning:literal;)*) => {
        impl AlarmKind {
            $(#[doc = $meaning]
            pub const $const: AlarmKind =
                AlarmKind { code: $code, lasts: $lasts, meaning: $meaning };)*
        }
        /// Every kind of alarm.
        pub const ALARMS: &[AlarmKind] = &[$(AlarmKind::$const),*];
    };
}

alarms! {
    STORE_RESTORED "store-restored" false
        "The store was taken in place of another one, such as a backup: what came after it is not \
         known, and whoever runs the service has to see what is missing.";
    STEP_HELD "step-held" true
        "A step failed on our own side again and again and is held: a document waits until whoever \
         runs the service has fixed the cause and started the service again.";
    DISK_FULL "disk-full" true
        "The disk of the data folder has no room, or nothing can be written to it: nothing new is \
         taken, and whoever runs the service has to make room.";
    FILE_LOST "file-lost" false
        "The file of a document that is on record is missing, so that nobody can have the document; \
         whoever runs the service has to put it back from a backup.";
    CERTIFICATE_ENDED "certificate-ended" true
        "A certificate of this service has ended or is not valid yet: others refuse it, documents \
         do not go out (access point) or do not come in (SMP, doors), and whoever runs the service \
         has to put a valid one in its place.";
    KEY_UNUSABLE "key-unusable" true
        "A key in a token (PKCS#11) cannot be used: nothing is signed or decrypted with it, \
         documents wait, and whoever runs the service has to see to the token.";
    CLOCK_JUMPED "clock-jumped" true
        "The clock of the machine is not where it should be; until it is believed again nothing \
         is deleted and nothing declared missed, and whoever runs the service has to see to it.";
    INSTANCE_REUSED "instance-reused" false
        "An access point sent another document under an identifier that it had used before; it was \
         refused, and the other provider has to fix it.";
    UNDECLARED_PUBLISHED "undeclared-published" true
        "A party that the configuration declares no more is still published: somebody has to \
         declare it again or have it withdrawn.";
    DECLARED_REFUSED "declared-refused" true
        "Something that the configuration declares could not be taken over, since somebody else has \
         it; the service runs without it, and whoever runs it has to see who is right.";
    BOUNCES_UNREAD "bounces-unread" true
        "The mailbox to which mail comes back cannot be read, so that nobody is told whose mail was \
         not delivered; whoever runs the service has to see what stands in its way.";
    TAX_UNREPORTED "tax-unreported" true
        "A report to a tax authority did not get through, or its term is near or over and the \
         authority has not taken it; whoever runs the service has to see what stands in its way.";
    CLEARANCE_DUE "clearance-due" true
        "Invoices that were issued without KSeF have to be registered there within hours and are \
         not yet; whoever runs the service has to see what stands in the way.";
    CLEARANCE_CERTIFICATE "clearance-certificate" true
        "A certificate by which a party is known to KSeF ends soon or ended: the party has to \
         get a new one and save its hook with it.";
    CLEARANCE_WAITS "clearance-waits" true
        "Invoices of a party wait for KSeF for longer than an hour, or for days since they were \
         issued without it; whoever runs the service has to see what stands in the way.";
    REPORT_FAILED "report-failed" true
        "A statistics report of the provider could not be sent; it is made and sent again twice a \
         day until its deadline, and whoever runs the service has to see what stands in its way.";
}

impl AlarmKind {
    /// The kind of this code, if there is one.
    pub fn named(code: &str) -> Option<AlarmKind> {
        ALARMS.iter().copied().find(|kind| kind.code == code)
    }
}

/// What is on record about an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaisedAlarm {
    /// When it was told last.
    pub told_on: Timestamp,
    /// Whether it is over.
    pub ended: bool,
}

/// Whether an alarm is told now. `told_lately` is how many of its kind were told in the last hour.
///
/// A time of telling that lies in the future was written by a clock that was wrong, and counts as
/// none.
pub fn is_told(
    kind: AlarmKind,
    before: Option<RaisedAlarm>,
    told_lately: u32,
    now: Timestamp,
) -> bool {
    if told_lately >= MOST_AN_HOUR {
        return false;
    }
    let Some(before) = before else { return true };
    let quiet = before.told_on <= now && now.duration_since(before.told_on) < QUIET;
    // What lasts and was over has begun anew; what only happens is told once a day.
    !quiet || (kind.lasts && before.ended)
}

#[cfg(test)]
mod tests;
