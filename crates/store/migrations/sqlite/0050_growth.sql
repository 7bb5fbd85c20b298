-- What is asked of the store costs the same however much lies in it: each question has an index that
-- leads to its answer, and what used to be added up each time is counted as it happens.

-- The calls that an event led to.
CREATE INDEX hook_calls_event ON hook_calls (event);
-- Those of a hook that was removed, for one that takes its place.
CREATE INDEX hook_calls_held ON hook_calls (organisation, hook) WHERE held = 1;

-- Until when the bytes of a document are kept; null for ever, and as long as it is under way. It is
-- planned by the periods in `retention` (microseconds, null for ever), one line. is_planned: whether
-- every document is planned by them.
ALTER TABLE transactions ADD COLUMN keep_until INTEGER;
CREATE INDEX transactions_over ON transactions (keep_until) WHERE keep_until IS NOT NULL;
DROP INDEX transactions_kept;
CREATE TABLE retention (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    received INTEGER,
    downloaded INTEGER,
    failed INTEGER,
    sent INTEGER,
    is_planned INTEGER NOT NULL
) STRICT;
INSERT INTO retention VALUES (1, NULL, NULL, NULL, NULL, 0);

-- Lists of a party, in the order of recording: all, those of a number, those with a party at the
-- other end, those that failed, those under way, and those that nobody has downloaded.
DROP INDEX transactions_listing;
CREATE INDEX transactions_listing
    ON transactions (organisation, party, direction, family, created_on)
    WHERE deleted_on IS NULL;
DROP INDEX transactions_number;
CREATE INDEX transactions_number
    ON transactions (organisation, party, number, direction, created_on)
    WHERE number IS NOT NULL;
CREATE INDEX transactions_counterparty
    ON transactions (organisation, party, direction,
        lower(CASE direction WHEN 'incoming' THEN sender ELSE receiver END), family, created_on)
    WHERE deleted_on IS NULL
        AND lower(CASE direction WHEN 'incoming' THEN sender ELSE receiver END) IS NOT NULL;
CREATE INDEX transactions_failed
    ON transactions (organisation, direction, party, family, status, created_on)
    WHERE status IN ('Rejected', 'Failed');
DROP INDEX transactions_under_way;
CREATE INDEX transactions_under_way
    ON transactions (organisation, direction, party, family, status, created_on)
    WHERE status NOT IN ('Delivered', 'Rejected', 'Failed');
CREATE INDEX transactions_fresh
    ON transactions (organisation, party, family, created_on)
    WHERE direction = 'incoming' AND downloaded_on IS NULL AND expired_on IS NULL
        AND deleted_on IS NULL;
-- Those that their party deleted, for a party that becomes part of another one.
CREATE INDEX transactions_deleted ON transactions (organisation, party)
    WHERE deleted_on IS NOT NULL;

-- Documents to pay for that are under way, of organisations that have a package; counted anew at
-- each start.
ALTER TABLE packages ADD COLUMN under_way INTEGER NOT NULL DEFAULT 0;

