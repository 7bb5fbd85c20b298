//! Schema changes: numbered, embedded, forward only, each applied in one transaction together with
//! its line in the version table. There is no way back: a program refuses a schema that is newer
//! than its own, since it would write rows that the newer one does not expect. Whoever may want to
//! go back keeps a copy of the database from before the upgrade.

use jiff::Timestamp;

use crate::engine::Connection;
use crate::error::Fault;

/// Every migration: number and SQL. Only the last line is ever added. A new database is made of
/// [`NEW`], which follows from them.
const MIGRATIONS: &[(i64, &str)] = &[
    (1, include_str!("../migrations/sqlite/0001_first.sql")),
    (2, include_str!("../migrations/sqlite/0002_tenancy.sql")),
    (3, include_str!("../migrations/sqlite/0003_hooks.sql")),
    (4, include_str!("../migrations/sqlite/0004_documents.sql")),
    (6, include_str!("../migrations/sqlite/0006_clients.sql")),
    (7, include_str!("../migrations/sqlite/0007_publications.sql")),
    (8, include_str!("../migrations/sqlite/0008_jobs.sql")),
    (9, include_str!("../migrations/sqlite/0009_statuses.sql")),
    (10, include_str!("../migrations/sqlite/0010_trust.sql")),
    (11, include_str!("../migrations/sqlite/0011_apart.sql")),
    (20, include_str!("../migrations/sqlite/0020_alarms.sql")),
    (21, include_str!("../migrations/sqlite/0021_holdings.sql")),
    (22, include_str!("../migrations/sqlite/0022_declared.sql")),
    (23, include_str!("../migrations/sqlite/0023_continuity.sql")),
    (24, include_str!("../migrations/sqlite/0024_held.sql")),
    (25, include_str!("../migrations/sqlite/0025_under_way.sql")),
    (30, include_str!("../migrations/sqlite/0030_hook_scopes.sql")),
    (31, include_str!("../migrations/sqlite/0031_conversion.sql")),
    (40, include_str!("../migrations/sqlite/0040_returned_mail.sql")),
    (41, include_str!("../migrations/sqlite/0041_channels.sql")),
    (42, include_str!("../migrations/sqlite/0042_clearance.sql")),
    (50, include_str!("../migrations/sqlite/0050_growth.sql")),
    (51, include_str!("../migrations/sqlite/0051_purchases.sql")),
    (60, include_str!("../migrations/sqlite/0060_tax.sql")),
    (62, include_str!("../migrations/sqlite/0062_turns.sql")),
    (65, include_str!("../migrations/sqlite/0065_exports.sql")),
    (66, include_str!("../migrations/sqlite/0066_tax_files.sql")),
    (67, include_str!("../migrations/sqlite/0067_levels.sql")),
    (68, include_str!("../migrations/sqlite/0068_absorbed.sql")),
    (69, include_str!("../migrations/sqlite/0069_early_statuses.sql")),
    (70, include_str!("../migrations/sqlite/0070_reached.sql")),
    (71, include_str!("../migrations/sqlite/0071_said.sql")),
    (72, include_str!("../migrations/sqlite/0072_issued.sql")),
    (73, include_str!("../migrations/sqlite/0073_ended_tokens.sql")),
    (76, include_str!("../migrations/sqlite/0076_untold.sql")),
    (77, include_str!("../migrations/sqlite/0077_participants.sql")),
    (78, include_str!("../migrations/sqlite/0078_orders.sql")),
    (80, include_str!("../migrations/sqlite/0080_hooks_of_a_name.sql")),
    (81, include_str!("../migrations/sqlite/0081_under_way.sql")),
    (82, include_str!("../migrations/sqlite/0082_taken_over.sql")),
    (83, include_str!("../migrations/sqlite/0083_told_in_pieces.sql")),
    (84, include_str!("../migrations/sqlite/0084_in_order.sql")),
];

/// What the migrations make of an empty database: tables and indexes, which a test writes
/// (`UPDATE=1`) and compares, and the first rows. One after the other they cost six times as much.
const NEW: [&str; 2] = [
    include_str!("../migrations/sqlite/schema.sql"),
    include_str!("../migrations/sqlite/first_rows.sql"),
];

/// Brings the schema up to the last migration; answers how many were applied.
///
/// Errors: [`Fault::NewerDatabase`] where the database has a migration this program does not know.
pub(crate) fn apply(connection: &mut dyn Connection, now: Timestamp) -> Result<usize, Fault> {
    match connection.first("SELECT 1 FROM sqlite_master LIMIT 1", &[])? {
        Some(_) => apply_list(connection, MIGRATIONS, now),
        None => make(connection, now).map(|()| MIGRATIONS.len()),
    }
}

