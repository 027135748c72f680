//! `surus archive explore`, `search`, `players` and `game`

use std::io::{self, Write};

use anyhow::{Result, bail};
use serde::Serialize;
use surus_archive::{
    ArchiveDb, ExplorerResult, GameFilter, GameHeader, PlayerTypes, PositionId, PositionPattern,
    ResultFilter, explore, games_through,
};
use surus_rules::{Game, Phase, Side};

use super::{DbArg, show};
use crate::input::PositionArg;
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Show the turns played from a position, with counts, results and ratings
///
/// Without a position: the setups of gold. Mirrored positions and positions with sides swapped count too, unless
/// --no-symmetry is given.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive explore
  surus archive explore --aei 's [64 characters]' --min-rating 2000 --players humans
  surus archive explore game.txt --event championship --from-year 2010 --games 5")]
pub(super) struct Args {
    /// File with a position, game record, game tree, archive row or test; - reads standard input
    #[arg(value_name = "POSITION")]
    file: Option<String>,
    /// Position in AEI form: 'g [64 characters]'
    #[arg(long, value_name = "COMPACT", conflicts_with = "file")]
    aei: Option<String>,
    #[command(flatten)]
    db: DbArg,
    #[command(flatten)]
    filters: FilterArgs,
    /// Maximum number of turns to show
    #[arg(long, value_name = "N", default_value_t = 15)]
    limit: usize,
    /// Also list up to N games that reached the position
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: usize,
    /// With --games: only games that continued with this turn
    #[arg(long, value_name = "TURN", requires = "games")]
    turn: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Filters of the games.
#[derive(clap::Args, Clone)]
pub(super) struct FilterArgs {
    /// Minimum rating of both players
    #[arg(long, value_name = "R")]
    min_rating: Option<i32>,
    /// Maximum rating of both players
    #[arg(long, value_name = "R")]
    max_rating: Option<i32>,
    /// Players: any, humans, bots or mixed
    #[arg(long, value_name = "TYPE", default_value = "any")]
    players: PlayerTypes,
    /// Only games whose event contains this text
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// Only games of this player
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only games started in this year or later
    #[arg(long, value_name = "YEAR")]
    from_year: Option<i32>,
    /// Only games started in this year or earlier
    #[arg(long, value_name = "YEAR")]
    to_year: Option<i32>,
    /// Only games with this winner: gold, silver or none
    #[arg(long, value_name = "WINNER")]
    result: Option<ResultFilter>,
    /// Exclude mirrored positions and positions with sides swapped
    #[arg(long)]
    no_symmetry: bool,
}

impl FilterArgs {
    pub(super) fn filters(&self) -> GameFilter {
        GameFilter {
            min_rating: self.min_rating,
            max_rating: self.max_rating,
            players: self.players,
            event: self.event.clone(),
            player: self.player.clone(),
            from_year: self.from_year,
            to_year: self.to_year,
            result: self.result,
            no_symmetry: self.no_symmetry,
        }
    }
}

#[derive(Serialize)]
struct ExploreOutput {
    #[serde(flatten)]
    exploration: ExplorerResult,
    games_through: Vec<GameAtPosition>,
}

#[derive(Serialize)]
struct GameAtPosition {
    turn: String,
    #[serde(flatten)]
    game: GameHeader,
}

impl GameAtPosition {
    fn new((position, game): (PositionId, GameHeader)) -> Self {
        Self { turn: format!("{}{}", position.turn(), position.side().letter()), game }
    }
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let game = if args.file.is_none() && args.aei.is_none() {
        Game::default()
    } else {
        PositionArg::new(&args.file, &args.aei).game()?
    };
    if let Phase::Over(ending) = game.phase() {
        bail!("the game is over: {ending}");
    }
    let store = args.db.open()?;
    let filters = args.filters.filters();
    let mut exploration = explore(&store, &game, &filters)?;
    let games_through = if args.games == 0 {
        Vec::new()
    } else {
        games_through(&store, &game, &filters, args.turn.as_deref(), args.games)?
            .into_iter()
            .map(GameAtPosition::new)
            .collect()
    };
    exploration.continuations.truncate(args.limit);
    let found = ExploreOutput { exploration, games_through };
    if args.json {
        output::json(&found)?;
    } else {
        print_text(&found)?;
    }
    Ok(CommandStatus::Success)
}

fn print_text(found: &ExploreOutput) -> Result<()> {
    let mut out = io::stdout().lock();
    let ExplorerResult {
        games,
        gold_wins: gold,
        silver_wins: silver,
        continuations,
        side,
        distinct_continuations: distinct,
    } = &found.exploration;
    let side = Side::from_letter(*side).map_or_else(String::new, |side| side.to_string());
    writeln!(
        out,
        "{games} games, {side} to move; gold won {}, silver {}; {distinct} distinct continuations",
        show::percent(*gold, *games),
        show::percent(*silver, *games),
    )?;
    if !continuations.is_empty() {
        writeln!(out, "  games   played gold won silver won rating  last  turn")?;
    }
    for turn in continuations {
        writeln!(
            out,
            "{:>7} {:>8} {:>8} {:>10} {:>6} {:>5}  {}{}",
            turn.games,
            show::percent(turn.games, *games),
            show::percent(turn.gold_wins, turn.games),
            show::percent(turn.silver_wins, turn.games),
            turn.rating.map_or_else(|| "-".into(), |rating| rating.to_string()),
            turn.last_year.map_or_else(|| "-".into(), |year| year.to_string()),
            turn.turn,
            turn.name.as_ref().map(|name| format!("  ({name})")).unwrap_or_default()
        )?;
    }
    for GameAtPosition { turn, game } in &found.games_through {
        writeln!(out, "{turn:>4} {}", show::game(game))?;
    }
    Ok(())
}

/// Search for games by pieces on squares or by material
///
/// Scans all positions in the order of the games until --limit games are found, and prints for each the first matching turn.
#[derive(clap::Args)]
#[command(after_help = "\
Square patterns: Ed4 is a gold elephant, md5 a silver camel, .c3 an empty square, Ac3 (ac3) any
gold (silver) piece, Oc3 (oc3) a gold (silver) piece other than a rabbit, *c3 any piece.

Examples:
  surus archive search 'Eg6 hg7 .f6'
  surus archive search --material 'EMHHDDCCRRRRRRRR emhhddccrrrrrrr' --side s --limit 5")]
pub(super) struct SearchArgs {
    /// Square patterns, separated by spaces
    #[arg(default_value = "", hide_default_value = true)]
    squares: String,
    #[command(flatten)]
    db: DbArg,
    /// Exactly these pieces are on the board
    #[arg(long, value_name = "LETTERS")]
    material: Option<String>,
    /// Side to move: g or s
    #[arg(long, value_name = "SIDE")]
    side: Option<char>,
    /// Maximum number of games
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

pub(super) fn run_search(args: &SearchArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let side = match args.side {
        Some(letter) => match Side::from_letter(letter) {
            Some(side) => Some(side),
            None => bail!("--side: expected g or s, found '{letter}'"),
        },
        None => None,
    };
    let mut pattern = PositionPattern::squares(&args.squares)?.to_move(side);
    if let Some(letters) = &args.material {
        pattern = pattern.with_material(letters)?;
    } else if args.squares.trim().is_empty() {
        bail!("expected square patterns or --material");
    }
    let stop = shutdown.stop();
    let store = args.db.open()?;
    let progress = |_| !stop.stop_requested();
    let found = surus_archive::search(&store, &pattern, args.limit, progress)?;
    for hit in found {
        let hit = GameAtPosition::new(hit);
        if args.json {
            output::json(&hit)?;
        } else {
            writeln!(io::stdout().lock(), "{:>4} {}", hit.turn, show::game(&hit.game))?;
        }
    }
    Ok(shutdown.outcome(!shutdown.requested()))
}

/// Search for players by name, or list the games of one player
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive players bot_
  surus archive players --games omar")]
pub(super) struct PlayersArgs {
    /// Part of the name, or with --games the exact name
    name: String,
    #[command(flatten)]
    db: DbArg,
    /// List the games of the player with this exact name
    #[arg(long)]
    games: bool,
    /// Maximum number of results
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print one JSON object per result
    #[arg(long)]
    json: bool,
}

pub(super) fn run_players(args: &PlayersArgs) -> Result<CommandStatus> {
    let store: ArchiveDb = args.db.open()?;
    if args.games {
        for game in surus_archive::games_by_player(&store, &args.name, args.limit)? {
            if args.json {
                output::json(&game)?;
            } else {
                writeln!(io::stdout().lock(), "{}", show::game(&game))?;
            }
        }
        return Ok(CommandStatus::Success);
    }
    for player in surus_archive::search_players(&store, &args.name, args.limit)? {
        if args.json {
            output::json(&player)?;
            continue;
        }
        let rating = player.best_rating.map_or_else(|| "-".into(), |rating| rating.to_string());
        let won = show::percent(player.won.unsigned_abs(), player.games.unsigned_abs());
        writeln!(
            io::stdout().lock(),
            "{:>7} games, {won:>8} won, best rating {rating:>4}  {}",
            player.games,
            player.name
        )?;
    }
    Ok(CommandStatus::Success)
}

/// Print the record of a game, in the form that other commands read
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive game 17
  surus archive game --gameroom-id 669122 | surus analyze -")]
pub(super) struct GameArgs {
    /// ID of the game in the database
    #[arg(required_unless_present = "gameroom_id")]
    id: Option<i64>,
    /// ID of the game in the gameroom
    #[arg(long, value_name = "N", conflicts_with = "id")]
    gameroom_id: Option<i64>,
    #[command(flatten)]
    db: DbArg,
    /// Print one JSON object with all data of the game
    #[arg(long)]
    json: bool,
}

pub(super) fn run_game(args: &GameArgs) -> Result<CommandStatus> {
    let store = args.db.open()?;
    let id = match (args.id, args.gameroom_id) {
        (Some(id), _) => Some(id),
        (None, Some(number)) => surus_archive::find_by_external_id(&store, number)?,
        (None, None) => None,
    };
    let Some(game) = id.map(|id| surus_archive::game(&store, id)).transpose()?.flatten() else {
        bail!("no such game in {}", store.location());
    };
    if args.json {
        output::json(&game)?;
    } else {
        let mut out = io::stdout().lock();
        writeln!(out, "# {}\n{}", show::game(&game.header), game.record.trim_end())?;
    }
    Ok(CommandStatus::Success)
}
