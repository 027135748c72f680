//! The one table of parameters, in thousandths of a rabbit. `surus learn tune` writes the numbers.

use super::term::{Spec, Term, table};
use crate::score::Score;

table! {
    /// An officer, by how many pieces of the other side are stronger.
    OFFICERS[9] = [
        5826, 3133, 2462,
        2038, 1496, 1664,
        1427, 946, 846,
    ];
    /// All rabbits together, by their number.
    RABBITS_LEFT[9] = [
        -3500, -95, 3322,
        5129, 6936, 7841,
        8923, 10019, 11064,
    ];
    /// All pieces together, by their number.
    PIECES_LEFT[17] = [
        -3500, 0, 3500, 5547, 7003, 8138, 8978, 9711, 10262, 10946, 11305, 11994, 12227, 12853, 13574, 14070, 14325,
    ];
    /// The place of an officer, by its class (nobody is stronger, one, two or three, four or five, more), rank and
    /// file from the edge.
    PLACES[160] = [
        -710, -553, -692, -372, -505, -572, -139, 107,
        -287, -176, 204, -29, -355, -181, 126, 445,
        -206, 103, 28, 463, -245, -228, 225, 271,
        -354, -37, 265, -9, -676, -465, -355, -318,
        -410, -7, 115, -176, -243, 103, -19, 182,
        172, 189, 94, 123, 9, -199, -39, -225,
        214, 189, 78, 2, -23, 198, 166, -276,
        -433, -331, 63, -233, -273, -188, -386, -294,
        -369, -231, -487, -22, 1, -131, 139, 181,
        51, 123, 99, 192, -1, 230, 129, 108,
        157, 241, 232, 238, 45, 384, 59, -97,
        -3, -144, 387, 18, -139, -30, -126, -333,
        136, 146, -41, 379, 229, -82, 489, 442,
        -424, -117, 60, 213, 100, 155, -91, 182,
        22, 78, -354, -73, -423, -108, 72, -259,
        -379, -298, -257, -312, -406, -352, -245, -386,
        442, 345, 170, 267, 334, 198, 467, 362,
        -322, 57, -3, -139, -334, -270, -437, -164,
        -183, -276, -120, -201, -178, -241, -274, -117,
        -159, -223, -229, -227, -337, -271, -216, -296,
    ];
    /// The place of a rabbit while the other side has eight officers, by rank and file from the edge.
    RABBITS_EARLY[32] = [
        -51, 107, 64, 205, 34, 52, 186, 243,
        -35, 22, -14, -3, -26, -188, -218, -18,
        -125, -174, -197, -45, 22, 142, -210, -134,
        169, 246, 141, 172, 40, 20, -20, -10,
    ];
    /// The place of a rabbit when the other side has no officer left, by rank and file from the edge.
    RABBITS_LATE[32] = [
        450, -18, 140, 246, 233, 101, 312, 257,
        260, 380, 170, 142, 567, 318, 253, 366,
        545, 339, 411, 318, 629, 578, 606, 523,
        875, 866, 825, 859, 20, 10, 0, 0,
    ];
    /// A frozen piece, by its class (rabbits last) and whether it is in the enemy's half.
    FROZEN[12] = [
        -630, -630, -451, -688, -176, -352,
        -16, -410, -197, -330, 27, 190,
    ];
    /// A piece next to a stronger enemy that a friend keeps free, by its class and whether it is in the enemy's
    /// half.
    PRESSED[12] = [
        -150, -150, -41, -8, -96, -39,
        -97, -228, 2, -341, 11, 108,
    ];
    /// Pieces next to an own trap, by own ones and those of the other side.
    GUARDS[25] = [
        -328, -405, -912, -732, -567,
        -137, 59, -327, -464, -370,
        -20, 181, -190, -240, -250,
        98, 380, -140, -210, -220,
        111, -10, -150, -220, -230,
    ];
    /// The best own guard of a trap that is not frozen, by class (no officer last); own traps, then the enemy's.
    BEST_GUARD[12] = [
        -113, 71, 22, 29, 74, -5,
        204, -57, 68, -49, -37, -62,
    ];
    /// Who rules around an own trap: the pieces near it by strength and distance, the other side's taken off; the
    /// ninth entry is even.
    CONTROL[17] = [
        -240, -210, -180, -155, -112, -142, -463, -544, -84, 82, 170, 301, 337, 390, 195, 172, 230,
    ];
    /// A piece next to a stronger enemy near an own trap, by its class, steps to the trap (0 to 3) and guards of
    /// the trap beside it (0, 1, more).
    HELD_HOME[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -329, -331, -743,
        -334, -340, -404, -165, 79, -107, -80, -15,
        -260, -197, -63, -539, -230, -114, -312, -219,
        -119, -67, 32, 78, -190, -77, -225, -368,
        -236, -247, -166, -139, -78, -97, 118, 326,
        -150, -57, 14, -319, -120, -260, -138, -143,
        58, -30, -47, -9, -100, 110, 33, -143,
        -135, -22, -153, -31, -52, -116, -136, -79,
    ];
    /// The same near a trap of the enemy.
    HELD_AWAY[72] = [
        -600, -600, -300, -1200, -720, -300, -600, -300,
        -120, -180, -120, 0, -376, -305, -207, -1001,
        -452, -60, -545, -227, -256, -142, 25, 94,
        -260, -289, -100, -667, -450, -55, -374, -72,
        -73, 4, 19, 104, -190, -146, -8, -545,
        -384, -97, -68, -147, -217, 23, -149, -23,
        -150, -326, -84, -453, -192, -73, -339, -64,
        -82, 39, 19, 10, -100, -125, 7, -382,
        -202, 97, -455, 219, 338, 64, 23, 168,
    ];
    /// A piece near a trap that a stronger enemy can reach in one step, by its class, steps to the trap (0 to 2)
    /// and guards beside it (0, 1, more).
    STALKED[54] = [
        -180, -180, -90, -360, -216, -90,
        -180, -90, -36, -113, -119, -21,
        -214, -83, -112, -248, -74, -36,
        -78, -74, 6, -361, -69, 6,
        -200, -115, -330, -57, 24, -29,
        -163, -159, -53, -112, -43, -81,
        -45, -31, -40, -154, -121, 44,
        -93, -123, 40, -30, -78, 93,
        -83, 23, 52, -159, 76, 65,
    ];
    /// A piece on a trap with one guard and an enemy beside it, by its class.
    FRAMED[6] = [
        -466, -156, -243,
        10, -214, 0,
    ];
    /// The only guard of such a piece, by its class.
    PINNED[6] = [
        -229, -12, 88,
        54, 28, 179,
    ];
    /// Steps from the strongest free officer to each trap of the enemy.
    ATTACK[9] = [
        21, 215, 186,
        153, 85, 92,
        37, -140, -369,
    ];
    /// Squares that the elephant reaches in three steps, in twos.
    MOBILITY[13] = [
        -671, -727, -586, -343, -131, 29, 50, 106, 100, 40, 63, 101, -5,
    ];
    /// An elephant with no exit, then with one, by its rank.
    BLOCKADE[16] = [
        -209, -240, -286, -462, -415, -540, -585, -622,
        -133, -91, 11, -154, 33, -263, -81, -90,
    ];
    /// Steps between the own elephant and camel.
    TOGETHER[9] = [
        0, -7, 151,
        157, 69, 48,
        49, -101, -222,
    ];
    /// Steps from a piece of the second class to the nearest stronger enemy: in the own half, then in the enemy's.
    SECOND_NEAR[18] = [
        0, -147, -206, -90, -119, -211,
        52, 236, 278, 0, -531, -618,
        -314, 129, 218, 213, 150, 68,
    ];
    /// The same for the third class.
    THIRD_NEAR[18] = [
        0, -2, 0, -89, -42, -7,
        31, 61, -136, 0, -212, -271,
        75, 278, 523, 430, -91, -54,
    ];
    /// On a wing, elephants aside, the other side's best officer is stronger, equal, weaker than ours; by own and
    /// other elephant there.
    WING[12] = [
        -387, -315, -215, -463, 0, -18,
        18, 0, 387, 215, 315, 463,
    ];
    /// The difference of officers between the wings.
    LOPSIDED[9] = [
        71, 153, 170,
        -174, -262, -120,
        -94, -102, -191,
    ];
    /// The strongest, second, third strongest free officer is stronger than the other side's.
    FREE[3] = [
        64, -223, -148,
    ];
    /// A rabbit's way, by ranks to goal, enemies ahead on three files (0 to 3) and whether it is frozen.
    RUN[64] = [
        0, 0, 0, 0, 0, 0, 0, 0,
        700, 414, 251, 388, 0, -91, 0, 21,
        404, 268, 427, 181, 399, -71, -56, -271,
        196, 159, 233, 289, 289, 233, -130, -91,
        94, 107, 433, 161, 126, 141, -93, -48,
        47, 33, 90, 52, 75, 142, 136, 25,
        49, 5, 430, 60, 296, 29, 65, -91,
        13, -2, 120, 5, 267, 39, -97, -183,
    ];
    /// What is in front of a rabbit at most four ranks from goal: nothing, an own piece, an enemy; by ranks to
    /// goal.
    FRONT[15] = [
        0, 0, 0, 56, 6,
        214, 240, 196, 42, 143,
        150, 44, 244, 122, 178,
    ];
    /// Free officers at most two steps from such a rabbit: none, cats and dogs, stronger ones; by ranks to goal.
    HELP[15] = [
        0, 0, 0, 70, 52,
        163, 27, 67, 299, -44,
        -17, 361, 89, 247, 184,
    ];
    /// To be the one who begins a turn.
    TEMPO[1] = [
        558,
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
