//! Every way in which a game ends, and which of them counts when a turn brings about several.

mod common;

use common::placed;
use surus_rules::{
    Game, GameResult, Handicap, IllegalTurn, Phase, Position, Record, Rules, Setup, Side, Termination, Turn,
    TurnTag,
};

const CLASSIC: [Rules; 2] = [Rules::Classic2004, Rules::Classic2005];
const ALL_RULES: [Rules; 3] = [Rules::Official, Rules::Classic2004, Rules::Classic2005];

fn given(pieces: &str, side: Side, rules: Rules) -> Game {
    Game::from_position(&Position::new(placed(pieces), side).unwrap(), 2, rules)
}

fn played(pieces: &str, rules: Rules, turns: &[&str]) -> Game {
    let mut game = given(pieces, Side::Gold, rules);
    for turn in turns {
        game.play_text(turn).unwrap_or_else(|error| panic!("{} {turn}: {error}", game.tag()));
    }
    game
}

fn win(winner: Side, reason: Termination) -> Option<GameResult> {
    Some(GameResult::win(winner, reason))
}

/// What gold's turn that ends on this board comes to, in all symmetries and also when the position is given.
fn check(pieces: &str, rules: Rules, expected: Option<GameResult>) {
    let board = placed(pieces);
    let flip = |ending: GameResult| GameResult { winner: ending.winner.map(Side::other), ..ending };
    for board in [board, board.mirrored()] {
        for (board, mover, expected) in
            [(board, Side::Gold, expected), (board.flipped(), Side::Silver, expected.map(flip))]
        {
            assert_eq!(
                GameResult::from_board(&board, mover, rules),
                expected,
                "{rules:?}: {board:?} after {mover}"
            );
            let position = Position::new(board, mover.other()).unwrap();
            assert_eq!(Game::from_position(&position, 2, rules).result(), expected, "{rules:?}: {board:?}");
        }
    }
}

// ---- the board at the end of gold's turn, in the order of the rules

#[test]
fn a_goal_counts_before_everything_else_and_the_movers_first() {
    use Side::{Gold, Silver};
    for (pieces, winner, also) in [
        ("Rb8 Ed4 rh7", Gold, "nothing else"),
        ("Rb3 Ed4 rh1", Silver, "nothing else"),
        ("Rb8 Ed4 rh1", Gold, "a goal of silver"),
        ("Rb8 Ed4 eh8", Gold, "no rabbit of silver"),
        ("Rb8 Ed4 rd5", Gold, "no step of silver"),
        ("Rb8 Ed4 cd5", Gold, "neither rabbit nor step of silver"),
        ("Rb8", Gold, "no piece of silver"),
        ("Ed4 rh1", Silver, "no rabbit of gold"),
        ("Rb3 Eh2 rh1", Silver, "no step of silver"),
        ("Eh2 rh1", Silver, "no rabbit of gold and no step of silver"),
    ] {
        println!("a goal of {winner}, and {also}");
        for rules in ALL_RULES {
            check(pieces, rules, win(winner, Termination::Goal));
        }
    }
}

#[test]
fn elimination_counts_before_immobilisation_and_the_opponents_first() {
    use Side::{Gold, Silver};
    for (pieces, winner, what) in [
        ("Rb3 Ed4 eh8", Gold, "silver has no rabbit"),
        ("Ed4 eh8 rh7", Silver, "gold has no rabbit"),
        ("Ed4 eh8", Gold, "neither has a rabbit"),
        ("Rb3 Ed4 cd5", Gold, "silver has no rabbit and no step"),
        ("Ed4 rd5", Silver, "gold has no rabbit, silver no step"),
        ("Ed4 cd5", Gold, "neither has a rabbit, silver no step"),
        ("Rb3", Gold, "silver has no piece"),
    ] {
        println!("{what}");
        check(pieces, Rules::Official, win(winner, Termination::Elimination));
    }
}

