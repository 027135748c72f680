//! Tests of the opponents.

use surus_play::{Answer, Engine, Job, Limits};
use surus_rules::{Game, PieceKind, Rules, Side};

use super::{Fairylike, SampleBot};

fn after(engine: &mut dyn Engine, position: &str, nodes: Option<u64>) -> Game {
    let mut game = Game::from_text(position, Rules::Official).unwrap();
    let job = Job::limited(game.clone(), Limits { nodes, ..Limits::default() });
    let Answer::Turn(turn) = engine.think(&job, &mut |_| {}).unwrap() else { panic!("no turn") };
    game.play(&turn).unwrap();
    game
}

/// Silver's rabbit is one step from goal, and a dog can be captured: only a search of the replies stops the rabbit.
const THREAT: &str = "g [rrrrrr                     d       E     r                  RRRR]";

#[test]
fn four_steps_capture_what_can_be_captured() {
    let mut engine = SampleBot::default();
    let game =
        after(&mut engine, "g [rrrrrrrr           hc  e   ME                           RRRRRRRR]", None);
    let board = game.position().board();
    assert_eq!(
        (board.count(Side::Silver, PieceKind::Horse), board.count(Side::Silver, PieceKind::Cat)),
        (0, 0)
    );
}

#[test]
fn eight_steps_see_the_answer_and_four_do_not() {
    let loses = |steps: &str| {
        let mut engine = SampleBot::default();
        engine.set_option("steps", steps).unwrap();
        let game = after(&mut engine, THREAT, None);
        surus_tactics::steps_to_goal(game.position().board(), Side::Silver, 4).is_some()
    };
    assert!(loses("4") && !loses("8"));
}

#[test]
fn alpha_beta_takes_a_goal_and_stops_one() {
    let game = after(
        &mut Fairylike::default(),
        "g [r      r R         hE                                   RRRRRRR ]",
        Some(200_000),
    );
    assert_eq!(game.result().and_then(|ending| ending.winner), Some(Side::Gold));
    let game = after(&mut Fairylike::default(), THREAT, None);
    assert!(surus_tactics::steps_to_goal(game.position().board(), Side::Silver, 4).is_none());
}

/// Even with few nodes full turns are compared; with more nodes the replies are searched.
#[test]
fn alpha_beta_begins_with_whole_turns_and_goes_on_to_the_answers() {
    let mut game = Game::from_text(
        "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
        Rules::Official,
    )
    .unwrap();
    for nodes in [2_000, 20_000, 200_000] {
        let job = Job::limited(game.clone(), Limits { nodes: Some(nodes), ..Limits::default() });
        let mut infos = Vec::new();
        let answer = Fairylike::default().think(&job, &mut |info| infos.push(info)).unwrap();
        let Answer::Turn(turn) = answer else { panic!("no turn") };
        assert_eq!(infos[0].depth, Some(4));
        assert!(turn.len() >= 3, "{nodes}: {turn}");
        assert!(infos.iter().all(|info| info.nodes.is_some_and(|count| count <= nodes + 1)));
        assert_eq!(infos.last().unwrap().depth, Some(if nodes < 100_000 { 4 } else { 8 }), "{nodes}");
    }
    let only = game.legal_turns().into_iter().nth(7).unwrap();
    let mut job = Job::limited(game.clone(), Limits { nodes: Some(1000), ..Limits::default() });
    job.search_turns = vec![only];
    let answer = Fairylike::default().think(&job, &mut |_| {}).unwrap();
    assert!(matches!(answer, Answer::Turn(turn) if turn == only));
    game.play(&only).unwrap();
}

#[test]
fn the_same_nodes_give_the_same_turn() {
    let play = || {
        let game = after(
            &mut Fairylike::default(),
            "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
            Some(30_000),
        );
        game.position().board().key()
    };
    assert_eq!(play(), play());
}
