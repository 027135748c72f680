//! The engine `mimic`, which plays what was played before \[McKee\].

mod goal_search;
mod identity;
mod options;

use std::time::{Duration, Instant};

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, OptionError, Options, Random, Registry, TypedOptions,
};
use surus_rules::{Board, DistinctTurns, Game, Phase, Turn};
use surus_tactics::{Defences, find_goal_from, goal_defences};

use crate::error::{ArchiveError, Result};
use crate::games::load_headers;
use crate::import::add_record;
use crate::lookup::{Hit, LookupOptions, Tier, allows_goal_next_turn, lookup};
use crate::pack::SetupOrTurn;
use crate::store::{ArchiveDb, DbLocation};
use options::{GoalSearch, MimicOptions};

/// Plays what was played in matching positions of the archive, tier by tier, and otherwise asks a fallback engine.
pub struct Mimic {
    options: TypedOptions<MimicOptions>,
    /// Creates fallback engines.
    registry: Registry,
    /// The archive to use unless the options name one.
    default_location: Option<DbLocation>,
    fallback: Box<dyn Engine>,
    /// Opened on first use; an error is reported with every turn.
    store: Option<Result<ArchiveDb>>,
    /// Records of finished games that could not be added to the archive yet.
    unsaved: Vec<String>,
    /// Why the last attempt to add them failed.
    save_error: Option<ArchiveError>,
    /// The game after the last answer.
    last: Option<Game>,
}

