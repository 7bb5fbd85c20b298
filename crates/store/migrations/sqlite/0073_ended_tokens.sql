-- Since when tokens of an account are good, where they were ended: it was switched off, its secret or
-- password became another. Without, since it is on record.
ALTER TABLE clients ADD COLUMN tokens_since INTEGER;
ALTER TABLE users ADD COLUMN tokens_since INTEGER;
