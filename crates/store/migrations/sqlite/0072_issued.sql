-- What a document that was sent says of itself beside its number, which is not always used once: its
-- day of issue and its type code. What was sent before has neither.
ALTER TABLE transactions ADD COLUMN issued_on TEXT;
ALTER TABLE transactions ADD COLUMN type_code TEXT;
