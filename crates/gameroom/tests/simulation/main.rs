//! Games of the bot against the imitation of the server, in simulated time: a few by default, 500 with SURUS_TEST_FULL=1.

mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use surus_gameroom::bot::{BotSettings, JournalRow, Level, OpenGames, RefusalPolicy, TakebackPolicy};
use surus_gameroom::fake::{FakeConfig, Faults, Habits};
use surus_gameroom::protocol::Secret;
use surus_rules::Side;

use world::World;

const NAME: &str = "bot_Surus";
const PASSWORD: &str = "pass%13word";

fn config(seed: u64, faults: Faults) -> FakeConfig {
    let mut config = FakeConfig::new("http://fake");
    config.accounts = vec![(NAME.into(), PASSWORD.into())];
    config.seed = seed;
    config.faults = faults;
    config.opponents = Some(Habits::default());
    config
}

fn settings(seed: u64, games: u32, at_once: usize) -> BotSettings {
    BotSettings {
        open: Some(OpenGames {
            side: None,
            time_control: "30s/2m/100/5m".into(),
            rated: false,
            count: Some(games),
        }),
        max_games: at_once,
        max_searches: 2,
        greeting: "Hello, 100%13\nsure".into(),
        takebacks: TakebackPolicy::Unrated,
        seed,
        ..BotSettings::new("http://fake/arimaa/gameroom", NAME, Secret::new(PASSWORD))
    }
}

