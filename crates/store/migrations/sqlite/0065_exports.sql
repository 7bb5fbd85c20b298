-- Purchase invoices are asked for as what a party is named in them, each with a time of its own that
-- is reached, and in packages that the authority makes: which one is under way, and its key (sealed).
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
INSERT INTO purchase_questions (organisation, party, taxpayer, subject, reached, changed_on)
    SELECT organisation, party, taxpayer, 'Subject2', reached, changed_on FROM purchase_places;
DROP TABLE purchase_places;

-- Calls of systems that publish how often they may be made, for as long as they count.
CREATE TABLE counted_calls (
    id INTEGER PRIMARY KEY,
    caller TEXT NOT NULL,
    kind TEXT NOT NULL,
    called_on INTEGER NOT NULL
) STRICT;
CREATE INDEX counted_calls_kind ON counted_calls (caller, kind, called_on);
