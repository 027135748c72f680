//! What the two documents that describe the rules say about squares, steps and turns, statement by statement.
//!
//! Their diagrams are lost, so the boards here are our own: they satisfy everything that the texts say of theirs.

mod common;

use std::collections::BTreeSet;

use common::{placed, squares};
use surus_rules::{
    Board, Diagram, DistinctTurns, Game, GameResult, Handicap, HistoryEntry, Phase, Piece, PieceKind,
    PlayedTurn, Position, Record, Rules, Setup, Side, Square, Termination,
};

const ARTICLE: &str = "
    8| . . . . . . . . |
    7| r R . . . . . . |
    6| D d x H . x . . |
    5| . . . e . . . . |
    4| . . r . . . . . |
    3| . . r E . x . . |
    2| . . h r . . . . |
    1| . . C R . . . . |";

const THESIS: &str = "
    8| . . . . . . . r |
    7| . r . . m . . . |
    6| . c x . . x . . |
    5| . H r . . . . . |
    4| . . E . . d H . |
    3| . . x . . x . R |
    2| . . R . e R . . |
    1| . D . . . R M . |";

fn position(rows: &str, side: Side) -> Position {
    format!("2{}{rows}", side.letter()).parse::<Diagram>().unwrap().position
}

fn game(rows: &str, side: Side) -> Game {
    Game::from_position(&position(rows, side), 2, Rules::Official)
}

/// The game after a turn that is legal and that the generator knows too.
fn after(rows: &str, side: Side, turn: &str) -> Game {
    let mut game = game(rows, side);
    let turns = DistinctTurns::new(game.position(), game.turn_start(), 4);
    game.play_text(turn).unwrap_or_else(|error| panic!("{turn}: {error}"));
    assert!(turns.boards().any(|board| board == game.turn_start()), "{turn} is not generated");
    game
}

/// The message for a turn that is not legal.
fn refused(rows: &str, side: Side, turn: &str) -> String {
    game(rows, side).play_text(turn).expect_err(turn).to_string()
}

fn at(game: &Game, square: &str) -> Option<char> {
    game.turn_start().piece_at(square.parse().unwrap()).map(Piece::letter)
}

// ---- seed 002, the article

#[test]
fn the_article_places_pieces_on_the_two_nearest_ranks_in_any_order() {
    let mut game = Game::default();
    assert_eq!(game.phase(), Phase::Setup(Side::Gold));
    game.play_setup(Setup::from_rows(Side::Gold, "RRRRRRRR", "EMHHDDCC").unwrap()).unwrap();
    assert_eq!(game.phase(), Phase::Setup(Side::Silver));
    game.play_setup(Setup::from_rows(Side::Silver, "crdrhrer", "rcrdrhrm").unwrap()).unwrap();
    assert_eq!(game.phase(), Phase::Play(Side::Gold), "gold moves first");
}

#[test]
fn the_article_lets_a_piece_step_to_four_sides_and_a_rabbit_to_three() {
    for (side, rabbit, backward) in [(Side::Gold, "Rd4", "Rd4s"), (Side::Silver, "rd4", "rd4n")] {
        let rabbits = Position::new(placed(rabbit), side).unwrap();
        for direction in ["n", "e", "s", "w"] {
            let step = format!("{rabbit}{direction}");
            assert_eq!(rabbits.try_step(step.parse().unwrap()).is_ok(), step != backward, "{step}");
        }
        for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::Rabbit) {
            let piece = format!("{}d4", Piece::new(side, kind).letter());
            let mut ways = 0;
            Position::new(placed(&piece), side).unwrap().for_each_step(|_, _| ways += 1);
            assert_eq!(ways, 4, "{piece}");
        }
    }
}

#[test]
fn the_article_forbids_a_turn_without_a_net_change() {
    let unchanged = "the turn leaves the board unchanged";
    assert_eq!(refused(ARTICLE, Side::Gold, "Ed3e Ee3w"), unchanged);
    assert_eq!(refused(ARTICLE, Side::Gold, "Ed3e Ee3n Ee4s Ee3w"), unchanged);
    // One to four steps, by one piece or by several.
    after(ARTICLE, Side::Gold, "Ed3e");
    after(ARTICLE, Side::Gold, "Ed3e Ee3n Ee4e Ef4e");
    after(ARTICLE, Side::Gold, "Ed3e Cc1w Da6s Da5s");
    let fifth = "the turn has more than four steps: 'Ee3n' is the fifth";
    assert_eq!(refused(ARTICLE, Side::Gold, "Ed3e Cc1w Da6s Da5s Ee3n"), fifth);
}

