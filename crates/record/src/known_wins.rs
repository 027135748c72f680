//! Lists of positions that are won in two turns: `gameNumber:turnNumber winning turn`.

use surus_rules::{Side, Token, TurnTag};

/// One line of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownWin {
    /// Line number, counted from 1.
    pub line: usize,
    /// Number of the game in the archive.
    pub game: i64,
    /// Number and side of the winning turn.
    pub tag: TurnTag,
    /// Steps of the winning turn.
    pub turn: String,
}

/// A line that cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: expected gameNumber:turnNumber and a turn, like 4321:23g Ra6n Ra7n, found '{found}'")]
pub struct KnownWinError {
    /// Line number, counted from 1.
    pub line: usize,
    /// Beginning of the line.
    pub found: String,
}

/// Parses the lines of a list, skipping blank lines and comments. If the side is missing after the turn number, it is
/// determined by the pieces that move.
pub fn parse_known_wins(text: &str) -> impl Iterator<Item = Result<KnownWin, KnownWinError>> + '_ {
    let lines = text.lines().map(str::trim).zip(1..);
    lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')).map(|(text, line)| {
        read(text, line).ok_or_else(|| KnownWinError { line, found: text.chars().take(60).collect() })
    })
}

fn read(text: &str, line: usize) -> Option<KnownWin> {
    let (location, turn) = text.split_once(char::is_whitespace)?;
    let (game, number) = location.split_once(':')?;
    let first: Token = turn.split_whitespace().next()?.parse().ok()?;
    let tag = TurnTag::parse(number).or_else(|| {
        // The first step of a push moves an enemy piece.
        let pieces = turn.split_whitespace().filter_map(|word| match word.parse() {
            Ok(Token::Step(step)) => Some(step.piece().side()),
            _ => None,
        });
        let sides: Vec<Side> = pieces.collect();
        let gold = sides.iter().filter(|&&side| side == Side::Gold).count();
        let first = *sides.first()?;
        let side = match (2 * gold).cmp(&sides.len()) {
            std::cmp::Ordering::Greater => Side::Gold,
            std::cmp::Ordering::Less => Side::Silver,
            std::cmp::Ordering::Equal => first,
        };
        Some(TurnTag { number: number.parse().ok().filter(|&n| n > 0)?, side })
    })?;
    matches!(first, Token::Step(_)).then_some(())?;
    Some(KnownWin { line, game: game.trim().parse().ok()?, tag, turn: turn.trim().into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_parsed_with_or_without_a_side() {
        let text = "# puzzles\n4321:23g Ra6n Ra7n\n\n7:5 rb4s rb3s\n8:9 x\nnothing\n";
        let found: Vec<_> = parse_known_wins(text).collect();
        assert_eq!(found.len(), 4);
        let win = found[0].clone().unwrap();
        assert_eq!(
            (win.line, win.game, win.tag.to_string(), win.turn.as_str()),
            (2, 4321, "23g".into(), "Ra6n Ra7n")
        );
        assert_eq!(found[1].clone().unwrap().tag.side, Side::Silver);
        assert_eq!(
            found[3].clone().unwrap_err().to_string(),
            "line 6: expected gameNumber:turnNumber and a turn, like 4321:23g Ra6n Ra7n, found 'nothing'"
        );
        assert!(found[2].is_err());
    }
}
