//! A made-up archive of any size: setups and first turns out of a small book, then steps by chance.
//!
//! It is for measuring only. Every game depends on the seed and its own number alone.

use std::fmt::Write as _;
use std::io::{self, Write};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_play::{STANDARD_SETUPS, varied_setup};
use surus_record::{GameRow, Player, PlayerKind};
use surus_rules::{Action, Board, GameResult, Rules, Setup, Side, Termination, Turn, TurnTag};

/// What to make.
#[derive(Clone, Copy, Debug)]
pub struct SyntheticGames {
    /// How many games.
    pub games: u64,
    /// The same seed makes the same games.
    pub seed: u64,
}

/// What was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct SyntheticSummary {
    /// Games.
    pub games: u64,
    /// Positions in which something was played.
    pub positions: u64,
}

/// Turns of each side that come out of the book.
const BOOK_TURNS: u32 = 4;
/// Ways to go on that the book knows in a position.
const BOOK_BRANCHING: u64 = 3;
/// The first of January 2009: by then the rules were today's.
const FIRST_DAY: u64 = 1_230_768_000;
/// Three years in seconds.
const THREE_YEARS: u64 = 3 * 365 * 86_400;

impl SyntheticGames {
    /// Writes rows of the archive; `progress` hears of every game and says whether to go on.
    pub fn write(
        &self,
        out: &mut impl Write,
        mut progress: impl FnMut(&SyntheticSummary) -> bool,
    ) -> io::Result<SyntheticSummary> {
        let mut made = SyntheticSummary::default();
        writeln!(out, "{}", surus_record::header())?;
        for number in 1..=self.games {
            let Some((row, positions)) = game(self.seed, number) else { continue };
            made.positions += positions;
            made.games += 1;
            writeln!(out, "{row}")?;
            if !progress(&made) {
                break;
            }
        }
        Ok(made)
    }
}

impl SyntheticGames {
    /// The records of the games alone.
    pub(crate) fn records(&self) -> impl Iterator<Item = String> + use<> {
        let Self { games, seed } = *self;
        (1..=games).filter_map(move |number| game(seed, number)).map(|(row, _)| row.record)
    }
}

fn rng_for(seed: u64, more: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ more.wrapping_mul(0xbf58_476d_1ce4_e5b9),
    )
}

/// Half of the setups are the usual ones, as people have it.
fn setup(side: Side, chance: &mut Pcg64Mcg) -> Option<Setup> {
    if chance.random_bool(0.5) {
        return varied_setup(side, chance);
    }
    let (_, front, back) = STANDARD_SETUPS.choose(chance)?;
    let setup = Setup::from_rows(side, front, back).ok()?;
    Some(if chance.random_bool(0.5) { setup.mirrored() } else { setup })
}

/// Plays a game: its row, and how many turns it has, setups included.
fn game(seed: u64, number: u64) -> Option<(GameRow, u64)> {
    let mut chance = rng_for(seed, number);
    let mut board = Board::EMPTY;
    let mut record = String::with_capacity(2048);
    for side in Side::BOTH {
        let setup = setup(side, &mut chance)?;
        setup.place_on(&mut board);
        let _ = writeln!(record, "1{} {setup}", side.letter());
    }
    let most = chance.random_range(20..110);
    let mut tag = TurnTag { number: 2, side: Side::Gold };
    let mut seen: Vec<u64> = Vec::with_capacity(most);
    let mut plies = 2;
    let mut actions = Vec::with_capacity(128);
    let mut ending = None;
    while plies < most && ending.is_none() {
        let Some((turn, next)) = turn(&board, tag, &seen, &mut chance, &mut actions) else { break };
        let _ = write!(record, "{tag} ");
        write_turn(&mut record, &board, &turn);
        record.push('\n');
        board = next;
        seen.push(key(&board, tag.side));
        ending = GameResult::from_board(&board, tag.side, Rules::Official);
        plies += 1;
        tag = tag.next();
    }
    let _ = write!(record, "{tag}");
    let winner = ending.and_then(|ending| ending.winner).unwrap_or(tag.side.other());
    let reason = ending.map_or(Termination::Resignation, |ending| ending.reason);
    let ratings = [(); 2].map(|()| 1200 + chance.random_range(0..700) + chance.random_range(0..700));
    // The type is part of what a seed means.
    let players: [i32; 2] = [(); 2].map(|()| chance.random_range(1..2000));
    let started = FIRST_DAY + chance.random_range(0..THREE_YEARS);
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
        event: "Made up".into(),
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

/// The same board with another side to move is another position.
fn key(board: &Board, mover: Side) -> u64 {
    board.key() ^ mover as u64
}

fn write_turn(record: &mut String, board: &Board, turn: &Turn) {
    record.push_str(&board.notation(turn));
}

/// Any steps, or in the beginning one of a few turns that the position itself decides.
fn turn(
    board: &Board,
    tag: TurnTag,
    seen: &[u64],
    chance: &mut Pcg64Mcg,
    actions: &mut Vec<Action>,
) -> Option<(Turn, Board)> {
    for _ in 0..20 {
        let mut own = (tag.number <= BOOK_TURNS + 1)
            .then(|| rng_for(board.key(), chance.random_range(0..BOOK_BRANCHING)));
        let found = steps(board, tag.side, own.as_mut().unwrap_or(chance), actions);
        let allowed = |next: &Board| {
            next != board && seen.iter().filter(|&&known| known == key(next, tag.side)).count() < 2
        };
        if let Some((turn, next)) = found
            && allowed(&next)
        {
            return Some((turn, next));
        }
    }
    None
}

fn steps(
    start: &Board,
    side: Side,
    chance: &mut Pcg64Mcg,
    actions: &mut Vec<Action>,
) -> Option<(Turn, Board)> {
    let (mut board, mut turn) = (*start, Turn::EMPTY);
    let most = chance.random_range(2..=Turn::MAX);
    while turn.len() < most {
        actions.clear();
        board.for_each_action(side, (Turn::MAX - turn.len()) as u8, |action| actions.push(action));
        let Some(&action) = actions.choose(chance) else { break };
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
    fn the_same_seed_makes_the_same_legal_games() {
        let write = |seed| {
            let mut out = Vec::new();
            let made = SyntheticGames { games: 40, seed }.write(&mut out, |_| true).unwrap();
            (made, String::from_utf8(out).unwrap())
        };
        let (made, text) = write(1);
        assert_eq!((made, &text), (write(1).0, &write(1).1));
        assert_ne!(text, write(2).1);
        let games = surus_record::parse_games(&text).unwrap();
        let mut turns = 0;
        for source in &games {
            let record = surus_rules::Record::parse(&source.record).unwrap();
            let replay = record.replay(source.rules, surus_rules::Handicap::None);
            turns += replay.unwrap_or_else(|error| panic!("{}: {error}", source.name)).game.entries().len();
        }
        assert_eq!((games.len() as u64, turns as u64), (made.games, made.positions));
        assert!(20 * 20 < turns);
    }
}