impl std::fmt::Debug for Mimic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mimic").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Mimic {
    /// The fallback is `random` and the archive `default_location` unless the options say otherwise.
    #[must_use]
    pub fn new(registry: Registry, default_location: Option<DbLocation>) -> Self {
        let fallback = Box::new(Random::default());
        let options = TypedOptions::default();
        Self {
            options,
            registry,
            default_location,
            fallback,
            store: None,
            unsaved: Vec::new(),
            save_error: None,
            last: None,
        }
    }

    fn location(&self) -> Option<DbLocation> {
        match self.options.db.as_str() {
            "" => self.default_location.clone(),
            text => Some(DbLocation::parse(text)),
        }
    }

    fn open(&mut self) -> std::result::Result<&ArchiveDb, &ArchiveError> {
        let location = self.location();
        let open = || ArchiveDb::open(&location.ok_or(ArchiveError::NoDataDir)?);
        self.store.get_or_insert_with(open).as_ref()
    }

    fn lookup_options(&self) -> LookupOptions {
        let MimicOptions { symmetry, center, avoid_goal_loss, .. } = *self.options;
        LookupOptions { symmetry, center, avoid_goal_loss, ..LookupOptions::default() }
    }

    /// The tiers to look up for this position, in order.
    fn tiers(&self, game: &Game) -> Vec<Tier> {
        let last = self.options.full_until_turn;
        let late = last > 0 && game.tag().number > last;
        let requested = self.options.tiers.0.iter().copied();
        let search_goals = self.options.goal_search != GoalSearch::Off;
        match game.phase() {
            Phase::Setup(surus_rules::Side::Gold) => vec![Tier::Setup],
            Phase::Setup(surus_rules::Side::Silver) => vec![Tier::SetupReply],
            _ => requested
                .filter(|&tier| match tier {
                    Tier::Full => !late,
                    Tier::Win => !search_goals,
                    _ => true,
                })
                .collect(),
        }
    }

    /// The hit of the first tier that has one.
    fn first_hit(&mut self, job: &Job, started: Instant, log: &mut Vec<String>) -> Option<(Tier, Hit)> {
        let (game, options) = (&job.game, self.lookup_options());
        let budget = Duration::from_secs_f64(self.options.lookup_time);
        let tiers = self.tiers(game);
        let store = match self.open() {
            Ok(store) => store,
            Err(error) => {
                log.push(format!("no archive: {error}"));
                return None;
            }
        };
        for (index, tier) in tiers.into_iter().enumerate() {
            // A lookup takes milliseconds, so that the first one is always made.
            if index > 0 && (started.elapsed() >= budget || job.stop.soft_limit_reached()) {
                log.push("no time left for the archive".into());
                return None;
            }
            match lookup(store, game, tier, &options) {
                Err(error) => log.push(format!("tier {tier}: {error}")),
                Ok(result) => {
                    let Some(hit) = result.hit else { continue };
                    if let SetupOrTurn::Turn(turn) = hit.played
                        && !job.search_turns.is_empty()
                        && !job.search_turns.contains(&turn)
                    {
                        continue;
                    }
                    log.push(describe_hit(store, tier, &hit).unwrap_or_else(|error| error.to_string()));
                    return Some((tier, hit));
                }
            }
        }
        None
    }

    /// The fallback's answer. With `avoid_goal_loss` it searches again, among safe turns, if its turn allows a goal.
    fn think_fallback(
        &mut self,
        job: &Job,
        report: &mut dyn FnMut(Info),
    ) -> std::result::Result<Answer, EngineError> {
        let answer = self.fallback.think(job, report)?;
        let Answer::Turn(turn) = answer else { return Ok(answer) };
        let (game, board) = (&job.game, after(job.game.position().board(), &turn));
        if !self.options.avoid_goal_loss
            || !job.search_turns.is_empty()
            || !allows_goal_next_turn(&board, game.side())
        {
            return Ok(answer);
        }
        let safe_turns = self.safe_turns(game);
        if safe_turns.is_empty() {
            Ok(answer)
        } else {
            self.fallback.think(&Job { search_turns: safe_turns, ..job.clone() }, report)
        }
    }

    /// All turns that do not allow a goal in the other side's next turn.
    fn safe_turns(&self, game: &Game) -> Vec<Turn> {
        let (position, start) = (game.position(), game.turn_start());
        let allowed = |board: &Board| game.third_repetition(board).is_none();
        match goal_defences(position, start) {
            Defences::Unstoppable => Vec::new(),
            Defences::Turns(turns) => {
                turns.into_iter().filter(|turn| allowed(&after(position.board(), turn))).collect()
            }
            // There was no threat: only some turns allow a goal.
            Defences::NoThreat => DistinctTurns::new(position, start, position.steps_left())
                .iter()
                .filter(|(_, board)| allowed(board) && !allows_goal_next_turn(board, game.side()))
                .map(|(turn, _)| turn)
                .collect(),
        }
    }

    /// Adds the game to the archive if it is over and started with setups.
    fn save_game(&mut self) {
        let Some(game) = self.last.take() else { return };
        let complete =
            matches!(game.phase(), Phase::Over(_)) && game.origin().1 == surus_rules::TurnTag::FIRST;
        if !self.options.learn || !complete {
            return;
        }
        self.unsaved.push(game.to_string());
        self.save_error = self.add_unsaved().err();
    }

    /// Adds the pending games. If that fails, for example during an import, they are added after the next game.
    fn add_unsaved(&mut self) -> Result<()> {
        let location = self.location().ok_or(ArchiveError::NoDataDir)?;
        let store = ArchiveDb::open(&location)?;
        while let Some(record) = self.unsaved.last() {
            add_record(&store, record, "mimic")?;
            self.unsaved.pop();
        }
        Ok(())
    }
}

fn after(board: &Board, turn: &Turn) -> Board {
    turn.steps().fold(*board, |board, step| board.after_step(step))
}

