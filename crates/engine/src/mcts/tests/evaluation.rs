//! The evaluation of 4.5 and the step knowledge of 4.6.

use surus_rules::{Action, Bitboard, Board, PackedAction, PieceKind, Position, Side, Square};

use super::*;
use crate::common::action_list::ActionList;
use crate::common::math::sigmoid;
use crate::mcts::akimot_eval::AkimotEval;
use crate::mcts::step_knowledge::StepKnowledge;

const START: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

/// Everything but material off.
const MATERIAL: &str = "trap_guards_1=0,trap_guards_2=0,trap_guards_3=0,trap_guards_4=0,trap_enemy_guard=0,trap_dominant=0,trap_weaker_enemy=0,\
     trap_occupied=0,frame=0,pin=0,pin_outranked=0,hostage=0,blockade=0";

fn board(text: &str) -> Board {
    *text.parse::<Position>().unwrap().board()
}

fn lead(values: &str, text: &str) -> f32 {
    AkimotEval::new(&config_of(values)).raw_score(&board(text))
}

/// The start without some of silver's pieces.
fn without(kinds: &[PieceKind]) -> Board {
    let mut board = board(START);
    for &kind in kinds {
        let square = board.pieces(Side::Silver, kind).first().unwrap();
        board.set(square, None);
    }
    board
}

#[test]
fn material_gives_the_document_s_five_percentages_within_half_a_point() {
    let config = config_of(MATERIAL);
    let weights = AkimotEval::new(&config);
    use PieceKind::{Camel, Cat, Dog, Elephant, Horse, Rabbit};
    for (percent, kinds) in [
        (52.9, vec![Rabbit]),
        (57.4, vec![Cat]),
        (72.8, vec![Horse]),
        (78.9, vec![Camel]),
        (99.8, vec![Elephant, Camel, Horse, Horse, Dog, Cat]),
    ] {
        let found = 100.0 * sigmoid(config.lambda * weights.raw_score(&without(&kinds)));
        assert!((found - percent).abs() < 0.5, "{kinds:?}: {found} for {percent}");
    }
}

#[test]
fn fewer_rabbits_are_each_worth_more() {
    let weights = AkimotEval::new(&config_of(MATERIAL));
    let lead = |count: usize| weights.raw_score(&without(&vec![PieceKind::Rabbit; count]));
    let steps: Vec<f32> = (1..8).map(|count| lead(count) - lead(count - 1)).collect();
    assert!(steps.is_sorted(), "{steps:?}");
    let plain = AkimotEval::new(&config_of(&format!("{MATERIAL},rabbit_penalty_7=0,rabbit_penalty_6=0")));
    let lead = |count: usize| plain.raw_score(&without(&vec![PieceKind::Rabbit; count]));
    assert_eq!(lead(2) - lead(1), lead(1));
}

/// A hundred more for a number of rabbits is a hundred more for who has more of them.
#[test]
fn each_number_of_rabbits_has_its_own_penalty() {
    for left in 0..8 {
        let board = without(&vec![PieceKind::Rabbit; 8 - left]);
        let with = |penalty: u32| {
            AkimotEval::new(&config_of(&format!("rabbit_penalty_{left}={penalty}"))).raw_score(&board)
        };
        assert_eq!(with(300) - with(200), 100.0, "{left}");
    }
}

#[test]
fn each_kind_loses_its_own_share_when_it_is_frozen() {
    for (kind, key) in [("r", "rabbit"), ("c", "cat"), ("d", "dog"), ("h", "horse"), ("m", "camel")] {
        let text = format!("g [rrrrrrr                       {kind}       E                 RRRRRRRR]");
        let with = |share: &str| lead(&format!("{key}_value=400,frozen_{key}={share}"), &text);
        assert_eq!(with("0.5") - with("0.25"), 100.0, "{key}");
    }
}

/// Each number of guards has its own weight, counted here by context.
#[test]
fn each_number_of_guards_has_its_own_weight() {
    // Gold guards the traps with one, two, three and four pieces, silver none of them.
    let text = "g [rrrrrrrr  H  H   D                D      E MC C   R  R          ]";
    let board = board(text);
    for guards in 0..=4 {
        let count = |side: Side| {
            let guarded =
                |trap: &Square| (Bitboard::from(*trap).neighbours() & board.by_side(side)).len() == guards;
            Bitboard::TRAPS.into_iter().filter(guarded).count() as f32
        };
        let with = |weight: u32| lead(&format!("trap_guards_{guards}={weight}"), text);
        let more = count(Side::Gold) - count(Side::Silver);
        assert_ne!(more, 0.0, "{guards}");
        assert_eq!(with(300) - with(200), 100.0 * more, "{guards}");
    }
}

