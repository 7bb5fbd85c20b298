-- Who of a lane may be taken or is in hand: they are counted each time one of them is done, whatever
-- waits behind them. Who waits has `tasks_in_line`.
DROP INDEX tasks_lane;
CREATE INDEX tasks_under_way ON tasks (lane, id) WHERE lane IS NOT NULL AND available_on IS NOT NULL;
