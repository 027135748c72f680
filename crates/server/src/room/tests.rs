//! Games that are watched, with a store that fails.

use std::sync::atomic::{AtomicBool, Ordering};

use surus_play::{
    Answer, Engine, EngineError, EngineId, Greedy, Info, Job, OptionError, Options, Random, Registry,
};

use super::*;
use crate::archive::Archive;
use crate::engines::Workshop;
use crate::store::{Store, StoreError};
use crate::test_folder::TestFolder;
use crate::wire::ListedGame;

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const PERSON: &str = r#"{"kind": "person"}"#;
const GATED: &str = r#"{"kind": "engine", "name": "gated", "seconds": 600}"#;

/// Answers when its gate is opened, or when it is stopped.
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

/// A hub with a client.
struct Board {
    hub: Arc<Hub>,
    me: Watcher,
    told: mpsc::Receiver<Message>,
    gate: Arc<AtomicBool>,
    folder: TestFolder,
}

fn board(test: &str) -> Board {
    let folder = TestFolder::new(&format!("room-{test}"));
    let gate = Arc::new(AtomicBool::new(false));
    let mut registry = Registry::default();
    let open = Arc::clone(&gate);
    registry.add("gated", "waits", move || Box::new(Gated { open: Arc::clone(&open), ..Gated::default() }));
    registry.add("random", "plays anything", || Box::new(Random::default()));
    let store = Store::open(&folder.path().join("games.sqlite")).unwrap();
    let hub = Hub::new(store, false, Archive::new(None), Workshop::new(registry), "random".into());
    let (send, told) = mpsc::channel(64);
    let me = Watcher { client: 1, send, work: Arc::new(Semaphore::new(1)) };
    Board { hub: Arc::new(hub), me, told, gate, folder }
}

