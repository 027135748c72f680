//! What must hold on every position, checked on random ones against definitions that are slow and plain.

mod common;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use common::{Random, random_board, random_boards, random_game, random_turn};
use surus_rules::{
    Action, Bitboard, Board, Clock, Direction, DistinctTurns, Game, GameLimit, GameResult, PackedAction,
    Pending, Phase, Piece, PieceKind, PlayedTurn, Position, Rules, Side, Square, Step, TimeControl, Turn,
};

/// A position of a random game, perhaps in the middle of a turn.
struct Walked {
    /// The turn's start.
    start: Position,
    /// The steps from there.
    taken: Turn,
    position: Position,
}

/// Every position of some random games.
fn walked(games: u64, turns: usize, seed: u64) -> Vec<Walked> {
    let mut found = Vec::new();
    for game in (0..games).map(|i| random_game(seed * 1000 + i, turns)) {
        let mut board = *game.origin().0;
        for entry in game.entries() {
            if let PlayedTurn::Turn(turn) = entry.played {
                let start = Position::new(board, entry.tag.side).unwrap();
                let mut now = Walked { start, taken: Turn::EMPTY, position: start };
                for step in turn.steps() {
                    let next = now.position.try_step(step).unwrap();
                    found.push(Walked { ..now });
                    now.taken.push(step);
                    now.position = next;
                }
                found.push(now);
            }
            board = entry.board;
        }
    }
    found
}

/// All steps of all pieces from all squares, sensible or not.
fn conceivable_steps() -> Vec<Step> {
    let pieces = Side::BOTH.map(|side| PieceKind::ALL.map(|kind| Piece::new(side, kind))).concat();
    let steps = |piece| {
        Bitboard::ALL.into_iter().flat_map(move |square| Direction::ALL.map(|d| Step::new(piece, square, d)))
    };
    pieces.into_iter().flat_map(steps).flatten().collect()
}

fn neighbours(square: Square) -> impl Iterator<Item = Square> {
    Direction::ALL.into_iter().filter_map(move |direction| square.neighbour(direction))
}

// ---- actions

#[test]
fn actions_of_some_pieces_are_those_in_which_they_step_push_or_pull() {
    let mut random = Random::new(17);
    for board in random_boards(20, 17) {
        for side in Side::BOTH {
            let movers: Bitboard = board.by_side(side).into_iter().filter(|_| random.below(4) == 0).collect();
            for steps_left in 1..=4 {
                let (mut all, mut some) = (Vec::new(), Vec::new());
                board.for_each_action(side, steps_left, |action| {
                    let packed = PackedAction::new(side, action);
                    assert_eq!((packed.action(&board), packed.len()), (Some(action), action.len()));
                    assert_eq!(packed.touched(), action.touched());
                    all.push(action);
                });
                board.for_each_action_by(side, movers, steps_left, |action| some.push(action));
                let own = |action: &Action| action.steps().find(|step| step.piece().side() == side).unwrap();
                all.retain(|action| movers.contains(own(action).from()));
                assert_eq!(some, all);
            }
        }
    }
}

// ---- boards

#[test]
fn a_board_is_the_same_however_it_came_about() {
    for Walked { position, .. } in walked(30, 80, 1) {
        let board = *position.board();
        // Equality compares the keys too, and the fresh board makes its own.
        assert_eq!(board.iter().collect::<Board>(), board);
        let mut emptied = board;
        for square in board.occupied() {
            emptied.set(square, None);
        }
        assert_eq!(emptied, Board::EMPTY);
    }
}

#[test]
fn setting_a_square_changes_that_square_alone() {
    let mut random = Random::new(2);
    let mut board = Board::EMPTY;
    let mut model = [None; 64];
    for _ in 0..20_000 {
        let square = Square::new(random.below(64) as u8).unwrap();
        let piece = "EMHDCRemhdcr".chars().nth(random.below(16)).and_then(Piece::from_letter);
        board.set(square, piece);
        model[square.index()] = piece;
        assert!(Bitboard::ALL.into_iter().all(|square| board.piece_at(square) == model[square.index()]));
    }
}

/// A step on a plain array: move, then look at every trap.
fn plain_step(board: &Board, step: Step) -> (Board, Vec<(Piece, Square)>) {
    let mut pieces: HashMap<Square, Piece> = board.iter().collect();
    pieces.remove(&step.from());
    pieces.insert(step.to(), step.piece());
    let unguarded = |&(&square, piece): &(&Square, &Piece)| {
        let friend = |near| pieces.get(&near).is_some_and(|other: &Piece| other.side() == piece.side());
        square.is_trap() && !neighbours(square).any(friend)
    };
    let captured: Vec<_> = pieces.iter().filter(unguarded).map(|(&square, &piece)| (piece, square)).collect();
    for (_, square) in &captured {
        pieces.remove(square);
    }
    (pieces.into_iter().collect(), captured)
}

