//! The list of terms with the layout of their parameters. The values are in a file, see [`super::Weights`].

use super::term::{Term, TermSpec, terms};

terms! {
    /// Value of an officer, by the number of stronger enemies.
    OFFICER_VALUE[9];
    /// Value of all rabbits together, by their number.
    RABBIT_COUNT[9];
    /// Value of all pieces together, by their number.
    PIECE_COUNT[17];
    /// Piece-square table of officers, by class (stronger enemies: none, one, two or three, four or five, more), rank and
    /// file from the edge.
    OFFICER_PST[160];
    /// Piece-square table of rabbits while the opponent has eight officers, by rank and file from the edge.
    RABBIT_PST_EARLY[32];
    /// Piece-square table of rabbits when the opponent has no officers left, by rank and file from the edge.
    RABBIT_PST_LATE[32];
    /// A frozen piece, by class (rabbits last) and whether it is in the enemy's half.
    FROZEN[12];
    /// A piece next to a stronger enemy that a friend keeps mobile, by class and whether it is in the enemy's half.
    DOMINATED[12];
    /// Pieces next to a home trap, by the number of own pieces and of enemies.
    TRAP_GUARDS[25];
    /// The best own guard of a trap that is not frozen, by class (no officer last); home traps, then away traps.
    BEST_TRAP_GUARD[12];
    /// The balance of influence around a home trap, from the pieces near it by strength and distance; the ninth entry is
    /// even.
    TRAP_CONTROL[17];
    /// A piece next to a stronger enemy near a home trap, by class, steps to the trap (0 to 3) and other guards of the
    /// trap (0, 1, more).
    HOSTAGE_HOME[72];
    /// The same near an away trap.
    HOSTAGE_AWAY[72];
    /// A piece near a trap that a stronger enemy can reach in one step, by class, steps to the trap (0 to 2) and other
    /// guards (0, 1, more).
    TRAP_THREAT[54];
    /// A piece on a trap with one guard and an enemy next to the trap, by class.
    FRAMED[6];
    /// The only guard of such a piece, by class.
    PINNED[6];
    /// Steps from the strongest free officer to each away trap.
    TRAP_ATTACK[9];
    /// Squares that the elephant reaches in three steps, in pairs.
    ELEPHANT_MOBILITY[13];
    /// An elephant with no exit, then with one, by its rank.
    ELEPHANT_BLOCKADE[16];
    /// Steps between the own elephant and camel.
    ELEPHANT_CAMEL_DISTANCE[9];
    /// Steps from a piece of the second class to the nearest stronger enemy: in the own half, then in the enemy's.
    SECOND_CLASS_DISTANCE[18];
    /// The same for the third class.
    THIRD_CLASS_DISTANCE[18];
    /// On a wing, elephants aside, the enemy's strongest officer is stronger than, equal to or weaker than ours; by own
    /// and enemy elephant there.
    WING_BALANCE[12];
    /// The difference of officers between the wings.
    WING_IMBALANCE[9];
    /// The strongest, second, third strongest free officer is stronger than the enemy's.
    FREE_OFFICERS[3];
    /// A rabbit, by ranks to goal, enemies ahead on three files (0 to 3) and whether it is frozen.
    RABBIT_ADVANCE[64];
    /// The square in front of a rabbit at most four ranks from goal: empty, an own piece, an enemy; by ranks to goal.
    RABBIT_FRONT[15];
    /// Free officers at most two steps from such a rabbit: none, cats and dogs, stronger ones; by ranks to goal.
    RABBIT_SUPPORT[15];
    /// Having the move.
    TEMPO[1];
}

/// The number of parameters.
pub const PARAMETER_COUNT: usize = {
    let mut sum = 0;
    let mut i = 0;
    while i < COUNT {
        sum += LENGTHS[i];
        i += 1;
    }
    sum
};

const fn term(id: usize) -> Term {
    let mut first = 0;
    let mut i = 0;
    while i < id {
        first += LENGTHS[i];
        i += 1;
    }
    Term { id, first, len: LENGTHS[id] }
}