impl Board {
    fn begin(&self, gold: &str, silver: &str, more: &str) -> String {
        let terms =
            serde_json::from_str(&format!(r#"{{"gold": {gold}, "silver": {silver}{more}}}"#)).unwrap();
        let id = self.hub.begin(terms).unwrap().id;
        self.hub.watch(&id, &self.me).unwrap();
        id
    }

    /// From now on the store refuses to write, or does so again.
    fn break_store(&self, broken: bool) {
        self.hub.store().raw().pragma_update(None, "query_only", broken).unwrap();
    }

    /// Waits for a message that says so.
    async fn until(&mut self, what: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        loop {
            let text = self.told.recv().await.unwrap();
            let tell = serde_json::from_str(&text).unwrap();
            if what(&tell) {
                return tell;
            }
        }
    }

    fn turns(&self, id: &str) -> usize {
        self.hub.state(id).unwrap().turns.len()
    }

    /// The state that a restart would find.
    fn stored(&self, id: &str) -> GameState {
        let (game, turns) = self.hub.store().load(id).unwrap();
        Live::resume(&game, &turns).unwrap().state()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_cannot_be_stored_changes_nothing_and_the_engine_goes_on() {
    let mut board = board("command");
    let id = board.begin(PERSON, GATED, "");
    board.hub.change(&id, |live| live.set_up(GOLD)).unwrap();
    let before = board.hub.state(&id).unwrap();
    board.break_store(true);
    for act in [Live::resign, Live::take_back] {
        let error = board.hub.change(&id, act).unwrap_err();
        assert_eq!(error.to_string(), "the change cannot be stored: attempt to write a readonly database");
        assert_eq!(board.hub.state(&id).unwrap(), before);
    }
    board.break_store(false);
    board.gate.store(true, Ordering::Relaxed);
    // The engine was not stopped, or it would have to be asked anew by a change.
    board.until(|tell| tell["game"]["turns"].as_array().is_some_and(|turns| turns.len() == 2)).await;
    assert_eq!(board.stored(&id), GameState { clock: None, ..board.hub.state(&id).unwrap() });
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engines_turn_that_cannot_be_stored_is_reported_and_stored_later() {
    let mut board = board("answer");
    let id = board.begin(PERSON, GATED, "");
    board.hub.change(&id, |live| live.set_up(GOLD)).unwrap();
    board.break_store(true);
    board.gate.store(true, Ordering::Relaxed);
    let trouble = board.until(|tell| tell["is"] == "trouble").await;
    assert_eq!(
        trouble["error"],
        "the engine has played, but the change cannot be stored: attempt to write a readonly database. This is \
         tried again."
    );
    assert_eq!(board.turns(&id), 1);
    board.break_store(false);
    board.until(|tell| tell["game"]["turns"].as_array().is_some_and(|turns| turns.len() == 2)).await;
    assert_eq!(board.stored(&id).turns.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_time_is_shown_only_when_it_is_stored() {
    let mut board = board("alarm");
    let origin = r#", "control": "1s/0/0", "origin": {"board": "r                                  rE                          R", "tag": "2g"}"#;
    let id = board.begin(PERSON, PERSON, origin);
    board.break_store(true);
    let trouble = board.until(|tell| tell["is"] == "trouble").await;
    assert_eq!(
        trouble["error"],
        "the time is over, but the change cannot be stored: attempt to write a readonly database"
    );
    let error = board.hub.change(&id, |live| live.take_steps("Ee4n")).unwrap_err();
    assert!(matches!(error, Refusal::Store(StoreError::Write(_))), "{error}");
    assert_eq!(board.hub.state(&id).unwrap().view.end, None);
    board.break_store(false);
    board.until(|tell| !tell["game"]["view"]["end"].is_null()).await;
    assert_eq!(board.stored(&id).view.end.unwrap().letter, 't');
}

#[tokio::test(flavor = "multi_thread")]
async fn used_time_that_cannot_be_stored_is_kept_and_stored_at_the_end() {
    let board = board("time");
    let id = board.begin(PERSON, PERSON, "");
    std::thread::sleep(Duration::from_millis(30));
    board.break_store(true);
    assert!(board.hub.leave(&id, board.me.client).is_err());
    board.break_store(false);
    assert_eq!(board.hub.store().load(&id).unwrap().0.used_ms, 0);
    board.hub.stop().unwrap();
    assert!(30 <= board.hub.store().load(&id).unwrap().0.used_ms);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_the_thinking_of_engines() {
    let board = board("stop");
    let id = board.begin(PERSON, GATED, "");
    board.hub.change(&id, |live| live.set_up(GOLD)).unwrap();
    while board.hub.served().unwrap().thinking == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    board.hub.stop().unwrap();
    // The gate is closed, so it ends only because it was stopped.
    while board.hub.served().unwrap().thinking != 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(board.turns(&id), 1, "a stopped engine plays no turn");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_cannot_be_replayed_is_listed_as_unreadable_and_can_be_deleted() {
    let board = board("unreadable");
    let id = board.begin(PERSON, PERSON, "");
    board.hub.change(&id, |live| live.set_up(GOLD)).unwrap();
    board.hub.leave(&id, board.me.client).unwrap();
    board.hub.store().raw().execute("UPDATE turns SET text = 'Ra1'", []).unwrap();
    let error = board.hub.watch(&id, &board.me).unwrap_err();
    assert!(error.to_string().starts_with(&format!("the stored game '{id}' cannot be read: turn 1g 'Ra1'")));
    let games = board.hub.list(10, 0).unwrap();
    let [ListedGame::Unreadable(listed)] = &games.games[..] else { panic!("{games:?}") };
    assert!(listed.id == id && listed.reason.starts_with("turn 1g 'Ra1'"), "{listed:?}");
    board.hub.delete(&id).unwrap();
    assert_eq!(board.hub.list(10, 0).unwrap().total, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_in_the_middle_of_a_change_poisons_the_room_but_not_the_stored_game() {
    let board = board("poisoned");
    let id = board.begin(PERSON, PERSON, "");
    let hub = Arc::clone(&board.hub);
    let game = id.clone();
    let panicked =
        tokio::task::spawn_blocking(move || hub.change(&game, |_| panic!("on purpose"))).await.is_err();
    assert!(panicked);
    let error = board.hub.change(&id, |live| live.set_up(GOLD)).unwrap_err();
    assert!(matches!(error, Refusal::Room(RoomError::Poisoned)), "{error}");
    board.hub.watch(&id, &board.me).unwrap();
    board.hub.change(&id, |live| live.set_up(GOLD)).unwrap();
    assert_eq!(board.turns(&id), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_board_shows_games_and_changes_none() {
    let mut board = board("read-only");
    let id = board.begin(PERSON, GATED, "");
    let store = Store::open_read_only(&board.folder.path().join("games.sqlite")).unwrap();
    let workshop = Workshop::new(Registry::default());
    let reader = Arc::new(Hub::new(store, true, Archive::new(None), workshop, "random".into()));
    assert_eq!(reader.list(10, 0).unwrap().total, 1);
    board.until(|tell| tell["is"] == "game").await;
    reader.watch(&id, &board.me).unwrap();
    board.until(|tell| tell["is"] == "game").await;
    let terms = board.hub.state(&id).unwrap().terms;
    for refusal in [
        reader.begin(terms).unwrap_err(),
        reader.change(&id, |live| live.set_up(GOLD)).unwrap_err(),
        reader.delete(&id).unwrap_err(),
    ] {
        assert!(matches!(refusal, Refusal::ReadOnly), "{refusal}");
    }
    assert_eq!(reader.served().unwrap().games, 0, "nothing thinks and no clock runs");
}