#[test]
fn a_step_moves_one_piece_and_removes_the_one_it_leaves_unguarded() {
    let mut captures = 0;
    for Walked { position, .. } in walked(20, 80, 3) {
        position.for_each_next(|step, next| {
            let (board, captured) = plain_step(position.board(), step);
            assert_eq!(next.board(), &board, "{step} on {position}");
            assert_eq!(position.board().captured_by(step).into_iter().collect::<Vec<_>>(), captured);
            captures += captured.len();
        });
    }
    assert!(captures > 1000);
}

#[test]
fn frozen_dominated_and_mobile_are_what_each_square_says() {
    let mut random = Random::new(4);
    let scattered = (0..3000).map(|_| random_board(&mut random)).collect::<Vec<_>>();
    for board in random_boards(20, 4).into_iter().chain(scattered) {
        for side in Side::BOTH {
            for square in Bitboard::ALL {
                let own = board.piece_at(square).filter(|piece| piece.side() == side);
                let near = |test: &dyn Fn(Piece, Piece) -> bool| {
                    let meets =
                        |piece, square| board.piece_at(square).is_some_and(|other| test(piece, other));
                    own.is_some_and(|piece| neighbours(square).any(|square| meets(piece, square)))
                };
                let dominated = near(&|piece, other| other.side() != side && other.outranks(piece));
                let supported = near(&|_, other| other.side() == side);
                let frozen = dominated && !supported;
                let found =
                    [board.dominated(side), board.frozen(side), board.mobile(side), board.by_side(side)];
                let expected = [dominated, frozen, own.is_some() && !frozen, own.is_some()];
                assert_eq!(found.map(|set| set.contains(square)), expected, "{square} on {board:?}");
            }
        }
        for kind in PieceKind::ALL {
            let is = |test: &dyn Fn(PieceKind) -> bool| -> Bitboard {
                board.iter().filter(|(_, piece)| test(piece.kind())).map(|(square, _)| square).collect()
            };
            assert_eq!(board.by_kind(kind), is(&|other| other == kind));
            assert_eq!(board.stronger_than(kind), is(&|other| kind < other));
            assert_eq!(board.weaker_than(kind), is(&|other| other < kind));
        }
    }
}

#[test]
fn a_side_has_a_step_when_some_step_is_legal() {
    let mut random = Random::new(5);
    let (mut stuck, mut tried) = (0, 0);
    while tried < 6000 {
        let board = random_board(&mut random);
        for side in Side::BOTH {
            let Ok(position) = Position::new(board, side) else { continue };
            let mut steps = 0;
            position.for_each_step(|_, _| steps += 1);
            assert_eq!(board.has_step(side), steps != 0, "{position}");
            assert_eq!(DistinctTurns::new(&position, &board, 2).is_empty(), steps == 0, "{position}");
            stuck += usize::from(steps == 0);
            tried += 1;
        }
    }
    assert!(stuck > 100, "{stuck} of {tried} can't move");
}

// ---- steps

#[test]
fn the_judge_accepts_exactly_the_steps_that_are_generated() {
    let conceivable = conceivable_steps();
    let check = |position: &Position| {
        let mut generated = HashMap::new();
        position.for_each_step(|step, pending| {
            assert_eq!(generated.insert(step, pending), None, "{step} twice");
        });
        for &step in &conceivable {
            let judged = position.try_step(step).ok().map(|next| next.pending());
            assert_eq!(judged, generated.get(&step).copied(), "{step} on {position:?}");
        }
    };
    for Walked { position, .. } in walked(8, 60, 6).into_iter().step_by(2) {
        check(&position);
    }
    // Crowded and lopsided boards have what games seldom do; a few steps into a turn each.
    let mut random = Random::new(6);
    for _ in 0..1000 {
        let Ok(mut position) = Position::new(random_board(&mut random), Side::Gold) else { continue };
        loop {
            check(&position);
            let mut choices = Vec::new();
            position.for_each_next(|_, next| choices.push(*next));
            if choices.is_empty() {
                break;
            }
            position = choices[random.below(choices.len())];
        }
    }
}

#[test]
fn keys_tell_positions_apart() {
    let mut keys = HashMap::new();
    for Walked { start, .. } in walked(10, 60, 7).into_iter().step_by(40) {
        start.for_each_next(|_, one| {
            one.for_each_next(|_, two| {
                for position in [start, *one, *two, one.next_turn(), two.next_turn()] {
                    assert_eq!(*keys.entry(position.key()).or_insert(position), position);
                }
            });
        });
    }
    assert!(keys.len() > 50_000);
}

// ---- symmetries