#[test]
fn the_article_lets_only_stronger_pieces_dislodge() {
    for strong in PieceKind::ALL {
        for weak in PieceKind::ALL {
            let [own, enemy] = [Piece::new(Side::Gold, strong), Piece::new(Side::Silver, weak)];
            let (own, enemy) = (own.letter(), enemy.letter());
            // The rabbit on a4 keeps the own piece from being frozen.
            let start = Position::new(placed(&format!("{own}b4 Ra4 {enemy}b5")), Side::Gold).unwrap();
            let take = |words: [String; 2]| {
                let steps = words.map(|word| word.parse().unwrap());
                steps.into_iter().try_fold(start, |position, step| position.try_step(step))
            };
            let push = take([format!("{enemy}b5n"), format!("{own}b4n")]);
            let pull = take([format!("{own}b4e"), format!("{enemy}b5s")]);
            assert_eq!(push.is_ok(), weak < strong, "{own} pushes {enemy}");
            assert_eq!(pull.is_ok(), weak < strong, "{own} pulls {enemy}");
        }
    }
}

#[test]
fn the_article_has_the_elephant_pull_the_horse_to_three_sides() {
    for (turn, elephant) in [("ed5s Hd6s", "d4"), ("ed5w Hd6s", "c5"), ("ed5e Hd6s", "e5")] {
        let game = after(ARTICLE, Side::Silver, turn);
        assert_eq!((at(&game, elephant), at(&game, "d5"), at(&game, "d6")), (Some('e'), Some('H'), None));
    }
}

#[test]
fn the_article_has_the_rabbit_pushed_to_e2_and_nowhere_else() {
    let game = after(ARTICLE, Side::Gold, "rd2e Ed3s");
    assert_eq!((at(&game, "e2"), at(&game, "d2"), at(&game, "d3")), (Some('r'), Some('E'), None));
    for (turn, message) in [
        ("rd2s Ed3s", "rd2s: d1 is occupied by a gold rabbit"),
        ("rd2w Ed3s", "rd2w: c2 is occupied by a silver horse"),
        ("rd2n Ed3s", "rd2n: d3 is occupied by a gold elephant"),
    ] {
        assert_eq!(refused(ARTICLE, Side::Gold, turn), message);
    }
}

#[test]
fn the_article_forbids_to_dislodge_friends_and_to_push_and_pull_at_once() {
    // The elephant leaves d3 and would pull its own rabbit back.
    let friends = "Ed3 Rd4 ra7";
    let position = Position::new(placed(friends), Side::Gold).unwrap();
    let left = position.try_step("Ed3e".parse().unwrap()).unwrap();
    let error = left.try_step("Rd4s".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "the rabbit on d4 can't step backward");
    // It pushes d2 and would pull c3 with the same step.
    assert_eq!(
        refused(ARTICLE, Side::Gold, "rd2e Ed3s rc3e"),
        "rc3e: the rabbit on c3 can't be displaced: no stronger gold piece is next to it"
    );
}

#[test]
fn the_article_tells_who_is_frozen() {
    let board = *position(ARTICLE, Side::Gold).board();
    assert!(board.frozen(Side::Silver).contains("a7".parse().unwrap()));
    assert!(board.frozen(Side::Gold).contains("b7".parse().unwrap()));
    // Dominated but supported: the rabbit on d2 by the horse, the cat on c1 by the rabbit.
    for (side, free) in [(Side::Silver, "d2"), (Side::Gold, "c1")] {
        let free = free.parse().unwrap();
        assert!(board.dominated(side).contains(free) && board.mobile(side).contains(free));
    }
    // The dogs on a6 and b6 are equal.
    assert!(!board.dominated(Side::Gold).contains("a6".parse().unwrap()));
    assert!(!board.dominated(Side::Silver).contains("b6".parse().unwrap()));
    after(ARTICLE, Side::Silver, "rd2e");
    after(ARTICLE, Side::Gold, "Cc1w");
    after(ARTICLE, Side::Gold, "Da6s");
    after(ARTICLE, Side::Silver, "db6s");
    assert_eq!(refused(ARTICLE, Side::Silver, "ra7n"), "ra7n: the rabbit on a7 is frozen by the dog on a6");
    assert_eq!(refused(ARTICLE, Side::Gold, "Rb7n"), "Rb7n: the rabbit on b7 is frozen by the dog on b6");
}

