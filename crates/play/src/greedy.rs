//! The engine `greedy`.

use std::sync::LazyLock;

use rand::seq::IndexedRandom;
use surus_rules::{Board, DistinctTurns, Game, GameResult, Phase, PieceKind, Score, Side, Turn};

use crate::random::{SeedOptions, turn_rng};
use crate::{
    Answer, Engine, EngineError, EngineId, Info, Job, Limits, OptionError, Options, Revision, TypedOptions,
    standard_setup,
};

/// Plays the distinct turn that reaches goal or else leaves the best material balance, with random choice among equals.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    options: TypedOptions<SeedOptions>,
}

/// Value in centirabbits.
const fn value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Rabbit => 100,
        PieceKind::Cat => 180,
        PieceKind::Dog => 240,
        PieceKind::Horse => 400,
        PieceKind::Camel => 600,
        PieceKind::Elephant => 1000,
    }
}

fn material(board: &Board, side: Side) -> i32 {
    PieceKind::ALL.into_iter().map(|kind| value(kind) * board.count(side, kind) as i32).sum()
}

/// The score of a board for the side that has just ended its turn on it.
fn score(board: &Board, mover: Side, game: &Game) -> Score {
    match GameResult::from_board(board, mover, game.rules()) {
        Some(GameResult { winner: Some(winner), .. }) if winner == mover => Score::Win { turns: 1 },
        Some(GameResult { winner: Some(_), .. }) => Score::Loss { turns: 1 },
        Some(GameResult { winner: None, .. }) => Score::Centirabbits(0),
        None => Score::Centirabbits(material(board, mover) - material(board, mover.other())),
    }
}

impl Engine for Greedy {
    fn id(&self) -> EngineId {
        static REVISION: LazyLock<String> =
            LazyLock::new(|| Revision::of(Greedy::default(), Limits::default()).to_string());
        EngineId::built_in("greedy", REVISION.as_str(), &[])
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.options.set(name, value)
    }

    fn new_game(&mut self) {}

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        let game = &job.game;
        let side = match game.phase() {
            Phase::Over(ending) => return Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => {
                return standard_setup(side).map(Answer::Setup).ok_or(EngineError::NoLegalTurn);
            }
            Phase::Play(side) => side,
        };
        let turns = DistinctTurns::new(game.position(), game.turn_start(), Turn::MAX as u8);
        let allowed = |turn: &Turn, board: &Board| {
            (job.search_turns.is_empty() || job.search_turns.contains(turn))
                && game.third_repetition(board).is_none()
        };
        let mut best: (Score, Vec<Turn>) = (Score::Loss { turns: 0 }, Vec::new());
        let mut nodes = 0;
        for (turn, board) in turns.iter() {
            nodes += 1;
            let score = score(board, side, game);
            if score >= best.0 && allowed(&turn, board) {
                if score > best.0 {
                    best = (score, Vec::new());
                }
                best.1.push(turn);
            }
        }
        let turn = *best.1.choose(&mut turn_rng(self.options.seed, game)).ok_or(EngineError::NoLegalTurn)?;
        report(Info {
            depth: Some(u32::from(game.position().steps_left())),
            depth_complete: true,
            score: Some(best.0),
            nodes: Some(nodes),
            pv: vec![turn],
            ..Info::default()
        });
        Ok(Answer::Turn(turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_rules::Rules;

    fn play(position: &str) -> (Board, Option<GameResult>) {
        let mut game = Game::from_text(position, Rules::Official).unwrap();
        let Answer::Turn(turn) = Greedy::default().think(&Job::new(game.clone()), &mut |_| {}).unwrap()
        else {
            panic!("not a turn");
        };
        game.play(&turn).unwrap();
        (*game.position().board(), game.result())
    }

    #[test]
    fn prefers_a_goal_to_a_capture() {
        // The rabbit on b7 can reach b8; alternatively, the horse on d6 can be pushed into the trap.
        let (_, ending) = play("g [r      r R         hE                                   RRRRRRR ]");
        assert_eq!(ending, Some(GameResult::win(Side::Gold, surus_rules::Termination::Goal)));
    }

    #[test]
    fn captures_two_pieces_in_one_turn() {
        // The camel pushes the horse from d6 to c6, the elephant the cat from e6 to f6.
        let (board, _) = play("g [rrrrrrrr           hc  e   ME                           RRRRRRRR]");
        assert_eq!(
            (board.count(Side::Silver, PieceKind::Horse), board.count(Side::Silver, PieceKind::Cat)),
            (0, 0)
        );
    }
}
