//! The service with engines that wait, crash or answer at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use surus_play::{Answer, EngineError, EngineId, Greedy, Info, Job, OptionError, Options, Registry};
use surus_rules::{Rules, Token};
use tokio::sync::{Semaphore, mpsc};

use super::*;
use crate::api::{PlayedLine, StartPosition};
use crate::replay::replay_line;
use crate::session::Message;

const BOARD: &str = "rrrddrrrrhcemchr                                RHCMECHRRRRDDRRR";

/// What the engines of a test have done.
#[derive(Default)]
struct Log {
    /// The numbers of the turns that were searched, in order.
    searched: Mutex<Vec<u32>>,
    running: AtomicUsize,
    max_running: AtomicUsize,
    /// Whether searches wait until they are stopped or this is unset.
    wait: AtomicBool,
    crash: AtomicBool,
    created: AtomicUsize,
}

struct TestEngine {
    greedy: Greedy,
    log: Arc<Log>,
}

impl Engine for TestEngine {
    fn id(&self) -> EngineId {
        EngineId::built_in("test", "1", &[])
    }

    fn options(&self) -> &Options {
        self.greedy.options()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.greedy.set_option(name, value)
    }

    fn new_game(&mut self) {}

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        let log = Arc::clone(&self.log);
        log.searched.lock().unwrap().push(job.game.tag().number);
        let running = log.running.fetch_add(1, Ordering::SeqCst) + 1;
        log.max_running.fetch_max(running, Ordering::SeqCst);
        let answer = self.greedy.think(job, &mut |_| {})?;
        if let Answer::Turn(turn) = answer {
            for pv_index in 0..job.multi_pv {
                report(Info {
                    pv_index,
                    depth: Some(3),
                    depth_complete: true,
                    score: Some(surus_rules::Score::Centirabbits(50)),
                    nodes: Some(job.limits.nodes.unwrap_or(7)),
                    pv: vec![turn],
                    ..Info::default()
                });
            }
        }
        while log.wait.load(Ordering::SeqCst) && !job.stop.should_stop() {
            std::thread::sleep(Duration::from_millis(1));
        }
        log.running.fetch_sub(1, Ordering::SeqCst);
        assert!(!log.crash.load(Ordering::SeqCst), "on purpose");
        Ok(answer)
    }
}

struct Client {
    subscriber: Subscriber,
    messages: mpsc::Receiver<Message>,
}

impl Client {
    fn new(client: u64) -> Self {
        let (sender, messages) = mpsc::channel(64);
        Self {
            subscriber: Subscriber { client, sender, engine_permit: Arc::new(Semaphore::new(1)) },
            messages,
        }
    }

    async fn next(&mut self) -> serde_json::Value {
        serde_json::from_str(&self.messages.recv().await.unwrap()).unwrap()
    }

    /// Waits for a message of an analysis in this state.
    async fn wait_for(&mut self, analysis: u32, state: &str) -> serde_json::Value {
        loop {
            let message = self.next().await;
            if message["analysis"] == analysis && message["update"]["state"] == state {
                return message;
            }
        }
    }
}

fn service(max_threads: usize) -> (Arc<AnalysisService>, Arc<Log>) {
    let log = Arc::new(Log::default());
    let mut registry = Registry::default();
    let shared = Arc::clone(&log);
    registry.add("test", "records what it does", move || {
        shared.created.fetch_add(1, Ordering::SeqCst);
        Box::new(TestEngine { greedy: Greedy::default(), log: Arc::clone(&shared) })
    });
    (Arc::new(AnalysisService::new(registry, "test", max_threads)), log)
}

fn request(analysis: u32, nodes: Option<u64>) -> AnalysisRequest {
    let line = PlayedLine::default();
    AnalysisRequest { analysis, line, lines: 1, nodes, threads: 1, hash: 1, threat: false }
}

/// A position whose turn has this number, with one more piece missing for each, so that none is cached.
fn game(number: u32, missing: u32) -> Game {
    let mut board: Vec<char> = BOARD.chars().collect();
    for (bit, square) in board.iter_mut().take(10).enumerate() {
        if missing >> bit & 1 == 1 {
            *square = ' ';
        }
    }
    let start = StartPosition { board: board.into_iter().collect(), tag: format!("{number}g") };
    replay_line(&PlayedLine { start: Some(start), ..PlayedLine::default() }).unwrap()
}

