//! The engine plays from the archive, reports its source, and falls back without one.

mod common;

use common::{TempDir, import};
use surus_archive::{ArchiveDb, DbLocation, Mimic};
use surus_play::{Answer, Engine, Greedy, Info, Job, Random, Registry};
use surus_rules::{Game, GameResult, Handicap, Phase, Record, Rules, Side, Termination};

fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.add("random", "", || Box::new(Random::default()));
    registry.add("greedy", "", || Box::new(Greedy::default()));
    registry
}

fn mimic(location: &DbLocation, options: &[(&str, &str)]) -> Mimic {
    let mut engine = Mimic::new(registry(), None);
    let store = match location {
        DbLocation::Sqlite(file) => file.display().to_string(),
        DbLocation::Postgres(url) => url.clone(),
    };
    engine.set_option("db", &store).unwrap();
    for (name, value) in options {
        engine.set_option(name, value).unwrap();
    }
    engine.new_game();
    engine
}

fn think(engine: &mut Mimic, game: &Game) -> (Answer, String) {
    let mut log = Vec::new();
    let reply = engine.think(&Job::new(game.clone()), &mut |info: Info| log.extend(info.messages)).unwrap();
    (reply, log.join("; "))
}

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

fn games(dir: &TempDir) -> ArchiveDb {
    let names = "id\tgusername\tsusername\tgrating\tsrating\tsite\tstartts\tresult\ttermination\tmovelist";
    let row = |id: u32, rating: u32, result: char, turns: &str| {
        format!(
            "{id}\tAnn\tBob\t{rating}\t1500\tOver the Net\t1700000000\t{result}\tr\t1g {GOLD}\\n1s {SILVER}\\n{turns}\n"
        )
    };
    let rows = [
        row(1, 2000, 's', "2g Ee2n Ee3n\\n2s ed7s"),
        row(2, 1700, 'g', "2g Hb2n Hb3n\\n2s ed7s"),
        row(3, 1800, 'g', "2g Hg2n\\n2s me7s me6s"),
    ];
    let file = dir.write("games.txt", format!("{names}\n{}", rows.concat()));
    let store = dir.store("mimic");
    assert_eq!(import(&store, &[&file]).games_added, 3);
    store
}

fn played(record: &str) -> Game {
    Record::parse(record).unwrap().replay(Rules::Official, Handicap::None).unwrap().game
}

#[test]
fn the_best_ranked_turn_is_played_and_its_source_reported() {
    let dir = TempDir::new("plays");
    let store = games(&dir);
    let mut engine = mimic(store.location(), &[]);
    let (reply, log) = think(&mut engine, &Game::default());
    assert!(matches!(reply, Answer::Setup(setup) if setup.to_string() == GOLD), "{reply:?}");
    assert!(log.starts_with("tier setup: game 3, Ann (1800) against Bob (1500), turn 1g, gold won"), "{log}");
    let game = played(&format!("1g {GOLD}\n1s {SILVER}"));
    let (reply, log) = think(&mut engine, &game);
    // The loser's turn is better rated, but it lost.
    assert!(matches!(reply, Answer::Turn(turn) if turn.to_string() == "Hg2n"), "{reply:?}");
    assert!(
        log.contains("tier full: game 3, Ann (1800) against Bob (1500), turn 2g, gold won, 0 turns left"),
        "{log}"
    );
    let mut limited = mimic(store.location(), &[("full_until_turn", "1"), ("tiers", "full")]);
    let (_, log) = think(&mut limited, &game);
    assert_eq!(log, "fallback random");
    // The middle rows are equal, the others differ.
    let other = GOLD.replace("Cc2", "Dc2").replace("Dd1", "Cd1");
    let (reply, log) = think(&mut engine, &played(&format!("1g {other}\n1s {SILVER}")));
    assert!(log.starts_with("tier middle: game 3"), "{log}");
    assert!(matches!(reply, Answer::Turn(turn) if turn.to_string() == "Hg2n"), "{reply:?}");
}

