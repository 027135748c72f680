//! Games as they are played here.

use super::*;
use crate::store::{StoredGame, StoredTurn};

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
    assert_eq!(live.take_steps("Ee2nn Ee4w Ee4w").unwrap_err().to_string(), "Ee4w: there is no piece on e4");
    assert!(live.game.current_turn().is_empty());
    live.take_steps("Ee2nn").unwrap();
    live.undo().unwrap();
    assert_eq!(live.game.current_turn().to_string(), "Ee2n");
    live.redo().unwrap();
    assert_eq!(live.redo(), Err(GameError::NothingToRedo));
    live.end_turn().unwrap();
    assert_eq!(live.state().turns[2].text, "Ee2n Ee3n");
    assert_eq!(live.take_steps(""), Err(GameError::NoStep));
}

/// What the store would give back.
fn stored(live: &Live) -> (StoredGame, Vec<StoredTurn>) {
    let nothing = Live::begin("x".into(), live.terms.clone(), 1).unwrap();
    let change = live.change_since(&nothing);
    (change.game, change.new_turns)
}

#[test]
fn a_stored_game_goes_on_where_it_was() {
    let mut live = begun(terms(person(), Some("2m/5m/100/10m")));
    live.set_up(SILVER).unwrap();
    live.take_steps("Ee2n Ee3n").unwrap();
    live.undo().unwrap();
    let (game, turns) = stored(&live);
    assert_eq!(Live::resume(&game, &turns).unwrap().state(), live.state());
    live.resign().unwrap();
    let (game, turns) = stored(&live);
    assert_eq!(Live::resume(&game, &turns).unwrap().state().view.end.unwrap().reason, "resignation");
}

#[test]
fn a_stored_game_that_breaks_the_rules_is_refused_with_the_place() {
    let mut live = begun(terms(person(), None));
    live.set_up(SILVER).unwrap();
    live.take_steps("Ee2n").unwrap();
    live.end_turn().unwrap();
    let (game, turns) = stored(&live);
    let refused =
        |game: &StoredGame, turns: &[StoredTurn]| Live::resume(game, turns).unwrap_err().to_string();
    let mut bad = turns.clone();
    bad[2].text = "Ee3n".into();
    assert_eq!(refused(&game, &bad), "turn 2g 'Ee3n': Ee3n: there is no piece on e3");
    let bad = StoredGame { running: "Ee3n".into(), ..game.clone() };
    assert!(refused(&bad, &turns).starts_with("the running turn 'Ee3n'"));
    let bad = StoredGame { redo: "Ra1".into(), ..game.clone() };
    assert!(refused(&bad, &turns).starts_with("the undone steps 'Ra1'"));
    let bad = StoredGame { ending: Some(GameResult::win(Side::Gold, Termination::Goal)), ..game.clone() };
    assert_eq!(refused(&bad, &turns), "it is stored as ended by goal, but replaying it gives no end");
    let mut bad = game;
    bad.terms.control = Some("quickly".into());
    assert!(refused(&bad, &turns).starts_with("its terms are invalid"));
}

#[test]
fn a_step_changes_no_stored_turn_and_a_takeback_removes_only_the_last() {
    let mut live = begun(terms(person(), None));
    live.set_up(SILVER).unwrap();
    let before = live.clone();
    live.take_steps("Ee2n").unwrap();
    let step = live.change_since(&before);
    assert_eq!((step.turns_before, step.turns_kept, step.new_turns.len()), (2, 2, 0));
    let before = live.clone();
    live.end_turn().unwrap();
    let turn = live.change_since(&before);
    assert_eq!((turn.turns_before, turn.turns_kept, &*turn.new_turns[0].text), (2, 2, "Ee2n"));
    let before = live.clone();
    live.take_back().unwrap();
    let back = live.change_since(&before);
    assert_eq!((back.turns_before, back.turns_kept, back.new_turns.len()), (3, 2, 0));
}

#[test]
fn a_takeback_reaches_the_turn_of_a_person_and_gives_time_back() {
    let mut live = begun(terms(engine(), Some("1m/5m/100/10m")));
    assert_eq!(live.take_steps("Ee2n"), Err(GameError::EngineToPlay("greedy".into())));
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
    assert!(!live.out_of_time());
    live.used = Duration::from_secs(16);
    assert!(live.out_of_time());
    live.lose_on_time();
    assert_eq!(live.state().view.end.unwrap().letter, 't');
    let mut short = begun(terms(person(), Some("15s/0/0/0/1t")));
    short.set_up(SILVER).unwrap();
    assert_eq!(short.game.result(), Some(GameResult::win(Side::Silver, Termination::Score)));
}

#[test]
fn a_handicap_is_exactly_what_was_agreed() {
    let mut terms = terms(engine(), None);
    terms.handicap = Handicaps { gold: "M".into(), silver: "HR".into() };
    let mut live = Live::begin("x".into(), terms.clone(), 1).unwrap();
    assert!(live.set_up(GOLD).unwrap_err().to_string().contains("expected 0"));
    live.set_up(&GOLD.replace("Md2 ", "")).unwrap();
    let whole = Setup::parse(SILVER, Side::Silver, Handicap::None).unwrap();
    let reduced = live.reduced(&whole).unwrap();
    assert_eq!(reduced.placements().count(), 14);
    live.play_setup(reduced).unwrap();
    assert_eq!(live.state().captured, "", "what was never there is not captured");
    terms.handicap.gold = "EE".into();
    assert!(Live::begin("x".into(), terms, 1).unwrap_err().to_string().contains("at most 1"));
}
