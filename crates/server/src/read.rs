//! Finding out what a text is: a position, a record, many of them, an archive or a tree.

use surus_record::{Archive, Row, Source, records};
use surus_rules::{Diagram, Ending, Game, Position, Record, Replay, Rules, TurnTag};

use crate::live::turn_texts;
use crate::tree;
use crate::view;
use crate::wire::{ReadGame, Reading};

/// More games of one text are not shown.
const MOST_GAMES: usize = 2000;

/// The columns of an archive row that was copied without its header.
const COLUMNS: &str = "id\twplayerid\tbplayerid\twusername\tbusername\twtitle\tbtitle\twcountry\tbcountry\twrating\tbrating\t\
     wratingk\tbratingk\twtype\tbtype\tevent\tsite\ttimecontrol\tpostal\tstartts\tendts\tresult\ttermination\tplycount\t\
     mode\trated\tcorrupt\tmovelist\tevents";

/// All games of a text in any known form.
pub(crate) fn read(text: &str) -> Result<Reading, String> {
    let text = text.trim_start_matches('\u{feff}').replace('\r', "");
    if text.trim().is_empty() {
        return Err("the text is empty: expected a position, a game record or rows of the archive".into());
    }
    if let Some(archive) = archive(&text) {
        let rows = archive?.rows;
        return found(rows.iter().take(MOST_GAMES).map(archive_game).collect());
    }
    if let Some(game) = position(&text) {
        return found(vec![plain_game(&game?, "Position")]);
    }
    let text = unescaped(&text);
    if tree::is_one(&text) {
        return found(vec![tree::read(&text)?]);
    }
    let (headers, record) = split_headers(&text);
    let sources = records(&record).map_err(|error| error.to_string())?;
    let mut games: Vec<ReadGame> = sources.iter().take(MOST_GAMES).map(played).collect::<Result<_, _>>()?;
    if let [game] = &mut games[..] {
        let header = |names: &[&str]| {
            let found =
                headers.iter().find(|(name, _)| names.iter().any(|known| known.eq_ignore_ascii_case(name)));
            found.map_or(String::new(), |(_, value)| value.clone())
        };
        (game.gold, game.silver) = (header(&["Gold", "White"]), header(&["Silver", "Black"]));
        game.title = header(&["Event"]);
    }
    found(games)
}

fn found(games: Vec<ReadGame>) -> Result<Reading, String> {
    if games.is_empty() {
        return Err("there is no game in the text".into());
    }
    Ok(Reading { games })
}

/// The rows of an archive, with its header or copied without.
fn archive(text: &str) -> Option<Result<Archive, String>> {
    let parse = |text: &str| Archive::parse(text).map_err(|error| error.to_string());
    if Archive::is_one(text) {
        return Some(parse(text));
    }
    let text = text.trim_start_matches('\n');
    let columns = text.lines().next()?.split('\t').count();
    let header = match columns {
        29 => COLUMNS.to_string(),
        28 => COLUMNS.replace("corrupt\t", ""),
        _ => return None,
    };
    Some(parse(&format!("{header}\n{text}")))
}

fn archive_game(row: &Row) -> ReadGame {
    let rules = row.rules();
    let source =
        Source { name: row.id().into(), line: row.line, record: row.record(), rules, start: row.start() };
    let mut game = as_far_as_right(&source);
    let player = |name: &str, rating: &str| match row.get(rating) {
        "" => row.get(name).to_string(),
        rating => format!("{} ({rating})", row.get(name)),
    };
    game.gold = player("gusername", "grating");
    game.silver = player("susername", "srating");
    game.title = format!("{} {}", row.id(), row.get("event")).trim().into();
    if let (Some(reason), winner) = (row.reason(), row.winner()) {
        game.end = Some(view::end(Ending { winner, reason }));
    }
    for line in row.get("events").split("\\n") {
        let Some((_, rest)) = line.split_once("] after ") else { continue };
        let Some((tag, used)) = rest.split_once(", move used:") else { continue };
        let seconds: Option<u64> = used.split(' ').next().and_then(|number| number.parse().ok());
        let tag = TurnTag::parse(tag).map(|tag| tag.to_string());
        // After a takeback the turn that was played last counts, which comes last here too.
        if let Some(node) = game.nodes.iter_mut().find(|node| Some(&node.tag) == tag.as_ref()) {
            node.used_ms = seconds.map(|seconds| seconds.saturating_mul(1000));
        }
    }
    game
}

