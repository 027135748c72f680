//! The two test cases of \[LG\], with its claims checked by the rules.

mod common;

use common::{CASE_1, CASE_2, at, board};
use surus_geometry::Fidelity::{Extended, Paper};
use surus_geometry::search::{
    DefenceKind, Guidance, HeuristicRule, HeuristicRules, SearchStats, all_captures, capture_in_one_turn,
    capture_of, defend_all, defend_capture, goal_in_one_turn, goal_is_forced, replay,
};
use surus_geometry::search::{PlanTarget, Replies, plan};
use surus_rules::{Board, DistinctTurns, GameResult, Position, Rules, Side, Termination, Turn};

/// The first case with a silver rabbit, so that the game is not over.
const CASE_1X: &str = "He6 Eh4 Ce3 Rf1 hf7 hh3 dc5 ce2 rh8";
/// The second case with a silver rabbit, which is frozen.
const CASE_2X: &str = "Rd3 Ee4 Db6 db7 ca6 rb5";

fn turn(text: &str) -> Turn {
    text.split_whitespace().filter(|word| !word.ends_with('x')).map(|word| word.parse().unwrap()).collect()
}

/// Plays a turn, given in notation with captures.
fn play(board: &Board, side: Side, text: &str) -> Board {
    let outcome = replay(board, side, &turn(text)).unwrap_or_else(|| panic!("{text} is illegal"));
    assert_eq!(board.notation(&turn(text)), text);
    outcome.board
}

fn captures(board: &Board, side: Side) -> Vec<String> {
    let found = all_captures(board, side, 4, Guidance::EXTENDED, &mut SearchStats::default());
    found
        .iter()
        .map(|c| format!("{}{} {}: {}", c.piece.letter(), c.square, c.trap, board.notation(&c.turn)))
        .collect()
}

#[test]
fn gold_captures_the_dog_or_the_horse() {
    for words in [CASE_1, CASE_1X] {
        let board = board(words);
        let expected = ["dc5 c6: He6s He5w dc5n dc6x Hd5w", "hh3 f3: hh3w Eh4s hg3w hf3x Eh3w"];
        let mut found = captures(&board, Side::Gold);
        found.sort_unstable();
        assert_eq!(found, expected);
        let exact: Vec<String> =
            surus_tactics::captures(&board, Side::Gold, 4).iter().map(|c| c.square.to_string()).collect();
        assert_eq!(exact.len(), 2, "{exact:?}");
        assert!(captures(&board, Side::Silver).is_empty());
        assert!(surus_tactics::captures(&board, Side::Silver, 4).is_empty());
        let paper =
            capture_in_one_turn(&board, Side::Gold, 4, Guidance::zones(Paper), &mut SearchStats::default())
                .unwrap();
        assert!(expected.iter().any(|line| line.ends_with(&board.notation(&paper.turn))), "{paper:?}");
    }
}

#[test]
fn silver_saves_one_piece_as_published() {
    let board = board(CASE_1X);
    let mut stats = SearchStats::default();
    let dog = capture_of(&board, Side::Gold, 4, at("c5"), Guidance::EXTENDED, &mut stats).unwrap();
    let first = &defend_capture(&board, &dog, 1, HeuristicRules::ALL, &mut stats)[0];
    assert_eq!((first.means, first.turn.to_string().as_str()), (DefenceKind::Retreat, "dc5s"));
    let all = defend_capture(&board, &dog, 100, HeuristicRules::ALL, &mut stats);
    assert!(
        all.iter().any(|d| d.means == DefenceKind::ProtectTrap && d.turn == turn("hf7w he7w hd7w")),
        "{all:?}"
    );
    // The horse on h3 is frozen, so the first defence is the cat next to the trap.
    let horse = capture_of(&board, Side::Gold, 4, at("h3"), Guidance::EXTENDED, &mut stats).unwrap();
    let first = &defend_capture(&board, &horse, 1, HeuristicRules::ALL, &mut stats)[0];
    assert_eq!((first.means, first.turn.to_string().as_str()), (DefenceKind::ProtectTrap, "ce2e"));
}

#[test]
fn only_two_defences_together_save_both_pieces() {
    let board = board(CASE_1X);
    let pieces = |after: &Board| {
        let mut all: Vec<String> = surus_tactics::captures(after, Side::Gold, 4)
            .iter()
            .map(|c| format!("{}{}", c.piece.letter(), c.square))
            .collect();
        all.sort_unstable();
        all.join(" ")
    };
    let after = |text| play(&board, Side::Silver, text);
    assert_eq!(pieces(&after("dc5s")), "hh3");
    assert_eq!(pieces(&after("hf7w he7w hd7w")), "hh3");
    assert_eq!(pieces(&after("ce2e")), "dc5");
    assert!(pieces(&after("dc5s dc4e dd4e de4e")).contains("df4"));
    play(&after("dc5s dc4e dd4e de4e"), Side::Gold, "Eh4w df4s df3x Eg4w");
    // [LG] proposes the cat on g3; the elephant captures the cat itself.
    assert!(pieces(&after("ce2e cf2e cg2n")).contains("cg3"));
    play(&after("ce2e cf2e cg2n"), Side::Gold, "Eh4w cg3w cf3x Eg4s");
    for text in ["ce2e dc5s", "hf7w he7w hd7w ce2e"] {
        assert_eq!(pieces(&after(text)), "", "{text}");
    }
    let found = defend_all(&board, Side::Silver, &mut SearchStats::default()).unwrap();
    assert_eq!(pieces(&after(&found.to_string())), "");
    assert_eq!(found.len(), 2, "{found}");
}