/// Asserts what must hold after every run, and returns the results.
fn check(world: &World) -> Vec<String> {
    let mut results = Vec::new();
    for gid in world.server.games() {
        let log = || format!("game {gid}: {}", world.tail(&format!("game {gid}")));
        let Some(side) = world.server.side_of(&gid, NAME) else { continue };
        let result = world.server.result(&gid).unwrap_or_else(|| panic!("unfinished {}", log()));
        // The result is recorded once and right.
        let noted: Vec<&str> = world
            .rows
            .iter()
            .filter_map(|row| match row {
                JournalRow::Finished { gid: finished, value } if *finished == gid => Some(value.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(noted.len(), 1, "{noted:?} {}", log());
        assert!(noted[0].ends_with(&format!(" {result}")), "{} {result} {}", noted[0], log());
        let lost = !result.starts_with(if side == Side::Gold { 'w' } else { 'b' });
        assert!(!(lost && (result.ends_with('t') || result.ends_with('i'))), "lost by {result}: {}", log());
        // A turn is played only where it was meant to be.
        let intended: BTreeSet<(usize, String)> = world
            .rows
            .iter()
            .filter_map(|row| match row {
                JournalRow::Sending { gid: sent, ply, turn } if *sent == gid => Some((*ply, turn.clone())),
                _ => None,
            })
            .collect();
        let mut played = BTreeMap::new();
        for request in world.server.move_requests(&gid).iter().filter(|request| request.outcome.is_ok()) {
            assert!(intended.contains(&(request.ply, request.text.clone())), "{request:?} {}", log());
            assert_eq!(played.insert(request.ply, request.text.clone()), None, "{}", log());
        }
        // Nothing is repeated blindly.
        let refused =
            world.server.move_requests(&gid).iter().filter(|request| request.outcome.is_err()).count();
        assert!(refused * 10 <= played.len() + 20, "{refused} refused of {} {}", played.len(), log());
        results.push(result);
    }
    check_rates(world);
    results
}

fn check_rates(world: &World) {
    let mut last: BTreeMap<(u32, &str), Duration> = BTreeMap::new();
    let second = Duration::from_secs(1);
    for sent in &world.sent {
        // Several tables share the URL, and each has its own poll.
        if sent.poll {
            continue;
        }
        // Requests are a second apart also across a restart; lists of games are not, because clocks may be running.
        let mut limits = vec![(0, "any", second)];
        if matches!(sent.action, "myGames" | "join") {
            limits.push((sent.process, sent.action, second * 20));
        }
        for (process, kind, least) in limits {
            if let Some(before) = last.insert((process, kind), sent.at) {
                assert!(
                    sent.at - before >= least,
                    "{} at {:?}, {kind} before at {before:?}",
                    sent.action,
                    sent.at
                );
            }
        }
    }
    // Polls: on average at most one in two seconds per game at a time.
    let polls = world.sent.iter().filter(|sent| sent.poll).count() as f64;
    assert!(polls <= world.now.as_secs_f64() * 4.0 / 2.0, "{polls} polls in {:?}", world.now);
}

fn full() -> bool {
    std::env::var_os("SURUS_TEST_FULL").is_some()
}

#[test]
fn games_without_faults_end_with_the_right_result() {
    let mut world = World::new(config(1, Faults::default()), settings(1, 6, 2), 0);
    world.run(Duration::from_secs(100_000));
    assert_eq!(check(&world).len(), 6);
    assert!(world.finished.iter().all(|game| game.from_site && game.permanent_id.is_some()));
    let faults: Vec<_> = world.log.iter().filter(|(level, _)| *level >= Level::Warning).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn games_with_all_faults_end_with_the_right_result() {
    let (runs, games) = if full() { (25, 20) } else { (4, 10) };
    let mut reasons: BTreeMap<char, u32> = BTreeMap::new();
    for seed in 0..runs {
        let mut world = World::new(config(seed + 100, Faults::all()), settings(seed, games, 4), 0);
        world.engine_failures = 0.02;
        world.run(Duration::from_secs(500_000));
        let results = check(&world);
        assert_eq!(results.len(), games as usize, "seed {seed}");
        for result in results {
            *reasons.entry(result.chars().last().unwrap()).or_default() += 1;
        }
    }
    println!("{} games: {reasons:?}", reasons.values().sum::<u32>());
    assert!(reasons.len() >= 2, "{reasons:?}");
}

#[test]
fn crashes_do_not_play_a_turn_twice() {
    let (runs, crashes) = if full() { (10, 60) } else { (2, 25) };
    for seed in 0..runs {
        let mut world = World::new(config(seed + 500, Faults::all()), settings(seed, 4, 3), crashes);
        world.run(Duration::from_secs(500_000));
        assert!(check(&world).len() >= 4);
        assert!(world.sent.iter().any(|sent| sent.process > 3), "seed {seed}: too few crashes");
    }
}

#[test]
fn contradictory_states_leave_the_game_resumable() {
    let faults = Faults { garbled_state: 1.0, ..Faults::default() };
    let mut world = World::new(config(7, faults), settings(7, 1, 1), 0);
    world.run_for(Duration::from_secs(1200));
    // A setup may be sent: a state without moves is right before the first.
    let sent = world.rows.iter().filter(|row| matches!(row, JournalRow::Sending { ply: 2.., .. })).count();
    assert_eq!(sent, 0, "{}", world.tail(""));
    assert!(world.rows.iter().all(|row| !matches!(row, JournalRow::Refused { .. })), "{:?}", world.rows);
    assert!(world.tail("").contains("contradictory state"), "{}", world.tail(""));
    check_rates(&world);
}

#[test]
fn refused_turns_are_followed_by_others_and_then_by_the_policy() {
    for refusals in [RefusalPolicy::Resign, RefusalPolicy::Leave] {
        let faults = Faults { refused_move: 1.0, ..Faults::default() };
        let mut config = config(3, faults);
        config.opponents =
            Some(Habits { late: 0.0, leaves_before_start: 0.0, flags: 0.0, ..Habits::default() });
        let mut world = World::new(config, BotSettings { refusals, resume: false, ..settings(3, 1, 1) }, 0);
        world.run_for(Duration::from_secs(400));
        let sent: Vec<_> = world.sent.iter().filter(|sent| sent.action == "move").collect();
        assert_eq!(sent.len(), 4, "{}", world.tail(""));
        assert!(sent.windows(2).all(|pair| pair[1].at - pair[0].at >= Duration::from_secs(5)));
        let turns: BTreeSet<&String> = world
            .rows
            .iter()
            .filter_map(|row| if let JournalRow::Refused { turn, .. } = row { Some(turn) } else { None })
            .collect();
        assert_eq!(turns.len(), 4, "{:?}", world.rows);
        let gid = &world.server.games()[0];
        let resigned = world.server.result(gid).is_some_and(|result| result.ends_with('r'));
        assert_eq!(resigned, refusals == RefusalPolicy::Resign, "{}", world.tail(""));
    }
}

#[test]
fn shutdown_cancels_games_without_an_opponent() {
    let mut config = config(2, Faults::default());
    config.opponents = None;
    let mut world = World::new(config, settings(2, 3, 2), 0);
    world.run_for(Duration::from_secs(60));
    assert_eq!(world.server.games().len(), 2);
    world.shut_down();
    world.run(Duration::from_secs(100));
    assert_eq!(world.server.games(), Vec::<String>::new(), "{}", world.tail(""));
}

#[test]
fn a_wrong_password_ends_the_bot_after_one_request() {
    let mut settings = settings(1, 1, 1);
    settings.password = Secret::new("wrong");
    let mut world = World::new(config(1, Faults::default()), settings, 0);
    world.run(Duration::from_secs(100));
    assert_eq!((world.sent.len(), world.server.games().len()), (1, 0));
}

#[test]
fn a_bot_opens_nothing_and_joins_nothing_by_itself() {
    let settings = BotSettings { open: None, ..settings(1, 1, 1) };
    let mut world = World::new(config(1, Faults::default()), settings, 0);
    world.run(Duration::from_secs(100));
    let actions: Vec<_> = world.sent.iter().map(|sent| sent.action).collect();
    assert_eq!(actions, ["login", "myGames"]);
}

#[test]
fn correspondence_games_are_left_between_turns() {
    let mut config = config(4, Faults::default());
    config.opponents = Some(Habits {
        think_up_to: Duration::from_secs(4000),
        late: 0.0,
        leaves_before_start: 0.0,
        resigns: 0.3,
        ..Habits::default()
    });
    let mut settings = settings(4, 1, 1);
    settings.open.iter_mut().for_each(|open| open.time_control = "2d/30d/100/60d/0".into());
    let mut world = World::new(config, settings, 0);
    world.run(Duration::from_secs(500_000));
    assert_eq!(check(&world).len(), 1);
    let count = |action| world.sent.iter().filter(|sent| sent.action == action).count();
    assert!(count("leave") >= 2 && count("sit") >= 2, "{} {}", count("leave"), world.tail(""));
    // Lists come every five minutes while the opponent thinks.
    assert!(count("myGames") as u64 <= world.now.as_secs() / 100 + 5, "{}", count("myGames"));
}
