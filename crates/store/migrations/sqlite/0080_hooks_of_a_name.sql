-- The door of a hook is asked by anyone: its hooks are found without reading all others of their
-- organisation.
CREATE INDEX hooks_named ON hooks (organisation, coalesce(shown, id));
