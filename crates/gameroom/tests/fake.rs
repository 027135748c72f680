//! The imitation does what is known of the server, see docs/gameroom.md.

use std::collections::BTreeMap;
use std::time::Duration;

use surus_gameroom::fake::{FakeConfig, FakeServer, Habits, Outcome, WireRequest, serve};
use surus_gameroom::protocol::{
    Fields, Role, RoomRequest, Seat, Secret, TableRequest, TableState, game_entries,
};
use surus_rules::Side;

const ROOM: &str = "/arimaa/gameroom/bot1gr.cgi";
const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

/// A server with two accounts, and its time.
struct Site {
    server: FakeServer,
    now: Duration,
}

/// A seat at a table.
#[derive(Clone)]
struct Player {
    sid: Secret,
    auth: Secret,
}

impl Site {
    fn new(change: impl FnOnce(&mut FakeConfig)) -> Self {
        let mut config = FakeConfig::new("http://fake");
        config.accounts = ["bot_A", "bot_B", "Ann"].map(|name| (name.into(), format!("{name}!"))).into();
        change(&mut config);
        Self { server: FakeServer::new(config), now: Duration::ZERO }
    }

    fn raw(&mut self, path: &str, referer: Option<&str>, form: Option<&str>) -> Outcome {
        let request = WireRequest { path, referer, user_agent: None, if_modified_since: None, form };
        self.server.handle(self.now, &request)
    }

