//! Targets that are less, or more, than a syntax: releases of CII and the profiles of Factur-X.
//!
//! A profile is chosen by its name or, where its specification (BT-24) is asked for, by that. What
//! its schema has no place for is not written, and has a row.
//!
//! Sources: Factur-X 1.09 (ZUGFeRD 2.5.2), UN/CEFACT SCRDM D22B, XRechnung 3.0.

mod unused;

use quoin_model::en16931::Invoice;
use quoin_xml::tree::Element;
use quoin_xml::xsd::Schema;

use super::{ConversionRequest, ConversionTarget};
use crate::structure_tables;
use crate::writing::TargetProfile;

/// What the schema asks for where it says nothing, too.
const MAY_BE_EMPTY: &str = "ApplicableHeaderTradeDelivery";

const PLAIN: TargetProfile = TargetProfile {
    name: "",
    title: "",
    specification: None,
    is_told_by_specification: false,
    structure: None,
    unused: &[],
    has_lines: true,
    has_breakdown: true,
    is_extended: false,
    has_many_preceding: true,
};

/// The rows, in the order in which they are told.
static PROFILES: &[TargetProfile] = &[
    TargetProfile {
        name: "cii-d22b",
        title: "UN/CEFACT Cross Industry Invoice D22B",
        structure: Some("cii-d22b"),
        ..PLAIN
    },
    TargetProfile {
        name: "factur-x-minimum",
        title: "Factur-X (ZUGFeRD 2) MINIMUM: no lines",
        specification: Some("urn:factur-x.eu:1p0:minimum"),
        is_told_by_specification: true,
        structure: Some("factur-x-1.09-minimum"),
        unused: unused::MINIMUM,
        has_lines: false,
        has_breakdown: false,
        ..PLAIN
    },
    TargetProfile {
        name: "factur-x-basic-wl",
        title: "Factur-X (ZUGFeRD 2) BASIC WL: no lines",
        specification: Some("urn:factur-x.eu:1p0:basicwl"),
        is_told_by_specification: true,
        structure: Some("factur-x-1.09-basicwl"),
        unused: unused::BASIC_WL,
        has_lines: false,
        ..PLAIN
    },
    TargetProfile {
        name: "factur-x-basic",
        title: "Factur-X (ZUGFeRD 2) BASIC",
        specification: Some("urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic"),
        is_told_by_specification: true,
        structure: Some("factur-x-1.09-basic"),
        unused: unused::BASIC,
        ..PLAIN
    },
    TargetProfile {
        name: "factur-x-en16931",
        title: "Factur-X (ZUGFeRD 2) EN 16931 (COMFORT)",
        specification: Some("urn:cen.eu:en16931:2017"),
        structure: Some("factur-x-1.09-en16931"),
        unused: unused::EN16931,
        ..PLAIN
    },
    TargetProfile {
        name: "factur-x-extended",
        title: "Factur-X (ZUGFeRD 2) EXTENDED",
        specification: Some("urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended"),
        is_told_by_specification: true,
        structure: Some("factur-x-1.09-extended"),
        unused: unused::EXTENDED,
        is_extended: true,
        ..PLAIN
    },
    TargetProfile {
        name: "xrechnung-cii",
        title: "XRechnung 3.0 in CII, the profile XRECHNUNG of Factur-X",
        specification: Some(
            "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
        ),
        has_many_preceding: false,
        ..PLAIN
    },
];

/// A profile that a document can be converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversionProfile(&'static TargetProfile);

impl ConversionProfile {
    /// Every profile.
    pub fn all() -> impl Iterator<Item = ConversionProfile> {
        PROFILES.iter().map(ConversionProfile)
    }

    /// The profile of a name: `factur-x-basic`.
    pub fn named(name: &str) -> Option<ConversionProfile> {
        ConversionProfile::all().find(|profile| profile.0.name == name)
    }

    /// The profile that a specification (BT-24) of a target means.
    pub(super) fn told_by(request: &ConversionRequest<'_>) -> Option<ConversionProfile> {
        let is_cii = request.target == ConversionTarget::CII;
        let wanted = request.specification.filter(|_| is_cii)?;
        ConversionProfile::all()
            .find(|own| own.0.is_told_by_specification && own.0.specification == Some(wanted))
    }

    /// Its name: `factur-x-basic`.
    pub fn as_str(self) -> &'static str {
        self.0.name
    }

    /// Its name for people: `Factur-X (ZUGFeRD 2) BASIC`.
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// The syntax that it is of.
    pub fn target(self) -> ConversionTarget {
        ConversionTarget::CII
    }

    /// BT-24, where the profile has one of its own.
    pub fn specification(self) -> Option<&'static str> {
        self.0.specification
    }

    /// Whether a document of the syntax is of the profile, so that its tree is copied: it follows
    /// the same specification, the schema finds nothing wrong, and all of it is used. What follows
    /// another one, or has several terms of payment, may have more than the profile has places for;
    /// and XRechnung allows no element that is empty (PEPPOL-EN16931-R008).
    pub(super) fn is_of(self, invoice: &Invoice<'_>) -> bool {
        let own = invoice.process.customization.text();
        let Some(structure) = self.0.structure.and_then(structure_tables::by_id) else {
            let is_extended = own.is_some_and(|own| own.contains("extended"));
            let is_empty = |own: Element<'_>| {
                own.local() != MAY_BE_EMPTY
                    && own.elements().next().is_none()
                    && own.string_value().trim().is_empty()
            };
            return !is_extended
                && invoice.payment.terms.len() <= 1
                && !invoice.element.descendants().any(is_empty);
        };
        let is_specified = self.0.specification.is_none() || own.as_deref() == self.0.specification;
        let is_sound = |schema: &Schema| schema.is_valid(invoice.element);
        is_specified && structure.schema().is_some_and(is_sound) && !self.leaves_out(invoice)
    }

    /// Whether a document has what the profile does not use.
    fn leaves_out(self, invoice: &Invoice<'_>) -> bool {
        let is_unused = |own: Element<'_>| {
            let within = |path: &str| {
                let around = std::iter::successors(own.parent(), |parent| parent.parent());
                let mut around = around.map(|parent| parent.local());
                path.rsplit('/').all(|step| around.next() == Some(step))
            };
            let of_name = self.0.unused.iter().filter(|one| one.names.contains(&own.local()));
            of_name.flat_map(|one| one.within).any(|path| within(path))
        };
        !self.0.unused.is_empty() && invoice.element.descendants().any(is_unused)
    }

    pub(super) fn row(self) -> &'static TargetProfile {
        self.0
    }
}

impl From<ConversionProfile> for ConversionRequest<'_> {
    fn from(profile: ConversionProfile) -> Self {
        ConversionRequest { profile: Some(profile), ..profile.target().into() }
    }
}

impl ConversionRequest<'static> {
    /// The request that a name stands for, of a syntax or of a profile: `ubl`, `factur-x-basic`.
    pub fn named(name: &str) -> Option<ConversionRequest<'static>> {
        let of_target = ConversionTarget::named(name).map(ConversionRequest::from);
        of_target.or_else(|| ConversionProfile::named(name).map(ConversionRequest::from))
    }

    /// Every name that a request can be asked for by, with its name for people.
    pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
        let targets = ConversionTarget::all().map(|one| (one.as_str(), one.title()));
        targets.chain(ConversionProfile::all().map(|one| (one.as_str(), one.title())))
    }
}
