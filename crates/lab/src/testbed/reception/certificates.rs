//! Certificates of a sender that must not be believed (H-09).

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::testbed::bench::Bench;
use crate::testbed::case::{CERTIFICATE, CaseArea, Expect, TestCase, act};
use crate::testbed::test_identities::{DressError, TestIdentity};
use crate::testbed::verdict::{CaseFixer, CaseVerdict, wrong};

/// A case with one certificate.
macro_rules! refused {
    ($id:literal, $proves:literal, $dress:expr) => {
        act($id, CaseArea::Reception, $proves, "H-09, B-09; AS4 profile 7", |bench| {
            refused(bench, $id, $dress)
        })
    };
}

/// The cases.
pub(crate) static CASES: &[TestCase] = &[
    refused!("H-09a", "an expired certificate is refused", TestIdentity::ApExpired),
    refused!("H-09b", "a revoked certificate is refused", TestIdentity::ApRevoked),
    refused!("H-09c", "a certificate of another authority is refused", TestIdentity::ApForeign),
    refused!("H-09d", "the certificate of an SMP is refused", TestIdentity::Smp),
    refused!("H-09e", "a certificate that is not valid yet is refused", TestIdentity::ApNotYet),
];

fn refused<'b>(
    bench: &'b Bench,
    case: &'static str,
    dress: TestIdentity,
) -> BoxFuture<'b, CaseVerdict> {
    async move {
        let own = match bench.wardrobe.access_point(dress) {
            Ok(own) => own,
            Err(DressError::Absent(name)) => {
                return CaseVerdict::skip(format!(
                    "{name}.pem and {name}.key are not in the folder of identities"
                ));
            }
            Err(error) => return broken(case, &error),
        };
        let forge = &bench.forge;
        let mut draft = match forge.draft() {
            Ok(draft) => draft,
            Err(error) => return broken(case, &error),
        };
        draft.message.from.clone_from(&own.seat_id);
        let sealed = match forge.seal_as(&draft, &own, &forge.receiver) {
            Ok(sealed) => sealed,
            Err(error) => return broken(case, &error),
        };
        let message = sealed.message(format!("signed with {}.pem", dress.name()));
        bench.note(case, &message.number, 0);
        bench.expect(&message, Expect::Error(CERTIFICATE)).await.into()
    }
    .boxed()
}

fn broken(case: &str, error: &dyn std::fmt::Display) -> CaseVerdict {
    let place = format!("case {case}");
    CaseVerdict::Fail(wrong("a message to send", error.to_string(), place).by(CaseFixer::Testbed))
}
