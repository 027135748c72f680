//! A game: its history, the current turn and its result.

use std::fmt;

use crate::history::History;
use crate::{
    Board, DistinctTurns, GameResult, Handicap, IllegalStep, IllegalTurn, Pending, Position, Rules, Setup,
    Side, Step, Termination, Token, Turn,
};

/// The number and side of a turn, written `8s`. Setups have number 1.
///
/// ```
/// use surus_rules::TurnTag;
///
/// let tag = TurnTag::parse("8s").unwrap();
/// assert_eq!(tag.next().to_string(), "9g");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TurnTag {
    /// From 1; both sides' turns have the same number.
    pub number: u32,
    /// The side whose turn it is.
    pub side: Side,
}

impl TurnTag {
    /// Gold's setup.
    pub const FIRST: Self = Self { number: 1, side: Side::Gold };

    /// The tag of the turn that follows.
    #[must_use]
    pub const fn next(self) -> Self {
        match self.side {
            Side::Gold => Self { side: Side::Silver, ..self },
            Side::Silver => Self { number: self.number.saturating_add(1), side: Side::Gold },
        }
    }

    /// Reads `8s`, `8b`, `12G`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let side = Side::from_letter(text.chars().next_back()?)?;
        let number = text[..text.len() - 1].parse().ok().filter(|&n| n > 0)?;
        // The standard library accepts a leading plus.
        text.starts_with(|c: char| c.is_ascii_digit()).then_some(Self { number, side })
    }
}

impl fmt::Display for TurnTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.side.letter())
    }
}

/// The contents of a finished turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayedTurn {
    /// The placement of a side's pieces.
    Setup(Setup),
    /// One to four steps.
    Turn(Turn),
}

/// A finished turn with the board it led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HistoryEntry {
    /// Its number and side.
    pub tag: TurnTag,
    /// Setup or steps.
    pub played: PlayedTurn,
    /// The board it led to.
    pub board: Board,
}

/// What a game expects next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The setup of this side.
    Setup(Side),
    /// A turn of this side.
    Play(Side),
    /// Nothing: the game is over.
    Over(GameResult),
}

/// A game from its setups or from a given position.
///
/// A rejected command leaves the game unchanged.
///
/// ```
/// use surus_rules::{Game, Phase, Rules, Side};
///
/// let mut game = Game::from_text("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]", Rules::Official)?;
/// game.step("Ee2n".parse()?)?;
/// game.step("Ee3n".parse()?)?;
/// assert_eq!(game.undo_step().unwrap().to_string(), "Ee3n");
/// game.end_turn()?;
/// assert_eq!(game.phase(), Phase::Play(Side::Silver));
/// assert_eq!(game.to_string(), "2g Ee2n\n2s");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    rules: Rules,
    handicap: Handicap,
    /// The number of steps of the first turn.
    first_steps: u8,
    history: History,
    /// The position after the last step of the current turn.
    position: Position,
    current_turn: Turn,
    /// The positions before each step of the current turn.
    undo_stack: Vec<Position>,
    result: Option<GameResult>,
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Rules::Official, Handicap::None)
    }
}

impl Game {
    /// An empty board, gold to set up.
    #[must_use]
    pub fn new(rules: Rules, handicap: Handicap) -> Self {
        Self::start(Position::turn_start(Board::EMPTY, Side::Gold), 1, rules, handicap)
    }

    /// A game that starts with a given position, which may already be decided. On an empty board, or one where
    /// only gold has set up, it starts with the setups.
    #[must_use]
    pub fn from_position(position: &Position, number: u32, rules: Rules) -> Self {
        Self::start(Position::turn_start(*position.board(), position.side()), number, rules, Handicap::None)
    }

