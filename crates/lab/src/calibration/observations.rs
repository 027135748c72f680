//! Positions of finished games with their static evaluation and the result.

use surus_engine::eval::{TERMS, Weights, explain};
use surus_record::{ArchiveFile, ArchiveRow, Format, RawGame, ReadError};
use surus_rules::{Board, Game, Phase, PlayedTurn, Side};
use surus_tactics::{captures, steps_to_goal};

use super::Calibration;

/// A quiet position at the start of a turn, from the view of the side to move.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Number of the turn.
    pub turn: u32,
    /// The side to move.
    pub side: Side,
    /// The value of each term in millirabbits, own minus opponent's.
    pub terms: [i32; TERMS.len()],
}

impl Observation {
    /// The static evaluation in centirabbits.
    #[must_use]
    pub fn score(&self) -> f64 {
        f64::from(self.terms.iter().sum::<i32>()) / 10.0
    }
}

/// The observations of a game.
#[derive(Clone, Debug)]
pub struct ObservedGame {
    /// The side that won.
    pub winner: Side,
    /// Whether the loser is one of the players the calibration is about.
    pub loser_selected: bool,
    /// Its quiet positions.
    pub observations: Vec<Observation>,
}

/// The rows of an archive file, with or without a header line.
pub(super) fn rows(text: &str) -> Result<Vec<ArchiveRow>, ReadError> {
    let archive = match Format::detect(text)? {
        Format::ArchiveRows => ArchiveFile::parse_bare(text)?,
        _ => ArchiveFile::parse(text)?,
    };
    Ok(archive.rows)
}

impl Calibration {
    /// The observations of a game, or `None` if it is not selected, has no winner or an illegal turn.
    pub(super) fn observe(&self, row: &ArchiveRow) -> Option<ObservedGame> {
        let winner = row.winner()?;
        let rated = |name| row.get(name).parse::<u32>().is_ok_and(|rating| Some(rating) >= self.min_rating);
        if self.min_rating.is_some() && !(rated("grating") && rated("srating")) {
            return None;
        }
        let names = ["gusername", "susername"].map(|column| row.get(column));
        let selected = names.map(|name| self.player.as_ref().is_none_or(|player| name.contains(player)));
        if selected == [false; 2] {
            return None;
        }
        let source = RawGame::from(row);
        let (replay, problem) = source.replay(source.rules);
        if problem.is_some() {
            return None;
        }
        let observations = observations(source.initial_game(source.rules), &replay.game, &self.weights);
        Some(ObservedGame { winner, loser_selected: selected[winner.other() as usize], observations })
    }
}

fn observations(mut game: Game, replayed: &Game, weights: &Weights) -> Vec<Observation> {
    let mut found = Vec::new();
    for entry in replayed.entries() {
        let played = match &entry.played {
            PlayedTurn::Setup(setup) => game.play_setup(*setup),
            PlayedTurn::Turn(turn) => {
                let board = game.position().board();
                if let Phase::Play(side) = game.phase()
                    && is_quiet(board, side)
                {
                    found.push(Observation {
                        turn: game.tag().number,
                        side,
                        terms: terms(board, side, weights),
                    });
                }
                game.play(turn)
            }
        };
        if played.is_err() {
            break;
        }
    }
    found
}

/// The search resolves captures and goals, so that the static evaluation matters in quiet positions only.
fn is_quiet(board: &Board, side: Side) -> bool {
    captures(board, side, 4).is_empty()
        && steps_to_goal(board, side, 4).is_none()
        && steps_to_goal(board, side.other(), 4).is_none()
}

fn terms(board: &Board, side: Side, weights: &Weights) -> [i32; TERMS.len()] {
    let mut values = [0; TERMS.len()];
    for (value, term) in values.iter_mut().zip(explain(weights, board, side)) {
        let gold = term.sides[0] - term.sides[1];
        *value = if side == Side::Gold { gold } else { -gold };
    }
    values
}
