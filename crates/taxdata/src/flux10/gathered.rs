//! What is kept of an invoice until the file of its period is written: the invoice across the
//! border as flux 10.1 tells it, or the sale to a consumer, which is added to those of its day.

use std::collections::BTreeMap;

use jiff::civil::Date;
use quoin_model::amount::Decimal;
use quoin_model::codes::is_credit_note_type;
use serde::{Deserialize, Serialize};

use super::check::sales;
use super::foreign::is_french_company;
use super::{
    Declarant, DeclarantRole, EReport, EReportBreach, EReportContent, EReportInvoice, EReportKind,
    NotEReportable, SalesTotal, check_invoice, write,
};
use crate::assess::UNION;
use crate::assumed::{CONSUMERS_AS_IN_FRANCE, CONSUMERS_HAVE_NO_NUMBER, FRANCE_OVERSEAS};
use crate::invoice::ReportableInvoice;
use crate::missing::MissingTerm;
use crate::regime::ReporterRole;
use crate::terms::{InvoiceTerms, TradeSide};

/// What a file tells of one invoice, and who declares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GatheredInvoice {
    /// The SIREN of the declarant (TT-13).
    pub siren: String,
    /// Its name (TT-14).
    pub name: String,
    /// On which side it is (TT-15).
    pub role: DeclarantRole,
    /// What is told.
    pub told: GatheredTerms,
}

/// What is told of an invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GatheredTerms {
    /// Across the border (10.1).
    Invoice(Box<EReportInvoice>),
    /// To a consumer (10.3): a total of one sale.
    Sale(SalesTotal),
}

/// Why nothing is gathered of an invoice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotGathered {
    /// It is told by flux 1, or lacks a term.
    #[error(transparent)]
    NotReportable(#[from] NotEReportable),
    /// What the portal would refuse of it.
    #[error("the portal would refuse it: {}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Refused(Vec<EReportBreach>),
}

/// The platform that hands a file to the portal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePlatform<'a> {
    /// TT-8: its registered number, four characters.
    pub number: &'a str,
    /// TT-9.
    pub name: &'a str,
}

impl GatheredInvoice {
    /// Whether it is a sale to a consumer.
    pub fn is_of_consumer(&self) -> bool {
        matches!(self.told, GatheredTerms::Sale(_))
    }

    /// What the file of a period tells of an invoice for the client of a corner.
    ///
    /// # Errors
    /// [`NotGathered`].
    pub fn of(
        invoice: &ReportableInvoice<'_>,
        role: ReporterRole,
    ) -> Result<GatheredInvoice, NotGathered> {
        let terms = invoice.terms();
        let declarant = Declarant::of(invoice, role);
        let role = declarant.role;
        let is_consumer = role == DeclarantRole::Seller && buys_as_consumer(terms);
        let told = match is_consumer {
            true => GatheredTerms::Sale(sale(terms)?),
            false => GatheredTerms::Invoice(Box::new(EReportInvoice::of(invoice)?)),
        };
        let (siren, name) = declarant.named()?;
        let breaches = match &told {
            GatheredTerms::Invoice(own) => check_invoice(own),
            GatheredTerms::Sale(own) => sales(own),
        };
        if !breaches.is_empty() {
            return Err(NotGathered::Refused(breaches));
        }
        Ok(GatheredInvoice { siren, name, role, told })
    }
}

/// A buyer inside the union, or in what is France for VAT beside it, is a consumer where it has
/// neither a VAT number nor a SIREN or SIRET ([`CONSUMERS_HAVE_NO_NUMBER`]).
fn buys_as_consumer(terms: InvoiceTerms<'_>) -> bool {
    let side = TradeSide::Buyer;
    let numbered = terms.tax_number(side).is_some() || is_french_company(terms, side);
    let is_inside = |country: &str| {
        let places = [UNION, FRANCE_OVERSEAS, CONSUMERS_AS_IN_FRANCE];
        places.iter().any(|places| places.contains(&country))
    };
    let country = terms.country(side);
    CONSUMERS_HAVE_NO_NUMBER && !numbered && country.is_none_or(|country| is_inside(&country))
}

/// One sale to a consumer.
fn sale(terms: InvoiceTerms<'_>) -> Result<SalesTotal, NotEReportable> {
    let lacks = |term| NotEReportable::Lacks(MissingTerm::named(term));
    let text = |local: &str, term| terms.text(local).ok_or_else(|| lacks(term));
    let day = quoin_model::text::date(&text("IssueDate", "BT-2")?).ok_or_else(|| lacks("BT-2"))?;
    let is_credit = terms.type_code().is_some_and(|code| is_credit_note_type(&code));
    let amount = |text: &str| signed(text, is_credit);
    let total = terms.total("TaxExclusiveAmount").ok_or_else(|| lacks("BT-109"))?;
    let tax = terms.tax_amount("EUR").ok_or_else(|| lacks("BT-110"))?;
    let parts: Option<Vec<_>> = terms
        .breakdown()
        .map(|one| {
            let own = super::foreign::part(one);
            Some((plain(&own.rate)?, amount(&own.taxable)?, amount(&own.tax)?))
        })
        .collect();
    let is_untaxed = Decimal::parse(&tax).is_ok_and(Decimal::is_zero);
    let process = terms.text("ProfileID");
    let category = match process.as_deref().and_then(|process| process.chars().next()) {
        _ if is_untaxed => "TNT1",
        Some('B') => "TLB1",
        Some('S') => "TPS1",
        // Goods and services in one: no text says as which of both they are told.
        _ => return Err(lacks("BT-23")),
    };
    Ok(SalesTotal {
        day,
        currency: text("DocumentCurrencyCode", "BT-5")?.into_owned(),
        tax_due_code: None,
        category: category.to_owned(),
        total: amount(&total).ok_or_else(|| lacks("BT-109"))?,
        tax: amount(&tax).ok_or_else(|| lacks("BT-110"))?,
        count: Some(1),
        parts: parts.ok_or_else(|| lacks("BG-23"))?,
    })
}