/// Each block of the evaluation on a board where it speaks, with its weights and without.
#[test]
fn every_block_of_the_evaluation_speaks_where_it_should_and_only_with_its_weights() {
    for (what, off, text) in [
        (
            "a frozen silver horse",
            "frozen_horse=0",
            "g [rrrrrrrr                       h       E                RRRRRRRR]",
        ),
        (
            "a silver camel held hostage next to c6",
            "hostage=0,frozen_camel=0",
            "g [rrrrrrrr        m       E                               RRRRRRRR]",
        ),
        (
            "a silver elephant shut in a corner",
            "blockade=0",
            "g [errrrrrrdd      r                                       RRRRRRRR]",
        ),
    ] {
        let base = MATERIAL.replace(",hostage=0,blockade=0", "");
        let with = lead(&base, text);
        let without = lead(&format!("{base},{off}"), text);
        assert!(without < with, "{what}: {with} {without}");
    }
}

#[test]
fn a_hostage_costs_what_its_key_says() {
    let text = "g [rrrrrrrr        m       E                               RRRRRRRR]";
    assert_eq!(lead("hostage=180", text) - lead("hostage=80", text), 100.0);
}

#[test]
fn the_trap_check_sees_the_dearest_piece_that_the_side_to_move_can_capture() {
    // The elephant can push the dog, or the cat, into a trap.
    let board = board("g [rrrrrrrr                  d  c    E  M                  RRRRRRRR]");
    for evaluator in ["akimot", "alphabeta"] {
        let with =
            |share: &str| AkimotEval::new(&config_of(&format!("evaluator={evaluator},trap_check={share}")));
        let (off, half, on) = (with("0"), with("0.5"), with("1"));
        let gold = [&off, &half, &on].map(|weights| weights.evaluate(&board, Side::Gold));
        assert!(gold[0] < gold[1] && gold[1] < gold[2], "{evaluator}: {gold:?}");
        assert_eq!(
            off.evaluate(&board, Side::Silver),
            on.evaluate(&board, Side::Silver),
            "silver captures nothing"
        );
        // Where silver could end its turn here it is gold's to capture.
        assert!(
            off.evaluate_mid_turn(&board, Side::Silver, 1) < on.evaluate_mid_turn(&board, Side::Silver, 1)
        );
    }
    let whole = |keys: &str| {
        AkimotEval::new(&config_of(&format!("trap_check=1,{keys}"))).evaluate(&board, Side::Gold)
    };
    assert_eq!(
        whole("frozen_dog=0,dog_value=250"),
        whole("frozen_dog=0,dog_value=260"),
        "the dog is as good as captured"
    );
    assert_ne!(whole("frozen_cat=0,cat_value=150"), whole("frozen_cat=0,cat_value=160"), "the cat is not");
}

#[test]
fn traps_count_by_guards_and_by_the_strongest_of_them() {
    let text = "g [rrrrrrrr                             E                  RRRRRRRR]";
    let weights = |values: &str| lead(values, text);
    assert!(weights("trap_guards_1=0") < weights(""));
    assert!(weights("trap_dominant=0") < weights(""));
    assert_eq!(weights("trap_guards_4=9"), weights(""));
    let prey = "g [rrrrrrrr                             E        c         RRRRRRRR]";
    assert!(lead("trap_weaker_enemy=0", prey) < lead("", prey));
    assert!(lead("trap_enemy_guard=0", text) < lead("", text));
    assert_ne!(lead("trap_home=0", text), lead("", text));
    assert!(lead("trap_away=0", text) < lead("", text));
}

#[test]
fn a_framed_piece_and_the_one_that_is_pinned_lose_worth() {
    // A silver horse stands on f3 with a dog behind it and gold on the three other sides.
    let mut board = board("g [rrrrrrrr                             d      EhM      H  RRRRRRRR]");
    let lead = |values: &str| AkimotEval::new(&config_of(values)).raw_score(&board);
    assert!(lead("frame=0") < lead(""));
    assert!(lead("pin=0") < lead(""));
    assert!(lead("pin_outranked=0") < lead(""), "the elephant stands near the pinned dog");
    board.set("g3".parse().unwrap(), None);
    let free = |values: &str| AkimotEval::new(&config_of(values)).raw_score(&board);
    assert_eq!(free("frame=0"), free(""), "a piece that can step away is not framed");
}

#[test]
fn a_goal_within_the_next_turn_decides_before_the_judge() {
    let text = "g [r      r R                                               RRRRRRR]";
    let value = |values: &str| AkimotEval::new(&config_of(values)).evaluate(&board(text), Side::Gold);
    assert_eq!(value(""), 1.0);
    assert!(value("goal_check=false") < 1.0);
    assert_ne!(value("goal_check=false"), value("goal_check=false,evaluator=alphabeta"));
}

