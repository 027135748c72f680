#!/usr/bin/env python3
"""Compares all turns of positions with pyrimaa's.

For each line of the positions file (`g [64 characters]`), `SURUS perft --list --aei LINE` prints every distinct turn as
`STEPS<TAB>resulting position`. The set of resulting positions must be the one that pyrimaa's get_moves finds, and a
seeded sample of the step sequences must be legal turns for pyrimaa, written as pyrimaa writes them, with the stated
result. The last line is `pyrimaa turns: N passed, M failed`, one per position.
"""

import argparse
import functools
import multiprocessing
import random
import subprocess
import sys
from pathlib import Path

from pyrimaa.board import Piece, parse_move, parse_short_pos

from reference import SIDES, compact

SHOWN = 3  # differences printed per position and kind
PLACE = {1 << (8 * rank + file): 8 * (7 - rank) + file for rank in range(8) for file in range(8)}  # bit to character


def quick_compact(position):
    """The same as compact(), four times as fast: millions of boards pass here."""
    squares = [" "] * 64
    for piece in (*range(Piece.GRABBIT, Piece.GELEPHANT + 1), *range(Piece.SRABBIT, Piece.SELEPHANT + 1)):
        bits = position.bitBoards[piece]
        while bits:
            lowest = bits & -bits
            squares[PLACE[lowest]] = Piece.PCHARS[piece]
            bits ^= lowest
    return f"{SIDES[position.color]} [{''.join(squares)}]"


def listed(surus, line):
    """Our turns: [steps, resulting position], in the order printed."""
    command = [surus, "perft", "--list", "--aei", line]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired as error:
        raise ValueError("perft did not end within two minutes") from error
    if run.returncode != 0:
        raise ValueError(f"perft ended with {run.returncode}: {run.stderr.strip()}")
    turns = [turn.split("\t") for turn in run.stdout.splitlines()]
    if bad := [turn for turn in turns if len(turn) != 2]:
        raise ValueError(f"not STEPS<TAB>POSITION: {bad[0]}")
    return turns


def check_steps(position, steps, result):
    """None, or what pyrimaa has against a step sequence."""
    try:
        moves = parse_move(steps)
        reached = compact(position.do_move_str(steps))
        written = position.steps_to_str(moves)
    except ValueError as error:  # IllegalMove is one
        return f"{steps}: refused: {error}"
    if reached != result:
        return f"{steps}: leads to {reached}, stated {result}"
    if written != steps:  # do_move_str itself ignores piece letters and capture marks
        return f"{steps}: pyrimaa writes {written}"
    # do_move_str also lets a turn end in the middle of a push, so each step must be among those that pyrimaa generates
    now = [position]
    for move in moves:
        now = [after for before in now for step, after in before.get_steps() if step == move]
    if not now:
        return f"{steps}: has a step that pyrimaa does not generate"
    if all(after.inpush for after in now):
        return f"{steps}: ends in the middle of a push"
    return None


def check_position(surus, sample, line):
    """The list of all that is wrong in one position, and the number of turns."""
    position = parse_short_pos(SIDES.index(line[0]), 4, line[2:])
    try:
        turns = listed(surus, line)
        ours = {result: steps for steps, result in turns}
    except ValueError as error:
        return [str(error)], 0
    theirs = {quick_compact(after): steps for after, steps in position.get_moves().items()}

    missing, extra = sorted(theirs.keys() - ours), sorted(ours.keys() - theirs)
    wrong = [f"missing {after}, by {position.steps_to_str(theirs[after])}" for after in missing[:SHOWN]]
    wrong += [f"extra {after}, by {ours[after]}" for after in extra[:SHOWN]]
    if len(turns) != len(ours):
        wrong.append(f"{len(turns)} turns listed, {len(ours)} distinct")
    chosen = random.Random(line).sample(turns, min(sample, len(turns)))
    complaints = filter(None, (check_steps(position, *turn) for turn in chosen))
    wrong += [complaint for complaint, _ in zip(complaints, range(SHOWN))]
    if wrong:
        wrong.insert(0, f"{len(ours)} turns, pyrimaa {len(theirs)}")
    return wrong, len(theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--surus", required=True, help="the program to test")
    parser.add_argument("--positions", required=True, type=Path, help="file with one compact position per line")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--limit", type=int, help="only the first so many positions (all)")
    parser.add_argument("--sample", type=int, default=200, help="step sequences checked per position (200)")
    args = parser.parse_args()

    lines = [line for line in args.positions.read_text().splitlines() if line and not line.startswith("#")]
    lines = lines[: args.limit]
    if not lines:
        sys.exit(f"{args.positions}: no positions")
    passed = failed = turns = 0
    with multiprocessing.Pool(args.jobs) as pool:
        results = pool.imap(functools.partial(check_position, args.surus, args.sample), lines)
        for line, (wrong, count) in zip(lines, results):
            turns += count
            if wrong:
                failed += 1
                print(line, *wrong, sep="\n  ", flush=True)
            else:
                passed += 1
    print(f"{turns} turns compared")
    print(f"pyrimaa turns: {passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
