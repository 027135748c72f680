//! Every sentence about positions of games, in its structured form, against exact tactics and the rules.

use std::path::PathBuf;

use surus_explain::{
    Aftermath, Answer, Claim, MAX_ANSWERS, Remark, Response, Topic, Win, explain_game, explain_position,
    explain_turn,
};
use surus_geometry::abg::weight;
use surus_geometry::search::CapturedPiece;
use surus_rules::{
    Board, DistinctTurns, Game, GameResult, Handicap, PlayedTurn, Position, Record, Rules, Side, Square, Turn,
};
use surus_tactics::verify::random_game_boards;
use surus_tactics::{
    Defences, capture_defences, captures_from, elimination_from, find_goal, find_goal_from, goal_defences,
    immobilisation_from,
};

/// A position with the board on which its turn started, and everything that tactics say about its side to move.
struct Facts {
    position: Position,
    start: Board,
    wins: Vec<Turn>,
    captures: Vec<surus_tactics::Capture>,
}

impl Facts {
    fn new(position: Position, start: Board) -> Self {
        let goal = find_goal_from(&position);
        let elimination = elimination_from(&position);
        let immobilisation = immobilisation_from(&position, &start);
        let wins = goal.into_iter().chain(elimination).chain(immobilisation).collect();
        Self { position, start, wins, captures: captures_from(&position) }
    }

    fn full_turn(board: &Board, side: Side) -> Self {
        Self::new(Position::new(*board, side).unwrap(), *board)
    }

    fn side(&self) -> Side {
        self.position.side()
    }

    /// The board after a turn, which must be legal.
    fn play(&self, turn: &Turn) -> Board {
        let end = turn.steps().fold(self.position, |position, step| position.try_step(step).unwrap());
        assert!(!end.is_mid_push() && end.board() != &self.start, "{turn} may not end: {:?}", self.position);
        *end.board()
    }

    /// Where the piece on a square stands after a turn; `None` if it is lost.
    fn follow(&self, turn: &Turn, square: Square) -> Option<Square> {
        let (mut board, mut square) = (*self.position.board(), Some(square));
        for step in turn.steps() {
            square = square.map(|square| if square == step.from() { step.to() } else { square });
            let trap = board.captured_by(step).map(|(_, trap)| trap);
            square = square.filter(|_| square != trap);
            board = board.after_step(step);
        }
        square
    }

    fn check_win(&self, win: Win, line: &Turn) {
        let shortest = match win {
            Win::Goal { .. } => find_goal_from(&self.position),
            Win::Elimination => elimination_from(&self.position),
            Win::Immobilisation => immobilisation_from(&self.position, &self.start),
        };
        assert_eq!(shortest.map(|turn| turn.len()), Some(line.len()), "{line}");
        let board = self.play(line);
        let result = GameResult::from_board(&board, self.side(), Rules::Official);
        assert_eq!(result.and_then(|result| result.winner), Some(self.side()), "{line}");
        if let Win::Goal { rabbit, goal } = win {
            assert_eq!(self.follow(line, rabbit), Some(goal), "{line}");
            assert!(self.side().goal().contains(goal));
        }
    }

    fn check_capture(&self, dead: CapturedPiece, line: &Turn) {
        let exact = self.captures.iter().find(|capture| capture.square == dead.from);
        assert_eq!(exact.map(|exact| usize::from(exact.steps)), Some(line.len()), "{dead:?} {line}");
        assert_eq!(self.position.board().piece_at(dead.from), Some(dead.piece));
        self.play(line);
        assert_eq!(self.follow(line, dead.from), None, "{line}");
        // Without any of its steps it would not be legal or not capture the piece.
        let steps: Vec<_> = line.steps().collect();
        for left_out in 1..(1u32 << steps.len()) {
            let fewer: Turn = (0..steps.len()).filter(|i| left_out >> i & 1 == 0).map(|i| steps[i]).collect();
            let mut position = Some(self.position);
            for step in fewer.steps() {
                position = position.and_then(|position| position.try_step(step).ok());
            }
            let is_turn = position.is_some_and(|position| !position.is_mid_push());
            assert!(!is_turn || self.follow(&fewer, dead.from).is_some(), "an idle step in {line}");
        }
    }

