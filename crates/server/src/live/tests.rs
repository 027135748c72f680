//! Games as they are played here.

use super::*;

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const SILVER: &str = "ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8";

fn terms(silver: Player, control: Option<&str>) -> NewGame {
    NewGame {
        gold: Player::Person { name: String::new() },
        silver,
        control: control.map(Into::into),
        handicap: Handicaps::default(),
        origin: None,
    }
}

fn person() -> Player {
    Player::Person { name: String::new() }
}

fn engine() -> Player {
    Player::Engine { name: "greedy".into(), seconds: 1 }
}

fn begun(terms: NewGame) -> Live {
    let mut live = Live::begin("x".into(), terms, 1).unwrap();
    live.set_up(GOLD).unwrap();
    live
}

#[test]
fn steps_are_taken_all_or_none_and_undone_and_taken_again() {
    let mut live = begun(terms(person(), None));
    live.set_up(SILVER).unwrap();
    assert_eq!(live.take_steps("Ee2nn Ee4w Ee4w").unwrap_err(), "Ee4w: there is no piece on e4");
    assert!(live.game.running().is_empty());
    live.take_steps("Ee2nn").unwrap();
    live.undo().unwrap();
    assert_eq!(live.game.running().to_string(), "Ee2n");
    live.redo().unwrap();
    assert_eq!(live.redo().unwrap_err(), "there is no step to take again");
    live.end_turn().unwrap();
    assert_eq!(live.state().turns[2].text, "Ee2n Ee3n");
    assert_eq!(live.take_steps("").unwrap_err().split(':').next(), Some("there is no step in that"));
}

#[test]
fn a_kept_game_goes_on_where_it_was() {
    let mut live = begun(terms(person(), Some("2m/5m/100/10m")));
    live.set_up(SILVER).unwrap();
    live.take_steps("Ee2n Ee3n").unwrap();
    live.undo().unwrap();
    let text = serde_json::to_string(&live.kept()).unwrap();
    let again = Live::resume("x".into(), serde_json::from_str(&text).unwrap(), 1).unwrap();
    assert_eq!(again.state(), live.state());
    live.resign().unwrap();
    let text = serde_json::to_string(&live.kept()).unwrap();
    let over = Live::resume("x".into(), serde_json::from_str(&text).unwrap(), 1).unwrap();
    assert_eq!(over.state().view.end.unwrap().reason, "resignation");
}

#[test]
fn a_takeback_reaches_the_turn_of_a_person_and_gives_time_back() {
    let mut live = begun(terms(engine(), Some("1m/5m/100/10m")));
    assert_eq!(live.take_steps("Ee2n").unwrap_err(), "it is the turn of greedy");
    let setup = Setup::parse(SILVER, Side::Silver, Handicap::None).unwrap();
    live.play_setup(setup).unwrap();
    let before = live.reserves();
    live.take_steps("Ee2n").unwrap();
    live.used = Duration::from_secs(90);
    live.end_turn().unwrap();
    assert_eq!(live.reserves()[0] + 30_000, before[0], "thirty seconds over the minute");
    live.game.play_text("ed7s").unwrap();
    live.done.push(Done { used_ms: 0, reserves_ms: live.reserves() });
    live.take_back().unwrap();
    assert_eq!((live.game.tag().to_string().as_str(), live.reserves()), ("2g", before));
}

#[test]
fn who_has_no_time_left_loses_and_a_limit_of_the_game_counts_pieces() {
    let mut live = begun(terms(person(), Some("15s/0/0")));
    live.set_up(SILVER).unwrap();
    live.start_clock();
    assert!(!live.flag());
    live.used = Duration::from_secs(16);
    assert!(live.flag());
    assert_eq!(live.state().view.end.unwrap().letter, 't');
    let mut short = begun(terms(person(), Some("15s/0/0/0/1t")));
    short.set_up(SILVER).unwrap();
    assert_eq!(short.game.ending(), Some(Ending::win(Side::Silver, Reason::Score)));
}

#[test]
fn a_handicap_is_exactly_what_was_agreed() {
    let mut terms = terms(engine(), None);
    terms.handicap = Handicaps { gold: "M".into(), silver: "HR".into() };
    let mut live = Live::begin("x".into(), terms.clone(), 1).unwrap();
    assert!(live.set_up(GOLD).unwrap_err().contains("expected 0"));
    live.set_up(&GOLD.replace("Md2 ", "")).unwrap();
    let whole = Setup::parse(SILVER, Side::Silver, Handicap::None).unwrap();
    let reduced = live.reduced(&whole).unwrap();
    assert_eq!(reduced.placements().count(), 14);
    live.play_setup(reduced).unwrap();
    assert_eq!(live.state().captured, "", "what was never there is not captured");
    terms.handicap.gold = "EE".into();
    assert!(Live::begin("x".into(), terms, 1).unwrap_err().contains("at most 1"));
}
