-- What whoever runs the service was told, one line for each thing that it is about, so that a thing
-- which happens again and again is told once a day. ended_on: when it was over; what only happens,
-- and does not last, is over at once.
CREATE TABLE alarms (
    code TEXT NOT NULL,
    subject TEXT NOT NULL,
    message TEXT NOT NULL,
    raised_on INTEGER NOT NULL,
    last_on INTEGER NOT NULL,
    told_on INTEGER NOT NULL,
    times INTEGER NOT NULL,
    ended_on INTEGER,
    PRIMARY KEY (code, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX alarms_told ON alarms (code, told_on);
