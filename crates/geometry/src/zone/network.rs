//! The network of all zones of a position.

use surus_rules::{Board, Side, Square};

use super::{TimeModel, Zone, advance_zone, cut_zones, rabbit_run};
use crate::Fidelity;

/// The zones of both sides: captures possible within a turn, and runs of rabbits.
#[derive(Clone, Debug)]
pub struct Network {
    /// CUT zones of gold, then of silver, in the order of the traps.
    pub cuts: Vec<Zone>,
    /// Advance zones of gold, then of silver, the shortest run of each rabbit.
    pub advances: Vec<Zone>,
}

impl Network {
    /// All zones of a board, with a full turn for either side and runs of up to `max_run` steps.
    #[must_use]
    pub fn new(board: &Board, fidelity: Fidelity, max_run: u8) -> Self {
        let cuts = Side::BOTH.into_iter().flat_map(|side| cut_zones(board, side, 4, fidelity)).collect();
        let rabbits = Side::BOTH.into_iter().flat_map(|side| board.rabbits(side));
        let runs = rabbits
            .filter_map(|rabbit| {
                let near = |(_, length): &(Square, u8)| (1..=max_run).contains(length);
                let (goal, length) = rabbit_run(board, rabbit).filter(near)?;
                advance_zone(board, rabbit, goal, length, TimeModel::Serial)
            })
            .collect();
        Self { cuts, advances: runs }
    }

    /// Every zone.
    pub fn zones(&self) -> impl Iterator<Item = &Zone> {
        self.cuts.iter().chain(&self.advances)
    }

    /// C^+: whether every trajectory of a zone is connected with its main one, directly or through others.
    #[must_use]
    pub fn is_network(zone: &Zone) -> bool {
        let mut linked: Vec<bool> = zone.symbols.iter().map(|symbol| symbol.negation == 0).collect();
        for index in 0..zone.symbols.len() {
            let parents = zone.parents(index);
            linked[index] |= parents.into_iter().any(|parent| linked[parent]);
        }
        linked.into_iter().all(|linked| linked)
    }
}
