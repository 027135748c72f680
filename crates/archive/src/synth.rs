//! A synthetic archive of any size, for benchmarks: setups and first turns from a small book, then random steps. Every
//! game depends on the seed and its number only.

use std::fmt::Write as _;
use std::io::{self, Write};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_play::{STANDARD_SETUPS, varied_setup};
use surus_record::{GameRow, Player, PlayerKind};
use surus_rules::{Action, Board, GameResult, Rules, Setup, Side, Termination, Turn, TurnTag};

/// What to generate.
#[derive(Clone, Copy, Debug)]
pub struct SyntheticGames {
    /// The number of games.
    pub games: u64,
    /// The random seed.
    pub seed: u64,
}

/// What was generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct SyntheticSummary {
    /// Games.
    pub games: u64,
    /// Positions.
    pub positions: u64,
}

/// Turns of each side in the book.
const BOOK_TURNS: u32 = 4;
/// Continuations of a book position.
const BOOK_BRANCHING: u64 = 3;
/// 1 January 2009, when the current rules applied.
const FIRST_DAY: u64 = 1_230_768_000;
/// Three years in seconds.
const THREE_YEARS: u64 = 3 * 365 * 86_400;

impl SyntheticGames {
    /// Writes archive rows; `progress` is called after every game and returns whether to continue.
    pub fn write(
        &self,
        out: &mut impl Write,
        mut progress: impl FnMut(&SyntheticSummary) -> bool,
    ) -> io::Result<SyntheticSummary> {
        let mut summary = SyntheticSummary::default();
        writeln!(out, "{}", surus_record::header())?;
        for number in 1..=self.games {
            let Some((row, positions)) = game(self.seed, number) else { continue };
            summary.positions += positions;
            summary.games += 1;
            writeln!(out, "{row}")?;
            if !progress(&summary) {
                break;
            }
        }
        Ok(summary)
    }
}

impl SyntheticGames {
    /// The records of the games.
    pub(crate) fn records(&self) -> impl Iterator<Item = String> + use<> {
        let Self { games, seed } = *self;
        (1..=games).filter_map(move |number| game(seed, number)).map(|(row, _)| row.record)
    }
}

fn rng_for(seed: u64, salt: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt.wrapping_mul(0xbf58_476d_1ce4_e5b9),
    )
}

/// Half of the setups are standard ones, as in real games.
fn setup(side: Side, rng: &mut Pcg64Mcg) -> Option<Setup> {
    if rng.random_bool(0.5) {
        return varied_setup(side, rng);
    }
    let (_, front, back) = STANDARD_SETUPS.choose(rng)?;
    let setup = Setup::from_rows(side, front, back).ok()?;
    Some(if rng.random_bool(0.5) { setup.mirrored() } else { setup })
}

