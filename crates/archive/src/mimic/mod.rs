//! The engine that does what others did.

mod goal_search;
mod identity;
mod options;

use std::time::{Duration, Instant};

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, OptionError, Options, Random, Registry, TypedOptions,
};
use surus_rules::{Board, DistinctTurns, Game, Phase, Turn};
use surus_tactics::{GoalDefence, find_goal_from, goal_defences};

use crate::error::{ArchiveError, Result};
use crate::games::load_headers;
use crate::import::add_record;
use crate::lookup::{Hit, LookupOptions, Tier, allows_goal_next_turn, lookup};
use crate::pack::SetupOrTurn;
use crate::store::{ArchiveDb, DbLocation};
use options::{Exact, MimicOptions};

/// Plays what was played in the archive where the board looked the same, tier by tier, and else asks its fall back.
pub struct Mimic {
    options: TypedOptions<MimicOptions>,
    /// Makes fallbacks.
    registry: Registry,
    /// The archive that is asked where the options name none.
    default_place: Option<DbLocation>,
    fallback: Box<dyn Engine>,
    /// Opened when it is first needed; or what is wrong with it, which every turn reports.
    store: Option<Result<ArchiveDb>>,
    /// Records of finished games that are not in the archive yet.
    unlearned: Vec<String>,
    /// Why they are not.
    learn_error: Option<ArchiveError>,
    /// The game as it was after the last answer.
    last: Option<Game>,
}

