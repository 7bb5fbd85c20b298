-- Who holds an identifier: the organisation that verified its end user, or for which the operator
-- declared it. One row, one holder; parties of other organisations may know the identifier, and may
-- neither act under it nor publish it.
CREATE TABLE holdings (
    identifier TEXT PRIMARY KEY,
    organisation TEXT NOT NULL REFERENCES organisations (id),
    basis TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX holdings_of ON holdings (organisation, identifier);

-- What is published or registered stays with who publishes it.
INSERT OR IGNORE INTO holdings
    SELECT g.participant, g.organisation, CASE WHEN EXISTS (SELECT 1 FROM party_identifiers i
        JOIN verifications v ON v.organisation = i.organisation AND v.party = i.party
        WHERE i.organisation = g.organisation AND i.identifier = g.participant)
        THEN 'verified' ELSE 'declared' END, g.changed_on
    FROM service_groups g;
INSERT OR IGNORE INTO holdings
    SELECT r.participant, r.organisation, 'verified', r.changed_on FROM registrations r
    WHERE r.register = 'sml' AND r.wish <> 'absent' ORDER BY r.participant;
-- Else it is held by who verified it first, as long as its party has it.
INSERT OR IGNORE INTO holdings
    SELECT j.value, v.organisation, 'verified', v.recorded_on
    FROM verifications v, json_each(v.identifiers) j
    JOIN party_identifiers i ON i.organisation = v.organisation AND i.party = v.party
        AND i.identifier = j.value
    ORDER BY v.recorded_on, v.id;

-- Whether the SML is to lead here for the identifiers of a party that is published; else its name
-- there is somebody else's work.
ALTER TABLE party_configs ADD COLUMN in_sml INTEGER NOT NULL DEFAULT 0;
UPDATE party_configs SET in_sml = 1 WHERE enrolled = 1 AND EXISTS (
    SELECT 1 FROM party_identifiers i JOIN registrations r
        ON r.participant = i.identifier AND r.organisation = i.organisation
    WHERE i.organisation = party_configs.organisation AND i.party = party_configs.party
        AND r.register = 'sml' AND r.wish <> 'absent');
