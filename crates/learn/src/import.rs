//! Labels the positions of existing games.

use surus_play::{Engine, StopToken};
use surus_record::packed::{Flags, PackedGame};
use surus_record::{ArchiveFile, Format, RawGame, ReadError, parse_games as plain_records};
use surus_rules::{Game, GameResult, IllegalTurn, Phase, PlayedTurn, Side, Termination};

use crate::selfplay::pack_game;
use crate::{RunError, label_position};

/// Selects games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameFilter {
    /// Minimum rating of both players; games without ratings do not pass.
    pub min_rating: Option<u32>,
    /// Whether to skip games lost on time.
    pub no_timeouts: bool,
    /// Whether games without ratings pass a minimum rating.
    pub keep_unrated: bool,
}

/// A game to be labelled, already replayed.
#[derive(Clone, Debug)]
pub struct ImportedGame {
    game: Game,
    result: GameResult,
    /// The lower rating of both players.
    rating: Option<u32>,
    /// The record, for its initial position and rules.
    source: RawGame,
}

/// The number of skipped games, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct SkippedGames {
    /// With an illegal turn.
    pub illegal: u64,
    /// Without a winner, or with an unknown one.
    pub without_winner: u64,
    /// With a player rated too low, or unrated.
    pub rating: u64,
    /// Lost on time.
    pub time: u64,
}

/// The games of a file, in its order. A game that has no winner or does not pass the filter is `None`, so that game
/// numbers do not depend on the filter.
pub fn candidates(
    text: &str,
    filter: &GameFilter,
    skipped: &mut SkippedGames,
) -> Result<Vec<Option<ImportedGame>>, ReadError> {
    let archive = match Format::detect(text) {
        Ok(Format::Archive) => ArchiveFile::parse(text)?,
        Ok(Format::ArchiveRows) => ArchiveFile::parse_bare(text)?,
        _ => {
            let sources = plain_records(text)?;
            return Ok(sources.into_iter().map(|source| choose(source, None, filter, skipped)).collect());
        }
    };
    let row = |row: &surus_record::ArchiveRow| {
        let rating = |name: &str| row.get(name).parse::<u32>().ok();
        let metadata = ArchiveMetadata {
            winner: row.winner(),
            reason: row.termination(),
            rating: rating("grating").zip(rating("srating")).map(|(gold, silver)| gold.min(silver)),
        };
        choose(RawGame::from(row), Some(metadata), filter, skipped)
    };
    Ok(archive.rows.iter().map(row).collect())
}

/// The columns of an archive row that a game record lacks.
struct ArchiveMetadata {
    winner: Option<Side>,
    reason: Option<Termination>,
    rating: Option<u32>,
}

fn choose(
    source: RawGame,
    metadata: Option<ArchiveMetadata>,
    filter: &GameFilter,
    skipped: &mut SkippedGames,
) -> Option<ImportedGame> {
    let rating = metadata.as_ref().and_then(|metadata| metadata.rating);
    let too_low = |min| rating.map_or(!filter.keep_unrated, |rating| rating < min);
    if filter.min_rating.is_some_and(too_low) {
        skipped.rating += 1;
        return None;
    }
    let (replay, problem) = source.replay(source.rules);
    if problem.is_some() {
        skipped.illegal += 1;
        return None;
    }
    let recorded = metadata.map(|metadata| GameResult {
        winner: metadata.winner,
        reason: metadata.reason.unwrap_or(Termination::Abandoned),
    });
    let Some(result) = recorded.or(replay.game.result()).filter(|result| result.winner.is_some()) else {
        skipped.without_winner += 1;
        return None;
    };
    if filter.no_timeouts && result.reason == Termination::Time {
        skipped.time += 1;
        return None;
    }
    Some(ImportedGame { game: replay.game, result, rating, source })
}

impl ImportedGame {
    /// The lower rating of both players, if both have one.
    #[must_use]
    pub const fn rating(&self) -> Option<u32> {
        self.rating
    }

    /// The number of the game in the archive, or the line where its record begins.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// The game as it was played.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The number of turns, including setups.
    #[must_use]
    pub fn turn_count(&self) -> usize {
        self.game.entries().len()
    }

    /// The game up to a number of turns, including setups.
    pub fn prefix(&self, turns: usize) -> Result<Game, IllegalTurn> {
        let mut game = self.source.initial_game(self.source.rules);
        for entry in self.game.entries().iter().take(turns) {
            replay_entry(&mut game, &entry.played)?;
        }
        Ok(game)
    }

