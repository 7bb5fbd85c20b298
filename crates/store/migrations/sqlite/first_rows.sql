-- The rows that a new database begins with: those that the migrations wrote into an empty one.
INSERT INTO continuity (one, generation, name, since, commits, noted_on, newest_on)
    VALUES (1, 1, lower(hex(randomblob(8))),
    CAST(strftime('%s', 'now') AS INTEGER) * 1000000, 0, 0, NULL);
INSERT INTO retention VALUES (1, NULL, NULL, NULL, NULL, 0);

-- How links to parties are spread (0050): the engine has no other statistics, and makes none.
ANALYZE retention;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('permissions', 'permissions', '1000000 10000 100 1'),
    ('permissions', 'permissions_of', '1000000 10000 5 1');
ANALYZE sqlite_schema;
