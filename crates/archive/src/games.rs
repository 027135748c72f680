//! Games: headers and complete records.

use std::collections::HashMap;

use serde::Serialize;
use surus_record::{EventLog, in_lines};
use surus_rules::{Diagram, Game, TurnTag};

use crate::error::{ArchiveError, Result};
use crate::explore::{PositionQuery, for_each_match};
use crate::filter::{GameFilter, escape_like};
use crate::rank::PositionId;
use crate::store::{ArchiveDb, DbRow, Value};

/// The header of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameHeader {
    /// Its id in the archive.
    pub id: i64,
    /// Its id in the source, if any.
    pub external_id: Option<i64>,
    /// Gold's name.
    pub gold: String,
    /// Silver's name.
    pub silver: String,
    /// Gold's rating, if any.
    pub gold_rating: Option<i64>,
    /// Silver's rating, if any.
    pub silver_rating: Option<i64>,
    /// `h` for a human, `b` for a bot.
    pub gold_type: String,
    /// `h` for a human, `b` for a bot.
    pub silver_type: String,
    /// The event.
    pub event: String,
    /// Start time in seconds since 1970.
    pub started: Option<i64>,
    /// `g`, `s`, `d` for a draw, `u` for unknown.
    pub result: String,
    /// The termination code of the archive file.
    pub termination: String,
    /// Turns of both sides, including setups.
    pub turns: i64,
}

/// A complete game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FullGame {
    /// The header.
    #[serde(flatten)]
    pub header: GameHeader,
    /// Where it was played.
    pub site: String,
    /// The time control.
    pub time_control: String,
    /// The rule set.
    pub rules: String,
    /// The source file and line.
    pub source: String,
    /// The start position as `2g [64 characters]`; empty if the game started with setups.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// The game record, one turn per line.
    pub record: String,
    /// The clocks after its turns.
    #[serde(skip)]
    pub log: EventLog,
}

pub(crate) const HEADER_COLUMNS: &str = "g.id, g.external_id, g.gusername, g.susername, g.grating, g.srating, g.gtype, g.stype, g.event, \
     g.startts, g.result, g.termination, g.turns";

pub(crate) fn read_header(row: &DbRow<'_>) -> Result<GameHeader> {
    Ok(GameHeader {
        id: row.get_i64(0)?,
        external_id: row.get_opt_i64(1)?,
        gold: row.text(2)?,
        silver: row.text(3)?,
        gold_rating: row.get_opt_i64(4)?,
        silver_rating: row.get_opt_i64(5)?,
        gold_type: row.text(6)?,
        silver_type: row.text(7)?,
        event: row.text(8)?,
        started: row.get_opt_i64(9)?.filter(|&seconds| seconds > 0),
        result: row.text(10)?,
        termination: row.text(11)?,
        turns: row.get_i64(12)?,
    })
}

/// Loads the headers of games by id.
pub(crate) fn load_headers(store: &ArchiveDb, ids: &[i64]) -> Result<HashMap<i64, GameHeader>> {
    let mut found = HashMap::new();
    for chunk in ids.chunks(50) {
        let placeholders: Vec<String> = (1..=chunk.len()).map(|index| format!("${index}")).collect();
        let sql = format!("SELECT {HEADER_COLUMNS} FROM games g WHERE g.id IN ({})", placeholders.join(", "));
        let values: Vec<Value> = chunk.iter().map(|&id| id.into()).collect();
        for row in store.query(&sql, &values)? {
            let line = read_header(&row)?;
            found.insert(line.id, line);
        }
    }
    Ok(found)
}

/// Loads a game by its id in the archive.
pub fn game(store: &ArchiveDb, id: i64) -> Result<Option<FullGame>> {
    let sql = format!(
        "SELECT {HEADER_COLUMNS}, g.site, g.timecontrol, g.rules, g.source, g.line, r.movelist, r.events
         FROM games g JOIN records r ON r.game = g.id WHERE g.id = $1"
    );
    let rows = store.query(&sql, &[id.into()])?;
    let Some(row) = rows.first() else { return Ok(None) };
    let log = EventLog::parse(&in_lines(&row.text(19)?));
    Ok(Some(FullGame {
        header: read_header(row)?,
        site: row.text(13)?,
        time_control: row.text(14)?,
        rules: row.text(15)?,
        source: format!("{}:{}", row.text(16)?, row.get_i64(17)?),
        start: log.start.map_or_else(String::new, start),
        record: in_lines(&row.text(18)?),
        log,
    }))
}

