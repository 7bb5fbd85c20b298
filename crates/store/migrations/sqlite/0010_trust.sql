-- Why an attempt failed, one stable word, and how long the other access point took, in
-- milliseconds.
ALTER TABLE attempts ADD COLUMN code TEXT;
ALTER TABLE attempts ADD COLUMN elapsed INTEGER;

-- What is known about the addresses of access points, of all organisations together: which
-- transactions failed there in a row (for us only), and until when the address is left alone.
CREATE TABLE breakers (
    endpoint TEXT PRIMARY KEY,
    failing TEXT NOT NULL,
    openings INTEGER NOT NULL,
    rests_until INTEGER,
    changed_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What proves the passage of a document beside the receipts of attempts: the signed message, the
-- signed answer of the SMP, the document as it travelled. Attempt 0 is an arrival.
CREATE TABLE evidence (
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL,
    blob BLOB NOT NULL,
    PRIMARY KEY (transaction_id, attempt, kind)
) STRICT, WITHOUT ROWID;

-- Revocation lists and OCSP answers as they were fetched, by address and the SHA-256 of the
-- certificate that was asked about (nothing for a list), and how asking went.
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

-- Which warnings about certificates that end were given.
CREATE TABLE expiry_notices (
    certificate BLOB NOT NULL,
    days INTEGER NOT NULL,
    told_on INTEGER NOT NULL,
    PRIMARY KEY (certificate, days)
) STRICT, WITHOUT ROWID;