-- What attempts to send to an address came to, by channel, by the hour (hours since 1970) and by how
-- long they took: speed is the class of `health.rs`, 0 where that is not known and -1 for those that failed.
-- elapsed: milliseconds of all of them together. The party is * for the whole organisation.
CREATE TABLE endpoint_hours (
    hour INTEGER NOT NULL,
    organisation TEXT NOT NULL,
    party TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    protocol TEXT NOT NULL,
    speed INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    elapsed INTEGER NOT NULL,
    last_on INTEGER NOT NULL,
    last_code TEXT,
    PRIMARY KEY (hour, organisation, party, endpoint, protocol, speed)
) STRICT, WITHOUT ROWID;
-- The last eight days. Ids begin with the time of recording (UUID version 7), so that the others are
-- not read.
INSERT INTO endpoint_hours
    WITH lately AS (
        SELECT a.ended_on / 3600000000 AS hour, t.organisation, t.party, a.endpoint,
            coalesce(a.protocol, CASE WHEN a.endpoint LIKE 'mailto:%' THEN 'Smtp'
                WHEN a.endpoint LIKE 'sftp:%' THEN 'Sftp' ELSE 'As4' END) AS protocol,
            CASE WHEN a.outcome <> 'delivered' THEN -1 WHEN a.elapsed IS NULL THEN 0
                WHEN a.elapsed < 50 THEN 1 WHEN a.elapsed < 100 THEN 2
                WHEN a.elapsed < 200 THEN 3 WHEN a.elapsed < 300 THEN 4
                WHEN a.elapsed < 500 THEN 5 WHEN a.elapsed < 800 THEN 6
                WHEN a.elapsed < 1200 THEN 7 WHEN a.elapsed < 2000 THEN 8
                WHEN a.elapsed < 3000 THEN 9 WHEN a.elapsed < 5000 THEN 10
                WHEN a.elapsed < 10000 THEN 11 WHEN a.elapsed < 30000 THEN 12
                ELSE 13 END AS speed,
            CASE WHEN a.outcome = 'delivered' THEN coalesce(a.elapsed, 0) ELSE 0 END AS elapsed,
            a.ended_on, a.code
        FROM attempts a JOIN transactions t ON t.id = a.transaction_id
        WHERE a.endpoint IS NOT NULL
            AND a.transaction_id >= printf('%08x-%04x',
                (CAST(strftime('%s', 'now') AS INTEGER) - 691200) * 1000 / 65536,
                (CAST(strftime('%s', 'now') AS INTEGER) - 691200) * 1000 % 65536))
    SELECT hour, organisation, party, endpoint, protocol, speed, count(*), sum(elapsed), max(ended_on), code
        FROM lately GROUP BY hour, organisation, party, endpoint, protocol, speed
    UNION ALL
    SELECT hour, organisation, '*', endpoint, protocol, speed, count(*), sum(elapsed), max(ended_on), code
        FROM lately GROUP BY hour, organisation, endpoint, protocol, speed;
DROP INDEX attempts_endpoint;

-- Reports read a month as a whole.
DROP INDEX exchanges_in;
DROP INDEX exchanges_by;
CREATE INDEX exchanges_month ON exchanges (month);

-- Tasks without a count of all there ever were, which is written with each of them: a claim is proven
-- by its token.
CREATE TABLE tasks_2 (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    run_at INTEGER NOT NULL,
    lane TEXT,
    available_on INTEGER,
    claim_token TEXT,
    claims INTEGER NOT NULL,
    home TEXT,
    faults INTEGER NOT NULL DEFAULT 0,
    fault TEXT,
    held_on INTEGER
) STRICT;
INSERT INTO tasks_2 SELECT id, kind, subject, run_at, lane, available_on, claim_token, claims, home,
    faults, fault, held_on FROM tasks ORDER BY id;
DROP TABLE tasks;
ALTER TABLE tasks_2 RENAME TO tasks;
CREATE INDEX tasks_available ON tasks (kind, available_on) WHERE available_on IS NOT NULL;
CREATE INDEX tasks_lane ON tasks (lane, id) WHERE lane IS NOT NULL;
CREATE INDEX tasks_subject ON tasks (subject);
CREATE INDEX tasks_held ON tasks (held_on) WHERE held_on IS NOT NULL;

-- Tasks that wait in a lane, by when they were to run, and those that have stepped out of one.
CREATE INDEX tasks_waiting ON tasks (kind, run_at) WHERE available_on IS NULL;
CREATE INDEX tasks_home ON tasks (home) WHERE home IS NOT NULL;

CREATE INDEX registrations_unset ON registrations (register, participant)
    WHERE state = 'unset';

-- The engine is told how links to parties are spread, so that it finds those of a party by their
-- index and does not read all of the organisation. It has no other statistics, and makes none.
ANALYZE retention;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('permissions', 'permissions', '1000000 10000 100 1'),
    ('permissions', 'permissions_of', '1000000 10000 5 1');
ANALYZE sqlite_schema;