    fn post(&mut self, path: &str, form: Vec<(&'static str, String)>) -> Outcome {
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        self.raw(path, Some(&format!("http://fake{path}")), Some(&form))
    }

    fn room(&mut self, request: &RoomRequest) -> Fields {
        fields(self.post(ROOM, request.form()))
    }

    fn table(&mut self, request: &TableRequest) -> Fields {
        fields(self.post("/table/game.cgi", request.form()))
    }

    fn login(&mut self, name: &str) -> Secret {
        let request = RoomRequest::Login { username: name.into(), password: Secret::new(format!("{name}!")) };
        Secret::new(self.room(&request).text("sid").unwrap())
    }

    fn open(&mut self, sid: &Secret, control: &str, rated: bool) -> String {
        let new =
            RoomRequest::NewGame { sid: sid.clone(), side: Side::Gold, time_control: control.into(), rated };
        game_entries(&self.room(&new))[0].gid.clone()
    }

    fn sit(&mut self, sid: &Secret, gid: &str, side: Side) -> Player {
        let reserve = RoomRequest::Reserve { sid: sid.clone(), gid: gid.into(), role: Role::Player(side) };
        let seat = Seat::parse(&self.room(&reserve)).unwrap();
        assert_eq!(seat.url, "http://fake/table/game.cgi");
        let answer = self.table(&TableRequest::Sit { tid: seat.tid, grid: seat.grid });
        let sid = Secret::new(answer.text("sid").unwrap());
        let auth = self.state(&sid).auth().unwrap();
        Player { sid, auth }
    }

    fn state(&mut self, sid: &Secret) -> TableState {
        let request = TableRequest::State { sid: sid.clone(), last_change: String::new(), wait: None };
        TableState::new(self.table(&request))
    }

    fn play(&mut self, player: &Player, turn: &str) -> Fields {
        let Player { sid, auth } = player.clone();
        self.table(&TableRequest::Move { sid, auth, turn: turn.into() })
    }

    /// A game with both setups.
    fn game(&mut self, control: &str, rated: bool) -> (String, Player, Player) {
        let (a, b) = (self.login("bot_A"), self.login("bot_B"));
        let gid = self.open(&a, control, rated);
        let gold = self.sit(&a, &gid, Side::Gold);
        let silver = self.sit(&b, &gid, Side::Silver);
        let Player { sid, auth } = gold.clone();
        assert_eq!(self.table(&TableRequest::Start { sid, auth }).get("ok"), Some("1"));
        assert_eq!(self.play(&gold, GOLD).get("ok"), Some("1"));
        assert_eq!(self.play(&silver, SILVER).get("ok"), Some("1"));
        (gid, gold, silver)
    }
}

fn fields(outcome: Outcome) -> Fields {
    let Outcome::Reply(reply) = outcome else { panic!("{outcome:?}") };
    Fields::parse(std::str::from_utf8(&reply.body).unwrap())
}

fn status(outcome: &Outcome) -> u16 {
    match outcome {
        Outcome::Reply(reply) => reply.status,
        _ => 0,
    }
}

#[test]
fn requests_from_elsewhere_get_404() {
    let mut site = Site::new(|_| ());
    for referer in [None, Some("http://elsewhere/arimaa/gameroom/"), Some("http://fake/")] {
        assert_eq!(status(&site.raw(ROOM, referer, Some("action=login"))), 404);
    }
    let referer = Some("http://fake/arimaa/gameroom/bot1gr.cgi");
    assert_eq!(status(&site.raw(ROOM, referer, None)), 404);
    assert_eq!(status(&site.raw(ROOM, referer, Some("action=login"))), 200);
}

#[test]
fn sessions_tokens_and_reservations_are_checked() {
    let mut site = Site::new(|_| ());
    let wrong = RoomRequest::Login { username: "bot_A".into(), password: Secret::new("no") };
    assert_eq!(site.room(&wrong).get("error"), Some("Invalid username or password."));
    let unknown = Secret::new("x");
    assert!(
        site.room(&RoomRequest::MyGames { sid: unknown.clone() }).get("error").unwrap().contains("expired")
    );
    assert_eq!(site.state(&unknown).fields().get("error"), Some("Gameserver: Invalid Session Id"));
    let sit = TableRequest::Sit { tid: unknown.clone(), grid: unknown.clone() };
    assert_eq!(site.table(&sit).get("error"), Some("Gameserver: No Game Data"));
    let (_, gold, _) = site.game("2/2", false);
    let forged = Player { auth: unknown, ..gold };
    assert_eq!(site.play(&forged, "Ee2n").get("error"), Some("Gameserver: Invalid authorization."));
}

#[test]
fn illegal_turns_are_refused_and_legal_ones_ignored_for_seconds() {
    let mut site = Site::new(|_| ());
    let (gid, gold, silver) = site.game("2/2", false);
    assert_eq!(site.play(&silver, "ed7s").get("error"), Some("Gameserver: It is not your turn."));
    let refused = site.play(&gold, "Ee2s");
    assert!(refused.get("error").unwrap().starts_with("Gameserver: Bad Move: "));
    assert_eq!(site.play(&gold, "Ee2n").get("ok"), Some("1"));
    assert!(site.server.moves(&gid).unwrap().ends_with("2w "));
    site.now += Duration::from_secs(5);
    assert_eq!(site.play(&gold, "Ee2n").get("ok"), Some("1"));
    assert!(site.server.moves(&gid).unwrap().ends_with("2w Ee2n\n2b "));
}

#[test]
fn a_refused_turn_can_lose_the_game() {
    let mut site = Site::new(|config| config.illegal_turn_loses = true);
    let (gid, gold, _) = site.game("2/2", false);
    site.play(&gold, "Ee2s");
    assert_eq!(site.server.result(&gid).as_deref(), Some("bi"));
}

#[test]
fn captures_are_part_of_a_turn() {
    let mut site = Site::new(|_| ());
    let (gid, gold, _) = site.game("2/2", false);
    // The cat has no friend next to the trap.
    let error = site.play(&gold, "Cc2n").get("error").map(ToOwned::to_owned);
    assert_eq!(error.as_deref(), Some("Gameserver: Bad Move: captures missing, expected Cc2n Cc3x"));
    site.now += Duration::from_secs(5);
    assert_eq!(site.play(&gold, "Cc2n Cc3x").get("ok"), Some("1"));
    assert!(site.server.moves(&gid).unwrap().ends_with("2w Cc2n Cc3x\n2b "));
}

#[test]
fn flags_fall_and_results_are_in_the_letters_of_the_server() {
    let mut site = Site::new(|_| ());
    let (gid, gold, _) = site.game("10s/20s", false);
    site.now += Duration::from_secs(30);
    let state = site.state(&gold.sid);
    assert_eq!((state.result(), state.fields().get("wused")), (None, Some("30")));
    assert_eq!(state.turn_clock(Side::Gold, false).unwrap().left, Duration::ZERO);
    site.now += Duration::from_secs(2);
    assert_eq!(site.state(&gold.sid).fields().get("result"), Some("bt"));
    assert_eq!(site.server.result(&gid).as_deref(), Some("bt"));
    let find = RoomRequest::FindGameId { gid };
    assert_eq!(site.room(&find).get("error"), Some("Game not found."));
    site.now += Duration::from_secs(7);
    let id = site.room(&find).text("gid").unwrap().to_owned();
    let page = site.raw(
        &format!("/arimaa/gameroom/opengamewin.cgi?gameid={id}"),
        Some("http://fake/arimaa/gameroom/"),
        None,
    );
    let Outcome::Reply(page) = page else { panic!() };
    assert!(String::from_utf8(page.body).unwrap().contains("arimaa.vars.reason=\"t\";"));
}

#[test]
fn takebacks_append_a_line_and_only_in_unrated_games() {
    for rated in [true, false] {
        let mut site = Site::new(|_| ());
        let (gid, gold, silver) = site.game("2/2", rated);
        site.play(&gold, "Ee2n");
        let Player { sid, auth } = gold;
        site.table(&TableRequest::AskTakeback { sid, auth });
        let asked = site.state(&silver.sid).takeback();
        assert_eq!(asked.is_some(), !rated);
        let Player { sid, auth } = silver;
        site.table(&TableRequest::AnswerTakeback { sid, auth, accept: true });
        let moves = site.server.moves(&gid).unwrap();
        assert_eq!(moves.ends_with("2w Ee2n\n2b takeback\n2w "), !rated, "{moves}");
    }
}

#[test]
fn polls_are_held_until_something_changes() {
    let mut site = Site::new(|_| ());
    let (_, gold, silver) = site.game("2/2", false);
    let last_change = site.state(&silver.sid).last_change().to_owned();
    let wait = Some(Duration::from_secs(60));
    let poll = TableRequest::State { sid: silver.sid.clone(), last_change, wait };
    let Outcome::Hold(first) = site.post("/table/game.cgi", poll.form()) else { panic!() };
    assert_eq!(site.server.advance(Duration::from_secs(30)), []);
    site.now = Duration::from_secs(31);
    site.play(&gold, "Ee2n");
    let answers = site.server.advance(site.now);
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].0, first);
    let state = TableState::new(Fields::parse(std::str::from_utf8(&answers[0].1.body).unwrap()));
    assert_eq!(state.turn(), Some(Side::Silver));
    // Without a change, it is answered when its time is over.
    let last_change = state.last_change().to_owned();
    let poll = TableRequest::State { sid: silver.sid, last_change, wait };
    let Outcome::Hold(_) = site.post("/table/game.cgi", poll.form()) else { panic!() };
    assert_eq!(site.server.advance(site.now + Duration::from_secs(59)).len(), 0);
    assert_eq!(site.server.advance(site.now + Duration::from_secs(60)).len(), 1);
}

