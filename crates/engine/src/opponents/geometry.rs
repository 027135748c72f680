//! `geometry`: plays the goals, captures and defences that zones propose, otherwise defers to another engine.

use std::sync::LazyLock;

use surus_explain::{Remark, describe_capture, describe_defence, describe_goal, explain_position};
use surus_geometry::Fidelity;
use surus_geometry::abg::weight;
use surus_geometry::search::{
    Capture, CapturedPiece, Guidance, HeuristicRules, SearchStats, all_captures, defend_all, defend_capture,
    defend_goal, goal_in_one_turn, replay,
};
use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, InvalidValue, Job, Limits, OptionError, OptionKind,
    OptionValue, Options, Random, Revision, TypedOptions,
};
use surus_rules::{Board, Game, Phase, Side, Turn};

surus_play::options! {
    /// The options of `geometry`.
    pub(crate) struct GeometryOptions {
        fidelity: ZoneFidelity = OptionKind::Choice(&["paper", "extended"]), "extended",
            "Variant of its zones: paper (as in [LG]) or extended. All other options are those of its fallback engine.";
    }
}

/// The option `fidelity`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ZoneFidelity(Fidelity);

impl OptionValue for ZoneFidelity {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        match text {
            "paper" => Ok(Self(Fidelity::Paper)),
            "extended" => Ok(Self(Fidelity::Extended)),
            _ => Err(InvalidValue { expected: "paper or extended".into() }),
        }
    }
}

/// Plays a goal, else stops one, else makes a safe capture, else defends a threatened piece, else defers to its fallback
/// engine. The fallback engine also completes turns that have steps left.
pub struct GeometryEngine {
    options: TypedOptions<GeometryOptions>,
    fallback: Box<dyn Engine>,
}

impl std::fmt::Debug for GeometryEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GeometryEngine with fallback {}", self.fallback.id().name)
    }
}

impl GeometryEngine {
    /// An engine that defers to `fallback`.
    #[must_use]
    pub fn new(fallback: Box<dyn Engine>) -> Self {
        Self { options: TypedOptions::default(), fallback }
    }
}

impl Engine for GeometryEngine {
    fn id(&self) -> EngineId {
        static REVISION: LazyLock<String> = LazyLock::new(|| {
            Revision::of(GeometryEngine::new(Box::new(Random::default())), Limits::default()).to_string()
        });
        let fallback = self.fallback.id();
        EngineId::built_in("geometry", REVISION.as_str(), &fallback.supported_limits.clone())
            .with_parts([fallback])
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if self.options.table().contains(name) {
            self.options.set(name, value)
        } else {
            self.fallback.set_option(name, value)
        }
    }

    fn new_game(&mut self) {
        self.fallback.new_game();
    }

    fn game_over(&mut self, game: &Game) {
        self.fallback.game_over(game);
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        let game = &job.game;
        let Phase::Play(side) = game.phase() else { return self.fallback.think(job, report) };
        // Zones can neither complete a push nor choose among given turns nor rank several.
        if game.position().is_mid_push() || !job.search_turns.is_empty() || job.multi_pv > 1 {
            return self.fallback.think(job, report);
        }
        let mut stats = SearchStats::default();
        let plan = self.plan(game, side, !job.stop.soft_limit_reached(), &mut stats);
        let Some(plan) = plan.filter(|plan| is_legal(game, &plan.turn)) else {
            let message = "The zones show nothing to do at once.".to_string();
            report(Info { nodes: Some(stats.nodes), messages: vec![message], ..Info::default() });
            return self.fallback.think(job, report);
        };
        let turn = self.complete_turn(job, &plan, side, &mut stats);
        let info = Info {
            nodes: Some(stats.nodes),
            pv: vec![turn],
            messages: vec![plan.comment],
            ..Info::default()
        };
        report(info);
        Ok(Answer::Turn(turn))
    }

