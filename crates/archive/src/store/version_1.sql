CREATE TABLE archive_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- Table 2 of the document, with the columns that files of today have more. The turns are in records.
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

-- Table 3 of the document. The number of a position is its game's times 65536, plus its turn's and side's;
-- standing is what candidates are ranked by; about is what the explorer filters by (docs/archive.md).
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

-- What was played in the positions that very many games went through, counted beforehand, as the side to move sees it
-- and in the image whose key is kept. An empty next is the sum.
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
-- With all columns, so that the most common ones are read from one place.
CREATE INDEX common_most ON common (full_key, games, next, won, lost, rated, ratings, best, best_standing);
