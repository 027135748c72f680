//! Sessions with a store that fails.

use std::sync::atomic::{AtomicBool, Ordering};

use surus_play::{
    Answer, Engine, EngineError, EngineId, Greedy, Info, Job, OptionError, Options, Random, Registry,
};

use super::*;
use crate::access::Client;
use crate::analysis::AnalysisService;
use crate::api::ListedGame;
use crate::archive::ArchiveService;
use crate::engine_pool::EnginePool;
use crate::store::{GameStore, StoreError};
use crate::test_dir::TempDir;

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const HUMAN: &str = r#"{"kind": "human"}"#;
const GATED: &str = r#"{"kind": "engine", "name": "gated", "seconds": 600}"#;

/// Answers when its gate is opened or its search is stopped.
#[derive(Default)]
struct Gated {
    engine: Greedy,
    open: Arc<AtomicBool>,
}

impl Engine for Gated {
    fn id(&self) -> EngineId {
        EngineId::built_in("gated", "test", &[])
    }

    fn options(&self) -> &Options {
        self.engine.options()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.engine.set_option(name, value)
    }

    fn new_game(&mut self) {}

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        while !self.open.load(Ordering::Relaxed) && !job.stop.should_stop() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.engine.think(job, report)
    }
}

/// A server with one client.
pub(crate) struct TestBoard {
    pub(crate) app: Arc<AppState>,
    client: Subscriber,
    messages: mpsc::Receiver<Message>,
    gate: Arc<AtomicBool>,
    dir: TempDir,
}

pub(crate) fn board(test: &str) -> TestBoard {
    let dir = TempDir::new(&format!("session-{test}"));
    let gate = Arc::new(AtomicBool::new(false));
    let mut registry = Registry::default();
    let open = Arc::clone(&gate);
    registry.add("gated", "waits", move || Box::new(Gated { open: Arc::clone(&open), ..Gated::default() }));
    registry.add("random", "plays anything", || Box::new(Random::default()));
    let store = GameStore::open(&dir.path().join("games.sqlite")).unwrap();
    let engines = EnginePool::new(registry.clone(), true);
    let analysis = AnalysisService::new(registry, "random", 1);
    let app = AppState::new(store, false, ArchiveService::new(None), engines, analysis, "random".into());
    let (sender, messages) = mpsc::channel(64);
    let client = Subscriber { client: 1, sender, engine_permit: Arc::new(Semaphore::new(1)) };
    TestBoard { app: Arc::new(app), client, messages, gate, dir }
}

