-- Documents that are on their way are counted beside those that arrived, for the limit of a package.
CREATE INDEX transactions_under_way ON transactions (organisation)
    WHERE direction = 'outgoing' AND status IN ('Pending', 'Validated', 'Routed');
