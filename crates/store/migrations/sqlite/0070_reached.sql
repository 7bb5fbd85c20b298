-- Whom a mail about an event has reached, while others are to be tried again.
ALTER TABLE hook_calls ADD COLUMN reached TEXT;