/// The two symmetries, as functions on everything that has them.
#[derive(Clone, Copy, Debug)]
enum Symmetry {
    Mirror,
    Flip,
}

impl Symmetry {
    const BOTH: [Self; 2] = [Self::Mirror, Self::Flip];

    fn side(self, side: Side) -> Side {
        match self {
            Self::Mirror => side,
            Self::Flip => side.other(),
        }
    }

    fn square(self, square: Square) -> Square {
        match self {
            Self::Mirror => square.mirrored(),
            Self::Flip => square.flipped(),
        }
    }

    fn piece(self, piece: Piece) -> Piece {
        match self {
            Self::Mirror => piece,
            Self::Flip => piece.flipped(),
        }
    }

    fn step(self, step: Step) -> Step {
        match self {
            Self::Mirror => step.mirrored(),
            Self::Flip => step.flipped(),
        }
    }

    fn board(self, board: &Board) -> Board {
        match self {
            Self::Mirror => board.mirrored(),
            Self::Flip => board.flipped(),
        }
    }

    fn turn(self, turn: &Turn) -> Turn {
        match self {
            Self::Mirror => turn.mirrored(),
            Self::Flip => turn.flipped(),
        }
    }

    fn pending(self, pending: Pending) -> Pending {
        match pending {
            Pending::None => Pending::None,
            Pending::Pull { vacated, puller } => {
                Pending::Pull { vacated: self.square(vacated), puller: self.piece(puller) }
            }
            Pending::Push { vacated, pushed } => {
                Pending::Push { vacated: self.square(vacated), pushed: self.piece(pushed) }
            }
        }
    }

    fn start(self, position: &Position) -> Position {
        Position::new(self.board(position.board()), self.side(position.side())).unwrap()
    }
}

#[test]
fn symmetries_commute_with_steps() {
    for Walked { start, taken, position } in walked(10, 60, 8) {
        for symmetry in Symmetry::BOTH {
            let steps = taken.steps().map(|step| symmetry.step(step));
            let image = steps.fold(symmetry.start(&start), |image, step| image.try_step(step).unwrap());
            assert_eq!(image.pending(), symmetry.pending(position.pending()));
            let mut expected = HashMap::new();
            position.for_each_next(|step, next| {
                expected.insert(
                    symmetry.step(step),
                    (symmetry.board(next.board()), symmetry.pending(next.pending())),
                );
            });
            image.for_each_next(|step, next| {
                assert_eq!(
                    expected.remove(&step),
                    Some((*next.board(), next.pending())),
                    "{step} on {image}"
                );
            });
            assert!(expected.is_empty(), "{expected:?} on {image}");
        }
    }
}

#[test]
fn symmetries_commute_with_turns() {
    for Walked { start, .. } in walked(4, 60, 9).into_iter().step_by(20) {
        let turns = DistinctTurns::new(&start, start.board(), 4);
        for symmetry in Symmetry::BOTH {
            let image = symmetry.start(&start);
            let mut boards: HashSet<Board> = turns.boards().map(|board| symmetry.board(board)).collect();
            for (turn, board) in DistinctTurns::new(&image, image.board(), 4).iter() {
                assert!(boards.remove(board), "{turn} on {image}");
                // Both symmetries are their own inverse.
                let back =
                    symmetry.turn(&turn).steps().try_fold(start, |position, step| position.try_step(step));
                assert_eq!(back.unwrap().board(), &symmetry.board(board));
            }
            assert!(boards.is_empty(), "on {image}");
        }
    }
}

#[test]
fn symmetries_commute_with_endings() {
    let mut random = Random::new(10);
    let mut endings = HashSet::new();
    for _ in 0..20_000 {
        let board = random_board(&mut random);
        for (mover, rules) in [(Side::Gold, Rules::Official), (Side::Silver, Rules::Classic2004)] {
            let ending = GameResult::from_board(&board, mover, rules);
            for symmetry in Symmetry::BOTH {
                let image =
                    ending.map(|e| GameResult { winner: e.winner.map(|side| symmetry.side(side)), ..e });
                assert_eq!(
                    GameResult::from_board(&symmetry.board(&board), symmetry.side(mover), rules),
                    image,
                    "{board:?}"
                );
            }
            endings.extend(ending);
        }
    }
    assert_eq!(endings.len(), 7, "goals, eliminations and immobilisations of both, and a draw");
}

#[test]
fn symmetries_applied_twice_change_nothing() {
    let mut random = Random::new(11);
    for _ in 0..2000 {
        let board = random_board(&mut random);
        for symmetry in Symmetry::BOTH {
            assert_eq!(symmetry.board(&symmetry.board(&board)), board);
        }
        assert_eq!(board.mirrored().flipped(), board.flipped().mirrored());
        assert_eq!(board.relative_to(Side::Gold), board);
        assert_eq!(board.relative_to(Side::Silver), board.flipped());
    }
}