#[test]
fn the_article_captures_on_c3_when_both_guards_have_left() {
    for turn in ["rc4w", "hc2w"] {
        assert_eq!(at(&after(ARTICLE, Side::Silver, turn), "c3"), Some('r'), "{turn}");
    }
    for turn in ["rc4w hc2w", "hc2w rc4e"] {
        assert_eq!(at(&after(ARTICLE, Side::Silver, turn), "c3"), None, "{turn}");
    }
    assert_eq!(at(&after(ARTICLE, Side::Silver, "rc4w hc2w rc3x"), "c3"), None);
}

#[test]
fn the_article_captures_the_horse_by_a_push_to_c6() {
    let game = after(ARTICLE, Side::Silver, "Hd6w Hc6x ed5n");
    assert_eq!((at(&game, "c6"), at(&game, "d6")), (None, Some('e')));
    assert_eq!(game.turn_start().count(Side::Gold, PieceKind::Horse), 0);
}

#[test]
fn the_article_lets_gold_win_in_three_steps_and_not_in_two() {
    let game = after(ARTICLE, Side::Gold, "ra7n Da6n Rb7n");
    assert_eq!(game.result(), Some(GameResult::win(Side::Gold, Termination::Goal)));
    let start = position(ARTICLE, Side::Gold);
    let wins = |steps| {
        let won = |board: &&Board| !(board.rabbits(Side::Gold) & Side::Gold.goal()).is_empty();
        DistinctTurns::new(&start, start.board(), steps).boards().filter(won).count()
    };
    assert_eq!((wins(2), wins(3)), (0, 1));
}

#[test]
fn the_article_has_each_side_win_on_the_opponents_home_rank() {
    for (side, turn) in [(Side::Gold, "Rb7n"), (Side::Silver, "rg2s")] {
        let start = Position::new(placed("Rb7 Ed4 rg2 ee5"), side).unwrap();
        let mut game = Game::from_position(&start, 2, Rules::Classic2004);
        game.play_text(turn).unwrap();
        assert_eq!(game.result(), Some(GameResult::win(side, Termination::Goal)));
    }
}

#[test]
fn the_article_lets_a_rabbit_be_dislodged_over_its_goal_line() {
    let start = Position::new(placed("Eb2 Rh3 ra2 eh8"), Side::Gold).unwrap();
    let mut game = Game::from_position(&start, 2, Rules::Classic2004);
    game.play_text("ra2s Eb2w Ea2n ra1n").unwrap();
    assert_eq!(game.phase(), Phase::Play(Side::Silver));
}

#[test]
fn the_article_calls_it_a_draw_when_all_rabbits_are_captured() {
    let start = Position::new(placed("Ec4 rc5 eh8"), Side::Gold).unwrap();
    let mut game = Game::from_position(&start, 2, Rules::Classic2004);
    game.play_text("rc5n rc6x Ec4n").unwrap();
    assert_eq!(game.result(), Some(GameResult { winner: None, reason: Termination::NoRabbits }));
}

#[test]
fn the_article_has_a_player_without_moves_lose() {
    // Silver's rabbit on a5 is blockaded, its cat on h5 frozen.
    let start = Position::new(placed("Ra4 Rb4 ra5 Eg4 ch5 Rd2"), Side::Gold).unwrap();
    let mut game = Game::from_position(&start, 2, Rules::Classic2004);
    game.play_text("Rb4n Eg4n").unwrap();
    assert_eq!(game.result(), Some(GameResult::win(Side::Gold, Termination::Immobilisation)));
}

/// The article's own example: twice with silver to move, then brought back by silver with gold to move.
#[test]
fn the_article_counts_repetitions_without_the_side_to_move() {
    let turns = [
        "Ea3n", // the position
        "eh6s",
        "Ea4n",
        "eh5n",
        "Ea5s", // again, and silver is to move again
        "eh6s",
        "Ea4n",
        "eh5s",
        "Ea5s",
        "eh4n eh5n", // a third time, and gold is to move
    ];
    let play = |rules| {
        let start = Position::new(placed("Ea3 Rd2 eh6 re7"), Side::Gold).unwrap();
        let mut game = Game::from_position(&start, 2, rules);
        for turn in turns {
            assert_eq!(game.result(), None, "before {turn}");
            game.play_text(turn).unwrap();
        }
        game.result()
    };
    assert_eq!(play(Rules::Classic2004), Some(GameResult::win(Side::Gold, Termination::Repetition)));
    assert_eq!(play(Rules::Classic2005), None);
    assert_eq!(play(Rules::Official), None);
}

