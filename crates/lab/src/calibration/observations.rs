//! Positions of finished games with their static evaluation and the result.

use surus_engine::eval::{Evaluation, explain};
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
    /// The static evaluation in centirabbits.
    pub score: f64,
    /// The value of each term in millirabbits, own minus opponent's; empty for a network.
    pub terms: Vec<i32>,
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
        let observations = observations(source.initial_game(source.rules), &replay.game, &self.evaluation);
        Some(ObservedGame { winner, loser_selected: selected[winner.other() as usize], observations })
    }
}

fn observations(mut game: Game, replayed: &Game, evaluation: &Evaluation) -> Vec<Observation> {
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
                        score: f64::from(evaluation.evaluate(board, side)) / 10.0,
                        terms: terms(board, side, evaluation),
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

fn terms(board: &Board, side: Side, evaluation: &Evaluation) -> Vec<i32> {
    let Evaluation::Handcrafted(weights) = evaluation else { return Vec::new() };
    let value = |sides: [i32; 2]| sides[side as usize] - sides[side.other() as usize];
    explain(weights, board, side).iter().map(|term| value(term.sides)).collect()
}
