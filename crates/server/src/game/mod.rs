//! A game in progress: its configuration, history and clocks.

use std::time::{Duration, Instant};

use surus_rules::{
    Clock, Game, GameLimit, GameResult, Handicap, HistoryEntry, IllegalTurn, Phase, Piece, PieceKind,
    PlayedTurn, Rules, Setup, Side, Square, Step, Termination, TimeControl, Token, Turn,
};

use crate::api::{Handicaps, NewGame, Player};
use crate::replay::{play_turns, start_game};

mod error;
mod persist;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use error::{GameError, RestoreError, StepsError};
use persist::TurnTiming;
pub(crate) use persist::{engine_results, listed_game};

/// The maximum number of steps that one text may contain.
const MAX_STEPS: usize = 64;

/// A game, in progress or over. Changes are made to a copy, which replaces the game once it is stored.
#[derive(Clone, Debug)]
pub(crate) struct ActiveGame {
    pub(crate) id: String,
    pub(crate) config: NewGame,
    pub(crate) game: Game,
    redo: Vec<Step>,
    turn_timings: Vec<TurnTiming>,
    time_control: Option<TimeControl>,
    clock: Option<Clock>,
    /// The time of the current turn, without the time since `clock_started`.
    elapsed: Duration,
    clock_started: Option<Instant>,
    created_at: i64,
    version: u64,
}

impl ActiveGame {
    /// A new game.
    pub(crate) fn new(id: String, mut config: NewGame, created_at: i64) -> Result<Self, GameError> {
        let time_control = config.time_control.as_deref().map(str::parse::<TimeControl>).transpose()?;
        let turns = std::mem::take(&mut config.turns);
        // The setups of earlier turns were agreed on elsewhere.
        let is_full = config.handicap == Handicaps::default() && turns.is_empty();
        let handicap = if is_full { Handicap::None } else { Handicap::Allowed };
        for letters in [&config.handicap.gold, &config.handicap.silver] {
            missing_kinds(letters)?;
        }
        let mut game = start_game(config.start.as_ref(), Rules::Official, handicap)?;
        play_turns(&mut game, &turns)?;
        if let Some(result) = game.result() {
            return Err(GameError::Over(result));
        }
        let clock = time_control.map(Clock::new);
        let mut active = Self {
            id,
            config,
            game,
            redo: Vec::new(),
            turn_timings: Vec::new(),
            time_control,
            clock,
            elapsed: Duration::ZERO,
            clock_started: None,
            created_at,
            version: 1,
        };
        let timing = TurnTiming { elapsed_ms: 0, reserves_ms: active.reserves() };
        active.turn_timings = vec![timing; turns.len()];
        Ok(active)
    }

    fn reserves(&self) -> [u64; 2] {
        let reserve = |side| self.clock.map_or(0, |clock| clock.reserve(side).as_millis() as u64);
        [reserve(Side::Gold), reserve(Side::Silver)]
    }

    fn set_reserves(&mut self, reserves: [u64; 2]) {
        if let Some(clock) = &mut self.clock {
            for (side, reserve) in Side::BOTH.into_iter().zip(reserves) {
                clock.set_reserve(side, Duration::from_millis(reserve));
            }
        }
    }

    /// The player of a side.
    pub(crate) fn player(&self, side: Side) -> &Player {
        match side {
            Side::Gold => &self.config.gold,
            Side::Silver => &self.config.silver,
        }
    }

    fn is_human(&self, side: Side) -> bool {
        matches!(self.player(side), Player::Human { .. })
    }

    /// The name and the thinking time of the engine to move.
    pub(crate) fn engine_to_move(&self) -> Option<(String, u32)> {
        match self.game.phase() {
            Phase::Over(_) => None,
            Phase::Setup(side) | Phase::Play(side) => match self.player(side) {
                Player::Engine { name, seconds } => Some((name.clone(), *seconds)),
                Player::Human { .. } => None,
            },
        }
    }

    fn require_human_turn(&self) -> Result<(), GameError> {
        match (self.game.phase(), self.engine_to_move()) {
            (Phase::Over(result), _) => Err(GameError::Over(result)),
            (_, Some((name, _))) => Err(GameError::EngineToMove(name)),
            _ => Ok(()),
        }
    }

    /// Places the pieces of the side to set up.
    pub(crate) fn place_setup(&mut self, text: &str) -> Result<(), GameError> {
        self.require_human_turn()?;
        let Phase::Setup(side) = self.game.phase() else {
            return Err(GameError::AlreadySetUp);
        };
        self.play_setup(Setup::parse(text, side, Handicap::Allowed)?)
    }