impl TestBoard {
    fn create_game(&self, gold: &str, silver: &str, extra: &str) -> String {
        let config =
            serde_json::from_str(&format!(r#"{{"gold": {gold}, "silver": {silver}{extra}}}"#)).unwrap();
        let id = self.app.create_game(&Client::Owner, config).unwrap().id;
        self.app.subscribe(&id, &self.client).unwrap();
        id
    }

    /// Makes every write to the store fail, or succeed again.
    fn break_store(&self, broken: bool) {
        self.app.store().raw().pragma_update(None, "query_only", broken).unwrap();
    }

    /// Waits for a matching message.
    async fn wait_for(&mut self, matches: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        loop {
            let text = self.messages.recv().await.unwrap();
            let message = serde_json::from_str(&text).unwrap();
            if matches(&message) {
                return message;
            }
        }
    }

    fn turns(&self, id: &str) -> usize {
        self.app.game_state(id).unwrap().turns.len()
    }

    /// The state that a restart would find.
    fn stored(&self, id: &str) -> GameState {
        let (game, turns) = self.app.store().load(id).unwrap();
        ActiveGame::from_stored(&game, &turns).unwrap().state()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_writes_leave_game_and_engine_unchanged() {
    let mut board = board("command");
    let id = board.create_game(HUMAN, GATED, "");
    board.app.update_game(&id, |active| active.place_setup(GOLD)).unwrap();
    let before = board.app.game_state(&id).unwrap();
    board.break_store(true);
    for update in [ActiveGame::resign, ActiveGame::take_back] {
        let error = board.app.update_game(&id, update).unwrap_err();
        assert_eq!(error.to_string(), "the change cannot be stored: attempt to write a readonly database");
        assert_eq!(board.app.game_state(&id).unwrap(), before);
    }
    board.break_store(false);
    board.gate.store(true, Ordering::Relaxed);
    // The search was not stopped: a stopped one is restarted only by a change.
    board.wait_for(|message| message["game"]["turns"].as_array().is_some_and(|turns| turns.len() == 2)).await;
    assert_eq!(board.stored(&id), GameState { clock: None, ..board.app.game_state(&id).unwrap() });
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_writes_of_engine_turns_are_retried() {
    let mut board = board("answer");
    let id = board.create_game(HUMAN, GATED, "");
    board.app.update_game(&id, |active| active.place_setup(GOLD)).unwrap();
    board.break_store(true);
    board.gate.store(true, Ordering::Relaxed);
    let message = board.wait_for(|message| message["type"] == "engine_error").await;
    assert_eq!(
        message["error"],
        "the engine has played, but the change cannot be stored: attempt to write a readonly database. Storing its \
         turn is retried."
    );
    assert_eq!(board.turns(&id), 1);
    board.break_store(false);
    board.wait_for(|message| message["game"]["turns"].as_array().is_some_and(|turns| turns.len() == 2)).await;
    assert_eq!(board.stored(&id).turns.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn loss_on_time_is_shown_after_it_is_stored() {
    let mut board = board("alarm");
    let origin = r#", "time_control": "1s/0/0", "start": {"board": "r                                  rE                          R", "tag": "2g"}"#;
    let id = board.create_game(HUMAN, HUMAN, origin);
    board.break_store(true);
    let message = board.wait_for(|message| message["type"] == "engine_error").await;
    assert_eq!(
        message["error"],
        "the time has run out, but the change cannot be stored: attempt to write a readonly database"
    );
    let error = board.app.update_game(&id, |active| active.play_steps("Ee4n")).unwrap_err();
    assert!(matches!(error, ApiError::Store(StoreError::Write(_))), "{error}");
    assert_eq!(board.app.game_state(&id).unwrap().position.end, None);
    board.break_store(false);
    board.wait_for(|message| !message["game"]["position"]["end"].is_null()).await;
    assert_eq!(board.stored(&id).position.end.unwrap().code, 't');
}

#[tokio::test(flavor = "multi_thread")]
async fn elapsed_time_is_stored_on_shutdown() {
    let board = board("time");
    let id = board.create_game(HUMAN, HUMAN, "");
    std::thread::sleep(Duration::from_millis(30));
    board.break_store(true);
    assert!(board.app.unsubscribe(&id, board.client.client).is_err());
    board.break_store(false);
    assert_eq!(board.app.store().load(&id).unwrap().0.elapsed_ms, 0);
    board.app.stop().unwrap();
    assert!(board.app.store().load(&id).unwrap().0.elapsed_ms >= 30);
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_ends_searches() {
    let board = board("stop");
    let id = board.create_game(HUMAN, GATED, "");
    board.app.update_game(&id, |active| active.place_setup(GOLD)).unwrap();
    while board.app.stats().unwrap().searching == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    board.app.stop().unwrap();
    // The gate is closed, so the search ends only because it was stopped.
    while board.app.stats().unwrap().searching != 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(board.turns(&id), 1, "a stopped engine plays no turn");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_of_a_client_that_left_during_its_search_is_freed() {
    let board = board("freed");
    let id = board.create_game(HUMAN, GATED, "");
    board.app.update_game(&id, |active| active.place_setup(GOLD)).unwrap();
    while board.app.stats().unwrap().memory == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    board.app.unsubscribe(&id, board.client.client).unwrap();
    while board.app.stats().unwrap().searching != 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(board.app.stats().unwrap().memory, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_games_are_listed_and_can_be_deleted() {
    let board = board("unreadable");
    let id = board.create_game(HUMAN, HUMAN, "");
    board.app.update_game(&id, |active| active.place_setup(GOLD)).unwrap();
    board.app.unsubscribe(&id, board.client.client).unwrap();
    board.app.store().raw().execute("UPDATE turns SET text = 'Ra1'", []).unwrap();
    let error = board.app.subscribe(&id, &board.client).unwrap_err();
    assert!(error.to_string().starts_with(&format!("the stored game '{id}' cannot be read: turn 1g 'Ra1'")));
    let games = board.app.list_games(&Client::Owner, 10, 0).unwrap();
    let [ListedGame::Unreadable(listed)] = &games.games[..] else { panic!("{games:?}") };
    assert!(listed.id == id && listed.reason.starts_with("turn 1g 'Ra1'"), "{listed:?}");
    board.app.delete_game(&Client::Owner, &id).unwrap();
    assert_eq!(board.app.list_games(&Client::Owner, 10, 0).unwrap().total, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn panic_poisons_the_session_but_not_the_stored_game() {
    let board = board("poisoned");
    let id = board.create_game(HUMAN, HUMAN, "");
    let app = Arc::clone(&board.app);
    let game = id.clone();
    let panicked =
        tokio::task::spawn_blocking(move || app.update_game(&game, |_| panic!("on purpose"))).await.is_err();
    assert!(panicked);
    let error = board.app.update_game(&id, |active| active.place_setup(GOLD)).unwrap_err();
    assert!(matches!(error, ApiError::Session(SessionError::Poisoned)), "{error}");
    board.app.subscribe(&id, &board.client).unwrap();
    board.app.update_game(&id, |active| active.place_setup(GOLD)).unwrap();
    assert_eq!(board.turns(&id), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn read_only_board_changes_nothing() {
    let mut board = board("read-only");
    let id = board.create_game(HUMAN, GATED, "");
    let store = GameStore::open_read_only(&board.dir.path().join("games.sqlite")).unwrap();
    let engines = EnginePool::new(Registry::default(), true);
    let analysis = AnalysisService::new(Registry::default(), "random", 1);
    let archive = ArchiveService::new(None);
    let reader = Arc::new(AppState::new(store, true, archive, engines, analysis, "random".into()));
    assert_eq!(reader.list_games(&Client::Owner, 10, 0).unwrap().total, 1);
    board.wait_for(|message| message["type"] == "game").await;
    reader.subscribe(&id, &board.client).unwrap();
    board.wait_for(|message| message["type"] == "game").await;
    let config = board.app.game_state(&id).unwrap().config;
    for error in [
        reader.create_game(&Client::Owner, config).unwrap_err(),
        reader.update_game(&id, |active| active.place_setup(GOLD)).unwrap_err(),
        reader.delete_game(&Client::Owner, &id).unwrap_err(),
    ] {
        assert!(matches!(error, ApiError::ReadOnly), "{error}");
    }
    assert_eq!(reader.stats().unwrap().games, 0, "no engine and no clock runs");
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_list_and_delete_only_their_own_games() {
    let board = board("guests");
    let [ann, bob] = ["ann", "bob"].map(|name| Client::Guest(name.into()));
    let create = |client| {
        let config = serde_json::from_str(&format!(r#"{{"gold": {HUMAN}, "silver": {HUMAN}}}"#)).unwrap();
        board.app.create_game(client, config).unwrap().id
    };
    let ids = [&Client::Owner, &ann, &bob].map(create);
    let listed = |client| {
        let list = board.app.list_games(client, 10, 0).unwrap();
        (list.total, list.games.len())
    };
    assert_eq!([&Client::Owner, &ann, &bob].map(listed), [(3, 3), (1, 1), (1, 1)]);
    for id in [&ids[0], &ids[2]] {
        let error = board.app.delete_game(&ann, id).unwrap_err();
        assert!(matches!(error, ApiError::NotOwner), "{error}");
    }
    board.app.delete_game(&ann, &ids[1]).unwrap();
    board.app.delete_game(&Client::Owner, &ids[2]).unwrap();
    assert_eq!([&Client::Owner, &ann, &bob].map(listed), [(1, 1), (0, 0), (0, 0)]);
    // A client with the link can open a game.
    board.app.subscribe(&ids[0], &board.client).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn results_against_engines_are_counted() {
    let board = board("results");
    let random = r#"{"kind": "engine", "name": "random:seed=2", "seconds": 1}"#;
    for (gold, silver, extra) in [
        (HUMAN, GATED, ""),
        (HUMAN, random, ""),
        (HUMAN, random, ""),
        (HUMAN, HUMAN, ""),
        (HUMAN, random, r#", "handicap": {"silver": "M"}"#),
    ] {
        let id = board.create_game(gold, silver, extra);
        board.app.update_game(&id, ActiveGame::resign).unwrap();
    }
    let _unfinished = board.create_game(HUMAN, random, "");
    let results = board.app.results(&Client::Owner).unwrap();
    let counts: Vec<_> =
        results.iter().map(|result| (&*result.engine, result.won, result.lost, result.drawn)).collect();
    assert_eq!(counts, [("gated", 0, 1, 0), ("random:seed=2", 0, 2, 0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_play_each_game_with_another_seed() {
    let mut board = board("seeds");
    let random = r#"{"kind": "engine", "name": "random"}"#;
    let mut setups = Vec::new();
    for engine in [random, random, r#"{"kind": "engine", "name": "random:seed=1"}"#] {
        let id = board.create_game(engine, HUMAN, "");
        let message = board
            .wait_for(|message| message["game"]["id"] == *id && message["game"]["turns"][0].is_object())
            .await;
        setups.push(message["game"]["turns"][0]["text"].clone());
    }
    assert!(setups[0] != setups[1] && setups[1] != setups[2], "{setups:?}");
    let again = r#"{"kind": "engine", "name": "random:seed=1"}"#;
    let id = board.create_game(again, HUMAN, "");
    let message = board
        .wait_for(|message| message["game"]["id"] == *id && message["game"]["turns"][0].is_object())
        .await;
    assert_eq!(message["game"]["turns"][0]["text"], setups[2], "a seed of the client is respected");
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_are_legal_turns_of_the_human_to_move() {
    let board = board("hint");
    let start = r#", "start": {"board": "r                                  rE                          R", "tag": "2g"}"#;
    let id = board.create_game(HUMAN, HUMAN, start);
    let hint = crate::hint::hint(&board.app, id.clone()).await.unwrap();
    assert!(!hint.steps.is_empty());
    // In the middle of a turn it is the rest of the turn.
    board.app.update_game(&id, |active| active.play_steps("Ee4n")).unwrap();
    let rest = crate::hint::hint(&board.app, id.clone()).await.unwrap();
    assert!(rest.steps.len() <= 3, "{rest:?}");
    board.app.update_game(&id, |active| active.play_steps(&rest.text)).unwrap();
    let setup = board.create_game(HUMAN, HUMAN, "");
    let error = crate::hint::hint(&board.app, setup).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no hint here: expected a turn to be played");
    board.app.update_game(&id, ActiveGame::resign).unwrap();
    assert!(crate::hint::hint(&board.app, id).await.unwrap_err().to_string().starts_with("the game is over"));
}
