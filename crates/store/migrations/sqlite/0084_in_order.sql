-- What could not be had of the purchases of a party is fetched behind what was not tried yet.
ALTER TABLE purchases ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
CREATE INDEX purchases_found ON purchases (organisation, party, taxpayer, tries, stored_on, number)
    WHERE state = 'found';
-- The newest event of all that was there when a hook was made: it hears those after it. Of those that
-- are there, only what is still to be told matters.
ALTER TABLE hooks ADD COLUMN after_event INTEGER NOT NULL DEFAULT 0;
UPDATE hooks SET after_event = coalesce((SELECT max(u.event) FROM untold_events u
    JOIN events e ON e.seq = u.event
    WHERE u.organisation = hooks.organisation AND e.created_on < hooks.created_on), 0);
-- Reports that were given up with the file of their period go again in their order.
CREATE INDEX tax_reports_given_up
    ON tax_reports (organisation, party, declarant, gathered_until, created_on)
    WHERE state = 'failed';
