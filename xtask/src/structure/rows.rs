//! Sets that are alike in all but their names, in a line each.

macro_rules! set {
    ($id:expr, $title:expr, $source:expr, [$($folder:expr),*], [$($entry:expr),* $(,)?]) => {
        Set {
            id: $id,
            title: $title,
            source: $source,
            folders: &[$($folder),*],
            entries: &[$($entry),*],
            only: &[],
            added: &[],
        }
    };
}

macro_rules! ebinterface {
    ($version:expr) => {
        Set {
            id: concat!("ebinterface-", $version),
            title: concat!("ebInterface ", $version),
            source: "AUSTRIAPRO, as published with ph-ebinterface",
            folders: &[EBINTERFACE, W3C],
            entries: &[concat!(
                "corpora/ebinterface/ph-ebinterface/schemas/ebinterface/ebinterface-",
                $version,
                ".xsd"
            )],
            only: &["Invoice"],
            added: &[],
        }
    };
}

macro_rules! hr_xml {
    ($id:expr, $title:expr, [$($entry:expr),* $(,)?]) => {
        Set {
            id: $id,
            title: $title,
            source: "HR-XML 2007-04-15 and SETU 1.0 to 1.4",
            folders: HR_XML,
            entries: &[$($entry),*],
            only: &[],
            added: &[],
        }
    };
}

macro_rules! facturx {
    ($release:expr, $version:expr, $profile:expr, $file:expr) => {
        set!(
            concat!("factur-x-", $release, "-", $profile),
            concat!("Factur-X ", $release, " (ZUGFeRD ", $version, ") ", $file),
            "FNFE-MPE and FeRD",
            [concat!("corpora/facturx-zugferd/phive-rules/schemas/", $version, "/", $profile)],
            [concat!(
                "corpora/facturx-zugferd/phive-rules/schemas/",
                $version,
                "/",
                $profile,
                "/FACTUR-X_",
                $file,
                ".xsd"
            )]
        )
    };
}

pub(super) use {ebinterface, facturx, hr_xml, set};
