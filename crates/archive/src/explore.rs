//! The opening explorer: what was played from a position, and the results of those games.

use std::collections::HashMap;

use serde::Serialize;
use surus_rules::{Board, Game, Phase, Setup, Side};

use crate::error::Result;
use crate::filter::GameFilter;
use crate::games::{GameHeader, load_headers};
use crate::pack::{SetupOrTurn, decode_turn, transform_turn, unpack_played};
use crate::position_stats::{self, ResultStats};
use crate::rank::{PositionAttributes, PositionId, Rank};
use crate::setups::{oriented_setup_name, setup_name};
use crate::store::{ArchiveDb, Value};
use crate::view::MoverBoard;

/// Continuations that come with their top game.
const TOP_GAMES: usize = 12;

/// Continuations that are returned.
const MAX_CONTINUATIONS: usize = 200;

/// What was played from a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplorerResult {
    /// The side to move or to set up: `g` or `s`.
    pub side: char,
    /// Games that reached the position.
    pub games: u64,
    /// Games won by gold.
    pub gold_wins: u64,
    /// Games won by silver.
    pub silver_wins: u64,
    /// The number of distinct continuations.
    pub distinct_continuations: usize,
    /// The most frequent continuations, at most 200.
    pub continuations: Vec<Continuation>,
}

/// A turn or setup that was played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Continuation {
    /// Its most frequent notation; other turns to the same board are included in the counts.
    pub turn: String,
    /// The name of a setup.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Games that continued with it.
    pub games: u64,
    /// Games won by gold.
    pub gold_wins: u64,
    /// Games won by silver.
    pub silver_wins: u64,
    /// The mean rating of the players who played it, where known.
    pub rating: Option<u32>,
    /// The year in which it was last played, if known.
    pub last_year: Option<u32>,
    /// The highest-ranked game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_game: Option<GameHeader>,
    /// The position in that game.
    pub top_position: i64,
}

/// The position of a query.
#[derive(Clone, Debug)]
pub(crate) struct PositionQuery {
    pub(crate) board: Board,
    pub(crate) side: Side,
    pub(crate) key: i64,
    mirrored: bool,
    /// Whether the position is its own mirror image, like the empty board.
    symmetric: bool,
}

impl PositionQuery {
    /// The position at the start of the current turn.
    pub(crate) fn new(game: &Game) -> Self {
        let (board, side) = (*game.turn_start(), game.side());
        let pattern = MoverBoard::new(&board, side).full();
        Self {
            board,
            side,
            key: pattern.key as i64,
            mirrored: pattern.mirrored,
            symmetric: pattern.symmetric,
        }
    }

    /// A stored turn in the orientation of the query; `None` if symmetry is off and it was played in another orientation.
    fn oriented(&self, side: i32, mirrored: bool, played: &[u8], symmetry: bool) -> Option<Vec<u8>> {
        let (mirror, flip) = (mirrored != self.mirrored, side != self.side as i32);
        (symmetry || !mirror && !flip).then(|| transform_turn(played, mirror, flip))
    }

    /// A turn of the position statistics in the orientation of the query.
    fn to_query_orientation(&self, played: &[u8]) -> Vec<u8> {
        transform_turn(played, self.mirrored, self.side == Side::Silver && played.len() != 8)
    }

    /// The board after a packed turn or setup in the orientation of the query.
    pub(crate) fn board_after(&self, played: &[u8]) -> Option<Board> {
        match unpack_played(played, &self.board, self.side)? {
            SetupOrTurn::Setup(setup) => {
                let mut board = self.board;
                setup.place_on(&mut board);
                Some(board)
            }
            SetupOrTurn::Turn(turn) => {
                Some(turn.steps().fold(self.board, |board, step| board.after_step(step)))
            }
        }
    }

    fn notation(&self, played: &[u8]) -> (String, Option<String>) {
        match unpack_played(played, &self.board, self.side) {
            // Before gold's setup the wings are equal; silver's depends on gold's.
            Some(SetupOrTurn::Setup(setup)) if self.symmetric => (setup.to_string(), setup_name(&setup)),
            Some(SetupOrTurn::Setup(setup)) => (setup.to_string(), oriented_setup_name(&setup)),
            _ => (
                decode_turn(played, &self.board).map_or_else(String::new, |turn| self.board.notation(&turn)),
                None,
            ),
        }
    }
}

