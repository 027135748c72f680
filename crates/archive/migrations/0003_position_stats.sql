-- The year in which a continuation was last played, for the explorer.
ALTER TABLE common ADD COLUMN last_year BIGINT NOT NULL DEFAULT 0;
DROP INDEX IF EXISTS common_most;
CREATE INDEX common_most ON common (full_key, games, next, won, lost, rated, ratings, best, best_standing, last_year);

-- All games of those positions, a thousand in a row, for queries with filters.
CREATE TABLE common_entries (
    full_key BIGINT NOT NULL,
    part BIGINT NOT NULL,
    entries BYTEA NOT NULL,
    PRIMARY KEY (full_key, part)
);

-- The pieces of the steps, 0 if unknown; the indexes of partial keys now contain them and the turn.
ALTER TABLE positions ADD COLUMN movers INTEGER NOT NULL DEFAULT 0;
DROP INDEX IF EXISTS by_middle;
DROP INDEX IF EXISTS by_home_left;
DROP INDEX IF EXISTS by_home_right;
DROP INDEX IF EXISTS by_away_left;
DROP INDEX IF EXISTS by_away_right;
DROP INDEX IF EXISTS by_piece;
DROP INDEX IF EXISTS by_piece_trap;

-- An archive with games has to create them before it can be queried: `surus archive import` without files does.
INSERT INTO archive_meta (name, value)
SELECT 'loading', '1' WHERE EXISTS (SELECT 1 FROM positions)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;