#[test]
fn a_second_seat_replaces_the_first() {
    let mut site = Site::new(|_| ());
    let (gid, gold, _) = site.game("2/2", false);
    let sid = site.login("bot_A");
    let again = site.sit(&sid, &gid, Side::Gold);
    assert_eq!(site.state(&gold.sid).fields().get("error"), Some("Gameserver: Invalid Session Id"));
    assert_eq!(site.play(&again, "Ee2n").get("ok"), Some("1"));
}

#[test]
fn chat_keeps_percent_signs_and_newlines_and_viewers_get_none() {
    let mut site = Site::new(|_| ());
    let (gid, gold, silver) = site.game("2/2", false);
    let Player { sid, auth } = gold;
    site.table(&TableRequest::Chat { sid, auth, text: "100%13\nsure".into() });
    assert_eq!(site.state(&silver.sid).fields().get("chat"), Some("w 2w: 100%13\nsure"));
    let sid = site.login("Ann");
    let reserve = RoomRequest::Reserve { sid, gid, role: Role::Viewer };
    let seat = Seat::parse(&site.room(&reserve)).unwrap();
    let viewer =
        Secret::new(site.table(&TableRequest::Sit { tid: seat.tid, grid: seat.grid }).text("sid").unwrap());
    let state = site.state(&viewer);
    assert_eq!((state.fields().get("chat"), state.auth()), (None, None));
    assert!(state.moves().contains("\n1b "));
}

