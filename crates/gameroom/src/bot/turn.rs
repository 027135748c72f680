//! The bot's own turn: from the search to the state that shows it.

use std::time::Duration;

use surus_play::{Answer, ResignRule, TimeBudget, time_budget};
use surus_rules::{Game, Phase, Score, Side};

use super::journal::GameNotes;
use super::settings::BotSettings;
use crate::protocol::TurnClock;

/// After an unclear answer, a request may still be under way for this long.
const SETTLE: Duration = Duration::from_secs(6);

/// After an answer, the state shows the turn within this time.
pub(super) const CONFIRM: Duration = Duration::from_secs(3);

/// After a refusal, the server ignores legal turns for some seconds.
const REFUSAL_PAUSE: Duration = Duration::from_secs(6);

/// Refused turns in one position before the policy decides.
const MAX_REFUSALS: usize = 3;

/// Whether a search is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchState {
    None,
    /// For the position after this many lines of moves.
    Thinking {
        id: u64,
        ply: usize,
    },
    Pondering {
        ply: usize,
    },
}

/// How far a turn has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    Ready,
    /// The server answered with `ok`, or nothing is known; it is sent again if the state of that time does not show it.
    Sent {
        settled: Duration,
    },
}

/// A turn that is not in the state yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pending {
    /// The number of lines of moves before it.
    pub(super) ply: usize,
    pub(super) text: String,
    pub(super) send_at: Duration,
    pub(super) progress: Progress,
}

/// The bot's turn.
#[derive(Clone, Debug)]
pub(super) struct OwnTurn {
    pub(super) search: SearchState,
    pub(super) pending: Option<Pending>,
    /// A turn of an earlier process that may be under way.
    earlier: Option<(usize, String)>,
    /// Refused turns, by the number of lines before them.
    pub(super) refused: Vec<(usize, String)>,
    pub(super) not_before: Duration,
    pub(super) engine_failures: u32,
    bad_scores: u32,
    pub(super) resign: bool,
}

impl OwnTurn {
    pub(super) fn new(notes: GameNotes) -> Self {
        Self {
            search: SearchState::None,
            pending: None,
            earlier: notes.sending,
            refused: notes.refused,
            not_before: Duration::ZERO,
            engine_failures: 0,
            bad_scores: 0,
            resign: false,
        }
    }

    /// The turn that can be sent in this position.
    pub(super) fn ready(&self, ply: usize) -> Option<&Pending> {
        self.pending.as_ref().filter(|pending| pending.ply == ply && pending.progress == Progress::Ready)
    }

    /// The turn that an earlier process was about to send in this position: it is sent again after a pause.
    pub(super) fn resume(&mut self, ply: usize, now: Duration) -> bool {
        let Some((_, text)) = self.earlier.take_if(|(earlier, _)| *earlier == ply) else { return false };
        self.pending =
            Some(Pending { ply, text, send_at: now, progress: Progress::Sent { settled: now + SETTLE } });
        true
    }

    /// A new turn to send, at `send_at`.
    pub(super) fn propose(&mut self, ply: usize, text: String, now: Duration, send_at: Duration) {
        let send_at = send_at.max(self.not_before).max(now);
        self.pending = Some(Pending { ply, text, send_at, progress: Progress::Ready });
    }

    /// The turn was sent. Close to the deadline, the next try comes sooner.
    pub(super) fn sent(&mut self, now: Duration, deadline: Option<Duration>) {
        if let Some(pending) = &mut self.pending {
            let settle = deadline.map_or(SETTLE, |deadline| SETTLE.min(deadline.saturating_sub(now) / 3));
            pending.progress = Progress::Sent { settled: now + settle.max(Duration::from_secs(1)) };
        }
    }

    /// When a state would show a turn whose fate is unknown.
    pub(super) fn settled(&self) -> Option<Duration> {
        match self.pending.as_ref()?.progress {
            Progress::Sent { settled } => Some(settled),
            Progress::Ready => None,
        }
    }

    /// Whether a state that was asked for at this time would show the turn if it had been played.
    pub(super) fn resend(&mut self, ply: usize, asked: Duration, now: Duration) -> Option<Duration> {
        let pending = self.pending.as_mut().filter(|pending| pending.ply == ply)?;
        let Progress::Sent { settled } = pending.progress else { return None };
        if asked < settled {
            return Some(settled);
        }
        (pending.progress, pending.send_at) = (Progress::Ready, now);
        None
    }

