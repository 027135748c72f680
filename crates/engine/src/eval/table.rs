//! The one table of parameters, in thousandths of a rabbit. `surus learn tune` writes the numbers.

use super::term::{Spec, Term, table};
use crate::score::Score;

table! {
    /// An officer, by how many pieces of the other side are stronger.
    OFFICERS[9] = [
        5534, 3369, 2248,
        1921, 1530, 1259,
        1351, 946, 846,
    ];
    /// All rabbits together, by their number.
    RABBITS_LEFT[9] = [
        -3500, -11, 3481,
        5466, 6948, 8074,
        8966, 9821, 10809,
    ];
    /// All pieces together, by their number.
    PIECES_LEFT[17] = [
        -3500, 0, 3500, 5547, 6998, 8130, 9028, 9808, 10455, 11058, 11546, 12080, 12540, 12824, 13359, 13759, 14239,
    ];
    /// The place of an officer, by its class (nobody is stronger, one, two or three, four or five, more), rank and
    /// file from the edge.
    PLACES[160] = [
        -708, -474, -442, -380, -521, -268, -164, -103,
        -287, -155, 47, -97, -151, -76, 163, 324,
        -151, 75, 77, 306, -204, 31, 136, 166,
        -375, -149, -71, -57, -680, -479, -370, -338,
        -101, -86, 125, -124, -157, 147, -59, 95,
        -8, 274, 141, 90, -12, -46, -7, -111,
        13, 89, 3, 22, -126, 185, 57, -68,
        -215, -197, -9, -115, -308, -230, -220, -256,
        -216, -127, -198, -190, -111, -218, 300, 39,
        34, 17, 84, 32, 27, 103, 101, 22,
        73, 94, 90, 41, 135, 251, 74, -33,
        -21, -14, 163, 8, -161, -128, -107, -225,
        48, 403, 66, 109, 112, -131, 443, 170,
        -275, -196, 82, 151, 73, -38, 71, 69,
        -64, -42, -119, -59, -313, -181, -120, -212,
        -281, -242, -225, -201, -346, -285, -266, -308,
        1, 146, 70, 336, 148, 73, 218, 123,
        -39, 230, 119, 0, -65, -78, -195, -112,
        -95, -68, -84, -83, -165, -146, -126, -140,
        -224, -200, -215, -233, -326, -280, -271, -295,
    ];
    /// The place of a rabbit while the other side has eight officers, by rank and file from the edge.
    RABBITS_EARLY[32] = [
        102, -58, -59, -5, 3, 118, -78, 153,
        -234, 161, -29, -61, 147, -56, -150, -53,
        41, -131, -115, 13, 11, 3, -22, -48,
        184, 179, 125, 103, 40, 20, -20, -10,
    ];
    /// The place of a rabbit when the other side has no officer left, by rank and file from the edge.
    RABBITS_LATE[32] = [
        168, 48, 91, 36, 60, 105, 97, 47,
        109, 128, 50, 79, 231, 181, 138, 196,
        311, 247, 265, 238, 500, 474, 466, 461,
        824, 812, 801, 804, 20, 10, 0, 0,
    ];
    /// A frozen piece, by its class (rabbits last) and whether it is in the enemy's half.
    FROZEN[12] = [
        -630, -630, -442, -720, -179, -329,
        -81, -463, -113, -247, -132, 105,
    ];
    /// A piece next to a stronger enemy that a friend keeps free, by its class and whether it is in the enemy's
    /// half.
    PRESSED[12] = [
        -150, -150, -99, -73, -28, -89,
        5, -177, -58, -120, 108, 157,
    ];
    /// Pieces next to an own trap, by own ones and those of the other side.
    GUARDS[25] = [
        -296, -387, -568, -575, -562,
        -169, -136, -283, -347, -370,
        13, 7, -103, -240, -250,
        184, 115, -140, -210, -220,
        76, -10, -150, -220, -230,
    ];
    /// The best own guard of a trap that is not frozen, by class (no officer last); own traps, then the enemy's.
    BEST_GUARD[12] = [
        -144, 139, 85, 59, 69, -169,
        98, 85, 88, -82, -3, -49,
    ];
    /// Who rules around an own trap: the pieces near it by strength and distance, the other side's taken off; the
    /// ninth entry is even.
    CONTROL[17] = [
        -240, -210, -180, -151, -119, -98, -130, -110, -97, -16, 179, 183, 237, 134, 157, 212, 245,
    ];
    /// A piece next to a stronger enemy near an own trap, by its class, steps to the trap (0 to 3) and guards of
    /// the trap beside it (0, 1, more).
    HELD_HOME[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -348, -185, -755,
        -429, -235, -377, -226, -90, -113, -76, 19,
        -260, -221, -92, -521, -325, -163, -271, -94,
        23, -74, -57, 24, -190, -189, -70, -372,
        -217, -137, -205, -31, -29, -65, -34, 141,
        -150, -103, -32, -298, -167, -91, -153, -134,
        -90, -45, -32, 62, -100, -77, -30, -193,
        -109, 152, -135, -71, -119, -53, -6, 13,
    ];
    /// The same near a trap of the enemy.
    HELD_AWAY[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -364, -192, -836,
        -487, -192, -492, -258, -79, -128, -71, 20,
        -260, -263, -130, -541, -316, -135, -299, -119,
        -50, -52, -55, -29, -190, -232, -84, -442,
        -288, -90, -260, -146, -88, -51, -85, -18,
        -150, -192, -73, -347, -208, -76, -204, -81,
        -40, -33, -18, -2, -100, -83, -13, -231,
        -79, -37, -182, 48, 124, 21, 46, 76,
    ];
    /// A piece near a trap that a stronger enemy can reach in one step, by its class, steps to the trap (0 to 2)
    /// and guards beside it (0, 1, more).
    STALKED[54] = [
        -180, -180, -90, -360, -216, -90,
        -180, -90, -36, -113, -113, -60,
        -230, -138, -86, -149, -60, -95,
        -78, -91, -44, -149, -54, -16,
        -96, -45, -74, -57, -51, -28,
        -80, -88, -30, -42, -5, -119,
        -45, -49, -23, -84, -102, 10,
        -64, -40, -28, -30, -54, 21,
        -77, -82, 29, -45, -42, -76,
    ];
    /// A piece on a trap with one guard and an enemy beside it, by its class.
    FRAMED[6] = [
        -586, -330, -238,
        -229, -143, -60,
    ];
    /// The only guard of such a piece, by its class.
    PINNED[6] = [
        -202, -93, -82,
        -55, 15, -3,
    ];
    /// Steps from the strongest free officer to each trap of the enemy.
    ATTACK[9] = [
        39, 182, 59,
        3, -90, 8,
        -108, 2, 42,
    ];
    /// Squares that the elephant reaches in three steps, in twos.
    MOBILITY[13] = [
        -460, -414, -385, -279, -132, -59, -88, -111, 37, -92, 51, 139, 1,
    ];
    /// An elephant with no exit, then with one, by its rank.
    BLOCKADE[16] = [
        -204, -276, -321, -393, -442, -494, -570, -619,
        -83, -77, -67, -45, -54, -96, -98, -98,
    ];
    /// Steps between the own elephant and camel.
    TOGETHER[9] = [
        0, -96, -1,
        178, -51, -20,
        56, -49, 30,
    ];
    /// Steps from a piece of the second class to the nearest stronger enemy: in the own half, then in the enemy's.
    SECOND_NEAR[18] = [
        0, -192, -126, 127, -39, -89,
        118, 175, 73, 0, -599, -248,
        -88, -5, 30, 74, 32, 75,
    ];
    /// The same for the third class.
    THIRD_NEAR[18] = [
        0, 72, 6, -17, -189, -68,
        45, 38, -211, 0, -216, -99,
        147, 48, 137, 70, -9, -9,
    ];
    /// On a wing, elephants aside, the other side's best officer is stronger, equal, weaker than ours; by own and
    /// other elephant there.
    WING[12] = [
        -162, -169, -152, -314, 0, 18,
        -18, 0, 162, 152, 169, 314,
    ];
    /// The difference of officers between the wings.
    LOPSIDED[9] = [
        70, 49, 116,
        -149, -115, -95,
        -81, -150, -200,
    ];
    /// The strongest, second, third strongest free officer is stronger than the other side's.
    FREE[3] = [
        131, -157, -123,
    ];
    /// A rabbit's way, by ranks to goal, enemies ahead on three files (0 to 3) and whether it is frozen.
    RUN[64] = [
        0, 0, 0, 0, 0, 0, 0, 0,
        700, 357, 211, 137, 4, -41, 4, 3,
        401, 216, 168, 84, 95, 16, 101, -57,
        200, 108, 80, 53, 57, 28, 55, 186,
        91, 54, 181, 10, 129, 53, 10, 93,
        32, 16, 20, 14, 18, 27, -31, -51,
        6, 2, 18, 6, 24, 9, -26, -68,
        7, 0, 70, -2, 158, 7, -300, -73,
    ];
    /// What is in front of a rabbit at most four ranks from goal: nothing, an own piece, an enemy; by ranks to
    /// goal.
    FRONT[15] = [
        0, 0, 0, 9, 0,
        -33, 108, 11, 109, 227,
        34, 61, 264, -53, 204,
    ];
    /// Free officers at most two steps from such a rabbit: none, cats and dogs, stronger ones; by ranks to goal.
    HELP[15] = [
        0, 0, 0, -26, 8,
        -3, 22, 40, 167, -30,
        40, 306, 129, 2, 270,
    ];
    /// To be the one who begins a turn.
    TEMPO[1] = [
        395,
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
