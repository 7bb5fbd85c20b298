-- Documents that went by mail and came back: what was said of each recipient, once for each word
-- (failed, delayed), with the report in which it was said.
CREATE TABLE returned_mails (
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    recipient TEXT NOT NULL,
    word TEXT NOT NULL,
    report BLOB NOT NULL,
    told_on INTEGER NOT NULL,
    PRIMARY KEY (transaction_id, recipient, word)
) STRICT, WITHOUT ROWID;

-- By the id of the mail that a document went in.
CREATE INDEX transactions_sent_message ON transactions (message_id) WHERE direction = 'outgoing';
