//! How long questions take.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use surus_rules::{Game, Phase, PlayedTurn, Record, Replay, Rules, Setup, Side};

use crate::error::{ArchiveError, Result};
use crate::explore::explore;
use crate::filter::GameFilter;
use crate::lookup::{LookupOptions, Tier, lookup};
use crate::store::ArchiveDb;

/// The times of one kind of question, in milliseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Timing {
    /// What was asked.
    pub query: String,
    /// How often.
    pub runs: usize,
    /// How often there was an answer.
    pub hits: usize,
    /// Half of the questions took no longer.
    pub median: f64,
    /// 99 of 100 took no longer.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

impl Timing {
    fn new(question: &str, mut times: Vec<Duration>, hits: usize) -> Self {
        times.sort_unstable();
        let at = |share: f64| {
            let index = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len().max(1)) - 1;
            times.get(index).map_or(0.0, |time| (time.as_secs_f64() * 1e6).round() / 1e3)
        };
        let (median, p99, worst) = (at(0.5), at(0.99), at(1.0));
        Self { query: question.into(), runs: times.len(), hits, median, p99, max: worst }
    }
}

/// Positions to ask about, with their history: of games that are in the store, each left for a turn by chance at a random
/// point, so that half of them are new to it.
pub fn bench_positions(store: &ArchiveDb, count: usize, seed: u64) -> Result<Vec<Game>> {
    let games = crate::import::row_count(store, "games")?;
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let mut found = Vec::with_capacity(count);
    let mut tries = 0;
    while found.len() < count && 0 < games && tries < 100 * count + 100 {
        tries += 1;
        let id = chance.random_range(1..=games) as i64;
        let Some(whole) = crate::games::game(store, id)? else { continue };
        let rules: Rules = whole.rules.parse().unwrap_or(Rules::Official);
        let mut replay = Replay { game: Game::new(rules, surus_rules::Handicap::Allowed), takebacks: 0 };
        // A fragment is no question; whatever could be played is.
        let _ = Record::parse(&whole.record).and_then(|record| record.replay_into(&mut replay));
        let keep = chance.random_range(2..=replay.game.entries().len().max(2));
        while keep < replay.game.entries().len() {
            replay.game.undo_turn();
        }
        let mut game = replay.game;
        if chance.random_bool(0.5) && matches!(game.phase(), Phase::Play(_)) {
            let mut actions = Vec::new();
            game.turn_start().for_each_action(game.side(), 4, |action| actions.push(action));
            if !actions.is_empty() {
                let action = actions[chance.random_range(0..actions.len())];
                let _ = game.play(&action.steps().collect());
            }
        }
        if matches!(game.phase(), Phase::Play(_)) {
            found.push(game);
        }
    }
    if found.is_empty() {
        return Err(ArchiveError::InvalidQuery("there are no games to ask about".into()));
    }
    Ok(found)
}

/// Asks every tier and the explorer about positions of the store.
pub fn bench(store: &ArchiveDb, count: usize, seed: u64, options: &LookupOptions) -> Result<Vec<Timing>> {
    let games = bench_positions(store, count, seed)?;
    let mut told = vec![timed("setup", &[Game::default()], |game| {
        Ok(lookup(store, game, Tier::Setup, options)?.hit.is_some())
    })?];
    let setups = with_gold_setup(&games);
    told.push(timed("setup-reply", &setups, |game| {
        Ok(lookup(store, game, Tier::SetupReply, options)?.hit.is_some())
    })?);
    for tier in [Tier::Win, Tier::Full, Tier::Middle, Tier::Area, Tier::Piece] {
        told.push(timed(tier.name(), &games, |game| Ok(lookup(store, game, tier, options)?.hit.is_some()))?);
    }
    let found = |game: &Game, filters: &GameFilter| Ok(0 < explore(store, game, filters)?.games);
    let none = GameFilter::default();
    told.push(timed("explorer, start", &vec![Game::default(); 20], |game| found(game, &none))?);
    told.push(timed("explorer, setups", &setups, |game| found(game, &none))?);
    told.push(timed("explorer, games", &games, |game| found(game, &none))?);
    let strong = GameFilter { min_rating: Some(1800), ..GameFilter::default() };
    told.push(timed("explorer, start, filtered", &vec![Game::default(); 5], |game| found(game, &strong))?);
    Ok(told)
}

/// The games of the questions, as they were after gold's setup.
fn with_gold_setup(games: &[Game]) -> Vec<Game> {
    let setup = |game: &Game| match game.entries().first().map(|entry| entry.played) {
        Some(PlayedTurn::Setup(setup)) if setup.side() == Side::Gold => Some(setup),
        _ => None,
    };
    let begun = |setup: Setup| {
        let mut game = Game::new(Rules::Official, surus_rules::Handicap::Allowed);
        game.play_setup(setup).ok().map(|()| game)
    };
    games.iter().filter_map(setup).filter_map(begun).collect()
}

fn timed(name: &str, games: &[Game], mut question: impl FnMut(&Game) -> Result<bool>) -> Result<Timing> {
    let (mut times, mut hits) = (Vec::with_capacity(games.len()), 0);
    for game in games {
        let began = Instant::now();
        hits += usize::from(question(game)?);
        times.push(began.elapsed());
    }
    Ok(Timing::new(name, times, hits))
}

/// The times of each tier alone, for a store of some size: means over the questions in milliseconds.
pub fn mean_times(store: &ArchiveDb, games: &[Game], options: &LookupOptions) -> Result<Vec<(Tier, f64)>> {
    let setups = with_gold_setup(games);
    let mean = |timing: Result<Vec<Duration>>| {
        timing.map(|times| times.iter().sum::<Duration>().as_secs_f64() * 1e3 / times.len().max(1) as f64)
    };
    [Tier::SetupReply, Tier::Full, Tier::Middle, Tier::Area, Tier::Piece]
        .into_iter()
        .map(|tier| {
            let asked = if tier == Tier::SetupReply { &setups[..] } else { games };
            let times = asked.iter().map(|game| {
                let began = Instant::now();
                lookup(store, game, tier, options).map(|_| began.elapsed())
            });
            Ok((tier, mean(times.collect())?))
        })
        .collect()
}
