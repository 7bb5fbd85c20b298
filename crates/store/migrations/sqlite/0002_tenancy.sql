-- Accounts, parties by organisation, what parties can receive, and their registrations.

-- A client that is linked to parties is held to them; others act for the whole organisation.
ALTER TABLE clients ADD COLUMN all_parties INTEGER NOT NULL DEFAULT 1;
UPDATE clients SET all_parties = 0 WHERE client_id IN (SELECT client_id FROM permissions);

-- People. A name is unique in its organisation only, so that nobody learns of another's users.
CREATE TABLE users (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    name TEXT NOT NULL,
    password_hash TEXT,
    role TEXT NOT NULL,
    active INTEGER NOT NULL,
    created_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX users_named ON users (name);

-- A party and its identifiers belong to one organisation; another may know the same business. Only
-- what is published is unique, since a receiver has one access point.
CREATE TABLE parties_2 (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    created_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, id)
) STRICT, WITHOUT ROWID;
INSERT INTO parties_2 SELECT organisation, id, name, country, created_on FROM parties;

CREATE TABLE party_identifiers_2 (
    organisation TEXT NOT NULL,
    identifier TEXT NOT NULL,
    party TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (organisation, identifier),
    FOREIGN KEY (organisation, party) REFERENCES parties_2 (organisation, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO party_identifiers_2 SELECT p.organisation, i.identifier, i.party, i.position
    FROM party_identifiers i JOIN parties p ON p.id = i.party;

-- What an account (a client or a user) may do for a party.
CREATE TABLE permissions_2 (
    organisation TEXT NOT NULL,
    account TEXT NOT NULL,
    party TEXT NOT NULL,
    can_send INTEGER NOT NULL,
    can_receive INTEGER NOT NULL,
    can_remove INTEGER NOT NULL,
    can_manage_hook INTEGER NOT NULL,
    can_change_status INTEGER NOT NULL,
    PRIMARY KEY (organisation, account, party),
    FOREIGN KEY (organisation, party) REFERENCES parties_2 (organisation, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO permissions_2 SELECT c.organisation, m.client_id, m.party, m.can_send, m.can_receive,
    m.can_remove, m.can_manage_hook, m.can_receive
    FROM permissions m JOIN clients c ON c.client_id = m.client_id
    JOIN parties p ON p.id = m.party AND p.organisation = c.organisation;

DROP TABLE permissions;
DROP TABLE party_identifiers;
DROP TABLE parties;
ALTER TABLE parties_2 RENAME TO parties;
ALTER TABLE party_identifiers_2 RENAME TO party_identifiers;
ALTER TABLE permissions_2 RENAME TO permissions;
CREATE INDEX party_identifiers_by ON party_identifiers (identifier);
CREATE INDEX party_identifiers_of ON party_identifiers (organisation, party, position);
CREATE INDEX permissions_of ON permissions (organisation, party);

-- What parties inherit.
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
    changed_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, party),
    FOREIGN KEY (organisation, party) REFERENCES parties (organisation, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Parties that are published already stay so; what is on is read from the configuration at start.
INSERT INTO party_configs
    SELECT p.organisation, p.id, '{"invoices":"off","selfbilling":"off","invoice_bisv2":"off",
"reviews":"off","invoiceResponse":"off","orders":"off","orderOnly":"off","orderAdvanced":"off",
"orderResponse":"off","orderResponseAdvanced":"off"}',
    NULL, 1, 1, p.created_on, p.created_on FROM parties p
    WHERE EXISTS (SELECT 1 FROM party_identifiers i JOIN services s
        ON s.participant = i.identifier AND s.organisation = i.organisation
        WHERE i.organisation = p.organisation AND i.party = p.id);

-- Who verified that a party is whom it says, and when; a line is never changed.
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

-- What a register outside (the SML, the Directory) is to hold about a participant, and how far
-- that has come.
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
