-- Clients that are made through the interface beside those that the configuration declares, and the
-- secret before the newest one, which is taken for a while after it was replaced.
ALTER TABLE clients ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE clients ADD COLUMN declared INTEGER NOT NULL DEFAULT 1;
ALTER TABLE clients ADD COLUMN previous_sha256 BLOB;
ALTER TABLE clients ADD COLUMN previous_until INTEGER;
CREATE INDEX clients_of ON clients (organisation, client_id);
