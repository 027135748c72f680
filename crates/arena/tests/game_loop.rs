//! The game loop: observers that follow and change a game, and kinds of faults.

use std::ops::ControlFlow;
use std::time::Duration;

use surus_arena::{
    Adjudication, Decision, EngineLimits, FaultKind, GameOptions, MatchGame, Observer, Openings, Players,
    play_game,
};
use surus_play::{
    Answer, Engine, EngineError, EngineId, Greedy, Info, Job, Limits, OptionError, Options, StopToken,
};
use surus_rules::{Game, GameResult, Side, Termination};

fn conditions() -> GameOptions {
    GameOptions {
        adjudication: Adjudication::default(),
        stall_timeout: Duration::MAX,
        stop: StopToken::default(),
    }
}

fn self_play(engine: &mut dyn Engine, observer: &mut dyn Observer) -> Option<MatchGame> {
    let opening = Openings::Book { seed: 1 }.get(0);
    play_game(Players::Both(engine), [EngineLimits::default(); 2], opening, &conditions(), observer)
}

/// Counts its calls and intervenes in one turn.
struct CountingObserver {
    at: usize,
    decision: Decision,
    turns: usize,
    infos: usize,
    answers: usize,
    ended: Option<GameResult>,
}

impl CountingObserver {
    fn new(at: usize, decision: Decision) -> Self {
        Self { at, decision, turns: 0, infos: 0, answers: 0, ended: None }
    }
}

impl Observer for CountingObserver {
    fn on_turn(&mut self, _: &Game) -> ControlFlow<()> {
        self.turns += 1;
        ControlFlow::Continue(())
    }

    fn on_info(&mut self, _: &Info) {
        self.infos += 1;
    }

    fn on_answer(&mut self, _: &Game, answer: Answer) -> Decision {
        self.answers += 1;
        if self.answers == self.at { self.decision.clone() } else { Decision::Play(answer) }
    }

    fn on_end(&mut self, match_game: &MatchGame) {
        self.ended = Some(match_game.ending());
    }
}

#[test]
fn an_observer_is_called_for_every_turn() {
    let plain = self_play(&mut Greedy::default(), &mut ()).unwrap();
    let mut observer = CountingObserver::new(0, Decision::Abort);
    let observed = self_play(&mut Greedy::default(), &mut observer).unwrap();
    assert_eq!(observed.game.to_string(), plain.game.to_string());
    assert_eq!((observer.turns, observer.answers), (plain.turns.len(), plain.turns.len()));
    assert!(observer.infos > 0);
    assert_eq!(observer.ended, plain.game.result());
}

#[test]
fn an_observer_replaces_answers_retries_ends_and_aborts_games() {
    let mut resigns = CountingObserver::new(3, Decision::Play(Answer::Resign));
    let match_game = self_play(&mut Greedy::default(), &mut resigns).unwrap();
    assert_eq!(match_game.ending(), GameResult::win(Side::Silver, Termination::Resignation));
    let mut retries = CountingObserver::new(1, Decision::Retry(Limits::default()));
    self_play(&mut Greedy::default(), &mut retries).unwrap();
    assert_eq!(retries.answers, retries.turns + 1);
    let ending = GameResult::win(Side::Gold, Termination::Score);
    let mut ends = CountingObserver::new(2, Decision::End(ending));
    let match_game = self_play(&mut Greedy::default(), &mut ends).unwrap();
    assert_eq!((match_game.ending(), match_game.turns.len()), (ending, 1));
    assert_eq!(ends.ended, Some(ending));
    let mut drops = CountingObserver::new(2, Decision::Abort);
    assert!(self_play(&mut Greedy::default(), &mut drops).is_none());
    assert_eq!(drops.ended, None);
}

/// An engine that returns one error, or a setup instead of a turn.
struct FaultyEngine(Option<EngineError>, Options);

impl Engine for FaultyEngine {
    fn id(&self) -> EngineId {
        EngineId::built_in("faulty", "", &[])
    }
    fn options(&self) -> &Options {
        &self.1
    }
    fn set_option(&mut self, _: &str, _: &str) -> Result<(), OptionError> {
        Ok(())
    }
    fn new_game(&mut self) {}
    fn think(&mut self, job: &Job, _: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        match self.0.clone() {
            Some(error) => Err(error),
            // A setup where a turn is due.
            None => {
                surus_play::standard_setup(job.game.side()).map(Answer::Setup).ok_or(EngineError::NoLegalTurn)
            }
        }
    }
}

#[test]
fn faults_have_kinds_and_termination_codes() {
    // The kind does not depend on the message.
    let text = || "a: b: c".to_string();
    for (error, kind, reason) in [
        (Some(EngineError::Crashed(text())), FaultKind::Crashed, Termination::Forfeit),
        (
            Some(EngineError::OutputLimitExceeded(text())),
            FaultKind::OutputLimitExceeded,
            Termination::Forfeit,
        ),
        (Some(EngineError::NotStarted(text())), FaultKind::NotStarted, Termination::Forfeit),
        (Some(EngineError::Failed(text())), FaultKind::Failed, Termination::Forfeit),
        (Some(EngineError::Timeout(text())), FaultKind::NoAnswer, Termination::Time),
        (Some(EngineError::InvalidReply(text())), FaultKind::Unreadable, Termination::Illegal),
        (None, FaultKind::IllegalTurn, Termination::Illegal),
    ] {
        let match_game = self_play(&mut FaultyEngine(error, Options::new(&[])), &mut ()).unwrap();
        let fault = match_game.forfeit_reason.as_ref().unwrap();
        assert_eq!(
            (fault.kind, match_game.ending()),
            (kind, GameResult::win(Side::Silver, reason)),
            "{fault}"
        );
        assert!(match_game.turns.is_empty());
    }
}
