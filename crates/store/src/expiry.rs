//! Warnings about certificates that end: each is given once.

use jiff::Timestamp;
use quoin_delivery::{DocumentId, Notice, OrganisationId};
use uuid::Uuid;

use crate::error::Error;
use crate::events::EventSubject;
use crate::fanout;
use crate::open::Store;

const TELL: &str = "INSERT INTO expiry_notices (certificate, days, told_on) VALUES (?1, ?2, ?3)
    ON CONFLICT (certificate, days) DO NOTHING";

impl Store {
    /// Records the warning that a certificate (SHA-256) ends within so many days, as an event of
    /// each of these organisations, unless it was given before. Answers whether it is new.
    pub async fn warn_of_expiry(
        &self,
        certificate: [u8; 32],
        days: u32,
        notice: Notice,
        organisations: Vec<OrganisationId>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        self.write(move |tx| {
            let row = [certificate.as_slice().into(), days.into(), now.into()];
            if tx.execute(TELL, &row)? == 0 {
                return Ok(false);
            }
            for organisation in organisations {
                let subject = EventSubject {
                    organisation,
                    party: String::new(),
                    transaction: None,
                    document_id: DocumentId::from_uuid(Uuid::new_v4()),
                    origin: None,
                    depth: 0,
                };
                fanout::add(tx, &subject, &notice, now)?;
            }
            Ok(true)
        })
        .await
    }
}
