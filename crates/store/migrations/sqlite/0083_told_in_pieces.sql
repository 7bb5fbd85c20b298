-- Events that more hooks hear than one commit tells, and the last hook that was told by its key. They
-- are told one after the other, so that each hook hears of them in their order.
CREATE TABLE untold_events (
    organisation TEXT NOT NULL,
    event INTEGER NOT NULL,
    hook TEXT NOT NULL,
    PRIMARY KEY (organisation, event)
) STRICT, WITHOUT ROWID;