/// Makes an empty database what all migrations would make of it, in one transaction.
fn make(connection: &mut dyn Connection, now: Timestamp) -> Result<(), Fault> {
    connection.batch("BEGIN IMMEDIATE")?;
    let done = NEW
        .into_iter()
        .try_for_each(|sql| connection.batch(sql))
        .and_then(|()| {
            MIGRATIONS.iter().try_for_each(|(version, _)| note(connection, *version, now))
        })
        .and_then(|()| connection.batch("COMMIT"));
    if done.is_err() {
        // Where the engine rolled back by itself this says so, which changes nothing.
        let _ = connection.batch("ROLLBACK");
    }
    done
}

/// Records that a migration is applied.
fn note(connection: &mut dyn Connection, version: i64, now: Timestamp) -> Result<(), Fault> {
    let line = "INSERT INTO schema_versions (version, applied_on) VALUES (?1, ?2)";
    connection.execute(line, &[version.into(), now.into()]).map(|_| ())
}

/// Looks whether the schema is the one of this version, and leaves it as it is.
///
/// Errors: [`Fault::NewerDatabase`], [`Fault::OlderDatabase`].
pub(crate) fn compare(connection: &mut dyn Connection) -> Result<(), Fault> {
    let is_there = "SELECT 1 FROM sqlite_master WHERE name = 'schema_versions'";
    let found = match connection.first(is_there, &[])? {
        Some(_) => newest(connection)?,
        None => 0,
    };
    match (found, last_of(MIGRATIONS)) {
        (found, known) if found > known => Err(Fault::NewerDatabase { found, known }),
        (found, known) if found < known => Err(Fault::OlderDatabase { found, known }),
        _ => Ok(()),
    }
}

/// The last migration of a database.
fn newest(connection: &mut dyn Connection) -> Result<i64, Fault> {
    let newest = "SELECT coalesce(max(version), 0) FROM schema_versions";
    let row = connection.first(newest, &[])?;
    let mut row = row.ok_or_else(|| Fault::record("schema_versions", "nothing"))?;
    row.integer("schema_versions.version")
}

fn last_of(migrations: &[(i64, &str)]) -> i64 {
    migrations.last().map_or(0, |(version, _)| *version)
}

fn apply_list(
    connection: &mut dyn Connection,
    migrations: &[(i64, &str)],
    now: Timestamp,
) -> Result<usize, Fault> {
    connection.batch(
        "CREATE TABLE IF NOT EXISTS schema_versions (
            version INTEGER PRIMARY KEY, applied_on INTEGER NOT NULL) STRICT",
    )?;
    let (found, known) = (newest(connection)?, last_of(migrations));
    if found > known {
        return Err(Fault::NewerDatabase { found, known });
    }
    let rows = connection.query("SELECT version FROM schema_versions", &[])?;
    let there: Result<Vec<i64>, Fault> =
        rows.into_iter().map(|mut row| row.integer("schema_versions.version")).collect();
    let there = there?;
    let mut applied = 0;
    for (version, sql) in migrations.iter().filter(|(version, _)| !there.contains(version)) {
        if found > 0 {
            // A large database may take a while; whoever waits sees what for.
            tracing::info!(from = found, schema = version, "the database is being upgraded");
        }
        let start = std::time::Instant::now();
        connection.batch("BEGIN IMMEDIATE")?;
        let done = connection
            .batch(sql)
            .and_then(|()| note(connection, *version, now))
            .and_then(|()| connection.batch("COMMIT"));
        if let Err(fault) = done {
            // Where the engine rolled back by itself this says so, which changes nothing.
            let _ = connection.batch("ROLLBACK");
            if found > 0 && applied > 0 {
                tracing::warn!(
                    from = found,
                    before = version,
                    to = known,
                    "the database was upgraded in part: earlier versions of the program refuse it \
                     already, and the next start goes on with what is left"
                );
            }
            return Err(fault);
        }
        applied += 1;
        if found > 0 {
            let milliseconds = start.elapsed().as_millis();
            tracing::info!(schema = version, milliseconds, "the database is upgraded");
        }
    }
    if found > 0 && applied > 0 {
        tracing::warn!(
            from = found,
            to = known,
            "the database was upgraded; earlier versions of the program refuse it from now on"
        );
    }
    Ok(applied)
}

#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod tests;
