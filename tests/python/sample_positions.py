#!/usr/bin/env python3
"""Prints positions of recorded games, replayed by pyrimaa, one in AEI's compact form per line.

Every file contributes equally, positions come from different games as far as possible, and they are spread evenly over all phases
of the games, with gold and silver to move alternately. The same seed gives the same positions.
"""

import argparse
import random

from pyrimaa.board import BLANK_BOARD, Color, Position

from reference import compact, game_files, read_file


def replay(record):
    """Positions between the turns of a game, from the one after both setups to the last before the end."""
    position = Position(Color.GOLD, 4, BLANK_BOARD)
    positions = []
    for number, (_, steps) in enumerate(record.turns):
        try:
            position = position.do_move_str(steps)
        except ValueError:  # some old records contain an illegal turn (compare_games.py lists them) or a handicap setup
            break
        if number >= 1:
            if position.is_end_state() or not position.get_steps():
                break
            positions.append(position)
    return positions


def sample(directory, count, seed):
    rng = random.Random(seed)
    files = game_files(directory)
    seen = []
    for index, path in enumerate(files):
        share = count // len(files) + (index < count % len(files))
        records = read_file(path)
        rng.shuffle(records)
        phases = [(n + rng.random()) / share for n in range(share)]
        rng.shuffle(phases)
        tries = 0
        while phases:
            if tries == 20 * len(records):
                raise SystemExit(f"{path}: too few positions for a share of {share}")
            positions = replay(records[tries % len(records)])
            tries += 1
            side = len(phases) % 2  # to move
            at = int(phases[-1] * len(positions))
            for n in sorted(range(len(positions)), key=lambda n: abs(n - at)):
                line = compact(positions[n])
                if positions[n].color == side and line not in seen:
                    seen.append(line)
                    phases.pop()
                    break
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", required=True, help="directory with game files")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print("\n".join(sample(args.games, args.count, args.seed)))


if __name__ == "__main__":
    main()
