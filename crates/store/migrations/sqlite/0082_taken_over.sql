-- A hook that is made anew takes over what the removed one was owed, a piece a commit: by whom it is
-- taken, and up to which event of the organisation that one was owed what happened. The calls of a
-- piece are found in their order.
ALTER TABLE removed_hooks ADD COLUMN taken_by TEXT;
ALTER TABLE removed_hooks ADD COLUMN told INTEGER;
CREATE INDEX removed_hooks_taken ON removed_hooks (organisation, taken_by) WHERE taken_by IS NOT NULL;
DROP INDEX hook_calls_pending;
CREATE INDEX hook_calls_pending ON hook_calls (organisation, hook, event) WHERE state = 'pending';
DROP INDEX hook_calls_held;
CREATE INDEX hook_calls_held ON hook_calls (organisation, hook, event) WHERE held = 1;
