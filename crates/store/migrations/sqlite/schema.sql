-- The schema as it is now. Made of the migrations, never edited: the SQL of a change is a migration, and then
-- `UPDATE=1 cargo test -p quoin-store --lib migrations` writes this file.

CREATE TABLE schema_versions (
            version INTEGER PRIMARY KEY, applied_on INTEGER NOT NULL) STRICT;

CREATE TABLE organisations (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_on INTEGER NOT NULL
, closed_on INTEGER) STRICT;

CREATE TABLE clients (
    client_id TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    secret_sha256 BLOB NOT NULL,
    role TEXT NOT NULL,
    active INTEGER NOT NULL,
    created_on INTEGER NOT NULL
, all_parties INTEGER NOT NULL DEFAULT 1, name TEXT NOT NULL DEFAULT '', declared INTEGER NOT NULL DEFAULT 1, previous_sha256 BLOB, previous_until INTEGER, tokens_since INTEGER) STRICT;

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
, via TEXT, attempts_before INTEGER NOT NULL DEFAULT 0, wish_sender TEXT, wish_receiver TEXT, wish_document_type TEXT, wish_process TEXT, meta_attributes TEXT, expired_on INTEGER, wish_target_format TEXT, wish_allowed_losses TEXT, keep_until INTEGER, issued_on TEXT, type_code TEXT) STRICT;

CREATE UNIQUE INDEX transactions_document ON transactions (organisation, direction, document_id);

CREATE UNIQUE INDEX transactions_message ON transactions (message_id, access_point)
    WHERE direction = 'incoming';

CREATE UNIQUE INDEX transactions_instance ON transactions (instance_id, envelope_sender)
    WHERE direction = 'incoming';

CREATE TABLE timeline (
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    seq INTEGER NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    created_on INTEGER NOT NULL, code TEXT,
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
    receipt BLOB, code TEXT, elapsed INTEGER, protocol TEXT,
    PRIMARY KEY (transaction_id, attempt)
) STRICT, WITHOUT ROWID;

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
    changed_on INTEGER NOT NULL, failing_since INTEGER, rotated_on INTEGER, shown TEXT, after_event INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (organisation, id)
) STRICT;

