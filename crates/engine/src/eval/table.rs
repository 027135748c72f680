//! The one table of parameters, in thousandths of a rabbit. `surus learn tune` writes the numbers.

use super::term::{Spec, Term, table};
use crate::score::Score;

table! {
    /// An officer, by how many pieces of the other side are stronger.
    OFFICERS[9] = [
        5953, 3080, 2473,
        2099, 1585, 1711,
        1474, 946, 846,
    ];
    /// All rabbits together, by their number.
    RABBITS_LEFT[9] = [
        -3500, -140, 3300,
        5109, 6905, 7749,
        8949, 10045, 11141,
    ];
    /// All pieces together, by their number.
    PIECES_LEFT[17] = [
        -3500, 0, 3500, 5546, 6991, 8119, 8975, 9654, 10215, 10972, 11249, 11951, 12208, 12833, 13612, 14112, 14402,
    ];
    /// The place of an officer, by its class (nobody is stronger, one, two or three, four or five, more), rank and
    /// file from the edge.
    PLACES[160] = [
        -617, -616, -610, -421, -479, -635, -88, 130,
        -229, -106, 128, -76, -465, -193, 146, 458,
        -215, 71, -7, 517, -255, -195, 275, 253,
        -352, -19, 275, 3, -674, -474, -351, -317,
        -404, -36, -61, -156, -228, 164, -13, 201,
        92, 185, 74, 188, 89, -238, -42, -199,
        236, 221, 105, 50, 5, 91, 167, -345,
        -497, -390, 140, -268, -208, -141, -396, -314,
        -466, -272, -495, 238, 7, -38, 116, 249,
        29, 156, 45, 209, -48, 220, 6, 149,
        5, 344, 267, 281, -31, 431, 60, -66,
        -35, -125, 357, -12, -77, 35, -201, -376,
        163, 207, -44, 381, 207, 12, 438, 454,
        -380, -101, 29, 245, 126, 218, -158, 248,
        67, 56, -384, -54, -479, -41, 156, -278,
        -427, -282, -228, -353, -442, -395, -220, -396,
        530, 149, 182, 343, 341, 372, 417, 455,
        -281, 71, -26, -70, -256, -328, -400, -213,
        -216, -362, -128, -206, -171, -258, -328, -143,
        -166, -225, -251, -228, -343, -267, -192, -309,
    ];
    /// The place of a rabbit while the other side has eight officers, by rank and file from the edge.
    RABBITS_EARLY[32] = [
        -99, 103, 81, 250, -17, 50, 217, 232,
        76, 13, -38, -77, -42, -233, -220, -58,
        -94, -136, -226, -116, -23, 177, -217, -52,
        88, 254, 182, 240, 40, 20, -20, -10,
    ];
    /// The place of a rabbit when the other side has no officer left, by rank and file from the edge.
    RABBITS_LATE[32] = [
        413, -47, 123, 256, 269, -12, 397, 259,
        305, 444, 215, 234, 747, 370, 309, 418,
        636, 369, 460, 325, 628, 622, 631, 561,
        882, 866, 835, 888, 20, 10, 0, 0,
    ];
    /// A frozen piece, by its class (rabbits last) and whether it is in the enemy's half.
    FROZEN[12] = [
        -630, -630, -440, -665, -169, -392,
        -21, -369, -179, -330, 101, 225,
    ];
    /// A piece next to a stronger enemy that a friend keeps free, by its class and whether it is in the enemy's
    /// half.
    PRESSED[12] = [
        -150, -150, -72, -1, -124, -25,
        -110, -212, 42, -429, 41, 16,
    ];
    /// Pieces next to an own trap, by own ones and those of the other side.
    GUARDS[25] = [
        -301, -403, -965, -798, -571,
        -126, 60, -324, -482, -370,
        -30, 183, -218, -240, -250,
        101, 477, -140, -210, -220,
        76, -10, -150, -220, -230,
    ];
    /// The best own guard of a trap that is not frozen, by class (no officer last); own traps, then the enemy's.
    BEST_GUARD[12] = [
        -47, 70, 5, 13, 33, 9,
        191, -39, 89, -14, -62, -72,
    ];
    /// Who rules around an own trap: the pieces near it by strength and distance, the other side's taken off; the
    /// ninth entry is even.
    CONTROL[17] = [
        -240, -210, -182, -152, -91, -169, -565, -592, -66, 76, 225, 297, 353, 400, 236, 174, 227,
    ];
    /// A piece next to a stronger enemy near an own trap, by its class, steps to the trap (0 to 3) and guards of
    /// the trap beside it (0, 1, more).
    HELD_HOME[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -309, -343, -733,
        -345, -341, -422, -171, 82, -105, -81, -34,
        -260, -179, -117, -538, -204, -119, -283, -263,
        -154, -95, 86, 117, -190, -56, -246, -390,
        -138, -257, -191, -118, -71, -99, 145, 267,
        -150, -59, 7, -331, -72, -299, -123, -100,
        95, -44, -29, -25, -100, 199, 65, -127,
        -105, -56, -149, -61, -69, -38, -165, -85,
    ];
    /// The same near a trap of the enemy.
    HELD_AWAY[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -286, -230, -1056,
        -453, -29, -525, -235, -284, -173, 88, 140,
        -260, -289, -101, -731, -503, 10, -517, -35,
        -88, 50, 62, 175, -190, -94, 26, -544,
        -385, -121, 5, -136, -295, 43, -157, -44,
        -150, -351, -98, -478, -204, -68, -380, -53,
        -74, 56, 30, 12, -100, -212, 79, -396,
        -169, 162, -501, 246, 369, 86, -98, 129,
    ];
    /// A piece near a trap that a stronger enemy can reach in one step, by its class, steps to the trap (0 to 2)
    /// and guards beside it (0, 1, more).
    STALKED[54] = [
        -180, -180, -90, -360, -216, -90,
        -180, -90, -36, -113, -136, 50,
        -289, -174, -87, -244, -129, 61,
        -78, -35, 9, -391, -109, -55,
        -206, -111, -380, -57, 33, -45,
        -216, -134, -74, -144, -91, -66,
        -45, -27, -55, -199, -77, 47,
        -84, -161, 34, -30, -9, 111,
        -114, -18, 14, -177, 56, 54,
    ];
    /// A piece on a trap with one guard and an enemy beside it, by its class.
    FRAMED[6] = [
        -443, -113, -222,
        84, -245, 16,
    ];
    /// The only guard of such a piece, by its class.
    PINNED[6] = [
        -216, 82, 109,
        95, 7, 171,
    ];
    /// Steps from the strongest free officer to each trap of the enemy.
    ATTACK[9] = [
        -1, 202, 133,
        135, 80, 129,
        56, -152, -258,
    ];
    /// Squares that the elephant reaches in three steps, in twos.
    MOBILITY[13] = [
        -734, -816, -621, -281, -129, 18, 85, 95, 89, 88, 134, 97, -13,
    ];
    /// An elephant with no exit, then with one, by its rank.
    BLOCKADE[16] = [
        -97, -221, -266, -491, -423, -528, -614, -627,
        -147, -75, -6, -211, 49, -324, -86, -92,
    ];
    /// Steps between the own elephant and camel.
    TOGETHER[9] = [
        0, 42, 100,
        168, 152, 87,
        60, -101, -213,
    ];
    /// Steps from a piece of the second class to the nearest stronger enemy: in the own half, then in the enemy's.
    SECOND_NEAR[18] = [
        0, -165, -225, -89, -90, -194,
        53, 168, 251, 0, -506, -763,
        -286, 65, 292, 263, 152, 71,
    ];
    /// The same for the third class.
    THIRD_NEAR[18] = [
        0, -13, 16, -81, 2, 9,
        41, 40, -53, 0, -235, -377,
        29, 257, 507, 559, -21, 4,
    ];
    /// On a wing, elephants aside, the other side's best officer is stronger, equal, weaker than ours; by own and
    /// other elephant there.
    WING[12] = [
        -389, -360, -232, -488, 0, -54,
        54, 0, 389, 232, 360, 488,
    ];
    /// The difference of officers between the wings.
    LOPSIDED[9] = [
        126, 238, 141,
        -119, -259, -251,
        -222, -97, -204,
    ];
    /// The strongest, second, third strongest free officer is stronger than the other side's.
    FREE[3] = [
        117, -203, -133,
    ];
    /// A rabbit's way, by ranks to goal, enemies ahead on three files (0 to 3) and whether it is frozen.
    RUN[64] = [
        0, 0, 0, 0, 0, 0, 0, 0,
        698, 412, 281, 460, 25, -92, -45, 45,
        389, 272, 540, 148, 431, -50, 7, -315,
        192, 179, 287, 369, 364, 270, -135, -173,
        86, 151, 349, 198, 152, 194, -63, -25,
        66, 29, 133, 63, 200, 216, 134, 31,
        79, 7, 568, 84, 166, -12, 58, -110,
        53, -2, 138, 12, 192, 47, -71, -268,
    ];
    /// What is in front of a rabbit at most four ranks from goal: nothing, an own piece, an enemy; by ranks to
    /// goal.
    FRONT[15] = [
        0, 0, 0, 37, 14,
        327, 233, 353, 66, 192,
        189, 62, 274, 184, 205,
    ];
    /// Free officers at most two steps from such a rabbit: none, cats and dogs, stronger ones; by ranks to goal.
    HELP[15] = [
        0, 0, 0, 64, 62,
        269, 6, 37, 459, 13,
        33, 369, 102, 315, 222,
    ];
    /// To be the one who begins a turn.
    TEMPO[1] = [
        575,
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
