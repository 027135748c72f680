-- Tables, columns and indexes get the names that docs/archive.md uses. No row changes.
DROP VIEW IF EXISTS table_3;

ALTER TABLE games RENAME COLUMN origin TO dedup_key;
ALTER TABLE games RENAME COLUMN number TO external_id;
DROP INDEX IF EXISTS games_gold;
DROP INDEX IF EXISTS games_silver;
DROP INDEX IF EXISTS games_number;
CREATE INDEX games_gold_name_idx ON games (gusername);
CREATE INDEX games_silver_name_idx ON games (susername);
CREATE INDEX games_external_id_idx ON games (external_id);

ALTER TABLE positions RENAME COLUMN standing TO rank;
ALTER TABLE positions RENAME COLUMN about TO attributes;
ALTER TABLE positions RENAME COLUMN next TO played;
ALTER TABLE positions RENAME COLUMN movers TO moved_pieces;
DROP INDEX IF EXISTS by_full;
DROP INDEX IF EXISTS by_middle;
DROP INDEX IF EXISTS by_home_left;
DROP INDEX IF EXISTS by_home_right;
DROP INDEX IF EXISTS by_away_left;
DROP INDEX IF EXISTS by_away_right;
DROP INDEX IF EXISTS by_piece;
DROP INDEX IF EXISTS by_piece_trap;

DROP INDEX IF EXISTS common_most;
ALTER TABLE common RENAME TO position_stats;
ALTER TABLE position_stats RENAME COLUMN next TO played;
ALTER TABLE position_stats RENAME COLUMN rated TO rated_games;
ALTER TABLE position_stats RENAME COLUMN ratings TO rating_sum;
ALTER TABLE position_stats RENAME COLUMN best TO top_position_id;
ALTER TABLE position_stats RENAME COLUMN best_standing TO top_rank;
CREATE INDEX position_stats_popularity_idx ON position_stats
    (full_key, games, played, won, lost, rated_games, rating_sum, top_position_id, top_rank, last_year);

ALTER TABLE common_entries RENAME TO position_stats_games;
ALTER TABLE position_stats_games RENAME COLUMN part TO block;
ALTER TABLE position_stats_games RENAME COLUMN entries TO packed_games;

DROP INDEX IF EXISTS wins_full;
DROP INDEX IF EXISTS wins_where;
ALTER TABLE wins RENAME TO known_wins;
ALTER TABLE known_wins RENAME COLUMN number TO external_id;
ALTER TABLE known_wins RENAME COLUMN next TO played;
CREATE INDEX known_wins_full_key_idx ON known_wins (full_key);
CREATE UNIQUE INDEX known_wins_unique ON known_wins (external_id, turn, side, played);

-- The rows of positions with their packed columns taken apart.
CREATE VIEW position_details AS
SELECT
    p.id AS id,
    p.id / 65536 AS game,
    (p.id % 65536) / 2 + 1 AS turn,
    CASE WHEN p.id % 2 = 0 THEN 'g' ELSE 's' END AS side,
    g.grating AS grating,
    g.srating AS srating,
    g.result AS winner,
    p.board AS board,
    p.played AS played,
    p.rank % 2048 AS turns_left
FROM positions p
JOIN games g ON g.id = p.id / 65536;

UPDATE archive_meta SET name = 'bulk_load_in_progress' WHERE name = 'loading';
UPDATE archive_meta SET name = 'stats_game_count' WHERE name = 'counted';
-- The indexes of positions are missing now: `surus archive import` without files creates them.
INSERT INTO archive_meta (name, value)
SELECT 'bulk_load_in_progress', '1' WHERE EXISTS (SELECT 1 FROM positions)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;