impl std::fmt::Debug for Mimic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mimic").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Mimic {
    /// Falls back to `random` until the options name another engine of the registry, and asks this archive until they
    /// name another.
    #[must_use]
    pub fn new(registry: Registry, default_place: Option<DbLocation>) -> Self {
        let fallback = Box::new(Random::default());
        let options = TypedOptions::default();
        Self {
            options,
            registry,
            default_place,
            fallback,
            store: None,
            unlearned: Vec::new(),
            learn_error: None,
            last: None,
        }
    }

    fn place(&self) -> Option<DbLocation> {
        match self.options.store.as_str() {
            "" => self.default_place.clone(),
            text => Some(DbLocation::parse(text)),
        }
    }

    fn open(&mut self) -> std::result::Result<&ArchiveDb, &ArchiveError> {
        let place = self.place();
        let open = || ArchiveDb::open(&place.ok_or(ArchiveError::NoDataFolder)?);
        self.store.get_or_insert_with(open).as_ref()
    }

    fn ask_options(&self) -> LookupOptions {
        let MimicOptions { symmetry, center, guarded, .. } = *self.options;
        LookupOptions { symmetry, center, guarded, ..LookupOptions::default() }
    }

    /// The tiers that are asked about this position, in order.
    fn tiers(&self, game: &Game) -> Vec<Tier> {
        let last = self.options.fullboard_until;
        let late = 0 < last && last < game.tag().number;
        let wanted = self.options.tiers.0.iter().copied();
        let by_search = self.options.exact != Exact::Off;
        match game.phase() {
            Phase::Setup(surus_rules::Side::Gold) => vec![Tier::Setup],
            Phase::Setup(surus_rules::Side::Silver) => vec![Tier::SetupReply],
            _ => wanted
                .filter(|&tier| match tier {
                    Tier::Full => !late,
                    Tier::Win => !by_search,
                    _ => true,
                })
                .collect(),
        }
    }

    /// The first tier with an answer.
    fn look_up(&mut self, job: &Job, began: Instant, words: &mut Vec<String>) -> Option<(Tier, Hit)> {
        let (game, options) = (&job.game, self.ask_options());
        let budget = Duration::from_secs_f64(self.options.time);
        let tiers = self.tiers(game);
        let store = match self.open() {
            Ok(store) => store,
            Err(error) => {
                words.push(format!("no archive: {error}"));
                return None;
            }
        };
        for (index, tier) in tiers.into_iter().enumerate() {
            // One look-up takes milliseconds, and is better than none.
            if 0 < index && (budget <= began.elapsed() || job.stop.soft_limit_reached()) {
                words.push("no time left for the archive".into());
                return None;
            }
            match lookup(store, game, tier, &options) {
                Err(error) => words.push(format!("tier {tier}: {error}")),
                Ok(asked) => {
                    let Some(hit) = asked.hit else { continue };
                    if let SetupOrTurn::Turn(turn) = hit.next
                        && !job.search_turns.is_empty()
                        && !job.search_turns.contains(&turn)
                    {
                        continue;
                    }
                    words.push(describe_hit(store, tier, &hit).unwrap_or_else(|error| error.to_string()));
                    return Some((tier, hit));
                }
            }
        }
        None
    }

    /// What the fall back plays; one that is guarded does not lose at once where it can be helped.
    fn fall_back(
        &mut self,
        job: &Job,
        report: &mut dyn FnMut(Info),
    ) -> std::result::Result<Answer, EngineError> {
        let answer = self.fallback.think(job, report)?;
        let Answer::Turn(turn) = answer else { return Ok(answer) };
        let (game, board) = (&job.game, after(job.game.position().board(), &turn));
        if !self.options.guarded
            || !job.search_turns.is_empty()
            || !allows_goal_next_turn(&board, game.side())
        {
            return Ok(answer);
        }
        let only = self.safe_turns(game);
        if only.is_empty() {
            Ok(answer)
        } else {
            self.fallback.think(&Job { search_turns: only, ..job.clone() }, report)
        }
    }

    /// Every turn after which the other side can't score at once.
    fn safe_turns(&self, game: &Game) -> Vec<Turn> {
        let (position, start) = (game.position(), game.turn_start());
        let allowed = |board: &Board| game.third_repetition(board).is_none();
        match goal_defences(position, start) {
            GoalDefence::Unstoppable => Vec::new(),
            GoalDefence::Turns(turns) => {
                turns.into_iter().filter(|turn| allowed(&after(position.board(), turn))).collect()
            }
            // It was the fall back's own turn that opened the way.
            GoalDefence::NoThreat => DistinctTurns::new(position, start, position.steps_left())
                .iter()
                .filter(|(_, board)| allowed(board) && !allows_goal_next_turn(board, game.side()))
                .map(|(turn, _)| turn)
                .collect(),
        }
    }

    /// Adds the game to the archive, if it is over and began with the setups.
    fn save_game(&mut self) {
        let Some(game) = self.last.take() else { return };
        let whole = matches!(game.phase(), Phase::Over(_)) && game.origin().1 == surus_rules::TurnTag::FIRST;
        if !self.options.learn || !whole {
            return;
        }
        self.unlearned.push(game.to_string());
        self.learn_error = self.add_unlearned().err();
    }

    /// Adds the games that wait; those that cannot be added, for instance during an import, wait for the next one's end.
    fn add_unlearned(&mut self) -> Result<()> {
        let place = self.place().ok_or(ArchiveError::NoDataFolder)?;
        let store = ArchiveDb::open(&place)?;
        while let Some(record) = self.unlearned.last() {
            add_record(&store, record, "mimic")?;
            self.unlearned.pop();
        }
        Ok(())
    }
}

fn after(board: &Board, turn: &Turn) -> Board {
    turn.steps().fold(*board, |board, step| board.after_step(step))
}

/// Which tier, which game, which players: `tier area: #88 bot_a (2769) - someone (2426), 12g, won, 31 turns left, in the mirror`.
fn describe_hit(store: &ArchiveDb, tier: Tier, hit: &Hit) -> Result<String> {
    let mut text = format!("tier {tier}");
    if let Some(position) = hit.position {
        if let Some(game) = load_headers(store, &[position.game()])?.remove(&position.game()) {
            let rating =
                |rating: Option<i64>| rating.map_or_else(String::new, |rating| format!(" ({rating})"));
            let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
            let number = game.number.map_or_else(|| format!("#{}", game.id), |number| number.to_string());
            text += &format!(
                ": game {number}, {}{} against {}{}, turn {}{}, {} won",
                name(&game.gold),
                rating(game.gold_rating),
                name(&game.silver),
                rating(game.silver_rating),
                position.turn(),
                position.side().letter(),
                match game.result.as_str() {
                    "g" => "gold",
                    "s" => "silver",
                    _ => "nobody",
                }
            );
        }
    } else {
        text += ": as the other side did";
    }
    if let Some(rank) = hit.rank {
        text += &format!(", {} turns left", rank.turns_left());
    }
    if let Some(games) = hit.games {
        text += &format!(", one of {games} games with it");
    }
    for (is, words) in [
        (hit.mirrored, ", mirrored"),
        (hit.flipped, ", sides exchanged"),
        (hit.recentred, ", looked at again"),
    ] {
        text += if is { words } else { "" };
    }
    Ok(text)
}

