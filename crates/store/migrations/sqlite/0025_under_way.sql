-- What is under way counts for the package of its organisation.
CREATE INDEX transactions_under_way ON transactions (organisation, family, source_document_type)
    WHERE direction = 'outgoing' AND status NOT IN ('Delivered', 'Rejected', 'Failed');
