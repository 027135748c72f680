//! Query times.

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

/// The times of one kind of query, in milliseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Timing {
    /// The kind of query.
    pub query: String,
    /// The number of queries.
    pub runs: usize,
    /// Queries with a result.
    pub hits: usize,
    /// The median.
    pub median: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The maximum.
    pub max: f64,
}

impl Timing {
    fn new(query: &str, mut times: Vec<Duration>, hits: usize) -> Self {
        times.sort_unstable();
        let at = |share: f64| {
            let index = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len().max(1)) - 1;
            times.get(index).map_or(0.0, |time| (time.as_secs_f64() * 1e6).round() / 1e3)
        };
        let (median, p99, max) = (at(0.5), at(0.99), at(1.0));
        Self { query: query.into(), runs: times.len(), hits, median, p99, max }
    }
}

/// Query positions with their history, from games of the archive. Each game is cut at a random ply, and half of the games
/// then get one random action, so that about half of the positions are not in the archive.
pub fn bench_positions(store: &ArchiveDb, count: usize, seed: u64) -> Result<Vec<Game>> {
    let games = crate::import::row_count(store, "games")?;
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut found = Vec::with_capacity(count);
    let mut tries = 0;
    while found.len() < count && games > 0 && tries < 100 * count + 100 {
        tries += 1;
        let id = rng.random_range(1..=games) as i64;
        let Some(stored) = crate::games::game(store, id)? else { continue };
        let rules: Rules = stored.rules.parse().unwrap_or(Rules::Official);
        let mut replay = Replay { game: Game::new(rules, surus_rules::Handicap::Allowed), takebacks: 0 };
        // A record that fails to replay contributes the turns before the failure.
        let _ = Record::parse(&stored.record).and_then(|record| record.replay_into(&mut replay));
        let kept_plies = rng.random_range(2..=replay.game.entries().len().max(2));
        while kept_plies < replay.game.entries().len() {
            replay.game.undo_turn();
        }
        let mut game = replay.game;
        if rng.random_bool(0.5) && matches!(game.phase(), Phase::Play(_)) {
            let mut actions = Vec::new();
            game.turn_start().for_each_action(game.side(), 4, |action| actions.push(action));
            if !actions.is_empty() {
                let action = actions[rng.random_range(0..actions.len())];
                let _ = game.play(&action.steps().collect());
            }
        }
        if matches!(game.phase(), Phase::Play(_)) {
            found.push(game);
        }
    }
    if found.is_empty() {
        return Err(ArchiveError::InvalidQuery("the archive has no games to take queries from".into()));
    }
    Ok(found)
}

/// Times every tier and the explorer on positions of the archive.
pub fn bench(store: &ArchiveDb, count: usize, seed: u64, options: &LookupOptions) -> Result<Vec<Timing>> {
    let games = bench_positions(store, count, seed)?;
    let mut timings = vec![timed("setup", &[Game::default()], |game| {
        Ok(lookup(store, game, Tier::Setup, options)?.hit.is_some())
    })?];
    let setups = with_gold_setup(&games);
    timings.push(timed("setup-reply", &setups, |game| {
        Ok(lookup(store, game, Tier::SetupReply, options)?.hit.is_some())
    })?);
    for tier in [Tier::Win, Tier::Full, Tier::Middle, Tier::Area, Tier::Piece] {
        timings
            .push(timed(tier.name(), &games, |game| Ok(lookup(store, game, tier, options)?.hit.is_some()))?);
    }
    let found = |game: &Game, filters: &GameFilter| Ok(explore(store, game, filters)?.games > 0);
    let none = GameFilter::default();
    timings.push(timed("explorer, start", &vec![Game::default(); 20], |game| found(game, &none))?);
    timings.push(timed("explorer, setups", &setups, |game| found(game, &none))?);
    timings.push(timed("explorer, games", &games, |game| found(game, &none))?);
    let strong = GameFilter { min_rating: Some(1800), ..GameFilter::default() };
    timings.push(timed("explorer, start, filtered", &vec![Game::default(); 5], |game| found(game, &strong))?);
    Ok(timings)
}

/// The query games after gold's setup.
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

fn timed(name: &str, games: &[Game], mut query: impl FnMut(&Game) -> Result<bool>) -> Result<Timing> {
    let (mut times, mut hits) = (Vec::with_capacity(games.len()), 0);
    for game in games {
        let started = Instant::now();
        hits += usize::from(query(game)?);
        times.push(started.elapsed());
    }
    Ok(Timing::new(name, times, hits))
}

/// The mean time of each tier in milliseconds.
pub fn mean_times(store: &ArchiveDb, games: &[Game], options: &LookupOptions) -> Result<Vec<(Tier, f64)>> {
    let setups = with_gold_setup(games);
    let mean = |timing: Result<Vec<Duration>>| {
        timing.map(|times| times.iter().sum::<Duration>().as_secs_f64() * 1e3 / times.len().max(1) as f64)
    };
    [Tier::SetupReply, Tier::Full, Tier::Middle, Tier::Area, Tier::Piece]
        .into_iter()
        .map(|tier| {
            let games = if tier == Tier::SetupReply { &setups[..] } else { games };
            let times = games.iter().map(|game| {
                let started = Instant::now();
                lookup(store, game, tier, options).map(|_| started.elapsed())
            });
            Ok((tier, mean(times.collect())?))
        })
        .collect()
}