/// Plays a game; returns its row and the number of turns, including setups.
fn game(seed: u64, number: u64) -> Option<(GameRow, u64)> {
    let mut rng = rng_for(seed, number);
    let mut board = Board::EMPTY;
    let mut record = String::with_capacity(2048);
    for side in Side::BOTH {
        let setup = setup(side, &mut rng)?;
        setup.place_on(&mut board);
        let _ = writeln!(record, "1{} {setup}", side.letter());
    }
    let max_steps = rng.random_range(20..110);
    let mut tag = TurnTag { number: 2, side: Side::Gold };
    let mut seen: Vec<u64> = Vec::with_capacity(max_steps);
    let mut plies = 2;
    let mut actions = Vec::with_capacity(128);
    let mut result = None;
    while plies < max_steps && result.is_none() {
        let Some((turn, next)) = turn(&board, tag, &seen, &mut rng, &mut actions) else { break };
        let _ = write!(record, "{tag} ");
        write_turn(&mut record, &board, &turn);
        record.push('\n');
        board = next;
        seen.push(key(&board, tag.side));
        result = GameResult::from_board(&board, tag.side, Rules::Official);
        plies += 1;
        tag = tag.next();
    }
    let _ = write!(record, "{tag}");
    let winner = result.and_then(|result| result.winner).unwrap_or(tag.side.other());
    let reason = result.map_or(Termination::Resignation, |result| result.reason);
    let ratings = [(); 2].map(|()| 1200 + rng.random_range(0..700) + rng.random_range(0..700));
    // The integer type affects the random sequence.
    let players: [i32; 2] = [(); 2].map(|()| rng.random_range(1..2000));
    let started = FIRST_DAY + rng.random_range(0..THREE_YEARS);
    let player = |index: usize| Player {
        id: players[index].unsigned_abs().into(),
        name: format!("player{}", players[index]),
        title: String::new(),
        country: "US".into(),
        rating: Some(ratings[index]),
        rating_k: Some(30),
        kind: Some(if players[index] % 3 == 0 { PlayerKind::Bot } else { PlayerKind::Human }),
    };
    let row = GameRow {
        id: number,
        players: [player(0), player(1)],
        event: "Synthetic".into(),
        site: "synthetic".into(),
        time_control: "2/2/100/10/8".into(),
        postal: false,
        started,
        ended: started + 30 * plies as u64,
        winner: Some(winner),
        reason,
        turns: tag.number,
        mode: "IGS".into(),
        rated: true,
        record,
        events: String::new(),
    };
    Some((row, plies as u64))
}

/// The key of a board with the side to move.
fn key(board: &Board, mover: Side) -> u64 {
    board.key() ^ mover as u64
}

fn write_turn(record: &mut String, board: &Board, turn: &Turn) {
    record.push_str(&board.notation(turn));
}

/// Random steps, or in the book one of a few turns determined by the position.
fn turn(
    board: &Board,
    tag: TurnTag,
    seen: &[u64],
    rng: &mut Pcg64Mcg,
    actions: &mut Vec<Action>,
) -> Option<(Turn, Board)> {
    for _ in 0..20 {
        let mut book_rng =
            (tag.number <= BOOK_TURNS + 1).then(|| rng_for(board.key(), rng.random_range(0..BOOK_BRANCHING)));
        let found = steps(board, tag.side, book_rng.as_mut().unwrap_or(rng), actions);
        let allowed = |next: &Board| {
            next != board && seen.iter().filter(|&&previous| previous == key(next, tag.side)).count() < 2
        };
        if let Some((turn, next)) = found
            && allowed(&next)
        {
            return Some((turn, next));
        }
    }
    None
}

fn steps(start: &Board, side: Side, rng: &mut Pcg64Mcg, actions: &mut Vec<Action>) -> Option<(Turn, Board)> {
    let (mut board, mut turn) = (*start, Turn::EMPTY);
    let max_steps = rng.random_range(2..=Turn::MAX);
    while turn.len() < max_steps {
        actions.clear();
        board.for_each_action(side, (Turn::MAX - turn.len()) as u8, |action| actions.push(action));
        let Some(&action) = actions.choose(rng) else { break };
        board = board.after_action(action);
        for step in action.steps() {
            turn.push(step);
        }
    }
    (!turn.is_empty()).then_some((turn, board))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_generates_the_same_legal_games() {
        let write = |seed| {
            let mut out = Vec::new();
            let summary = SyntheticGames { games: 40, seed }.write(&mut out, |_| true).unwrap();
            (summary, String::from_utf8(out).unwrap())
        };
        let (summary, text) = write(1);
        assert_eq!((summary, &text), (write(1).0, &write(1).1));
        assert_ne!(text, write(2).1);
        let games = surus_record::parse_games(&text).unwrap();
        let mut turns = 0;
        for source in &games {
            let record = surus_rules::Record::parse(&source.record).unwrap();
            let replay = record.replay(source.rules, surus_rules::Handicap::None);
            turns += replay.unwrap_or_else(|error| panic!("{}: {error}", source.name)).game.entries().len();
        }
        assert_eq!((games.len() as u64, turns as u64), (summary.games, summary.positions));
        assert!(turns > 20 * 20);
    }
}