#[test]
fn without_elimination_a_game_without_rabbits_is_a_draw() {
    let draw = GameResult { winner: None, reason: Termination::NoRabbits };
    for rules in CLASSIC {
        check("Rb3 Ed4 eh8", rules, None);
        check("Ed4 eh8 rh7", rules, None);
        check("Ed4 eh8", rules, Some(draw));
        check("Ed4 cd5", rules, Some(draw));
        for stuck in ["Rb3 Ed4 cd5", "Ed4 rd5", "Rb3"] {
            check(stuck, rules, win(Side::Gold, Termination::Immobilisation));
        }
    }
    assert_eq!(draw.to_string(), "draw, no rabbits left");
}

#[test]
fn a_side_is_immobilised_when_every_piece_is_frozen_or_blocked() {
    for (pieces, expected, what) in [
        ("Rb3 Ed4 rd5", true, "frozen"),
        ("Ra4 Rb5 ra5", true, "blocked: a rabbit can't step back to a6"),
        ("Ra4 ra5", false, "b5 is free"),
        ("Ra4 Cb4 cb5 ra5", false, "the cat can step, its equal does not freeze it"),
        ("Ra4 Rb5 Ra6 ca5 Ch4 rh5", false, "nothing can step, but the cat can push"),
        ("Ra4 Rb5 Da6 ca5 Ch4 rh5", true, "it can't when the dog freezes it"),
        ("Ra4 Rb5 Ra6 Ra3 Rb4 Rb6 Rc5 Ra7 ca5 Ch4 rh5", true, "nor when there is no room"),
        ("Rb2 eb3 rh7", false, "gold can't move, but silver is to move"),
    ] {
        println!("{what}");
        for rules in ALL_RULES {
            check(
                pieces,
                rules,
                expected.then_some(GameResult::win(Side::Gold, Termination::Immobilisation)),
            );
        }
    }
}

// ---- turns that bring several of them about

#[test]
fn both_sides_reach_their_goal_in_one_turn() {
    let pieces = "Rb7 Ea3 ra2 eh8";
    let both = played(pieces, Rules::Official, &["ra2s Ea3s Rb7n"]);
    assert_eq!(both.result(), win(Side::Gold, Termination::Goal));
    let only_silver = played(pieces, Rules::Official, &["ra2s Ea3s"]);
    assert_eq!(only_silver.result(), win(Side::Silver, Termination::Goal));
}

#[test]
fn both_sides_lose_their_last_rabbit_in_one_turn() {
    let pieces = "Ec4 Rf3 Cf2 rc5 eh8";
    let turn = "rc5n rc6x Ec4n Cf2e Rf3x";
    assert_eq!(played(pieces, Rules::Official, &[turn]).result(), win(Side::Gold, Termination::Elimination));
    for rules in CLASSIC {
        let ending = played(pieces, rules, &[turn]).result();
        assert_eq!(ending, Some(GameResult { winner: None, reason: Termination::NoRabbits }));
    }
}

#[test]
fn a_side_that_loses_its_own_last_rabbit_loses() {
    let game = played("Ec4 Rf3 Cf2 rc5 eh8", Rules::Official, &["Cf2e Rf3x"]);
    assert_eq!(game.result(), win(Side::Silver, Termination::Elimination));
    for rules in CLASSIC {
        assert_eq!(played("Ec4 Rf3 Cf2 rc5 eh8", rules, &["Cf2e Rf3x"]).result(), None);
    }
}

#[test]
fn the_last_rabbit_dies_while_a_rabbit_of_the_other_side_stands_on_its_goal() {
    let game = played("Ea3 Rf3 Cf2 ra2 eh8", Rules::Official, &["ra2s Ea3s Cf2e Rf3x"]);
    assert_eq!(game.result(), win(Side::Silver, Termination::Goal));
}

#[test]
fn a_turn_immobilises_the_opponent() {
    let frozen = played("Rb2 Ed3 rd5", Rules::Official, &["Ed3n"]);
    assert_eq!(frozen.result(), win(Side::Gold, Termination::Immobilisation));
    let blocked = played("Ra4 Rb4 ra5", Rules::Official, &["Rb4n"]);
    assert_eq!(blocked.result(), win(Side::Gold, Termination::Immobilisation));
}

