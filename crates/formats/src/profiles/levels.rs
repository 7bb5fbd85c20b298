//! How grave a rule of EN 16931 is where XRechnung uses it: the levels of the validator
//! configuration of XRechnung 3.0.2.

use quoin_model::Flag;
use quoin_model::Flag::{Fatal, Information, Warning};

/// Those of the CIUS.
pub(super) const XRECHNUNG: &[(&str, Flag)] = &[
    ("BR-CL-21", Warning),
    ("BR-CL-23", Warning),
    ("UBL-CR-646", Fatal),
    ("CII-SR-452", Fatal),
    ("CII-SR-453", Fatal),
    ("CII-SR-454", Fatal),
];
/// Those of its extension.
pub(super) const XRECHNUNG_EXTENSION: &[(&str, Flag)] = &[
    ("BR-CL-10", Information),
    ("BR-CL-11", Information),
    ("BR-CL-21", Information),
    ("BR-CL-23", Warning),
    ("BR-CL-24", Information),
    ("BR-CL-25", Information),
    ("BR-CL-26", Information),
    ("en16931-ubl/BR-CO-16", Information),
    ("UBL-CR-470", Information),
    ("UBL-CR-646", Information),
    ("CII-SR-452", Fatal),
    ("CII-SR-453", Fatal),
    ("CII-SR-454", Fatal),
];
/// Those of its profile for clean vehicles.
pub(super) const XRECHNUNG_CVD: &[(&str, Flag)] = &[
    ("BR-CL-13", Information),
    ("BR-CL-21", Warning),
    ("BR-CL-23", Warning),
    ("UBL-CR-646", Fatal),
    ("CII-SR-452", Fatal),
    ("CII-SR-453", Fatal),
    ("CII-SR-454", Fatal),
];
