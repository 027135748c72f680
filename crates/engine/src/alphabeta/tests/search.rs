//! Rules that searches get wrong: repetition, reversible turns, goals that count only at the end of a turn.

use surus_play::{Answer, Engine, Info, Job, Limits};
use surus_rules::{Game, Rules, Score, Side, Turn};
use surus_tactics::steps_to_goal;

use crate::AlphaBeta;
use crate::alphabeta::features::names;
use crate::alphabeta::params::Params;

fn game(text: &str) -> Game {
    Game::from_text(text, Rules::Official).unwrap()
}

fn engine(disabled: &str) -> AlphaBeta {
    let mut engine = AlphaBeta::default();
    engine.set_option("hash", "4").unwrap();
    engine.set_option("disable", disabled).unwrap();
    engine
}

fn think(engine: &mut AlphaBeta, game: &Game, nodes: u64) -> (Turn, Info) {
    let job = Job::limited(game.clone(), Limits { nodes: Some(nodes), ..Limits::default() });
    let mut last = Info::default();
    match engine.think(&job, &mut |info| last = info).unwrap() {
        Answer::Turn(turn) => (turn, last),
        answer => panic!("no turn: {answer:?}"),
    }
}

const START: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

#[test]
fn every_part_can_be_switched_off_and_says_so() {
    let nodes = |disabled: &str, game: &Game| {
        let job = Job::limited(game.clone(), Limits { depth: Some(9), ..Limits::default() });
        let mut nodes = None;
        engine(disabled).think(&job, &mut |info| nodes = info.nodes).unwrap();
        nodes
    };
    // A quiet position, and one with threatened goals and pieces: each feature matters in one of them, except
    // `repetition_penalty`, which has a test of its own.
    let games = [game(START), game("g [rrr r rr  d c    R  e m    E             r  h     D C  MRR  RRRR]")];
    let whole = games.each_ref().map(|game| nodes("", game));
    for name in names().into_iter().filter(|&name| name != "repetition_penalty") {
        let changes = |(game, whole): (&Game, &Option<u64>)| nodes(name, game) != *whole;
        assert!(games.iter().zip(&whole).any(changes), "{name}");
    }
    let error = engine("").set_option("disable", "null_turn+speed").unwrap_err().to_string();
    assert!(error.contains("aspiration, behind_reductions, continuation_history"), "{error}");
}

#[test]
fn a_turn_that_repeats_a_position_costs_a_rabbit() {
    let mut game = game("g [r      r   e                       E                    R      R]");
    for turn in ["Ed4e", "ed7e", "Ee4w"] {
        game.play_text(turn).unwrap();
    }
    let score = |disabled: &str, step: &str| {
        let only = vec![[step.parse::<surus_rules::Step>().unwrap()].into_iter().collect()];
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let mut score = None;
        engine(disabled)
            .think(&Job { search_turns: only, ..Job::limited(game.clone(), limits) }, &mut |info| {
                score = info.score;
            })
            .unwrap();
        score.and_then(Score::centirabbits).unwrap()
    };
    // Back to where it stood, and to where it has not been.
    assert_eq!(score("repetition_penalty", "ee7w") - score("", "ee7w"), 100);
    assert_eq!(score("repetition_penalty", "ee7s"), score("", "ee7s"));
}

#[test]
fn a_won_game_is_not_shuffled_away() {
    // Gold is far ahead, but its elephant alone can't win; silver goes to and fro.
    let mut game = game("g [r  e   r                     E                   M H D C R R R R ]");
    let mut engine = engine("");
    let mut boards: Vec<(u64, Side)> = Vec::new();
    for _ in 0..40 {
        if game.result().is_some() {
            break;
        }
        let (turn, _) = think(&mut engine, &game, 2_000);
        let side = game.side();
        game.play(&turn).unwrap();
        boards.push((game.turn_start().key(), side));
    }
    assert_eq!(game.result().and_then(|ending| ending.winner), Some(Side::Gold));
    let mut distinct = boards.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let repeated = boards.len() - distinct.len();
    assert!(repeated <= 1, "{repeated} of {}", boards.len());
}

#[test]
fn a_third_repetition_is_never_thought_to_help() {
    // Silver's elephant must guard: the natural turn back is used up, so the score must not count on it.
    let mut game = game("g [r  e   r                                                R   E  R]");
    for turn in ["Ee1n", "ed8s", "Ee2s", "ed7n", "Ee1n", "ed8s", "Ee2s"] {
        game.play_text(turn).unwrap();
    }
    for nodes in [200, 2_000, 20_000] {
        let (turn, info) = think(&mut engine(""), &game, nodes);
        game.clone().play(&turn).unwrap();
        // The whole line keeps to the rules, repetitions included.
        let mut line = game.clone();
        for turn in &info.pv {
            if line.result().is_none() {
                line.play(turn).unwrap();
            }
        }
    }
}

#[test]
fn a_goal_of_the_other_side_is_seen_behind_the_last_turn() {
    // Silver's rabbit on a3 runs to a1 next turn; with little depth gold must stop it all the same.
    let goal_threatened = game("g [rrrrrr   hd  m             e            r  D E    MCDHH   R RRRR]");
    for nodes in [300, 2_000, 5_000] {
        let (turn, _) = think(&mut engine(""), &goal_threatened, nodes);
        let mut after = goal_threatened.clone();
        after.play(&turn).unwrap();
        assert_eq!(steps_to_goal(after.position().board(), Side::Silver, 4), None, "{nodes}: {turn}");
    }
}

#[test]
fn a_rabbit_on_the_goal_rank_in_mid_turn_is_no_goal_for_the_one_who_pushed_it() {
    // Gold may push the rabbit on b2 onto b1 and must not leave it there.
    let pushed = game("g [r      r  e                                    CrE      R      R]");
    for nodes in [500, 5_000] {
        let (turn, _) = think(&mut engine(""), &pushed, nodes);
        let mut after = pushed.clone();
        after.play(&turn).unwrap();
        assert_ne!(after.result().and_then(|ending| ending.winner), Some(Side::Silver), "{turn}");
    }
}

#[test]
fn a_turn_in_vain_is_never_taken_for_a_win() {
    // Gold wins by force; a pull that silver undoes at once must not look like a shorter win.
    let won = game("g [   d        Erd Me  cR  R    DD    Cr rR   RR                   ]");
    let job = Job::limited(won.clone(), Limits { depth: Some(5), ..Limits::default() });
    let mut last = Info::default();
    let Answer::Turn(turn) = engine("").think(&job, &mut |info| last = info).unwrap() else { panic!() };
    let (start, mut after) = (*won.turn_start(), won);
    after.play(&turn).unwrap();
    assert_eq!(
        crate::alphabeta::reversible::cost(&start, after.turn_start(), Side::Gold, &Params::default()),
        0,
        "{turn} {:?}",
        last.score
    );
    assert!(last.score < Some(Score::Win { turns: 1 }), "no win within this turn: {:?}", last.score);
}