#[test]
fn bots_do_not_get_the_open_games_of_people() {
    let mut site = Site::new(|_| ());
    let (ann, bot) = (site.login("Ann"), site.login("bot_A"));
    let gid = site.open(&ann, "2/2", false);
    let listed = game_entries(&site.room(&RoomRequest::OpenGames { sid: bot.clone() }));
    assert_eq!((listed.len(), listed[0].side), (1, Some(Side::Silver)));
    let reserve = RoomRequest::Reserve { sid: bot, gid, role: Role::Player(Side::Silver) };
    assert!(site.room(&reserve).get("error").unwrap().starts_with("Bots are not allowed"));
}

#[test]
fn lists_tell_postal_games_and_whose_turn_it_is() {
    let mut site = Site::new(|_| ());
    site.game("1d/30d/100/60d/0", true);
    let sid = site.login("bot_B");
    let games = game_entries(&site.room(&RoomRequest::MyGames { sid: sid.clone() }));
    assert_eq!(games.len(), 1);
    assert_eq!((games[0].postal, games[0].turn, games[0].side), (true, Some(Side::Gold), Some(Side::Silver)));
    assert_eq!((games[0].player.as_str(), games[0].rated), ("bot_A", Some(true)));
    // An own game without an opponent can be cancelled.
    let gid = site.open(&sid, "2/2", false);
    let cancel = RoomRequest::Cancel { sid: sid.clone(), gid };
    assert_eq!(site.room(&cancel).get("ok"), Some("1"));
    assert!(site.room(&cancel).get("error").is_some());
    // Logging out ends every session of the account.
    let other = site.login("bot_B");
    site.room(&RoomRequest::Logout { sid });
    assert!(site.room(&RoomRequest::MyGames { sid: other }).get("error").is_some());
}

#[test]
fn the_same_seed_has_the_same_opponents() {
    let run = |seed| {
        let mut site = Site::new(|config| {
            config.seed = seed;
            config.opponents = Some(Habits { flags: 0.0, ..Habits::default() });
        });
        let sid = site.login("bot_A");
        let gid = site.open(&sid, "1m/5m", false);
        let gold = site.sit(&sid, &gid, Side::Gold);
        let mut started = false;
        for second in 0..400 {
            site.now = Duration::from_secs(second);
            let state = site.state(&gold.sid);
            if !started && state.opponent(Side::Gold).is_some() {
                let Player { sid, auth } = gold.clone();
                started = site.table(&TableRequest::Start { sid, auth }).get("ok").is_some();
                site.play(&gold, GOLD);
            }
        }
        (site.server.moves(&gid), site.server.log().len())
    };
    assert_eq!(run(3), run(3));
    assert!(run(3).0.unwrap().contains("\n1b "), "{:?}", run(3));
}

#[test]
fn downloads_can_be_conditional() {
    let mut site = Site::new(|config| {
        config.files = BTreeMap::from([("allgames2002.zip".into(), b"zip".to_vec())]);
    });
    let path = "/arimaa/download/gameData/allgames2002.zip";
    let Outcome::Reply(reply) = site.raw(path, None, None) else { panic!() };
    assert_eq!((reply.status, reply.body.as_slice()), (200, &b"zip"[..]));
    let again = WireRequest {
        path,
        referer: None,
        user_agent: None,
        if_modified_since: reply.last_modified,
        form: None,
    };
    assert_eq!(status(&site.server.handle(site.now, &again)), 304);
    assert_eq!(status(&site.raw("/arimaa/download/gameData/x", None, None)), 404);
}

#[test]
fn the_server_listens_and_stops() {
    use std::io::{Read, Write};
    let mut config = FakeConfig::new("");
    config.accounts = vec![("bot_A".into(), "secret".into())];
    let mut server = serve("127.0.0.1:0".parse().unwrap(), config).unwrap();
    let address = server.url().strip_prefix("http://").unwrap().to_owned();
    let body = "action=login&username=bot_A&password=secret";
    let mut stream = std::net::TcpStream::connect(&address).unwrap();
    write!(
        stream,
        "POST {ROOM} HTTP/1.1\r\nHost: {address}\r\nReferer: {}/bot1gr.cgi\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        server.gameroom_url(),
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("\nsid=room"), "{answer}");
    assert_eq!(server.inspect(|server| server.log().len()), 1);
    server.stop();
    assert!(std::net::TcpStream::connect(&address).is_err());
}
