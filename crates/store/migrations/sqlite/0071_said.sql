-- What the configuration said of a hook or a party when it was last taken over, sealed, since it
-- names secrets. What it says again changes nothing that was set over the interface meanwhile.
ALTER TABLE declarations ADD COLUMN said BLOB;
