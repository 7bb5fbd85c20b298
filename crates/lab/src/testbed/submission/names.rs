//! Faults of DNS (SML 1.3.0, 3.1.1), and good answers that are not the simplest ones.

use super::ExpectedOutcome::{Delivered, Nothing, Withheld};
use super::case;
use crate::testbed::case::TestCase;
use crate::testbed::stage::fault::NameFault::{
    Alias, AliasLoop, Empty, FailsFirst, Foreign, Many, Missing, Ordered, Silent, SilentFirst, Uri,
};
use crate::testbed::stage::fault::SimulatedFault::Name;

const SML: &str = "SML 1.3.0, 3.1.1";

/// The cases.
pub(super) static CASES: &[TestCase] = &[
    case(
        "N-01",
        "a name that does not exist (NXDOMAIN) is a receiver that is not registered",
        SML,
        Name(Missing),
        Withheld,
    ),
    case(
        "N-02",
        "a name without records (NODATA) is a receiver that is not registered",
        SML,
        Name(Empty),
        Withheld,
    ),
    case(
        "N-03",
        "a name server that fails (SERVFAIL) is asked again later",
        SML,
        Name(FailsFirst),
        Delivered,
    ),
    case(
        "N-04",
        "a name server that is silent is asked again later",
        SML,
        Name(SilentFirst),
        Delivered,
    ),
    case(
        "N-05",
        "a name server that stays silent delivers nothing, and nothing is made up",
        SML,
        Name(Silent),
        Nothing,
    ),
    case(
        "N-06",
        "records of other services only are a receiver that is not registered",
        SML,
        Name(Foreign),
        Withheld,
    ),
    case(
        "N-07",
        "of two records for an SMP the one of the lower order is taken",
        "RFC 3403, 4.1; SML \
         1.3.0, 3.1.1",
        Name(Ordered),
        Delivered,
    ),
    case(
        "N-08",
        "an alias (CNAME) of a publisher is followed",
        "SML 1.3.0, 3.1.1; RFC 1034, 3.6.2",
        Name(Alias),
        Delivered,
    ),
    case(
        "N-09",
        "an answer that does not fit into one datagram is fetched over TCP",
        "RFC 7766, 5",
        Name(Many),
        Delivered,
    ),
    case(
        "N-10",
        "an address that is not https is not used",
        "SMP 1.4.0, 5",
        Name(Uri("!.*!http://{rest}!")),
        Withheld,
    ),
    case(
        "N-11",
        "an address with a user name is not used",
        SML,
        Name(Uri("!.*!https://user@{rest}!")),
        Withheld,
    ),
    case(
        "N-12",
        "an address with a query is not used",
        SML,
        Name(Uri("!.*!https://{rest}?of=testbed!")),
        Withheld,
    ),
    case(
        "N-13",
        "an address with a fragment is not used",
        SML,
        Name(Uri("!.*!https://{rest}#testbed!")),
        Withheld,
    ),
    case(
        "N-14",
        "a substitution with a broken delimiter is not used",
        "RFC 3402, 3.2",
        Name(Uri("!.*https://{rest}!")),
        Withheld,
    ),
    case(
        "N-15",
        "a substitution that refers to a group that is not there is not used",
        "RFC 3402, \
         3.2",
        Name(Uri("!.*!https://{rest}\\2!")),
        Withheld,
    ),
    case(
        "N-16",
        "an alias (CNAME) that leads back to itself is not followed without end",
        "RFC 1034, 3.6.2",
        Name(AliasLoop),
        Nothing,
    ),
];
