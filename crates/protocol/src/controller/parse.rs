//! What a program says: its reports, read leniently, and its answer, which has to be notation.

use std::time::Duration;

use surus_play::{Answer, Info};
use surus_rules::{Game, Handicap, Position, Score, Setup, Side, Token, Turn};

/// What stands behind the first word of a line, if that is this word.
pub(crate) fn strip_keyword<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

/// The answer that a text is, if it is one at all. Whether it may be played is for others to judge.
pub(crate) fn read_answer(text: &str) -> Option<Answer> {
    if ["resigns", "resign"].contains(&text) {
        return Some(Answer::Resign);
    }
    let tokens: Vec<Token> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    if let Some(Token::Placement(piece, _)) = tokens.first() {
        return Setup::parse(text, piece.side(), Handicap::Allowed).ok().map(Answer::Setup);
    }
    let mut turn = Turn::EMPTY;
    for token in tokens {
        match token {
            Token::Step(step) if turn.push(step) => {}
            Token::Capture(..) => {}
            Token::Step(_) | Token::Placement(..) => return None,
        }
    }
    (!turn.is_empty()).then_some(Answer::Turn(turn))
}

/// The reports of one search. Each line tells one thing, so they are put together: what was said last of each.
pub(crate) struct InfoParser {
    start: Position,
    info: Info,
    /// Whether the line before has told which of several lines of play this is.
    after_multipv: bool,
}

impl InfoParser {
    pub(crate) fn new(game: &Game) -> Self {
        Self { start: *game.position(), info: Info::default(), after_multipv: false }
    }

    /// Takes what stands behind `info`, and gives out the report so far; nothing if it is not understood.
    pub(crate) fn feed(&mut self, text: &str) -> Option<Info> {
        let (word, rest) = text.split_once(char::is_whitespace).map_or((text, ""), |(a, b)| (a, b.trim()));
        let numbered = std::mem::replace(&mut self.after_multipv, word == "multipv");
        let info = &mut self.info;
        match word {
            "multipv" => {
                let line = rest.parse::<usize>().ok()?.checked_sub(1)?;
                *info = Info { pv_index: line, ..Info::default() };
                // The lines that follow tell what it is about.
                return None;
            }
            "depth" => {
                if !numbered && info.pv_index != 0 {
                    *info = Info::default();
                }
                let depth = rest.strip_suffix('+').unwrap_or(rest);
                (info.depth, info.depth_complete) = (Some(depth.parse().ok()?), depth == rest);
            }
            "score" => info.score = Some(score(rest)?),
            "winprob" | "winratio" => info.win_probability = Some(number(rest)?.clamp(0.0, 1.0)),
            "nodes" => info.nodes = Some(rest.parse().ok()?),
            "time" => info.time = Some(Duration::try_from_secs_f64(number(rest)?).ok()?),
            "hashfull" => info.hashfull = Some(rest.parse().ok()?),
            "pv" => info.pv = parse_pv(self.start, rest),
            "nps" | "currmovenumber" => return None,
            "stat" => info.messages = vec![rest.into()],
            _ => info.messages = vec![text.into()],
        }
        Some(info.clone())
    }
}