/// The elephants come to the same squares a third time, but not at the end of a turn.
#[test]
fn the_article_does_not_count_positions_in_the_middle_of_a_turn() {
    let around = ["eh6s", "Eb4n", "eh5n"];
    for rules in [Rules::Official, Rules::Classic2004, Rules::Classic2005] {
        let start = Position::new(placed("Eb3 Rd2 eh6 re7"), Side::Gold).unwrap();
        let mut game = Game::from_position(&start, 2, rules);
        for turn in [&["Eb3n"][..], &around, &["Eb5s"], &around, &["Eb5s Eb4w"]].concat() {
            game.play_text(turn).unwrap();
        }
        assert_eq!(game.result(), None, "{rules:?}");
    }
}

// ---- seed 004, 1.3, the thesis

#[test]
fn the_thesis_reads_its_first_example_of_notation() {
    let rows = "
    8| . . . . . . . r |
    7| . . . . . . . . |
    6| . . x . . x . . |
    5| . . . . . . . . |
    4| . . . . . . . . |
    3| . . x . . x . . |
    2| . . . . e R . . |
    1| R . . . . . . . |";
    let turn = "Rf2n Rf3x ee2e rh8s";
    let start = game(rows, Side::Silver);
    let after = after(rows, Side::Silver, turn);
    assert_eq!(after.turn_start(), &placed("Ra1 ef2 rh7"));
    let [HistoryEntry { played: PlayedTurn::Turn(played), .. }] = after.entries() else {
        panic!("one turn was played")
    };
    assert_eq!(played.len(), 3, "a push is two steps, and one step is not used");
    assert_eq!(start.turn_start().notation(played), turn);
}

#[test]
fn the_thesis_lists_possible_moves_of_gold() {
    for (turn, board) in [
        ("Mg1n Mg2n df4s df3x Hg4w", "Mg3 Hf4"),
        ("Db1n Db2s Rc2w", "Db1 Rb2"),
        ("Ec4e rc5s rc4s rc3x Ed4w", "Ec4"),
    ] {
        let game = after(THESIS, Side::Gold, turn);
        for (square, piece) in placed(board).iter() {
            assert_eq!(game.turn_start().piece_at(square), Some(piece), "{turn}");
        }
        let lost = |game: &Game| game.turn_start().by_side(Side::Silver).len();
        assert_eq!(lost(&game) == 6, turn.contains('x'), "{turn}");
    }
}

#[test]
fn the_thesis_names_the_frozen_pieces() {
    let board = *position(THESIS, Side::Gold).board();
    assert_eq!(board.frozen(Side::Silver), squares("c5 f4"));
    assert_eq!(board.frozen(Side::Gold), squares(""));
}

#[test]
fn the_thesis_lets_rabbits_go_backward_only_when_pushed() {
    assert_eq!(refused(THESIS, Side::Gold, "Rh3s"), "Rh3s: the rabbit on h3 can't step backward");
    // North is backward for the silver rabbit; its cat on b6 keeps it alive on the trap.
    let game = after(THESIS, Side::Gold, "rc5n Ec4n");
    assert_eq!((at(&game, "c6"), at(&game, "c5")), (Some('r'), Some('E')));
}

/// The enemy pieces that some sequence of steps captures, by the squares where they stood when the turn began.
fn capturable(position: &Position) -> BTreeSet<Square> {
    fn walk(position: &Position, origin: &[Square; 64], found: &mut BTreeSet<Square>) {
        position.for_each_next(|step, next| {
            let mut origin = *origin;
            origin[step.to().index()] = origin[step.from().index()];
            if let Some((piece, trap)) = position.board().captured_by(step)
                && piece.side() != position.side()
            {
                found.insert(origin[trap.index()]);
            }
            walk(next, &origin, found);
        });
    }
    let mut found = BTreeSet::new();
    walk(position, &std::array::from_fn(|index| Square::new(index as u8).unwrap()), &mut found);
    found
}

#[test]
fn the_thesis_names_the_pieces_that_can_be_trapped() {
    for (side, traps) in [(Side::Gold, "c5 f4 b6"), (Side::Silver, "f2")] {
        let start = position(THESIS, side);
        assert_eq!(capturable(&start), squares(traps).into_iter().collect(), "{side}");
        // The generator of whole turns, which takes one way to each board, loses no capture on it.
        let lost =
            |board: &Board| start.board().by_side(side.other()).len() - board.by_side(side.other()).len();
        assert!(DistinctTurns::new(&start, start.board(), 4).boards().any(|board| lost(board) == 1));
    }
}

