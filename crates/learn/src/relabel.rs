//! Labels the positions of data files again, with another engine or more nodes.

use surus_play::{Engine, StopToken};
use surus_record::packed::{Flags, PackedGame, PackedSample, Sample};
use surus_rules::{Game, Position, Rules};

use crate::{RunError, label_position};

/// The flags that say how a position came about; the others follow from the search.
const KEPT: [Flags; 3] = [Flags::RANDOM_TURN, Flags::ADJUDICATED, Flags::CONTEXT];

/// Searches the positions of a game again. The result of the game stays, and so does a position in the middle of a turn or of
/// a finished game. The samples count as imported, because a best turn need not be the one that was played. Returns `None` if
/// stopped.
pub fn relabel(
    game: &PackedGame,
    id: u64,
    nodes: u64,
    engine: &mut dyn Engine,
    stop: &StopToken,
) -> Result<Option<PackedGame>, RunError> {
    engine.new_game();
    let mut samples = Vec::with_capacity(game.samples.len());
    for packed in &game.samples {
        let old = packed.decode();
        let kept = KEPT.into_iter().filter(|&flag| old.flags.contains(flag));
        let flags = kept.fold(Flags::IMPORTED, |all, flag| all | flag);
        let sample = match position(&old) {
            Some(position) => {
                let labelled = label_position(engine, &position, nodes, stop)
                    .map_err(|error| RunError::Engine { game: id, error })?;
                if stop.should_stop() {
                    return Ok(None);
                }
                let new = labelled.ok_or(RunError::NoScore(id))?.sample;
                Sample { result: old.result, flags: new.flags | flags, ..new }
            }
            None => Sample { flags: old.flags | flags, ..old },
        };
        samples.push(PackedSample::encode(&sample).map_err(|error| RunError::Sample { game: id, error })?);
    }
    Ok(Some(PackedGame { id, origin: 0, samples, ..game.clone() }))
}

/// The position of a sample as the start of a game, if a turn can be searched there.
fn position(sample: &Sample) -> Option<Game> {
    let position = Position::new(sample.board, sample.side).ok().filter(|_| sample.steps_left == 4)?;
    let game = Game::from_position(&position, u32::from(sample.turn_number), Rules::Official);
    game.result().is_none().then_some(game)
}

#[cfg(test)]
mod tests {
    use surus_play::Greedy;
    use surus_record::packed::Score;
    use surus_rules::{Side, Termination, Turn};

    use super::*;

    fn sample(position: &str, flags: Flags, steps_left: u8) -> PackedSample {
        let position: Position = position.parse().unwrap();
        let sample = Sample {
            board: *position.board(),
            side: position.side(),
            steps_left,
            score: Score::Centirabbits(-1234),
            depth: 1,
            result: Some(Side::Gold),
            turn_number: 9,
            flags,
            best_turn: Turn::EMPTY,
        };
        PackedSample::encode(&sample).unwrap()
    }

    #[test]
    fn scores_and_best_turns_are_new_and_results_stay() {
        const CAPTURE: &str = "g [rrrrrrrr           hc  e   ME                           RRRRRRRR]";
        let game = PackedGame {
            id: 77,
            origin: 3,
            result: Some(Side::Gold),
            reason: Termination::Goal,
            samples: vec![
                sample(CAPTURE, Flags::RANDOM_TURN | Flags::QUIET, 4),
                sample(CAPTURE, Flags::NONE, 2),
            ],
        };
        let stop = StopToken::default();
        let new = relabel(&game, 5, 10, &mut Greedy::default(), &stop).unwrap().unwrap();
        assert_eq!((new.id, new.origin, new.result, new.reason), (5, 0, Some(Side::Gold), Termination::Goal));
        let [searched, kept] = [&new.samples[0], &new.samples[1]].map(PackedSample::decode);
        assert_ne!(searched.score, Score::Centirabbits(-1234));
        assert_ne!(searched.best_turn, Turn::EMPTY);
        let expected = Flags::RANDOM_TURN | Flags::CAPTURE_AVAILABLE | Flags::IMPORTED;
        assert_eq!((searched.flags, searched.result, searched.turn_number), (expected, Some(Side::Gold), 9));
        assert_eq!((kept.score, kept.flags), (Score::Centirabbits(-1234), Flags::IMPORTED));
        stop.request();
        assert_eq!(relabel(&game, 5, 10, &mut Greedy::default(), &stop).unwrap(), None);
    }
}
