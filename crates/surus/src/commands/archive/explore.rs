//! `surus archive explore`, `search`, `players` and `game`

use std::io::{self, Write};

use anyhow::{Result, bail};
use serde::Serialize;
use surus_archive::{
    ArchiveDb, ExplorerResult, GameFilter, GameHeader, PlayerTypes, PositionId, PositionPattern,
    ResultFilter as Ended, explore, games_through,
};
use surus_rules::{Game, Phase, Side};

use super::{StoreArg, show};
use crate::input::PositionArg;
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// What was played from a position, how often, by whom, and how it ended
///
/// Without a position: the setups of gold. Positions are found in the mirror, too, and with the sides exchanged.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive explore
  surus archive explore --aei 's [64 characters]' --min-rating 2000 --players humans
  surus archive explore game.txt --event championship --from 2010 --games 5")]
pub(super) struct Args {
    /// A file with a diagram, a compact position or a game record; - for standard input
    #[arg(value_name = "POSITION")]
    file: Option<String>,
    /// The position itself in compact form, as in AEI: 'g [64 characters]'
    #[arg(long, value_name = "COMPACT", conflicts_with = "file")]
    aei: Option<String>,
    #[command(flatten)]
    store: StoreArg,
    #[command(flatten)]
    filters: FilterArgs,
    /// How many turns to show
    #[arg(long, value_name = "N", default_value_t = 15)]
    limit: usize,
    /// Show so many games through the position, too
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: usize,
    /// Only games that went on with this turn
    #[arg(long, value_name = "TURN", requires = "games")]
    turn: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Which games count.
#[derive(clap::Args, Clone)]
pub(super) struct FilterArgs {
    /// Both players rated R or more
    #[arg(long, value_name = "R")]
    min_rating: Option<i32>,
    /// Both players rated R or less
    #[arg(long, value_name = "R")]
    max_rating: Option<i32>,
    /// any, humans, bots or mixed
    #[arg(long, value_name = "WHO", default_value = "any")]
    players: PlayerTypes,
    /// The event's name has this in it
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// One of the players has this name
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Begun in this year or later
    #[arg(long, value_name = "YEAR")]
    from: Option<i32>,
    /// Begun in this year or earlier
    #[arg(long, value_name = "YEAR")]
    to: Option<i32>,
    /// gold, silver or undecided
    #[arg(long, value_name = "WINNER")]
    result: Option<Ended>,
    /// Only the position itself, not its images
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
            from_year: self.from,
            to_year: self.to,
            outcome: self.result,
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
    let store = args.store.open()?;
    let filters = args.filters.filters();
    let mut exploration = explore(&store, &game, &filters)?;
    let through = if args.games == 0 {
        Vec::new()
    } else {
        games_through(&store, &game, &filters, args.turn.as_deref(), args.games)?
            .into_iter()
            .map(GameAtPosition::new)
            .collect()
    };
    exploration.continuations.truncate(args.limit);
    let found = ExploreOutput { exploration, games_through: through };
    if args.json {
        output::json(&found)?;
    } else {
        tell(&found)?;
    }
    Ok(CommandStatus::Success)
}

fn tell(found: &ExploreOutput) -> Result<()> {
    let mut out = io::stdout().lock();
    let ExplorerResult {
        games,
        gold_wins: gold,
        silver_wins: silver,
        continuations: choices,
        side,
        distinct_continuations: distinct,
    } = &found.exploration;
    let side = Side::from_letter(*side).map_or_else(String::new, |side| side.to_string());
    writeln!(
        out,
        "{games} games, {side} to play; gold won {}, silver {}; {distinct} ways to go on",
        show::percent(*gold, *games),
        show::percent(*silver, *games),
    )?;
    if !choices.is_empty() {
        writeln!(out, "  games    share     gold   silver  rating  last  turn")?;
    }
    for choice in choices {
        writeln!(
            out,
            "{:>7} {:>8} {:>8} {:>8} {:>7} {:>5}  {}{}",
            choice.games,
            show::percent(choice.games, *games),
            show::percent(choice.gold_wins, choice.games),
            show::percent(choice.silver_wins, choice.games),
            choice.rating.map_or_else(|| "-".into(), |rating| rating.to_string()),
            choice.last_year.map_or_else(|| "-".into(), |year| year.to_string()),
            choice.turn,
            choice.name.as_ref().map(|name| format!("  ({name})")).unwrap_or_default()
        )?;
    }
    for GameAtPosition { turn, game } in &found.games_through {
        writeln!(out, "{turn:>4} {}", show::game(game))?;
    }
    Ok(())
}

/// Games with a position that looks like something: some squares, or the material
///
/// Every position is looked at, in the order of the games, until enough are found.
#[derive(clap::Args)]
#[command(after_help = "\
Squares: Ed4 is a gold elephant, md5 a silver camel, .c3 an empty square, Ac3 any gold piece, ac3 any silver one,
Oc3 and oc3 any but a rabbit, *c3 any piece at all.

Examples:
  surus archive search 'Eg6 hg7 .f6'
  surus archive search --material 'EMHHDDCCRRRRRRRR emhhddccrrrrrrr' --side s --limit 5")]
pub(super) struct SearchArgs {
    /// Squares with what they must hold
    #[arg(default_value = "")]
    squares: String,
    #[command(flatten)]
    store: StoreArg,
    /// Exactly these pieces are left
    #[arg(long, value_name = "LETTERS")]
    material: Option<String>,
    /// This side is to move, g or s
    #[arg(long, value_name = "SIDE")]
    side: Option<char>,
    /// So many games
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print one JSON object for each game
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
    let mut partial = PositionPattern::squares(&args.squares)?.to_move(side);
    if let Some(letters) = &args.material {
        partial = partial.with_material(letters)?;
    } else if args.squares.trim().is_empty() {
        bail!("nothing to look for: give squares or --material");
    }
    let stop = shutdown.stop();
    let store = args.store.open()?;
    let go_on = |_| !stop.stop_requested();
    let found = surus_archive::search(&store, &partial, args.limit, go_on)?;
    for one in found {
        let through = GameAtPosition::new(one);
        if args.json {
            output::json(&through)?;
        } else {
            writeln!(io::stdout().lock(), "{:>4} {}", through.turn, show::game(&through.game))?;
        }
    }
    Ok(shutdown.outcome(!shutdown.requested()))
}

/// Players by a part of their name, or the games of one
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive players bot_
  surus archive players --games omar")]
pub(super) struct PlayersArgs {
    /// A part of the name
    name: String,
    #[command(flatten)]
    store: StoreArg,
    /// List the games of the player with exactly this name
    #[arg(long)]
    games: bool,
    /// So many
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print one JSON object for each
    #[arg(long)]
    json: bool,
}

pub(super) fn run_players(args: &PlayersArgs) -> Result<CommandStatus> {
    let store: ArchiveDb = args.store.open()?;
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

/// A whole game: its record, as other commands read it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive game 17
  surus archive game --number 669122 | surus analyze -")]
pub(super) struct GameArgs {
    /// Its number in the database
    #[arg(required_unless_present = "number")]
    id: Option<i64>,
    /// Its number in the gameroom
    #[arg(long, value_name = "N", conflicts_with = "id")]
    number: Option<i64>,
    #[command(flatten)]
    store: StoreArg,
    /// Print one JSON object with all that is known
    #[arg(long)]
    json: bool,
}

pub(super) fn run_game(args: &GameArgs) -> Result<CommandStatus> {
    let store = args.store.open()?;
    let id = match (args.id, args.number) {
        (Some(id), _) => Some(id),
        (None, Some(number)) => surus_archive::find_by_external_id(&store, number)?,
        (None, None) => None,
    };
    let Some(game) = id.map(|id| surus_archive::game(&store, id)).transpose()?.flatten() else {
        bail!("there is no such game in {}", store.place());
    };
    if args.json {
        output::json(&game)?;
    } else {
        let mut out = io::stdout().lock();
        writeln!(out, "# {}\n{}", show::game(&game.line), game.record.trim_end())?;
    }
    Ok(CommandStatus::Success)
}
