-- Documents that an authority registers before they leave, and the batches in which they go there.
-- What a batch has to remember between its steps is sealed: the key of its session is in it.
CREATE TABLE clearance_batches (
    id TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    party TEXT NOT NULL,
    hook TEXT NOT NULL,
    offline INTEGER NOT NULL,
    state TEXT NOT NULL,
    step TEXT NOT NULL,
    memory BLOB NOT NULL,
    documents INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    polls INTEGER NOT NULL,
    opened_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX clearance_batches_open ON clearance_batches (organisation, hook, party, offline)
    WHERE state = 'open';

CREATE TABLE clearances (
    transaction_id TEXT PRIMARY KEY REFERENCES transactions (id),
    organisation TEXT NOT NULL REFERENCES organisations (id),
    party TEXT NOT NULL,
    batch TEXT NOT NULL REFERENCES clearance_batches (id),
    state TEXT NOT NULL,
    -- The document as the authority has it: its bytes must not change once a code was printed.
    form BLOB NOT NULL,
    number TEXT NOT NULL,
    seller TEXT NOT NULL,
    issued TEXT NOT NULL,
    mode TEXT,
    due_on INTEGER,
    authority_number TEXT,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX clearances_batch ON clearances (batch, transaction_id);
CREATE INDEX clearances_number ON clearances (organisation, seller, number);
