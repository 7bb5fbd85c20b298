-- participant: under which our end user sent or was addressed. An end user that moved to another
-- organisation of this service within a month is known by it. Without, it is what the key of its party
-- says.
ALTER TABLE exchanges ADD COLUMN participant TEXT;