/// The value of a step of a position after another step.
fn step_value(values: &str, text: &str, step: &str, last: PackedAction) -> f32 {
    let board = board(text);
    let mut actions = ActionList::new();
    actions.add_all(&board, Side::Gold, 4);
    let named = |action: &&PackedAction| {
        let action = action.action(&board).unwrap();
        let steps: Vec<String> = action.steps().map(|step| step.to_string()).collect();
        steps.join(" ") == step
    };
    let action = *actions.as_mut().iter().find(named).unwrap_or_else(|| panic!("no {step}"));
    StepKnowledge::new(&config_of(values)).value(&board, action, &action.after(&board), last, Side::Gold, 3)
}

#[test]
fn each_of_the_seven_rules_changes_the_value_of_its_step_and_of_no_other() {
    let text = "g [rrrrrrrr                   D          E                 RRRRRRRR]";
    let board = board(text);
    let packed = |step: &str| PackedAction::new(Side::Gold, Action::single(step.parse().unwrap()));
    let far = packed("Ra1n");
    let elephant = board.pieces(Side::Gold, PieceKind::Elephant).first().unwrap();
    let dog = board.pieces(Side::Gold, PieceKind::Dog).first().unwrap();
    let step = |square: Square, letter: char, action: char| format!("{letter}{square}{action}");
    let quiet = step(dog, 'D', 's');
    let moves = step(elephant, 'E', 's');
    let changed = |key: &str, which: &str, last: PackedAction| {
        step_value(&format!("{key}=9"), text, which, last)
            != step_value(&format!("{key}=0"), text, which, last)
    };
    assert!(changed("step_elephant", &moves, far) && !changed("step_elephant", &quiet, far));
    assert!(changed("step_rabbit_early", "Ra1n", far) && !changed("step_rabbit_early", &quiet, far));
    assert!(!changed("step_displacement", &quiet, far) && !changed("step_capture", &quiet, far));
    assert!(!changed("step_loss", &quiet, far));
    let near = packed(&step(dog, 'R', 'n'));
    assert!(changed("step_locality", &quiet, near) && !changed("step_locality", &quiet, far));
    // The dog's step south takes back one that led north to where it stands.
    let below = dog.neighbour(surus_rules::Direction::South).unwrap();
    let there = packed(&step(below, 'D', 'n'));
    assert!(changed("step_reversal", &quiet, there) && !changed("step_reversal", &quiet, far));
}

#[test]
fn captures_and_losses_are_seen_and_a_sacrifice_for_a_goal_is_no_loss() {
    // The elephant pushes the cat from d6 into c6; the horse on f3 is lost when its only guard leaves.
    let rows =
        ["rrrrrrrr", "        ", "   c    ", "   E    ", "     D  ", "     H  ", "        ", "RRRRRRRR"];
    let text = format!("g [{}]", rows.concat());
    let last = PackedAction::NONE;
    let value = |values: &str, step: &str| step_value(values, &text, step, last);
    assert!(value("step_capture=0", "cd6w Ed5n") < value("", "cd6w Ed5n"));
    assert!(value("step_displacement=0", "cd6w Ed5n") < value("", "cd6w Ed5n"));
    assert_eq!(value("step_capture=0", "cd6n Ed5n").to_bits(), value("", "cd6n Ed5n").to_bits());
    assert!(value("", "Df4n") < value("step_loss=0", "Df4n"));
    // The same loss with a rabbit on its action to goal.
    let rows =
        ["rrr     ", "       R", "   c    ", "   E    ", "     D  ", "     H  ", "        ", "RRRRRRRR"];
    let text = format!("g [{}]", rows.concat().replacen("RRRRRRRR", "RRRRRRR ", 1));
    assert_eq!(step_value("", &text, "Df4n", last), step_value("step_loss=0", &text, "Df4n", last));
}

#[test]
fn rabbits_stay_early_and_go_late() {
    let early = "g [rrrrrrrrhdcemcdh                                RHDCMECDRRRRRRRH]";
    let late = "g [rr                                              R        R      ]";
    let value = |values: &str, text: &str| step_value(values, text, "Ra2n", PackedAction::NONE);
    assert!(value("", early) < 0.0 && value("", late) > 0.0);
    assert_eq!(value("step_rabbit_early=0", early), 0.0);
    assert_eq!(value("step_rabbit_late=0", late), 0.0);
}

#[test]
fn the_terms_add_up_to_the_score() {
    let weights = AkimotEval::new(&config_of("preset=akimot"));
    for text in [
        START,
        "g [                                        hRe            r                 ]",
        "g [r r r   r  cd  h   E e       h     H       M C      D     m  R RRR     R]",
    ] {
        let Ok(position) = text.parse::<Position>() else { continue };
        let (board, side) = (position.board(), position.side());
        let difference = (weights.sum_of_terms(board) - weights.raw_score(board)).abs();
        assert!(difference < 0.01, "{text}: {difference}");
        let lines = weights.explain(board, side);
        assert!(lines[0].starts_with("material gold ") && lines[7].starts_with("all gold "), "{lines:?}");
    }
}
