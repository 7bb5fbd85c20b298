-- Purchase invoices of parties at a national system: until when it was asked for them, and which
-- ones it named that were not fetched yet, or lately were.
CREATE TABLE purchase_places (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    party TEXT NOT NULL,
    taxpayer TEXT NOT NULL,
    reached INTEGER NOT NULL,
    changed_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, party, taxpayer)
) STRICT, WITHOUT ROWID;

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
    created_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, party, taxpayer, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX purchases_state ON purchases (organisation, party, taxpayer, state, stored_on, number);
-- Documents that were issued without an authority, by the time until which they are to be there.
CREATE INDEX clearances_due ON clearances (due_on) WHERE state = 'offline';
