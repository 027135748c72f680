//! The one table of parameters, in thousandths of a rabbit. `surus learn tune` writes the numbers.

use super::term::{Spec, Term, table};
use crate::score::Score;

table! {
    /// An officer, by how many pieces of the other side are stronger.
    OFFICERS[9] = [
        5620, 3295, 2324,
        2053, 1563, 1323,
        1336, 946, 846,
    ];
    /// All rabbits together, by their number.
    RABBITS_LEFT[9] = [
        -3500, -24, 3469,
        5357, 6876, 8052,
        8924, 9897, 10878,
    ];
    /// All pieces together, by their number.
    PIECES_LEFT[17] = [
        -3500, 0, 3500, 5545, 7002, 8140, 9011, 9786, 10405, 11010, 11494, 12016, 12452, 12771, 13394, 13881, 14289,
    ];
    /// The place of an officer, by its class (nobody is stronger, one, two or three, four or five, more), rank and
    /// file from the edge.
    PLACES[160] = [
        -769, -458, -611, -384, -563, -355, -260, -12,
        -332, -267, 84, -7, -85, -79, 187, 472,
        -170, 140, 23, 409, -223, -84, 150, 246,
        -367, -130, -1, -43, -683, -474, -369, -330,
        -256, -129, 262, -73, -177, 123, -93, 40,
        90, 211, 175, 216, -19, -115, -51, -179,
        41, 97, -9, -12, -151, 234, 71, -153,
        -275, -219, 30, -173, -302, -244, -223, -253,
        -154, -150, -210, -102, -119, -316, 330, 153,
        72, 77, 96, 41, 55, 127, 32, 22,
        147, 165, 113, 109, 143, 352, 58, -71,
        -31, -44, 255, 26, -163, -120, -22, -251,
        85, 390, 52, 187, 194, -141, 508, 243,
        -372, -212, 57, 184, 102, -2, 24, 41,
        -71, 19, -181, -113, -348, -176, -97, -257,
        -309, -276, -249, -237, -353, -286, -276, -333,
        129, 289, 8, 258, 154, 54, 264, 213,
        -150, 255, 169, -76, -178, -110, -303, -59,
        -99, -104, -103, -92, -170, -183, -145, -120,
        -183, -202, -223, -229, -325, -285, -266, -288,
    ];
    /// The place of a rabbit while the other side has eight officers, by rank and file from the edge.
    RABBITS_EARLY[32] = [
        167, -11, 2, -24, 57, 49, -23, 72,
        -158, 202, -34, -160, 72, -13, -192, -141,
        20, -152, -153, -86, 72, 46, -96, -57,
        198, 212, 121, 145, 40, 20, -20, -10,
    ];
    /// The place of a rabbit when the other side has no officer left, by rank and file from the edge.
    RABBITS_LATE[32] = [
        298, 78, 202, 54, 174, 204, 181, 77,
        182, 198, 68, 75, 345, 239, 154, 238,
        376, 286, 270, 233, 534, 490, 484, 480,
        835, 827, 801, 818, 20, 10, 0, 0,
    ];
    /// A frozen piece, by its class (rabbits last) and whether it is in the enemy's half.
    FROZEN[12] = [
        -630, -630, -441, -831, -135, -303,
        -96, -516, -115, -232, -139, 145,
    ];
    /// A piece next to a stronger enemy that a friend keeps free, by its class and whether it is in the enemy's
    /// half.
    PRESSED[12] = [
        -150, -150, -59, -51, -50, -66,
        -43, -225, -19, -148, 86, 105,
    ];
    /// Pieces next to an own trap, by own ones and those of the other side.
    GUARDS[25] = [
        -272, -390, -649, -614, -566,
        -130, -69, -321, -354, -370,
        -30, 39, -139, -240, -250,
        122, 206, -140, -210, -220,
        96, -10, -150, -220, -230,
    ];
    /// The best own guard of a trap that is not frozen, by class (no officer last); own traps, then the enemy's.
    BEST_GUARD[12] = [
        -191, 113, 68, 45, 87, -51,
        109, 95, 175, -104, -10, -102,
    ];
    /// Who rules around an own trap: the pieces near it by strength and distance, the other side's taken off; the
    /// ninth entry is even.
    CONTROL[17] = [
        -240, -210, -181, -152, -124, -118, -232, -244, -160, 44, 171, 211, 340, 182, 137, 197, 243,
    ];
    /// A piece next to a stronger enemy near an own trap, by its class, steps to the trap (0 to 3) and guards of
    /// the trap beside it (0, 1, more).
    HELD_HOME[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -342, -228, -754,
        -374, -257, -380, -203, -65, -112, -81, 40,
        -260, -186, -70, -527, -339, -159, -293, -105,
        33, -74, -37, 34, -190, -152, -135, -364,
        -289, -203, -189, -50, -46, -74, -28, 238,
        -150, -75, 45, -303, -166, -133, -152, -147,
        -24, -42, -62, 44, -100, -68, -58, -163,
        -100, 120, -142, -9, -66, -87, -53, -87,
    ];
    /// The same near a trap of the enemy.
    HELD_AWAY[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -358, -197, -905,
        -525, -192, -532, -285, -91, -126, -55, 7,
        -260, -274, -123, -598, -344, -132, -259, -66,
        -40, -38, -60, -10, -190, -235, -71, -500,
        -334, -86, -268, -140, -121, -37, -97, -7,
        -150, -213, -73, -392, -194, -79, -228, -59,
        -58, 1, -2, 10, -100, -136, -29, -294,
        -136, -32, -240, 58, 217, 34, 126, 92,
    ];
    /// A piece near a trap that a stronger enemy can reach in one step, by its class, steps to the trap (0 to 2)
    /// and guards beside it (0, 1, more).
    STALKED[54] = [
        -180, -180, -90, -360, -216, -90,
        -180, -90, -36, -113, -109, -55,
        -218, -108, -121, -196, -66, -130,
        -78, -95, -59, -183, -70, 30,
        -133, -66, -106, -57, -30, -25,
        -88, -135, -30, -56, -28, -154,
        -45, -46, -31, -101, -204, 22,
        -77, -41, 5, -30, -73, 64,
        -65, 3, 58, -130, -24, -87,
    ];
    /// A piece on a trap with one guard and an enemy beside it, by its class.
    FRAMED[6] = [
        -550, -280, -227,
        -176, -131, -106,
    ];
    /// The only guard of such a piece, by its class.
    PINNED[6] = [
        -272, -106, -25,
        -12, 53, 68,
    ];
    /// Steps from the strongest free officer to each trap of the enemy.
    ATTACK[9] = [
        39, 232, 164,
        71, -8, 94,
        -125, -130, -118,
    ];
    /// Squares that the elephant reaches in three steps, in twos.
    MOBILITY[13] = [
        -576, -533, -535, -346, -98, -57, 6, -23, 20, -31, 88, 225, 2,
    ];
    /// An elephant with no exit, then with one, by its rank.
    BLOCKADE[16] = [
        -275, -259, -325, -405, -434, -497, -581, -619,
        -172, -87, -89, -34, -35, -133, -111, -92,
    ];
    /// Steps between the own elephant and camel.
    TOGETHER[9] = [
        0, -83, 83,
        88, -32, -3,
        104, -35, -97,
    ];
    /// Steps from a piece of the second class to the nearest stronger enemy: in the own half, then in the enemy's.
    SECOND_NEAR[18] = [
        0, -153, -141, 34, -113, -183,
        131, 273, 194, 0, -696, -315,
        -171, 3, 29, 195, 41, 131,
    ];
    /// The same for the third class.
    THIRD_NEAR[18] = [
        0, 79, 22, -118, -140, -49,
        139, 111, -202, 0, -179, -71,
        201, 73, 281, 182, -20, -15,
    ];
    /// On a wing, elephants aside, the other side's best officer is stronger, equal, weaker than ours; by own and
    /// other elephant there.
    WING[12] = [
        -195, -175, -95, -341, 0, 45,
        -45, 0, 195, 95, 175, 341,
    ];
    /// The difference of officers between the wings.
    LOPSIDED[9] = [
        95, 54, 138,
        -179, -174, -143,
        -35, -151, -186,
    ];
    /// The strongest, second, third strongest free officer is stronger than the other side's.
    FREE[3] = [
        40, -223, -128,
    ];
    /// A rabbit's way, by ranks to goal, enemies ahead on three files (0 to 3) and whether it is frozen.
    RUN[64] = [
        0, 0, 0, 0, 0, 0, 0, 0,
        700, 379, 222, 210, 28, -61, 18, 4,
        398, 224, 215, 142, 158, 37, 87, -128,
        195, 124, 155, 109, 147, 69, -61, 129,
        90, 59, 302, 14, 129, 35, -55, 27,
        24, 16, 31, 23, 20, 53, -9, 34,
        17, 0, 101, 17, 174, 28, -90, -72,
        2, 0, 115, -10, 296, 20, -213, -113,
    ];
    /// What is in front of a rabbit at most four ranks from goal: nothing, an own piece, an enemy; by ranks to
    /// goal.
    FRONT[15] = [
        0, 0, 0, 39, 0,
        50, 202, 62, 73, 165,
        36, 22, 190, -40, 258,
    ];
    /// Free officers at most two steps from such a rabbit: none, cats and dogs, stronger ones; by ranks to goal.
    HELP[15] = [
        0, 0, 0, 3, 11,
        83, 27, 61, 216, -38,
        42, 239, 121, -34, 231,
    ];
    /// To be the one who begins a turn.
    TEMPO[1] = [
        551,
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
