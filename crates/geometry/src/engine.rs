//! The engine that plays what the zones say, and asks another where they say nothing.

use std::sync::LazyLock;

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, InvalidValue, Job, Limits, OptionError, OptionKind,
    OptionValue, Options, Random, Revision, TypedOptions,
};
use surus_rules::{Board, Game, Phase, Side, Turn};

use crate::Fidelity;
use crate::abg::weight;
use crate::explain::{describe_capture, describe_defence, describe_goal};
use crate::search::{
    Capture, SearchStats, all_captures, defend_all, defend_capture, defend_goal, goal_in_one_turn, replay,
};

surus_play::options! {
    /// The options of `geometry`.
    pub(crate) struct GeometryOptions {
        fidelity: Fidelity = OptionKind::Choice(&["paper", "extended"]), "extended",
            "Variant of its zones: paper (as in [LG]) or extended. All other options are those of its fallback engine.";
    }
}

impl OptionValue for Fidelity {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        match text {
            "paper" => Ok(Self::Paper),
            "extended" => Ok(Self::Extended),
            _ => Err(InvalidValue { expected: "paper or extended".into() }),
        }
    }
}

/// Takes a goal, stops one, captures what is sound, defends what is attacked, else asks the engine it falls back to. What is
/// left of a turn after that is the other engine's too, as long as it spoils nothing.
pub struct GeometryEngine {
    options: TypedOptions<GeometryOptions>,
    fallback: Box<dyn Engine>,
}

impl std::fmt::Debug for GeometryEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Geometry over {}", self.fallback.id().name)
    }
}

impl GeometryEngine {
    /// Falls back to this engine.
    #[must_use]
    pub fn new(fall_back: Box<dyn Engine>) -> Self {
        Self { options: TypedOptions::default(), fallback: fall_back }
    }
}

/// What the zones want to do: some steps, in words, and how bad things may be after the turn.
struct Plan {
    turn: Turn,
    comment: String,
    /// The most valuable piece that the other side may be able to capture then.
    max_loss: u32,
}

