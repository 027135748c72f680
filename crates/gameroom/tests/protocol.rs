//! Round trips of everything that is sent, and no panic on anything that is received.

use std::time::Duration;

use proptest::prelude::*;
use surus_gameroom::protocol::{
    Fields, Role, RoomRequest, RoomResult, Seat, Secret, TableRequest, TableState, escape, game_entries,
    replay_moves, unescape,
};
use surus_rules::Side;

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Gold), Just(Side::Silver)]
}

fn role() -> impl Strategy<Value = Role> {
    prop_oneof![side().prop_map(Role::Player), Just(Role::Viewer)]
}

fn secret() -> impl Strategy<Value = Secret> {
    ".{0,20}".prop_map(Secret::new)
}

fn room_request() -> impl Strategy<Value = RoomRequest> {
    prop_oneof![
        (".*", secret()).prop_map(|(username, password)| RoomRequest::Login { username, password }),
        (secret(), side(), ".*", any::<bool>()).prop_map(|(sid, side, time_control, rated)| {
            RoomRequest::NewGame { sid, side, time_control, rated }
        }),
        secret().prop_map(|sid| RoomRequest::MyGames { sid }),
        secret().prop_map(|sid| RoomRequest::OpenGames { sid }),
        (secret(), ".*", role()).prop_map(|(sid, gid, role)| RoomRequest::Reserve { sid, gid, role }),
        (secret(), ".*").prop_map(|(sid, gid)| RoomRequest::Cancel { sid, gid }),
        ".*".prop_map(|gid| RoomRequest::FindGameId { gid }),
        secret().prop_map(|sid| RoomRequest::Logout { sid }),
    ]
}

fn table_request() -> impl Strategy<Value = TableRequest> {
    prop_oneof![
        (secret(), secret()).prop_map(|(tid, grid)| TableRequest::Sit { tid, grid }),
        (secret(), ".*", proptest::option::of(0..1000_u64)).prop_map(|(sid, last_change, wait)| {
            TableRequest::State { sid, last_change, wait: wait.map(Duration::from_secs) }
        }),
        (secret(), secret()).prop_map(|(sid, auth)| TableRequest::Start { sid, auth }),
        (secret(), secret(), ".*").prop_map(|(sid, auth, turn)| TableRequest::Move { sid, auth, turn }),
        (secret(), secret()).prop_map(|(sid, auth)| TableRequest::Resign { sid, auth }),
        (secret(), secret()).prop_map(|(sid, auth)| TableRequest::Leave { sid, auth }),
        (secret(), secret(), "(?s).*").prop_map(|(sid, auth, text)| TableRequest::Chat { sid, auth, text }),
        (secret(), secret()).prop_map(|(sid, auth)| TableRequest::AskTakeback { sid, auth }),
        (secret(), secret(), any::<bool>()).prop_map(|(sid, auth, accept)| TableRequest::AnswerTakeback {
            sid,
            auth,
            accept
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_round_trip(value in "(?s).*") {
        let escaped = escape(&value);
        prop_assert!(!escaped.contains('\n'));
        prop_assert_eq!(unescape(&escaped), value);
    }

    /// The order in which clients of other authors decode: first all newlines, then all percent signs.
    #[test]
    fn decoding_agrees_with_two_replacements(text in "[%1235a\\n]{0,12}") {
        prop_assert_eq!(unescape(&text), text.replace("%13", "\n").replace("%25", "%"));
    }

    #[test]
    fn answers_round_trip(pairs in proptest::collection::vec(("[a-z0-9:]{1,8}", "(?s)[^\r]*"), 0..8)) {
        let fields: Fields = pairs.iter().map(|(key, value)| (key.as_str(), value)).collect();
        let padded = format!("&junkvar=xxxx\n{fields}--END--\n");
        prop_assert_eq!(&Fields::parse(&padded), &fields);
        let mut list = Fields::default();
        list.push_block("1:w", &fields);
        let read = Fields::parse(&list.to_string());
        prop_assert_eq!(Fields::parse(read.get("1:w").unwrap()), fields);
    }

    #[test]
    fn requests_round_trip(room in room_request(), table in table_request()) {
        let form: Fields = room.form().into_iter().collect();
        prop_assert_eq!(RoomRequest::parse(&form).unwrap(), room);
        let form: Fields = table.form().into_iter().collect();
        prop_assert_eq!(TableRequest::parse(&form).unwrap(), table);
    }

    #[test]
    fn no_text_panics(text in "(?s).*", keys in proptest::collection::vec("(sid|turn|moves|result|takeback|tcmove|wused|timeonserver|wstartmove|1:w|base|cgi)=(?s).{0,40}\n", 0..10)) {
        for text in [text, keys.concat()] {
            let fields = Fields::parse(&text);
            let _ = (game_entries(&fields), Seat::parse(&fields), RoomResult::parse(&text), replay_moves(&text));
            let _ = (RoomRequest::parse(&fields), TableRequest::parse(&fields));
            let state = TableState::new(fields);
            for side in Side::BOTH {
                let _ = (state.due(side), state.turn_clock(side, false), state.game(), state.takeback());
            }
        }
    }

    #[test]
    fn no_list_of_moves_panics(moves in "([0-9]{1,2}[wbgs] ?(([EMHDCRemhdcr][a-h][1-8][nsewx]? ?){0,4}|takeback|resigns)?\n){0,8}") {
        if let Ok((game, _)) = replay_moves(&moves) {
            prop_assert!(game.entries().len() <= moves.lines().count());
        }
    }
}
