-- What takes the document back that it is about: until now whatever was sent without a state.
ALTER TABLE answers ADD COLUMN cancels INTEGER NOT NULL DEFAULT 0;
UPDATE answers SET cancels = 1 WHERE status IS NULL
    AND answer IN (SELECT id FROM transactions WHERE direction = 'outgoing');

-- Changes and cancellations that came before the order which they name, by its number.
CREATE TABLE early_answers (
    answer TEXT PRIMARY KEY REFERENCES transactions (id),
    organisation TEXT NOT NULL,
    number TEXT NOT NULL,
    cancels INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX early_answers_of ON early_answers (organisation, number);
