-- The events of one party in their order, so that who may see one of many parties does not read
-- past those of all others.
CREATE INDEX events_of_party ON events (organisation, party, number);

-- A job is known by the id that its organisation gave it, which tells nobody of the jobs of others;
-- the key is ours.
ALTER TABLE jobs ADD COLUMN own_id TEXT NOT NULL DEFAULT '';
UPDATE jobs SET own_id = id;
CREATE UNIQUE INDEX jobs_own ON jobs (organisation, own_id);