/// Visits the matching positions, best rank first, with what was played in the orientation of the query, until `visit`
/// returns false.
pub(crate) fn for_each_match(
    store: &ArchiveDb,
    query: &PositionQuery,
    filters: &GameFilter,
    visit: &mut dyn FnMut(PositionId, &[u8]) -> bool,
) -> Result<()> {
    scan(store, query, filters, &mut |id, _, _, played| visit(id, played))
}

/// Called with a position's id, rank and attributes and what was played.
type PositionVisitor<'a> = dyn FnMut(PositionId, Rank, PositionAttributes, &[u8]) -> bool + 'a;

/// The first page is small because a few rows are usually enough; each further page is eight times as large. Pages are
/// needed because a server computes the complete result before it returns the first row.
const MIN_PAGE_SIZE: i64 = 256;
const MAX_PAGE_SIZE: i64 = 1 << 17;

/// Selects the rows after a given rank and id.
fn page_sql(conditions: &str) -> String {
    let join = if conditions.is_empty() { "" } else { "JOIN games g ON g.id = p.id / 65536" };
    format!(
        "SELECT p.id, p.rank, p.attributes, p.played FROM positions p {join}
         WHERE p.full_key = $1 AND (p.rank, p.id) > ($2, $3) {conditions}
         ORDER BY p.rank, p.id LIMIT $4"
    )
}

/// The query plans: of the position statistics, and of the positions themselves.
pub(crate) fn plan(store: &ArchiveDb, query: &PositionQuery) -> Result<Vec<String>> {
    let mut lines = position_stats::explain(store, query.key)?;
    let parameters = [query.key.into(), (-1i64).into(), 0i64.into(), MIN_PAGE_SIZE.into()];
    lines.extend(store.explain(&page_sql(""), &parameters)?);
    Ok(lines)
}

fn scan(
    store: &ArchiveDb,
    query: &PositionQuery,
    filters: &GameFilter,
    visit: &mut PositionVisitor<'_>,
) -> Result<()> {
    let (conditions, named) = filters.where_clause(5);
    let sql = page_sql(&conditions);
    let (mut last, mut page) = ((-1, 0), MIN_PAGE_SIZE);
    loop {
        let (mut rows, mut on) = (0, true);
        let parameters: [Value; 4] = [query.key.into(), last.0.into(), last.1.into(), page.into()];
        store.for_each_row(&sql, &[&parameters[..], &named[..]].concat(), |row| {
            let (id, rank, attributes) = (
                PositionId(row.get_i64(0)?),
                Rank(row.get_i32(1)?),
                PositionAttributes::unpack(row.get_i32(2)?),
            );
            rows += 1;
            last = (rank.0, id.0);
            if filters.matches(rank, attributes, query.side) {
                let played = query.oriented(
                    id.side() as i32,
                    attributes.mirrored,
                    row.bytes(3)?,
                    !filters.no_symmetry,
                );
                on = played.is_none_or(|played| visit(id, rank, attributes, &played));
            }
            Ok(on)
        })?;
        if rows < page || !on {
            return Ok(());
        }
        page = (8 * page).min(MAX_PAGE_SIZE);
    }
}

/// What was played from the position at the start of the current turn. From a symmetric position, a turn is counted with its
/// mirror image, like the position after it, unless symmetry is off.
pub fn explore(store: &ArchiveDb, game: &Game, filters: &GameFilter) -> Result<ExplorerResult> {
    explore_with(store, game, filters, TOP_GAMES, Mirrored::Merged)
}

/// Whether a turn and its mirror image from a symmetric position are counted as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mirrored {
    Merged,
    Separate,
}