    /// What a turn loses and leaves, compared with what is said about it.
    fn check_aftermath(&self, turn: &Turn, aftermath: &Aftermath) {
        let board = self.play(turn);
        let result = GameResult::from_board(&board, self.side(), Rules::Official);
        assert_eq!(aftermath.wins, result.is_some_and(|result| result.winner == Some(self.side())));
        let own = self.position.board().by_side(self.side()).into_iter();
        let lost: Vec<Square> = own.filter(|&square| self.follow(turn, square).is_none()).collect();
        let mut stated: Vec<Square> = aftermath.lost.iter().map(|dead| dead.from).collect();
        stated.sort();
        assert_eq!(stated, lost);
        if aftermath.wins {
            assert!(aftermath.win.is_none() && aftermath.capture.is_none());
            return;
        }
        let other = Self::full_turn(&board, self.side().other());
        assert_eq!(aftermath.win.is_some(), !other.wins.is_empty(), "{turn}");
        if let Some((win, line)) = &aftermath.win {
            other.check_win(*win, line);
        }
        let most = other.captures.iter().map(|capture| weight(capture.piece.kind())).max();
        assert_eq!(aftermath.capture.map(|(dead, _)| weight(dead.piece.kind())), most, "{turn}");
        if let Some((dead, line)) = &aftermath.capture {
            other.check_capture(*dead, line);
        }
    }

    /// What a turn costs at worst: the game, or its losses and the most valuable piece that it leaves. Above
    /// `most` it may be too little: immobilisation, which takes long to find out, is looked for only if it matters.
    fn risk_up_to(&self, turn: &Turn, most: u32) -> u32 {
        let board = self.play(turn);
        let value = |piece: surus_rules::Piece| u32::from(weight(piece.kind()));
        let total = |board: &Board| -> u32 {
            board.iter().filter(|(_, piece)| piece.side() == self.side()).map(|(_, piece)| value(piece)).sum()
        };
        let result = GameResult::from_board(&board, self.side(), Rules::Official);
        if let Some(result) = result {
            return if result.winner == Some(self.side()) { 0 } else { 2000 };
        }
        let other = Position::new(board, self.side().other()).unwrap();
        let left = captures_from(&other).iter().map(|capture| value(capture.piece)).max().unwrap_or(0);
        let lost = total(self.position.board()) - total(&board);
        let is_lost = find_goal_from(&other).is_some()
            || elimination_from(&other).is_some()
            || lost + left < most && immobilisation_from(&other, &board).is_some();
        lost + if is_lost { 1000 } else { left }
    }

    /// Whether a threat of the other side has ended after a turn.
    fn ends(&self, turn: &Turn, claim: &Claim) -> bool {
        let board = self.play(turn);
        let result = GameResult::from_board(&board, self.side(), Rules::Official);
        if let Some(result) = result {
            return result.winner == Some(self.side());
        }
        let other = Position::new(board, self.side().other()).unwrap();
        match claim {
            Claim::CanWin(Win::Goal { .. }) => find_goal_from(&other).is_none(),
            Claim::CanWin(Win::Elimination) => elimination_from(&other).is_none(),
            Claim::CanWin(Win::Immobilisation) => immobilisation_from(&other, &board).is_none(),
            Claim::CanCapture(dead) => self
                .follow(turn, dead.from)
                .is_some_and(|square| captures_from(&other).iter().all(|capture| capture.square != square)),
            _ => panic!("no threat: {claim:?}"),
        }
    }

