//! Decisions: positions of games, each with the turn played in it.

use std::ops::RangeInclusive;

use surus_record::{Archive, ArchiveRow, Format, RawGame, ReadError, parse_games};
use surus_rules::{Game, Phase, PlayedTurn, Side, Turn};

/// Selects decisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionFilter {
    /// Only turns of these players; empty for all.
    pub players: Vec<String>,
    /// Only games in which both players have at least this rating.
    pub min_rating: Option<u32>,
    /// Only turns in this range of turn numbers.
    pub turns: RangeInclusive<u32>,
}

impl Default for DecisionFilter {
    fn default() -> Self {
        Self { players: Vec::new(), min_rating: None, turns: 2..=u32::MAX }
    }
}

/// A position with its history, and the turn played in it.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The game up to the position.
    pub game: Game,
    /// The turn played.
    pub played: Turn,
}

/// A game whose decisions are used.
#[derive(Clone, Debug)]
pub struct DecisionSource {
    source: RawGame,
    /// The sides whose turns are used.
    sides: [bool; 2],
}

/// The games of a file. A game that does not pass the filter is `None`, so that game numbers do not depend on the filter.
pub fn decision_sources(
    text: &str,
    filter: &DecisionFilter,
) -> Result<Vec<Option<DecisionSource>>, ReadError> {
    let archive = match Format::detect(text) {
        Ok(Format::Archive) => Archive::parse(text)?,
        Ok(Format::ArchiveRows) => Archive::parse_bare(text)?,
        _ => {
            let anonymous = filter.players.is_empty() && filter.min_rating.is_none();
            let select = |source| anonymous.then_some(DecisionSource { source, sides: [true; 2] });
            return Ok(parse_games(text)?.into_iter().map(select).collect());
        }
    };
    Ok(archive.rows.iter().map(|row| from_row(row, filter)).collect())
}

fn from_row(row: &ArchiveRow, filter: &DecisionFilter) -> Option<DecisionSource> {
    let rated = |name: &str, min: u32| row.get(name).parse::<u32>().is_ok_and(|rating| rating >= min);
    if filter.min_rating.is_some_and(|min| !rated("grating", min) || !rated("srating", min)) {
        return None;
    }
    let plays =
        |name: &str| filter.players.is_empty() || filter.players.iter().any(|player| player == row.get(name));
    let sides = ["gusername", "susername"].map(plays);
    sides.contains(&true).then(|| DecisionSource { source: row.into(), sides })
}

impl DecisionSource {
    /// The decisions of the game, up to the first illegal turn.
    #[must_use]
    pub fn decisions(&self, filter: &DecisionFilter) -> Vec<Decision> {
        let (replay, _) = self.source.replay(self.source.rules);
        let mut game = self.source.initial_game(self.source.rules);
        let mut found = Vec::new();
        for entry in replay.game.entries() {
            let played = match &entry.played {
                PlayedTurn::Setup(setup) => game.play_setup(*setup),
                PlayedTurn::Turn(turn) => {
                    if let Phase::Play(side) = game.phase()
                        && self.includes(side)
                        && filter.turns.contains(&game.tag().number)
                    {
                        found.push(Decision { game: game.clone(), played: *turn });
                    }
                    game.play(turn)
                }
            };
            if played.is_err() {
                break;
            }
        }
        found
    }

    const fn includes(&self, side: Side) -> bool {
        self.sides[side as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURNS: &str = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
        1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\\n2g Ee2n Ee3n\\n2s ed7s\\n3g Ee4n";

    fn file() -> String {
        let row = |gold: &str, silver: &str, rating: u32| {
            format!("1\t{gold}\t{silver}\t{rating}\t2100\tg\tr\t{TURNS}\n")
        };
        "id\tgusername\tsusername\tgrating\tsrating\tresult\ttermination\tmovelist\n".to_string()
            + &row("a", "b", 2000)
            + &row("b", "c", 1900)
    }

    fn decisions(filter: &DecisionFilter) -> Vec<Vec<(u32, Side)>> {
        let sources = decision_sources(&file(), filter).unwrap();
        let of = |source: &DecisionSource| {
            source.decisions(filter).iter().map(|d| (d.game.tag().number, d.game.side())).collect()
        };
        sources.iter().map(|source| source.as_ref().map_or_else(Vec::new, of)).collect()
    }

    #[test]
    fn decisions_are_filtered_by_player_rating_and_turn() {
        use Side::{Gold, Silver};
        let all = vec![(2, Gold), (2, Silver), (3, Gold)];
        assert_eq!(decisions(&DecisionFilter::default()), [all.clone(), all.clone()]);
        let of_b = DecisionFilter { players: vec!["b".into()], ..DecisionFilter::default() };
        assert_eq!(decisions(&of_b), [vec![(2, Silver)], vec![(2, Gold), (3, Gold)]]);
        let strong = DecisionFilter { min_rating: Some(2000), ..DecisionFilter::default() };
        assert_eq!(decisions(&strong), [all, vec![]]);
        let late = DecisionFilter { turns: 3..=9, ..DecisionFilter::default() };
        assert_eq!(decisions(&late), [vec![(3, Gold)], vec![(3, Gold)]]);
    }

    #[test]
    fn player_filter_skips_records_without_names() {
        let text = TURNS.replace("\\n", "\n");
        let count = |filter: &DecisionFilter| {
            let sources = decision_sources(&text, filter).unwrap();
            sources.iter().flatten().map(|source| source.decisions(filter).len()).sum::<usize>()
        };
        assert_eq!(count(&DecisionFilter::default()), 3);
        assert_eq!(count(&DecisionFilter { players: vec!["b".into()], ..DecisionFilter::default() }), 0);
    }
}
