-- Steps that failed on our own side. faults: how often in a row; fault: what the last one was;
-- held_on: since when it is tried no more, until the next start.
ALTER TABLE tasks ADD COLUMN faults INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN fault TEXT;
ALTER TABLE tasks ADD COLUMN held_on INTEGER;
CREATE INDEX tasks_held ON tasks (held_on) WHERE held_on IS NOT NULL;
