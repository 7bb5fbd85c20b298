//! Whether is reported for a party, where that was said.

use jiff::Timestamp;
use quoin_delivery::OrganisationId;

use crate::error::Error;
use crate::open::Store;
use crate::remembered::{KeptQuestion, key};

const SWITCH: KeptQuestion<Option<bool>> =
    KeptQuestion::of("tax switch", &["tax_switches"], 10_000);
const GET: &str = "SELECT is_on FROM tax_switches WHERE organisation = ?1 AND party = ?2";
const PUT: &str = "INSERT INTO tax_switches (organisation, party, is_on, changed_on)
    VALUES (?1, ?2, ?3, ?4) ON CONFLICT (organisation, party) DO UPDATE SET is_on = excluded.is_on,
    changed_on = excluded.changed_on";
const DROP: &str = "DELETE FROM tax_switches WHERE organisation = ?1 AND party = ?2";

impl Store {
    /// Whether is reported for a party; `None` where the profiles decide.
    pub async fn tax_switch(
        &self,
        organisation: &OrganisationId,
        party: &str,
    ) -> Result<Option<bool>, Error> {
        let key = key([organisation.as_str(), party]);
        let (organisation, party) = (organisation.clone(), party.to_owned());
        self.recalled(&SWITCH, key, move |db| {
            let found = db.first(GET, &[organisation.as_str().into(), (&party).into()])?;
            Ok(found.map(|mut row| row.yes("tax_switches.is_on")).transpose()?)
        })
        .await
    }

    /// Says whether is reported for a party; `None` leaves it to the profiles.
    pub async fn put_tax_switch(
        &self,
        organisation: &OrganisationId,
        party: &str,
        is_on: Option<bool>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (organisation, party) = (organisation.clone(), party.to_owned());
        self.write(move |tx| {
            let key = [organisation.as_str().into(), (&party).into()];
            match is_on {
                Some(is_on) => {
                    let [organisation, party] = key;
                    tx.execute(PUT, &[organisation, party, is_on.into(), now.into()])?
                }
                None => tx.execute(DROP, &key)?,
            };
            Ok(())
        })
        .await
    }
}