    fn explain(&self, game: &Game) -> Vec<String> {
        match game.phase() {
            Phase::Play(_) => {
                let remarks = explain_position(game.position(), game.turn_start());
                remarks.iter().map(Remark::sentences).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The steps that the zones propose.
struct Plan {
    turn: Turn,
    comment: String,
    /// The value of the largest threat of the other side after the turn.
    max_loss: u32,
}

/// More than all pieces together.
const GOAL_VALUE: u32 = 1000;

fn total_value(pieces: &[CapturedPiece]) -> u32 {
    pieces.iter().map(|piece| u32::from(weight(piece.piece.kind()))).sum()
}

fn capture_value(capture: &Capture) -> u32 {
    u32::from(weight(capture.piece.kind())) + total_value(&capture.other_captures)
}

/// The value of the best capture or goal that a side could make with a full turn.
fn max_threat(board: &Board, side: Side, stats: &mut SearchStats) -> u32 {
    if goal_in_one_turn(board, side, 4, Guidance::EXTENDED, stats).is_some() {
        return GOAL_VALUE;
    }
    let captures = all_captures(board, side, 4, Guidance::EXTENDED, stats);
    captures.iter().map(capture_value).max().unwrap_or(0)
}

/// Whether these steps are a legal turn by themselves.
fn is_legal(game: &Game, turn: &Turn) -> bool {
    game.clone().play(turn).is_ok()
}

impl GeometryEngine {
    /// The steps to play, if the zones propose any. With `exhaustive` a goal that no zone defends is searched in all turns.
    fn plan(&self, game: &Game, side: Side, exhaustive: bool, stats: &mut SearchStats) -> Option<Plan> {
        let position = game.position();
        let (board, steps_left) = (position.board(), position.steps_left());
        if let Some(goal) =
            goal_in_one_turn(board, side, steps_left, Guidance::zones(self.options.fidelity.0), stats)
        {
            let comment = format!("{}.", describe_goal(side, &goal));
            return Some(Plan { turn: goal.turn, comment, max_loss: GOAL_VALUE });
        }
        // Defences are searched for full turns only.
        let is_full_turn = game.current_turn().is_empty();
        let threat = goal_in_one_turn(board, side.other(), 4, Guidance::EXTENDED, stats);
        if let Some(threat) = &threat {
            let defences = is_full_turn
                .then(|| defend_goal(board, side, threat, 3, exhaustive, HeuristicRules::ALL, stats))?;
            let defence =
                defences.iter().min_by_key(|defence| max_threat(&defence.board, side.other(), stats))?;
            let answer = describe_defence(board, side, threat.goal, std::slice::from_ref(defence));
            let comment = format!("{}; {answer}.", describe_goal(side.other(), threat));
            let max_loss = max_threat(&defence.board, side.other(), stats);
            return Some(Plan { turn: defence.turn, comment, max_loss });
        }
        self.capture(board, side, steps_left, stats)
            .or_else(|| is_full_turn.then(|| defend(board, side, stats)).flatten())
    }

    /// The capture with the largest gain after the best reply that the zones find, if that gain is positive.
    fn capture(&self, board: &Board, side: Side, steps_left: u8, stats: &mut SearchStats) -> Option<Plan> {
        let captures = all_captures(board, side, steps_left, Guidance::zones(self.options.fidelity.0), stats);
        let threat_before = max_threat(board, side.other(), stats);
        let gains = captures.into_iter().filter_map(|capture| {
            let outcome = replay(board, side, &capture.turn)?;
            let max_loss = max_threat(&outcome.board, side.other(), stats);
            // A piece that is already threatened would be lost after most other turns as well.
            let cost = total_value(&outcome.lost) + max_loss.saturating_sub(threat_before / 2);
            let value = capture_value(&capture);
            (max_loss < GOAL_VALUE && value > cost).then(|| (value - cost, max_loss, capture))
        });
        let (_, max_loss, capture) =
            gains.max_by_key(|(gain, _, capture)| (*gain, 4 - capture.turn.len()))?;
        let comment = format!("{}.", describe_capture(side, &capture));
        Some(Plan { turn: capture.turn, comment, max_loss })
    }

    /// The turn of a plan, completed by the fallback engine if steps are left and its steps lose nothing.
    fn complete_turn(&mut self, job: &Job, plan: &Plan, side: Side, stats: &mut SearchStats) -> Turn {
        let mut game = job.game.clone();
        let is_played = plan.turn.steps().all(|step| game.step(step).is_ok());
        let is_goal = !(game.position().board().rabbits(side) & side.goal()).is_empty();
        if !is_played || is_goal || game.position().steps_left() == 0 {
            return plan.turn;
        }
        let planned_board = *game.position().board();
        let rest = self.fallback.think(&Job { game: game.clone(), ..job.clone() }, &mut |info| {
            stats.nodes += if info.depth_complete { info.nodes.unwrap_or(0) } else { 0 };
        });
        let Ok(Answer::Turn(rest)) = rest else { return plan.turn };
        let mut turn = plan.turn;
        let fits = rest.steps().all(|step| turn.push(step));
        if !fits || !is_legal(&job.game, &turn) || game.play(&rest).is_err() {
            return plan.turn;
        }
        let board = game.position().board();
        let loses_nothing = board.by_side(side).len() == planned_board.by_side(side).len();
        if loses_nothing && max_threat(board, side.other(), stats) <= plan.max_loss {
            turn
        } else {
            plan.turn
        }
    }
}

/// A defence of all threatened pieces, otherwise of the most valuable one.
fn defend(board: &Board, side: Side, stats: &mut SearchStats) -> Option<Plan> {
    let threats = all_captures(board, side.other(), 4, Guidance::EXTENDED, stats);
    let threat = threats.iter().max_by_key(|threat| capture_value(threat))?;
    let description = describe_capture(side.other(), threat);
    if let Some(turn) = defend_all(board, side, stats) {
        let comment = format!("{description}; {side} can save everything by {}.", board.notation(&turn));
        return Some(Plan { turn, comment, max_loss: 0 });
    }
    let threat_before = max_threat(board, side.other(), stats);
    let defences = defend_capture(board, threat, 3, HeuristicRules::ALL, stats).into_iter();
    let (max_loss, defence) = defences
        .map(|defence| (max_threat(&defence.board, side.other(), stats), defence))
        .min_by_key(|(max_loss, _)| *max_loss)?;
    if max_loss >= threat_before {
        return None;
    }
    let answer = describe_defence(board, side, threat.trap, std::slice::from_ref(&defence));
    Some(Plan { turn: defence.turn, comment: format!("{description}; {answer}."), max_loss })
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_play::Greedy;
    use surus_rules::{GameResult, Piece, Position, Rules, Termination};

    fn board(text: &str) -> Board {
        let place = |word: &str| {
            let piece = Piece::from_letter(word.chars().next().unwrap()).unwrap();
            (word[1..].parse().unwrap(), piece)
        };
        text.split_whitespace().map(place).collect()
    }

    /// The game after the turn of the engine, and its messages.
    fn play(pieces: &str, side: Side) -> (Game, Vec<String>) {
        let mut game = Game::from_position(&Position::new(board(pieces), side).unwrap(), 2, Rules::Official);
        let mut messages = Vec::new();
        let mut engine = GeometryEngine::new(Box::new(Greedy::default()));
        let answer =
            engine.think(&Job::new(game.clone()), &mut |info| messages.extend(info.messages)).unwrap();
        let Answer::Turn(turn) = answer else { panic!("not a turn") };
        game.play(&turn).unwrap();
        (game, messages)
    }

    #[test]
    fn plays_and_explains_a_goal() {
        let (game, messages) = play("Rb7 hd6 Ee6 Ra1 ra8", Side::Gold);
        assert_eq!(game.result(), Some(GameResult::win(Side::Gold, Termination::Goal)));
        assert_eq!(messages, ["Gold's rabbit on b7 can step to b8, and the rabbit is at its goal on b8."]);
    }

    #[test]
    fn plays_and_explains_a_capture() {
        let (game, messages) = play("Eh4 hh3 Rf1 rh8", Side::Gold);
        assert_eq!(game.position().board().by_side(Side::Silver).len(), 1, "{messages:?}");
        assert_eq!(
            messages,
            ["Gold's elephant on h4 can push the horse from h3 through g3 into the trap on f3."]
        );
    }

    #[test]
    fn stops_a_goal() {
        let (game, messages) = play("De4 Rh2 rd2 ra8", Side::Gold);
        let board = game.position().board();
        assert!(surus_tactics::steps_to_goal(board, Side::Silver, 4).is_none(), "{board:?} {messages:?}");
        assert!(messages[0].starts_with("Silver's rabbit on d2 can step to d1, and"), "{messages:?}");
        assert!(messages[0].contains("gold can"), "{messages:?}");
    }

    #[test]
    fn defends_all_threatened_pieces() {
        let (game, messages) = play("He6 Eh4 Ce3 Rf1 hf7 hh3 dc5 ce2 rh8", Side::Silver);
        let board = game.position().board();
        assert!(surus_tactics::captures(board, Side::Gold, 4).is_empty(), "{board:?} {messages:?}");
        assert!(messages[0].contains("silver can save everything by"), "{messages:?}");
    }

    #[test]
    fn unknown_options_are_passed_to_the_fallback() {
        let mut engine = GeometryEngine::new(Box::new(Greedy::default()));
        engine.set_option("fidelity", "paper").unwrap();
        engine.set_option("seed", "7").unwrap();
        assert!(engine.set_option("fidelity", "loose").is_err() && engine.set_option("depth", "3").is_err());
    }
}
