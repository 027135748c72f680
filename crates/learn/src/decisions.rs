//! Decisions: positions of games, each with the turn played in it.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use surus_record::packed::{Flags, PackedGame, PackedSample, Sample, SampleError};
use surus_record::{ArchiveFile, ArchiveRow, Format, RawGame, ReadError, parse_games};
use surus_rules::{Game, GameResult, Phase, PlayedTurn, Score, Side, Termination, Turn};

use crate::labelling::tactical_flags;

/// Selects decisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionFilter {
    /// Only turns of these players; empty for all.
    pub players: Vec<String>,
    /// Only games in which both players have at least this rating.
    pub min_rating: Option<u32>,
    /// Players that have the rating whatever the file says.
    pub trusted: Vec<String>,
    /// Whether both players must be among `players`.
    pub both_players: bool,
    /// Only turns of players of this type: `h` for people, `b` for programs.
    pub player_type: Option<char>,
    /// Only turns of the winner.
    pub winner_only: bool,
    /// Only turns in this range of turn numbers.
    pub turns: RangeInclusive<u32>,
}

impl DecisionFilter {
    /// Whether the filter asks for something that only archive files have.
    fn needs_players(&self) -> bool {
        !self.players.is_empty() || self.min_rating.is_some() || self.player_type.is_some()
    }

    /// Describes the filter, for the header of a data file.
    #[must_use]
    pub fn settings(&self) -> BTreeMap<String, String> {
        let list = |names: &[String]| if names.is_empty() { "any".into() } else { names.join(", ") };
        let last =
            if *self.turns.end() == u32::MAX { "the last".into() } else { self.turns.end().to_string() };
        [
            ("players", list(&self.players)),
            ("both players", self.both_players.to_string()),
            ("minimum rating", self.min_rating.map_or("none".into(), |rating| rating.to_string())),
            ("trusted players", list(&self.trusted)),
            ("player type", self.player_type.map_or("any".into(), String::from)),
            ("winner only", self.winner_only.to_string()),
            ("turns", format!("{} to {last}", self.turns.start())),
        ]
        .map(|(name, value)| (name.to_string(), value))
        .into()
    }
}

