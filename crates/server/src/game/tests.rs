//! Games in progress.

use super::*;
use crate::store::{StoredGame, StoredTurn};

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const SILVER: &str = "ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8";

fn config(silver: Player, time_control: Option<&str>) -> NewGame {
    NewGame {
        gold: human(),
        silver,
        time_control: time_control.map(Into::into),
        handicap: Handicaps::default(),
        start: None,
        turns: Vec::new(),
    }
}

fn human() -> Player {
    Player::Human { name: String::new() }
}

fn engine() -> Player {
    Player::Engine { name: "greedy".into(), seconds: 1 }
}

fn started(config: NewGame) -> ActiveGame {
    let mut active = ActiveGame::new("x".into(), config, 1).unwrap();
    active.place_setup(GOLD).unwrap();
    active
}

#[test]
fn steps_are_all_or_none_with_undo_and_redo() {
    let mut active = started(config(human(), None));
    active.place_setup(SILVER).unwrap();
    assert_eq!(
        active.play_steps("Ee2nn Ee4w Ee4w").unwrap_err().to_string(),
        "Ee4w: there is no piece on e4"
    );
    assert!(active.game.current_turn().is_empty());
    active.play_steps("Ee2nn").unwrap();
    active.undo().unwrap();
    assert_eq!(active.game.current_turn().to_string(), "Ee2n");
    active.redo().unwrap();
    assert_eq!(active.redo(), Err(GameError::NothingToRedo));
    active.end_turn().unwrap();
    assert_eq!(active.state().turns[2].text, "Ee2n Ee3n");
    assert_eq!(active.play_steps(""), Err(GameError::NoStep));
}

/// The game as the store would return it.
fn stored(active: &ActiveGame) -> (StoredGame, Vec<StoredTurn>) {
    let nothing = ActiveGame::new("x".into(), active.config.clone(), 1).unwrap();
    let change = active.change_since(&nothing);
    (change.game, change.new_turns)
}

#[test]
fn stored_games_round_trip() {
    let mut active = started(config(human(), Some("2m/5m/100/10m")));
    active.place_setup(SILVER).unwrap();
    active.play_steps("Ee2n Ee3n").unwrap();
    active.undo().unwrap();
    let (game, turns) = stored(&active);
    assert_eq!(ActiveGame::from_stored(&game, &turns).unwrap().state(), active.state());
    active.resign().unwrap();
    let (game, turns) = stored(&active);
    assert_eq!(
        ActiveGame::from_stored(&game, &turns).unwrap().state().position.end.unwrap().reason,
        "resignation"
    );
}

#[test]
fn illegal_stored_games_are_rejected_with_location() {
    let mut active = started(config(human(), None));
    active.place_setup(SILVER).unwrap();
    active.play_steps("Ee2n").unwrap();
    active.end_turn().unwrap();
    let (game, turns) = stored(&active);
    let restore_error = |game: &StoredGame, turns: &[StoredTurn]| {
        ActiveGame::from_stored(game, turns).unwrap_err().to_string()
    };
    let mut bad = turns.clone();
    bad[2].text = "Ee3n".into();
    assert_eq!(restore_error(&game, &bad), "turn 2g 'Ee3n': Ee3n: there is no piece on e3");
    let bad = StoredGame { steps_played: "Ee3n".into(), ..game.clone() };
    assert!(restore_error(&bad, &turns).starts_with("the current turn 'Ee3n'"));
    let bad = StoredGame { redo: "Ra1".into(), ..game.clone() };
    assert!(restore_error(&bad, &turns).starts_with("the undone steps 'Ra1'"));
    let bad = StoredGame { result: Some(GameResult::win(Side::Gold, Termination::Goal)), ..game.clone() };
    assert_eq!(
        restore_error(&bad, &turns),
        "the stored result is goal, but replaying gives an unfinished game"
    );
    let mut bad = game;
    bad.config.time_control = Some("quickly".into());
    assert!(restore_error(&bad, &turns).starts_with("invalid configuration"));
}

#[test]
fn changes_contain_only_new_turns() {
    let mut active = started(config(human(), None));
    active.place_setup(SILVER).unwrap();
    let before = active.clone();
    active.play_steps("Ee2n").unwrap();
    let step = active.change_since(&before);
    assert_eq!((step.turns_before, step.turns_kept, step.new_turns.len()), (2, 2, 0));
    let before = active.clone();
    active.end_turn().unwrap();
    let turn = active.change_since(&before);
    assert_eq!((turn.turns_before, turn.turns_kept, &*turn.new_turns[0].text), (2, 2, "Ee2n"));
    let before = active.clone();
    active.take_back().unwrap();
    let back = active.change_since(&before);
    assert_eq!((back.turns_before, back.turns_kept, back.new_turns.len()), (3, 2, 0));
}