/// Centirabbits, which some programs report with a fraction, or a win or loss as we report it.
fn score(text: &str) -> Option<Score> {
    text.parse().ok().or_else(|| Some(Score::Centirabbits(number(text)?.round() as i32)))
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The turns of a line, as far as they can be played.
fn parse_pv(mut position: Position, text: &str) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut turn = Turn::EMPTY;
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut letters = word.chars();
        let is_side = letters.next().and_then(Side::from_letter).is_some() && letters.next().is_none();
        if is_side {
            if !turn.is_empty() {
                turns.push(std::mem::take(&mut turn));
                position = position.next_turn();
            }
            continue;
        }
        match word.parse() {
            Ok(Token::Step(step)) => match position.try_step(step) {
                Ok(next) => {
                    position = next;
                    turn.push(step);
                }
                Err(_) => break,
            },
            Ok(Token::Capture(..)) => {}
            _ => break,
        }
        if words.peek().is_none() && !position.is_mid_push() {
            turns.push(turn);
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use surus_rules::Rules;

    use super::*;

    fn start() -> Game {
        let text = "g [rrrrrrrrdhcemchd                                HDCMECDHRRRRRRRR]";
        Game::from_text(text, Rules::Official).unwrap()
    }

    #[test]
    fn an_answer_is_anything_in_notation() {
        assert!(matches!(read_answer("Ee2n Ee3n rc3x"), Some(Answer::Turn(turn)) if turn.len() == 2));
        assert!(
            matches!(read_answer("Ra1 Rb1"), Some(Answer::Setup(_))),
            "whether it is whole is another's question"
        );
        assert_eq!(read_answer("resigns"), Some(Answer::Resign));
        for text in ["", "rc3x", "hello", "Ee2n Ra1", "Ra1 Ra1", "Ee2n Ee3n Ee4n Ee5n Ee6n", "e2n", "pass"] {
            assert_eq!(read_answer(text), None, "{text}");
        }
    }

    #[test]
    fn reports_are_put_together() {
        let mut reading = InfoParser::new(&start());
        let mut last = Info::default();
        let words = [
            "depth 9+",
            "score -25",
            "winprob 0.4",
            "nodes 1234",
            "time 0.5",
            "nps 2468",
            "hashfull 12",
            "stat a b",
            "pv Ee2n Ee3n s ed7s g Md2n",
            "score lots",
            "depth",
        ];
        for text in words {
            last = reading.feed(text).unwrap_or(last);
        }
        assert_eq!(
            (last.depth, last.depth_complete, last.score),
            (Some(9), false, Some(Score::Centirabbits(-25)))
        );
        assert_eq!((last.win_probability, last.nodes, last.hashfull), (Some(0.4), Some(1234), Some(12)));
        assert_eq!(
            (last.time, last.messages.as_slice()),
            (Some(Duration::from_millis(500)), &["a b".to_string()][..])
        );
        let turns: Vec<String> = last.pv.iter().map(ToString::to_string).collect();
        assert_eq!(turns, ["Ee2n Ee3n", "ed7s", "Md2n"]);
    }

    #[test]
    fn scores_that_we_report_are_read_back() {
        let game = start();
        for score in [
            Score::Centirabbits(-25),
            Score::Centirabbits(i32::MAX),
            Score::Win { turns: 1 },
            Score::Win { turns: 12 },
            Score::Loss { turns: 3 },
        ] {
            let told = Info { score: Some(score), ..Info::default() };
            let lines = crate::format::info_lines(&told, &game);
            let mut reading = InfoParser::new(&game);
            let read = lines.iter().filter_map(|line| reading.feed(line)).last();
            assert_eq!(read.and_then(|info| info.score), Some(score), "{lines:?}");
        }
    }

    #[test]
    fn plain_numbers_of_other_programs_are_centirabbits() {
        for (text, expected) in [
            ("100", Some(100)),
            ("-31999", Some(-31_999)),
            ("+7", Some(7)),
            ("12.6", Some(13)),
            ("1e12", Some(i32::MAX)),
            ("win", None),
            ("mate 3", None),
            ("nan", None),
        ] {
            assert_eq!(score(text), expected.map(Score::Centirabbits), "{text}");
        }
    }

    #[test]
    fn several_lines_are_told_apart() {
        let mut reading = InfoParser::new(&start());
        let infos: Vec<Info> =
            ["depth 4", "score 10", "multipv 2", "depth 4", "score 5", "depth 8", "score 3"]
                .into_iter()
                .filter_map(|text| reading.feed(text))
                .collect();
        let told: Vec<_> = infos.iter().map(|info| (info.pv_index, info.depth, info.score)).collect();
        assert_eq!(told[1], (0, Some(4), Some(Score::Centirabbits(10))));
        assert_eq!(told[3], (1, Some(4), Some(Score::Centirabbits(5))));
        assert_eq!(told[5], (0, Some(8), Some(Score::Centirabbits(3))));
    }

    #[test]
    fn a_line_of_play_ends_where_it_makes_no_sense() {
        for (text, turns) in
            [("Ee2n s ed7s Ee3n", 1), ("Ee2n s zz", 1), ("Ee7n", 0), ("", 0), ("Ee2n", 1), ("g Ee2n s", 1)]
        {
            assert_eq!(parse_pv(*start().position(), text).len(), turns, "{text}");
        }
    }
}