// ---- only the end of a turn counts

#[test]
fn a_rabbit_on_its_goal_ends_nothing_until_the_turn_does() {
    let mut game = given("Rb7 Ed4 rh7", Side::Gold, Rules::Official);
    game.step("Rb7n".parse().unwrap()).unwrap();
    assert_eq!(game.phase(), Phase::Play(Side::Gold));
    game.step("Rb8e".parse().unwrap()).unwrap();
    game.step("Ed4e".parse().unwrap()).unwrap();
    game.end_turn().unwrap();
    assert_eq!(game.result(), win(Side::Gold, Termination::Goal));
}

#[test]
fn a_rabbit_dislodged_over_its_goal_row_and_back_has_not_reached_it() {
    // Pushed from b7 to b8 and pulled back, the elephant on the other side of it.
    let mut game = given("Rb7 Cb3 ec7 rh7", Side::Silver, Rules::Official);
    game.play_text("Rb7n ec7w eb7w Rb8s").unwrap();
    assert_eq!(game.phase(), Phase::Play(Side::Gold));
    let mut stays = given("Rb7 Cb3 ec7 rh7", Side::Silver, Rules::Official);
    stays.play_text("Rb7n ec7w eb7w").unwrap();
    assert_eq!(stays.result(), win(Side::Gold, Termination::Goal));
}

#[test]
fn a_last_rabbit_captured_in_the_middle_of_a_turn_ends_it_only_with_the_turn() {
    let mut game = given("Ec4 Rb2 rc5 eh8", Side::Gold, Rules::Official);
    for step in ["rc5n", "Ec4n", "Rb2n"] {
        game.step(step.parse().unwrap()).unwrap();
        assert_eq!(game.result(), None);
    }
    game.end_turn().unwrap();
    assert_eq!(game.result(), win(Side::Gold, Termination::Elimination));
}

// ---- repetition

const SHUTTLE: &str = "Ea3 Rd2 eh6 re7";
const BACK_AND_FORTH: [&str; 4] = ["Ea3n", "eh6s", "Ea4s", "eh5n"];

#[test]
fn a_third_repetition_is_illegal_and_the_message_names_the_turns_before() {
    let twice = [&BACK_AND_FORTH[..], &BACK_AND_FORTH[..3]].concat();
    let mut game = played(SHUTTLE, Rules::Official, &twice);
    let before = game.clone();
    let error = game.play_text("eh5n").unwrap_err();
    let silver = |number| TurnTag { number, side: Side::Silver };
    assert_eq!(error, IllegalTurn::Repetition { first: silver(1), second: silver(3) });
    assert_eq!(error.to_string(), "the turn repeats the position after 1s and 3s for the third time");
    assert_eq!(game, before);
    // Other ways to the same board are no better, another board is.
    assert!(game.play_text("eh5w eg5n eg6e").is_err());
    assert_eq!(game.third_repetition(&placed(SHUTTLE)), Some((silver(1), silver(3))));
    assert!(game.legal_turns().iter().all(|turn| game.clone().play(turn).is_ok()));
    game.play_text("eh5n re7w").unwrap();
}

#[test]
fn gold_may_not_repeat_a_third_time_either() {
    let mut game = given(SHUTTLE, Side::Silver, Rules::Official);
    for turn in ["eh6s", "Ea3n", "eh5n", "Ea4s", "eh6s", "Ea3n", "eh5n"] {
        game.play_text(turn).unwrap();
    }
    assert_eq!(
        game.play_text("Ea4s").unwrap_err().to_string(),
        "the turn repeats the position after 2g and 4g for the third time"
    );
}