    /// Plays a setup, which must have exactly the pieces that the handicap leaves.
    pub(crate) fn play_setup(&mut self, setup: Setup) -> Result<(), GameError> {
        let side = setup.side();
        let missing = missing_kinds(self.handicap(side))?;
        for kind in PieceKind::ALL {
            let expected = kind.starting_count() as usize - missing.iter().filter(|&&k| k == kind).count();
            let found = setup.placements().filter(|(piece, _)| piece.kind() == kind).count();
            if found != expected {
                return Err(GameError::SetupCount { side, kind, found, expected });
            }
        }
        self.with_clock(|game| game.play_setup(setup))
    }

    /// Removes the missing pieces of the handicap from a full setup.
    pub(crate) fn apply_handicap(&self, setup: &Setup) -> Result<Setup, GameError> {
        let side = setup.side();
        let mut missing = missing_kinds(self.handicap(side))?;
        let mut placements: Vec<(Piece, Square)> = Vec::new();
        for (piece, square) in setup.placements() {
            match missing.iter().position(|&kind| kind == piece.kind()) {
                Some(index) => {
                    missing.swap_remove(index);
                }
                None => placements.push((piece, square)),
            }
        }
        Ok(Setup::new(side, placements, Handicap::Allowed)?)
    }

    fn handicap(&self, side: Side) -> &str {
        match side {
            Side::Gold => &self.config.handicap.gold,
            Side::Silver => &self.config.handicap.silver,
        }
    }

    /// Plays steps, all or none of them.
    pub(crate) fn play_steps(&mut self, text: &str) -> Result<(), GameError> {
        self.require_human_turn()?;
        let steps = parse_steps(text)?;
        if steps.is_empty() {
            return Err(GameError::NoStep);
        }
        for (played, &step) in steps.iter().enumerate() {
            if let Err(error) = self.game.step(step) {
                for _ in 0..played {
                    self.game.undo_step();
                }
                return Err(error.into());
            }
        }
        self.redo.clear();
        self.bump_version();
        Ok(())
    }

    /// Undoes the last step.
    pub(crate) fn undo(&mut self) -> Result<(), GameError> {
        self.require_human_turn()?;
        let step = self.game.undo_step().ok_or(GameError::NothingToUndo)?;
        self.redo.push(step);
        self.bump_version();
        Ok(())
    }

    /// Redoes the step that was undone last.
    pub(crate) fn redo(&mut self) -> Result<(), GameError> {
        self.require_human_turn()?;
        let step = self.redo.pop().ok_or(GameError::NothingToRedo)?;
        self.game.step(step)?;
        self.bump_version();
        Ok(())
    }

    /// Ends the turn of a human player.
    pub(crate) fn end_turn(&mut self) -> Result<(), GameError> {
        self.require_human_turn()?;
        self.with_clock(Game::end_turn)
    }

    /// Plays the turn of an engine.
    pub(crate) fn play(&mut self, turn: &Turn) -> Result<(), GameError> {
        self.with_clock(|game| game.play(turn))
    }

    /// Takes back turns until the human player who moved last is to move again.
    pub(crate) fn take_back(&mut self) -> Result<(), GameError> {
        let index = self.game.entries().iter().rposition(|entry| self.is_human(entry.tag.side));
        let index = index.ok_or(GameError::NothingToTakeBack)?;
        while self.game.entries().len() > index {
            self.game.undo_turn();
            if let Some(timing) = self.turn_timings.pop() {
                self.set_reserves(timing.reserves_ms);
            }
        }
        self.redo.clear();
        self.reset_elapsed();
        self.bump_version();
        Ok(())
    }

    /// Resigns for the human side to move, or else for the other human side.
    pub(crate) fn resign(&mut self) -> Result<(), GameError> {
        if let Phase::Over(result) = self.game.phase() {
            return Err(GameError::Over(result));
        }
        let side = self.game.side();
        let loser = if self.is_human(side) { side } else { side.other() };
        if !self.is_human(loser) {
            return Err(GameError::OnlyEngines);
        }
        self.finish(GameResult::win(loser.other(), Termination::Resignation));
        Ok(())
    }

    /// Ends the game with a result that does not follow from the turns.
    pub(crate) fn finish(&mut self, result: GameResult) {
        self.stop_clock();
        while self.game.undo_step().is_some() {}
        self.game.end(result);
        self.bump_version();
    }

    /// Completes a turn by `play` and charges its time to the clock.
    fn with_clock(
        &mut self,
        play: impl FnOnce(&mut Game) -> Result<(), IllegalTurn>,
    ) -> Result<(), GameError> {
        if self.check_flag() {
            return Ok(());
        }
        let (side, elapsed) = (self.game.side(), self.elapsed());
        let setup = matches!(self.game.phase(), Phase::Setup(_));
        let reserves_ms = self.reserves();
        play(&mut self.game)?;
        if let Some(clock) = &mut self.clock {
            // The flag was checked above.
            let _ = clock.charge(side, elapsed, setup);
        }
        self.turn_timings.push(TurnTiming { elapsed_ms: elapsed.as_millis() as u64, reserves_ms });
        self.redo.clear();
        self.reset_elapsed();
        self.bump_version();
        self.apply_game_limit();
        Ok(())
    }

