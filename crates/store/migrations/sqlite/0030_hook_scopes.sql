-- Ids of hooks are unique within their scope: the environment, or a party. hooks.id stays the key by
-- which calls, batches, events and documents know a hook; shown is the id that its owner gave it,
-- null where that is the key.
ALTER TABLE hooks ADD COLUMN shown TEXT;
ALTER TABLE removed_hooks ADD COLUMN shown TEXT;
CREATE UNIQUE INDEX hooks_shown
    ON hooks (organisation, coalesce(party, ''), coalesce(shown, id));
