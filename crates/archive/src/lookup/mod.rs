//! The lookup tiers of [McKee §3]: what was played in positions that match this one.
//!
//! Every tier is an index lookup whose entries are in rank order: wins first, then by rating, then by turns left. The
//! first legal candidate is the result, so that only a few are read.

mod candidates;
mod legal;
mod setup;
mod wins;

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use surus_rules::{Board, Game, Phase, PlayedTurn, Side, Square, Step, Turn};

pub use wins::{KnownWinsSummary, import_wins};

use crate::error::{ArchiveError, ChoiceError, Result};
use crate::pack::{SetupOrTurn, pack_played};
use crate::rank::{PositionId, Rank};
use crate::store::ArchiveDb;
use crate::view::{AreaCenter, MoverBoard, Trap};
use candidates::{KeyColumn, MergedCursor};
use legal::SymmetryMatch;
pub(crate) use legal::allows_goal_next_turn;

/// A lookup tier, in the order in which \[McKee\] uses them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Gold's most frequent setup.
    Setup,
    /// Silver's most frequent reply to gold's setup.
    SetupReply,
    /// The list of known wins in two turns.
    Win,
    /// The full board.
    Full,
    /// The middle four ranks.
    Middle,
    /// Five by five squares around the trap nearest to the piece the opponent moved last.
    Area,
    /// Five by five squares around a piece, with strengths relative to it.
    Piece,
}