/// A record played through as far as it is right, which may be not at all.
pub(crate) fn as_far_as_right(source: &Source) -> ReadGame {
    played(source).unwrap_or_else(|problem| {
        let mut empty = plain_game(&Game::default(), "");
        empty.problem = Some(problem);
        empty
    })
}

/// A record played through, as far as it is right; the problem if its first turn is wrong.
fn played(source: &Source) -> Result<ReadGame, String> {
    let spelled: Vec<String> = source
        .record
        .lines()
        .map(|line| {
            let words: Vec<String> = line.split_whitespace().flat_map(tree::spelled_out).collect();
            words.join(" ")
        })
        .collect();
    let first = source.line - 1;
    let place = |error: surus_rules::RecordError| format!("line {}: {}", first + error.line, error.problem);
    let record = Record::parse(&spelled.join("\n")).map_err(place)?;
    let mut replay = Replay { game: source.begin(source.rules), takebacks: 0 };
    let problem = record.continue_on(&mut replay).err().map(place);
    if replay.game.entries().is_empty()
        && let Some(problem) = problem
    {
        return Err(problem);
    }
    let mut game = plain_game(&replay.game, "");
    game.problem = problem;
    Ok(game)
}

/// A game without variations.
fn plain_game(game: &Game, title: &str) -> ReadGame {
    let mut nodes = Vec::new();
    for (entry, text) in game.entries().iter().zip(turn_texts(game)) {
        nodes.push(tree::node(nodes.len().checked_sub(1), entry.tag, text));
    }
    ReadGame {
        title: title.into(),
        gold: String::new(),
        silver: String::new(),
        rules: game.rules().name().into(),
        origin: view::origin(game),
        nodes,
        end: game.ending().map(view::end),
        problem: None,
    }
}

/// A position anywhere in the text: compact, FEN-like, or a diagram.
fn position(text: &str) -> Option<Result<Game, String>> {
    compact(text).or_else(|| short_ranks(text)).or_else(|| diagram(text))
}

fn compact(text: &str) -> Option<Result<Game, String>> {
    let text = text.trim();
    let rest = text.strip_prefix("setposition ").unwrap_or(text);
    let (head, squares) = rest.split_once('[')?;
    if head.trim().chars().count() != 1 || squares.chars().count() < 60 {
        return None;
    }
    Some(Game::from_text(rest, Rules::Official).map_err(|error| error.to_string()))
}

/// `g rrr1rrcr/…`: eight ranks from the top, digits for empty squares.
pub(crate) fn short_ranks(text: &str) -> Option<Result<Game, String>> {
    let (side, ranks) = match text.split_whitespace().collect::<Vec<_>>()[..] {
        [ranks] => ("g", ranks),
        [side, ranks] if side.len() == 1 => (side, ranks),
        [ranks, side] if side.len() == 1 => (side, ranks),
        _ => return None,
    };
    if ranks.split('/').count() != 8 {
        return None;
    }
    let squares: String = ranks
        .chars()
        .filter(|&letter| letter != '/')
        .flat_map(|letter| {
            match letter.to_digit(10) {
                Some(empty) => " ".repeat(empty as usize),
                None => letter.to_string(),
            }
            .chars()
            .collect::<Vec<_>>()
        })
        .collect();
    let text = format!("{side} [{squares}]");
    Some(
        text.parse::<Position>()
            .map(|p| Game::from_position(&p, 2, Rules::Official))
            .map_err(|e| e.to_string()),
    )
}

/// A diagram, also inside of a test file or a letter: from the tag before its border to its first rank.
fn diagram(text: &str) -> Option<Result<Game, String>> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let top = lines.iter().position(|line| line.starts_with("8|"))?;
    let tag = lines[..top].iter().rposition(|line| TurnTag::parse(line).is_some());
    let tag = tag.map_or("2g", |index| lines[index]);
    let ranks = lines.get(top..top + 8)?;
    let text = format!("{tag}\n{}\n", ranks.join("\n"));
    let game = |diagram: Diagram| Game::from_position(&diagram.position, diagram.number, Rules::Official);
    Some(text.parse().map(game).map_err(|error| error.to_string()))
}

/// Records out of web pages have their line ends written out.
fn unescaped(text: &str) -> String {
    if text.trim().contains('\n') {
        text.into()
    } else {
        text.replace("\\n", "\n").replace("%13", "\n").replace("%25", "%")
    }
}

