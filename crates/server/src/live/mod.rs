//! A game that is being played here: what was agreed, the game itself, its clocks, and how it is written down.

use std::time::{Duration, Instant};

use surus_rules::{
    Clock, Game, GameLimit, GameResult, Handicap, IllegalTurn, Phase, Piece, PieceKind, PlayedTurn, Rules,
    Setup, Side, Step, Termination, TimeControl, Token,
};

use crate::line;
use crate::wire::{Handicaps, NewGame, Player};

mod error;
mod kept;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use error::{GameError, ResumeError, StepsError};
use kept::Done;
pub(crate) use kept::listed;

/// A game under way or over. A change is made to a copy, which takes the place of the game once it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    pub(crate) id: String,
    pub(crate) terms: NewGame,
    pub(crate) game: Game,
    redo: Vec<Step>,
    done: Vec<Done>,
    control: Option<TimeControl>,
    clock: Option<Clock>,
    /// What the running turn has taken, but for the stretch since the clock last began to run.
    used: Duration,
    since: Option<Instant>,
    created: i64,
    change: u64,
}

impl Live {
    /// A game that begins now.
    pub(crate) fn begin(id: String, terms: NewGame, created: i64) -> Result<Self, GameError> {
        let control = terms.control.as_deref().map(str::parse::<TimeControl>).transpose()?;
        let handicap =
            if terms.handicap == Handicaps::default() { Handicap::None } else { Handicap::Allowed };
        for letters in [&terms.handicap.gold, &terms.handicap.silver] {
            missing_kinds(letters)?;
        }
        let game = line::begin(terms.origin.as_ref(), Rules::Official, handicap)?;
        let clock = control.map(Clock::new);
        Ok(Self {
            id,
            terms,
            game,
            redo: Vec::new(),
            done: Vec::new(),
            control,
            clock,
            used: Duration::ZERO,
            since: None,
            created,
            change: 1,
        })
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

    /// Who plays a side.
    pub(crate) fn player(&self, side: Side) -> &Player {
        match side {
            Side::Gold => &self.terms.gold,
            Side::Silver => &self.terms.silver,
        }
    }

    /// The engine whose turn it is: its name and its thinking time.
    pub(crate) fn engine_to_play(&self) -> Option<(String, u32)> {
        match self.game.phase() {
            Phase::Over(_) => None,
            Phase::Setup(side) | Phase::Play(side) => match self.player(side) {
                Player::Engine { name, seconds } => Some((name.clone(), *seconds)),
                Player::Person { .. } => None,
            },
        }
    }

    fn person_to_play(&self) -> Result<(), GameError> {
        match (self.game.phase(), self.engine_to_play()) {
            (Phase::Over(ending), _) => Err(GameError::Over(ending)),
            (_, Some((name, _))) => Err(GameError::EngineToPlay(name)),
            _ => Ok(()),
        }
    }

    /// Places the pieces of the side to set up.
    pub(crate) fn set_up(&mut self, text: &str) -> Result<(), GameError> {
        self.person_to_play()?;
        let Phase::Setup(side) = self.game.phase() else {
            return Err(GameError::SetUpAlready);
        };
        self.play_setup(Setup::parse(text, side, Handicap::Allowed)?)
    }

    /// Places pieces, if they are those that were agreed on.
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
        self.charged(|game| game.play_setup(setup))
    }