#[test]
fn a_third_repetition_loses_under_the_classic_rules() {
    let turns = [BACK_AND_FORTH, BACK_AND_FORTH].concat();
    for rules in CLASSIC {
        let before = played(SHUTTLE, rules, &turns[..7]);
        assert_eq!(before.result(), None);
        assert!(before.legal_turns().iter().any(|turn| turn.to_string() == "eh5n"));
        assert_eq!(played(SHUTTLE, rules, &turns).result(), win(Side::Gold, Termination::Repetition));
    }
}

/// The same board twice with silver and once with gold to move: a third time only for the rules of 2004.
#[test]
fn the_rules_of_2005_count_the_side_to_move_and_those_of_2004_do_not() {
    let turns = ["Ea3n", "eh6s", "Ea4n", "eh5n", "Ea5s", "eh6s", "Ea4n", "eh5s", "Ea5s", "eh4n eh5n"];
    for (rules, expected) in [
        (Rules::Classic2004, win(Side::Gold, Termination::Repetition)),
        (Rules::Classic2005, None),
        (Rules::Official, None),
    ] {
        assert_eq!(played(SHUTTLE, rules, &turns).result(), expected, "{rules:?}");
    }
}

/// Silver's cat has a8 and b8, one turn at a time; everything else of silver is blocked.
const CELL: &str = "ca8 ra7 rb7 Cc8 Ra6 Rb6 Dc7 Eh1";
const ROUND: [&str; 4] = ["Eh1n", "ca8e", "Eh2s", "cb8w"];

#[test]
fn a_side_whose_every_turn_would_be_a_third_repetition_has_lost() {
    let turns = [&ROUND[..], &ROUND[..3]].concat();
    let mut game = played(CELL, Rules::Official, &turns[..6]);
    assert_eq!(game.result(), None);
    game.play_text(turns[6]).unwrap();
    assert_eq!(game.result(), win(Side::Gold, Termination::OnlyRepetitions));
    assert_eq!(
        game.result().unwrap().to_string(),
        "gold wins by immobilisation: only third repetitions are left"
    );
    // With another square for the elephant nothing is repeated, and the game goes on.
    game.undo_turn();
    game.play_text("Eh2w").unwrap();
    assert_eq!(game.legal_turns(), [Turn::from_iter(["cb8w".parse().unwrap()])]);
}

#[test]
fn under_the_classic_rules_the_same_side_must_repeat_and_loses_so() {
    for rules in CLASSIC {
        let game = played(CELL, rules, &[&ROUND[..], &ROUND[..]].concat());
        assert_eq!(game.result(), win(Side::Gold, Termination::Repetition));
    }
}

#[test]
fn turns_taken_back_do_not_count_as_repetitions() {
    let mut game = given(SHUTTLE, Side::Gold, Rules::Official);
    for _ in 0..5 {
        for turn in BACK_AND_FORTH {
            game.play_text(turn).unwrap();
        }
        for _ in BACK_AND_FORTH {
            game.undo_turn().unwrap();
        }
    }
    assert_eq!(game, given(SHUTTLE, Side::Gold, Rules::Official));
}

// ---- taking back, ending from outside, playing on

#[test]
fn taking_back_the_last_turn_reopens_a_finished_game() {
    let mut game = played("Rb7 Ed4 rh7", Rules::Official, &["Ed4n", "rh7s"]);
    let before = game.clone();
    game.play_text("Rb7n").unwrap();
    assert!(matches!(game.phase(), Phase::Over(_)));
    assert!(game.undo_turn().is_some());
    assert_eq!(game, before);
    game.end(GameResult::win(Side::Silver, Termination::Resignation));
    assert!(game.undo_turn().is_some());
    assert_eq!(game, played("Rb7 Ed4 rh7", Rules::Official, &["Ed4n"]));
    assert!(game.undo_turn().is_some() && game.undo_turn().is_none());
}

#[test]
fn taking_back_drops_the_steps_of_the_running_turn() {
    let mut game = played(SHUTTLE, Rules::Official, &["Ea3n"]);
    game.step("eh6s".parse().unwrap()).unwrap();
    game.undo_turn();
    assert_eq!(game, given(SHUTTLE, Side::Gold, Rules::Official));
    assert_eq!(game.undo_step(), None);
}

