//! Questions for what was stored since the last one.

use data_encoding::BASE64;
use jiff::{SignedDuration, Timestamp};
use quoin_ksef::api::{InvoiceDateRange, InvoiceMetadata, InvoiceMetadataPage, InvoiceQuery};
use quoin_ksef::steps::Trouble;
use quoin_model::text::shortened;
use quoin_store::{Purchase, PurchasePlace};

use super::packages::PackageEnd;
use super::{AskEnd, LookEnd};
use crate::ksef::KsefSessionCalls;
use crate::worker::Worker;

/// Questions of one look; the published limit is 20 an hour.
const QUESTIONS: u32 = 10;
/// The longest period that is asked for at once: the system takes three months.
const PERIOD: SignedDuration = SignedDuration::from_hours(24 * 89);
/// The system is not that far: what is asked for may still get company.
pub(super) const TOO_FAR: u32 = 21_183;
/// Invoices that are fetched one by one; where more wait, the system makes a package of them: it
/// lets fetch 64 an hour, and is asked every quarter of one.
const ONE_BY_ONE: usize = 16;

impl Worker {
    /// Asks for what was stored since the last question.
    pub(super) async fn ask_for_purchases(
        &self,
        calls: &KsefSessionCalls<'_>,
        place: &PurchasePlace,
        since: Timestamp,
    ) -> Result<AskEnd, LookEnd> {
        if let Some(package) = self.store.purchase_package(place).await?
            && self.take_package(calls, place, package).await? == PackageEnd::UnderWay
        {
            return Ok(AskEnd::UnderWay);
        }
        let known = self.known_until(place).await?;
        let (mut reached, mut page) = (known.unwrap_or(since), 0);
        if known.is_none() {
            self.store.note_purchases(place, Vec::new(), reached, self.clock.now()).await?;
        }
        let mut page_by_page = false;
        for _ in 0..QUESTIONS {
            let now = self.clock.now();
            let end = reached.saturating_add(PERIOD).unwrap_or(now);
            let to = (end < now).then_some(end);
            let answer = match calls.purchases(&question(place, reached, to), page).await {
                Ok(answer) => answer,
                Err(Trouble::Refused(_, problem)) if problem.has(TOO_FAR) => {
                    return Ok(AskEnd::Reached);
                }
                Err(trouble) => return Err(LookEnd::There(trouble)),
            };
            if !page_by_page && let Some(from) = self.much_from(place, &answer, reached).await? {
                match self.begin_package(calls, place, (from, to)).await? {
                    PackageEnd::UnderWay => return Ok(AskEnd::UnderWay),
                    // It makes none for us: what is named is fetched one by one, in the hours that
                    // it takes.
                    PackageEnd::Gone => page_by_page = true,
                }
            }
            // The time that is reached never passes an invoice that is not on record.
            let named: Option<Vec<Purchase>> = answer.invoices.iter().map(purchase).collect();
            let named = named.ok_or(LookEnd::There(Trouble::Unreadable))?;
            let next = reached_by_page(&answer, to, now).unwrap_or(reached);
            // The store keeps whole microseconds; a time that is not later is asked for page by
            // page.
            let is_later = next.as_microsecond() > reached.as_microsecond();
            self.store.note_purchases(place, named, next.max(reached), now).await?;
            if !answer.has_more && to.is_none() {
                return Ok(AskEnd::Reached);
            }
            (reached, page) = match is_later {
                true => (next, 0),
                false if answer.has_more => (reached, page + 1),
                false => return Ok(AskEnd::Reached),
            };
        }
        Ok(AskEnd::Reached)
    }

    /// Until when the system was asked. A time on record that lies in the future, as a wrong word
    /// of the system left it there, is brought back to now: nothing would be asked for until then.
    async fn known_until(&self, place: &PurchasePlace) -> Result<Option<Timestamp>, LookEnd> {
        let (known, now) = (self.store.purchases_reached(place).await?, self.clock.now());
        let Some(future) = known.filter(|known| *known > now) else { return Ok(known) };
        let party = self.name_of(&place.organisation, &place.party).await;
        tracing::warn!(%future, party, "purchases of KSeF reached the future: brought back to now");
        self.store.bring_purchases_back(place, now).await?;
        Ok(Some(now))
    }

