//! Random changes of valid texts: most stay close to what a parser accepts.

use surus_rules::SplitMix;

/// Fragments with a meaning in some format, and some with none.
const FRAGMENTS: [&str; 48] = [
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "'",
    "=",
    ":",
    ",",
    ";",
    "#",
    "|",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{1b}[31m",
    "\u{7f}",
    "\u{feff}",
    "é",
    "🐘",
    "-",
    "-1",
    "0",
    "99999999999999999999",
    "1e400",
    "nan",
    "null",
    "true",
    "[[",
    "2g ",
    "3s",
    "Ee2n",
    "Rc3x",
    "ra8s",
    "takeback",
    "resigns",
    "position ",
    "1g Ra1",
    "a1",
    "x",
    ".",
    "/",
    "\\",
    "%s",
    "../",
];

/// A text that is one to five edits away from one of the samples.
pub(crate) fn mutated(random: &mut SplitMix, samples: &[String]) -> String {
    let sample = &samples[below(random, samples.len())];
    // A long sample is cut, so that an input costs little.
    let mut text: Vec<char> = sample.chars().collect();
    if text.len() > 3000 {
        let start = below(random, text.len() - 2000);
        text = text[start..start + 2000].to_vec();
    }
    for _ in 0..1 + below(random, 5) {
        edit(random, &mut text, samples);
    }
    text.into_iter().collect()
}

fn edit(random: &mut SplitMix, text: &mut Vec<char>, samples: &[String]) {
    let at = below(random, text.len() + 1);
    let end = (at + below(random, 12)).min(text.len());
    match below(random, 8) {
        0 => drop(text.drain(at..end)),
        1 => drop(text.splice(at..at, fragment(random))),
        2 => drop(text.splice(at..end, fragment(random))),
        3 => {
            let copied = text[at..end].to_vec();
            let times = [1, 2, 3, 300][below(random, 4)];
            drop(text.splice(at..at, copied.repeat(times)));
        }
        4 => text.truncate(at),
        5 => {
            let other: Vec<char> = samples[below(random, samples.len())].chars().take(400).collect();
            drop(text.splice(at..at, other));
        }
        6 => {
            if let Some(character) = text.get_mut(at) {
                *character = char::from_u32((u64::from(*character as u32) ^ (1 << below(random, 7))) as u32)
                    .unwrap_or('?');
            }
        }
        _ => {
            let other = below(random, text.len() + 1).min(text.len().saturating_sub(1));
            if at < text.len() {
                text.swap(at, other);
            }
        }
    }
}

fn fragment(random: &mut SplitMix) -> Vec<char> {
    FRAGMENTS[below(random, FRAGMENTS.len())].chars().collect()
}

/// A number from 0 to `limit - 1`.
pub(crate) fn below(random: &mut SplitMix, limit: usize) -> usize {
    (random.next_u64() % limit.max(1) as u64) as usize
}