#[test]
fn setups_are_taken_back_too() {
    let mut game = Game::default();
    for (side, next) in [(Side::Gold, Phase::Setup(Side::Silver)), (Side::Silver, Phase::Play(Side::Gold))] {
        game.play_setup(Setup::from_rows(side, "HDCMECDH", "RRRRRRRR").unwrap()).unwrap();
        assert_eq!(game.phase(), next);
    }
    game.undo_turn();
    assert_eq!(game.phase(), Phase::Setup(Side::Silver));
    game.undo_turn();
    assert_eq!(game, Game::default());
}

#[test]
fn the_first_ending_stays() {
    let mut game = given(SHUTTLE, Side::Gold, Rules::Official);
    game.end(GameResult::win(Side::Silver, Termination::Time));
    game.end(GameResult::win(Side::Gold, Termination::Resignation));
    assert_eq!(game.result(), win(Side::Silver, Termination::Time));
}

#[test]
fn nothing_is_played_after_the_end() {
    let mut game = played("Rb7 Ed4 rh7", Rules::Official, &["Rb7n"]);
    let over = "the game is over: gold wins by goal";
    let before = game.clone();
    let turn: Turn = ["rh7s".parse().unwrap()].into_iter().collect();
    let setup = Setup::from_rows(Side::Silver, "HDCMECDH", "RRRRRRRR").unwrap();
    for result in [
        game.step("rh7s".parse().unwrap()),
        game.play(&turn),
        game.play_text("rh7s"),
        game.play_text("ra8"),
        game.play_text(""),
        game.play_setup(setup),
        game.end_turn(),
        game.check_end_turn(),
    ] {
        assert_eq!(result.unwrap_err().to_string(), over);
    }
    assert!(game.legal_turns().is_empty());
    assert_eq!(game, before);
}

#[test]
fn a_given_finished_position_is_known_to_be_finished() {
    for (pieces, side, ending) in [
        ("Rb8 rh7", Side::Silver, "gold wins by goal"),
        ("Rb8 rh7", Side::Gold, "gold wins by goal"),
        ("Rb8 rh1", Side::Silver, "gold wins by goal"),
        ("Rb8 rh1", Side::Gold, "silver wins by goal"),
        ("Ed4 eh8", Side::Silver, "gold wins by elimination of all rabbits"),
        ("Ed4 eh8", Side::Gold, "silver wins by elimination of all rabbits"),
        ("Rb2 Ed4 rd5", Side::Silver, "gold wins by immobilisation"),
    ] {
        let mut game = given(pieces, side, Rules::Official);
        assert_eq!(game.result().unwrap().to_string(), ending);
        assert_eq!(game.undo_turn(), None);
        assert!(game.result().is_some(), "there is nothing to take back");
    }
    assert_eq!(given("Rb2 Ed4 rd5", Side::Gold, Rules::Official).result(), None, "gold can move");
}

/// Only the first turn is a setup: later, a side without pieces has lost them.
#[test]
fn a_side_without_pieces_sets_up_only_in_the_first_turn() {
    let position = Position::new(placed("Ra1 Ee2"), Side::Silver).unwrap();
    let game = |number| Game::from_position(&position, number, Rules::Official);
    assert_eq!(game(1).phase(), Phase::Setup(Side::Silver));
    assert_eq!(game(2).result(), win(Side::Gold, Termination::Elimination));
}

#[test]
fn a_record_gives_up_for_the_side_of_its_tag() {
    for (last, ending) in [
        ("3g resigns", win(Side::Silver, Termination::Resignation)),
        ("3g resign", win(Side::Silver, Termination::Resignation)),
        ("3g resign\n3s", win(Side::Silver, Termination::Resignation)),
        ("3g loses", win(Side::Silver, Termination::Forfeit)),
        ("3g lost", win(Side::Silver, Termination::Forfeit)),
        ("3g Ea4s\n3s resigns\n4g", win(Side::Gold, Termination::Resignation)),
        ("3g", None),
    ] {
        let record = Record::parse(&format!("2g Ea3n\n2s eh6s\n{last}")).unwrap();
        let game = record.replay_on(given(SHUTTLE, Side::Gold, Rules::Official)).unwrap().game;
        assert_eq!(game.result(), ending, "{last}");
    }
}