    /// The answers to a threat of the other side.
    fn check_defences(&self, remark: &Remark, compare_all: bool) {
        let exact = match &remark.claim {
            Claim::CanWin(Win::Goal { .. }) => Some(goal_defences(&self.position, &self.start)),
            Claim::CanCapture(dead) => Some(capture_defences(&self.position, &self.start, dead.from)),
            _ => None,
        };
        let (answers, steps, count) = match &remark.response {
            Response::Unstoppable => {
                assert!(exact.is_none_or(|exact| exact == Defences::Unstoppable), "{remark:?}");
                assert!(!compare_all || !self.turns().iter().any(|turn| self.ends(turn, &remark.claim)));
                return;
            }
            Response::Defences { answers, steps, count } => (answers, *steps, *count),
            other => panic!("a threat without answers: {other:?}"),
        };
        if let Some(exact) = exact {
            assert_eq!(exact.turns().first().map(Turn::len), Some(steps), "{remark:?}");
            assert_eq!(exact.turns().len(), count, "{remark:?}");
            // All are there, unless there are too many.
            if count < MAX_ANSWERS {
                for turn in exact.turns() {
                    let board = self.play(turn);
                    assert!(
                        answers.iter().any(|answer| self.play(&answer.turn) == board),
                        "{turn} {remark:?}"
                    );
                }
            }
        }
        assert!(!answers.is_empty() && answers.len() <= MAX_ANSWERS);
        for Answer { turn, aftermath, .. } in answers {
            assert!(self.ends(turn, &remark.claim), "{turn} {remark:?}");
            self.check_aftermath(turn, aftermath);
        }
        let rank = |turn: &Turn, most: u32| (self.risk_up_to(turn, most), turn.len());
        let best = rank(&answers[0].turn, u32::MAX);
        let is_better = |turn: &Turn| rank(turn, best.0 + 1) < best;
        assert!(!answers.iter().any(|answer| is_better(&answer.turn)), "{remark:?}");
        if compare_all {
            let better =
                self.turns().into_iter().find(|turn| is_better(turn) && self.ends(turn, &remark.claim));
            assert_eq!(better, None, "{remark:?}");
        }
    }

    fn turns(&self) -> Vec<Turn> {
        DistinctTurns::new(&self.position, &self.start, 4).iter().map(|(turn, _)| turn).collect()
    }

    /// Compares all remarks about the position.
    fn check(&self, remarks: &[Remark], compare_all: bool) {
        let side = self.side();
        let can_stay = GameResult::from_board(self.position.board(), side, Rules::Official).is_none();
        let threats = can_stay.then(|| Self::full_turn(self.position.board(), side.other()));
        // Nothing is missing.
        let count = |by: Side, is: fn(&Claim) -> bool| {
            remarks.iter().filter(|remark| remark.side == by && is(&remark.claim)).count()
        };
        let is_capture = |claim: &Claim| matches!(claim, Claim::CanCapture(_));
        let is_win = |claim: &Claim| matches!(claim, Claim::CanWin(_));
        assert_eq!(count(side, is_capture), self.captures.len());
        assert_eq!(count(side, is_win), usize::from(!self.wins.is_empty()));
        let (wins, captures) =
            threats.as_ref().map_or((0, 0), |t| (usize::from(!t.wins.is_empty()), t.captures.len()));
        assert_eq!((count(side.other(), is_win), count(side.other(), is_capture)), (wins, captures));
        // A win of the side to move is the first remark, one of the other side the next.
        assert_eq!(is_win(&remarks[0].claim), wins != 0 || !self.wins.is_empty());
        assert!(self.wins.is_empty() || remarks[0].side == side);
        for remark in remarks {
            let by_mover = remark.side == side;
            let facts = if by_mover { self } else { threats.as_ref().unwrap() };
            check_text(remark);
            match &remark.claim {
                Claim::CanWin(win) => {
                    let line = remark.line.as_ref().unwrap();
                    facts.check_win(*win, line);
                }
                Claim::CanCapture(dead) => facts.check_capture(*dead, remark.line.as_ref().unwrap()),
                Claim::GoalGuards { rabbit, guards } => facts.check_guards(*rabbit, guards),
                Claim::NothingInReach => {
                    assert!(self.wins.is_empty() && self.captures.is_empty() && (wins, captures) == (0, 0));
                }
                claim => panic!("about a turn: {claim:?}"),
            }
            match (&remark.claim, by_mover) {
                (Claim::CanCapture(_), true) => match &remark.response {
                    Response::Reply(aftermath) => self.check_aftermath(&remark.line.unwrap(), aftermath),
                    other => panic!("{other:?}"),
                },
                (Claim::CanWin(_) | Claim::CanCapture(_), false) => self.check_defences(remark, compare_all),
                _ => assert!(matches!(remark.response, Response::None)),
            }
        }
    }

