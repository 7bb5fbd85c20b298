-- What was asked about the conversion of a document, beside the document.
ALTER TABLE transactions ADD COLUMN wish_target_format TEXT;
ALTER TABLE transactions ADD COLUMN wish_allowed_losses TEXT;