/// `rc5e Ec4n cb6w cc6x Hb5n`, as it is printed, has the cat go west and die in the east.
#[test]
fn the_thesis_traps_the_cat_once_its_misprint_is_put_right() {
    let printed = "rc5e Ec4n cb6w cc6x Hb5n";
    assert_eq!(refused(THESIS, Side::Gold, printed), "'cc6x': nothing is captured there");
    let game = after(THESIS, Side::Gold, &printed.replace("cb6w", "cb6e"));
    assert_eq!(game.turn_start().count(Side::Silver, PieceKind::Cat), 0);
    assert_eq!(at(&game, "b6"), Some('H'));
}

#[test]
fn the_thesis_forbids_passing_the_whole_turn() {
    assert_eq!(refused(THESIS, Side::Gold, ""), "a turn needs at least one step");
    assert_eq!(refused(THESIS, Side::Gold, "Ec4e Ed4w"), "the turn leaves the board unchanged");
}

#[test]
fn the_thesis_names_three_ways_to_win() {
    for (pieces, turn, reason) in [
        ("Rb7 Ed2 rh7", "Rb7n", Termination::Goal),
        ("Rb2 Ec4 rc5 eh8", "rc5n rc6x Ec4n", Termination::Elimination),
        ("Rb2 Eb4 ra5", "Eb4n", Termination::Immobilisation),
    ] {
        let start = Position::new(placed(pieces), Side::Gold).unwrap();
        let mut game = Game::from_position(&start, 2, Rules::Official);
        assert_eq!(game.result(), None, "{pieces}");
        game.play_text(turn).unwrap();
        assert_eq!(game.result(), Some(GameResult::win(Side::Gold, reason)));
    }
}

// ---- seed 004, A.5.1, the formats

const DIAGRAM: &str = "8b

+-----------------+

8| r . . . . r r r |

7| . r c . . c . h |

6| h . x r . x d . |

5| . . . . . r . . |

4| . . d . r e . . |

3| . D x E M x D . |

2| H . C m . C . H |

1| R R R R R R R R |

+-----------------+

a b c d e f g h
";

/// With its spaces lost, as in the text of [Akimot].
const COMPACT: &str = "b[r rrr rc c hh r d r d re D EM D H Cm C HRRRRRRRR]";

const RECORD: &str = "
1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
2w Ee2n Ee3n Ee4n Ee5n
2b ed7s ed6s ed5s rd8s
3w Ee6w me7s Db2n Dg2n
3b rc8e re8s dg7s ed4e
4w me6s Ed6e Ee6w re7s
4b db7s ee4e rb8s rd7e
5w re6e Ed6e me5w Ee6s
5b rd8s rd7s re7s rf6s
6w md5s Ee5w md4s Ed5s
6b db6e dc6s re6s dc5s
7w Ed4e dc4e Ee4s dd4e
7b ha7s de4w re5s dd4w
8w Md2e md3s Ee3w Me2n
8b
";

#[test]
fn the_record_of_the_thesis_leads_to_its_diagram() {
    let game = Record::parse(RECORD).unwrap().replay(Rules::Official, Handicap::None).unwrap().game;
    let diagram: Diagram = DIAGRAM.parse().unwrap();
    assert_eq!(diagram.number, 8);
    assert_eq!((&diagram.position, game.tag().to_string().as_str()), (game.position(), "8s"));
    assert_eq!(game.diagram().parse(), Ok(diagram));
    let [from_record, from_diagram] =
        [RECORD, DIAGRAM].map(|text| Game::from_text(text, Rules::Official).unwrap());
    assert_eq!(from_record, game);
    assert_eq!((from_diagram.position(), from_diagram.tag()), (game.position(), game.tag()));
    // What we write is the record itself, but for the letters of the sides and the order of the placements.
    let turns =
        |text: &str| -> Vec<String> { text.trim().lines().skip(2).map(|line| line[2..].into()).collect() };
    assert_eq!(turns(&game.to_string()), turns(RECORD));
}

#[test]
fn the_compact_form_of_the_thesis_is_that_of_its_diagram() {
    let diagram: Diagram = DIAGRAM.parse().unwrap();
    let squeezed = |text: &str| text.replace(' ', "");
    let compact = diagram.position.to_string().replacen('s', "b", 1);
    assert_eq!(squeezed(&compact), squeezed(COMPACT));
    assert_eq!(compact.parse(), Ok(diagram.position));
    let error = COMPACT.parse::<Position>().unwrap_err().to_string();
    assert_eq!(error, "expected 64 characters between '[' and ']', found 48");
}
