//! Labels the positions of games that others played.

use surus_play::{Engine, StopToken};
use surus_record::packed::{Flags, PackedGame};
use surus_record::{Archive, Format, RawGame, ReadError, parse_games as plain_records};
use surus_rules::{Game, GameResult, Phase, PlayedTurn, Side, Termination};

use crate::selfplay::pack_game;
use crate::{RunError, label_position};

/// Which games are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameFilter {
    /// The least rating that both players must have; a game whose file tells none has none.
    pub rating: Option<u32>,
    /// Whether games that were lost on time are left out.
    pub no_timeouts: bool,
}

/// A game to be labelled, played through to its end.
#[derive(Clone, Debug)]
pub struct ImportedGame {
    game: Game,
    ending: GameResult,
    /// Where the record began.
    source: RawGame,
}

/// Why games were left out, and how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct SkippedGames {
    /// Not legal.
    pub illegal: u64,
    /// Nobody won, or nobody knows who.
    pub without_winner: u64,
    /// Rated too low, or not at all.
    pub rating: u64,
    /// Lost on time.
    pub time: u64,
}

/// The games of a file that are to be labelled: those that have a winner and pass the filter, in the file's order. Where a
/// game is left out, nothing stands in its place, so that numbers of games don't change with the filter.
pub fn candidates(
    text: &str,
    filter: &GameFilter,
    left_out: &mut SkippedGames,
) -> Result<Vec<Option<ImportedGame>>, ReadError> {
    let archive = match Format::detect(text) {
        Ok(Format::Archive) => Archive::parse(text)?,
        Ok(Format::ArchiveRows) => Archive::parse_bare(text)?,
        _ => {
            let sources = plain_records(text)?;
            return Ok(sources.into_iter().map(|source| choose(source, None, filter, left_out)).collect());
        }
    };
    let row = |row: &surus_record::ArchiveRow| {
        let rating = |name: &str| row.get(name).parse::<u32>().ok();
        let told = ArchiveMetadata {
            winner: row.winner(),
            reason: row.termination(),
            rating: rating("grating").zip(rating("srating")).map(|(gold, silver)| gold.min(silver)),
        };
        choose(RawGame::from(row), Some(told), filter, left_out)
    };
    Ok(archive.rows.iter().map(row).collect())
}

/// What an archive tells of a game beside its turns.
struct ArchiveMetadata {
    winner: Option<Side>,
    reason: Option<Termination>,
    rating: Option<u32>,
}

fn choose(
    source: RawGame,
    told: Option<ArchiveMetadata>,
    filter: &GameFilter,
    left_out: &mut SkippedGames,
) -> Option<ImportedGame> {
    let rating = told.as_ref().and_then(|told| told.rating);
    if filter.rating.is_some_and(|least| rating.is_none_or(|rating| rating < least)) {
        left_out.rating += 1;
        return None;
    }
    let (replay, problem) = source.replay(source.rules);
    if problem.is_some() {
        left_out.illegal += 1;
        return None;
    }
    let by_turns = replay.game.result().filter(|ending| ending.winner.is_some());
    let told = told.map(|told| GameResult {
        winner: told.winner,
        reason: told.reason.unwrap_or(Termination::Abandoned),
    });
    let Some(ending) = told.or(by_turns).filter(|ending| ending.winner.is_some()) else {
        left_out.without_winner += 1;
        return None;
    };
    if filter.no_timeouts && ending.reason == Termination::Time {
        left_out.time += 1;
        return None;
    }
    Some(ImportedGame { game: replay.game, ending, source })
}

impl ImportedGame {
    /// Searches the start of every turn. Nothing comes back if it was stopped.
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
                let thought = label_position(engine, &game, nodes, stop)
                    .map_err(|error| RunError::Engine { game: number, error })?;
                if stop.should_stop() {
                    return Ok(None);
                }
                samples.push(thought.ok_or(RunError::NoScore(number))?.sample);
            }
            match &entry.played {
                PlayedTurn::Setup(setup) => game.play_setup(*setup).map_err(illegal)?,
                PlayedTurn::Turn(turn) => game.play(turn).map_err(illegal)?,
            }
        }
        game.end(self.ending);
        pack_game(number, &game, samples, Flags::IMPORTED).map(Some)
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
    fn games_are_chosen_by_rating_ending_and_legality_and_keep_their_places() {
        let mut left_out = SkippedGames::default();
        let filter = GameFilter { rating: Some(1800), no_timeouts: true };
        let chosen = candidates(&archive(), &filter, &mut left_out).unwrap();
        let taken: Vec<bool> = chosen.iter().map(Option::is_some).collect();
        assert_eq!(taken, [true, false, false, false, false]);
        assert_eq!(left_out, SkippedGames { illegal: 1, without_winner: 1, rating: 1, time: 1 });
        let all = candidates(&archive(), &GameFilter::default(), &mut SkippedGames::default()).unwrap();
        assert_eq!(all.iter().flatten().count(), 3);
    }

    #[test]
    fn every_turn_is_labelled_with_the_result_and_its_origin() {
        let chosen = candidates(&archive(), &GameFilter::default(), &mut SkippedGames::default()).unwrap();
        let candidate = chosen[0].as_ref().unwrap();
        let stop = StopToken::default();
        let game = candidate.label(7, 100, &mut Greedy::default(), &stop).unwrap().unwrap();
        assert_eq!((game.id, game.result, game.reason), (7, Some(Side::Gold), Termination::Resignation));
        let turns: Vec<_> = game.samples.iter().map(|record| (record.turn_number(), record.side())).collect();
        assert_eq!(turns, [(2, Side::Gold), (2, Side::Silver), (3, Side::Gold)]);
        assert!(game.samples.iter().all(|record| record.flags().contains(Flags::IMPORTED)));
        assert!(game.samples.iter().all(|record| record.result() == Some(Side::Gold)));
        stop.request();
        assert!(candidate.label(7, 100, &mut Greedy::default(), &stop).unwrap().is_none());
    }
}