#[test]
fn the_frozen_horse_has_no_step() {
    let position = Position::new(board(CASE_1X), Side::Silver).unwrap();
    position.for_each_step(|step, _| assert_ne!(step.from(), at("h3")));
}

#[test]
fn goal_takes_two_turns_and_has_one_refutation() {
    for (words, turns) in [(CASE_2, 42), ("Rd3 Ee4 Db6 db7 cb5", 31), (CASE_2X, 56)] {
        let board = board(words);
        let mut stats = SearchStats::default();
        assert!(goal_in_one_turn(&board, Side::Gold, 4, Guidance::EXTENDED, &mut stats).is_none());
        let run = play(&board, Side::Gold, "Rd3n Rd4n Rd5n Rd6n");
        let forced = goal_is_forced(&run, Side::Silver, &mut stats);
        assert_eq!(forced.turns, turns, "{words}");
        let refutations: Vec<String> = forced.refutations.iter().map(ToString::to_string).collect();
        assert_eq!(refutations, ["db7e Rd7s dc7e"], "{words}");
        for (answer, goal) in [
            ("db7e", "Ee4n Ee5n Ee6w Rd7n"),
            ("db7e", "Ee4n Ee5n Ee6n Rd7n"),
            ("db7e Rd7e dc7e", "Ee4n Ee5n Re7n"),
            ("db7e dc7w Rd7w", "Db6e Rc7n Dc6x"),
            ("db7e dc7w Rd7w db7n", "Db6e Rc7n Dc6x"),
            ("db7e dc7w Rd7w db7n", "Rc7n"),
        ] {
            let after = play(&run, Side::Silver, answer);
            assert!(replay(&after, Side::Gold, &turn(goal)).is_some_and(|o| o.goal), "{answer}, {goal}");
            assert_eq!(after.notation(&turn(goal)), goal);
            assert!(
                goal_in_one_turn(&after, Side::Gold, 4, Guidance::EXTENDED, &mut stats).is_some(),
                "{answer}"
            );
        }
        // The only defence is refuted by immobilising silver.
        let after = play(&run, Side::Silver, "db7e Rd7s dc7e");
        let stuck = play(&after, Side::Gold, "Ee4n Ee5w Rd6e Ed5n");
        assert!(!stuck.has_step(Side::Silver), "{words}");
    }
}

#[test]
fn silver_is_immobilised_where_the_published_line_continues() {
    for words in [CASE_2, CASE_2X] {
        let board = board(words);
        let blocked = play(&board, Side::Silver, "db7e dc7e dd7s dd6s");
        assert!(
            goal_in_one_turn(&blocked, Side::Gold, 4, Guidance::EXTENDED, &mut SearchStats::default())
                .is_none()
        );
        let turns = DistinctTurns::new(&Position::new(blocked, Side::Gold).unwrap(), &blocked, 4);
        let arrived = |after: &Board| !(after.rabbits(Side::Gold) & Side::Gold.goal()).is_empty();
        assert!(!turns.boards().any(arrived));
        for line in ["Ee4n Ee5n dd5e", "Rd3n Rd4w Rc4n Ee4w"] {
            let stuck = play(&blocked, Side::Gold, line);
            assert!(!stuck.has_step(Side::Silver), "{words} {line}");
        }
    }
    let stuck =
        play(&play(&board(CASE_2X), Side::Silver, "db7e dc7e dd7s dd6s"), Side::Gold, "Ee4n Ee5n dd5e");
    let ending = GameResult::from_board(&stuck, Side::Gold, Rules::Official);
    assert_eq!(ending, Some(GameResult::win(Side::Gold, Termination::Immobilisation)));
}

#[test]
fn the_string_of_a_search_has_child_sibling_and_parent() {
    let mut stats = SearchStats::with_tree();
    let rules = HeuristicRules::of(Paper).without(HeuristicRule::CaptureHalts);
    capture_in_one_turn(&board(CASE_1X), Side::Gold, 4, Guidance::Zones(Paper, rules), &mut stats).unwrap();
    let tree = stats.tree.unwrap();
    let string = tree.to_string();
    assert!(string.starts_with("(π(1)π(2)"), "{string}");
    for (i, node) in tree.nodes().iter().enumerate() {
        assert!(node.child.is_none_or(|child| tree.nodes()[child].parent == Some(i)), "{string}");
        let sibling = node.sibling.map(|sibling| tree.nodes()[sibling]);
        assert!(sibling.is_none_or(|sibling| sibling.parent == node.parent), "{string}");
        if let Some(parent) = node.parent {
            let mut next = tree.nodes()[parent].child;
            while next.is_some_and(|next| next != i) {
                next = next.and_then(|next| tree.nodes()[next].sibling);
            }
            assert_eq!(next, Some(i), "{string}");
        }
    }
    assert_eq!(tree.nodes().iter().map(|node| node.action.len()).sum::<u8>(), stats.nodes as u8);
}

