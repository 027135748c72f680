//! Parsing the output of an engine: reports leniently, answers strictly.

use std::time::Duration;

use surus_play::{Answer, Info};
use surus_rules::{Game, Handicap, Position, Score, Setup, Side, Token, Turn};

/// The rest of a line that starts with `keyword`.
pub(crate) fn strip_keyword<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix(keyword)?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

/// Parses an answer; `None` if it is not valid notation. Legality is not checked.
pub(crate) fn parse_answer(text: &str) -> Option<Answer> {
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

/// Accumulates the `info` lines of one search, each of which reports one property.
pub(crate) struct InfoParser {
    start: Position,
    info: Info,
    /// Whether the previous line was `multipv`.
    after_multipv: bool,
}

impl InfoParser {
    pub(crate) fn new(game: &Game) -> Self {
        Self { start: *game.position(), info: Info::default(), after_multipv: false }
    }

    /// Parses the arguments of an `info` line and returns the accumulated report; `None` for a line without news.
    pub(crate) fn feed(&mut self, text: &str) -> Option<Info> {
        let (word, rest) = text.split_once(char::is_whitespace).map_or((text, ""), |(a, b)| (a, b.trim()));
        let follows_multipv = std::mem::replace(&mut self.after_multipv, word == "multipv");
        let info = &mut self.info;
        match word {
            "multipv" => {
                let pv_index = rest.parse::<usize>().ok()?.checked_sub(1)?;
                *info = Info { pv_index, ..Info::default() };
                return None;
            }
            "depth" => {
                if !follows_multipv && info.pv_index != 0 {
                    *info = Info::default();
                }
                let depth = rest.strip_suffix('+').unwrap_or(rest);
                (info.depth, info.depth_complete) = (Some(depth.parse().ok()?), depth == rest);
            }
            "score" => info.score = Some(parse_score(rest)?),
            "winprob" | "winratio" => info.win_probability = Some(parse_number(rest)?.clamp(0.0, 1.0)),
            "nodes" => info.nodes = Some(rest.parse().ok()?),
            "time" => info.time = Some(Duration::try_from_secs_f64(parse_number(rest)?).ok()?),
            "hashfull" => info.hashfull = Some(rest.parse().ok()?),
            "pv" => info.pv = parse_pv(self.start, rest),
            "nps" | "currmovenumber" => return None,
            "stat" => info.messages = vec![rest.into()],
            _ => info.messages = vec![text.into()],
        }
        Some(info.clone())
    }
}

/// Parses a score as Surus reports it, or centirabbits with a fraction, which some engines report.
fn parse_score(text: &str) -> Option<Score> {
    text.parse().ok().or_else(|| Some(Score::Centirabbits(parse_number(text)?.round() as i32)))
}

fn parse_number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Parses the turns of a variation up to the first illegal one.
fn parse_pv(mut position: Position, text: &str) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut turn = Turn::EMPTY;
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut chars = word.chars();
        let is_side = chars.next().and_then(Side::from_letter).is_some() && chars.next().is_none();
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
    fn answers_are_valid_notation() {
        assert!(matches!(parse_answer("Ee2n Ee3n rc3x"), Some(Answer::Turn(turn)) if turn.len() == 2));
        assert!(
            matches!(parse_answer("Ra1 Rb1"), Some(Answer::Setup(_))),
            "completeness is checked by the game"
        );
        assert_eq!(parse_answer("resigns"), Some(Answer::Resign));
        for text in ["", "rc3x", "hello", "Ee2n Ra1", "Ra1 Ra1", "Ee2n Ee3n Ee4n Ee5n Ee6n", "e2n", "pass"] {
            assert_eq!(parse_answer(text), None, "{text}");
        }
    }

    #[test]
    fn info_lines_accumulate() {
        let mut parser = InfoParser::new(&start());
        let mut last = Info::default();
        let lines = [
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
        for text in lines {
            last = parser.feed(text).unwrap_or(last);
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
    fn reported_scores_round_trip() {
        let game = start();
        for score in [
            Score::Centirabbits(-25),
            Score::Centirabbits(i32::MAX),
            Score::Win { turns: 1 },
            Score::Win { turns: 12 },
            Score::Loss { turns: 3 },
        ] {
            let info = Info { score: Some(score), ..Info::default() };
            let lines = crate::format::info_lines(&info, &game);
            let mut parser = InfoParser::new(&game);
            let parsed = lines.iter().filter_map(|line| parser.feed(line)).last();
            assert_eq!(parsed.and_then(|info| info.score), Some(score), "{lines:?}");
        }
    }

    #[test]
    fn plain_numbers_are_centirabbits() {
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
            assert_eq!(parse_score(text), expected.map(Score::Centirabbits), "{text}");
        }
    }

    #[test]
    fn multipv_lines_are_separated() {
        let mut parser = InfoParser::new(&start());
        let infos: Vec<Info> =
            ["depth 4", "score 10", "multipv 2", "depth 4", "score 5", "depth 8", "score 3"]
                .into_iter()
                .filter_map(|text| parser.feed(text))
                .collect();
        let reports: Vec<_> = infos.iter().map(|info| (info.pv_index, info.depth, info.score)).collect();
        assert_eq!(reports[1], (0, Some(4), Some(Score::Centirabbits(10))));
        assert_eq!(reports[3], (1, Some(4), Some(Score::Centirabbits(5))));
        assert_eq!(reports[5], (0, Some(8), Some(Score::Centirabbits(3))));
    }

    #[test]
    fn pv_ends_at_first_illegal_turn() {
        for (text, turns) in
            [("Ee2n s ed7s Ee3n", 1), ("Ee2n s zz", 1), ("Ee7n", 0), ("", 0), ("Ee2n", 1), ("g Ee2n s", 1)]
        {
            assert_eq!(parse_pv(*start().position(), text).len(), turns, "{text}");
        }
    }
}