    fn start(position: Position, number: u32, rules: Rules, handicap: Handicap) -> Self {
        let start_tag = TurnTag { number: number.max(1), side: position.side() };
        let mut game = Self {
            rules,
            handicap,
            first_steps: Turn::MAX as u8,
            history: History::new(*position.board(), start_tag),
            position,
            current_turn: Turn::EMPTY,
            undo_stack: Vec::new(),
            result: None,
        };
        if matches!(game.phase(), Phase::Play(_)) {
            game.result = GameResult::from_board(position.board(), position.side().other(), rules);
        }
        game
    }

    /// The same game with 1 to 4 steps in its first turn, as in a puzzle. Turns that were played are discarded.
    ///
    /// ```
    /// use surus_rules::{Game, Rules};
    ///
    /// let start = "g [       r        R                                              e]";
    /// let game = Game::from_text(start, Rules::Official)?.with_steps_left(1);
    /// assert_eq!(game.position().steps_left(), 1);
    /// assert!(game.clone().play_text("Ra6n Ra7n").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_steps_left(mut self, steps: u8) -> Self {
        self.first_steps = steps;
        while self.undo_turn().is_some() {}
        self.position = self.first_position();
        self.current_turn = Turn::EMPTY;
        self.undo_stack.clear();
        self
    }

    fn first_position(&self) -> Position {
        let (board, tag) = self.history.start();
        Position::turn_start(*board, tag.side).with_steps_left(self.first_steps)
    }

    /// The rule set.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The initial board and tag: empty and `1g` unless the game started from a position.
    #[must_use]
    pub const fn origin(&self) -> (&Board, TurnTag) {
        self.history.start()
    }

    /// The finished turns.
    #[must_use]
    pub fn entries(&self) -> &[HistoryEntry] {
        self.history.entries()
    }

    /// The current position, possibly in the middle of a turn.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The steps of the current turn.
    #[must_use]
    pub const fn current_turn(&self) -> &Turn {
        &self.current_turn
    }

    /// The board at the start of the current turn.
    #[must_use]
    pub fn turn_start(&self) -> &Board {
        self.history.board()
    }

    /// The tag of the current turn.
    #[must_use]
    pub fn tag(&self) -> TurnTag {
        self.history.tag()
    }

    /// The side to set up or to move.
    #[must_use]
    pub fn side(&self) -> Side {
        self.position.side()
    }

    /// The result, if the game is over.
    #[must_use]
    pub const fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// What the game expects next.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if let Some(result) = self.result {
            return Phase::Over(result);
        }
        let (board, side) = (self.turn_start(), self.side());
        let gold_is_ready = || Setup::from_board(board, Side::Gold).is_some();
        match side {
            Side::Gold if board.occupied().is_empty() => Phase::Setup(side),
            Side::Silver if board.by_side(side).is_empty() && self.tag().number == 1 && gold_is_ready() => {
                Phase::Setup(side)
            }
            _ => Phase::Play(side),
        }
    }

    /// Ends the game for a reason outside the board: resignation, time, an illegal turn, an agreement. A game that is
    /// over keeps its result.
    pub fn end(&mut self, result: GameResult) {
        self.result.get_or_insert(result);
    }

    /// Places a side's pieces.
    pub fn play_setup(&mut self, setup: Setup) -> Result<(), IllegalTurn> {
        match self.phase() {
            Phase::Over(result) => return Err(IllegalTurn::GameOver(result)),
            Phase::Play(_) => return Err(IllegalTurn::SetupOver),
            Phase::Setup(side) if side != setup.side() => return Err(IllegalTurn::SetupExpected(side)),
            Phase::Setup(side) => {
                // The setup may have been validated with another handicap.
                Setup::new(side, setup.placements(), self.handicap)?;
            }
        }
        let mut board = *self.turn_start();
        setup.place_on(&mut board);
        self.finish(PlayedTurn::Setup(setup), board);
        if setup.side() == Side::Silver {
            self.result = GameResult::from_board(&board, Side::Silver, self.rules);
        }
        Ok(())
    }

    /// Plays the steps of a turn and ends it. Steps already taken in the current turn count.
    ///
    /// ```
    /// use surus_rules::{Game, Rules};
    ///
    /// let mut game = Game::from_text("g [r                       h       E                       R       ]", Rules::Official)?;
    /// let turn = game.legal_turns()[0];
    /// game.play(&turn)?;
    /// assert_eq!(game.entries().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, turn: &Turn) -> Result<(), IllegalTurn> {
        self.or_restore(|game| {
            turn.steps().try_for_each(|step| game.step(step))?;
            game.end_turn()
        })
    }

    /// Restores the current turn if `play` fails.
    pub(crate) fn or_restore(
        &mut self,
        play: impl FnOnce(&mut Self) -> Result<(), IllegalTurn>,
    ) -> Result<(), IllegalTurn> {
        let before = (self.position, self.current_turn, self.undo_stack.clone());
        let result = play(self);
        if result.is_err() {
            (self.position, self.current_turn, self.undo_stack) = before;
        }
        result
    }

    /// Takes one step of the current turn.
    pub fn step(&mut self, step: Step) -> Result<(), IllegalTurn> {
        match self.phase() {
            Phase::Over(result) => return Err(IllegalTurn::GameOver(result)),
            Phase::Setup(side) => return Err(IllegalTurn::SetupExpected(side)),
            Phase::Play(_) => {}
        }
        let next = self.position.try_step(step).map_err(|reason| match reason {
            IllegalStep::NoStepsLeft => IllegalTurn::TooLong(step),
            reason => IllegalTurn::Step { step, reason },
        })?;
        self.undo_stack.push(self.position);
        self.position = next;
        self.current_turn.push(step);
        Ok(())
    }

    /// Takes back the last step of the current turn.
    pub fn undo_step(&mut self) -> Option<Step> {
        self.position = self.undo_stack.pop()?;
        self.current_turn.pop()
    }

    /// Checks whether the current turn may end now.
    pub fn check_end_turn(&self) -> Result<(), IllegalTurn> {
        match self.phase() {
            Phase::Over(result) => return Err(IllegalTurn::GameOver(result)),
            Phase::Setup(side) => return Err(IllegalTurn::SetupExpected(side)),
            Phase::Play(_) => {}
        }
        if self.current_turn.is_empty() {
            return Err(IllegalTurn::Empty);
        }
        if let Pending::Push { vacated, .. } = self.position.pending() {
            return Err(IllegalTurn::PushUnfinished(vacated));
        }
        let board = self.position.board();
        if board == self.turn_start() {
            return Err(IllegalTurn::Unchanged);
        }
        match self.third_repetition(board) {
            Some((first, second)) if self.rules.repetition_is_illegal() => {
                Err(IllegalTurn::Repetition { first, second })
            }
            _ => Ok(()),
        }
    }

    /// Ends the current turn.
    pub fn end_turn(&mut self) -> Result<(), IllegalTurn> {
        self.check_end_turn()?;
        let (board, mover) = (*self.position.board(), self.side());
        let repeated = self.third_repetition(&board).is_some();
        self.finish(PlayedTurn::Turn(self.current_turn), board);
        self.result = GameResult::from_board(&board, mover, self.rules);
        if self.result.is_none() && repeated {
            self.result = Some(GameResult::win(mover.other(), Termination::Repetition));
        }
        if self.result.is_none() && self.only_repetitions() {
            self.result = Some(GameResult::win(mover, Termination::OnlyRepetitions));
        }
        Ok(())
    }

    fn finish(&mut self, played: PlayedTurn, board: Board) {
        self.history.push(played, board);
        self.position = Position::turn_start(board, self.side().other());
        self.current_turn = Turn::EMPTY;
        self.undo_stack.clear();
    }

    /// Takes back the current turn's steps and the last finished turn.
    pub fn undo_turn(&mut self) -> Option<PlayedTurn> {
        let last = self.history.pop()?;
        self.position = match self.entries().is_empty() {
            true => self.first_position(),
            false => Position::turn_start(*self.turn_start(), last.tag.side),
        };
        self.current_turn = Turn::EMPTY;
        self.undo_stack.clear();
        self.result = None;
        Some(last.played)
    }

    /// The first two turns that led to the position that ending the current turn on `board` would result in, if that
    /// would be its third occurrence.
    #[must_use]
    pub fn third_repetition(&self, board: &Board) -> Option<(TurnTag, TurnTag)> {
        self.history.first_two(board, self.rules.repetition_counts_side().then(|| self.side()))
    }

    /// Whether every turn of the side to move would be a third repetition.
    fn only_repetitions(&self) -> bool {
        if !self.rules.repetition_is_illegal() {
            return false;
        }
        // Nearly always a single action is legal as a turn, and the other turns need not be generated.
        let (board, mut any_action) = (self.turn_start(), false);
        board.for_each_action(self.side(), 2, |action| {
            let after = action.steps().fold(*board, |board, step| board.after_step(step));
            any_action = any_action || self.third_repetition(&after).is_none();
        });
        if any_action {
            return false;
        }
        let turns = DistinctTurns::new(&self.position, board, Turn::MAX as u8);
        turns.boards().all(|board| self.third_repetition(board).is_some())
    }

    /// All distinct legal ways to finish the current turn, with repetition taken into account.
    #[must_use]
    pub fn legal_turns(&self) -> Vec<Turn> {
        if !matches!(self.phase(), Phase::Play(_)) {
            return Vec::new();
        }
        let turns = DistinctTurns::new(&self.position, self.turn_start(), Turn::MAX as u8);
        let allowed =
            |board: &Board| !self.rules.repetition_is_illegal() || self.third_repetition(board).is_none();
        turns.iter().filter(|(_, board)| allowed(board)).map(|(turn, _)| turn).collect()
    }

    /// Plays a turn in notation: placements, or steps with or without capture marks.
    ///
    /// ```
    /// use surus_rules::{Game, Rules};
    ///
    /// let mut game = Game::from_text("g [                    h   E              r         R           R  ]", Rules::Official)?;
    /// let error = game.play_text("Rc2s").unwrap_err();
    /// assert!(error.to_string().starts_with("Rc2s: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_text(&mut self, text: &str) -> Result<(), IllegalTurn> {
        let tokens: Vec<Token> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        if let Some(&Token::Placement(..)) = tokens.first() {
            return match self.phase() {
                Phase::Setup(side) => self.play_setup(Setup::parse(text, side, self.handicap)?),
                Phase::Play(_) => Err(IllegalTurn::SetupOver),
                Phase::Over(result) => Err(IllegalTurn::GameOver(result)),
            };
        }
        self.or_restore(|game| {
            game.take_tokens(&tokens)?;
            game.end_turn()
        })
    }

    /// Takes the steps of a turn in notation without ending the turn, and checks its capture marks.
    pub(crate) fn take_tokens(&mut self, tokens: &[Token]) -> Result<(), IllegalTurn> {
        let mut captured = Vec::new();
        for token in tokens {
            match *token {
                Token::Step(step) => {
                    let board = *self.position.board();
                    self.step(step)?;
                    captured.extend(board.captured_by(step));
                }
                // A mark may come late or twice, but not without a capture.
                Token::Capture(piece, trap) if captured.contains(&(piece, trap)) => {}
                Token::Capture(_, trap) => {
                    let token = token.to_string();
                    return Err(match captured.iter().find(|&&(_, square)| square == trap) {
                        Some(&(found, _)) => IllegalTurn::WrongCapture { token, found },
                        None => IllegalTurn::NoSuchCapture(token),
                    });
                }
                Token::Placement(..) => return Err(IllegalTurn::Mixed(token.to_string())),
            }
        }
        Ok(())
    }
}
