-- Who waits in a lane: the first of them is found at once, however many are under way before it.
CREATE INDEX tasks_in_line ON tasks (lane, id) WHERE available_on IS NULL;