    /// Searches the position before each turn. Returns `None` if stopped.
    pub fn label(
        &self,
        number: u64,
        nodes: u64,
        engine: &mut dyn Engine,
        stop: &StopToken,
    ) -> Result<Option<PackedGame>, RunError> {
        let illegal = |error| RunError::Illegal { game: number, error };
        let mut game = self.source.initial_game(self.source.rules);
        let mut samples = Vec::new();
        engine.new_game();
        for entry in self.game.entries() {
            if matches!(game.phase(), Phase::Play(_)) {
                let labelled = label_position(engine, &game, nodes, stop)
                    .map_err(|error| RunError::Engine { game: number, error })?;
                if stop.should_stop() {
                    return Ok(None);
                }
                samples.push(labelled.ok_or(RunError::NoScore(number))?.sample);
            }
            replay_entry(&mut game, &entry.played).map_err(illegal)?;
        }
        game.end(self.result);
        pack_game(number, &game, samples, Flags::IMPORTED).map(Some)
    }
}

fn replay_entry(game: &mut Game, played: &PlayedTurn) -> Result<(), IllegalTurn> {
    match played {
        PlayedTurn::Setup(setup) => game.play_setup(*setup),
        PlayedTurn::Turn(turn) => game.play(turn),
    }
}

#[cfg(test)]
mod tests {
    use surus_play::Greedy;

    use super::*;

    const SETUPS: &str = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
        1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

    fn archive() -> String {
        let row = |rating: u32, winner: char, reason: char, turns: &str| {
            format!("1\t{rating}\t2000\t{winner}\t{reason}\t{SETUPS}\\n{turns}\n")
        };
        "id\tgrating\tsrating\tresult\ttermination\tmovelist\n".to_string()
            + &row(1900, 'g', 'r', "2g Ee2n Ee3n\\n2s ed7s\\n3g Ee4n")
            + &row(1900, 's', 't', "2g Ee2n")
            + &row(1500, 's', 'r', "2g Ee2n")
            + &row(1900, 'd', 'r', "2g Ee2n")
            + &row(1900, 's', 'r', "2g Ee1n")
    }

    #[test]
    fn filter_skips_games_but_keeps_numbering() {
        let mut skipped = SkippedGames::default();
        let filter = GameFilter { min_rating: Some(1800), no_timeouts: true, keep_unrated: false };
        let games = candidates(&archive(), &filter, &mut skipped).unwrap();
        let selected: Vec<bool> = games.iter().map(Option::is_some).collect();
        assert_eq!(selected, [true, false, false, false, false]);
        assert_eq!(skipped, SkippedGames { illegal: 1, without_winner: 1, rating: 1, time: 1 });
        let all = candidates(&archive(), &GameFilter::default(), &mut SkippedGames::default()).unwrap();
        assert_eq!(all.iter().flatten().count(), 3);
    }

    #[test]
    fn games_without_ratings_pass_only_if_they_are_kept() {
        let text = archive().replace("\t1500\t2000", "\t\t");
        let ratings = |keep_unrated| {
            let filter = GameFilter { min_rating: Some(1800), no_timeouts: false, keep_unrated };
            let games = candidates(&text, &filter, &mut SkippedGames::default()).unwrap();
            games.iter().flatten().map(ImportedGame::rating).collect::<Vec<_>>()
        };
        assert_eq!(ratings(false), [Some(1900), Some(1900)]);
        assert_eq!(ratings(true), [Some(1900), Some(1900), None]);
    }

    #[test]
    fn turns_are_labelled_with_the_result_and_imported_flag() {
        let games = candidates(&archive(), &GameFilter::default(), &mut SkippedGames::default()).unwrap();
        let imported = games[0].as_ref().unwrap();
        let stop = StopToken::default();
        let game = imported.label(7, 100, &mut Greedy::default(), &stop).unwrap().unwrap();
        assert_eq!((game.id, game.result, game.reason), (7, Some(Side::Gold), Termination::Resignation));
        let turns: Vec<_> = game.samples.iter().map(|record| (record.turn_number(), record.side())).collect();
        assert_eq!(turns, [(2, Side::Gold), (2, Side::Silver), (3, Side::Gold)]);
        assert!(game.samples.iter().all(|record| record.flags().contains(Flags::IMPORTED)));
        assert!(game.samples.iter().all(|record| record.result() == Some(Side::Gold)));
        stop.request();
        assert!(imported.label(7, 100, &mut Greedy::default(), &stop).unwrap().is_none());
    }
}
