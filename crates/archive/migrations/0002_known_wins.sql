-- [McKee, table 7]: positions with a known win in two turns.
CREATE TABLE wins (
    id BIGINT PRIMARY KEY,
    number BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    side SMALLINT NOT NULL,
    board BYTEA NOT NULL,
    next BYTEA NOT NULL,
    full_key BIGINT NOT NULL
);
CREATE INDEX wins_full ON wins (full_key);
CREATE UNIQUE INDEX wins_where ON wins (number, turn, side, next);

-- [McKee, table 3] with its packed columns taken apart.
CREATE VIEW table_3 AS
SELECT
    p.id AS id,
    p.id / 65536 AS game,
    (p.id % 65536) / 2 + 1 AS turn,
    CASE WHEN p.id % 2 = 0 THEN 'g' ELSE 's' END AS side,
    g.grating AS grating,
    g.srating AS srating,
    g.result AS winner,
    p.board AS board,
    p.next AS next,
    p.standing % 2048 AS turns_left
FROM positions p
JOIN games g ON g.id = p.id / 65536;
