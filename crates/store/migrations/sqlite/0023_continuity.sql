-- What says that this store is the one that was there before, one line. generation: what the store is
-- called until another one is taken in its place, such as a backup. since: from when it is called so.
-- commits: how often something was committed when that was noted last, noted_on: when. newest_on:
-- the newest time that was believed.
CREATE TABLE continuity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    generation INTEGER NOT NULL,
    name TEXT NOT NULL,
    since INTEGER NOT NULL,
    commits INTEGER NOT NULL,
    noted_on INTEGER NOT NULL,
    newest_on INTEGER
) STRICT;
INSERT INTO continuity VALUES (1, 1, lower(hex(randomblob(8))),
    CAST(strftime('%s', 'now') AS INTEGER) * 1000000, 0, 0, NULL);