/// A number as it is compared: without blanks and signs that say nothing.
fn plain(text: &str) -> Option<String> {
    Decimal::parse(text).ok().map(|number| number.to_string())
}

fn signed(text: &str, is_credit: bool) -> Option<String> {
    let own = Decimal::parse(text).ok()?;
    let own = if is_credit { Decimal::parse("0").ok()?.checked_sub(own)? } else { own };
    Some(own.to_string())
}

/// The file of a period, with all that was gathered for it.
///
/// # Errors
/// What the portal would refuse of it: nothing that one of the invoices could help.
pub fn write_gathered(
    id: &str,
    gathered: &[GatheredInvoice],
    (first, last): (Date, Date),
    platform: FilePlatform<'_>,
    now: jiff::Timestamp,
) -> Result<Vec<u8>, Vec<EReportBreach>> {
    let declarant = gathered.first();
    let text = |of: fn(&GatheredInvoice) -> &String| declarant.map(of).cloned().unwrap_or_default();
    write(&EReport {
        id: id.to_owned(),
        name: None,
        created: now.to_zoned(jiff::tz::TimeZone::UTC).datetime(),
        kind: EReportKind::Initial,
        platform: platform.number.to_owned(),
        platform_name: platform.name.to_owned(),
        siren: text(|one| &one.siren),
        declarant_name: text(|one| &one.name),
        role: declarant.map_or(DeclarantRole::Seller, |one| one.role),
        period: (first, last),
        content: EReportContent::gathered(gathered),
    })
}

impl EReportContent {
    /// What a file tells of what was gathered for it: each invoice across the border (10.1), and
    /// the sales to consumers added up by day, currency, category and rate (10.3).
    pub fn gathered(gathered: &[GatheredInvoice]) -> EReportContent {
        let mut invoices = Vec::new();
        let mut sold = Vec::new();
        for one in gathered {
            match &one.told {
                GatheredTerms::Invoice(own) => invoices.push((**own).clone()),
                GatheredTerms::Sale(own) => sold.push(own),
            }
        }
        EReportContent::Transactions { invoices, totals: by_day(&sold) }
    }
}

/// The sales of each day, currency and category added up. Amounts that do not fit a number stay
/// apart.
fn by_day(sold: &[&SalesTotal]) -> Vec<SalesTotal> {
    let mut days: BTreeMap<(Date, String, String), Vec<SalesTotal>> = BTreeMap::new();
    for sale in sold {
        let key = (sale.day, sale.currency.clone(), sale.category.clone());
        let totals = days.entry(key).or_default();
        match totals.last().and_then(|total| added(total, sale)) {
            Some(sum) => {
                totals.pop();
                totals.push(sum);
            }
            // A sale may say one rate twice, as for two reasons of no VAT.
            None => totals.push(added(&nothing_of(sale), sale).unwrap_or_else(|| (*sale).clone())),
        }
    }
    days.into_values().flatten().collect()
}

/// The total of a sale before it is added to it.
fn nothing_of(sale: &SalesTotal) -> SalesTotal {
    let zero = || "0".to_owned();
    SalesTotal { total: zero(), tax: zero(), count: Some(0), parts: Vec::new(), ..sale.clone() }
}

fn added(one: &SalesTotal, other: &SalesTotal) -> Option<SalesTotal> {
    let mut parts = one.parts.clone();
    for (rate, taxable, tax) in &other.parts {
        match parts.iter_mut().find(|part| part.0 == *rate) {
            Some(part) => (part.1, part.2) = (sum(&part.1, taxable)?, sum(&part.2, tax)?),
            None => parts.push((rate.clone(), taxable.clone(), tax.clone())),
        }
    }
    Some(SalesTotal {
        total: sum(&one.total, &other.total)?,
        tax: sum(&one.tax, &other.tax)?,
        count: Some(one.count.unwrap_or(1) + other.count.unwrap_or(1)),
        parts,
        ..one.clone()
    })
}

fn sum(one: &str, other: &str) -> Option<String> {
    let (one, other) = (Decimal::parse(one).ok()?, Decimal::parse(other).ok()?);
    one.checked_add(other).map(|sum| sum.to_string())
}
