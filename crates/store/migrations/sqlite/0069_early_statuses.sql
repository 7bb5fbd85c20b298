-- A status that came before the line of its document was there, which it settles once it is.
ALTER TABLE status_messages ADD COLUMN early INTEGER NOT NULL DEFAULT 0;
