-- Times are microseconds since 1970-01-01 UTC. Words (status, direction, kind, …) are those of the
-- delivery crate's tables. Ids are UUID texts unless said otherwise.

CREATE TABLE organisations (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_on INTEGER NOT NULL
) STRICT;

CREATE TABLE clients (
    client_id TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    secret_sha256 BLOB NOT NULL,
    role TEXT NOT NULL,
    active INTEGER NOT NULL,
    created_on INTEGER NOT NULL
) STRICT;

CREATE TABLE parties (
    id TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    created_on INTEGER NOT NULL
) STRICT;
CREATE INDEX parties_of ON parties (organisation, id);

-- scheme:identifier; at home in one party only, since a receiver has one access point.
CREATE TABLE party_identifiers (
    identifier TEXT PRIMARY KEY,
    party TEXT NOT NULL REFERENCES parties (id) ON DELETE CASCADE,
    position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX party_identifiers_of ON party_identifiers (party, position);

CREATE TABLE permissions (
    client_id TEXT NOT NULL REFERENCES clients (client_id) ON DELETE CASCADE,
    party TEXT NOT NULL REFERENCES parties (id) ON DELETE CASCADE,
    can_send INTEGER NOT NULL,
    can_receive INTEGER NOT NULL,
    can_remove INTEGER NOT NULL,
    can_manage_hook INTEGER NOT NULL,
    PRIMARY KEY (client_id, party)
) STRICT, WITHOUT ROWID;

-- What the SMP publishes: a participant takes a document type in a process.
CREATE TABLE services (
    participant TEXT NOT NULL,
    document_type TEXT NOT NULL,
    process TEXT NOT NULL,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    created_on INTEGER NOT NULL,
    PRIMARY KEY (participant, document_type, process)
) STRICT, WITHOUT ROWID;
CREATE INDEX services_of ON services (organisation, participant);

-- Bytes by content, within an organisation: here if small, in a file if large. They go when the
-- last record that uses them goes.
CREATE TABLE blobs (
    organisation TEXT NOT NULL,
    sha256 BLOB NOT NULL,
    size INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    bytes BLOB,
    file TEXT,
    PRIMARY KEY (organisation, sha256)
) STRICT;

CREATE TABLE transactions (
    id TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    party TEXT NOT NULL,
    document_id TEXT NOT NULL,
    direction TEXT NOT NULL,
    family TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    version INTEGER NOT NULL,
    sender TEXT,
    receiver TEXT,
    number TEXT,
    source_document_type TEXT,
    target_document_type TEXT,
    process TEXT,
    country_c1 TEXT,
    country_c4 TEXT,
    channel TEXT,
    message_id TEXT,
    instance_id TEXT,
    access_point TEXT,
    envelope_sender TEXT,
    blob BLOB,
    sha256 BLOB NOT NULL,
    size INTEGER NOT NULL,
    report BLOB,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL,
    downloaded_on INTEGER,
    deleted_on INTEGER
) STRICT;
CREATE UNIQUE INDEX transactions_document ON transactions (organisation, direction, document_id);
CREATE INDEX transactions_listing ON transactions (organisation, direction, created_on, id);
CREATE UNIQUE INDEX transactions_message ON transactions (message_id, access_point)
    WHERE direction = 'incoming';
CREATE UNIQUE INDEX transactions_instance ON transactions (instance_id, envelope_sender)
    WHERE direction = 'incoming';

CREATE TABLE timeline (
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    seq INTEGER NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    created_on INTEGER NOT NULL,
    PRIMARY KEY (transaction_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts (
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    attempt INTEGER NOT NULL,
    started_on INTEGER NOT NULL,
    ended_on INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    endpoint TEXT,
    report TEXT NOT NULL,
    receipt BLOB,
    PRIMARY KEY (transaction_id, attempt)
) STRICT, WITHOUT ROWID;

-- available_on is when a worker may take it: run_at, or the end of the lease of the worker that has
-- it, or null while an older task of its lane is unfinished.
CREATE TABLE tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    run_at INTEGER NOT NULL,
    lane TEXT,
    available_on INTEGER,
    claim_token TEXT,
    claims INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_available ON tasks (kind, available_on) WHERE available_on IS NOT NULL;
CREATE INDEX tasks_lane ON tasks (lane, id) WHERE lane IS NOT NULL;
CREATE INDEX tasks_subject ON tasks (subject);

CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    organisation TEXT NOT NULL,
    party TEXT NOT NULL,
    topic TEXT NOT NULL,
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    document_id TEXT NOT NULL,
    message TEXT NOT NULL,
    details TEXT NOT NULL,
    created_on INTEGER NOT NULL
) STRICT;
CREATE INDEX events_of ON events (organisation, seq);

CREATE TABLE hooks (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    id TEXT NOT NULL,
    party TEXT,
    name TEXT NOT NULL,
    action TEXT NOT NULL,
    secrets BLOB NOT NULL,
    topics TEXT NOT NULL,
    output TEXT NOT NULL,
    publish_topics TEXT NOT NULL,
    filter TEXT,
    init TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, id)
) STRICT;

-- An event owed to a hook. The id is the one the destination sees, the same on each try.
CREATE TABLE hook_calls (
    id TEXT PRIMARY KEY,
    organisation TEXT NOT NULL,
    hook TEXT NOT NULL,
    event INTEGER NOT NULL REFERENCES events (seq),
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    next_on INTEGER,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_calls_of ON hook_calls (organisation, hook, event);

CREATE TABLE hook_tries (
    hook_call TEXT NOT NULL REFERENCES hook_calls (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    started_on INTEGER NOT NULL,
    duration INTEGER NOT NULL,
    status INTEGER,
    response TEXT NOT NULL,
    error TEXT,
    PRIMARY KEY (hook_call, attempt)
) STRICT, WITHOUT ROWID;
