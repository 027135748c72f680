//! The one table of parameters, in thousandths of a rabbit. `surus learn tune` writes the numbers.

use super::term::{Spec, Term, table};
use crate::score::Score;

table! {
    /// An officer, by how many pieces of the other side are stronger.
    OFFICERS[9] = [
        5541, 3334, 2302,
        1688, 1493, 1241,
        1189, 946, 846,
    ];
    /// All rabbits together, by their number.
    RABBITS_LEFT[9] = [
        -3500, 0, 3500,
        5547, 6996, 8119,
        9056, 9669, 10655,
    ];
    /// All pieces together, by their number.
    PIECES_LEFT[17] = [
        -3500, 0, 3500, 5547, 6999, 8126, 9046, 9824, 10499, 11093, 11621, 12098, 12550, 12948, 13271, 13590, 14149,
    ];
    /// The place of an officer, by its class (nobody is stronger, one, two or three, four or five, more), rank and
    /// file from the edge.
    PLACES[160] = [
        -719, -511, -395, -364, -442, -244, -100, -87,
        -281, -72, 14, -21, -198, -66, 192, 207,
        -151, 20, 120, 168, -193, -15, 120, 191,
        -380, -170, -92, -36, -680, -480, -371, -340,
        -100, -62, -30, -91, -122, 88, -22, 14,
        -12, 139, 128, 18, 23, 90, 6, -32,
        19, 88, -13, 18, -39, 129, 45, -76,
        -154, -112, -81, -86, -311, -244, -223, -232,
        -88, -38, -106, -199, -90, 105, 146, -102,
        82, -125, 59, -49, -25, 175, 67, 9,
        -4, 58, 72, 19, 89, 80, 92, 2,
        -30, 28, 69, -26, -170, -118, -145, -207,
        -38, 224, 124, 104, 71, -30, 402, 103,
        -104, -85, 80, 80, 5, -22, 12, -11,
        -83, -49, -95, -55, -198, -205, -134, -187,
        -273, -236, -214, -216, -331, -285, -257, -287,
        74, 43, 276, 13, 104, 102, 342, -38,
        3, 127, 165, -9, -34, -36, -120, -132,
        -121, -47, -86, -77, -182, -127, -98, -141,
        -258, -210, -212, -233, -330, -281, -282, -297,
    ];
    /// The place of a rabbit while the other side has eight officers, by rank and file from the edge.
    RABBITS_EARLY[32] = [
        -154, -98, -219, -1, -186, 17, -318, 256,
        -118, 118, -24, -7, 158, -89, -172, 160,
        52, -19, -65, 139, 24, 26, 55, -20,
        211, 180, 130, 152, 40, 20, -20, -10,
    ];
    /// The place of a rabbit when the other side has no officer left, by rank and file from the edge.
    RABBITS_LATE[32] = [
        11, 6, 2, -5, 55, 71, 22, 34,
        67, 57, 55, 77, 157, 134, 121, 145,
        279, 267, 259, 245, 474, 463, 458, 452,
        821, 812, 800, 800, 20, 10, 0, 0,
    ];
    /// A frozen piece, by its class (rabbits last) and whether it is in the enemy's half.
    FROZEN[12] = [
        -630, -630, -446, -585, -321, -300,
        -114, -379, -180, -292, -29, 206,
    ];
    /// A piece next to a stronger enemy that a friend keeps free, by its class and whether it is in the enemy's
    /// half.
    PRESSED[12] = [
        -150, -150, -145, -56, -18, -111,
        110, -120, -42, -85, 231, 316,
    ];
    /// Pieces next to an own trap, by own ones and those of the other side.
    GUARDS[25] = [
        -267, -351, -485, -550, -560,
        -119, -131, -227, -347, -370,
        55, -51, -60, -240, -250,
        30, -28, -140, -210, -220,
        82, -10, -150, -220, -230,
    ];
    /// The best own guard of a trap that is not frozen, by class (no officer last); own traps, then the enemy's.
    BEST_GUARD[12] = [
        75, -13, -46, 104, 110, -189,
        95, -6, -23, -58, -8, 120,
    ];
    /// Who rules around an own trap: the pieces near it by strength and distance, the other side's taken off; the
    /// ninth entry is even.
    CONTROL[17] = [
        -240, -210, -180, -151, -119, -91, -42, 28, -31, 29, 46, 84, 109, 147, 160, 214, 242,
    ];
    /// A piece next to a stronger enemy near an own trap, by its class, steps to the trap (0 to 3) and guards of
    /// the trap beside it (0, 1, more).
    HELD_HOME[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -360, -178, -754,
        -447, -255, -373, -192, -136, -112, -75, 6,
        -260, -226, -117, -520, -353, -157, -263, -77,
        -43, -75, -67, -11, -190, -189, -40, -372,
        -188, -109, -191, -3, -6, -58, -35, 51,
        -150, -107, -40, -300, -183, -85, -150, -89,
        -128, -45, -30, 33, -100, -87, -28, -212,
        -120, 86, -111, -61, 40, -25, -13, 143,
    ];
    /// The same near a trap of the enemy.
    HELD_AWAY[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -366, -190, -798,
        -522, -193, -418, -204, -64, -120, -71, 15,
        -260, -252, -133, -549, -288, -120, -269, -136,
        -66, -72, -59, -39, -190, -223, -104, -403,
        -287, -92, -238, -105, -55, -55, -73, -9,
        -150, -163, -72, -317, -217, -75, -196, -103,
        -35, -56, -32, -8, -100, -4, -4, -170,
        -36, -47, 3, 127, 36, 2, 28, 10,
    ];
    /// A piece near a trap that a stronger enemy can reach in one step, by its class, steps to the trap (0 to 2)
    /// and guards beside it (0, 1, more).
    STALKED[54] = [
        -180, -180, -90, -360, -216, -90,
        -180, -90, -36, -113, -110, -56,
        -237, -186, -92, -129, -55, -73,
        -78, -74, -40, -117, -67, -79,
        -80, -30, -29, -57, -62, -27,
        -81, -45, -41, -43, -21, -73,
        -45, -49, 0, -50, 15, -19,
        -55, -16, -66, -30, -28, -23,
        -55, -70, -17, 12, 12, -71,
    ];
    /// A piece on a trap with one guard and an enemy beside it, by its class.
    FRAMED[6] = [
        -613, -355, -214,
        -229, -122, 7,
    ];
    /// The only guard of such a piece, by its class.
    PINNED[6] = [
        -89, -103, -75,
        -55, -18, -12,
    ];
    /// Steps from the strongest free officer to each trap of the enemy.
    ATTACK[9] = [
        40, 32, -109,
        -77, -11, 42,
        14, 96, 111,
    ];
    /// Squares that the elephant reaches in three steps, in twos.
    MOBILITY[13] = [
        -391, -351, -297, -245, -177, -79, -122, -187, 12, -10, 8, 35, 0,
    ];
    /// An elephant with no exit, then with one, by its rank.
    BLOCKADE[16] = [
        -202, -259, -319, -378, -443, -493, -560, -620,
        -32, -37, -57, -50, -80, -69, -90, -100,
    ];
    /// Steps between the own elephant and camel.
    TOGETHER[9] = [
        0, -56, -19,
        63, 43, -60,
        46, -2, -13,
    ];
    /// Steps from a piece of the second class to the nearest stronger enemy: in the own half, then in the enemy's.
    SECOND_NEAR[18] = [
        0, -241, -171, 90, 66, 25,
        74, 58, 21, 0, -444, -261,
        -61, 6, 42, 45, 8, 33,
    ];
    /// The same for the third class.
    THIRD_NEAR[18] = [
        0, -58, -10, 5, -80, -19,
        10, 9, -7, 0, -206, -100,
        7, -15, -9, -44, -1, 2,
    ];
    /// On a wing, elephants aside, the other side's best officer is stronger, equal, weaker than ours; by own and
    /// other elephant there.
    WING[12] = [
        -129, -138, -77, -166, 0, 67,
        -67, 0, 129, 77, 138, 166,
    ];
    /// The difference of officers between the wings.
    LOPSIDED[9] = [
        83, -24, 76,
        -63, -79, -90,
        -100, -150, -200,
    ];
    /// The strongest, second, third strongest free officer is stronger than the other side's.
    FREE[3] = [
        214, 55, -55,
    ];
    /// A rabbit's way, by ranks to goal, enemies ahead on three files (0 to 3) and whether it is frozen.
    RUN[64] = [
        0, 0, 0, 0, 0, 0, 0, 0,
        700, 350, 238, 115, 37, 3, 0, 0,
        400, 200, 142, 73, 54, 23, 178, 40,
        200, 100, 73, 41, 54, 46, 293, 209,
        90, 45, 38, 18, 76, 45, 149, 121,
        31, 16, 8, 6, 22, 22, 28, -60,
        3, 2, -17, 3, -105, 12, -304, -21,
        5, 0, 5, 0, -104, 1, -582, -30,
    ];
    /// What is in front of a rabbit at most four ranks from goal: nothing, an own piece, an enemy; by ranks to
    /// goal.
    FRONT[15] = [
        0, 0, 0, 0, 0,
        47, 61, 17, 233, 321,
        89, 203, 395, -18, 23,
    ];
    /// Free officers at most two steps from such a rabbit: none, cats and dogs, stronger ones; by ranks to goal.
    HELP[15] = [
        0, 0, 0, 12, 9,
        25, 69, 12, 231, 140,
        60, 417, -37, 22, 409,
    ];
    /// To be the one who begins a turn.
    TEMPO[1] = [
        219,
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
