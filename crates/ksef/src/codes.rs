//! The printed codes: QR, error correction M, as small as they can be.
//!
//! Source: documentation of KSeF, "kody QR"; ISO/IEC 18004.

#[cfg(test)]
mod tests;

use qrcodegen::{QrCode, QrCodeEcc, QrSegment, Version};

/// Under KOD I while the invoice has no number of the system.
pub const LABEL_OFFLINE: &str = "OFFLINE";
/// Under KOD II.
pub const LABEL_CERTIFICATE: &str = "CERTYFIKAT";

/// A code: a square of modules, without the quiet zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrMatrix {
    /// Modules of a side.
    pub size: usize,
    /// Row after row, whether a module is dark.
    pub dark: Vec<bool>,
}

/// The code of a link; `None` where it is longer than any code can hold (2,331 characters).
pub fn qr(link: &str) -> Option<QrMatrix> {
    let segment = QrSegment::make_bytes(link.as_bytes());
    let code = QrCode::encode_segments_advanced(
        &[segment],
        QrCodeEcc::Medium,
        Version::MIN,
        Version::MAX,
        None,
        false,
    )
    .ok()?;
    let side = code.size();
    let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let dark = places.map(|(x, y)| code.get_module(x, y)).collect();
    Some(QrMatrix { size: usize::try_from(side).ok()?, dark })
}
