-- What the SMP publishes, in a form that holds millions of participants: a group for each with its
-- owner and its last change, its services by the number of their kind, and its redirects.

CREATE TABLE service_groups (
    participant TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    changed_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO service_groups
    SELECT participant, min(organisation), max(created_on) FROM services GROUP BY participant;
CREATE INDEX service_groups_of ON service_groups (organisation, participant);

-- A document type in a process: long texts that millions of services share.
CREATE TABLE service_kinds (
    id INTEGER PRIMARY KEY,
    document_type TEXT NOT NULL,
    process TEXT NOT NULL,
    UNIQUE (document_type, process)
) STRICT;
INSERT INTO service_kinds (document_type, process)
    SELECT DISTINCT document_type, process FROM services ORDER BY document_type, process;

-- Explicit ones were registered one by one and stay whatever the capabilities of the party are;
-- endpoints are those of the record where it is not our access point alone.
CREATE TABLE services_2 (
    participant TEXT NOT NULL REFERENCES service_groups (participant) ON DELETE CASCADE,
    kind INTEGER NOT NULL REFERENCES service_kinds (id),
    explicit INTEGER NOT NULL,
    endpoints TEXT,
    created_on INTEGER NOT NULL,
    PRIMARY KEY (participant, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO services_2 SELECT s.participant, k.id, 0, NULL, s.created_on FROM services s
    JOIN service_kinds k ON k.document_type = s.document_type AND k.process = s.process
    ORDER BY s.participant, k.id;
DROP TABLE services;
ALTER TABLE services_2 RENAME TO services;

-- A document type whose record is at another SMP.
CREATE TABLE redirects (
    participant TEXT NOT NULL REFERENCES service_groups (participant) ON DELETE CASCADE,
    document_type TEXT NOT NULL,
    href TEXT NOT NULL,
    certificate_uid TEXT NOT NULL,
    created_on INTEGER NOT NULL,
    PRIMARY KEY (participant, document_type)
) STRICT, WITHOUT ROWID;

-- Who changed what is published of a participant record by record, and when; a line is never
-- changed.
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

-- Since when answers are made with the present certificates and addresses.
CREATE TABLE publisher (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    fingerprint BLOB NOT NULL,
    since INTEGER NOT NULL
) STRICT;