/// Like [`explore`], with top games for the first `samples` continuations only: each is a random access to the database.
pub(crate) fn explore_with(
    store: &ArchiveDb,
    game: &Game,
    filters: &GameFilter,
    samples: usize,
    mirrored: Mirrored,
) -> Result<ExplorerResult> {
    let query = PositionQuery::new(game);
    let merge_mirrored = mirrored == Mirrored::Merged && query.symmetric && !filters.no_symmetry;
    // Setups have only one notation.
    let is_distinct = matches!(game.phase(), Phase::Setup(_)) && !merge_mirrored;
    let merge = |continuations: Vec<(Vec<u8>, ResultStats)>| {
        if is_distinct { continuations } else { merge_equal(&query, continuations, merge_mirrored) }
    };
    if filters.is_unrestricted()
        && let Some(precomputed) = position_stats::load(store, query.key, is_distinct)?
    {
        let here = |(played, stats): (Vec<u8>, ResultStats)| (query.to_query_orientation(&played), stats);
        let continuations = merge(precomputed.continuations.into_iter().map(here).collect());
        let distinct = is_distinct.then_some(precomputed.distinct);
        return build_result(store, &query, precomputed.total, distinct, continuations, samples);
    }
    let mut groups: HashMap<Vec<u8>, ResultStats> = HashMap::new();
    let mut sum = ResultStats::default();
    let mut count = |id, rank, attributes, played: &[u8]| {
        let stats = ResultStats::from_game(id, rank, attributes);
        sum.add(&stats);
        match groups.get_mut(played) {
            Some(existing) => existing.add(&stats),
            None => {
                groups.insert(played.to_vec(), stats);
            }
        }
        true
    };
    // Player and event names are stored with the games only.
    let precomputed = filters.where_clause(1).1.is_empty()
        && position_stats::for_each_entry(store, query.key, |id: PositionId, rank, attributes, played| {
            if filters.matches(rank, attributes, query.side)
                && let Some(played) =
                    query.oriented(id.side() as i32, attributes.mirrored, played, !filters.no_symmetry)
            {
                count(id, rank, attributes, &played);
            }
        })?;
    if !precomputed {
        scan(store, &query, filters, &mut count)?;
    }
    let continuations = merge(groups.into_iter().collect());
    build_result(store, &query, sum, None, continuations, samples)
}

/// Merges turns that lead to the same board, or to its mirror image.
fn merge_equal(
    query: &PositionQuery,
    continuations: Vec<(Vec<u8>, ResultStats)>,
    merge_mirrored: bool,
) -> Vec<(Vec<u8>, ResultStats)> {
    let mut boards: HashMap<Board, (ResultStats, i64, Vec<u8>)> = HashMap::new();
    for (played, stats) in continuations {
        let Some(mut board) = query.board_after(&played) else { continue };
        if merge_mirrored && MoverBoard::new(&board, query.side).full().mirrored {
            board = board.mirrored();
        }
        let (all, top_games, notation) = boards.entry(board).or_default();
        all.add(&stats);
        if *top_games == 0 || (stats.games, &*notation) > (*top_games, &played) {
            (*top_games, *notation) = (stats.games, played);
        }
    }
    boards.into_values().map(|(stats, _, notation)| (notation, stats)).collect()
}

/// Sorts the continuations and formats the most frequent ones.
fn build_result(
    store: &ArchiveDb,
    query: &PositionQuery,
    sum: ResultStats,
    distinct: Option<usize>,
    mut continuations: Vec<(Vec<u8>, ResultStats)>,
    samples: usize,
) -> Result<ExplorerResult> {
    continuations.sort_by(|(x, a), (y, b)| {
        (b.games, a.top_rank, a.top_position_id, x).cmp(&(a.games, b.top_rank, b.top_position_id, y))
    });
    let distinct = distinct.unwrap_or(continuations.len());
    continuations.truncate(MAX_CONTINUATIONS);
    let best: Vec<i64> = continuations
        .iter()
        .take(samples)
        .map(|(_, stats)| PositionId(stats.top_position_id).game())
        .collect();
    let headers = load_headers(store, &best)?;
    let colours = |stats: &ResultStats| {
        let (won, lost) = (stats.won.unsigned_abs(), stats.lost.unsigned_abs());
        if query.side == Side::Gold { (won, lost) } else { (lost, won) }
    };
    let continuation = |(played, stats): (Vec<u8>, ResultStats)| {
        let (gold, silver) = colours(&stats);
        let (turn, name) = query.notation(&played);
        Continuation {
            turn,
            name,
            games: stats.games.unsigned_abs(),
            gold_wins: gold,
            silver_wins: silver,
            rating: (stats.rated_games != 0).then(|| (stats.rating_sum / stats.rated_games) as u32),
            last_year: u32::try_from(stats.last_year).ok().filter(|&year| year > 0),
            top_game: headers.get(&PositionId(stats.top_position_id).game()).cloned(),
            top_position: stats.top_position_id,
        }
    };
    let (gold, silver) = colours(&sum);
    let continuations = continuations.into_iter().map(continuation).collect();
    Ok(ExplorerResult {
        side: query.side.letter(),
        games: sum.games.unsigned_abs(),
        gold_wins: gold,
        silver_wins: silver,
        distinct_continuations: distinct,
        continuations,
    })
}

impl Continuation {
    /// Parses the turn as a setup of `side`.
    #[must_use]
    pub fn setup(&self, side: Side) -> Option<Setup> {
        Setup::parse(&self.turn, side, surus_rules::Handicap::Allowed).ok()
    }
}
