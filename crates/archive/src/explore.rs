//! What was played from a position, and how those games went.

use std::collections::HashMap;

use serde::Serialize;
use surus_rules::{Board, Game, Phase, Setup, Side};

use crate::error::Result;
use crate::filter::GameFilter;
use crate::games::{GameHeader, load_headers};
use crate::pack::{SetupOrTurn, decode_turn, transform_turn, unpack_played};
use crate::position_stats::{self, ResultStats};
use crate::rank::{PositionAttributes, PositionId, Rank};
use crate::setups::setup_name;
use crate::store::{ArchiveDb, Value};
use crate::view::MoverBoard;

/// Choices that are told with a game.
const SAMPLES: usize = 12;

/// Choices that are put into words.
const MOST_CHOICES: usize = 200;

/// What was played from a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplorerResult {
    /// g or s: who is to set up or to move.
    pub side: char,
    /// How many games went through the position.
    pub games: u64,
    /// How many of them gold won.
    pub gold_wins: u64,
    /// How many of them silver won.
    pub silver_wins: u64,
    /// How many different ways to go on there are.
    pub distinct_continuations: usize,
    /// What was played, most often first; the two hundred most common ones.
    pub continuations: Vec<Continuation>,
}

/// One way to go on.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Continuation {
    /// The turn or setup, in the wording that was used most; others that lead to the same board are counted with it.
    pub turn: String,
    /// What a setup is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many games.
    pub games: u64,
    /// How many of them gold won.
    pub gold_wins: u64,
    /// How many of them silver won.
    pub silver_wins: u64,
    /// The average rating of those who played it and have one.
    pub rating: Option<u32>,
    /// The year in which it was played last, if any is known.
    pub last_year: Option<u32>,
    /// The game that the document ranks first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_game: Option<GameHeader>,
    /// The position in that game.
    pub top_position: i64,
}

/// The position that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct PositionQuery {
    pub(crate) board: Board,
    pub(crate) side: Side,
    pub(crate) key: i64,
    mirrored: bool,
}

impl PositionQuery {
    /// The position at the start of the running turn.
    pub(crate) fn new(game: &Game) -> Self {
        let (board, side) = (*game.turn_start(), game.side());
        let pattern = MoverBoard::new(&board, side).full();
        Self { board, side, key: pattern.key as i64, mirrored: pattern.mirrored }
    }

    /// What was played, as it would be played here; nothing if images don't count and this is another.
    fn oriented(&self, side: i32, mirrored: bool, next: &[u8], symmetry: bool) -> Option<Vec<u8>> {
        let (mirror, flip) = (mirrored != self.mirrored, side != self.side as i32);
        (symmetry || !mirror && !flip).then(|| transform_turn(next, mirror, flip))
    }

    /// What was played in the image that is kept, as it would be played here.
    fn to_query_orientation(&self, next: &[u8]) -> Vec<u8> {
        transform_turn(next, self.mirrored, self.side == Side::Silver && next.len() != 8)
    }