    /// The setup of an engine without the pieces that its side does without.
    pub(crate) fn reduced(&self, setup: &Setup) -> Result<Setup, GameError> {
        let side = setup.side();
        let mut missing = missing_kinds(self.handicap(side))?;
        let mut placements: Vec<(Piece, surus_rules::Square)> = Vec::new();
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
            Side::Gold => &self.terms.handicap.gold,
            Side::Silver => &self.terms.handicap.silver,
        }
    }

    /// Takes steps, all or none.
    pub(crate) fn take_steps(&mut self, text: &str) -> Result<(), GameError> {
        self.person_to_play()?;
        let steps = steps_of(text)?;
        if steps.is_empty() {
            return Err(GameError::NoStep);
        }
        for (taken, &step) in steps.iter().enumerate() {
            if let Err(error) = self.game.step(step) {
                for _ in 0..taken {
                    self.game.undo_step();
                }
                return Err(error.into());
            }
        }
        self.redo.clear();
        self.changed();
        Ok(())
    }

    /// Takes the last step back.
    pub(crate) fn undo(&mut self) -> Result<(), GameError> {
        self.person_to_play()?;
        let step = self.game.undo_step().ok_or(GameError::NothingToUndo)?;
        self.redo.push(step);
        self.changed();
        Ok(())
    }

    /// Takes the step again that was taken back last.
    pub(crate) fn redo(&mut self) -> Result<(), GameError> {
        self.person_to_play()?;
        let step = self.redo.pop().ok_or(GameError::NothingToRedo)?;
        self.game.step(step)?;
        self.changed();
        Ok(())
    }

    /// Ends the turn of a person.
    pub(crate) fn end_turn(&mut self) -> Result<(), GameError> {
        self.person_to_play()?;
        self.charged(Game::end_turn)
    }

    /// Plays the turn of an engine.
    pub(crate) fn play(&mut self, turn: &surus_rules::Turn) -> Result<(), GameError> {
        self.charged(|game| game.play(turn))
    }

    /// Takes back until the person who last played is to play again; any turn where nobody but persons play.
    pub(crate) fn take_back(&mut self) -> Result<(), GameError> {
        let is_person = |side: Side| matches!(self.player(side), Player::Person { .. });
        let index = self.game.entries().iter().rposition(|entry| is_person(entry.tag.side));
        let index = index.ok_or(GameError::NothingToTakeBack)?;
        while index < self.game.entries().len() {
            self.game.undo_turn();
            if let Some(done) = self.done.pop() {
                self.set_reserves(done.reserves_ms);
            }
        }
        self.redo.clear();
        self.used = Duration::ZERO;
        self.since = self.since.map(|_| Instant::now());
        self.changed();
        Ok(())
    }

    /// A person gives up: the side to move if that is one, else the other.
    pub(crate) fn resign(&mut self) -> Result<(), GameError> {
        if let Phase::Over(ending) = self.game.phase() {
            return Err(GameError::Over(ending));
        }
        let side = self.game.side();
        let is_person = |side: Side| matches!(self.player(side), Player::Person { .. });
        let loser = if is_person(side) { side } else { side.other() };
        if !is_person(loser) {
            return Err(GameError::OnlyEngines);
        }
        self.finish(GameResult::win(loser.other(), Termination::Resignation));
        Ok(())
    }

    /// Ends the game from outside.
    pub(crate) fn finish(&mut self, ending: GameResult) {
        self.used = self.used();
        self.since = None;
        while self.game.undo_step().is_some() {}
        self.game.end(ending);
        self.changed();
    }

    /// Ends a turn and books its time.
    fn charged(&mut self, end: impl FnOnce(&mut Game) -> Result<(), IllegalTurn>) -> Result<(), GameError> {
        let (side, used) = (self.game.side(), self.used());
        let setup = matches!(self.game.phase(), Phase::Setup(_));
        let reserves_ms = self.reserves();
        if self.out_of_time() {
            self.lose_on_time();
            return Ok(());
        }
        end(&mut self.game)?;
        if let Some(clock) = &mut self.clock {
            // Whether it is too late was asked above.
            let _ = clock.charge(side, used, setup);
        }
        self.done.push(Done { used_ms: used.as_millis() as u64, reserves_ms });
        self.redo.clear();
        self.used = Duration::ZERO;
        self.since = self.since.map(|_| Instant::now());
        self.changed();
        self.cut_short();
        Ok(())
    }

    /// At the game's limit the pieces are counted.
    fn cut_short(&mut self) {
        let reached = match self.control.map(|control| control.game_limit) {
            None | Some(GameLimit::None) => false,
            Some(GameLimit::Turns(turns)) => turns < self.game.tag().number,
            Some(GameLimit::Time(limit)) => {
                limit <= Duration::from_millis(self.done.iter().map(|done| done.used_ms).sum())
            }
        };
        if reached && self.game.result().is_none() {
            self.finish(GameResult::win(self.game.winner_by_piece_count(), Termination::Score));
        }
    }

    fn changed(&mut self) {
        self.change += 1;
        if self.game.result().is_some() {
            self.since = None;
        }
    }

    /// Time runs only while somebody is there.
    pub(crate) fn start_clock(&mut self) {
        if self.since.is_none() && self.game.result().is_none() {
            self.since = Some(Instant::now());
        }
    }

    /// Starts the time of the running turn anew, if it runs.
    pub(crate) fn restart_clock(&mut self) {
        self.since = self.since.map(|_| Instant::now());
    }

    /// Nobody is there any more.
    pub(crate) fn stop_clock(&mut self) {
        self.used = self.used();
        self.since = None;
    }

    pub(crate) fn used(&self) -> Duration {
        self.used + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    pub(crate) fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// How long the side to move still has, while its clock runs.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let clock = self.clock.filter(|_| self.since.is_some() && self.game.result().is_none())?;
        let setup = matches!(self.game.phase(), Phase::Setup(_));
        Some(clock.available(self.game.side(), setup).saturating_sub(self.used()))
    }

    pub(crate) fn out_of_time(&self) -> bool {
        self.time_left().is_some_and(|left| left.is_zero())
    }

    /// Ends the game for the side to move, which has no time left.
    pub(crate) fn lose_on_time(&mut self) {
        self.finish(GameResult::win(self.game.side().other(), Termination::Time));
    }
}

/// The finished turns as a record writes them, without tags.
pub(crate) fn turn_texts(game: &Game) -> Vec<String> {
    turn_texts_from(game, 0)
}

/// Those behind the first `skip`.
fn turn_texts_from(game: &Game, skip: usize) -> Vec<String> {
    let entries = game.entries();
    let before = |index: usize| match index {
        0 => game.origin().0,
        _ => &entries[index - 1].board,
    };
    let text = |(index, entry): (usize, &surus_rules::HistoryEntry)| match &entry.played {
        PlayedTurn::Setup(setup) => setup.to_string(),
        PlayedTurn::Turn(turn) => before(index).notation(turn),
    };
    entries.iter().enumerate().skip(skip).map(text).collect()
}

/// The steps that a text names; capture marks say nothing new.
pub(crate) fn steps_of(text: &str) -> Result<Vec<Step>, StepsError> {
    let mut steps = Vec::new();
    for word in text.split_whitespace().flat_map(Token::expand_shorthand).take(64) {
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
        let (missing, most) = (kinds.iter().filter(|&&k| k == kind).count(), kind.starting_count() as usize);
        let least = usize::from(kind == PieceKind::Rabbit);
        if most < missing + least {
            return Err(GameError::HandicapCount { kind, missing, most: most - least });
        }
    }
    Ok(kinds)
}