    /// The guards are enemy pieces without any single one of which the side would have a goal, and it has none with them.
    fn check_guards(&self, rabbit: Square, guards: &[Square]) {
        assert_eq!(find_goal_from(&self.position), None);
        assert!(!guards.is_empty());
        for &guard in guards {
            let mut board = *self.position.board();
            assert_eq!(board.piece_at(guard).map(surus_rules::Piece::side), Some(self.side().other()));
            board.set(guard, None);
            let line = find_goal(&board, self.side(), self.position.steps_left()).expect("a goal");
            let facts = Self::new(Position::new(board, self.side()).unwrap(), board);
            assert!(facts.follow(&line, rabbit).is_some_and(|square| self.side().goal().contains(square)));
        }
    }
}

fn check_text(remark: &Remark) {
    let text = remark.sentences();
    assert!(text.ends_with('.') && !text.contains("  ") && !text.contains(".."), "{text}");
    assert!(text.starts_with(char::is_uppercase), "{text}");
}

/// Compares the remarks on a turn.
fn check_turn(board: &Board, side: Side, turn: &Turn) {
    let facts = Facts::full_turn(board, side);
    let after = facts.play(turn);
    let is_over = GameResult::from_board(&after, side, Rules::Official).is_some();
    let (mut captured, mut lost) = (0, 0);
    for remark in explain_turn(board, side, turn).unwrap() {
        check_text(&remark);
        let other_before = || Facts::full_turn(board, side.other());
        match &remark.claim {
            Claim::Scored(Win::Goal { rabbit, goal }) => assert_eq!(facts.follow(turn, *rabbit), Some(*goal)),
            Claim::GameEnded(result) => {
                assert_eq!(GameResult::from_board(&after, side, Rules::Official), Some(*result));
            }
            Claim::Captured(dead) => {
                captured += 1;
                assert_eq!((dead.piece.side(), facts.follow(turn, dead.from)), (side.other(), None));
            }
            Claim::Lost(dead) => {
                lost += 1;
                assert_eq!((dead.piece.side(), facts.follow(turn, dead.from)), (side, None));
            }
            Claim::StoppedWin(win) => {
                other_before().check_win(*win, &remark.line.unwrap());
                assert!(Facts::full_turn(&after, side.other()).wins.is_empty());
            }
            Claim::Saved(dead) => {
                other_before().check_capture(*dead, &remark.line.unwrap());
                let square = facts.follow(turn, dead.from).unwrap();
                assert!(Facts::full_turn(&after, side.other()).captures.iter().all(|c| c.square != square));
            }
            Claim::CanWin(win) => {
                Facts::full_turn(&after, remark.side).check_win(*win, &remark.line.unwrap());
            }
            Claim::CanCapture(dead) => {
                Facts::full_turn(&after, remark.side).check_capture(*dead, &remark.line.unwrap());
            }
            Claim::NoEffect => assert_eq!(remark.topic, Topic::None),
            claim => panic!("{claim:?}"),
        }
        assert!(!is_over || !matches!(remark.claim, Claim::CanWin(_) | Claim::CanCapture(_)));
    }
    let count = |by: Side| board.by_side(by).len() - after.by_side(by).len();
    assert_eq!((captured, lost), (count(side.other()), count(side)));
}

/// The games of a file of the shared data; none if it is missing.
fn shared_games(name: &str) -> Vec<Game> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games").join(name);
    let Ok(bytes) = std::fs::read(path) else { return Vec::new() };
    let sources = surus_record::parse_games(&String::from_utf8_lossy(&bytes)).unwrap();
    let replay = |source: surus_record::RawGame| {
        let record = Record::parse(&source.record).ok()?;
        record.replay(Rules::Official, Handicap::None).ok().map(|replay| replay.game)
    };
    sources.into_iter().filter_map(replay).collect()
}

/// A position, the board at the start of its turn, and the turn that led to it with the board before.
type RealPosition = (Position, Board, Option<(Board, Turn)>);

