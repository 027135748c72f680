//! The game loop: observers that follow and change a game, and faults by their kinds.

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

fn both(engine: &mut dyn Engine, observer: &mut dyn Observer) -> Option<MatchGame> {
    let opening = Openings::Book { seed: 1 }.get(0);
    play_game(Players::Both(engine), [EngineLimits::default(); 2], opening, &conditions(), observer)
}

/// Counts what it sees, and intervenes at one turn.
struct Watcher {
    at: usize,
    decision: Decision,
    turns: usize,
    infos: usize,
    answers: usize,
    ended: Option<GameResult>,
}

impl Watcher {
    fn new(at: usize, decision: Decision) -> Self {
        Self { at, decision, turns: 0, infos: 0, answers: 0, ended: None }
    }
}

impl Observer for Watcher {
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

    fn on_end(&mut self, bout: &MatchGame) {
        self.ended = Some(bout.ending());
    }
}

#[test]
fn an_observer_sees_every_turn_and_changes_nothing() {
    let plain = both(&mut Greedy::default(), &mut ()).unwrap();
    let mut watcher = Watcher::new(0, Decision::Abort);
    let watched = both(&mut Greedy::default(), &mut watcher).unwrap();
    assert_eq!(watched.game.to_string(), plain.game.to_string());
    assert_eq!((watcher.turns, watcher.answers), (plain.turns.len(), plain.turns.len()));
    assert!(0 < watcher.infos);
    assert_eq!(watcher.ended, plain.game.result());
}

#[test]
fn an_observer_replaces_answers_asks_again_ends_and_drops_games() {
    let mut resigns = Watcher::new(3, Decision::Play(Answer::Resign));
    let bout = both(&mut Greedy::default(), &mut resigns).unwrap();
    assert_eq!(bout.ending(), GameResult::win(Side::Silver, Termination::Resignation));
    let mut retries = Watcher::new(1, Decision::Retry(Limits::default()));
    both(&mut Greedy::default(), &mut retries).unwrap();
    assert_eq!(retries.answers, retries.turns + 1);
    let ending = GameResult::win(Side::Gold, Termination::Score);
    let mut ends = Watcher::new(2, Decision::End(ending));
    let bout = both(&mut Greedy::default(), &mut ends).unwrap();
    assert_eq!((bout.ending(), bout.turns.len()), (ending, 1));
    assert_eq!(ends.ended, Some(ending));
    let mut drops = Watcher::new(2, Decision::Abort);
    assert!(both(&mut Greedy::default(), &mut drops).is_none());
    assert_eq!(drops.ended, None);
}

/// Fails in one way.
struct Bad(Option<EngineError>, Options);

impl Engine for Bad {
    fn id(&self) -> EngineId {
        EngineId::built_in("bad", "", &[])
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
    // The colons of a message say nothing about its kind.
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
        let bout = both(&mut Bad(error, Options::new(&[])), &mut ()).unwrap();
        let fault = bout.forfeit_reason.as_ref().unwrap();
        assert_eq!((fault.kind, bout.ending()), (kind, GameResult::win(Side::Silver, reason)), "{fault}");
        assert!(bout.turns.is_empty());
    }
}
