//! The analysis of all positions of a game.

use surus_rules::{Board, Game, GameResult, PlayedTurn as Played, Side, TurnTag};

use super::judgement::{PlayedTurn, judge};
use super::search::SearchReport;
use crate::api::{AnalysedPosition, GameAnalysisUpdate, GameReport};

/// A position of the game with its analysis.
#[derive(Clone, Debug)]
struct Position {
    /// The number of turns before it.
    played: usize,
    tag: TurnTag,
    /// The game up to it.
    game: Game,
    /// The board after the turn that was played.
    next: Option<Board>,
    result: Option<AnalysedPosition>,
}

/// The positions of a game, each analysed by a search of its own.
#[derive(Clone, Debug)]
pub(super) struct GameAnalysis {
    positions: Vec<Position>,
    next: usize,
    analysed: usize,
    /// Results that the client has not been sent.
    unsent: Vec<AnalysedPosition>,
}

impl GameAnalysis {
    /// The positions in which a turn is played, and the last one. Setups are not analysed.
    pub(super) fn new(game: &Game) -> Self {
        let mut game = game.clone();
        while game.undo_step().is_some() {}
        let mut positions = Vec::new();
        let mut next = None;
        loop {
            let is_setup = matches!(game.phase(), surus_rules::Phase::Setup(_));
            if !is_setup {
                let (played, tag) = (game.entries().len(), game.tag());
                positions.push(Position { played, tag, game: game.clone(), next, result: None });
            }
            next = Some(*game.turn_start());
            match game.undo_turn() {
                Some(Played::Turn(_)) => {}
                _ => break,
            }
        }
        positions.reverse();
        let mut analysis = Self { positions, next: 0, analysed: 0, unsent: Vec::new() };
        if let Some((index, result)) = analysis.ended() {
            analysis.set_result(index, final_position(&analysis.positions[index], result));
        }
        analysis
    }

    /// The last position and its result, if the game is over.
    fn ended(&self) -> Option<(usize, GameResult)> {
        let index = self.positions.len().checked_sub(1)?;
        Some((index, self.positions[index].game.result()?))
    }

    /// The index of a position whose search has not been started, and the game up to it.
    pub(super) fn take_next(&mut self) -> Option<(usize, Game)> {
        let index = self.next;
        let position = self.positions.get(index).filter(|position| position.result.is_none())?;
        self.next += 1;
        Some((index, position.game.clone()))
    }

    /// Whether a position is not being searched yet.
    pub(super) fn has_next(&self) -> bool {
        self.positions.get(self.next).is_some_and(|position| position.result.is_none())
    }

    /// Whether all positions have results.
    pub(super) fn is_done(&self) -> bool {
        self.analysed == self.positions.len()
    }

    /// Records the result of a search.
    pub(super) fn add(&mut self, index: usize, report: &SearchReport) {
        let Some(position) = self.positions.get(index) else { return };
        let line = report.lines.first().cloned().unwrap_or_default();
        let result = AnalysedPosition {
            played: position.played,
            tag: position.tag.to_string(),
            score: line.score,
            gold_win: line.gold_win,
            turns: line.turns,
        };
        self.set_result(index, result);
    }

    fn set_result(&mut self, index: usize, result: AnalysedPosition) {
        self.unsent.push(result.clone());
        self.positions[index].result = Some(result);
        self.analysed += 1;
    }

    /// The progress since the last message that was sent.
    pub(super) fn update(&self) -> GameAnalysisUpdate {
        GameAnalysisUpdate {
            positions: self.unsent.clone(),
            analysed: self.analysed,
            total: self.positions.len(),
            report: self.is_done().then(|| self.report()),
            error: None,
        }
    }

    /// Notes that the update was sent.
    pub(super) fn mark_sent(&mut self) {
        self.unsent.clear();
    }

    fn report(&self) -> GameReport {
        let turns = self.positions.windows(2).filter_map(|pair| {
            let [before, after] = pair else { return None };
            let (before_result, after_result) = (before.result.as_ref()?, after.result.as_ref()?);
            Some(PlayedTurn {
                played: before.played,
                tag: before.tag.to_string(),
                side: before.tag.side,
                before: before_result.gold_win,
                after: after_result.gold_win,
                is_best: before.next.is_some() && before.next == best_board(before),
            })
        });
        judge(&turns.collect::<Vec<_>>())
    }
}

