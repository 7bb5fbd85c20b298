//! The Polish national system beside the lab's network, and a Polish party of the sender: its
//! certificates and an invoice of it lie in the folder `ksef`.

use std::path::Path;

use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, KsefSection};
use quoin_ksef::certificate::KsefUse;
use quoin_ksef::offline::warsaw;

use super::{LabError, RECEIVER};
use crate::ksef::{KsefLab, KsefLabSettings, sample_invoice};

/// A Polish seller: a party of the sender.
pub const POLISH: &str = "9945:5265877635";
/// Its NIP.
const NIP: &str = "5265877635";

/// Opens the system, and points a configuration to it.
pub(super) async fn open(
    folder: &Path,
    config: &mut Config,
    clock: &Clock,
) -> Result<KsefLab, LabError> {
    let other = |error: String| LabError::Other(format!("the lab's KSeF: {error}"));
    let settings = KsefLabSettings::default();
    let lab = KsefLab::open(0, clock.clone(), settings)
        .await
        .map_err(|error| other(error.to_string()))?;
    config.ksef = KsefSection {
        url: Some(lab.base()),
        codes_url: Some(lab.codes()),
        lighthouse_url: Some(lab.lighthouse()),
        collect_seconds: 1,
        // A lab is played with at any hour.
        cut_off_minutes: 0,
        ..KsefSection::default()
    };
    let folder = folder.join("ksef");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.join(name), bytes).map_err(|error| other(error.to_string()))
    };
    std::fs::create_dir_all(&folder).map_err(|error| other(error.to_string()))?;
    let uses = [("online", KsefUse::Authentication), ("offline", KsefUse::Offline)];
    for (name, use_) in uses {
        let issued = lab.authority().issue(NIP, use_).map_err(|error| other(error.to_string()))?;
        write(&format!("{name}.p12"), &issued.pkcs12)?;
        write("password.txt", issued.password.as_bytes())?;
    }
    let day = warsaw(clock.now()).date().to_string();
    let invoice = sample_invoice((POLISH, RECEIVER), "LAB/1", &day);
    write("polish-invoice.xml", invoice.as_bytes())?;
    Ok(lab)
}