impl Engine for Mimic {
    fn id(&self) -> EngineId {
        let fallback = self.fallback.id();
        let archive = identity::archive(self.place().as_ref(), self.options.learn);
        EngineId::built_in("mimic", identity::revision(), &fallback.supported_limits.clone())
            .with_parts([archive, fallback])
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set_option(&mut self, name: &str, value: &str) -> std::result::Result<(), OptionError> {
        let wrong =
            |expected: String| OptionError::InvalidValue { name: name.into(), value: value.into(), expected };
        match name.to_ascii_lowercase().as_str() {
            "fallback" => {
                // The comma is taken, where engines are named.
                let wanted = value.replace(';', ",");
                if wanted.split(':').next() == Some("mimic") {
                    return Err(wrong("another engine than mimic itself".into()));
                }
                self.fallback = self
                    .registry
                    .make(&wanted)
                    .map_err(|error| wrong(format!("the name of an engine: {error}")))?;
            }
            "store" => self.store = None,
            _ => {}
        }
        self.options.set(name, value)
    }

    fn new_game(&mut self) {
        self.save_game();
        // A store that was not there may be there now.
        if matches!(self.store, Some(Err(_))) {
            self.store = None;
        }
        self.fallback.new_game();
    }

    fn game_over(&mut self, game: &Game) {
        // Only a game in which it played is its own.
        if self.last.is_some() {
            self.last = Some(game.clone());
            self.save_game();
        }
        self.fallback.game_over(game);
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> std::result::Result<Answer, EngineError> {
        if let Phase::Over(ending) = job.game.phase() {
            return Err(EngineError::GameOver(ending));
        }
        let began = Instant::now();
        let mut words = Vec::new();
        if let Some(error) = self.learn_error.take() {
            words.push(format!("{} finished games not added to the archive: {error}", self.unlearned.len()));
        }
        let answer = self.answer(job, began, &mut words, report)?;
        let pv = if let Answer::Turn(turn) = answer { vec![turn] } else { Vec::new() };
        report(Info {
            time: Some(began.elapsed()),
            messages: words,
            pv,
            depth_complete: true,
            ..Info::default()
        });
        let mut game = job.game.clone();
        let played = match answer {
            Answer::Turn(turn) => game.play(&turn).is_ok(),
            Answer::Setup(setup) => game.play_setup(setup).is_ok(),
            Answer::Resign => true,
        };
        self.last = played.then_some(game);
        Ok(answer)
    }
}

impl Mimic {
    fn answer(
        &mut self,
        job: &Job,
        began: Instant,
        words: &mut Vec<String>,
        report: &mut dyn FnMut(Info),
    ) -> std::result::Result<Answer, EngineError> {
        let game = &job.game;
        let free = job.search_turns.is_empty();
        let wins = self.options.guarded || self.options.exact != Exact::Off;
        if free && wins && matches!(game.phase(), Phase::Play(_)) {
            if let Some(turn) = find_goal_from(game.position()) {
                words.push("a goal in this turn".into());
                return Ok(Answer::Turn(turn));
            }
            if self.options.exact == Exact::Two
                && game.current_turn().is_empty()
                && let Some(turn) = goal_search::win_in_two(game, &job.stop)
            {
                words.push("a goal in two turns that nothing stops".into());
                return Ok(Answer::Turn(turn));
            }
        }
        match self.look_up(job, began, words) {
            Some((_, Hit { next: SetupOrTurn::Turn(turn), .. })) => Ok(Answer::Turn(turn)),
            Some((_, Hit { next: SetupOrTurn::Setup(setup), .. })) => Ok(Answer::Setup(setup)),
            None => {
                words.push(format!("fall back {}", self.fallback.id().name));
                self.fall_back(job, report)
            }
        }
    }
}