async fn until(mut condition: impl FnMut() -> bool) {
    while !condition() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_analyses_of_each_of_a_hundred_clients_are_served_fairly() {
    let (service, log) = service(2);
    log.wait.store(true, Ordering::SeqCst);
    let mut clients: Vec<Client> = (0..100).map(Client::new).collect();
    for (index, client) in clients.iter().enumerate() {
        for analysis in 0..20 {
            let number = index as u32 + 2;
            let position = game(number, analysis + 20 * (index as u32 % 50));
            service.start(&client.subscriber, &request(analysis, Some(10)), position).unwrap();
        }
    }
    assert_eq!(service.count(), 2000);
    log.wait.store(false, Ordering::SeqCst);
    for client in &mut clients {
        let mut done = 0;
        while done < 20 {
            let message = client.next().await;
            assert_eq!(message["update"]["error"], serde_json::Value::Null, "{message}");
            done += usize::from(message["update"]["state"] == "done");
        }
    }
    until(|| service.count() == 0).await;
    assert!(log.max_running.load(Ordering::SeqCst) <= 2, "there are two threads");
    assert!(log.created.load(Ordering::SeqCst) <= 2, "engines are reused");
    let mut served = [0_i32; 100];
    for number in log.searched.lock().unwrap().iter() {
        served[*number as usize - 2] += 1;
        let (least, most) = (served.iter().min().unwrap(), served.iter().max().unwrap());
        // Each of the two threads has started before the others came, and may be one ahead.
        assert!(most - least <= 4, "served {most} and {least} times");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_stops_when_its_client_has_gone() {
    let (service, log) = service(1);
    log.wait.store(true, Ordering::SeqCst);
    let mut client = Client::new(1);
    service.start(&client.subscriber, &request(1, None), game(2, 0)).unwrap();
    let first = client.wait_for(1, "searching").await;
    assert_eq!(first["update"]["lines"][0]["score"], "50");
    assert_eq!(first["update"]["lines"][0]["turns"][0]["tag"], "2g");
    service.disconnect(1);
    assert_eq!(service.count(), 0);
    until(|| log.running.load(Ordering::SeqCst) == 0).await;
    until(|| service.lock().used_threads == 0).await;
    assert!(service.lock().idle.is_empty(), "no memory is kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_without_a_limit_makes_room_for_others_and_continues() {
    let (service, log) = service(1);
    log.wait.store(true, Ordering::SeqCst);
    let (mut first, mut second) = (Client::new(1), Client::new(2));
    service.start(&first.subscriber, &request(1, None), game(2, 0)).unwrap();
    first.wait_for(1, "searching").await;
    service.start(&second.subscriber, &request(5, None), game(9, 1)).unwrap();
    let waiting = second.wait_for(5, "waiting").await;
    assert_eq!(waiting["update"]["waiting_for"], 0);
    second.wait_for(5, "searching").await;
    first.wait_for(1, "waiting").await;
    // Both continue in turn, although neither ends.
    until(|| log.searched.lock().unwrap().len() >= 5).await;
    assert_eq!(log.searched.lock().unwrap()[..5], [2, 9, 2, 9, 2]);
    service.stop(1, 1);
    service.stop(2, 5);
    until(|| log.running.load(Ordering::SeqCst) == 0).await;
    assert_eq!(service.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_dies_is_reported_and_replaced() {
    let (service, log) = service(1);
    log.crash.store(true, Ordering::SeqCst);
    let mut client = Client::new(1);
    service.start(&client.subscriber, &request(1, Some(5)), game(2, 0)).unwrap();
    let failed = client.wait_for(1, "failed").await;
    assert_eq!(failed["update"]["error"], "the engine test failed: it crashed");
    assert_eq!(failed["update"]["lines"].as_array().unwrap().len(), 1, "what was found is kept");
    assert_eq!(service.count(), 0);
    service.start_game(&client.subscriber, &game_request(2), &game(2, 0)).unwrap();
    loop {
        let message = client.next().await;
        if message["type"] == "game_analysis"
            && message["update"]["error"] == "the engine test failed: it crashed"
        {
            break;
        }
    }
    log.crash.store(false, Ordering::SeqCst);
    service.start(&client.subscriber, &request(3, Some(5)), game(2, 0)).unwrap();
    client.wait_for(3, "done").await;
    assert_eq!(log.created.load(Ordering::SeqCst), 3, "a crashed engine is not used again");
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_cached_by_position() {
    let (service, log) = service(1);
    let mut client = Client::new(1);
    service.start(&client.subscriber, &request(1, Some(10)), game(2, 0)).unwrap();
    let first = client.wait_for(1, "done").await;
    service.start(&client.subscriber, &request(2, Some(10)), game(2, 0)).unwrap();
    let second = client.wait_for(2, "done").await;
    assert_eq!(
        (&second["update"]["lines"], &second["update"]["cached"]),
        (&first["update"]["lines"], &true.into())
    );
    assert_eq!(log.searched.lock().unwrap().len(), 1);
    let three = AnalysisRequest { lines: 3, ..request(3, Some(10)) };
    service.start(&client.subscriber, &three, game(2, 0)).unwrap();
    assert_eq!(client.wait_for(3, "done").await["update"]["lines"].as_array().unwrap().len(), 3);
    service.start(&client.subscriber, &request(4, Some(11)), game(2, 0)).unwrap();
    client.wait_for(4, "done").await;
    let threat = AnalysisRequest { threat: true, ..request(5, Some(10)) };
    service.start(&client.subscriber, &threat, game(2, 0)).unwrap();
    assert_eq!(client.wait_for(5, "done").await["update"]["lines"][0]["turns"][0]["tag"], "2s");
    assert_eq!(log.searched.lock().unwrap().len(), 4);
}

fn game_request(analysis: u32) -> GameAnalysisRequest {
    GameAnalysisRequest { analysis, line: PlayedLine::default(), nodes: 10 }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_analysed_with_progress_and_can_be_cancelled() {
    let (service, log) = service(2);
    let mut client = Client::new(1);
    let mut line = game(2, 0);
    for turn in ["Ee2n Ee3n", "ed7s ed6s", "Ee4s", "ed5n"] {
        line.play_text(turn).unwrap();
    }
    service.start_game(&client.subscriber, &game_request(1), &line).unwrap();
    let mut positions = Vec::new();
    let report = loop {
        let message = client.next().await;
        let update = &message["update"];
        assert_eq!(update["total"], 5);
        positions.extend(
            update["positions"].as_array().unwrap().iter().map(|one| one["played"].as_u64().unwrap()),
        );
        assert_eq!(update["analysed"], positions.len());
        if !update["report"].is_null() {
            break update["report"].clone();
        }
    };
    positions.sort_unstable();
    assert_eq!(positions, [0, 1, 2, 3, 4]);
    assert_eq!((&report["gold"]["turns"], &report["silver"]["turns"]), (&2.into(), &2.into()));
    let tags: Vec<_> = report["turns"].as_array().unwrap().iter().map(|turn| turn["tag"].clone()).collect();
    assert_eq!(tags, ["2g", "2s", "3g", "3s"]);
    log.wait.store(true, Ordering::SeqCst);
    let searched = log.searched.lock().unwrap().len();
    let more = GameAnalysisRequest { nodes: 99, ..game_request(2) };
    service.start_game(&client.subscriber, &more, &line).unwrap();
    until(|| log.running.load(Ordering::SeqCst) == 2).await;
    service.stop(1, 2);
    until(|| log.running.load(Ordering::SeqCst) == 0).await;
    assert_eq!(log.searched.lock().unwrap().len(), searched + 2, "no further position is searched");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_precedes_the_game_of_the_same_client() {
    let (service, log) = service(1);
    log.wait.store(true, Ordering::SeqCst);
    let mut client = Client::new(1);
    let mut line = game(2, 0);
    for turn in ["Ee2n Ee3n", "ed7s ed6s", "Ee4s"] {
        line.play_text(turn).unwrap();
    }
    service.start_game(&client.subscriber, &game_request(1), &line).unwrap();
    service.start(&client.subscriber, &request(2, Some(10)), game(50, 3)).unwrap();
    log.wait.store(false, Ordering::SeqCst);
    client.wait_for(2, "done").await;
    until(|| service.count() == 0).await;
    assert_eq!(*log.searched.lock().unwrap(), [2, 50, 2, 3, 3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn mid_turn_positions_are_analysed_and_impossible_requests_rejected() {
    let (service, _) = service(2);
    let mut client = Client::new(1);
    let mut position = game(2, 0);
    let Ok(Token::Step(step)) = "Ee2n".parse() else { panic!("a step") };
    position.step(step).unwrap();
    service.start(&client.subscriber, &request(1, Some(10)), position).unwrap();
    let done = client.wait_for(1, "done").await;
    assert!(done["update"]["lines"][0]["turns"][0]["steps"].as_array().unwrap().len() <= 3);
    let reject = |request: AnalysisRequest, game: Game| {
        service.start(&client.subscriber, &request, game).unwrap_err().to_string()
    };
    let ok = || request(9, Some(10));
    assert_eq!(
        reject(AnalysisRequest { lines: 6, ..ok() }, game(2, 0)),
        "invalid number of lines 6: expected 1 to 5"
    );
    assert_eq!(
        reject(AnalysisRequest { threads: 3, ..ok() }, game(2, 0)),
        "invalid number of threads 3: expected 1 to 2"
    );
    assert_eq!(
        reject(AnalysisRequest { hash: 300, ..ok() }, game(2, 0)),
        "invalid hash 300: expected 1 to 256"
    );
    assert!(reject(request(9, Some(0)), game(2, 0)).starts_with("invalid number of nodes 0"));
    assert_eq!(
        reject(ok(), Game::default()),
        "there is nothing to analyse yet: gold has not set up its pieces"
    );
    let over = Game::from_text(
        "g [R                                  eE                          r]",
        Rules::Official,
    );
    assert_eq!(reject(ok(), over.unwrap()), "there is nothing to analyse: the game is over");
    assert_eq!(
        service.start_game(&client.subscriber, &game_request(9), &Game::default()).unwrap_err().to_string(),
        "there is nothing to analyse yet: gold has not set up its pieces"
    );
    assert_eq!(service.count(), 0);
}