    /// From when on a package is worth it: more was named, now and before, than is fetched one by
    /// one before the next question.
    async fn much_from(
        &self,
        place: &PurchasePlace,
        answer: &InvoiceMetadataPage,
        reached: Timestamp,
    ) -> Result<Option<Timestamp>, LookEnd> {
        if answer.invoices.is_empty() {
            return Ok(None);
        }
        let most = u32::try_from(ONE_BY_ONE).unwrap_or(u32::MAX);
        let waiting = self.store.purchases_to_fetch(place, most).await?;
        let is_much = answer.has_more || answer.invoices.len() + waiting.len() > ONE_BY_ONE;
        let first = waiting.iter().map(|one| one.stored_on).fold(reached, Timestamp::min);
        Ok(is_much.then_some(first))
    }
}

/// Until when all is known once a page is on record, never later than now; none where it does not
/// say.
fn reached_by_page(
    page: &InvoiceMetadataPage,
    to: Option<Timestamp>,
    now: Timestamp,
) -> Option<Timestamp> {
    let last = page.invoices.last().map(|one| one.permanent_storage_date);
    let told = match page.has_more {
        true => last,
        false => to.or(page.permanent_storage_hwm_date).or(last),
    };
    told.map(|told| told.min(now))
}

/// What was stored for the party as it is named, from a time on.
pub(super) fn question(
    place: &PurchasePlace,
    from: Timestamp,
    to: Option<Timestamp>,
) -> InvoiceQuery {
    InvoiceQuery {
        subject_type: place.subject.clone(),
        date_range: InvoiceDateRange {
            date_type: "PermanentStorage".to_owned(),
            from,
            to,
            restrict_to_permanent_storage_hwm_date: Some(true),
        },
        ksef_number: None,
        invoice_number: None,
        seller_nip: None,
    }
}

/// What is recorded of an invoice that was named; none of one whose digest cannot be read, which
/// the system does not do: it is told, and asked for again.
pub(super) fn purchase(named: &InvoiceMetadata) -> Option<Purchase> {
    let digest = BASE64.decode(named.invoice_hash.as_bytes()).ok();
    let digest = digest.and_then(|bytes| bytes.try_into().ok());
    if digest.is_none() {
        let number = &*shortened(&named.ksef_number);
        tracing::error!(number, "KSeF named an invoice without a digest");
    }
    Some(Purchase {
        number: named.ksef_number.clone(),
        digest: digest?,
        seller: named.seller.nip.clone(),
        stored_on: named.permanent_storage_date,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One wrong time of the system does not end the asking.
    #[test]
    fn what_is_reached_never_lies_in_the_future() {
        let now: Timestamp = "2026-11-26T10:00:00Z".parse().unwrap();
        let (past, wrong) = (now - SignedDuration::from_hours(1), "2099-01-01T00:00:00Z");
        let named = |stored: &str| {
            serde_json::json!({
                "ksefNumber": "5265877635-20250916-010040741B3E-46", "invoiceNumber": "Z/1",
                "issueDate": "2026-11-26", "invoicingDate": stored, "acquisitionDate": stored,
                "permanentStorageDate": stored, "seller": { "nip": "5265877635" },
                "buyer": { "identifier": { "type": "None" } }, "netAmount": 1, "grossAmount": 1,
                "vatAmount": 0, "currency": "PLN", "invoicingMode": "Online", "invoiceType": "Vat",
                "formCode": { "systemCode": "FA (3)", "schemaVersion": "1-0E", "value": "FA" },
                "isSelfInvoicing": false, "hasAttachment": false, "invoiceHash": "",
            })
        };
        let page = |has_more: bool, complete: Option<&str>, stored: Option<&str>| {
            let invoices: Vec<_> = stored.into_iter().map(named).collect();
            let page = serde_json::json!({
                "hasMore": has_more, "isTruncated": false, "invoices": invoices,
                "permanentStorageHwmDate": complete,
            });
            serde_json::from_value::<InvoiceMetadataPage>(page).unwrap()
        };
        let told = past.to_string();
        let reached = |page: &InvoiceMetadataPage| reached_by_page(page, None, now);
        assert_eq!(reached(&page(false, Some(wrong), None)), Some(now));
        assert_eq!(reached(&page(false, None, Some(wrong))), Some(now));
        assert_eq!(reached(&page(true, Some(&told), Some(wrong))), Some(now));
        assert_eq!(reached(&page(true, Some(wrong), Some(&told))), Some(past));
        assert_eq!(reached(&page(false, Some(&told), None)), Some(past));
        assert_eq!(reached(&page(false, None, None)), None);
        assert_eq!(reached_by_page(&page(false, None, None), Some(past), now), Some(past));
    }
}
