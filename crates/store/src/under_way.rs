//! Documents to pay for that are under way, looked for: where an organisation gets a package, and
//! at the start. From then on `usage` counts them as they come and go.

use quoin_delivery::{Family, is_billable};

use crate::engine::Connection;
use crate::error::Fault;

const UNDER_WAY: &str = "SELECT family, source_document_type, count(*) FROM transactions
    WHERE organisation = ?1 AND direction = 'outgoing'
        AND status NOT IN ('Delivered', 'Rejected', 'Failed')
    GROUP BY family, source_document_type";
const PACKAGES: &str = "SELECT organisation FROM packages ORDER BY organisation";
const COUNTED: &str = "UPDATE packages SET under_way = ?2 WHERE organisation = ?1";

/// The documents of an organisation to pay for that are under way, looked for.
pub(crate) fn count(db: &mut dyn Connection, owner: &str) -> Result<i64, Fault> {
    let mut found = 0_i64;
    for mut row in db.query(UNDER_WAY, &[owner.into()])? {
        // A row that cannot be read keeps nobody from sending.
        let family = Family::named(&row.text("transactions.family")?);
        let document_type = row.text_or_none("transactions.source_document_type")?;
        let count = row.integer("count")?;
        if family.is_none_or(|family| is_billable(family, document_type.as_deref())) {
            found = found.saturating_add(count);
        }
    }
    Ok(found)
}

/// Counts anew what is under way of organisations with a package: rules of what is free may be
/// others than at the last start.
pub(crate) fn recount(db: &mut dyn Connection) -> Result<(), Fault> {
    for mut row in db.query(PACKAGES, &[])? {
        let owner = row.text("packages.organisation")?;
        let found = count(db, &owner)?;
        db.execute(COUNTED, &[(&owner).into(), found.into()])?;
    }
    Ok(())
}
