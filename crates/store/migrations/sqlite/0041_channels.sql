-- By which channel an attempt was made, and what was delivered by each.
ALTER TABLE attempts ADD COLUMN protocol TEXT;

CREATE TABLE channel_counts (
    organisation TEXT NOT NULL,
    month TEXT NOT NULL,
    protocol TEXT NOT NULL,
    family TEXT NOT NULL,
    documents INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (organisation, month, protocol, family)
) STRICT, WITHOUT ROWID;
