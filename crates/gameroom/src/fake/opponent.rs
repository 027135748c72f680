//! Simulated opponents: late, forgetful, sometimes gone.

use std::time::Duration;

use surus_play::{Answer, Engine, Job, Random};
use surus_rules::{Game, PlayedTurn, Side, SplitMix, Termination};

use super::FakeServer;
use super::faults::chance;
use super::table::Table;

/// Probabilities of what opponents do.
#[derive(Clone, PartialEq, Debug)]
pub struct Habits {
    /// The longest time until one joins an open game.
    pub join_within: Duration,
    /// The longest time for a turn.
    pub think_up_to: Duration,
    /// Is named long before it arrives.
    pub late: f64,
    /// Is named and leaves before the game starts; another one joins.
    pub leaves_before_start: f64,
    /// Stops playing and loses on time, per turn.
    pub flags: f64,
    /// Resigns instead of a turn.
    pub resigns: f64,
    /// Resigns while the other side thinks, after a turn.
    pub resigns_late: f64,
    /// Asks for a takeback after a turn.
    pub asks_takeback: f64,
    /// Leaves the table during its own turn and comes back.
    pub leaves: f64,
    /// Sends a chat line with a turn.
    pub chats: f64,
    /// Resigns instead of the turn with this number, so that games have a limited length.
    pub last_turn: Option<u32>,
}

impl Default for Habits {
    /// Opponents with every habit.
    fn default() -> Self {
        Self {
            join_within: Duration::from_secs(90),
            think_up_to: Duration::from_secs(20),
            late: 0.2,
            leaves_before_start: 0.05,
            flags: 0.005,
            resigns: 0.005,
            resigns_late: 0.005,
            asks_takeback: 0.05,
            leaves: 0.03,
            chats: 0.05,
            last_turn: None,
        }
    }
}

/// What an opponent does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    /// Takes the free seat.
    Join,
    /// Comes to the table.
    Arrive,
    /// Gives up the seat again.
    Vanish,
    Start,
    Play,
    AskTakeback,
    Resign,
}

/// The opponent of one table.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Plan {
    habits: Habits,
    side: Option<Side>,
    name: String,
    next: Option<(Duration, Act)>,
    flagging: bool,
}

impl Eq for Plan {}

impl Habits {
    /// A new opponent for a table.
    pub(super) fn plan(self, rng: &mut SplitMix, now: Duration) -> Plan {
        let at = now + up_to(rng, self.join_within);
        let name = format!("Person{}", rng.next_u64() % 1000);
        Plan { habits: self, side: None, name, next: Some((at, Act::Join)), flagging: false }
    }
}

fn up_to(rng: &mut SplitMix, limit: Duration) -> Duration {
    Duration::from_millis(500 + rng.next_u64() % (limit.as_millis() as u64).max(1))
}

impl FakeServer {
    pub(super) fn next_table_event(&self, table: &Table) -> Option<Duration> {
        if table.result.is_some() || table.cancelled {
            return None;
        }
        let late = table.late.iter().map(|late| late.at);
        let plan = table.plan.as_ref().and_then(|plan| plan.next).map(|(at, _)| at);
        late.chain(table.flag_at()).chain(plan).min()
    }

    /// Processes what is due at a table, in order.
    pub(super) fn run_table(&mut self, gid: u64) {
        loop {
            let Some(table) = self.tables.get_mut(&gid) else { return };
            schedule(table, &mut self.rng, self.now);
            let Some(at) = self.tables.get(&gid).and_then(|table| self.next_table_event(table)) else {
                break;
            };
            if at > self.now {
                break;
            }
            let Some(table) = self.tables.get_mut(&gid) else { return };
            let late = table.late.iter().position(|late| late.at == at);
            if let Some(index) = late {
                let late = table.late.remove(index);
                // The client has given up waiting for the answer.
                let _ = table.submit(late.side, &late.text, at);
            } else if table.flag_at() == Some(at) {
                table.lose(table.game.side(), Termination::Time, at);
            } else {
                act(table, &mut self.rng, at);
            }
        }
        if let Some((id, _)) = self.tables.get(&gid).and_then(|table| table.finished) {
            self.finished.insert(id, gid);
        }
    }
}

/// Decides what the opponent does next, if that is open.
fn schedule(table: &mut Table, rng: &mut SplitMix, now: Duration) {
    let Some(plan) = &table.plan else { return };
    let Some(side) = plan.side.filter(|_| plan.next.is_none() && !plan.flagging && table.result.is_none())
    else {
        return;
    };
    let habits = plan.habits.clone();
    let other_present = table.seats[side.other() as usize].present;
    let next = if table.started.is_none() {
        (side == Side::Gold && other_present).then(|| (now + up_to(rng, Duration::from_secs(5)), Act::Start))
    } else if table.game.side() != side {
        None
    } else {
        let available = table.clock.available(side, table.setup());
        let time = up_to(rng, habits.think_up_to).min(available / 2);
        table.seats[side as usize].present = !chance(rng, habits.leaves);
        if chance(rng, habits.flags) {
            table.plan.iter_mut().for_each(|plan| plan.flagging = true);
            return;
        }
        Some((table.turn_started.max(now) + time, Act::Play))
    };
    table.plan.iter_mut().for_each(|plan| plan.next = next);
}