#[test]
fn each_rule_changes_what_a_search_does() {
    let case = board(CASE_1X);
    let search = |rules: HeuristicRules| {
        let mut stats = SearchStats::default();
        let found = capture_in_one_turn(&case, Side::Gold, 4, Guidance::Zones(Paper, rules), &mut stats);
        (found.is_some(), stats.nodes)
    };
    let all = HeuristicRules::ALL;
    let (found, nodes) = search(all);
    assert!(found);
    assert!(search(all.without(HeuristicRule::CaptureHalts)).1 > nodes);
    let run = board("Rd6 Ee4 hc6 cd3 ra8");
    let goal = |rules| {
        let mut stats = SearchStats::default();
        let _found = goal_in_one_turn(&run, Side::Gold, 4, Guidance::Zones(Extended, rules), &mut stats);
        stats.nodes
    };
    assert!(goal(all.without(HeuristicRule::CoverSquare)) < goal(all));
    assert!(goal(all.without(HeuristicRule::AdvanceZone)) < goal(all));
}

/// A goal or an immobilisation. All turns are tried for the latter, because without rabbits the rules end the game otherwise.
fn exact_win(board: &Board, side: Side) -> Option<Turn> {
    let immobilised = || {
        let turns = DistinctTurns::new(&Position::new(*board, side).ok()?, board, 4);
        turns.iter().find(|(_, after)| !after.has_step(side.other())).map(|(turn, _)| turn)
    };
    surus_tactics::find_goal(board, side, 4).or_else(immobilised)
}

#[test]
fn the_second_case_is_found_and_proven() {
    for (words, turns) in [(CASE_2, 42), (CASE_2X, 56)] {
        let board = board(words);
        let mut stats = SearchStats::default();
        assert!(exact_win(&board, Side::Gold).is_none());
        let found = plan(&board, Side::Gold, PlanTarget::Goal, Replies::All, &exact_win, &mut stats).unwrap();
        println!("{words}: {} after {} attacks, {} nodes", found.attack, found.attacks, stats.nodes);
        let after = replay(&board, Side::Gold, &found.attack).unwrap().board;
        assert_eq!(found.attack.to_string(), "Rd3n Rd4n Rd5n Rd6n");
        assert_eq!(found.answers.len(), turns, "{words}");
        for (reply, answer) in &found.answers {
            if answer.is_empty() {
                // Silver has pushed the rabbit onto its goal rank.
                continue;
            }
            let replied = replay(&after, Side::Silver, reply).unwrap_or_else(|| panic!("{reply}")).board;
            let won = replay(&replied, Side::Gold, answer)
                .unwrap_or_else(|| panic!("{reply}: {answer} {replied:?}"));
            assert!(won.goal || !won.board.has_step(Side::Silver), "{reply}, {answer}");
        }
        // The zones alone propose the same attack, with fewer replies.
        let zones =
            plan(&board, Side::Gold, PlanTarget::Goal, Replies::Zones, &exact_win, &mut stats).unwrap();
        assert!(zones.attack == found.attack && zones.answers.len() < turns, "{zones:?}");
    }
}

#[test]
fn a_capture_in_two_turns_is_found() {
    // The dog is two squares from each trap and alone; gold needs five steps.
    let board = board("Hb6 Ra1 dd4 Ed1 rh8");
    let exact = |board: &Board, side: Side| {
        surus_tactics::captures(board, side, 4).iter().next().map(|capture| capture.turn)
    };
    assert!(exact(&board, Side::Gold).is_none());
    let mut stats = SearchStats::default();
    let found = plan(&board, Side::Gold, PlanTarget::Capture, Replies::All, &exact, &mut stats);
    assert!(found.is_some_and(|found| !found.answers.is_empty()));
}

#[test]
fn figure_2_is_found_by_the_zones() {
    let mut stats = SearchStats::default();
    let run = board("Rb5 Dc5 Cb7 rh8");
    let goal = goal_in_one_turn(&run, Side::Gold, 4, Guidance::EXTENDED, &mut stats).unwrap();
    assert_eq!((goal.rabbit, goal.turn.len()), (at("b5"), 4));
    play(&run, Side::Gold, "Rb5n Rb6e Rc6n Rc7n");
    let captures = board("Ed5 Cb7 db6 Ra1 rh8");
    let line = |side| {
        let found =
            capture_in_one_turn(&captures, side, 4, Guidance::zones(Paper), &mut SearchStats::default());
        found.map(|found| captures.notation(&found.turn))
    };
    assert_eq!(line(Side::Gold).as_deref(), Some("Ed5w Ec5w db6e dc6x Eb5n"));
    // [LG] says pull; the cat goes to c7 only if the dog pushes it.
    assert!(line(Side::Silver).is_some_and(|line| line.contains("Cc6x")));
}
