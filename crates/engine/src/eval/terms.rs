//! The layout of the parameters: the terms in order, and what their entries are indexed by. The values are in a file,
//! see [`super::Weights`].

use super::term::{Spec, Term, table};

table! {
    /// An officer, by how many pieces of the other side are stronger.
    OFFICERS[9];
    /// All rabbits together, by their number.
    RABBITS_LEFT[9];
    /// All pieces together, by their number.
    PIECES_LEFT[17];
    /// The place of an officer, by its class (nobody is stronger, one, two or three, four or five, more), rank and
    /// file from the edge.
    PLACES[160];
    /// The place of a rabbit while the other side has eight officers, by rank and file from the edge.
    RABBITS_EARLY[32];
    /// The place of a rabbit when the other side has no officer left, by rank and file from the edge.
    RABBITS_LATE[32];
    /// A frozen piece, by its class (rabbits last) and whether it is in the enemy's half.
    FROZEN[12];
    /// A piece next to a stronger enemy that a friend keeps free, by its class and whether it is in the enemy's
    /// half.
    PRESSED[12];
    /// Pieces next to an own trap, by own ones and those of the other side.
    GUARDS[25];
    /// The best own guard of a trap that is not frozen, by class (no officer last); own traps, then the enemy's.
    BEST_GUARD[12];
    /// Who rules around an own trap: the pieces near it by strength and distance, the other side's taken off; the
    /// ninth entry is even.
    CONTROL[17];
    /// A piece next to a stronger enemy near an own trap, by its class, steps to the trap (0 to 3) and guards of
    /// the trap beside it (0, 1, more).
    HELD_HOME[72];
    /// The same near a trap of the enemy.
    HELD_AWAY[72];
    /// A piece near a trap that a stronger enemy can reach in one step, by its class, steps to the trap (0 to 2)
    /// and guards beside it (0, 1, more).
    STALKED[54];
    /// A piece on a trap with one guard and an enemy beside it, by its class.
    FRAMED[6];
    /// The only guard of such a piece, by its class.
    PINNED[6];
    /// Steps from the strongest free officer to each trap of the enemy.
    ATTACK[9];
    /// Squares that the elephant reaches in three steps, in twos.
    MOBILITY[13];
    /// An elephant with no exit, then with one, by its rank.
    BLOCKADE[16];
    /// Steps between the own elephant and camel.
    TOGETHER[9];
    /// Steps from a piece of the second class to the nearest stronger enemy: in the own half, then in the enemy's.
    SECOND_NEAR[18];
    /// The same for the third class.
    THIRD_NEAR[18];
    /// On a wing, elephants aside, the other side's best officer is stronger, equal, weaker than ours; by own and
    /// other elephant there.
    WING[12];
    /// The difference of officers between the wings.
    LOPSIDED[9];
    /// The strongest, second, third strongest free officer is stronger than the other side's.
    FREE[3];
    /// A rabbit's way, by ranks to goal, enemies ahead on three files (0 to 3) and whether it is frozen.
    RUN[64];
    /// What is in front of a rabbit at most four ranks from goal: nothing, an own piece, an enemy; by ranks to
    /// goal.
    FRONT[15];
    /// Free officers at most two steps from such a rabbit: none, cats and dogs, stronger ones; by ranks to goal.
    HELP[15];
    /// To be the one who begins a turn.
    TEMPO[1];
}

/// How many parameters there are.
pub const PARAMETERS: usize = {
    let mut sum = 0;
    let mut i = 0;
    while i < COUNT {
        sum += LENGTHS[i];
        i += 1;
    }
    sum
};

const fn row(id: usize) -> Term {
    let mut first = 0;
    let mut i = 0;
    while i < id {
        first += LENGTHS[i];
        i += 1;
    }
    Term { id, first, len: LENGTHS[id] }
}
