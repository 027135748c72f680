//! What was played from a position, and how those games went.

use std::collections::HashMap;

use serde::Serialize;
use surus_rules::{Board, Game, Setup, Side};

use crate::common::{self, Tally, Way};
use crate::error::Result;
use crate::filter::Filters;
use crate::games::{GameLine, lines};
use crate::pack::{Next, turn_on, turned, unpack_next};
use crate::rank::{About, PositionId, Rank};
use crate::setups::setup_name;
use crate::store::Store;
use crate::view::View;

/// Choices that are told with a game.
const SAMPLES: usize = 40;

/// What was played from a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Exploration {
    /// g or s: who is to set up or to move.
    pub side: char,
    /// How many games went through the position.
    pub games: u64,
    /// How many of them gold won.
    pub gold: u64,
    /// How many of them silver won.
    pub silver: u64,
    /// What was played, most often first.
    pub choices: Vec<Choice>,
}

/// One way to go on.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Choice {
    /// The turn or setup, in the wording that was used most; others that lead to the same board are counted with it.
    pub turn: String,
    /// What a setup is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many games.
    pub games: u64,
    /// How many of them gold won.
    pub gold: u64,
    /// How many of them silver won.
    pub silver: u64,
    /// The average rating of those who played it and have one.
    pub rating: Option<u32>,
    /// The game that the document ranks first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<GameLine>,
    /// The position in that game.
    pub best: i64,
}

/// The position that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) board: Board,
    pub(crate) side: Side,
    pub(crate) key: i64,
    mirrored: bool,
}

impl Asked {
    /// The position at the start of the running turn.
    pub(crate) fn new(game: &Game) -> Self {
        let (board, side) = (*game.turn_start(), game.side());
        let pattern = View::new(&board, side).full();
        Self { board, side, key: pattern.key as i64, mirrored: pattern.mirrored }
    }

    /// What was played, as it would be played here; nothing if images don't count and this is another.
    fn turned(&self, side: i32, mirrored: bool, next: &[u8], symmetry: bool) -> Option<Vec<u8>> {
        let (mirror, flip) = (mirrored != self.mirrored, side != self.side as i32);
        (symmetry || !mirror && !flip).then(|| turned(next, mirror, flip))
    }

    /// The board that these bytes, which are for this position, lead to.
    pub(crate) fn board_after(&self, next: &[u8]) -> Option<Board> {
        match unpack_next(next, &self.board, self.side)? {
            Next::Setup(setup) => {
                let mut board = self.board;
                setup.place_on(&mut board);
                Some(board)
            }
            Next::Turn(turn) => Some(turn.steps().fold(self.board, |board, step| board.after(step))),
        }
    }

    fn words(&self, next: &[u8]) -> (String, Option<String>) {
        match unpack_next(next, &self.board, self.side) {
            Some(Next::Setup(setup)) => (setup.to_string(), setup_name(&setup)),
            _ => {
                (turn_on(next, &self.board).map_or_else(String::new, |turn| self.board.notation(&turn)), None)
            }
        }
    }
}

/// Visits the positions of a question that the filters let through, the best first, with what was played there as it would
/// be played here; until the visitor says false.
pub(crate) fn each_filtered(
    store: &Store,
    asked: &Asked,
    filters: &Filters,
    visit: &mut dyn FnMut(PositionId, &[u8]) -> bool,
) -> Result<()> {
    each_told(store, asked, filters, &mut |id, _, _, next| visit(id, next))
}

/// Takes a position with its rank, what is known of it and what was played.
type Visit<'a> = dyn FnMut(PositionId, Rank, About, &[u8]) -> bool + 'a;

fn each_told(store: &Store, asked: &Asked, filters: &Filters, visit: &mut Visit<'_>) -> Result<()> {
    let (conditions, mut values) = filters.conditions(2);
    let join = if conditions.is_empty() { "" } else { "JOIN games g ON g.id = p.id / 65536" };
    let sql = format!(
        "SELECT p.id, p.standing, p.about, p.next FROM positions p {join}
         WHERE p.full_key = $1 {conditions} ORDER BY p.standing, p.id"
    );
    values.insert(0, asked.key.into());
    store.each(&sql, &values, |row| {
        let (id, rank, about) = (PositionId(row.whole(0)?), Rank(row.int(1)?), About::unpack(row.int(2)?));
        if !filters.admit(rank, about, asked.side) {
            return Ok(true);
        }
        let next = asked.turned(id.side() as i32, about.mirrored, row.bytes(3)?, !filters.no_symmetry);
        Ok(next.is_none_or(|next| visit(id, rank, about, &next)))
    })
}

/// What was played from the position at the start of the game's running turn.
pub fn explore(store: &Store, game: &Game, filters: &Filters) -> Result<Exploration> {
    let asked = Asked::new(game);
    let mut groups: HashMap<Vec<u8>, Tally> = HashMap::new();
    let mut add = |next: Vec<u8>, tally: &Tally| groups.entry(next).or_default().add(tally);
    let counted = filters.are_none()
        && common::of(store, asked.key, |Way { side, mirrored, next }, tally| {
            if let Some(next) = asked.turned(side, mirrored == 1, next, true) {
                add(next, &tally);
            }
        })?;
    if !counted {
        each_told(store, &asked, filters, &mut |id, rank, about, next| {
            add(next.to_vec(), &Tally::of(id, rank, about));
            true
        })?;
    }
    told(store, &asked, groups)
}

/// Joins the wordings that lead to the same board.
fn told(store: &Store, asked: &Asked, wordings: HashMap<Vec<u8>, Tally>) -> Result<Exploration> {
    let mut boards: HashMap<Board, (Tally, i64, Vec<u8>)> = HashMap::new();
    for (next, tally) in wordings {
        let Some(board) = asked.board_after(&next) else { continue };
        let (all, most, words) = boards.entry(board).or_default();
        all.add(&tally);
        if (*most, &next) < (tally.games, words) || *most == 0 {
            (*most, *words) = (tally.games, next);
        }
    }
    let mut ways: Vec<(Tally, Vec<u8>)> =
        boards.into_values().map(|(tally, _, words)| (tally, words)).collect();
    ways.sort_by(|(a, x), (b, y)| {
        (b.games, a.best_standing, a.best, x).cmp(&(a.games, b.best_standing, b.best, y))
    });
    let best: Vec<i64> = ways.iter().take(SAMPLES).map(|(tally, _)| PositionId(tally.best).game()).collect();
    let lines = lines(store, &best)?;
    let mut found =
        Exploration { side: asked.side.letter(), games: 0, gold: 0, silver: 0, choices: Vec::new() };
    for (tally, next) in ways {
        let (won, lost) = (tally.won.unsigned_abs(), tally.lost.unsigned_abs());
        let (gold, silver) = if asked.side == Side::Gold { (won, lost) } else { (lost, won) };
        let (turn, name) = asked.words(&next);
        let sample = lines.get(&PositionId(tally.best).game()).cloned();
        let rating = (tally.rated != 0).then(|| (tally.ratings / tally.rated) as u32);
        let games = tally.games.unsigned_abs();
        found.games += games;
        found.gold += gold;
        found.silver += silver;
        found.choices.push(Choice { turn, name, games, gold, silver, rating, sample, best: tally.best });
    }
    Ok(found)
}

impl Choice {
    /// Reads the setup that the choice is, of this side.
    #[must_use]
    pub fn setup(&self, side: Side) -> Option<Setup> {
        Setup::parse(&self.turn, side, surus_rules::Handicap::Allowed).ok()
    }
}