/// The board after the engine's turn.
fn best_board(position: &Position) -> Option<Board> {
    let text = &position.result.as_ref()?.turns.first()?.text;
    let mut game = position.game.clone();
    game.play_text(text).ok()?;
    Some(*game.turn_start())
}

/// The end of a game, which needs no search.
fn final_position(position: &Position, result: GameResult) -> AnalysedPosition {
    let (score, gold_win) = match result.winner {
        Some(Side::Gold) => ("win 0", 1.0),
        Some(Side::Silver) => ("loss 0", 0.0),
        None => ("0", 0.5),
    };
    AnalysedPosition {
        played: position.played,
        tag: position.tag.to_string(),
        score: score.into(),
        gold_win,
        turns: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Rules;

    use super::*;
    use crate::api::{AnalysisLine, AnalysisTurn};

    const ORIGIN: &str = "g [r                R                  e               E           ]";

    fn analysis(turns: &[&str]) -> GameAnalysis {
        let mut game = Game::from_text(ORIGIN, Rules::Official).unwrap();
        turns.iter().for_each(|turn| game.play_text(turn).unwrap());
        GameAnalysis::new(&game)
    }

    fn found(gold_win: f64, text: &str) -> SearchReport {
        let turn = AnalysisTurn { tag: String::new(), text: text.into(), steps: Vec::new() };
        let line = AnalysisLine { score: "0".into(), gold_win, turns: vec![turn] };
        SearchReport { lines: vec![line], ..SearchReport::default() }
    }

    #[test]
    fn every_position_is_searched_once_and_the_end_is_known() {
        let mut analysis = analysis(&["Ee2n", "ee4n", "Rb6n Rb7n"]);
        assert_eq!((analysis.update().analysed, analysis.update().total), (1, 4));
        assert_eq!(analysis.update().positions[0].score, "win 0");
        analysis.mark_sent();
        let mut tags = Vec::new();
        while let Some((index, game)) = analysis.take_next() {
            tags.push(game.tag().to_string());
            analysis.add(index, &found(0.5, "Rb6n Rb7n"));
        }
        assert_eq!(tags, ["2g", "2s", "3g"]);
        assert!(!analysis.has_next() && analysis.is_done());
        assert_eq!(analysis.update().positions.len(), 3);
        let report = analysis.update().report.unwrap();
        assert_eq!(report.turns.iter().map(|turn| turn.tag.as_str()).collect::<Vec<_>>(), ["2g", "2s", "3g"]);
        assert_eq!(report.turns[2].loss, 0.0, "the engine's turn was played");
    }

    #[test]
    fn another_order_of_the_same_steps_is_the_best_turn() {
        let mut analysis = analysis(&["Ee2n Rb6n"]);
        analysis.add(0, &found(0.9, "Rb6n Ee2n"));
        analysis.add(1, &found(0.1, "ee4n"));
        assert_eq!(analysis.update().report.unwrap().turns[0].loss, 0.0);
        let mut other = self::analysis(&["Ee2n Rb6n"]);
        other.add(0, &found(0.9, "Ee2n"));
        other.add(1, &found(0.1, "ee4n"));
        let turn = &other.update().report.unwrap().turns[0];
        assert!((turn.loss - 0.8).abs() < 1e-9 && turn.verdict == Some("blunder"), "{turn:?}");
    }

    #[test]
    fn setups_and_steps_of_an_incomplete_turn_are_skipped() {
        let mut game = Game::default();
        assert_eq!(GameAnalysis::new(&game).update().total, 0);
        game.play_text("Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2").unwrap();
        assert_eq!(GameAnalysis::new(&game).update().total, 0);
        game.play_text("ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7").unwrap();
        let Ok(surus_rules::Token::Step(step)) = "Ee2n".parse() else { panic!("a step") };
        game.step(step).unwrap();
        let mut analysis = GameAnalysis::new(&game);
        let (_, first) = analysis.take_next().unwrap();
        assert_eq!((first.tag().to_string().as_str(), first.current_turn().is_empty()), ("2g", true));
        assert_eq!((analysis.update().total, analysis.take_next().is_none()), (1, true));
    }
}
