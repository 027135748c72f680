CREATE TABLE archive_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- [McKee, table 2], with the columns that newer archive files have. The turns are in records.
CREATE TABLE games (
    id BIGINT PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE,
    number BIGINT,
    gplayerid BIGINT,
    splayerid BIGINT,
    gusername TEXT NOT NULL,
    susername TEXT NOT NULL,
    gtitle TEXT NOT NULL,
    stitle TEXT NOT NULL,
    gcountry TEXT NOT NULL,
    scountry TEXT NOT NULL,
    grating BIGINT,
    srating BIGINT,
    gratingk BIGINT,
    sratingk BIGINT,
    gtype TEXT NOT NULL,
    stype TEXT NOT NULL,
    event TEXT NOT NULL,
    site TEXT NOT NULL,
    timecontrol TEXT NOT NULL,
    postal BIGINT,
    startts BIGINT,
    endts BIGINT,
    result TEXT NOT NULL,
    termination TEXT NOT NULL,
    plycount BIGINT,
    mode TEXT NOT NULL,
    rated BIGINT,
    corrupt BIGINT,
    rules TEXT NOT NULL,
    turns BIGINT NOT NULL,
    takebacks BIGINT NOT NULL,
    source TEXT NOT NULL,
    line BIGINT NOT NULL
);
CREATE INDEX games_gold ON games (gusername);
CREATE INDEX games_silver ON games (susername);
CREATE INDEX games_number ON games (number);

CREATE TABLE records (game BIGINT PRIMARY KEY, movelist TEXT NOT NULL, events TEXT NOT NULL);

-- [McKee, table 3]. A position's id is its game's id times 65536, plus twice its turn number (from 0), plus its side.
-- Candidates are sorted by standing; about holds what the explorer filters by (docs/archive.md).
CREATE TABLE positions (
    id BIGINT PRIMARY KEY,
    standing INTEGER NOT NULL,
    about INTEGER NOT NULL,
    board BYTEA NOT NULL,
    next BYTEA NOT NULL,
    full_key BIGINT NOT NULL,
    middle_key INTEGER,
    home_left_key INTEGER,
    home_right_key INTEGER,
    away_left_key INTEGER,
    away_right_key INTEGER,
    piece_key INTEGER,
    piece_trap_key INTEGER
);

-- What was played in positions that many games went through, counted in advance from the side to move's point of view,
-- in the orientation whose key is stored. The row with an empty next is the total.
CREATE TABLE common (
    full_key BIGINT NOT NULL,
    next BYTEA NOT NULL,
    games BIGINT NOT NULL,
    won BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    rated BIGINT NOT NULL,
    ratings BIGINT NOT NULL,
    best BIGINT NOT NULL,
    best_standing BIGINT NOT NULL,
    PRIMARY KEY (full_key, next)
);
-- Contains all columns, so that the most common continuations are read from the index alone.
CREATE INDEX common_most ON common (full_key, games, next, won, lost, rated, ratings, best, best_standing);
