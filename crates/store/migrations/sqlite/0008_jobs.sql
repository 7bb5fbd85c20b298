-- Bulk jobs: one change for many parties. The cursor says how far the plan is, and later how far
-- the look for answers of the registers is; what was done is told by the items themselves.
CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    kind TEXT NOT NULL,
    settings TEXT NOT NULL,
    digest BLOB NOT NULL,
    listed INTEGER NOT NULL,
    state TEXT NOT NULL,
    paused INTEGER NOT NULL,
    starts INTEGER NOT NULL,
    cursor TEXT NOT NULL,
    items INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL,
    started_on INTEGER,
    finished_on INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_of ON jobs (organisation, created_on, id);

-- The list that a job brings, in sealed parts, until it is planned.
CREATE TABLE job_inputs (
    job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    lines BLOB NOT NULL,
    PRIMARY KEY (job, part)
) STRICT, WITHOUT ROWID;

-- Each party of a job; the input is its line of the list, sealed, until it is done.
CREATE TABLE job_items (
    job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    participant TEXT NOT NULL,
    input BLOB,
    state TEXT NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    changed_on INTEGER NOT NULL,
    PRIMARY KEY (job, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_items_state ON job_items (job, state, position);

-- Which of the configured endpoints is published for a participant, where it is not the first.
CREATE TABLE published_endpoints (
    participant TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    endpoint TEXT NOT NULL,
    changed_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
