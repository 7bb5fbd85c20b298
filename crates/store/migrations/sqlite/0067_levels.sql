-- The service levels of a month: how many Message Level Statuses are decided, and how many of them
-- in time, counted as they are given or arrive. What is undecided is few, and counted when asked.
CREATE TABLE status_levels (
    month TEXT NOT NULL,
    organisation TEXT NOT NULL,
    direction TEXT NOT NULL,
    provider TEXT NOT NULL,
    due INTEGER NOT NULL,
    in_time INTEGER NOT NULL,
    PRIMARY KEY (month, organisation, direction, provider)
) STRICT, WITHOUT ROWID;
-- 20 minutes for one that is given, 25 for one that arrives; below 10 MB.
INSERT INTO status_levels (month, organisation, direction, provider, due, in_time)
    SELECT month, organisation, direction, provider, count(*), sum(coalesce(settled_on - sent_on <=
        CASE direction WHEN 'incoming' THEN 1200000000 ELSE 1500000000 END, 0))
    FROM statuses WHERE payload_bytes < 10000000
    AND (code IS NOT NULL OR (wants_positive = 1 AND closed_on IS NULL))
    AND (settled_on IS NOT NULL OR breached_on IS NOT NULL)
    GROUP BY month, organisation, direction, provider;
DROP INDEX statuses_of;
CREATE INDEX statuses_undecided ON statuses (month, organisation, direction, provider)
    WHERE settled_on IS NULL AND breached_on IS NULL
    AND (code IS NOT NULL OR (wants_positive = 1 AND closed_on IS NULL));