#[test]
fn takeback_restores_human_turn_and_reserves() {
    let mut active = started(config(engine(), Some("1m/5m/100/10m")));
    assert_eq!(active.play_steps("Ee2n"), Err(GameError::EngineToMove("greedy".into())));
    let setup = Setup::parse(SILVER, Side::Silver, Handicap::None).unwrap();
    active.play_setup(setup).unwrap();
    let before = active.reserves();
    active.play_steps("Ee2n").unwrap();
    active.elapsed = Duration::from_secs(90);
    active.end_turn().unwrap();
    assert_eq!(active.reserves()[0] + 30_000, before[0], "thirty seconds over the minute");
    active.game.play_text("ed7s").unwrap();
    active.turn_timings.push(TurnTiming { elapsed_ms: 0, reserves_ms: active.reserves() });
    active.take_back().unwrap();
    assert_eq!((active.game.tag().to_string().as_str(), active.reserves()), ("2g", before));
}

#[test]
fn flag_loses_and_game_limit_counts_pieces() {
    let mut active = started(config(human(), Some("15s/0/0")));
    active.place_setup(SILVER).unwrap();
    active.start_clock();
    assert!(!active.is_out_of_time());
    active.elapsed = Duration::from_secs(16);
    assert!(active.is_out_of_time());
    active.lose_on_time();
    assert_eq!(active.state().position.end.unwrap().code, 't');
    let mut short = started(config(human(), Some("15s/0/0/0/1t")));
    short.place_setup(SILVER).unwrap();
    assert_eq!(short.game.result(), Some(GameResult::win(Side::Silver, Termination::Score)));
}

#[test]
fn setups_must_match_the_handicap() {
    let mut config = config(engine(), None);
    config.handicap = Handicaps { gold: "M".into(), silver: "HR".into() };
    let mut active = ActiveGame::new("x".into(), config.clone(), 1).unwrap();
    assert!(active.place_setup(GOLD).unwrap_err().to_string().contains("expected 0"));
    active.place_setup(&GOLD.replace("Md2 ", "")).unwrap();
    let full = Setup::parse(SILVER, Side::Silver, Handicap::None).unwrap();
    let reduced = active.apply_handicap(&full).unwrap();
    assert_eq!(reduced.placements().count(), 14);
    active.play_setup(reduced).unwrap();
    assert_eq!(active.state().captured, "", "missing pieces are not captured");
    config.handicap.gold = "EE".into();
    assert!(ActiveGame::new("x".into(), config, 1).unwrap_err().to_string().contains("at most 1"));
}

#[test]
fn earlier_turns_are_part_of_the_game() {
    let mut config = config(engine(), Some("2m/5m/100/10m"));
    config.turns = [GOLD, SILVER, "Ee2n Ee3n"].map(String::from).to_vec();
    let active = ActiveGame::new("x".into(), config.clone(), 1).unwrap();
    let state = active.state();
    assert_eq!((state.position.tag.as_str(), state.turns.len(), state.engine_to_move), ("2s", 3, true));
    assert!(state.config.turns.is_empty());
    assert_eq!(active.stored_turns()[2].text, "Ee2n Ee3n");
    let restored = ActiveGame::from_stored(&active.to_stored(), &active.stored_turns()).unwrap();
    assert_eq!(restored.state(), state);
    // The third repetition counts the turns before.
    let back_and_forth = ["Ee2n", "ed7s", "Ee3s", "ed6n"].map(String::from);
    config.turns = [&[GOLD.into(), SILVER.into()], &back_and_forth[..], &back_and_forth[..3]].concat();
    config.silver = human();
    let mut active = ActiveGame::new("x".into(), config.clone(), 1).unwrap();
    active.play_steps("ed6n").unwrap();
    assert!(active.end_turn().unwrap_err().to_string().contains("for the third time"));
    config.turns = vec!["Ee2n".into()];
    assert!(ActiveGame::new("x".into(), config.clone(), 1).unwrap_err().to_string().starts_with("1g: "));
    config.turns = vec![GOLD.into(); 2001];
    assert!(ActiveGame::new("x".into(), config, 1).unwrap_err().to_string().contains("at most 2000"));
}
