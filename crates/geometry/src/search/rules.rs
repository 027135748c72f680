//! What directs a search, and the heuristic rules of \[LG §4.6\].

use crate::Fidelity;

/// What selects and orders the actions of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guidance {
    /// The zones of the network, by these rules.
    Zones(Fidelity, HeuristicRules),
    /// Lower bounds of distances, without zones: the yardstick of the others.
    Distances,
    /// What the extended zones propose, then everything else within the lower bounds.
    Both,
}

impl Guidance {
    /// The extended zones alone.
    pub const EXTENDED: Self = Self::zones(Fidelity::Extended);

    /// The zones, by the rules that belong to them.
    #[must_use]
    pub const fn zones(fidelity: Fidelity) -> Self {
        Self::Zones(fidelity, HeuristicRules::of(fidelity))
    }

    /// Whether a search halts with its first success, by one of the rules for that.
    pub(super) const fn halts(self, rule: HeuristicRule) -> bool {
        match self {
            Self::Zones(_, rules) => rules.has(rule),
            Self::Distances | Self::Both => true,
        }
    }
}

/// A heuristic rule, in the order of \[LG\].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HeuristicRule {
    /// The goal is to capture an opposing piece: the search halts with the first capture.
    CaptureHalts,
    /// A CUT zone is generated for each trap; without the rule only for the one with the cheapest zone.
    EveryTrap,
    /// The attacker prefers to displace a piece towards a trap.
    TowardsTrap,
    /// The defender prefers to move the attacked piece away.
    Retreat,
    /// The attacker moves obstacles out of its trajectory.
    MoveObstacles,
    /// The defender dominates the trap.
    DominateTrap,
    /// The defender blocks the main trajectory.
    BlockMain,
    /// The goal is to take a rabbit to the goal: the search halts with the first one.
    GoalHalts,
    /// An advance zone is generated; without the rule the rabbit only runs straight ahead.
    AdvanceZone,
    /// The attacker prefers to advance the rabbit.
    AdvanceFirst,
    /// The attacker covers the square where the rabbit is intercepted.
    CoverSquare,
    /// The defender intercepts the main trajectory.
    Intercept,
    /// The defender prefers moves that freeze the rabbit.
    FreezeFirst,
    /// The search ends in case of loss of pieces or if the zone is unmade.
    StopOnLoss,
}

impl HeuristicRule {
    /// The rules of the capture in one turn.
    pub const CAPTURE: [Self; 7] = [
        Self::CaptureHalts,
        Self::EveryTrap,
        Self::TowardsTrap,
        Self::Retreat,
        Self::MoveObstacles,
        Self::DominateTrap,
        Self::BlockMain,
    ];

    /// The rules of the goal in one turn.
    pub const GOAL: [Self; 7] = [
        Self::GoalHalts,
        Self::AdvanceZone,
        Self::AdvanceFirst,
        Self::CoverSquare,
        Self::Intercept,
        Self::FreezeFirst,
        Self::StopOnLoss,
    ];

    /// The rule as \[LG\] states it.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::CaptureHalts => "the goal is to capture an opposing piece",
            Self::EveryTrap => "a CUT zone for each trap",
            Self::TowardsTrap => "prefer to displace a piece towards a trap",
            Self::Retreat => "defender: move the attacked piece away",
            Self::MoveObstacles => "move obstacles out of the trajectory",
            Self::DominateTrap => "defender: dominate the trap",
            Self::BlockMain => "defender: block the main trajectory",
            Self::GoalHalts => "the goal is to take a rabbit to the goal",
            Self::AdvanceZone => "an advance zone",
            Self::AdvanceFirst => "prefer to advance the rabbit",
            Self::CoverSquare => "cover the square where the rabbit is intercepted",
            Self::Intercept => "defender: intercept the main trajectory",
            Self::FreezeFirst => "defender: prefer to freeze the rabbit",
            Self::StopOnLoss => "stop on loss of pieces or if the zone is unmade",
        }
    }
}

/// A set of heuristic rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeuristicRules(u16);

impl HeuristicRules {
    /// All fourteen.
    pub const ALL: Self = Self((1 << 14) - 1);

    /// The rules of a fidelity: all of them, except that the extended search goes on after the loss of a piece, because
    /// goals and captures at that price exist.
    #[must_use]
    pub const fn of(fidelity: Fidelity) -> Self {
        match fidelity {
            Fidelity::Printed | Fidelity::Paper => Self::ALL,
            Fidelity::Extended => Self::ALL.without(HeuristicRule::StopOnLoss),
        }
    }

    /// The set without a rule.
    #[must_use]
    pub const fn without(self, rule: HeuristicRule) -> Self {
        Self(self.0 & !(1 << rule as u16))
    }

    /// The set with a rule.
    #[must_use]
    pub const fn with(self, rule: HeuristicRule) -> Self {
        Self(self.0 | 1 << rule as u16)
    }

    /// Whether a rule is in the set.
    #[must_use]
    pub const fn has(self, rule: HeuristicRule) -> bool {
        self.0 & 1 << rule as u16 != 0
    }
}