// ---- handicaps

#[test]
fn fewer_pieces_need_an_agreement() {
    let few = "Ra1 Ee2";
    assert_eq!(
        Game::default().play_text(few).unwrap_err().to_string(),
        "the setup of gold has 2 pieces: expected 16; the camel is missing"
    );
    let agreed = Setup::parse(few, Side::Gold, Handicap::Allowed).unwrap();
    assert!(Game::default().play_setup(agreed).is_err(), "the game's own agreement counts");
    let mut game = Game::new(Rules::Official, Handicap::Allowed);
    game.play_text(few).unwrap();
    assert_eq!(game.phase(), Phase::Setup(Side::Silver));
    game.play_text("rh8 eh7").unwrap();
    assert_eq!(game.phase(), Phase::Play(Side::Gold));
    assert_eq!(
        Record::parse(&game.to_string()).unwrap().replay(Rules::Official, Handicap::Allowed).unwrap().game,
        game
    );
}

#[test]
fn a_handicap_of_all_rabbits_has_lost_when_the_setups_are_done() {
    let mut game = Game::new(Rules::Official, Handicap::Allowed);
    game.play_text("Ee2").unwrap();
    assert_eq!(game.result(), None);
    game.play_text("rh8 eh7").unwrap();
    assert_eq!(game.result(), win(Side::Silver, Termination::Elimination));
    let mut classic = Game::new(Rules::Classic2004, Handicap::Allowed);
    classic.play_text("Ee2").unwrap();
    classic.play_text("rh8 eh7").unwrap();
    assert_eq!(classic.result(), None);
}

// ---- the game limit

#[test]
fn at_the_limit_the_side_with_more_pieces_leads_or_the_last_that_did_or_silver() {
    let leads = |pieces: &str, turns: &[&str]| played(pieces, Rules::Official, turns).winner_by_piece_count();
    assert_eq!(Game::default().winner_by_piece_count(), Side::Silver);
    assert_eq!(leads("Ea3 Rd2 eh6 re7", &["Ea3n"]), Side::Silver, "always equal");
    assert_eq!(leads("Ea3 Rd2 Rc2 eh6 re7", &["Ea3n"]), Side::Gold);
    // Gold is ahead in the given position, then gives a piece away: it led last.
    assert_eq!(leads("Ea3 Rd2 Rc2 eh6 re7", &[]), Side::Gold);
    assert_eq!(leads("Ea3 Rd2 Cf2 eh6 re7", &["Cf2n Cf3x"]), Side::Gold);
    // Silver loses its lead in the same way, and one more piece.
    assert_eq!(leads("Ea3 Rd2 eh6 re7 cf7", &["Ea3n", "cf7s cf6x"]), Side::Silver);
    assert_eq!(
        leads("Ea3 Rd2 eh6 re7 cf7 cc7", &["Ea3n", "cf7s cf6x", "Ea4n", "cc7s cc6x", "Ea5n", "re7s"]),
        Side::Silver
    );
}

#[test]
fn gold_alone_on_the_board_before_silvers_setup_leads_nothing() {
    let mut game = Game::default();
    game.play_setup(Setup::from_rows(Side::Gold, "HDCMECDH", "RRRRRRRR").unwrap()).unwrap();
    assert_eq!(game.winner_by_piece_count(), Side::Silver);
}

#[test]
fn the_letters_of_the_archive_name_the_reasons() {
    for letter in "gemtriaspfn".chars() {
        assert_eq!(Termination::from_letter(letter).unwrap().letter(), letter);
    }
    assert_eq!(Termination::from_letter('u'), None);
}
