//! Who the end users of a month were. One is a party, however many identifiers it has, and it is
//! the same one wherever it has the same participant identifier: a company that moved from one
//! organisation of this service to another is counted once.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::Direction;
use quoin_delivery::reporting::Month;

use super::ExchangeUser;
use crate::engine::{Connection, SqlRow};
use crate::error::Fault;

const KINDS: &str = "SELECT end_user,
    coalesce(participant, lower(substr(end_user, instr(end_user, ' ') + 1))),
    direction, document_type, process, end_user_country, max(exchanged_on)
    FROM exchanges WHERE month = ?1 GROUP BY 1, 2, 3, 4, 5, 6";

/// Exchanges of one kind of a party under one of its participants.
struct KindOfExchange {
    party: String,
    participant: String,
    direction: Direction,
    document_type: String,
    process: String,
    country: Option<String>,
    newest: Timestamp,
}

fn read(mut row: SqlRow) -> Result<KindOfExchange, Fault> {
    Ok(KindOfExchange {
        party: row.text("exchanges.end_user")?,
        participant: row.text("exchanges.participant")?,
        direction: row.word("exchanges.direction", Direction::named)?,
        document_type: row.text("exchanges.document_type")?,
        process: row.text("exchanges.process")?,
        country: row.text_or_none("exchanges.end_user_country")?,
        newest: row.time("exchanges.exchanged_on")?,
    })
}

/// An end user while its exchanges are gone through: the first of the names of its parties, and its
/// newest country.
struct UserOfMonth<'k> {
    name: &'k str,
    country: Option<(Timestamp, &'k str)>,
}

/// Names that stand for one another; each has a place, and leads to the first of its like.
#[derive(Default)]
struct SameUsers<'n> {
    places: BTreeMap<(bool, &'n str), usize>,
    leads: Vec<usize>,
}

impl<'n> SameUsers<'n> {
    fn place(&mut self, is_party: bool, name: &'n str) -> usize {
        let next = self.leads.len();
        let place = *self.places.entry((is_party, name)).or_insert(next);
        if place == next {
            self.leads.push(next);
        }
        place
    }

    fn first(&self, mut place: usize) -> usize {
        while let Some(leads) = self.leads.get(place).filter(|leads| **leads != place) {
            place = *leads;
        }
        place
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        if let Some(leads) = self.leads.get_mut(one.max(other)) {
            *leads = one.min(other);
        }
    }
}

/// Who exchanged something in a month, once for each kind of document and way. The country is that
/// of the newest exchange: an end user that moved is still one.
pub(super) fn of_month(db: &mut dyn Connection, month: Month) -> Result<Vec<ExchangeUser>, Fault> {
    let month = month.to_string();
    let rows = db.query(KINDS, &[(&month).into()])?;
    let kinds: Vec<KindOfExchange> = rows.into_iter().map(read).collect::<Result<_, _>>()?;
    let mut same = SameUsers::default();
    for kind in &kinds {
        let (party, own) = (same.place(true, &kind.party), same.place(false, &kind.participant));
        same.join(party, own);
    }
    let mut users: BTreeMap<usize, UserOfMonth<'_>> = BTreeMap::new();
    let mut found = Vec::with_capacity(kinds.len());
    for kind in &kinds {
        let place = same.place(true, &kind.party);
        let user = same.first(place);
        let first = UserOfMonth { name: &kind.party, country: None };
        let own = users.entry(user).or_insert(first);
        own.name = own.name.min(&kind.party);
        own.country = own.country.max(kind.country.as_deref().map(|code| (kind.newest, code)));
        found.push((user, kind));
    }
    let mut all = Vec::with_capacity(found.len());
    for (user, kind) in found {
        let Some(own) = users.get(&user) else { continue };
        all.push(ExchangeUser {
            end_user: own.name.to_owned(),
            country: own.country.map(|(_, code)| code.to_owned()),
            direction: kind.direction,
            document_type: kind.document_type.clone(),
            process: kind.process.clone(),
        });
    }
    let key = |user: &ExchangeUser| {
        let ExchangeUser { end_user, direction, document_type, process, .. } = user.clone();
        (end_user, direction.as_str(), document_type, process)
    };
    all.sort_by_cached_key(key);
    all.dedup();
    Ok(all)
}
