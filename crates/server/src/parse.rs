//! Parses texts in any supported format.

use surus_record::{GameTree, Node, ReadError, ReadFailure, games};

use crate::api::{ParseFailure, ParseResponse, ParsedGame, StartPosition, TreeNode};
use crate::position_view::game_end;
use crate::steps::steps_from_text;

/// The maximum number of games of one text.
const MAX_GAMES: usize = 2000;

/// All games of a text.
pub(crate) fn parse_text(text: &str) -> Result<ParseResponse, ReadError> {
    let found = games(text, MAX_GAMES)?;
    let failure = |ReadFailure { name, line, error }: ReadFailure| ParseFailure {
        name,
        line,
        error: error.to_string(),
    };
    Ok(ParseResponse {
        games: found.games.into_iter().map(parsed_game).collect(),
        failures: found.failures.into_iter().map(failure).collect(),
    })
}

/// Converts a game tree for the API.
pub(crate) fn parsed_game(tree: GameTree) -> ParsedGame {
    let (board, tag) = tree.origin;
    ParsedGame {
        title: tree.title,
        gold: tree.gold,
        silver: tree.silver,
        rules: tree.rules.name().into(),
        start: StartPosition { board: board.compact(), tag: tag.to_string() },
        nodes: tree.nodes.into_iter().map(tree_node).collect(),
        end: tree.ending.map(game_end),
        error: tree.problem.map(|error| error.to_string()),
    }
}

fn tree_node(node: Node) -> TreeNode {
    TreeNode {
        parent: node.parent,
        tag: node.tag.to_string(),
        steps: steps_from_text(&node.text),
        text: node.text,
        elapsed_ms: node.used.map(|used| u64::try_from(used.as_millis()).unwrap_or(u64::MAX)),
        comment: node.comment,
        glyph: node.mark.unwrap_or("").into(),
        shapes: node.shapes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn match_rows_include_thinking_times() {
        let record = "1g Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2\n\
            1s ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7\n2g Ee2n\n2s";
        let events = "after 1g, move used:0.013 gresv:1 sresv:0 game:0.013\n\
            after 2g, move used:1.500 gresv:1 sresv:0 game:1.513 score:win-2 depth:4 nodes:7";
        let row = surus_record::GameRow {
            record: record.into(),
            events: events.into(),
            ..surus_record::GameRow::default()
        };
        let games = parse_text(&format!("{}\n{row}\n", surus_record::header())).unwrap().games;
        let times: Vec<_> = games[0].nodes.iter().map(|node| node.elapsed_ms).collect();
        assert_eq!((times, &games[0].error), (vec![Some(13), None, Some(1500)], &None));
    }

    #[test]
    fn a_tree_can_be_a_position_without_turns() {
        let text =
            "# Surus tree 1\nposition 5s [r      r                                                R   E  R]";
        let game = parse_text(text).unwrap().games.remove(0);
        assert_eq!((game.start.tag.as_str(), game.nodes.len(), game.error), ("5s", 0, None));
        assert!(parse_text("# Surus tree 1\n# gold: Ann").is_err());
    }

    #[test]
    fn unreadable_records_are_listed_with_their_place() {
        let parsed = parse_text("1w Ca1 Rd2\n1b ra5\n2w pass\n\n1g Ra1 Xa2\n\n1g Ra9").unwrap();
        assert_eq!((parsed.games.len(), parsed.games[0].start.tag.as_str()), (1, "2s"));
        let failures: Vec<_> =
            parsed.failures.iter().map(|failure| (&*failure.name, failure.line, &*failure.error)).collect();
        assert_eq!(failures.len(), 2);
        assert_eq!((failures[0].0, failures[0].1, failures[1].1), ("2", 5, 7));
        assert!(
            failures[0].2.starts_with("line 5: 1g: ") && failures[0].2.contains("Xa2"),
            "{}",
            failures[0].2
        );
    }

    #[test]
    fn trees_keep_annotations() {
        let text = "# Surus tree 1\n# silver: Bob\n\
            position 2g [r      r                                                R   E  R]\n\
            2g Ee1n ?! (2.5s) {g:e1e3} \"hm\"\n[ 2g Ee1nn ]\n2s rh8n";
        let game = parse_text(text).unwrap().games.remove(0);
        assert_eq!((game.silver.as_str(), game.start.tag.as_str(), game.nodes.len()), ("Bob", "2g", 2));
        let first = &game.nodes[0];
        assert_eq!(
            (first.glyph.as_str(), first.elapsed_ms, first.comment.as_str()),
            ("?!", Some(2500), "hm")
        );
        assert_eq!((&first.shapes[..], game.nodes[1].parent), (&["g:e1e3".to_string()][..], None));
        assert_eq!(game.error.as_deref(), Some("2s: 'rh8n' leaves the board"));
        assert_eq!(game.end, None);
    }
}
