-- What was exchanged with other providers: a line for each document with a positive receipt. It is
-- what the statistics reports are made from, and outlives the documents.
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
) STRICT, WITHOUT ROWID;
CREATE INDEX exchanges_in ON exchanges (month, direction, provider, document_type, process);
CREATE INDEX exchanges_by ON exchanges (month, end_user, exchanged_on);

-- Message Level Statuses: owed about what arrived (incoming), awaited about what was sent
-- (outgoing). One line a document, so that one status is given for it. sent_on is M1. closed_on:
-- when nothing was owed any more, without a status.
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
CREATE INDEX statuses_of ON statuses (month, organisation, direction, provider);
CREATE INDEX statuses_message ON statuses (message) WHERE message IS NOT NULL;

-- Each status with what it says, whether it settled the line above or came beside it.
CREATE TABLE status_messages (
    message TEXT PRIMARY KEY REFERENCES transactions (id),
    subject TEXT NOT NULL REFERENCES transactions (id),
    provider TEXT NOT NULL,
    code TEXT,
    description TEXT NOT NULL,
    issues TEXT NOT NULL,
    counts INTEGER NOT NULL,
    created_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX status_messages_about ON status_messages (subject, created_on);

-- Statistics reports by month and kind, and the documents that carried them.
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