#[test]
fn the_fallback_plays_without_an_archive_or_hits() {
    let dir = TempDir::new("fallback");
    let game = played(&format!("1g {GOLD}\n1s {SILVER}"));
    let mut missing = mimic(&DbLocation::Sqlite(dir.file("nothing.db")), &[("fallback", "greedy")]);
    let (reply, log) = think(&mut missing, &game);
    assert!(matches!(reply, Answer::Turn(_)));
    assert!(log.contains("no archive: there is no archive at") && log.ends_with("fallback greedy"), "{log}");
    let store = dir.store("empty");
    import(&store, &[]);
    let mut empty = mimic(store.location(), &[]);
    let (reply, log) = think(&mut empty, &game);
    assert!(matches!(reply, Answer::Turn(_)));
    assert_eq!(log, "fallback random");
    let mut game = Game::default();
    while !matches!(game.phase(), Phase::Over(_)) && game.entries().len() < 40 {
        match think(&mut empty, &game).0 {
            Answer::Setup(setup) => game.play_setup(setup).unwrap(),
            Answer::Turn(turn) => game.play(&turn).unwrap(),
            Answer::Resign => break,
        }
    }
    assert!(game.entries().len() > 10);
}

#[test]
fn options_are_checked() {
    let mut engine = Mimic::new(registry(), None);
    for (name, value, message) in [
        ("fallback", "mimic", "expected an engine other than mimic"),
        (
            "fallback",
            "missing",
            "expected an engine name: unknown engine 'missing': expected one of random, greedy",
        ),
        ("fallback", "random:seed=3;x=1", "engine 'random': unknown option 'x': expected seed"),
        ("tiers", "full+setup", "expected tiers among win, full, middle, area, piece, joined by +"),
        ("lookup_time", "0", "expected a number from 0.001 to 3600"),
    ] {
        let error = engine.set_option(name, value).unwrap_err().to_string();
        assert!(error.ends_with(message), "{error}");
    }
    engine.set_option("fallback", "random:seed=3").unwrap();
}

#[test]
fn avoid_goal_loss_plays_goals_and_prevents_them() {
    let dir = TempDir::new("guarded");
    let store = dir.store("guarded");
    import(&store, &[]);
    let game = |text: &str| Game::from_text(text, Rules::Official).unwrap();
    let goal = game("g [r      r R         hE                                   RRRRRRR ]");
    let mut plain = mimic(store.location(), &[("avoid_goal_loss", "true")]);
    let (reply, log) = think(&mut plain, &goal);
    assert!(matches!(reply, Answer::Turn(turn) if turn.to_string() == "Rb7n"), "{log}");
    // Silver's rabbit is four steps from its goal, and a gold horse is close enough to stop it.
    let threatened = game("g [e      rR                             rH            E           ]");
    let mut guarded = mimic(store.location(), &[("avoid_goal_loss", "true")]);
    let (reply, _) = think(&mut guarded, &threatened);
    let Answer::Turn(turn) = reply else { panic!("{reply:?}") };
    let board = turn.steps().fold(*threatened.position().board(), |board, step| board.after_step(step));
    assert_eq!(surus_tactics::steps_to_goal(&board, Side::Silver, 4), None, "{turn}");
    // Silver has a goal only if gold allows it: the elephant blocks the rabbit on h3.
    let unthreatened = game("g [r                                      r      Hr       E       R]");
    let loses = |engine: &mut Mimic| {
        let (Answer::Turn(turn), _) = think(engine, &unthreatened) else { panic!("no turn") };
        let board = turn.steps().fold(*unthreatened.position().board(), |board, step| board.after_step(step));
        surus_tactics::steps_to_goal(&board, Side::Silver, 4).is_some()
    };
    let mut careless = mimic(store.location(), &[]);
    assert!((0..40).any(|_| loses(&mut careless)));
    assert!(!(0..40).any(|_| loses(&mut guarded)));
    let mut two = mimic(store.location(), &[("goal_search", "two")]);
    let (reply, log) =
        think(&mut two, &game(&format!("g [{}r{}R{}]", " ".repeat(7), " ".repeat(32), " ".repeat(23))));
    assert!(matches!(reply, Answer::Turn(_)) && log == "forced goal next turn", "{log}");
}