// ---- limits

#[test]
fn more_steps_than_a_turn_has_may_be_asked_for() {
    for Walked { start, position, .. } in walked(1, 40, 14).into_iter().step_by(9) {
        let ends = |most| DistinctTurns::new(&position, start.board(), most).len();
        assert_eq!(ends(u8::MAX), ends(4));
    }
}

#[test]
fn a_clock_stands_any_times() {
    let times = [0, 1, 60, u64::MAX / 2, u64::MAX].map(Duration::from_secs);
    for (i, &per_turn) in times.iter().enumerate() {
        for (j, &reserve) in times.iter().enumerate() {
            let control = TimeControl {
                per_turn,
                reserve,
                percent: [0, 100, u32::MAX][(i + j) % 3],
                reserve_limit: times[(i + 2 * j) % 5],
                game_limit: GameLimit::None,
                turn_limit: times[(2 * i + j) % 5],
            };
            let mut clock = Clock::new(control);
            for (used, setup) in times.into_iter().flat_map(|used| [(used, false), (used, true)]) {
                let in_time = used <= clock.available(Side::Gold, setup);
                assert_eq!(clock.charge(Side::Gold, used, setup).is_ok(), in_time, "{control:?}");
            }
        }
    }
}

// ---- games

#[test]
fn every_step_and_every_turn_can_be_taken_back() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut game = Game::default();
        let mut states = vec![game.clone()];
        for side in Side::BOTH {
            game.play_setup(common::random_setup(&mut random, side)).unwrap();
            states.push(game.clone());
        }
        while matches!(game.phase(), Phase::Play(_)) && states.len() < 60 {
            // A few steps forth and back leave no trace.
            let mut steps = Vec::new();
            while let Some(step) = random_step(&mut random, &game) {
                steps.push(game.clone());
                game.step(step).unwrap();
            }
            while let Some(before) = steps.pop() {
                assert!(game.undo_step().is_some());
                assert_eq!(game, before);
            }
            assert_eq!(game.undo_step(), None);
            random_turn(&mut random, &mut game);
            states.push(game.clone());
        }
        while let Some(state) = states.pop() {
            assert_eq!(game, state);
            assert_eq!(game.undo_turn().is_some(), !states.is_empty());
        }
    }
}

fn random_step(random: &mut Random, game: &Game) -> Option<Step> {
    let mut choices = Vec::new();
    game.position().for_each_step(|step, _| choices.push(step));
    (!choices.is_empty()).then(|| choices[random.below(choices.len())])
}

/// A turn played whole, step by step, or as text leads to the same game.
#[test]
fn there_is_one_way_to_play_a_turn() {
    for seed in 0..30 {
        let game = random_game(12_000 + seed, 60);
        let [mut whole, mut text, mut bare] = [(); 3].map(|()| Game::default());
        for entry in game.entries() {
            match entry.played {
                PlayedTurn::Setup(setup) => {
                    whole.play_setup(setup).unwrap();
                    text.play_text(&setup.to_string()).unwrap();
                    bare.play_setup(setup).unwrap();
                }
                PlayedTurn::Turn(turn) => {
                    let notation = whole.turn_start().notation(&turn);
                    whole.play(&turn).unwrap();
                    text.play_text(&notation).unwrap();
                    // The marks of captures may be missing.
                    bare.play_text(&turn.to_string()).unwrap();
                }
            }
        }
        assert!([whole, text, bare].iter().all(|other| other == &game));
    }
}

#[test]
fn every_legal_turn_can_be_played_and_leads_to_a_board_of_its_own() {
    for seed in 0..5 {
        let game = random_game(13_000 + seed, 20);
        let turns = game.legal_turns();
        let boards: HashSet<Board> = turns
            .iter()
            .map(|turn| {
                let mut next = game.clone();
                next.play(turn).unwrap();
                *next.turn_start()
            })
            .collect();
        assert_eq!(boards.len(), turns.len());
    }
}

#[test]
fn a_first_turn_with_fewer_steps_survives_undo() {
    let start = "g [       r        R                                              e]";
    let mut game = Game::from_text(start, Rules::Official).unwrap().with_steps_left(2);
    assert_eq!(game.position().steps_left(), 2);
    let legal = game.legal_turns();
    assert!(legal.iter().all(|turn| turn.len() <= 2) && !legal.is_empty());
    game.play_text("Ra6e").unwrap();
    assert_eq!(game.position().steps_left(), 4, "the reply has a full turn");
    game.undo_turn().unwrap();
    assert_eq!((game.position().steps_left(), game.legal_turns()), (2, legal));
    game.play_text("Ra6n Ra7n").unwrap();
    assert!(game.result().is_some());
}