/// Lines before the first turn that say something about the game: `Gold: Ann`, `[Gold "Ann"]`.
fn split_headers(text: &str) -> (Vec<(String, String)>, String) {
    let mut headers = Vec::new();
    let mut record = Vec::new();
    for line in text.lines() {
        let begun = line.split_whitespace().next().is_some_and(|word| TurnTag::parse(word).is_some());
        let bracketed = line.trim().strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        let header = match bracketed {
            Some(inside) => inside.split_once(' '),
            None => line.split_once(':').filter(|(name, _)| name.chars().all(char::is_alphanumeric)),
        };
        match header.filter(|_| !begun) {
            Some((name, value)) => {
                headers.push((name.trim().into(), value.trim().trim_matches('"').into()));
                // Its line stays, so that the lines of the record keep their numbers.
                record.push("");
            }
            None => record.push(line),
        }
    }
    (headers, record.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "1g Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2\n\
        1s ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7\n2g Ee2nn Md2n\n2s";

    fn one(text: &str) -> ReadGame {
        let mut games = read(text).unwrap().games;
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0)
    }

    #[test]
    fn records_are_read_in_all_their_clothes() {
        let plain = one(RECORD);
        assert_eq!(plain.nodes.len(), 3);
        assert_eq!(plain.nodes[2].text, "Ee2n Ee3n Md2n");
        let tagged = one(&format!("Gold: Ann\n[Silver \"Bob\"]\nResult: 1\n\n{RECORD}"));
        assert_eq!((tagged.gold.as_str(), tagged.silver.as_str(), tagged.nodes.len()), ("Ann", "Bob", 3));
        assert_eq!(one(&RECORD.replace('\n', "\\n")).nodes.len(), 3);
        assert_eq!(one(&RECORD.replace('\n', "%13")).nodes.len(), 3);
        assert_eq!(one(&RECORD.replace('\n', "\r\n")).nodes.len(), 3);
        assert_eq!(read(&format!("{RECORD}\n\n{RECORD}")).unwrap().games.len(), 2);
    }

    #[test]
    fn an_archive_row_is_read_with_and_without_its_header() {
        let record = RECORD.replace("Ee2nn", "Ee2n Ee3n").replace('\n', "\\n");
        let events = "1 [x] after 1g, move used:13 wresv:1\\n2 [x] after 2w, move used:7 wresv:1";
        let row = format!(
            "77\t1\t2\tAnn\tBob\t\t\tUS\tUS\t1500\t\t1\t1\th\tb\tCasual\tNet\t15s/2m\t0\t1769941051\t1\tw\tr\t3\tI\t1\t0\t{record}\t{events}"
        );
        for text in [row.clone(), format!("{COLUMNS}\n{row}\n")] {
            let game = one(&text);
            assert_eq!(
                (game.gold.as_str(), game.silver.as_str(), game.title.as_str()),
                ("Ann (1500)", "Bob", "77 Casual")
            );
            let times: Vec<_> = game.nodes.iter().map(|node| node.used_ms).collect();
            assert_eq!(times, [Some(13_000), None, Some(7_000)]);
            assert_eq!(game.end.unwrap().letter, 'r');
        }
    }

    #[test]
    fn positions_are_found_in_every_form() {
        let compact = "s [r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR]";
        let game = one(compact);
        assert_eq!((game.origin.tag.as_str(), game.nodes.len()), ("2s", 0));
        let diagram = Game::from_text(compact, Rules::Official).unwrap().diagram();
        assert_eq!(one(&diagram).origin, game.origin);
        let letter = format!("[settings]\nposition =\n{diagram}\ntags = x\n");
        assert_eq!(one(&letter).origin, game.origin);
        assert_eq!(one("r4rrr/1rc2c1h/h2r2d1/5r2/2d1re2/1D1EM1D1/H1Cm1C1H/RRRRRRRR s").origin, game.origin);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let broken = RECORD.replace("Md2n", "Md2s");
        let game = one(&broken);
        assert_eq!(game.nodes.len(), 2);
        assert_eq!(game.problem.as_deref(), Some("line 3: 2g: Md2s: d1 is taken by a gold dog"));
        assert_eq!(
            read(" ").unwrap_err(),
            "the text is empty: expected a position, a game record or rows of the archive"
        );
        assert!(read("hello").unwrap_err().contains("expected a turn number and a side"));
    }
}
