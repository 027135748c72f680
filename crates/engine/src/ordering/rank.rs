//! Ranks the distinct turns of a position.

use surus_rules::{DistinctTurns, Game, Phase, Turn};

use super::history::History;
use super::layout::FeatureKind;
use super::model::Model;
use super::rows::FeatureRows;
use super::turn::TurnContext;

/// A turn with its score.
#[derive(Clone, PartialEq, Debug)]
pub struct RankedTurn {
    /// The rest of the current turn.
    pub turn: Turn,
    /// The probability among all turns.
    pub probability: f32,
    /// The features that hold, each with what it adds to the logarithm of the odds.
    pub contributions: Vec<(u16, f32)>,
}

/// The legal turns of a game with their probabilities, best first; of those, the `explained` best with contributions.
/// Empty if the game expects no turn or the model ranks actions.
#[must_use]
pub fn rank_turns(game: &Game, model: &Model, explained: usize) -> Vec<RankedTurn> {
    let Phase::Play(side) = game.phase() else { return Vec::new() };
    if model.kind() != FeatureKind::Turn {
        return Vec::new();
    }
    let (position, start) = (game.position(), game.turn_start());
    let turns = DistinctTurns::new(position, start, Turn::MAX as u8);
    let context = TurnContext::new(start, side, &History::of_game(game));
    let scorer = model.scorer(start);
    let taken = game.current_turn().len();
    let mut rows = FeatureRows::default();
    let mut found = Vec::new();
    for (turn, board) in turns.iter().filter(|(_, board)| game.third_repetition(board).is_none()) {
        rows.clear();
        context.extract(board, taken + turn.len(), &mut rows);
        let linear = scorer.logit(scorer.score(rows.get(0)));
        found.push((linear + model.network_logit(board, side), turn, *board));
    }
    found.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    let best = found.first().map_or(0.0, |&(logit, ..)| logit);
    let weight = |logit: f32| (logit - best).exp();
    let total: f32 = found.iter().map(|&(logit, ..)| weight(logit)).sum();
    let mut ranked = Vec::with_capacity(found.len());
    for (index, (logit, turn, board)) in found.into_iter().enumerate() {
        let mut contributions = Vec::new();
        if index < explained {
            rows.clear();
            context.extract(&board, taken + turn.len(), &mut rows);
            contributions = rows.get(0).iter().map(|&id| (id, scorer.contribution(id))).collect();
            contributions.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        }
        ranked.push(RankedTurn { turn, probability: weight(logit) / total, contributions });
    }
    ranked
}
