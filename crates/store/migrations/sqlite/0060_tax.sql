-- Reports to tax authorities about invoices: a row for each report. About one invoice there is one
-- after the other: each takes the place of the one before it.
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
) STRICT;
CREATE UNIQUE INDEX tax_reports_place ON tax_reports (transaction_id, place);
CREATE INDEX tax_reports_listing ON tax_reports (organisation, party, created_on);
CREATE INDEX tax_reports_state ON tax_reports (organisation, party, state, created_on);
-- What no authority has taken yet, by its term.
CREATE INDEX tax_reports_open ON tax_reports (state, due_on)
    WHERE state IN ('due', 'sending', 'sent', 'rejected', 'failed');

-- The messages in which a report travelled: more than one where nobody answered.
CREATE TABLE tax_messages (
    message TEXT PRIMARY KEY REFERENCES transactions (id),
    report TEXT NOT NULL REFERENCES tax_reports (id),
    turn INTEGER NOT NULL,
    created_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tax_messages_report ON tax_messages (report, turn);

-- Parties that are not reported for, or are although the profile leaves it to them.
CREATE TABLE tax_switches (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    party TEXT NOT NULL,
    is_on INTEGER NOT NULL,
    changed_on INTEGER NOT NULL,
    PRIMARY KEY (organisation, party)
) STRICT, WITHOUT ROWID;