CREATE TABLE users (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    name TEXT NOT NULL,
    password_hash TEXT,
    role TEXT NOT NULL,
    active INTEGER NOT NULL,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL, tokens_since INTEGER,
    PRIMARY KEY (organisation, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX users_named ON users (name);

CREATE TABLE "parties" (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    created_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE "party_identifiers" (
    organisation TEXT NOT NULL,
    identifier TEXT NOT NULL,
    party TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (organisation, identifier),
    FOREIGN KEY (organisation, party) REFERENCES "parties" (organisation, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE "permissions" (
    organisation TEXT NOT NULL,
    account TEXT NOT NULL,
    party TEXT NOT NULL,
    can_send INTEGER NOT NULL,
    can_receive INTEGER NOT NULL,
    can_remove INTEGER NOT NULL,
    can_manage_hook INTEGER NOT NULL,
    can_change_status INTEGER NOT NULL,
    PRIMARY KEY (organisation, account, party),
    FOREIGN KEY (organisation, party) REFERENCES "parties" (organisation, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX party_identifiers_by ON party_identifiers (identifier);

CREATE INDEX party_identifiers_of ON party_identifiers (organisation, party, position);

CREATE INDEX permissions_of ON permissions (organisation, party);

CREATE TABLE organisation_configs (
    organisation TEXT PRIMARY KEY REFERENCES organisations (id),
    capabilities TEXT NOT NULL,
    contact TEXT,
    version INTEGER NOT NULL,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL
) STRICT;

CREATE TABLE party_configs (
    organisation TEXT NOT NULL,
    party TEXT NOT NULL,
    capabilities TEXT NOT NULL,
    card TEXT,
    enrolled INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL, in_sml INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (organisation, party),
    FOREIGN KEY (organisation, party) REFERENCES parties (organisation, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE verifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organisation TEXT NOT NULL,
    party TEXT NOT NULL,
    verified_by TEXT NOT NULL,
    verified_on INTEGER NOT NULL,
    identifiers TEXT NOT NULL,
    notes TEXT NOT NULL,
    recorded_by TEXT NOT NULL,
    recorded_on INTEGER NOT NULL
) STRICT;

CREATE INDEX verifications_of ON verifications (organisation, party, id);

CREATE TABLE registrations (
    participant TEXT NOT NULL,
    register TEXT NOT NULL,
    organisation TEXT NOT NULL,
    wish TEXT NOT NULL,
    migration_key BLOB,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    message TEXT NOT NULL,
    next_on INTEGER,
    version INTEGER NOT NULL,
    changed_on INTEGER NOT NULL,
    PRIMARY KEY (participant, register)
) STRICT, WITHOUT ROWID;

CREATE INDEX registrations_of ON registrations (organisation, participant);

CREATE TABLE "events" (
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

CREATE TABLE "hook_calls" (
    id TEXT PRIMARY KEY,
    organisation TEXT NOT NULL,
    hook TEXT NOT NULL,
    event INTEGER NOT NULL REFERENCES "events" (seq),
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    next_on INTEGER,
    batch TEXT,
    held INTEGER NOT NULL,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL
, reached TEXT) STRICT, WITHOUT ROWID;

CREATE TABLE "hook_tries" (
    hook_call TEXT NOT NULL REFERENCES "hook_calls" (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    started_on INTEGER NOT NULL,
    duration INTEGER NOT NULL,
    status INTEGER,
    response TEXT NOT NULL,
    error TEXT,
    PRIMARY KEY (hook_call, attempt)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX events_of ON events (organisation, number);

CREATE INDEX events_when ON events (organisation, created_on);

CREATE INDEX hook_calls_of ON hook_calls (organisation, hook, event);

CREATE INDEX hook_calls_batch ON hook_calls (batch) WHERE batch IS NOT NULL;

CREATE INDEX hooks_listening ON hooks (organisation, party) WHERE is_active = 1;

CREATE TABLE removed_hooks (
    organisation TEXT NOT NULL,
    id TEXT NOT NULL,
    party TEXT,
    action TEXT NOT NULL,
    last_event INTEGER NOT NULL,
    removed_on INTEGER NOT NULL, shown TEXT, taken_by TEXT, told INTEGER,
    PRIMARY KEY (organisation, id)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE answers (
    answer TEXT PRIMARY KEY REFERENCES transactions (id),
    subject TEXT NOT NULL REFERENCES transactions (id),
    status TEXT,
    is_partial INTEGER NOT NULL,
    created_on INTEGER NOT NULL
, cancels INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE INDEX answers_to ON answers (subject, created_on, answer);

CREATE TABLE usage_counts (
    organisation TEXT NOT NULL,
    month TEXT NOT NULL,
    direction TEXT NOT NULL,
    family TEXT NOT NULL,
    is_billable INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (organisation, month, direction, family, is_billable)
) STRICT, WITHOUT ROWID;

CREATE TABLE packages (
    organisation TEXT PRIMARY KEY REFERENCES organisations (id),
    package TEXT NOT NULL
, under_way INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE INDEX clients_of ON clients (organisation, client_id);

CREATE TABLE service_groups (
    participant TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    changed_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX service_groups_of ON service_groups (organisation, participant);

CREATE TABLE service_kinds (
    id INTEGER PRIMARY KEY,
    document_type TEXT NOT NULL,
    process TEXT NOT NULL,
    UNIQUE (document_type, process)
) STRICT;

CREATE TABLE "services" (
    participant TEXT NOT NULL REFERENCES service_groups (participant) ON DELETE CASCADE,
    kind INTEGER NOT NULL REFERENCES service_kinds (id),
    explicit INTEGER NOT NULL,
    endpoints TEXT,
    created_on INTEGER NOT NULL,
    PRIMARY KEY (participant, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE redirects (
    participant TEXT NOT NULL REFERENCES service_groups (participant) ON DELETE CASCADE,
    document_type TEXT NOT NULL,
    href TEXT NOT NULL,
    certificate_uid TEXT NOT NULL,
    created_on INTEGER NOT NULL,
    PRIMARY KEY (participant, document_type)
) STRICT, WITHOUT ROWID;

CREATE TABLE publication_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organisation TEXT NOT NULL,
    participant TEXT NOT NULL,
    account TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    created_on INTEGER NOT NULL
) STRICT;

CREATE INDEX publication_changes_of ON publication_changes (organisation, participant, id);

CREATE TABLE publisher (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    fingerprint BLOB NOT NULL,
    since INTEGER NOT NULL
) STRICT;

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
, own_id TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

CREATE INDEX jobs_of ON jobs (organisation, created_on, id);

CREATE TABLE job_inputs (
    job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    lines BLOB NOT NULL,
    PRIMARY KEY (job, part)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE published_endpoints (
    participant TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    endpoint TEXT NOT NULL,
    changed_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE exchanges (
    transaction_id TEXT PRIMARY KEY,
    month TEXT NOT NULL,
    exchanged_on INTEGER NOT NULL,
    direction TEXT NOT NULL,
    own TEXT NOT NULL,
    provider TEXT NOT NULL,
    document_type TEXT NOT NULL,
    process TEXT NOT NULL,
    transport TEXT NOT NULL,
    country_c1 TEXT,
    country_c4 TEXT,
    end_user TEXT NOT NULL,
    end_user_country TEXT,
    payload_bytes INTEGER NOT NULL
, participant TEXT) STRICT, WITHOUT ROWID;

CREATE TABLE statuses (
    transaction_id TEXT PRIMARY KEY REFERENCES transactions (id),
    organisation TEXT NOT NULL,
    direction TEXT NOT NULL,
    month TEXT NOT NULL,
    provider TEXT NOT NULL,
    envelope TEXT NOT NULL,
    sent_on INTEGER NOT NULL,
    payload_bytes INTEGER NOT NULL,
    wants_positive INTEGER NOT NULL,
    reply_to TEXT,
    code TEXT,
    message TEXT,
    settled_on INTEGER,
    warned_on INTEGER,
    breached_on INTEGER,
    closed_on INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX statuses_message ON statuses (message) WHERE message IS NOT NULL;

CREATE TABLE status_messages (
    message TEXT PRIMARY KEY REFERENCES transactions (id),
    subject TEXT NOT NULL REFERENCES transactions (id),
    provider TEXT NOT NULL,
    code TEXT,
    description TEXT NOT NULL,
    issues TEXT NOT NULL,
    counts INTEGER NOT NULL,
    created_on INTEGER NOT NULL
, early INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE INDEX status_messages_about ON status_messages (subject, created_on);

CREATE TABLE reports (
    month TEXT NOT NULL,
    kind TEXT NOT NULL,
    warned_on INTEGER,
    missed_on INTEGER,
    created_on INTEGER NOT NULL,
    PRIMARY KEY (month, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE report_documents (
    transaction_id TEXT PRIMARY KEY REFERENCES transactions (id),
    month TEXT NOT NULL,
    kind TEXT NOT NULL,
    made_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX report_documents_of ON report_documents (month, kind, made_on);

CREATE INDEX transactions_sent_instance ON transactions (instance_id)
    WHERE direction = 'outgoing';

CREATE INDEX events_about ON events (transaction_id) WHERE transaction_id IS NOT NULL;

CREATE TABLE breakers (
    endpoint TEXT PRIMARY KEY,
    failing TEXT NOT NULL,
    openings INTEGER NOT NULL,
    rests_until INTEGER,
    changed_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence (
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL,
    blob BLOB NOT NULL,
    PRIMARY KEY (transaction_id, attempt, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE revocation_sources (
    url TEXT NOT NULL,
    subject BLOB NOT NULL,
    certificate BLOB NOT NULL,
    body BLOB,
    fetched_on INTEGER,
    next_update INTEGER,
    failures INTEGER NOT NULL,
    problem TEXT,
    next_on INTEGER NOT NULL,
    used_on INTEGER NOT NULL,
    PRIMARY KEY (url, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE expiry_notices (
    certificate BLOB NOT NULL,
    days INTEGER NOT NULL,
    told_on INTEGER NOT NULL,
    PRIMARY KEY (certificate, days)
) STRICT, WITHOUT ROWID;

CREATE INDEX events_of_party ON events (organisation, party, number);

CREATE UNIQUE INDEX jobs_own ON jobs (organisation, own_id);

CREATE TABLE alarms (
    code TEXT NOT NULL,
    subject TEXT NOT NULL,
    message TEXT NOT NULL,
    raised_on INTEGER NOT NULL,
    last_on INTEGER NOT NULL,
    told_on INTEGER NOT NULL,
    times INTEGER NOT NULL,
    ended_on INTEGER,
    PRIMARY KEY (code, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX alarms_told ON alarms (code, told_on);

CREATE TABLE holdings (
    identifier TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    basis TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX holdings_of ON holdings (organisation, identifier);

CREATE TABLE declarations (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    kind TEXT NOT NULL,
    id TEXT NOT NULL, said BLOB,
    PRIMARY KEY (organisation, kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE continuity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    generation INTEGER NOT NULL,
    name TEXT NOT NULL,
    since INTEGER NOT NULL,
    commits INTEGER NOT NULL,
    noted_on INTEGER NOT NULL,
    newest_on INTEGER
, is_told INTEGER NOT NULL DEFAULT 1) STRICT;

CREATE UNIQUE INDEX hooks_shown
    ON hooks (organisation, coalesce(party, ''), coalesce(shown, id));

CREATE TABLE returned_mails (
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    recipient TEXT NOT NULL,
    word TEXT NOT NULL,
    report BLOB NOT NULL,
    told_on INTEGER NOT NULL,
    PRIMARY KEY (transaction_id, recipient, word)
) STRICT, WITHOUT ROWID;

CREATE INDEX transactions_sent_message ON transactions (message_id) WHERE direction = 'outgoing';

CREATE TABLE channel_counts (
    organisation TEXT NOT NULL,
    month TEXT NOT NULL,
    protocol TEXT NOT NULL,
    family TEXT NOT NULL,
    documents INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (organisation, month, protocol, family)
) STRICT, WITHOUT ROWID;

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

CREATE INDEX hook_calls_event ON hook_calls (event);

CREATE INDEX transactions_over ON transactions (keep_until) WHERE keep_until IS NOT NULL;

CREATE TABLE retention (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    received INTEGER,
    downloaded INTEGER,
    failed INTEGER,
    sent INTEGER,
    is_planned INTEGER NOT NULL
) STRICT;

CREATE INDEX transactions_listing
    ON transactions (organisation, party, direction, family, created_on)
    WHERE deleted_on IS NULL;

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

CREATE INDEX transactions_under_way
    ON transactions (organisation, direction, party, family, status, created_on)
    WHERE status NOT IN ('Delivered', 'Rejected', 'Failed');

CREATE INDEX transactions_fresh
    ON transactions (organisation, party, family, created_on)
    WHERE direction = 'incoming' AND downloaded_on IS NULL AND expired_on IS NULL
        AND deleted_on IS NULL;

CREATE INDEX transactions_deleted ON transactions (organisation, party)
    WHERE deleted_on IS NOT NULL;

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

CREATE INDEX exchanges_month ON exchanges (month);

CREATE TABLE "tasks" (
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

CREATE INDEX tasks_available ON tasks (kind, available_on) WHERE available_on IS NOT NULL;

CREATE INDEX tasks_subject ON tasks (subject);

CREATE INDEX tasks_held ON tasks (held_on) WHERE held_on IS NOT NULL;

CREATE INDEX tasks_waiting ON tasks (kind, run_at) WHERE available_on IS NULL;

CREATE INDEX tasks_home ON tasks (home) WHERE home IS NOT NULL;

CREATE INDEX registrations_unset ON registrations (register, participant)
    WHERE state = 'unset';

CREATE TABLE purchases (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    party TEXT NOT NULL,
    taxpayer TEXT NOT NULL,
    number TEXT NOT NULL,
    digest BLOB NOT NULL,
    seller TEXT NOT NULL,
    stored_on INTEGER NOT NULL,
    -- found, or taken: one that was taken stays until it cannot be named again.
    state TEXT NOT NULL,
    created_on INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (organisation, party, taxpayer, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX purchases_state ON purchases (organisation, party, taxpayer, state, stored_on, number);

CREATE INDEX clearances_due ON clearances (due_on) WHERE state = 'offline';

CREATE TABLE tax_reports (
    id TEXT PRIMARY KEY,
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    place INTEGER NOT NULL,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    party TEXT NOT NULL,
    role TEXT NOT NULL,
    act TEXT NOT NULL,
    state TEXT NOT NULL,
    -- What was chosen and written, once it was.
    country TEXT,
    regime TEXT,
    scope TEXT,
    authority TEXT,
    document_type TEXT,
    reporter TEXT,
    invoice_uuid TEXT,
    data_uuid TEXT,
    -- Why it is where it is: a code, a line for people, what was found as a JSON array.
    code TEXT,
    reason TEXT NOT NULL,
    issues TEXT NOT NULL,
    messages INTEGER NOT NULL,
    due_on INTEGER,
    warned_on INTEGER,
    breached_on INTEGER,
    left_on INTEGER,
    settled_on INTEGER,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL
, channel TEXT, gathered TEXT, declarant TEXT, gathered_until INTEGER) STRICT;

CREATE UNIQUE INDEX tax_reports_place ON tax_reports (transaction_id, place);

CREATE INDEX tax_reports_listing ON tax_reports (organisation, party, created_on);

CREATE INDEX tax_reports_state ON tax_reports (organisation, party, state, created_on);

CREATE TABLE tax_switches (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    party TEXT NOT NULL,
    is_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, party)
) STRICT, WITHOUT ROWID;

CREATE INDEX tasks_in_line ON tasks (lane, id) WHERE available_on IS NULL;

CREATE TABLE purchase_questions (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    party TEXT NOT NULL,
    taxpayer TEXT NOT NULL,
    subject TEXT NOT NULL,
    reached INTEGER NOT NULL,
    package TEXT,
    memory BLOB,
    changed_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, party, taxpayer, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE counted_calls (
    id INTEGER PRIMARY KEY,
    caller TEXT NOT NULL,
    kind TEXT NOT NULL,
    called_on INTEGER NOT NULL
) STRICT;

CREATE INDEX counted_calls_kind ON counted_calls (caller, kind, called_on);

CREATE INDEX tax_reports_gathered
    ON tax_reports (organisation, party, declarant, gathered_until, created_on)
    WHERE state = 'gathered';

CREATE INDEX tax_reports_open ON tax_reports (state, due_on)
    WHERE state IN ('due', 'gathered', 'sending', 'sent', 'rejected', 'failed');

CREATE TABLE "tax_messages" (
    message TEXT NOT NULL REFERENCES transactions (id),
    report TEXT NOT NULL REFERENCES tax_reports (id),
    turn INTEGER NOT NULL,
    created_on INTEGER NOT NULL,
    PRIMARY KEY (message, report)
) STRICT, WITHOUT ROWID;

CREATE INDEX tax_messages_report ON tax_messages (report, turn);

CREATE TABLE status_levels (
    month TEXT NOT NULL,
    organisation TEXT NOT NULL,
    direction TEXT NOT NULL,
    provider TEXT NOT NULL,
    due INTEGER NOT NULL,
    in_time INTEGER NOT NULL,
    PRIMARY KEY (month, organisation, direction, provider)
) STRICT, WITHOUT ROWID;

CREATE INDEX statuses_undecided ON statuses (month, organisation, direction, provider)
    WHERE settled_on IS NULL AND breached_on IS NULL
    AND (code IS NOT NULL OR (wants_positive = 1 AND closed_on IS NULL));

CREATE INDEX batches_of_party ON batches (organisation, party);

CREATE INDEX clearance_batches_of_party ON clearance_batches (organisation, party);

CREATE TABLE early_answers (
    answer TEXT PRIMARY KEY REFERENCES transactions (id),
    organisation TEXT NOT NULL,
    number TEXT NOT NULL,
    cancels INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX early_answers_of ON early_answers (organisation, number);

CREATE INDEX hooks_named ON hooks (organisation, coalesce(shown, id));

CREATE INDEX tasks_under_way ON tasks (lane, id) WHERE lane IS NOT NULL AND available_on IS NOT NULL;

CREATE INDEX removed_hooks_taken ON removed_hooks (organisation, taken_by) WHERE taken_by IS NOT NULL;

CREATE INDEX hook_calls_pending ON hook_calls (organisation, hook, event) WHERE state = 'pending';

CREATE INDEX hook_calls_held ON hook_calls (organisation, hook, event) WHERE held = 1;

CREATE TABLE untold_events (
    organisation TEXT NOT NULL,
    event INTEGER NOT NULL,
    hook TEXT NOT NULL,
    PRIMARY KEY (organisation, event)
) STRICT, WITHOUT ROWID;

CREATE INDEX purchases_found ON purchases (organisation, party, taxpayer, tries, stored_on, number)
    WHERE state = 'found';

CREATE INDEX tax_reports_given_up
    ON tax_reports (organisation, party, declarant, gathered_until, created_on)
    WHERE state = 'failed';
