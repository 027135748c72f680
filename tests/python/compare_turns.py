#!/usr/bin/env python3
"""Compares all turns of positions with those of pyrimaa.

For each line of the positions file (`g [64 characters]`), `surus perft --list --aei LINE` prints every distinct turn as
`STEPS<TAB>resulting position`. The set of resulting positions must equal that of pyrimaa's get_moves, and a seeded sample of
the step sequences must be legal turns in pyrimaa, in the same notation and with the same result. The last line is `pyrimaa turns: N passed, M failed`, one per position.
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

MAX_SHOWN = 3  # differences printed per position and kind
TEXT_INDEX = {1 << (8 * rank + file): 8 * (7 - rank) + file for rank in range(8) for file in range(8)}  # bit to character


def quick_compact(position):
    """compact(), but four times as fast, because it is called for millions of boards."""
    squares = [" "] * 64
    for piece in (*range(Piece.GRABBIT, Piece.GELEPHANT + 1), *range(Piece.SRABBIT, Piece.SELEPHANT + 1)):
        bits = position.bitBoards[piece]
        while bits:
            lowest = bits & -bits
            squares[TEXT_INDEX[lowest]] = Piece.PCHARS[piece]
            bits ^= lowest
    return f"{SIDES[position.color]} [{''.join(squares)}]"


def list_turns(surus, line):
    """The turns of Surus: [steps, resulting position], in the order printed."""
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
    """Why pyrimaa rejects a step sequence, or None."""
    try:
        moves = parse_move(steps)
        reached = compact(position.do_move_str(steps))
        written = position.steps_to_str(moves)
    except ValueError as error:  # IllegalMove is one
        return f"{steps}: rejected: {error}"
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
    """The errors of a position, and its number of turns."""
    position = parse_short_pos(SIDES.index(line[0]), 4, line[2:])
    try:
        turns = list_turns(surus, line)
        ours = {result: steps for steps, result in turns}
    except ValueError as error:
        return [str(error)], 0
    theirs = {quick_compact(after): steps for after, steps in position.get_moves().items()}

    missing, extra = sorted(theirs.keys() - ours), sorted(ours.keys() - theirs)
    errors = [f"missing {after}, by {position.steps_to_str(theirs[after])}" for after in missing[:MAX_SHOWN]]
    errors += [f"extra {after}, by {ours[after]}" for after in extra[:MAX_SHOWN]]
    if len(turns) != len(ours):
        errors.append(f"{len(turns)} turns listed, {len(ours)} distinct")
    chosen = random.Random(line).sample(turns, min(sample, len(turns)))
    rejected = filter(None, (check_steps(position, *turn) for turn in chosen))
    errors += [error for error, _ in zip(rejected, range(MAX_SHOWN))]
    if errors:
        errors.insert(0, f"{len(ours)} turns, pyrimaa {len(theirs)}")
    return errors, len(theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--surus", required=True, help="binary to test")
    parser.add_argument("--positions", required=True, type=Path, help="file with one compact position per line")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--limit", type=int, help="maximum number of positions (all)")
    parser.add_argument("--sample", type=int, default=200, help="step sequences checked per position (200)")
    args = parser.parse_args()

    lines = [line for line in args.positions.read_text().splitlines() if line and not line.startswith("#")]
    lines = lines[: args.limit]
    if not lines:
        sys.exit(f"{args.positions}: no positions")
    passed = failed = turns = 0
    with multiprocessing.Pool(args.jobs) as pool:
        results = pool.imap(functools.partial(check_position, args.surus, args.sample), lines)
        for line, (errors, count) in zip(lines, results):
            turns += count
            if errors:
                failed += 1
                print(line, *errors, sep="\n  ", flush=True)
            else:
                passed += 1
    print(f"{turns} turns compared")
    print(f"pyrimaa turns: {passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
