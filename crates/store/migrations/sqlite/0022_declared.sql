-- An organisation that the configuration declares no more: nobody acts in it, and its hooks hear
-- nothing. Its documents stay.
ALTER TABLE organisations ADD COLUMN closed_on INTEGER;

-- What the configuration declared at the last start, so that what it declares no more can be
-- switched off. Clients know it of themselves.
CREATE TABLE declarations (
    organisation TEXT NOT NULL REFERENCES organisations (id),
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (organisation, kind, id)
) STRICT, WITHOUT ROWID;
INSERT INTO declarations
    SELECT DISTINCT i.organisation, 'party', i.party
    FROM party_identifiers i JOIN holdings h
        ON h.identifier = i.identifier AND h.organisation = i.organisation
    JOIN party_configs c ON c.organisation = i.organisation AND c.party = i.party
    WHERE h.basis = 'declared' AND c.enrolled = 1;
