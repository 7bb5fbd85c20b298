-- is_told: 0 from the moment that this store was taken in place of the one before until a start has
-- told it. A start that ends on a wrong setting has told nothing.
ALTER TABLE continuity ADD COLUMN is_told INTEGER NOT NULL DEFAULT 1;
