-- Reports that go to a platform by a hook instead of over the network, alone or in the file of a
-- period, which is one message that carries many of them.
ALTER TABLE tax_reports ADD COLUMN channel TEXT;
-- What is told of the invoice in the file of its period (JSON), for whom, and when it is written.
ALTER TABLE tax_reports ADD COLUMN gathered TEXT;
ALTER TABLE tax_reports ADD COLUMN declarant TEXT;
ALTER TABLE tax_reports ADD COLUMN gathered_until INTEGER;
CREATE INDEX tax_reports_gathered
    ON tax_reports (organisation, party, declarant, gathered_until, created_on)
    WHERE state = 'gathered';
DROP INDEX tax_reports_open;
CREATE INDEX tax_reports_open ON tax_reports (state, due_on)
    WHERE state IN ('due', 'gathered', 'sending', 'sent', 'rejected', 'failed');

CREATE TABLE tax_messages_of_files (
    message TEXT NOT NULL REFERENCES transactions (id),
    report TEXT NOT NULL REFERENCES tax_reports (id),
    turn INTEGER NOT NULL,
    created_on INTEGER NOT NULL,
    PRIMARY KEY (message, report)
) STRICT, WITHOUT ROWID;
INSERT INTO tax_messages_of_files SELECT message, report, turn, created_on FROM tax_messages;
DROP TABLE tax_messages;
ALTER TABLE tax_messages_of_files RENAME TO tax_messages;
CREATE INDEX tax_messages_report ON tax_messages (report, turn);