impl Default for DecisionFilter {
    fn default() -> Self {
        Self {
            players: Vec::new(),
            min_rating: None,
            trusted: Vec::new(),
            both_players: false,
            player_type: None,
            winner_only: false,
            turns: 2..=u32::MAX,
        }
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
    /// The result in the file, if it has one.
    result: Option<GameResult>,
    /// The players with their types and ratings, as far as the file has them.
    pub players: String,
}

/// The games of a file. A game that does not pass the filter is `None`, so that game numbers do not depend on the filter.
pub fn decision_sources(
    text: &str,
    filter: &DecisionFilter,
) -> Result<Vec<Option<DecisionSource>>, ReadError> {
    let archive = match Format::detect(text) {
        Ok(Format::Archive) => ArchiveFile::parse(text)?,
        Ok(Format::ArchiveRows) => ArchiveFile::parse_bare(text)?,
        _ => {
            let select = |source| from_record(source, filter);
            return Ok(parse_games(text)?.into_iter().map(select).collect());
        }
    };
    Ok(archive.rows.iter().map(|row| from_row(row, filter)).collect())
}

fn from_record(source: RawGame, filter: &DecisionFilter) -> Option<DecisionSource> {
    if filter.needs_players() {
        return None;
    }
    let result = source.replay(source.rules).0.game.result();
    let source = DecisionSource { source, sides: [true; 2], result, players: String::new() };
    source.of_winner(filter)
}

fn from_row(row: &ArchiveRow, filter: &DecisionFilter) -> Option<DecisionSource> {
    const SIDES: [(&str, &str, &str); 2] =
        [("gusername", "grating", "gtype"), ("susername", "srating", "stype")];
    let rated = |(name, rating, _): (&str, &str, &str), min: u32| {
        filter.trusted.iter().any(|trusted| trusted == row.get(name))
            || row.get(rating).parse::<u32>().is_ok_and(|rating| rating >= min)
    };
    if filter.min_rating.is_some_and(|min| !SIDES.iter().all(|&side| rated(side, min))) {
        return None;
    }
    let listed = SIDES.map(|(name, ..)| {
        filter.players.is_empty() || filter.players.iter().any(|player| player == row.get(name))
    });
    if filter.both_players && listed != [true; 2] {
        return None;
    }
    let has_type = SIDES.map(|(.., kind)| {
        filter.player_type.is_none_or(|wanted| row.get(kind).chars().eq(std::iter::once(wanted)))
    });
    let describe = |(name, rating, kind): (&str, &str, &str)| {
        let known = [name, kind, rating].map(|column| row.get(column));
        known.into_iter().filter(|value| !value.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let result = row.winner().map(|winner| GameResult {
        winner: Some(winner),
        reason: row.termination().unwrap_or(Termination::Abandoned),
    });
    let source = DecisionSource {
        source: row.into(),
        sides: [listed[0] && has_type[0], listed[1] && has_type[1]],
        result,
        players: SIDES.map(describe).join(" - "),
    };
    source.of_winner(filter)
}

impl DecisionSource {
    /// Without the turns of the loser, if the filter says so; `None` if no turn remains.
    fn of_winner(mut self, filter: &DecisionFilter) -> Option<Self> {
        let winner = self.result.and_then(|result| result.winner);
        if filter.winner_only {
            for side in Side::BOTH {
                self.sides[side as usize] &= winner == Some(side);
            }
        }
        self.sides.contains(&true).then_some(self)
    }

    /// All turns of the game up to the first illegal one, as samples without scores. Those that the filter excludes have
    /// the flag [`Flags::CONTEXT`]. `None` if no turn is used.
    pub fn pack(&self, id: u64, filter: &DecisionFilter) -> Result<Option<PackedGame>, SampleError> {
        let mut samples = Vec::new();
        let mut used = false;
        self.for_each_turn(|game, turn| {
            let side = game.side();
            let decision = self.includes(side) && filter.turns.contains(&game.tag().number);
            used |= decision;
            samples.push(unscored_sample(game, turn, self.result, Flags::CONTEXT.set_if(!decision)));
        });
        let samples = samples.into_iter().collect::<Result<_, _>>()?;
        let result = self.result.and_then(|result| result.winner);
        let reason = self.result.map_or(Termination::Abandoned, |result| result.reason);
        Ok(used.then_some(PackedGame { id, origin: 0, result, reason, samples }))
    }

    /// The decisions of the game, up to the first illegal turn.
    #[must_use]
    pub fn decisions(&self, filter: &DecisionFilter) -> Vec<Decision> {
        let mut found = Vec::new();
        self.for_each_turn(|game, turn| {
            if self.includes(game.side()) && filter.turns.contains(&game.tag().number) {
                found.push(Decision { game: game.clone(), played: *turn });
            }
        });
        found
    }

    /// Calls `visit` with each turn and the game before it.
    fn for_each_turn(&self, mut visit: impl FnMut(&Game, &Turn)) {
        let (replay, _) = self.source.replay(self.source.rules);
        let mut game = self.source.initial_game(self.source.rules);
        for entry in replay.game.entries() {
            let played = match &entry.played {
                PlayedTurn::Setup(setup) => game.play_setup(*setup),
                PlayedTurn::Turn(turn) => {
                    if matches!(game.phase(), Phase::Play(_)) {
                        visit(&game, turn);
                    }
                    game.play(turn)
                }
            };
            if played.is_err() {
                break;
            }
        }
    }

    const fn includes(&self, side: Side) -> bool {
        self.sides[side as usize]
    }
}

/// A turn of a game as a sample without a score.
fn unscored_sample(
    game: &Game,
    turn: &Turn,
    result: Option<GameResult>,
    flags: Flags,
) -> Result<PackedSample, SampleError> {
    let (position, score) = (game.position(), Score::Centirabbits(0));
    PackedSample::encode(&Sample {
        board: *position.board(),
        side: position.side(),
        steps_left: position.steps_left(),
        score,
        depth: 0,
        result: result.and_then(|result| result.winner),
        turn_number: game.tag().number.min(u32::from(u16::MAX)) as u16,
        flags: flags | Flags::IMPORTED | tactical_flags(position, score, turn),
        best_turn: *turn,
    })
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
    fn packed_games_keep_excluded_turns_as_history() {
        let filter = DecisionFilter { players: vec!["c".into()], ..DecisionFilter::default() };
        let sources = decision_sources(&file(), &filter).unwrap();
        let packed = sources[1].as_ref().unwrap().pack(7, &filter).unwrap().unwrap();
        let context = |sample: &PackedSample| sample.flags().contains(Flags::CONTEXT);
        assert_eq!((packed.id, packed.result), (7, Some(Side::Gold)));
        assert_eq!(packed.samples.iter().map(context).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(sources[1].as_ref().unwrap().players, "b 1900 - c 2100");
        let late = DecisionFilter { turns: 9..=10, ..filter.clone() };
        assert!(sources[1].as_ref().unwrap().pack(7, &late).unwrap().is_none());
    }

    #[test]
    fn winners_and_trusted_players_are_selected() {
        let winner = DecisionFilter { winner_only: true, ..DecisionFilter::default() };
        assert_eq!(decisions(&winner)[0], [(2, Side::Gold), (3, Side::Gold)]);
        let trusted =
            DecisionFilter { min_rating: Some(2000), trusted: vec!["b".into()], ..DecisionFilter::default() };
        assert_eq!(decisions(&trusted)[1].len(), 3);
        let both =
            DecisionFilter { players: vec!["a".into(), "b".into()], both_players: true, ..trusted.clone() };
        assert_eq!(decisions(&both).iter().map(Vec::len).collect::<Vec<_>>(), [3, 0]);
        let people = DecisionFilter { player_type: Some('h'), ..DecisionFilter::default() };
        assert!(decisions(&people).iter().all(Vec::is_empty), "the file has no types");
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