impl Engine for GeometryEngine {
    fn id(&self) -> EngineId {
        static REVISION: LazyLock<String> = LazyLock::new(|| {
            Revision::of(GeometryEngine::new(Box::new(Random::default())), Limits::default()).to_string()
        });
        let fall_back = self.fallback.id();
        EngineId::built_in("geometry", REVISION.as_str(), &fall_back.supported_limits.clone())
            .with_parts([fall_back])
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
        // A half push, a choice of turns or several lines are not questions for a zone.
        if game.position().is_mid_push() || !job.search_turns.is_empty() || 1 < job.multi_pv {
            return self.fallback.think(job, report);
        }
        let mut effort = SearchStats::default();
        let plan = self.plan(game, side, !job.stop.soft_limit_reached(), &mut effort);
        let Some(plan) = plan.filter(|plan| is_legal(game, &plan.turn)) else {
            let words = "The zones show nothing to do at once.".to_string();
            report(Info { nodes: Some(effort.nodes), messages: vec![words], ..Info::default() });
            return self.fallback.think(job, report);
        };
        let turn = self.complete_turn(job, &plan, side, &mut effort);
        let info = Info {
            nodes: Some(effort.nodes),
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
                let said = crate::explain::explain_position(game.position().board());
                said.into_iter().map(|remark| remark.text).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Whether these steps may be a turn by themselves.
fn is_legal(game: &Game, turn: &Turn) -> bool {
    game.clone().play(turn).is_ok()
}

/// The most valuable piece that a side could capture with a full turn, and what a goal would be worth.
fn max_threat(board: &Board, side: Side, effort: &mut SearchStats) -> u32 {
    if goal_in_one_turn(board, side, 4, Fidelity::Extended, effort).is_some() {
        return GOAL_VALUE;
    }
    let captures = all_captures(board, side, 4, Fidelity::Extended, effort);
    captures.iter().map(value).max().unwrap_or(0)
}

/// More than all pieces together.
const GOAL_VALUE: u32 = 1000;

fn value(capture: &Capture) -> u32 {
    let also: u32 = capture.other_captures.iter().map(|loss| u32::from(weight(loss.piece.kind()))).sum();
    u32::from(weight(capture.piece.kind())) + also
}

impl GeometryEngine {
    fn plan(&self, game: &Game, side: Side, every: bool, effort: &mut SearchStats) -> Option<Plan> {
        let position = game.position();
        let (board, left) = (position.board(), position.steps_left());
        if let Some(goal) = goal_in_one_turn(board, side, left, self.options.fidelity, effort) {
            let words = format!("{}.", describe_goal(board, side, &goal));
            return Some(Plan { turn: goal.turn, comment: words, max_loss: GOAL_VALUE });
        }
        // What is to be done against the other side takes a whole turn to say.
        let whole = game.current_turn().is_empty();
        let threat = goal_in_one_turn(board, side.other(), 4, Fidelity::Extended, effort);
        if let Some(threat) = &threat {
            let defences =
                if whole { defend_goal(board, side, threat, 3, every, effort) } else { Vec::new() };
            let defence =
                defences.iter().min_by_key(|defence| max_threat(&defence.board, side.other(), effort))?;
            let answer = describe_defence(board, side, threat.goal, std::slice::from_ref(defence));
            let words = format!("{}; {answer}.", describe_goal(board, side.other(), threat));
            let worst = max_threat(&defence.board, side.other(), effort);
            return Some(Plan { turn: defence.turn, comment: words, max_loss: worst });
        }
        self.capture(board, side, left, effort)
            .or_else(|| whole.then(|| defend(board, side, effort)).flatten())
    }

    /// The capture that wins most, if it wins anything after the best answer that the zones see.
    fn capture(&self, board: &Board, side: Side, left: u8, effort: &mut SearchStats) -> Option<Plan> {
        let captures = all_captures(board, side, left, self.options.fidelity, effort);
        let before = max_threat(board, side.other(), effort);
        let judged = captures.into_iter().filter_map(|capture| {
            let outcome = replay(board, side, &capture.turn)?;
            let worst = max_threat(&outcome.board, side.other(), effort);
            let lost: u32 = outcome.lost.iter().map(|loss| u32::from(weight(loss.piece.kind()))).sum();
            // What hangs already would hang after any other turn as well, unless that defends it.
            let cost = lost + worst.saturating_sub(before / 2);
            (worst < GOAL_VALUE && cost < value(&capture)).then(|| (value(&capture) - cost, worst, capture))
        });
        let (_, worst, capture) = judged.max_by_key(|(gain, _, capture)| (*gain, 4 - capture.turn.len()))?;
        let words = format!("{}.", describe_capture(board, side, &capture));
        Some(Plan { turn: capture.turn, comment: words, max_loss: worst })
    }

    /// The plan's steps and, if there are steps left, what the other engine adds to them, if that spoils nothing.
    fn complete_turn(&mut self, job: &Job, plan: &Plan, side: Side, effort: &mut SearchStats) -> Turn {
        let mut game = job.game.clone();
        let stepped = plan.turn.steps().all(|step| game.step(step).is_ok());
        let arrived = !(game.position().board().rabbits(side) & side.goal()).is_empty();
        if !stepped || arrived || game.position().steps_left() == 0 {
            return plan.turn;
        }
        let rest = self.fallback.think(&Job { game: game.clone(), ..job.clone() }, &mut |info| {
            effort.nodes += if info.depth_complete { info.nodes.unwrap_or(0) } else { 0 };
        });
        let Ok(Answer::Turn(rest)) = rest else { return plan.turn };
        let mut whole = plan.turn;
        let fits = rest.steps().all(|step| whole.push(step));
        if !fits || !is_legal(&job.game, &whole) || game.play(&rest).is_err() {
            return plan.turn;
        }
        let own = |board: &Board| board.by_side(side).len();
        let board = game.position().board();
        let kept = own(board) == own(&board_after(&job.game, &plan.turn));
        if kept && max_threat(board, side.other(), effort) <= plan.max_loss { whole } else { plan.turn }
    }
}

/// The board after the steps of a plan alone.
fn board_after(game: &Game, turn: &Turn) -> Board {
    turn.steps().fold(*game.position().board(), |board, step| board.after_step(step))
}

/// A turn against what the other side could capture: against all of it, or for the most valuable piece.
fn defend(board: &Board, side: Side, effort: &mut SearchStats) -> Option<Plan> {
    let threats = all_captures(board, side.other(), 4, Fidelity::Extended, effort);
    let threat = threats.iter().max_by_key(|threat| value(threat))?;
    let told = describe_capture(board, side.other(), threat);
    if let Some(turn) = defend_all(board, side, effort) {
        let words = format!("{told}; {side} can save everything by {}.", board.notation(&turn));
        return Some(Plan { turn, comment: words, max_loss: 0 });
    }
    let before = max_threat(board, side.other(), effort);
    let judged = defend_capture(board, threat, 3, effort).into_iter();
    let judged = judged.map(|defence| (max_threat(&defence.board, side.other(), effort), defence));
    let (worst, defence) = judged.min_by_key(|(worst, _)| *worst)?;
    if before <= worst {
        return None;
    }
    let answer = describe_defence(board, side, threat.trap, std::slice::from_ref(&defence));
    Some(Plan { turn: defence.turn, comment: format!("{told}; {answer}."), max_loss: worst })
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_play::Greedy;
    use surus_rules::{GameResult, Piece, Position, Rules, Termination};

    fn play(words: &str, side: Side) -> (Game, Vec<String>) {
        let place = |word: &str| {
            let piece = Piece::from_letter(word.chars().next().unwrap()).unwrap();
            (word[1..].parse().unwrap(), piece)
        };
        let board: Board = words.split_whitespace().map(place).collect();
        let mut game = Game::from_position(&Position::new(board, side).unwrap(), 2, Rules::Official);
        let mut words = Vec::new();
        let mut engine = GeometryEngine::new(Box::new(Greedy::default()));
        let answer = engine.think(&Job::new(game.clone()), &mut |info| words.extend(info.messages)).unwrap();
        let Answer::Turn(turn) = answer else { panic!("not a turn") };
        game.play(&turn).unwrap();
        (game, words)
    }

    #[test]
    fn it_takes_a_goal_and_says_how() {
        let (game, words) = play("Rb7 hd6 Ee6 Ra1 ra8", Side::Gold);
        assert_eq!(game.result(), Some(GameResult::win(Side::Gold, Termination::Goal)));
        assert_eq!(words, ["Gold's rabbit on b7 can step to b8, and the rabbit is at its goal on b8."]);
    }

    #[test]
    fn it_captures_and_says_how() {
        let (game, words) = play("Eh4 hh3 Rf1 rh8", Side::Gold);
        assert_eq!(game.position().board().by_side(Side::Silver).len(), 1, "{words:?}");
        assert_eq!(
            words,
            ["Gold's elephant on h4 can push the horse from h3 through g3 into the trap on f3."]
        );
    }

    #[test]
    fn it_stops_a_goal() {
        let (game, words) = play("De4 Rh2 rd2 ra8", Side::Gold);
        let board = game.position().board();
        assert!(surus_tactics::steps_to_goal(board, Side::Silver, 4).is_none(), "{board:?} {words:?}");
        assert!(words[0].starts_with("Silver's rabbit on d2 can step to d1, and"), "{words:?}");
        assert!(words[0].contains("gold can"), "{words:?}");
    }

    #[test]
    fn it_defends_what_is_attacked() {
        let (game, words) = play("He6 Eh4 Ce3 Rf1 hf7 hh3 dc5 ce2 rh8", Side::Silver);
        let board = game.position().board();
        assert!(surus_tactics::captures(board, Side::Gold, 4).is_empty(), "{board:?} {words:?}");
        assert!(words[0].contains("silver can save everything by"), "{words:?}");
    }

    #[test]
    fn options_of_the_other_engine_are_handed_on() {
        let mut engine = GeometryEngine::new(Box::new(Greedy::default()));
        engine.set_option("fidelity", "paper").unwrap();
        engine.set_option("seed", "7").unwrap();
        assert!(engine.set_option("fidelity", "loose").is_err() && engine.set_option("depth", "3").is_err());
    }
}
