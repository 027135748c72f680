//! The document's questions: what did somebody play where the board looked like this?
//!
//! Every tier is a look-up by key in an index whose entries are in the document's order: wins, then ratings, then fewer turns
//! left. So the first candidate that is legal here is the answer, and only a few are read.

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

/// Where an answer comes from, in the order in which the document asks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// The most common setup of gold.
    Setup,
    /// The most common answer to it.
    SetupReply,
    /// The list of wins in two turns.
    Win,
    /// The whole board.
    Full,
    /// The middle four rows.
    Middle,
    /// Five by five squares around the trap nearest to the piece that the opponent moved last.
    Area,
    /// Five by five squares around a piece, with strengths reduced to what they mean to it.
    Piece,
}

impl Tier {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Setup, Self::SetupReply, Self::Win, Self::Full, Self::Middle, Self::Area, Self::Piece];

    /// Its name.
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

/// How to ask.
#[derive(Clone, Debug)]
pub struct LookupOptions {
    /// Whether mirror images and exchanged sides count; the document had neither.
    pub symmetry: bool,
    /// What the area of a specific piece is around.
    pub center: AreaCenter,
    /// Where the opponent moved last, if the game does not tell.
    pub last_moved_square: Option<Square>,
    /// After so many candidates a tier gives up.
    pub max_candidates: usize,
    /// Turns after which the opponent can score at once are passed over like illegal ones.
    pub guarded: bool,
}

impl Default for LookupOptions {
    fn default() -> Self {
        Self {
            symmetry: true,
            center: AreaCenter::Piece,
            last_moved_square: None,
            max_candidates: 5000,
            guarded: false,
        }
    }
}

/// What a tier answers.
#[derive(Clone, Debug, Default)]
pub struct LookupResult {
    /// What to play; nothing if nothing fits.
    pub hit: Option<Hit>,
    /// How many candidates were looked at.
    pub examined: usize,
    /// How many of them are not legal here.
    pub illegal: usize,
    /// Whether it gave up before it had seen all.
    pub limit_reached: bool,
}

/// What to play, and where it comes from.
#[derive(Clone, Debug)]
pub struct Hit {
    /// A turn, or a setup.
    pub next: SetupOrTurn,
    /// The stored position it was played in; none for gold's own setup answered in kind.
    pub position: Option<PositionId>,
    /// How the stored turn ranks.
    pub rank: Option<Rank>,
    /// How many games played it, for setups.
    pub games: Option<u64>,
    /// Whether it was found in the mirror.
    pub mirrored: bool,
    /// Whether it was found with the sides exchanged.
    pub flipped: bool,
    /// Whether the area was looked at again around the moved piece.
    pub recentred: bool,
}

/// Asks a tier about the position at the start of the game's running turn.
pub fn lookup(store: &ArchiveDb, game: &Game, tier: Tier, options: &LookupOptions) -> Result<LookupResult> {
    match (tier, game.phase()) {
        (_, Phase::Over(ending)) => Err(ArchiveError::InvalidQuery(format!("the game is over: {ending}"))),
        (Tier::Setup, Phase::Setup(Side::Gold)) => setup::most_common(store, game),
        (Tier::SetupReply, Phase::Setup(Side::Silver)) => setup::answer(store, game, options),
        // A turn that has begun is nobody's position.
        (_, Phase::Setup(_)) | (Tier::Setup | Tier::SetupReply, _) => Ok(LookupResult::default()),
        (_, Phase::Play(_)) if !game.current_turn().is_empty() => Ok(LookupResult::default()),
        (Tier::Win, _) => wins::ask(store, game, options),
        (Tier::Full, _) => whole(store, game, options),
        (Tier::Middle, _) => middle(store, game, options),
        (Tier::Area, _) => area(store, game, options),
        (Tier::Piece, _) => piece(store, game, options),
    }
}

