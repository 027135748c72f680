//! The one table of parameters, in thousandths of a rabbit. `surus learn tune` writes the numbers.

use super::term::{Spec, Term, table};
use crate::score::Score;

table! {
    /// An officer, by how many pieces of the other side are stronger.
    OFFICERS[9] = [
        5764, 3223, 2394,
        2114, 1532, 1460,
        1373, 946, 846,
    ];
    /// All rabbits together, by their number.
    RABBITS_LEFT[9] = [
        -3500, -62, 3385,
        5218, 6859, 7916,
        8918, 10014, 10922,
    ];
    /// All pieces together, by their number.
    PIECES_LEFT[17] = [
        -3500, 0, 3500, 5547, 7004, 8152, 8977, 9757, 10309, 10934, 11369, 11989, 12304, 12818, 13513, 14021, 14251,
    ];
    /// The place of an officer, by its class (nobody is stronger, one, two or three, four or five, more), rank and
    /// file from the edge.
    PLACES[160] = [
        -751, -461, -786, -369, -554, -491, -225, 80,
        -336, -279, 163, 30, -183, -152, 181, 514,
        -199, 135, 31, 441, -243, -189, 180, 284,
        -357, -81, 154, -11, -683, -461, -354, -314,
        -445, -82, 250, -63, -214, 77, -92, 33,
        221, 203, 165, 225, -18, -163, -64, -223,
        170, 134, -10, -29, -75, 234, 104, -227,
        -360, -263, 44, -237, -295, -213, -299, -259,
        -282, -185, -344, -34, -54, -301, 229, 249,
        110, 131, 38, 145, 73, 196, 31, 55,
        203, 178, 122, 170, 58, 368, 78, -112,
        -14, -100, 385, 47, -159, -71, -15, -302,
        132, 281, 29, 233, 246, -143, 526, 355,
        -424, -183, 70, 230, 72, 134, -38, 38,
        -26, 74, -287, -128, -363, -161, -23, -270,
        -352, -313, -259, -284, -362, -314, -267, -369,
        287, 336, 78, 218, 206, 74, 404, 285,
        -246, 196, 35, -124, -313, -153, -421, -104,
        -156, -177, -103, -170, -183, -231, -218, -100,
        -165, -219, -228, -229, -327, -276, -253, -295,
    ];
    /// The place of a rabbit while the other side has eight officers, by rank and file from the edge.
    RABBITS_EARLY[32] = [
        30, 44, 7, 73, 19, 28, 42, 115,
        -138, 129, 56, -135, 50, -72, -208, -108,
        -53, -102, -158, -90, 60, 105, -183, -103,
        270, 230, 124, 152, 40, 20, -20, -10,
    ];
    /// The place of a rabbit when the other side has no officer left, by rank and file from the edge.
    RABBITS_LATE[32] = [
        457, 65, 222, 183, 279, 227, 292, 182,
        231, 283, 128, 100, 457, 280, 212, 297,
        468, 331, 342, 273, 610, 532, 553, 507,
        864, 852, 816, 842, 20, 10, 0, 0,
    ];
    /// A frozen piece, by its class (rabbits last) and whether it is in the enemy's half.
    FROZEN[12] = [
        -630, -630, -443, -778, -150, -329,
        -35, -477, -143, -297, -58, 188,
    ];
    /// A piece next to a stronger enemy that a friend keeps free, by its class and whether it is in the enemy's
    /// half.
    PRESSED[12] = [
        -150, -150, -36, -22, -72, -39,
        -70, -249, 20, -232, 89, 92,
    ];
    /// Pieces next to an own trap, by own ones and those of the other side.
    GUARDS[25] = [
        -295, -404, -825, -687, -570,
        -148, 6, -357, -418, -370,
        -40, 121, -136, -240, -250,
        87, 325, -140, -210, -220,
        116, -10, -150, -220, -230,
    ];
    /// The best own guard of a trap that is not frozen, by class (no officer last); own traps, then the enemy's.
    BEST_GUARD[12] = [
        -167, 78, 69, 1, 112, -17,
        165, -1, 125, -101, -6, -94,
    ];
    /// Who rules around an own trap: the pieces near it by strength and distance, the other side's taken off; the
    /// ninth entry is even.
    CONTROL[17] = [
        -240, -210, -181, -156, -128, -148, -390, -449, -126, 138, 200, 238, 372, 264, 137, 177, 234,
    ];
    /// A piece next to a stronger enemy near an own trap, by its class, steps to the trap (0 to 3) and guards of
    /// the trap beside it (0, 1, more).
    HELD_HOME[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -329, -297, -749,
        -321, -327, -378, -183, 0, -109, -73, 21,
        -260, -186, -69, -532, -306, -114, -316, -176,
        -22, -72, 2, 65, -190, -98, -173, -370,
        -294, -208, -179, -89, -41, -91, 33, 306,
        -150, -74, 28, -312, -107, -177, -137, -152,
        50, -31, -69, -1, -100, -5, -5, -148,
        -73, 77, -175, -4, 6, -121, -106, -96,
    ];
    /// The same near a trap of the enemy.
    HELD_AWAY[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -339, -199, -973,
        -497, -145, -553, -274, -120, -129, -3, 42,
        -260, -264, -109, -658, -402, -103, -278, -48,
        -72, -17, -24, 41, -190, -197, -43, -530,
        -372, -76, -196, -154, -171, 7, -121, -4,
        -150, -280, -77, -430, -195, -69, -288, -68,
        -74, 27, 11, 19, -100, -158, -17, -353,
        -182, 23, -346, 125, 296, 58, 147, 151,
    ];
    /// A piece near a trap that a stronger enemy can reach in one step, by its class, steps to the trap (0 to 2)
    /// and guards beside it (0, 1, more).
    STALKED[54] = [
        -180, -180, -90, -360, -216, -90,
        -180, -90, -36, -113, -107, -58,
        -218, -80, -149, -249, -88, -78,
        -78, -101, -68, -267, -91, 83,
        -205, -115, -207, -57, 0, -31,
        -122, -161, -55, -94, -29, -132,
        -45, -41, -49, -104, -191, 41,
        -96, -63, -9, -30, -98, 132,
        -58, 85, 98, -171, 20, 7,
    ];
    /// A piece on a trap with one guard and an enemy beside it, by its class.
    FRAMED[6] = [
        -504, -213, -210,
        -73, -183, -108,
    ];
    /// The only guard of such a piece, by its class.
    PINNED[6] = [
        -293, -79, 46,
        9, 46, 147,
    ];
    /// Steps from the strongest free officer to each trap of the enemy.
    ATTACK[9] = [
        26, 242, 197,
        142, 83, 106,
        -2, -203, -325,
    ];
    /// Squares that the elephant reaches in three steps, in twos.
    MOBILITY[13] = [
        -649, -654, -615, -362, -96, -6, 58, 50, 47, 19, 68, 178, 0,
    ];
    /// An elephant with no exit, then with one, by its rank.
    BLOCKADE[16] = [
        -285, -243, -316, -429, -423, -520, -578, -618,
        -152, -86, -56, -74, 3, -177, -109, -90,
    ];
    /// Steps between the own elephant and camel.
    TOGETHER[9] = [
        0, -57, 115,
        18, 23, 27,
        115, -81, -214,
    ];
    /// Steps from a piece of the second class to the nearest stronger enemy: in the own half, then in the enemy's.
    SECOND_NEAR[18] = [
        0, -133, -139, -70, -190, -202,
        121, 306, 237, 0, -633, -468,
        -266, 97, 81, 250, 89, 117,
    ];
    /// The same for the third class.
    THIRD_NEAR[18] = [
        0, 44, 38, -149, -53, -7,
        129, 120, -213, 0, -191, -123,
        84, 168, 436, 323, -61, -39,
    ];
    /// On a wing, elephants aside, the other side's best officer is stronger, equal, weaker than ours; by own and
    /// other elephant there.
    WING[12] = [
        -265, -236, -87, -385, 0, 52,
        -52, 0, 265, 87, 236, 385,
    ];
    /// The difference of officers between the wings.
    LOPSIDED[9] = [
        95, 89, 135,
        -206, -207, -129,
        -2, -124, -187,
    ];
    /// The strongest, second, third strongest free officer is stronger than the other side's.
    FREE[3] = [
        22, -242, -127,
    ];
    /// A rabbit's way, by ranks to goal, enemies ahead on three files (0 to 3) and whether it is frozen.
    RUN[64] = [
        0, 0, 0, 0, 0, 0, 0, 0,
        700, 409, 228, 335, 61, -83, 22, 2,
        405, 236, 318, 176, 294, -13, 19, -229,
        193, 142, 219, 190, 249, 185, -130, 62,
        91, 86, 426, 105, 128, 67, -100, 16,
        39, 25, 60, 46, 54, 84, 27, 62,
        37, -2, 266, 34, 321, 48, -56, -77,
        -7, -2, 106, -8, 335, 40, -162, -203,
    ];
    /// What is in front of a rabbit at most four ranks from goal: nothing, an own piece, an enemy; by ranks to
    /// goal.
    FRONT[15] = [
        0, 0, 0, 75, 9,
        170, 214, 142, 51, 152,
        70, 68, 201, 57, 199,
    ];
    /// Free officers at most two steps from such a rabbit: none, cats and dogs, stronger ones; by ranks to goal.
    HELP[15] = [
        0, 0, 0, 60, 36,
        172, 8, 53, 263, -52,
        40, 297, 95, 90, 221,
    ];
    /// To be the one who begins a turn.
    TEMPO[1] = [
        634,
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