    /// The seat was lost while a turn was under way.
    pub(super) fn unconfirmed(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.earlier = Some((pending.ply, pending.text));
        }
    }

    /// The server refused the turn. True when the policy has to decide.
    pub(super) fn refuse(&mut self, now: Duration) -> bool {
        let Some(pending) = self.pending.take() else { return false };
        self.refused.push((pending.ply, pending.text));
        self.not_before = now + REFUSAL_PAUSE;
        self.refusals(pending.ply) > MAX_REFUSALS
    }

    fn refusals(&self, ply: usize) -> usize {
        self.refused.iter().filter(|(refused, _)| *refused == ply).count()
    }

    /// Checks a score against the rule; true when the bot resigns.
    pub(super) fn resigns(&mut self, rule: Option<ResignRule>, score: Option<Score>) -> bool {
        let Some((rule, score)) = rule.zip(score) else { return false };
        let bad = match score {
            Score::Centirabbits(score) => score <= -rule.centirabbits,
            Score::Loss { .. } => true,
            Score::Win { .. } => false,
        };
        self.bad_scores = if bad { self.bad_scores + 1 } else { 0 };
        self.bad_scores >= rule.turns
    }
}

/// The time for a search: `left` until the flag falls, to be shared with `waiting` other searches.
pub(super) fn budget(
    clock: &TurnClock,
    side: Side,
    setup: bool,
    left: Duration,
    share: u32,
    settings: &BotSettings,
) -> TimeBudget {
    let available = clock.clock.available(side, setup);
    let used = available.saturating_sub(left);
    let margin = settings.min_time_left.min(left / 3);
    let budget = time_budget(&clock.clock, side, setup, used, margin);
    let most = (left.saturating_sub(margin) / share.max(1)).min(settings.max_turn_time);
    TimeBudget { soft: budget.soft.min(most), hard: budget.hard.min(most) }
}

/// The text of an answer, if the rules allow it.
pub(super) fn notation(game: &Game, answer: &Answer) -> Result<String, String> {
    let mut after = game.clone();
    match answer {
        Answer::Setup(setup) => {
            after.play_setup(*setup).map_err(|error| format!("illegal setup: {error}"))?;
            Ok(setup.to_string())
        }
        Answer::Turn(turn) => {
            after.play(turn).map_err(|error| format!("illegal turn '{turn}': {error}"))?;
            Ok(game.turn_start().notation(turn).to_string())
        }
        Answer::Resign => Err("no turn".into()),
    }
}

/// The refused turns and setups of a position, parsed.
pub(super) fn refused(game: &Game, texts: &[&str]) -> (Vec<surus_rules::Turn>, Vec<surus_rules::Setup>) {
    let (mut turns, mut setups) = (Vec::new(), Vec::new());
    for text in texts {
        let mut after = game.clone();
        if after.play_text(text).is_err() {
            continue;
        }
        match (after.entries().last().map(|entry| entry.played), game.phase()) {
            (Some(surus_rules::PlayedTurn::Turn(turn)), _) => turns.push(turn),
            (Some(surus_rules::PlayedTurn::Setup(setup)), Phase::Setup(_)) => setups.push(setup),
            _ => {}
        }
    }
    (turns, setups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Secret;
    use surus_rules::Clock;

    #[test]
    fn a_turn_of_unknown_fate_is_sent_again_only_when_a_later_state_lacks_it() {
        let second = Duration::from_secs;
        let mut turn = OwnTurn::new(GameNotes { sending: Some((4, "Ee2n".into())), ..GameNotes::default() });
        assert!(!turn.resume(6, second(0)) && turn.resume(4, second(10)));
        assert!(turn.ready(4).is_none());
        assert_eq!(turn.resend(4, second(12), second(13)), Some(second(16)));
        assert_eq!(turn.resend(4, second(16), second(17)), None);
        assert_eq!(turn.ready(4).unwrap().text, "Ee2n");
        assert!(turn.ready(6).is_none());
        turn.sent(second(17), None);
        assert!(!turn.refuse(second(18)));
        assert_eq!((turn.refusals(4), turn.not_before), (1, second(24)));
    }

    #[test]
    fn the_budget_leaves_a_margin_and_is_shared() {
        let clock = TurnClock {
            clock: Clock::new("15s/60s/100".parse().unwrap()),
            used: Duration::ZERO,
            left: Duration::from_secs(75),
        };
        let settings = BotSettings::new("http://x", "a", Secret::default());
        for (left, share) in [(75, 1), (75, 8), (10, 1), (10, 8), (3, 1), (0, 1)] {
            let left = Duration::from_secs(left);
            let budget = budget(&clock, Side::Gold, false, left, share, &settings);
            let margin = Duration::from_secs(5).min(left / 3);
            assert!(budget.soft <= budget.hard && budget.hard * share + margin <= left, "{left:?} {share}");
        }
    }

    #[test]
    fn resigning_needs_bad_scores_in_a_row() {
        let mut turn = OwnTurn::new(GameNotes::default());
        let rule = Some(ResignRule { centirabbits: 500, turns: 2 });
        let scores =
            [-600, -100, -500, -500].map(|score| turn.resigns(rule, Some(Score::Centirabbits(score))));
        assert_eq!(scores, [false, false, false, true]);
        assert!(!turn.resigns(None, Some(Score::Centirabbits(-9999))));
    }
}