fn whole(store: &ArchiveDb, game: &Game, options: &LookupOptions) -> Result<LookupResult> {
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

/// Where the opponent's last own step went.
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
    let Some(near) = options.last_moved_square.or_else(|| last_moved(game)) else {
        return Ok(LookupResult::default());
    };
    let view = MoverBoard::new(game.turn_start(), game.side());
    let trap = Trap::near(view.place(near));
    let mut asked = area_of(store, game, trap, options)?;
    let Some(Hit { next: SetupOrTurn::Turn(turn), .. }) = &asked.hit else { return Ok(asked) };
    // The document asks again around the piece where a turn leads out of what was looked at.
    let own =
        |turn: &Turn| turn.steps().filter(|step| step.piece().side() == game.side()).map(Step::to).collect();
    let ends: Vec<Square> = own(turn);
    if let Some(&outside) = ends.iter().find(|&&square| trap.area() >> view.place(square) & 1 == 0) {
        let next = Trap::near(view.place(outside));
        if next != trap {
            let again = area_of(store, game, next, options)?;
            asked.examined += again.examined;
            asked.illegal += again.illegal;
            asked.limit_reached |= again.limit_reached;
            if let Some(hit) = again.hit {
                asked.hit = Some(Hit { recentred: true, ..hit });
            }
        }
    }
    Ok(asked)
}

fn area_of(store: &ArchiveDb, game: &Game, trap: Trap, options: &LookupOptions) -> Result<LookupResult> {
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
        board.mobile(side).into_iter().map(|square| view.piece(view.place(square), options.center)).collect();
    for (index, pattern) in patterns.iter().enumerate() {
        merged.add(KeyColumn::Piece(options.center), crate::view::truncate_key(pattern.key).into(), index);
    }
    best(&mut merged, game, options, |view, _, index, mover| {
        let pattern = patterns.get(index)?;
        let found = view.piece(view.place(mover?), options.center);
        // The strengths are reduced, so that whatever stands on the squares here takes the steps.
        (found == *pattern).then(|| SymmetryMatch {
            any_piece: true,
            ..SymmetryMatch::new(found.mirrored != pattern.mirrored, false)
        })
    })
}

/// The first candidate that looks the same and is legal here.
fn best(
    merged: &mut MergedCursor<'_>,
    game: &Game,
    options: &LookupOptions,
    same: impl Fn(&MoverBoard, KeyColumn, usize, Option<Square>) -> Option<SymmetryMatch>,
) -> Result<LookupResult> {
    let mut asked = LookupResult::default();
    while let Some((candidate, column, index)) = merged.next()? {
        if options.max_candidates <= asked.examined {
            asked.limit_reached = true;
            break;
        }
        asked.examined += 1;
        let side = candidate.id.side();
        let flipped = side != game.side();
        // Most turns that don't fit can be told by their steps alone, which saves a look at their board.
        let any_piece = matches!(column, KeyColumn::Piece(_));
        if !legal::may_be_legal(game, &candidate, flipped, any_piece, options) {
            asked.illegal += 1;
            continue;
        }
        let board = merged.board(candidate.id)?;
        let mover = candidate.mover(&board);
        let Some(images) = same(&MoverBoard::new(&board, side), column, index, mover) else { continue };
        match images.legal(game, &candidate.next, &board, flipped, options) {
            Some((turn, mirrored)) => {
                asked.hit = Some(Hit {
                    next: SetupOrTurn::Turn(turn),
                    position: Some(candidate.id),
                    rank: Some(candidate.rank),
                    games: None,
                    mirrored,
                    flipped,
                    recentred: false,
                });
                break;
            }
            None => asked.illegal += 1,
        }
    }
    Ok(asked)
}

/// How the database finds the candidates of a tier.
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
                .map_or(Trap::HomeLeft, |near| Trap::near(view.place(near)));
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

/// The bytes of a turn, to compare turns of different boards.
pub(crate) fn bytes_of(turn: &Turn) -> Vec<u8> {
    pack_played(&PlayedTurn::Turn(*turn))
}

/// A stored position whose turn may be played.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) id: PositionId,
    pub(crate) rank: Rank,
    pub(crate) next: Vec<u8>,
    /// The pieces of the turn's steps; 0 if they are not known.
    pub(crate) movers: i32,
}

impl Candidate {
    /// What all others come behind.
    const fn before_all() -> Self {
        Self { id: PositionId(0), rank: Rank(-1), next: Vec::new(), movers: 0 }
    }

    /// Where the own piece stands that the stored turn moves first.
    fn mover(&self, board: &Board) -> Option<Square> {
        let turn = crate::pack::decode_turn(&self.next, board)?;
        turn.steps().find(|step| step.piece().side() == self.id.side()).map(Step::from)
    }
}
