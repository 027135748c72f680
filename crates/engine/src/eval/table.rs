//! The one table of parameters, in thousandths of a rabbit. `surus learn tune` writes the numbers.

use super::term::{Spec, Term, table};
use crate::score::Score;

table! {
    /// An officer, by how many pieces of the other side are stronger.
    OFFICERS[9] = [
        5524, 3267, 2319, 1798, 1468, 1240, 1074, 946, 846,
    ];
    /// All rabbits together, by their number.
    RABBITS_LEFT[9] = [
        -3500, 0, 3500, 5547, 6999, 8126, 9046, 9824, 10499,
    ];
    /// All pieces together, by their number.
    PIECES_LEFT[17] = [
        -3500, 0, 3500, 5547, 6999, 8126, 9046, 9824, 10499,
        11093, 11625, 12106, 12546, 12950, 13324, 13672, 13998,
    ];
    /// The place of an officer, by its class (nobody is stronger, one, two or three, four or five, more), rank and
    /// file from the edge.
    PLACES[160] = [
        -710, -510, -400, -370, -440, -240, -130, -100,
        -280, -80, 30, 60, -200, 0, 110, 140,
        -170, 30, 140, 170, -190, 10, 120, 150,
        -380, -180, -70, -40, -680, -480, -370, -340,
        -180, -110, -100, -110, -80, -10, 0, -10,
        -10, 60, 70, 60, 10, 80, 90, 80,
        0, 70, 80, 70, -40, 30, 40, 30,
        -160, -90, -80, -90, -310, -240, -230, -240,
        -110, -60, -90, -120, -40, 10, -20, -50,
        10, 60, 30, 0, 40, 90, 60, 30,
        50, 100, 70, 40, 70, 120, 90, 60,
        -30, 20, -10, -40, -170, -120, -150, -180,
        -20, 30, 40, 20, 30, 80, 90, 70,
        10, 60, 70, 50, -50, 0, 10, -10,
        -90, -40, -30, -50, -150, -100, -90, -110,
        -250, -200, -190, -210, -330, -280, -270, -290,
        -20, 30, 40, 20, 30, 80, 90, 70,
        10, 60, 70, 50, -50, 0, 10, -10,
        -90, -40, -30, -50, -150, -100, -90, -110,
        -250, -200, -190, -210, -330, -280, -270, -290,
    ];
    /// The place of a rabbit while the other side has eight officers, by rank and file from the edge.
    RABBITS_EARLY[32] = [
        110, 90, 50, 60, 100, 80, 40, 50,
        20, 0, -40, -30, -50, -70, -110, -100,
        -90, -110, -150, -140, -20, -40, -80, -70,
        190, 170, 130, 140, 40, 20, -20, -10,
    ];
    /// The place of a rabbit when the other side has no officer left, by rank and file from the edge.
    RABBITS_LATE[32] = [
        20, 10, 0, 0, 40, 30, 20, 20,
        80, 70, 60, 60, 150, 140, 130, 130,
        270, 260, 250, 250, 470, 460, 450, 450,
        820, 810, 800, 800, 20, 10, 0, 0,
    ];
    /// A frozen piece, by its class (rabbits last) and whether it is in the enemy's half.
    FROZEN[12] = [
        -630, -630, -406, -406, -290, -290,
        -220, -220, -180, -180, -130, -130,
    ];
    /// A piece next to a stronger enemy that a friend keeps free, by its class and whether it is in the enemy's
    /// half.
    PRESSED[12] = [
        -150, -150, -94, -94, -65, -65,
        -47, -47, -37, -37, -25, -25,
    ];
    /// Pieces next to an own trap, by own ones and those of the other side.
    GUARDS[25] = [
        -250, -340, -480, -550, -560, -60, -150, -290, -360,
        -370, 60, -30, -170, -240, -250, 90, 0, -140,
        -210, -220, 80, -10, -150, -220, -230,
    ];
    /// The best own guard of a trap that is not frozen, by class (no officer last); own traps, then the enemy's.
    BEST_GUARD[12] = [
        40, 0, 0, 0, 0, 0,
        120, 0, 0, 0, 0, 0,
    ];
    /// Who rules around an own trap: the pieces near it by strength and distance, the other side's taken off; the
    /// ninth entry is even.
    CONTROL[17] = [
        -240, -210, -180, -150, -120, -90, -60, -30, 0,
        30, 60, 90, 120, 150, 180, 210, 240,
    ];
    /// A piece next to a stronger enemy near an own trap, by its class, steps to the trap (0 to 3) and guards of
    /// the trap beside it (0, 1, more).
    HELD_HOME[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -376, -188, -753,
        -452, -188, -376, -188, -75, -113, -75, 0,
        -260, -260, -130, -520, -312, -130, -260, -130,
        -52, -78, -52, 0, -190, -190, -95, -380,
        -228, -95, -190, -95, -38, -57, -38, 0,
        -150, -150, -75, -300, -180, -75, -150, -75,
        -30, -45, -30, 0, -100, -100, -50, -200,
        -120, -50, -100, -50, -20, -30, -20, 0,
    ];
    /// The same near a trap of the enemy.
    HELD_AWAY[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -376, -188, -753,
        -452, -188, -376, -188, -75, -113, -75, 0,
        -260, -260, -130, -520, -312, -130, -260, -130,
        -52, -78, -52, 0, -190, -190, -95, -380,
        -228, -95, -190, -95, -38, -57, -38, 0,
        -150, -150, -75, -300, -180, -75, -150, -75,
        -30, -45, -30, 0, -100, -100, -50, -200,
        -120, -50, -100, -50, -20, -30, -20, 0,
    ];
    /// A piece near a trap that a stronger enemy can reach in one step, by its class, steps to the trap (0 to 2)
    /// and guards beside it (0, 1, more).
    STALKED[54] = [
        -180, -180, -90, -360, -216, -90,
        -180, -90, -36, -113, -113, -56,
        -226, -135, -56, -113, -56, -22,
        -78, -78, -39, -156, -93, -39,
        -78, -39, -15, -57, -57, -28,
        -114, -68, -28, -57, -28, -11,
        -45, -45, -22, -90, -54, -22,
        -45, -22, -9, -30, -30, -15,
        -60, -36, -15, -30, -15, -6,
    ];
    /// A piece on a trap with one guard and an enemy beside it, by its class.
    FRAMED[6] = [
        -600, -376, -260, -190, -150, -100,
    ];
    /// The only guard of such a piece, by its class.
    PINNED[6] = [
        -180, -113, -78, -57, -45, -30,
    ];
    /// Steps from the strongest free officer to each trap of the enemy.
    ATTACK[9] = [
        40, 40, 30, 20, 10, 0, 0, 0, 0,
    ];
    /// Squares that the elephant reaches in three steps, in twos.
    MOBILITY[13] = [
        -400, -350, -300, -250, -200, -150, -100, -50, 0,
        0, 0, 0, 0,
    ];
    /// An elephant with no exit, then with one, by its rank.
    BLOCKADE[16] = [
        -200, -260, -320, -380, -440, -500, -560, -620,
        -30, -40, -50, -60, -70, -80, -90, -100,
    ];
    /// Steps between the own elephant and camel.
    TOGETHER[9] = [
        0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    /// Steps from a piece of the second class to the nearest stronger enemy: in the own half, then in the enemy's.
    SECOND_NEAR[18] = [
        0, -150, -80, -30, 0, 0,
        0, 0, 0, 0, -300, -160,
        -60, 0, 0, 0, 0, 0,
    ];
    /// The same for the third class.
    THIRD_NEAR[18] = [
        0, -75, -40, -15, 0, 0,
        0, 0, 0, 0, -150, -80,
        -30, 0, 0, 0, 0, 0,
    ];
    /// On a wing, elephants aside, the other side's best officer is stronger, equal, weaker than ours; by own and
    /// other elephant there.
    WING[12] = [
        -100, -100, -100, -100, 0, 0,
        0, 0, 100, 100, 100, 100,
    ];
    /// The difference of officers between the wings.
    LOPSIDED[9] = [
        0, 0, 0, -10, -30, -60, -100, -150, -200,
    ];
    /// The strongest, second, third strongest free officer is stronger than the other side's.
    FREE[3] = [
        300, 100, 50,
    ];
    /// A rabbit's way, by ranks to goal, enemies ahead on three files (0 to 3) and whether it is frozen.
    RUN[64] = [
        0, 0, 0, 0, 0, 0, 0, 0,
        700, 350, 233, 116, 0, 0, 0, 0,
        400, 200, 133, 66, 0, 0, 0, 0,
        200, 100, 66, 33, 0, 0, 0, 0,
        90, 45, 30, 15, 0, 0, 0, 0,
        30, 15, 10, 5, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
    ];
    /// What is in front of a rabbit at most four ranks from goal: nothing, an own piece, an enemy; by ranks to
    /// goal.
    FRONT[15] = [
        0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0,
    ];
    /// Free officers at most two steps from such a rabbit: none, cats and dogs, stronger ones; by ranks to goal.
    HELP[15] = [
        0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0,
    ];
    /// To be the one who begins a turn.
    TEMPO[1] = [
        150,
    ];
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

/// All parameters, term by term.
pub static WEIGHTS: [Score; PARAMETERS] = {
    let mut all = [0; PARAMETERS];
    let (mut term, mut at) = (0, 0);
    while term < COUNT {
        let mut i = 0;
        while i < LENGTHS[term] {
            all[at] = VALUES[term][i];
            at += 1;
            i += 1;
        }
        term += 1;
    }
    all
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