#[test]
fn every_sentence_about_2000_positions_of_real_games_agrees_with_tactics() {
    let games = shared_games("allgames202602.txt");
    if games.is_empty() {
        println!("SKIPPED: no ../shared/games/allgames202602.txt");
        return;
    }
    let mut positions: Vec<RealPosition> = Vec::new();
    for game in &games {
        let entries = game.entries();
        for (i, entry) in entries.iter().enumerate().skip(2) {
            let PlayedTurn::Turn(turn) = entry.played else { continue };
            let before = entries[i - 1].board;
            let start = Position::new(before, entry.tag.side).unwrap();
            positions.push((start, before, None));
            // In the middle of the turn, and the turn itself.
            let steps: Turn = turn.steps().take(1 + i % 3).collect();
            let middle = steps.steps().fold(start, |position, step| position.try_step(step).unwrap());
            positions.push((middle, before, Some((before, turn))));
        }
    }
    let stride = positions.len() / 2000;
    assert!(stride > 1, "{}", positions.len());
    // An odd stride alternates between starts and middles of turns.
    let sample: Vec<_> = positions.into_iter().step_by(stride | 1).chain([]).collect();
    let mut remarks = 0;
    for (i, (position, start, turn)) in sample.iter().enumerate() {
        if let Some((board, turn)) = turn {
            check_turn(board, position.side(), turn);
        }
        if position.is_mid_push() {
            assert!(explain_position(position, start).is_empty());
            continue;
        }
        let found = explain_position(position, start);
        Facts::new(*position, *start).check(&found, i % 20 == 0);
        remarks += found.len();
    }
    println!("{} positions, {remarks} remarks", sample.len());
    assert!(sample.len() >= 2000 && remarks > 3000, "{} {remarks}", sample.len());
}

#[test]
fn every_sentence_about_random_games_agrees_with_tactics() {
    let boards = random_game_boards(4, 5);
    for (i, (board, side)) in boards.iter().enumerate() {
        let position = Position::new(*board, *side).unwrap();
        Facts::new(position, *board).check(&explain_position(&position, board), i % 10 == 0);
    }
    assert!(boards.len() > 100);
}

#[test]
fn turns_that_repeat_a_position_for_the_third_time_are_no_answers() {
    let board = "g [r          c        r      E                                   R]";
    let mut game = Game::from_text(board, Rules::Official).unwrap();
    for turn in ["Ed5s", "cd7s", "Ed4n", "cd6n", "Ed5s", "cd7s", "Ed4n"] {
        game.play_text(turn).unwrap();
    }
    let answers = |remarks: &[Remark]| -> Vec<String> {
        let cat = remarks.iter().find(|remark| remark.text.contains("your cat on d6: ")).unwrap();
        let Response::Defences { answers, .. } = &cat.response else { panic!("{cat:?}") };
        answers.iter().map(|answer| answer.turn.to_string()).collect()
    };
    assert!(answers(&explain_position(game.position(), game.turn_start())).contains(&"cd6n".to_string()));
    let legal = answers(&explain_game(&game).unwrap().position);
    assert!(!legal.is_empty() && !legal.contains(&"cd6n".to_string()), "{legal:?}");
}

#[test]
fn a_longer_answer_is_better_than_one_after_which_no_step_is_left() {
    let position: Position =
        "g [r          H     R  c    e                                      ]".parse().unwrap();
    let board = *position.board();
    let remarks = explain_position(&position, &board);
    Facts::new(position, board).check(&remarks, true);
    let rabbit = remarks.iter().find(|remark| remark.text.contains("your rabbit on b6: ")).unwrap();
    let Response::Defences { answers, steps, .. } = &rabbit.response else { panic!("{rabbit:?}") };
    let wins = |answer: &Answer| answer.aftermath.win.as_ref().map(|(win, _)| *win);
    assert_eq!((*steps, answers[0].turn.len(), wins(&answers[0])), (1, 4, None));
    assert!(answers[1..].iter().all(|answer| wins(answer) == Some(Win::Immobilisation)), "{answers:?}");
}
