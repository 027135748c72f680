//! Storing games that were played elsewhere, such as those of the gameroom bot, among the games of the board.

use std::error::Error;
use std::path::{Path, PathBuf};

use surus_rules::{Game, GameResult};

use crate::game::{ActiveGame, turn_texts};
use crate::store::{GameStore, StoreError, StoredConfig, StoredGame, StoredPlayer, StoredTurn};

/// A game that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedGame {
    /// Its id on the board; a game with the same id is not stored twice.
    pub id: String,
    /// The names of gold and silver.
    pub players: [String; 2],
    /// The turns, from the setups on.
    pub game: Game,
    /// How it ended.
    pub result: GameResult,
    /// When it ended, in milliseconds since 1970.
    pub ended_at: i64,
}

/// Why a game was not stored.
#[derive(Debug, thiserror::Error)]
pub enum FinishedGameError {
    /// The directory cannot be created.
    #[error("cannot create the directory {0}: {1}")]
    CreateDataDir(PathBuf, #[source] std::io::Error),
    /// The file of games cannot be opened or written.
    #[error("cannot store a game in {0}: {1}")]
    Store(PathBuf, #[source] Box<dyn Error + Send + Sync>),
    /// The turns do not lead to the result, or the setups are incomplete.
    #[error("the game {0} cannot be shown on the board: {1}")]
    Replay(String, #[source] Box<dyn Error + Send + Sync>),
}

impl FinishedGame {
    /// Stores the game in the data directory of a board, which may be running. Returns false if the board has it already.
    pub fn store(&self, data_dir: &Path) -> Result<bool, FinishedGameError> {
        std::fs::create_dir_all(data_dir)
            .map_err(|error| FinishedGameError::CreateDataDir(data_dir.into(), error))?;
        let file = data_dir.join("games.sqlite");
        let failed = |error: StoreError| FinishedGameError::Store(file.clone(), error.into());
        let store = GameStore::open(&file).map_err(failed)?;
        match store.load(&self.id) {
            Err(StoreError::Missing(_)) => {}
            Err(StoreError::Unreadable { .. }) | Ok(_) => return Ok(false),
            Err(error) => return Err(failed(error)),
        }
        let replay = |error: Box<dyn Error + Send + Sync>| FinishedGameError::Replay(self.id.clone(), error);
        let turns: Vec<StoredTurn> = turn_texts(&self.game)
            .into_iter()
            .map(|text| StoredTurn { text, elapsed_ms: 0, reserves_ms: [0, 0] })
            .collect();
        let active = ActiveGame::from_stored(&self.row(), &turns).map_err(|error| replay(Box::new(error)))?;
        store.insert(&active.to_stored(), &turns, None, self.ended_at).map_err(failed)?;
        Ok(true)
    }

    fn row(&self) -> StoredGame {
        let [gold, silver] = self.players.clone().map(|name| StoredPlayer::Human { name });
        StoredGame {
            id: self.id.clone(),
            created_at: self.ended_at,
            version: 1,
            // Without the times of the turns, clocks would be wrong.
            config: StoredConfig {
                gold,
                silver,
                time_control: None,
                handicaps: Default::default(),
                start: None,
            },
            steps_played: String::new(),
            redo: String::new(),
            elapsed_ms: 0,
            reserves_ms: [0, 0],
            board: String::new(),
            tag: String::new(),
            result: Some(self.result),
        }
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::{Rules, Side, Termination};

    use super::*;
    use crate::test_dir::TempDir;

    const RECORD: &str = "1w Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2\n\
        1b ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7\n2w Ee2n\n2b ";

    fn game(record: &str, reason: Termination) -> FinishedGame {
        FinishedGame {
            id: "gameroom-7".into(),
            players: ["bot_A".into(), "Ann".into()],
            game: Game::from_text(record, Rules::Official).unwrap(),
            result: GameResult::win(Side::Gold, reason),
            ended_at: 5_000,
        }
    }

    #[test]
    fn games_are_stored_once_and_can_be_opened_by_a_running_board() {
        let dir = TempDir::new("finished");
        let board = GameStore::open(&dir.path().join("games.sqlite")).unwrap();
        let game = game(RECORD, Termination::Resignation);
        assert!(game.store(dir.path()).unwrap() && !game.store(dir.path()).unwrap());
        assert_eq!(board.count().unwrap(), 1);
        let (row, turns) = board.load("gameroom-7").unwrap();
        let active = ActiveGame::from_stored(&row, &turns).unwrap();
        assert_eq!((turns.len(), active.game.result()), (3, Some(game.result)));
        assert_eq!((row.tag.as_str(), row.board.len()), ("2s", 64));
    }

    #[test]
    fn results_that_the_turns_do_not_have_are_errors() {
        let dir = TempDir::new("unfinished");
        let error = game(RECORD, Termination::Goal).store(dir.path()).unwrap_err().to_string();
        assert!(error.starts_with("the game gameroom-7 cannot be shown on the board: "), "{error}");
        assert_eq!(GameStore::open(&dir.path().join("games.sqlite")).unwrap().count().unwrap(), 0);
    }
}