impl Tier {
    /// All tiers.
    pub const ALL: [Self; 7] =
        [Self::Setup, Self::SetupReply, Self::Win, Self::Full, Self::Middle, Self::Area, Self::Piece];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::SetupReply => "setup-reply",
            Self::Win => "win",
            Self::Full => "full",
            Self::Middle => "middle",
            Self::Area => "area",
            Self::Piece => "piece",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tier {
    type Err = ChoiceError;

    fn from_str(text: &str) -> std::result::Result<Self, ChoiceError> {
        Self::ALL
            .into_iter()
            .find(|tier| tier.name() == text)
            .ok_or_else(|| ChoiceError::new("tier", text, Self::ALL.map(Self::name).join(", ")))
    }
}

/// Lookup options.
#[derive(Clone, Debug)]
pub struct LookupOptions {
    /// Whether mirrored positions and positions with sides swapped match; \[McKee\] uses neither.
    pub symmetry: bool,
    /// The centre of a specific piece's area.
    pub center: AreaCenter,
    /// Where the opponent moved last, for a position without history.
    pub last_moved_square: Option<Square>,
    /// The number of candidates after which a tier stops.
    pub max_candidates: usize,
    /// Whether to skip turns that allow a goal in the opponent's next turn.
    pub avoid_goal_loss: bool,
}

impl Default for LookupOptions {
    fn default() -> Self {
        Self {
            symmetry: true,
            center: AreaCenter::Piece,
            last_moved_square: None,
            max_candidates: 5000,
            avoid_goal_loss: false,
        }
    }
}

/// The result of a lookup.
#[derive(Clone, Debug, Default)]
pub struct LookupResult {
    /// What to play, if any candidate matches.
    pub hit: Option<Hit>,
    /// Candidates examined.
    pub examined: usize,
    /// Candidates that are not legal here.
    pub illegal: usize,
    /// Whether it stopped at `max_candidates`.
    pub limit_reached: bool,
}

/// A turn or setup and its source.
#[derive(Clone, Debug)]
pub struct Hit {
    /// What to play.
    pub played: SetupOrTurn,
    /// The stored position; `None` if silver copies gold's setup.
    pub position: Option<PositionId>,
    /// The rank of the stored turn.
    pub rank: Option<Rank>,
    /// The number of games with a setup.
    pub games: Option<u64>,
    /// Whether the stored position is a mirror image.
    pub mirrored: bool,
    /// Whether the stored position has the sides swapped.
    pub flipped: bool,
    /// Whether the area was centred again on the moved piece.
    pub recentred: bool,
}

/// Looks up the position at the start of the game's current turn.
pub fn lookup(store: &ArchiveDb, game: &Game, tier: Tier, options: &LookupOptions) -> Result<LookupResult> {
    match (tier, game.phase()) {
        (_, Phase::Over(ending)) => Err(ArchiveError::InvalidQuery(format!("the game is over: {ending}"))),
        (Tier::Setup, Phase::Setup(Side::Gold)) => setup::most_common(store, game),
        (Tier::SetupReply, Phase::Setup(Side::Silver)) => setup::reply(store, game, options),
        // In the middle of a turn there is no position to look up.
        (_, Phase::Setup(_)) | (Tier::Setup | Tier::SetupReply, _) => Ok(LookupResult::default()),
        (_, Phase::Play(_)) if !game.current_turn().is_empty() => Ok(LookupResult::default()),
        (Tier::Win, _) => wins::lookup(store, game, options),
        (Tier::Full, _) => full(store, game, options),
        (Tier::Middle, _) => middle(store, game, options),
        (Tier::Area, _) => area(store, game, options),
        (Tier::Piece, _) => piece(store, game, options),
    }
}

fn full(store: &ArchiveDb, game: &Game, options: &LookupOptions) -> Result<LookupResult> {
    let pattern = MoverBoard::new(game.turn_start(), game.side()).full();
    let mut merged = MergedCursor::new(store, game.side(), options);
    merged.add(KeyColumn::Full, pattern.key as i64, 0);
    best(&mut merged, game, options, |view, _, _, _| {
        let found = view.full();
        (found == pattern).then(|| SymmetryMatch::new(found.mirrored != pattern.mirrored, pattern.symmetric))
    })
}

fn middle(store: &ArchiveDb, game: &Game, options: &LookupOptions) -> Result<LookupResult> {
    let pattern = MoverBoard::new(game.turn_start(), game.side()).middle();
    let mut merged = MergedCursor::new(store, game.side(), options);
    merged.add(KeyColumn::Middle, crate::view::truncate_key(pattern.key).into(), 0);
    best(&mut merged, game, options, |view, _, _, _| {
        let found = view.middle();
        (found == pattern).then(|| SymmetryMatch::new(found.mirrored != pattern.mirrored, pattern.symmetric))
    })
}

/// The destination of the opponent's last step with its own piece.
#[must_use]
pub fn last_moved(game: &Game) -> Option<Square> {
    let entry = game.entries().last()?;
    match &entry.played {
        PlayedTurn::Turn(turn) => {
            turn.steps().rfind(|step| step.piece().side() == entry.tag.side).map(Step::to)
        }
        PlayedTurn::Setup(_) => None,
    }
}

fn area(store: &ArchiveDb, game: &Game, options: &LookupOptions) -> Result<LookupResult> {
    let Some(last_moved_square) = options.last_moved_square.or_else(|| last_moved(game)) else {
        return Ok(LookupResult::default());
    };
    let view = MoverBoard::new(game.turn_start(), game.side());
    let trap = Trap::nearest(view.index(last_moved_square));
    let mut result = area_around(store, game, trap, options)?;
    let Some(Hit { played: SetupOrTurn::Turn(turn), .. }) = &result.hit else { return Ok(result) };
    // [McKee] centres the area again if the turn leads out of it.
    let destinations =
        |turn: &Turn| turn.steps().filter(|step| step.piece().side() == game.side()).map(Step::to).collect();
    let ends: Vec<Square> = destinations(turn);
    if let Some(&outside) = ends.iter().find(|&&square| trap.area() >> view.index(square) & 1 == 0) {
        let next = Trap::nearest(view.index(outside));
        if next != trap {
            let second = area_around(store, game, next, options)?;
            result.examined += second.examined;
            result.illegal += second.illegal;
            result.limit_reached |= second.limit_reached;
            if let Some(hit) = second.hit {
                result.hit = Some(Hit { recentred: true, ..hit });
            }
        }
    }
    Ok(result)
}

fn area_around(store: &ArchiveDb, game: &Game, trap: Trap, options: &LookupOptions) -> Result<LookupResult> {
    let pattern = MoverBoard::new(game.turn_start(), game.side()).area(trap);
    let mut merged = MergedCursor::new(store, game.side(), options);
    let key = crate::view::truncate_key(pattern.key).into();
    merged.add(KeyColumn::Area(trap), key, 0);
    if options.symmetry {
        merged.add(KeyColumn::Area(trap.mirrored()), key, 0);
    }
    best(&mut merged, game, options, |view, column, _, _| {
        let KeyColumn::Area(stored) = column else { return None };
        let found = view.area(stored);
        (found == pattern).then(|| SymmetryMatch::new(found.mirrored != pattern.mirrored, false))
    })
}

fn piece(store: &ArchiveDb, game: &Game, options: &LookupOptions) -> Result<LookupResult> {
    let (board, side) = (game.turn_start(), game.side());
    let view = MoverBoard::new(board, side);
    let mut merged = MergedCursor::new(store, side, options);
    let patterns: Vec<_> =
        board.mobile(side).into_iter().map(|square| view.piece(view.index(square), options.center)).collect();
    for (index, pattern) in patterns.iter().enumerate() {
        merged.add(KeyColumn::Piece(options.center), crate::view::truncate_key(pattern.key).into(), index);
    }
    best(&mut merged, game, options, |view, _, index, mover| {
        let pattern = patterns.get(index)?;
        let found = view.piece(view.index(mover?), options.center);
        // Strengths are relative, so that any piece on the squares may make the steps.
        (found == *pattern).then(|| SymmetryMatch {
            any_piece: true,
            ..SymmetryMatch::new(found.mirrored != pattern.mirrored, false)
        })
    })
}

/// The first candidate that matches and is legal here.
fn best(
    merged: &mut MergedCursor<'_>,
    game: &Game,
    options: &LookupOptions,
    find_match: impl Fn(&MoverBoard, KeyColumn, usize, Option<Square>) -> Option<SymmetryMatch>,
) -> Result<LookupResult> {
    let mut result = LookupResult::default();
    while let Some((candidate, column, index)) = merged.next()? {
        if result.examined >= options.max_candidates {
            result.limit_reached = true;
            break;
        }
        result.examined += 1;
        let side = candidate.id.side();
        let flipped = side != game.side();
        // Most turns can be ruled out by their steps alone, without reading their board.
        let any_piece = matches!(column, KeyColumn::Piece(_));
        if !legal::may_be_legal(game, &candidate, flipped, any_piece, options) {
            result.illegal += 1;
            continue;
        }
        let board = merged.board(candidate.id)?;
        let mover = candidate.mover(&board);
        let Some(symmetry) = find_match(&MoverBoard::new(&board, side), column, index, mover) else {
            continue;
        };
        match symmetry.legal(game, &candidate.played, &board, flipped, options) {
            Some((turn, mirrored)) => {
                result.hit = Some(Hit {
                    played: SetupOrTurn::Turn(turn),
                    position: Some(candidate.id),
                    rank: Some(candidate.rank),
                    games: None,
                    mirrored,
                    flipped,
                    recentred: false,
                });
                break;
            }
            None => result.illegal += 1,
        }
    }
    Ok(result)
}

/// The query plans of a tier.
pub fn plan(store: &ArchiveDb, game: &Game, tier: Tier, options: &LookupOptions) -> Result<Vec<String>> {
    let view = MoverBoard::new(game.turn_start(), game.side());
    let columns = match tier {
        Tier::Setup | Tier::SetupReply => return setup::plan(store, game),
        Tier::Win => return wins::plan(store),
        Tier::Full => vec![KeyColumn::Full],
        Tier::Middle => vec![KeyColumn::Middle],
        Tier::Area => {
            let trap = options
                .last_moved_square
                .or_else(|| last_moved(game))
                .map_or(Trap::HomeLeft, |square| Trap::nearest(view.index(square)));
            if options.symmetry {
                vec![KeyColumn::Area(trap), KeyColumn::Area(trap.mirrored())]
            } else {
                vec![KeyColumn::Area(trap)]
            }
        }
        Tier::Piece => vec![KeyColumn::Piece(options.center)],
    };
    let mut lines = Vec::new();
    for column in columns {
        lines.extend(candidates::plan(store, column, game.side(), options)?);
    }
    Ok(lines)
}

/// The packed form of a turn, to compare turns on different boards.
pub(crate) fn packed_turn(turn: &Turn) -> Vec<u8> {
    pack_played(&PlayedTurn::Turn(*turn))
}

/// A stored position whose turn may be legal here.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) id: PositionId,
    pub(crate) rank: Rank,
    pub(crate) played: Vec<u8>,
    /// The pieces of the steps, 0 if unknown.
    pub(crate) moved_pieces: i32,
}

impl Candidate {
    /// A candidate that sorts before all others.
    const fn before_all() -> Self {
        Self { id: PositionId(0), rank: Rank(-1), played: Vec::new(), moved_pieces: 0 }
    }

    /// The square of the side's own piece that the stored turn moves first.
    fn mover(&self, board: &Board) -> Option<Square> {
        let turn = crate::pack::decode_turn(&self.played, board)?;
        turn.steps().find(|step| step.piece().side() == self.id.side()).map(Step::from)
    }
}
