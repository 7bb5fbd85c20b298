-- Events are numbered within their organisation without gaps, may be about no transaction, and say
-- which hook published them and how many events led to them.
CREATE TABLE events_new (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    organisation TEXT NOT NULL,
    number INTEGER NOT NULL,
    party TEXT NOT NULL,
    topic TEXT NOT NULL,
    transaction_id TEXT REFERENCES transactions (id),
    document_id TEXT NOT NULL,
    origin TEXT,
    depth INTEGER NOT NULL,
    message TEXT NOT NULL,
    details TEXT NOT NULL,
    created_on INTEGER NOT NULL
) STRICT;
INSERT INTO events_new
    SELECT seq, id, organisation, row_number() OVER (PARTITION BY organisation ORDER BY seq),
        party, topic, transaction_id, document_id, NULL, 0, message, details, created_on
    FROM events ORDER BY seq;

-- batch: the batch that the event was put into. held: pending when its hook was removed.
CREATE TABLE hook_calls_new (
    id TEXT PRIMARY KEY,
    organisation TEXT NOT NULL,
    hook TEXT NOT NULL,
    event INTEGER NOT NULL REFERENCES events_new (seq),
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    next_on INTEGER,
    batch TEXT,
    held INTEGER NOT NULL,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO hook_calls_new
    SELECT id, organisation, hook, event, state, tries, next_on, NULL, 0, created_on, changed_on
    FROM hook_calls;

CREATE TABLE hook_tries_new (
    hook_call TEXT NOT NULL REFERENCES hook_calls_new (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    started_on INTEGER NOT NULL,
    duration INTEGER NOT NULL,
    status INTEGER,
    response TEXT NOT NULL,
    error TEXT,
    PRIMARY KEY (hook_call, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO hook_tries_new SELECT * FROM hook_tries;

DROP TABLE hook_tries;
DROP TABLE hook_calls;
DROP TABLE events;
ALTER TABLE events_new RENAME TO events;
ALTER TABLE hook_calls_new RENAME TO hook_calls;
ALTER TABLE hook_tries_new RENAME TO hook_tries;

CREATE UNIQUE INDEX events_of ON events (organisation, number);
CREATE INDEX events_when ON events (organisation, created_on);
CREATE INDEX hook_calls_of ON hook_calls (organisation, hook, event);
CREATE INDEX hook_calls_pending ON hook_calls (organisation, hook) WHERE state = 'pending';
CREATE INDEX hook_calls_batch ON hook_calls (batch) WHERE batch IS NOT NULL;

-- failing_since: when the hook began to fail, null after each success. rotated_on: when the newest
-- secret took the place of the one behind it.
ALTER TABLE hooks ADD COLUMN failing_since INTEGER;
ALTER TABLE hooks ADD COLUMN rotated_on INTEGER;
CREATE INDEX hooks_listening ON hooks (organisation, party) WHERE is_active = 1;

-- The lane that a task has stepped out of, to which it returns when its destination is back.
ALTER TABLE tasks ADD COLUMN home TEXT;

-- Hooks that were removed, so that one which is made anew takes over what it was owed.
CREATE TABLE removed_hooks (
    organisation TEXT NOT NULL,
    id TEXT NOT NULL,
    party TEXT,
    action TEXT NOT NULL,
    last_event INTEGER NOT NULL,
    removed_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, id)
) STRICT, WITHOUT ROWID;

-- Events that a hook collects into one archive. state: open, sealed, closed, expired.
CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    organisation TEXT NOT NULL,
    hook TEXT NOT NULL,
    party TEXT NOT NULL,
    topic TEXT NOT NULL,
    state TEXT NOT NULL,
    events INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    opened_on INTEGER NOT NULL,
    closed_on INTEGER,
    blob BLOB,
    size INTEGER
) STRICT;
CREATE UNIQUE INDEX batches_open ON batches (organisation, hook, party, topic)
    WHERE state = 'open';

-- The hook whose channel a document takes, and how many attempts earlier channels used up.
ALTER TABLE transactions ADD COLUMN via TEXT;
ALTER TABLE transactions ADD COLUMN attempts_before INTEGER NOT NULL DEFAULT 0;