    /// Ends the game by piece count if the limit of the time control is reached.
    fn apply_game_limit(&mut self) {
        let reached = match self.time_control.map(|time_control| time_control.game_limit) {
            None | Some(GameLimit::None) => false,
            Some(GameLimit::Turns(turns)) => self.game.tag().number > turns,
            Some(GameLimit::Time(limit)) => {
                let total = self.turn_timings.iter().map(|timing| timing.elapsed_ms).sum();
                Duration::from_millis(total) >= limit
            }
        };
        if reached && self.game.result().is_none() {
            self.finish(GameResult::win(self.game.winner_by_piece_count(), Termination::Score));
        }
    }

    fn bump_version(&mut self) {
        self.version += 1;
        if self.game.result().is_some() {
            self.clock_started = None;
        }
    }

    fn reset_elapsed(&mut self) {
        self.elapsed = Duration::ZERO;
        self.restart_clock();
    }

    /// Starts the clock, which runs only while the game has subscribers.
    pub(crate) fn start_clock(&mut self) {
        if self.clock_started.is_none() && self.game.result().is_none() {
            self.clock_started = Some(Instant::now());
        }
    }

    /// Restarts the time of the current turn, if the clock is running.
    pub(crate) fn restart_clock(&mut self) {
        self.clock_started = self.clock_started.map(|_| Instant::now());
    }

    /// Stops the clock, keeping the elapsed time.
    pub(crate) fn stop_clock(&mut self) {
        self.elapsed = self.elapsed();
        self.clock_started = None;
    }

    /// The time that the current turn has taken so far.
    pub(crate) fn elapsed(&self) -> Duration {
        self.elapsed + self.clock_started.map_or(Duration::ZERO, |started| started.elapsed())
    }

    pub(crate) fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// The remaining time of the side to move, while its clock is running.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let is_running = self.clock_started.is_some() && self.game.result().is_none();
        let clock = self.clock.filter(|_| is_running)?;
        let setup = matches!(self.game.phase(), Phase::Setup(_));
        Some(clock.available(self.game.side(), setup).saturating_sub(self.elapsed()))
    }

    pub(crate) fn is_out_of_time(&self) -> bool {
        self.time_left().is_some_and(|left| left.is_zero())
    }

    /// Ends the game if the side to move has run out of time, and returns whether it has.
    fn check_flag(&mut self) -> bool {
        let out_of_time = self.is_out_of_time();
        if out_of_time {
            self.lose_on_time();
        }
        out_of_time
    }

    /// Ends the game with a loss on time for the side to move.
    pub(crate) fn lose_on_time(&mut self) {
        self.finish(GameResult::win(self.game.side().other(), Termination::Time));
    }
}

/// The complete turns in record notation, without tags.
pub(crate) fn turn_texts(game: &Game) -> Vec<String> {
    turn_texts_from(game, 0)
}

/// The complete turns from an index on.
fn turn_texts_from(game: &Game, first: usize) -> Vec<String> {
    let entries = game.entries();
    let board_before = |index: usize| match index {
        0 => game.origin().0,
        _ => &entries[index - 1].board,
    };
    let text = |(index, entry): (usize, &HistoryEntry)| match &entry.played {
        PlayedTurn::Setup(setup) => setup.to_string(),
        PlayedTurn::Turn(turn) => board_before(index).notation(turn),
    };
    entries.iter().enumerate().skip(first).map(text).collect()
}

/// Parses steps. Captures are accepted and ignored, because they follow from the steps.
pub(crate) fn parse_steps(text: &str) -> Result<Vec<Step>, StepsError> {
    let mut steps = Vec::new();
    for word in text.split_whitespace().flat_map(Token::expand_shorthand).take(MAX_STEPS) {
        match word.parse() {
            Ok(Token::Step(step)) => steps.push(step),
            Ok(Token::Capture(..)) => {}
            Ok(Token::Placement(..)) => return Err(StepsError::Placement(word)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(steps)
}

fn missing_kinds(letters: &str) -> Result<Vec<PieceKind>, GameError> {
    let kinds: Vec<PieceKind> = letters
        .chars()
        .map(|letter| Piece::from_letter(letter).map(Piece::kind).ok_or(GameError::HandicapLetter(letter)))
        .collect::<Result<_, _>>()?;
    for kind in PieceKind::ALL {
        let missing = kinds.iter().filter(|&&k| k == kind).count();
        // A side without rabbits has lost.
        let required = usize::from(kind == PieceKind::Rabbit);
        let max = kind.starting_count() as usize - required;
        if missing > max {
            return Err(GameError::HandicapCount { kind, missing, max });
        }
    }
    Ok(kinds)
}
