//! `quoin tax … flux10`: the files of France about a period, from the store of a service that is
//! stopped: one of flux 10 about the invoices across the border and the sales to consumers, and an
//! extract of flux 1 of each domestic invoice. A registered platform sends them. What is told of
//! which invoice is decided by what the service decides by.

mod exchanged;
mod fate;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_delivery::OrganisationId;
use quoin_store::Store;
use quoin_taxdata::flux1::ExtractLevel;
use quoin_taxdata::flux10::{
    DeclarantRole, EReport, EReportBreach, EReportContent, EReportKind, GatheredInvoice,
    check_head, write,
};

use fate::{AskedDeclarant, InvoiceFate, fate};

/// What a file is about, and who tells it.
#[derive(Debug, Args)]
pub(super) struct FranceFiles {
    /// The party that declares, as in 0009:73282932000074.
    pub(super) party: String,
    /// Whether it sold or bought.
    #[arg(long, value_enum, default_value = "seller")]
    role: FrenchSide,
    /// The first day of the period, in UTC: the day on which invoices were delivered counts.
    #[arg(long, value_name = "DAY")]
    from: Date,
    /// The last day of the period.
    #[arg(long, value_name = "DAY")]
    to: Date,
    /// The SIREN of the declarant, nine digits: invoices of another one are left out.
    #[arg(long)]
    siren: String,
    /// The name of the declarant.
    #[arg(long)]
    name: String,
    /// The registered number of the platform, four characters.
    #[arg(long)]
    platform: String,
    /// The name of the platform.
    #[arg(long)]
    platform_name: String,
    /// The file replaces what was told of the period before.
    #[arg(long)]
    rectifying: bool,
    /// Extracts of flux 1 have the lines, too.
    #[arg(long)]
    lines: bool,
    /// The folder for the files.
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FrenchSide {
    Seller,
    Buyer,
}

impl FrenchSide {
    fn declarant(self) -> DeclarantRole {
        match self {
            FrenchSide::Seller => DeclarantRole::Seller,
            FrenchSide::Buyer => DeclarantRole::Buyer,
        }
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct WrittenFiles {
    /// The path of each file, and a line for each invoice that is in none of them.
    pub(super) lines: Vec<String>,
    /// Files that were written.
    pub(super) files: usize,
    /// Invoices that have to be told and are in no file.
    pub(super) missing: usize,
}

/// Writes the files about the party of a key.
///
/// # Errors
/// The store or the folder cannot be used, what was asked is no file that the portal takes, all
/// invoices are those of another declarant, or the portal would refuse what the file tells.
pub(super) async fn files(
    store: &Store,
    of: (&OrganisationId, &str),
    asked: &FranceFiles,
    now: Timestamp,
) -> Result<WrittenFiles, String> {
    let refused = check_head(&report(asked, &[], now));
    if !refused.is_empty() {
        let wrong: Vec<String> = refused.iter().map(|breach| option(asked, breach)).collect();
        return Err(wrong.join("\n"));
    }
    let declarant = AskedDeclarant {
        siren: &asked.siren,
        role: asked.role.declarant(),
        level: if asked.lines { ExtractLevel::Full } else { ExtractLevel::Base },
    };
    let (mut out, mut gathered) = (WrittenFiles::default(), Vec::new());
    let mut others = BTreeSet::new();
    for one in exchanged::in_period(store, of, (asked.from, asked.to)).await? {
        let record = &one.record;
        let document = record.transaction.document_id.as_str();
        let number = record.transaction.number.as_deref().unwrap_or("without a number");
        let bytes = store.document(record).await.map_err(|error| error.to_string())?;
        let mut left_out = |why: &str| out.lines.push(format!("{document} ({number}): {why}"));
        match fate(&one, bytes.as_ref(), &declarant) {
            InvoiceFate::OtherSide => {}
            InvoiceFate::Untold(why) => left_out(&why),
            InvoiceFate::Missing(why) => {
                left_out(&why);
                out.missing += 1;
            }
            InvoiceFate::OtherDeclarant(siren) => {
                left_out(&format!("its declarant is the SIREN {siren}, not {}", asked.siren));
                others.insert(siren);
            }
            InvoiceFate::Extract(text) => {
                let name = format!("flux1-{document}.xml");
                out.lines.push(put(&asked.out, &name, &text)?);
                out.files += 1;
            }
            InvoiceFate::Gathered(invoice) => gathered.push(invoice),
        }
    }
    let is_anybodys = gathered.is_empty() && out.files + out.missing == 0;
    if is_anybodys && !others.is_empty() {
        let others = others.into_iter().collect::<Vec<_>>().join(", ");
        return Err(format!(
            "--siren {}: no invoice of the period is of this declarant, expected one of {others}",
            asked.siren
        ));
    }
    if !gathered.is_empty() {
        out.lines.push(file(asked, &gathered, now)?);
        out.files += 1;
    }
    Ok(out)
}

fn file(
    asked: &FranceFiles,
    gathered: &[GatheredInvoice],
    now: Timestamp,
) -> Result<String, String> {
    let text = write(&report(asked, gathered, now)).map_err(|breaches| {
        let told: Vec<String> = breaches.iter().map(ToString::to_string).collect();
        format!("the portal would refuse the file:\n{}", told.join("\n"))
    })?;
    put(&asked.out, &format!("flux10-{}-{}-{}.xml", asked.siren, asked.from, asked.to), &text)
}

fn report(asked: &FranceFiles, gathered: &[GatheredInvoice], now: Timestamp) -> EReport {
    let (kind, word) = match asked.rectifying {
        true => (EReportKind::Rectifying, "RE"),
        false => (EReportKind::Initial, "IN"),
    };
    let made = now.to_zoned(TimeZone::UTC).datetime();
    EReport {
        id: format!("{}-{word}-{}", asked.siren, made.strftime("%Y%m%d%H%M%S")),
        name: None,
        created: made,
        kind,
        platform: asked.platform.clone(),
        platform_name: asked.platform_name.clone(),
        siren: asked.siren.clone(),
        declarant_name: asked.name.clone(),
        role: asked.role.declarant(),
        period: (asked.from, asked.to),
        content: EReportContent::gathered(gathered),
    }
}

/// What is wrong with an option, by its name.
fn option(asked: &FranceFiles, breach: &EReportBreach) -> String {
    let why = breach.why;
    match breach.term {
        "TT-8" => format!("--platform {}: {why}", asked.platform),
        "TT-9" => format!("--platform-name is empty: {why}"),
        "TT-13" => format!("--siren {}: {why}", asked.siren),
        "TT-14" => format!("--name is empty: {why}"),
        "TT-17" | "TT-18" => format!("--from {} --to {}: {why}", asked.from, asked.to),
        _ => breach.to_string(),
    }
}

fn put(folder: &Path, name: &str, text: &[u8]) -> Result<String, String> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path.display().to_string())
}