/// Describes a hit: tier, game, players, ratings and result.
fn describe_hit(store: &ArchiveDb, tier: Tier, hit: &Hit) -> Result<String> {
    let mut text = format!("tier {tier}");
    if let Some(position) = hit.position {
        if let Some(game) = load_headers(store, &[position.game()])?.remove(&position.game()) {
            let rating =
                |rating: Option<i64>| rating.map_or_else(String::new, |rating| format!(" ({rating})"));
            let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
            let number =
                game.external_id.map_or_else(|| format!("#{}", game.id), |number| number.to_string());
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
                    _ => "neither side",
                }
            );
        }
    } else {
        text += ": a copy of gold's setup";
    }
    if let Some(rank) = hit.rank {
        text += &format!(", {} turns left", rank.turns_left());
    }
    if let Some(games) = hit.games {
        text += &format!(", played in {games} games");
    }
    for (applies, note) in [
        (hit.mirrored, ", mirrored"),
        (hit.flipped, ", sides swapped"),
        (hit.recentred, ", area centred again"),
    ] {
        text += if applies { note } else { "" };
    }
    Ok(text)
}

impl Engine for Mimic {
    fn id(&self) -> EngineId {
        let fallback = self.fallback.id();
        let archive = identity::archive(self.location().as_ref(), self.options.learn);
        EngineId::built_in("mimic", identity::revision(), &fallback.supported_limits.clone())
            .with_parts([archive, fallback])
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set_option(&mut self, name: &str, value: &str) -> std::result::Result<(), OptionError> {
        let invalid =
            |expected: String| OptionError::InvalidValue { name: name.into(), value: value.into(), expected };
        match name.to_ascii_lowercase().as_str() {
            "fallback" => {
                // Commas separate the options of `mimic` itself.
                let requested = value.replace(';', ",");
                if requested.split(':').next() == Some("mimic") {
                    return Err(invalid("an engine other than mimic".into()));
                }
                self.fallback = self
                    .registry
                    .make(&requested)
                    .map_err(|error| invalid(format!("an engine name: {error}")))?;
            }
            "db" => self.store = None,
            _ => {}
        }
        self.options.set(name, value)
    }

    fn new_game(&mut self) {
        self.save_game();
        // The archive may have been created in the meantime.
        if matches!(self.store, Some(Err(_))) {
            self.store = None;
        }
        self.fallback.new_game();
    }

    fn game_over(&mut self, game: &Game) {
        // Only games in which it has played.
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
        let started = Instant::now();
        let mut log = Vec::new();
        if let Some(error) = self.save_error.take() {
            log.push(format!("{} finished games not added to the archive: {error}", self.unsaved.len()));
        }
        let answer = self.choose(job, started, &mut log, report)?;
        let pv = if let Answer::Turn(turn) = answer { vec![turn] } else { Vec::new() };
        report(Info {
            time: Some(started.elapsed()),
            messages: log,
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
    fn choose(
        &mut self,
        job: &Job,
        started: Instant,
        log: &mut Vec<String>,
        report: &mut dyn FnMut(Info),
    ) -> std::result::Result<Answer, EngineError> {
        let game = &job.game;
        let unrestricted = job.search_turns.is_empty();
        let search_goals = self.options.avoid_goal_loss || self.options.goal_search != GoalSearch::Off;
        if unrestricted && search_goals && matches!(game.phase(), Phase::Play(_)) {
            if let Some(turn) = find_goal_from(game.position()) {
                log.push("goal this turn".into());
                return Ok(Answer::Turn(turn));
            }
            if self.options.goal_search == GoalSearch::Two
                && game.current_turn().is_empty()
                && let Some(turn) = goal_search::win_in_two(game, &job.stop)
            {
                log.push("forced goal next turn".into());
                return Ok(Answer::Turn(turn));
            }
        }
        match self.first_hit(job, started, log) {
            Some((_, Hit { played: SetupOrTurn::Turn(turn), .. })) => Ok(Answer::Turn(turn)),
            Some((_, Hit { played: SetupOrTurn::Setup(setup), .. })) => Ok(Answer::Setup(setup)),
            None => {
                log.push(format!("fallback {}", self.fallback.id().name));
                self.think_fallback(job, report)
            }
        }
    }
}