    /// The board that these bytes, which are for this position, lead to.
    pub(crate) fn board_after(&self, next: &[u8]) -> Option<Board> {
        match unpack_played(next, &self.board, self.side)? {
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

    fn notation(&self, next: &[u8]) -> (String, Option<String>) {
        match unpack_played(next, &self.board, self.side) {
            Some(SetupOrTurn::Setup(setup)) => (setup.to_string(), setup_name(&setup)),
            _ => (
                decode_turn(next, &self.board).map_or_else(String::new, |turn| self.board.notation(&turn)),
                None,
            ),
        }
    }
}

/// Visits the positions of a question that the filters let through, the best first, with what was played there as it would
/// be played here; until the visitor says false.
pub(crate) fn for_each_match(
    store: &ArchiveDb,
    asked: &PositionQuery,
    filters: &GameFilter,
    visit: &mut dyn FnMut(PositionId, &[u8]) -> bool,
) -> Result<()> {
    scan(store, asked, filters, &mut |id, _, _, next| visit(id, next))
}

/// Takes a position with its rank, what is known of it and what was played.
type PositionVisitor<'a> = dyn FnMut(PositionId, Rank, PositionAttributes, &[u8]) -> bool + 'a;

/// Rows that are read first, because most often a few will do; then eight times as many each time: a server would work
/// out the whole answer before it shows the first row.
const MIN_PAGE_SIZE: i64 = 256;
const MAX_PAGE_SIZE: i64 = 1 << 17;

/// The next rows behind a place, of games that fit the conditions.
fn page_sql(conditions: &str) -> String {
    let join = if conditions.is_empty() { "" } else { "JOIN games g ON g.id = p.id / 65536" };
    format!(
        "SELECT p.id, p.standing, p.about, p.next FROM positions p {join}
         WHERE p.full_key = $1 AND (p.standing, p.id) > ($2, $3) {conditions}
         ORDER BY p.standing, p.id LIMIT $4"
    )
}

/// How the database finds what was played: counted beforehand, or row by row.
pub(crate) fn plan(store: &ArchiveDb, asked: &PositionQuery) -> Result<Vec<String>> {
    let mut lines = position_stats::explain(store, asked.key)?;
    let place = [asked.key.into(), (-1i64).into(), 0i64.into(), MIN_PAGE_SIZE.into()];
    lines.extend(store.explain(&page_sql(""), &place)?);
    Ok(lines)
}

fn scan(
    store: &ArchiveDb,
    asked: &PositionQuery,
    filters: &GameFilter,
    visit: &mut PositionVisitor<'_>,
) -> Result<()> {
    let (conditions, named) = filters.where_clause(5);
    let sql = page_sql(&conditions);
    let (mut last, mut page) = ((-1, 0), MIN_PAGE_SIZE);
    loop {
        let (mut rows, mut on) = (0, true);
        let place: [Value; 4] = [asked.key.into(), last.0.into(), last.1.into(), page.into()];
        store.for_each_row(&sql, &[&place[..], &named[..]].concat(), |row| {
            let (id, rank, about) = (
                PositionId(row.get_i64(0)?),
                Rank(row.get_i32(1)?),
                PositionAttributes::unpack(row.get_i32(2)?),
            );
            rows += 1;
            last = (rank.0, id.0);
            if filters.matches(rank, about, asked.side) {
                let next =
                    asked.oriented(id.side() as i32, about.mirrored, row.bytes(3)?, !filters.no_symmetry);
                on = next.is_none_or(|next| visit(id, rank, about, &next));
            }
            Ok(on)
        })?;
        if rows < page || !on {
            return Ok(());
        }
        page = (8 * page).min(MAX_PAGE_SIZE);
    }
}

/// What was played from the position at the start of the game's running turn.
pub fn explore(store: &ArchiveDb, game: &Game, filters: &GameFilter) -> Result<ExplorerResult> {
    explore_with(store, game, filters, SAMPLES)
}

/// The same with a game for so many choices: each is a look into another corner of the store.
pub(crate) fn explore_with(
    store: &ArchiveDb,
    game: &Game,
    filters: &GameFilter,
    samples: usize,
) -> Result<ExplorerResult> {
    let asked = PositionQuery::new(game);
    let setups = matches!(game.phase(), Phase::Setup(_));
    if filters.is_unrestricted()
        && let Some(counted) = position_stats::load(store, asked.key, setups)?
    {
        let here = |(next, tally): (Vec<u8>, ResultStats)| (asked.to_query_orientation(&next), tally);
        let ways: Vec<_> = counted.continuations.into_iter().map(here).collect();
        let ways = if setups { ways } else { merge_transpositions(&asked, ways) };
        let distinct = setups.then_some(counted.distinct);
        return build_result(store, &asked, counted.total, distinct, ways, samples);
    }
    let mut groups: HashMap<Vec<u8>, ResultStats> = HashMap::new();
    let mut sum = ResultStats::default();
    let mut count = |id, rank, about, next: &[u8]| {
        let tally = ResultStats::from_game(id, rank, about);
        sum.add(&tally);
        match groups.get_mut(next) {
            Some(known) => known.add(&tally),
            None => {
                groups.insert(next.to_vec(), tally);
            }
        }
        true
    };
    // Names and events stand with the games only.
    let counted = filters.where_clause(1).1.is_empty()
        && position_stats::for_each_entry(store, asked.key, |id: PositionId, rank, about, next| {
            if filters.matches(rank, about, asked.side)
                && let Some(next) =
                    asked.oriented(id.side() as i32, about.mirrored, next, !filters.no_symmetry)
            {
                count(id, rank, about, &next);
            }
        })?;
    if !counted {
        scan(store, &asked, filters, &mut count)?;
    }
    let ways: Vec<(Vec<u8>, ResultStats)> = if setups {
        groups.into_iter().collect()
    } else {
        merge_transpositions(&asked, groups.into_iter().collect())
    };
    build_result(store, &asked, sum, None, ways, samples)
}

/// Joins the wordings of turns that lead to the same board; a setup has only one.
fn merge_transpositions(
    asked: &PositionQuery,
    wordings: Vec<(Vec<u8>, ResultStats)>,
) -> Vec<(Vec<u8>, ResultStats)> {
    let mut boards: HashMap<Board, (ResultStats, i64, Vec<u8>)> = HashMap::new();
    for (next, tally) in wordings {
        let Some(board) = asked.board_after(&next) else { continue };
        let (all, most, words) = boards.entry(board).or_default();
        all.add(&tally);
        if *most == 0 || (*most, &next) < (tally.games, words) {
            (*most, *words) = (tally.games, next);
        }
    }
    boards.into_values().map(|(tally, _, words)| (words, tally)).collect()
}

/// Sorts what was played and puts it into words.
fn build_result(
    store: &ArchiveDb,
    asked: &PositionQuery,
    sum: ResultStats,
    distinct: Option<usize>,
    mut ways: Vec<(Vec<u8>, ResultStats)>,
    samples: usize,
) -> Result<ExplorerResult> {
    ways.sort_by(|(x, a), (y, b)| {
        (b.games, a.best_standing, a.best, x).cmp(&(a.games, b.best_standing, b.best, y))
    });
    let distinct = distinct.unwrap_or(ways.len());
    ways.truncate(MOST_CHOICES);
    let best: Vec<i64> = ways.iter().take(samples).map(|(_, tally)| PositionId(tally.best).game()).collect();
    let lines = load_headers(store, &best)?;
    let colours = |tally: &ResultStats| {
        let (won, lost) = (tally.won.unsigned_abs(), tally.lost.unsigned_abs());
        if asked.side == Side::Gold { (won, lost) } else { (lost, won) }
    };
    let choice = |(next, tally): (Vec<u8>, ResultStats)| {
        let (gold, silver) = colours(&tally);
        let (turn, name) = asked.notation(&next);
        Continuation {
            turn,
            name,
            games: tally.games.unsigned_abs(),
            gold_wins: gold,
            silver_wins: silver,
            rating: (tally.rated != 0).then(|| (tally.ratings / tally.rated) as u32),
            last_year: u32::try_from(tally.last_year).ok().filter(|&year| 0 < year),
            top_game: lines.get(&PositionId(tally.best).game()).cloned(),
            top_position: tally.best,
        }
    };
    let (gold, silver) = colours(&sum);
    let choices = ways.into_iter().map(choice).collect();
    Ok(ExplorerResult {
        side: asked.side.letter(),
        games: sum.games.unsigned_abs(),
        gold_wins: gold,
        silver_wins: silver,
        distinct_continuations: distinct,
        continuations: choices,
    })
}

impl Continuation {
    /// Reads the setup that the choice is, of this side.
    #[must_use]
    pub fn setup(&self, side: Side) -> Option<Setup> {
        Setup::parse(&self.turn, side, surus_rules::Handicap::Allowed).ok()
    }
}
