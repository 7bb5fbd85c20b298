//! The laboratory's KSeF alone, for a client of somebody else:
//! `cargo run -p quoin-lab --example ksef -- FOLDER [PORT [LINKS]]`.
//!
//! Into the folder it writes `online.p12` and `offline.p12` (their password in `password.txt`),
//! the
//! same as `online.pem` and `online.key`, and its addresses in `ksef.json`; at the end of its
//! input
//! it writes every exchange into `exchanges.jsonl` and ends.

use std::io::Read;
use std::path::Path;

use quoin_access_point::clock::Clock;
use quoin_ksef::certificate::KsefUse;
use quoin_lab::ksef::{KsefLab, KsefLabSettings};
use serde_json::json;

/// The company that the certificates are of.
const NIP: &str = "5265877635";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("which folder?")?;
    let port = arguments.next().map_or(Ok(0), |port| port.parse())?;
    // Packages in more than one part.
    let export_part = 4_000;
    let settings =
        KsefLabSettings { links: arguments.next(), export_part, ..KsefLabSettings::default() };
    let lab = KsefLab::open(port, Clock::default(), settings).await?;
    let folder = Path::new(&folder);
    for (name, use_) in [("online", KsefUse::Authentication), ("offline", KsefUse::Offline)] {
        let issued = lab.authority().issue(NIP, use_)?;
        std::fs::write(folder.join(format!("{name}.p12")), &issued.pkcs12)?;
        std::fs::write(folder.join("password.txt"), &issued.password)?;
    }
    let told = json!({"base": lab.base(), "lighthouse": lab.lighthouse(), "codes": lab.codes(),
        "nip": NIP});
    std::fs::write(folder.join("ksef.json"), serde_json::to_vec(&told)?)?;
    println!("{told}");
    // Until whoever started it has enough.
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await??;
    let lines: Result<Vec<String>, _> = lab.exchanges().iter().map(serde_json::to_string).collect();
    std::fs::write(folder.join("exchanges.jsonl"), lines?.join("\n"))?;
    Ok(())
}