#[test]
fn unfinished_games_are_not_saved() {
    let dir = TempDir::new("learns");
    let store = games(&dir);
    let before = surus_archive::explore(&store, &Game::default(), &Default::default()).unwrap().games;
    let mut engine = mimic(store.location(), &[("learn", "true")]);
    let game = played(&format!("1g {GOLD}\n1s {SILVER}"));
    think(&mut engine, &game);
    engine.new_game();
    engine.new_game();
    let after = surus_archive::explore(&store, &Game::default(), &Default::default()).unwrap().games;
    assert_eq!(after, before);
}

#[test]
fn finished_games_are_saved_with_their_result() {
    let dir = TempDir::new("ended");
    let store = games(&dir);
    let archive_counts = || {
        let found = surus_archive::explore(&store, &Game::default(), &Default::default()).unwrap();
        (found.games, found.gold_wins)
    };
    let mut engine = mimic(store.location(), &[("learn", "true")]);
    let mut game = played(&format!("1g {GOLD}\n1s {SILVER}"));
    engine.game_over(&game);
    assert_eq!(archive_counts(), (3, 2), "the engine did not play in that game");
    let (Answer::Turn(turn), _) = think(&mut engine, &game) else { panic!("no turn") };
    game.play(&turn).unwrap();
    game.end(GameResult::win(Side::Gold, Termination::Resignation));
    engine.game_over(&game);
    engine.new_game();
    assert_eq!(archive_counts(), (4, 3));
}

/// Plays a turn and ends the game.
fn finish(engine: &mut Mimic, mut game: Game) {
    let (Answer::Turn(turn), _) = think(engine, &game) else { panic!("no turn") };
    game.play(&turn).unwrap();
    game.end(GameResult::win(Side::Gold, Termination::Resignation));
    engine.game_over(&game);
}

#[test]
fn the_first_game_of_an_empty_archive_leaves_it_usable() {
    let dir = TempDir::new("first");
    let store = dir.store("first");
    let mut engine = mimic(store.location(), &[("learn", "true")]);
    finish(&mut engine, played(&format!("1g {GOLD}\n1s {SILVER}")));
    assert_eq!(surus_archive::explore(&store, &Game::default(), &Default::default()).unwrap().games, 1);
    let (reply, log) = think(&mut engine, &Game::default());
    assert!(matches!(reply, Answer::Setup(setup) if setup.to_string() == GOLD), "{log}");
}

#[test]
fn a_game_that_cannot_be_added_is_added_with_the_next() {
    let dir = TempDir::new("waits");
    let store = games(&dir);
    // PostgreSQL's lock belongs to a connection, which a test of files does not have.
    let DbLocation::Sqlite(path) = store.location() else { return };
    let mut lock = path.as_os_str().to_owned();
    lock.push("-import");
    let import = std::fs::OpenOptions::new().create(true).append(true).open(lock).unwrap();
    import.lock().unwrap();
    let archive_counts =
        || surus_archive::explore(&store, &Game::default(), &Default::default()).unwrap().games;
    let mut engine = mimic(store.location(), &[("learn", "true")]);
    let start = format!("1g {GOLD}\n1s {SILVER}");
    finish(&mut engine, played(&start));
    assert_eq!(archive_counts(), 3);
    let (_, log) = think(&mut engine, &played(&start));
    assert!(log.starts_with("1 finished games not added to the archive: another import"), "{log}");
    import.unlock().unwrap();
    finish(&mut engine, played(&format!("{start}\n2g Hg2n\n2s me7s")));
    assert_eq!(archive_counts(), 5);
}
