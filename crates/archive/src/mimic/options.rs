//! The options of `mimic`.

use surus_play::{InvalidValue, OptionKind, OptionValue, option_enum, options};

use crate::lookup::Tier;
use crate::view::AreaCenter;

options! {
    /// The options of `mimic`.
    pub(super) struct MimicOptions {
        store: String = OptionKind::Str, "",
            "The archive: a file, or postgres://…; the one in the user's data folder if it is empty.";
        fallback: String = OptionKind::Str, "random",
            "The engine that plays where the archive has no answer; its options are parted by semicolons.";
        tiers: Tiers = OptionKind::Str, "win+full+middle+area+piece",
            "What is asked after the setups, in this order.";
        time: f64 = OptionKind::Float(0.001, 3600.0), "30", "Seconds after which no further tier is asked.";
        symmetry: bool = OptionKind::Bool, "true", "Whether mirror images and exchanged sides count.";
        center: AreaCenter = OptionKind::Choice(&["piece", "trap"]), "piece",
            "What the area of a specific piece is around: the piece, or the trap nearest to it.";
        fullboard_until: u32 = OptionKind::Int(0, 100_000), "0",
            "The last turn in which the full board is asked for; 0 for always.";
        exact: Exact = OptionKind::Choice(Exact::WORDS), "off",
            "Search for a goal in one turn, or in two, instead of asking the list of wins.";
        learn: bool = OptionKind::Bool, "false", "Add its own games to the archive when they are over.";
        guarded: bool = OptionKind::Bool, "false",
            "Take a goal where there is one, and play nothing that loses to a goal at once.";
    }
}

option_enum! {
    /// How far a goal is searched for.
    pub(super) enum Exact { Off = "off", One = "one", Two = "two" }
}

/// Tiers of play, as in `full+area`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tiers(pub(super) Vec<Tier>);

impl OptionValue for Tiers {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let tier = |word: &str| {
            let tier: Option<Tier> = word.trim().parse().ok();
            tier.filter(|tier| !matches!(tier, Tier::Setup | Tier::SetupReply))
        };
        let words = text.split('+').filter(|_| !text.is_empty());
        words.map(tier).collect::<Option<_>>().map(Self).ok_or_else(|| InvalidValue {
            expected: "some of win, full, middle, area, piece with + between them".into(),
        })
    }
}

impl OptionValue for AreaCenter {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        match text {
            "piece" => Ok(Self::Piece),
            "trap" => Ok(Self::Trap),
            _ => Err(InvalidValue { expected: "piece or trap".into() }),
        }
    }
}