fn start(Diagram { number, position }: Diagram) -> String {
    format!("{} [{}]", TurnTag { number, side: position.side() }, position.board().compact())
}

/// The deduplication key of a gameroom game.
pub(crate) fn gameroom_key(number: i64) -> String {
    format!("gameroom {number}")
}

/// The archive id of the game with this id in the gameroom.
pub fn find_by_external_id(store: &ArchiveDb, number: i64) -> Result<Option<i64>> {
    // Other sources number their games from 1 as well.
    let gameroom =
        store.query("SELECT id FROM games WHERE dedup_key = $1", &[gameroom_key(number).into()])?;
    let rows = if gameroom.is_empty() {
        store.query("SELECT id FROM games WHERE external_id = $1 ORDER BY id LIMIT 1", &[number.into()])?
    } else {
        gameroom
    };
    rows.first().map(|row| row.get_i64(0)).transpose()
}

/// Games that reached the position at the start of the current turn, best rank first; if `continuation` is given, only
/// those that continued with it.
pub fn games_through(
    store: &ArchiveDb,
    game: &Game,
    filters: &GameFilter,
    continuation: Option<&str>,
    limit: usize,
) -> Result<Vec<(PositionId, GameHeader)>> {
    let expected = continuation.map(|text| board_after(game, text)).transpose()?;
    let query = PositionQuery::new(game);
    let mut found: Vec<PositionId> = Vec::new();
    let mut visit = |id: PositionId, next: &[u8]| {
        let matches = expected.is_none_or(|board| query.board_after(next) == Some(board));
        if matches {
            found.push(id);
        }
        found.len() < limit
    };
    for_each_match(store, &query, filters, &mut visit)?;
    let ids: Vec<i64> = found.iter().map(|id| id.game()).collect();
    let lines = load_headers(store, &ids)?;
    Ok(found.into_iter().filter_map(|id| Some((id, lines.get(&id.game())?.clone()))).collect())
}

fn board_after(game: &Game, text: &str) -> Result<surus_rules::Board> {
    let mut next = Game::from_position(
        &surus_rules::Position::new(*game.turn_start(), game.side())
            .map_err(|error| ArchiveError::InvalidQuery(error.to_string()))?,
        game.tag().number,
        game.rules(),
    );
    next.play_text(text).map_err(|error| ArchiveError::InvalidQuery(format!("{text}: {error}")))?;
    Ok(*next.turn_start())
}

/// The record of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerStats {
    /// The name.
    pub name: String,
    /// Games played.
    pub games: i64,
    /// Games won.
    pub won: i64,
    /// The highest rating before a game.
    pub best_rating: Option<i64>,
}

/// Players whose names contain `query`, ignoring case, ordered by number of games.
pub fn search_players(store: &ArchiveDb, query: &str, limit: usize) -> Result<Vec<PlayerStats>> {
    let sql = "SELECT name, CAST(sum(games) AS BIGINT), CAST(sum(won) AS BIGINT), max(best) FROM (
            SELECT gusername AS name, count(*) AS games, sum(CASE WHEN result = 'g' THEN 1 ELSE 0 END) AS won,
                max(grating) AS best FROM games WHERE lower(gusername) LIKE $1 ESCAPE '!' GROUP BY gusername
            UNION ALL
            SELECT susername, count(*), sum(CASE WHEN result = 's' THEN 1 ELSE 0 END),
                max(srating) FROM games WHERE lower(susername) LIKE $1 ESCAPE '!' GROUP BY susername
        ) AS both_sides GROUP BY name ORDER BY 2 DESC, name LIMIT $2";
    let values = [format!("%{}%", escape_like(query)).into(), (limit as i64).into()];
    let player = |row: &DbRow<'_>| {
        Ok(PlayerStats {
            name: row.text(0)?,
            games: row.get_i64(1)?,
            won: row.get_i64(2)?,
            best_rating: row.get_opt_i64(3)?,
        })
    };
    store.query(sql, &values)?.iter().map(player).collect()
}

/// The games of a player, newest first.
pub fn games_by_player(store: &ArchiveDb, player: &str, limit: usize) -> Result<Vec<GameHeader>> {
    let sql = format!(
        "SELECT {HEADER_COLUMNS} FROM games g WHERE lower(g.gusername) = $1 OR lower(g.susername) = $1
         ORDER BY g.startts DESC, g.id DESC LIMIT $2"
    );
    store
        .query(&sql, &[player.to_lowercase().into(), (limit as i64).into()])?
        .iter()
        .map(read_header)
        .collect()
}
