//! The random numbers of the position keys. They are stored in every archive and must never change.

use surus_rules::SplitMix;

static ZOBRIST: [[u64; 64]; 16] = {
    let mut random = SplitMix::new(0x6172_6368_6976_6531);
    let mut numbers = [[0; 64]; 16];
    let mut i = 0;
    while i < 16 * 64 {
        numbers[i / 64][i % 64] = random.next_u64();
        i += 1;
    }
    numbers
};

/// The Zobrist number of a piece, as a four-bit code, on a square.
#[inline]
pub(crate) fn zobrist(code: u8, index: u8) -> u64 {
    ZOBRIST[(code & 15) as usize][(index & 63) as usize]
}

/// A 128-bit hash of a text in hexadecimal.
pub(crate) fn fingerprint(text: &[u8]) -> String {
    let mut lanes = [0x0123_4567_89ab_cdef_u64, 0xfedc_ba98_7654_3210];
    for chunk in text.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let word = u64::from_le_bytes(word);
        for (index, lane) in lanes.iter_mut().enumerate() {
            *lane = SplitMix::hash(lane.rotate_left(23) ^ word.wrapping_add(index as u64));
        }
    }
    let length = text.len() as u64;
    let [a, b] = lanes.map(|lane| SplitMix::hash(lane ^ length));
    format!("{a:016x}{b:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_differ_if_any_byte_differs() {
        let texts = ["", "a", "b", "a\0", "12345678", "123456789", "12345678\0"];
        let mut found: Vec<String> = texts.iter().map(|text| fingerprint(text.as_bytes())).collect();
        found.sort();
        found.dedup();
        assert_eq!(found.len(), texts.len());
        assert_eq!(fingerprint(b"surus"), fingerprint(b"surus"));
    }
}
