-- What a caller asked of a document beside the document itself: other ends, a type, attributes.
ALTER TABLE transactions ADD COLUMN wish_sender TEXT;
ALTER TABLE transactions ADD COLUMN wish_receiver TEXT;
ALTER TABLE transactions ADD COLUMN wish_document_type TEXT;
ALTER TABLE transactions ADD COLUMN wish_process TEXT;
ALTER TABLE transactions ADD COLUMN meta_attributes TEXT;
-- When the bytes went because their time was over; the record of the passage stays.
ALTER TABLE transactions ADD COLUMN expired_on INTEGER;
CREATE INDEX transactions_kept ON transactions (created_on) WHERE blob IS NOT NULL;
CREATE INDEX transactions_number ON transactions (organisation, party, number, direction)
    WHERE number IS NOT NULL;

ALTER TABLE timeline ADD COLUMN code TEXT;

-- Which document answers which: an Invoice Response its invoice, an order response its order.
CREATE TABLE answers (
    answer TEXT PRIMARY KEY REFERENCES transactions (id),
    subject TEXT NOT NULL REFERENCES transactions (id),
    status TEXT,
    is_partial INTEGER NOT NULL,
    created_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX answers_to ON answers (subject, created_on, answer);

-- Documents that reached their end, by month: the count that is paid for, and the free ones.
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

-- The package of an organisation; none where it has no line.
CREATE TABLE packages (
    organisation TEXT PRIMARY KEY REFERENCES organisations (id),
    package TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX attempts_endpoint ON attempts (endpoint, ended_on) WHERE endpoint IS NOT NULL;
