//! Factur-X and ZUGFeRD: which profile the XML inside a hybrid PDF follows.
//!
//! Source: Factur-X 1.0 / ZUGFeRD 2.x, section 6.2 (names of the profiles in XMP), and the
//! guideline identifiers (BT-24) of each profile.

use quoin_formats::convert::ConversionProfile;

/// A profile of Factur-X, by which a reader of the PDF knows what is inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FacturXLevel {
    /// Totals only.
    Minimum,
    /// Totals and VAT, without lines.
    BasicWl,
    /// Lines with the least of data.
    Basic,
    /// EN 16931 whole.
    En16931,
    /// More than EN 16931.
    Extended,
    /// The German CIUS.
    XRechnung,
}

impl FacturXLevel {
    /// Every profile, from the least to the most.
    pub const ALL: &[FacturXLevel] = &[
        FacturXLevel::Minimum,
        FacturXLevel::BasicWl,
        FacturXLevel::Basic,
        FacturXLevel::En16931,
        FacturXLevel::Extended,
        FacturXLevel::XRechnung,
    ];

    /// Its name as it is asked for: `basic-wl`.
    pub fn name(self) -> &'static str {
        match self {
            FacturXLevel::Minimum => "minimum",
            FacturXLevel::BasicWl => "basic-wl",
            FacturXLevel::Basic => "basic",
            FacturXLevel::En16931 => "en16931",
            FacturXLevel::Extended => "extended",
            FacturXLevel::XRechnung => "xrechnung",
        }
    }

    /// The profile of a name.
    pub fn named(name: &str) -> Option<FacturXLevel> {
        FacturXLevel::ALL.iter().copied().find(|level| level.name() == name)
    }

    /// What its data are converted to.
    pub(crate) fn profile(self) -> Option<ConversionProfile> {
        let name = match self {
            FacturXLevel::XRechnung => "xrechnung-cii".to_owned(),
            level => format!("factur-x-{}", level.name()),
        };
        ConversionProfile::named(&name)
    }

    /// Its name in the metadata of a PDF: `EN 16931`.
    pub fn as_str(self) -> &'static str {
        match self {
            FacturXLevel::Minimum => "MINIMUM",
            FacturXLevel::BasicWl => "BASIC WL",
            FacturXLevel::Basic => "BASIC",
            FacturXLevel::En16931 => "EN 16931",
            FacturXLevel::Extended => "EXTENDED",
            FacturXLevel::XRechnung => "XRECHNUNG",
        }
    }

    /// The name of the embedded file.
    pub fn file_name(self) -> &'static str {
        match self {
            FacturXLevel::XRechnung => "xrechnung.xml",
            _ => "factur-x.xml",
        }
    }

    /// The version that the metadata say: that of XRechnung for its profile, else that of Factur-X.
    pub fn version(self, guideline: &str) -> &str {
        let is_version = |text: &&str| {
            text.len() <= 8 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        };
        let own = guideline.trim().rsplit("xrechnung_").next().filter(is_version);
        own.filter(|_| self == FacturXLevel::XRechnung).unwrap_or("1.0")
    }

    /// The profile of a guideline (BT-24); `None` where it is another specification.
    pub fn of_guideline(guideline: &str) -> Option<FacturXLevel> {
        let guideline = guideline.trim();
        let is = |end: &str| guideline.ends_with(end);
        if guideline.contains("xeinkauf.de:kosit:xrechnung") || guideline.contains(":xrechnung_") {
            return Some(FacturXLevel::XRechnung);
        }
        match guideline {
            "urn:cen.eu:en16931:2017" => Some(FacturXLevel::En16931),
            _ if is(":minimum") => Some(FacturXLevel::Minimum),
            _ if is(":basicwl") => Some(FacturXLevel::BasicWl),
            _ if is(":basic") => Some(FacturXLevel::Basic),
            _ if is(":extended") => Some(FacturXLevel::Extended),
            // A CIUS narrows EN 16931, so what follows one follows EN 16931.
            _ if guideline.starts_with("urn:cen.eu:en16931:2017#compliant#") => {
                Some(FacturXLevel::En16931)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_profile_has_a_name_and_a_conversion() {
        for level in FacturXLevel::ALL {
            assert_eq!(FacturXLevel::named(level.name()), Some(*level));
            let guideline = level.profile().and_then(ConversionProfile::specification).unwrap();
            assert_eq!(FacturXLevel::of_guideline(guideline), Some(*level));
        }
    }

    #[test]
    fn the_guideline_tells_the_profile() {
        for (guideline, level) in [
            ("urn:factur-x.eu:1p0:minimum", Some(FacturXLevel::Minimum)),
            ("urn:factur-x.eu:1p0:basicwl", Some(FacturXLevel::BasicWl)),
            (
                "urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic",
                Some(FacturXLevel::Basic),
            ),
            ("urn:cen.eu:en16931:2017", Some(FacturXLevel::En16931)),
            (
                "urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended",
                Some(FacturXLevel::Extended),
            ),
            (
                "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
                Some(FacturXLevel::XRechnung),
            ),
            ("urn:something:else", None),
        ] {
            assert_eq!(FacturXLevel::of_guideline(guideline), level, "{guideline}");
        }
        let german = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
        assert_eq!(FacturXLevel::XRechnung.version(german), "3.0");
        assert_eq!(FacturXLevel::En16931.version("urn:cen.eu:en16931:2017"), "1.0");
    }
}