fn act(table: &mut Table, rng: &mut SplitMix, now: Duration) {
    let Some(mut plan) = table.plan.take() else { return };
    let Some((_, action)) = plan.next.take() else { return };
    perform(table, &mut plan, action, rng, now);
    table.plan = Some(plan);
}

fn perform(table: &mut Table, plan: &mut Plan, action: Act, rng: &mut SplitMix, now: Duration) {
    let habits = plan.habits.clone();
    if action == Act::Join {
        plan.side = Side::BOTH.into_iter().find(|&side| table.seats[side as usize].player.is_empty());
        let Some(side) = plan.side else { return };
        let late = chance(rng, habits.late);
        let seat = &mut table.seats[side as usize];
        (seat.player, seat.present) = (plan.name.clone(), !late);
        if chance(rng, habits.leaves_before_start) {
            plan.next = Some((now + up_to(rng, Duration::from_secs(20)), Act::Vanish));
        } else if late {
            plan.next = Some((now + up_to(rng, Duration::from_secs(40)), Act::Arrive));
        }
        table.changed();
        return;
    }
    let Some(side) = plan.side else { return };
    match action {
        Act::Join => {}
        Act::Arrive => {
            table.seats[side as usize].present = true;
            table.changed();
        }
        Act::Vanish if table.started.is_none() => {
            table.seats[side as usize] = super::table::TableSeat::default();
            *plan = habits.plan(rng, now);
            table.changed();
        }
        Act::Vanish => {}
        Act::Start => table.start(now),
        Act::AskTakeback => {
            if !table.rated && table.running() && table.game.side() != side {
                table.takeback = Some((side, table.game.tag()));
                table.changed();
            }
        }
        Act::Resign => table.lose(side, Termination::Resignation, now),
        Act::Play if table.game.side() == side && table.running() => {
            play(table, plan, &habits, side, rng, now);
        }
        Act::Play => {}
    }
}

fn play(table: &mut Table, plan: &mut Plan, habits: &Habits, side: Side, rng: &mut SplitMix, now: Duration) {
    table.seats[side as usize].present = true;
    if chance(rng, habits.chats) {
        // Percent signs and newlines have to survive the encoding.
        let line =
            format!("{} {}: 100%13\nsure", crate::protocol::side_letter(side), table.game.tag().number);
        table.chat.push(line);
    }
    let mut game = table.game.clone();
    let tired = habits.last_turn.is_some_and(|last| game.tag().number >= last);
    let played = match quick_answer(&game, rng.next_u64()) {
        Some(Answer::Turn(turn)) if !tired && !chance(rng, habits.resigns) => game.play(&turn).is_ok(),
        Some(Answer::Setup(setup)) => game.play_setup(setup).is_ok(),
        _ => false,
    };
    let Some(entry) = game.entries().last().filter(|_| played) else {
        return table.lose(side, Termination::Resignation, now);
    };
    let notation = match &entry.played {
        PlayedTurn::Setup(setup) => setup.to_string(),
        PlayedTurn::Turn(turn) => table.game.turn_start().notation(turn).to_string(),
    };
    let late = now + up_to(rng, Duration::from_secs(4));
    table.play(game, &notation, now);
    if chance(rng, habits.asks_takeback) {
        plan.next = Some((late, Act::AskTakeback));
    } else if chance(rng, habits.resigns_late) {
        plan.next = Some((late, Act::Resign));
    }
}

/// A turn that is found at once and tends to end the game: of some random turns, one that wins or else brings the
/// rabbits forward. `None` if there is no legal turn.
#[must_use]
pub fn quick_answer(game: &Game, seed: u64) -> Option<Answer> {
    let mut engine = Random::default();
    let mut best = None;
    for try_number in 0..8_u64 {
        let seed = (SplitMix::hash(seed ^ try_number) >> 2).to_string();
        engine.set_option("seed", &seed).ok()?;
        let answer = engine.think(&Job::new(game.clone()), &mut |_| {}).ok()?;
        let Answer::Turn(turn) = answer else { return Some(answer) };
        let mut after = game.clone();
        after.play(&turn).ok()?;
        let value = value(&after, game.side());
        if best.is_none_or(|(old, _)| value > old) {
            best = Some((value, turn));
        }
    }
    best.map(|(_, turn)| Answer::Turn(turn))
}

fn value(game: &Game, side: Side) -> i32 {
    if let Some(result) = game.result() {
        return if result.winner == Some(side) { 10_000 } else { -10_000 };
    }
    let board = game.position().board();
    let advance = |side: Side| -> i32 {
        board
            .rabbits(side)
            .into_iter()
            .map(|square| (i32::from(square.rank()) - i32::from(side.other().goal_rank())).pow(2))
            .sum()
    };
    advance(side) - advance(side.other())
}
