#!/usr/bin/env python3
"""Prints positions of random games played by pyrimaa, one compact position per line.

For comparisons without recorded games. The same seed gives the same positions.
"""

import argparse
import random

from pyrimaa.board import BLANK_BOARD, Color, Position

from reference import compact

PIECES = "EMHHDDCCRRRRRRRR"


def setup(rng, side, ranks):
    letters = list(PIECES if side == "g" else PIECES.lower())
    rng.shuffle(letters)
    squares = [file + rank for rank in ranks for file in "abcdefgh"]
    return " ".join(letter + square for letter, square in zip(letters, squares))


def play(rng, turns):
    position = Position(Color.GOLD, 4, BLANK_BOARD)
    position = position.do_move_str(setup(rng, "g", "12"))
    position = position.do_move_str(setup(rng, "s", "78"))
    for _ in range(turns):
        if not position.get_steps():
            break
        _, following = position.get_rnd_step_move()
        if following.is_end_state():
            break
        position = following
    return position


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    random.seed(args.seed)  # pyrimaa chooses its random turns with the module's own generator
    for _ in range(args.count):
        print(compact(play(rng, rng.randint(0, 80))))


if __name__ == "__main__":
    main()
