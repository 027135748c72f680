#!/usr/bin/env python3
"""Replays every recorded game of a directory with pyrimaa and with Surus, and compares the results.

`surus replay --json FILE` prints one JSON object per game: game, line, turns, final, winner, termination, error. Turn count, final
position and result must equal those of pyrimaa.game, an error must be reported for exactly those games that pyrimaa does
not replay to the end of the record, and the result and termination columns of the archive must agree.
With --self only pyrimaa replays the games, and the results are printed.
The last line is `pyrimaa games: N passed, M failed`, one per game.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass

from pyrimaa.board import BLANK_BOARD, Color, Position

from reference import SIDES, compact, game_files, read_file, replay

STOPS = "stops"  # Surus reports an error at the same turn as pyrimaa
CONTINUES = "continues"  # Surus replays the complete game under the rules of its time

# Every game that pyrimaa does not replay to the end: the first turn it rejects, why, and what Surus does.
EXCEPTIONS = {
    ("allgames2002.txt", "32"): ("15g", "after one push the dog on d4 is frozen by hc4, and pushes again", STOPS),
    ("allgames2002.txt", "46"): ("22g", "continues after silver's goal in 21s", STOPS),
    ("allgames2002.txt", "55"): ("22g", "Cg3 pushes while dh3 freezes it", STOPS),
    ("records.txt", "255"): ("4s", "repeats a position for the third time; 5g would do so again", STOPS),
    ("records.txt", "267"): ("1g", "handicap: two pieces against three, and Ee5 outside the setup area", STOPS),
    ("records.txt", "803"): ("66s", "continues after 66g took silver's last rabbit (before July 2008)", STOPS),
    ("records.txt", "1199"): ("36g", "repeats a position for the third time, as the record's last turn", STOPS),
    ("records.txt", "1446"): ("68g", "continues after 67s took gold's last rabbit (before July 2008)", STOPS),
    ("records.txt", "1715"): ("34g", "continues after 33s took gold's last rabbit (before July 2008)", STOPS),
}
BY_RULE = {"g", "e", "m"}  # determined by the position; the other codes are time, resignation and so on


@dataclass
class GameOutcome:
    turns: int
    final: str
    winner: str | None
    reason: str | None
    error: bool


def as_recorded(record):
    """The game replayed to the end of the record without legality checks; elimination did not end games then."""
    position = Position(Color.GOLD, 4, BLANK_BOARD)
    for _, steps in record.turns:
        position = position.do_move_str(steps, strict_checks=False)
    winner = reason = None
    if goal := position.is_goal():
        winner, reason = SIDES[goal < 0], "g"
    elif not position.get_steps():
        winner, reason = SIDES[1 - position.color], "m"
    return GameOutcome(len(record.turns), compact(position), winner, reason, False)


def expected(record):
    """The expected result of a game, and inconsistencies of the table or the archive."""
    result = replay(record)
    ending = (result.winner, result.reason) if result.reason in BY_RULE else (None, None)
    outcome = GameOutcome(result.turns, result.final, *ending, result.first_rejected_turn is not None)
    rejected, why, surus = EXCEPTIONS.get((record.file, record.game), (None, "", STOPS))
    errors = []
    if result.first_rejected_turn != rejected:
        errors.append(f"pyrimaa rejects {result.first_rejected_turn or 'nothing'}, EXCEPTIONS has {rejected or 'nothing'}")
    if surus == CONTINUES or (rejected and record.row):
        recorded = as_recorded(record)
        ending = recorded.winner, recorded.reason
        outcome = recorded if surus == CONTINUES else outcome
    if record.row:
        side, code = {"w": "g", "b": "s"}.get(record.row["result"]), record.row["termination"]
        column = (side, code) if code in BY_RULE else (None, None)
        if ending != column:
            errors.append(f"the archive has {column}, pyrimaa {ending}")
    return outcome, why, errors


def replay_with_surus(surus, path, key):
    """The results of Surus by game (its ID in an archive, otherwise its line), and errors of the complete output."""
    run = subprocess.run([surus, "replay", "--json", path], capture_output=True, text=True, timeout=600)
    errors, outcomes = [], {}
    if run.returncode not in (0, 1):  # 1: some game has an error
        errors.append(f"{path.name}: replay ended with {run.returncode}: {run.stderr.strip()}")
    for line in run.stdout.splitlines():
        try:
            game = json.loads(line)
            name = str(game[key])
            # Results that the record itself states, such as a resignation, do not follow from the rules.
            ending = (game["winner"], game["termination"]) if game["termination"] in BY_RULE else (None, None)
            outcome = GameOutcome(game["turns"], game["final"], *ending, game["error"] is not None)
        except (ValueError, TypeError, KeyError) as error:
            errors.append(f"{path.name}: {error!r} in {line[:120]}")
            continue
        if name in outcomes:
            errors.append(f"{path.name}: game {name} printed twice")
        outcomes[name] = outcome
    return outcomes, errors


def differences(ours, theirs):
    if ours is None:
        return ["not replayed"]
    pairs = ((name, getattr(ours, name), value) for name, value in vars(theirs).items())
    return [f"{name}: ours {mine!r}, pyrimaa {value!r}" for name, mine, value in pairs if mine != value]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--surus", help="binary to test")
    parser.add_argument("--games", required=True, help="directory with game files")
    parser.add_argument("--self", action="store_true", help="replay with pyrimaa only")
    args = parser.parse_args()
    if not args.self and not args.surus:
        parser.error("--surus or --self is required")

    files = game_files(args.games)
    if not files:
        sys.exit(f"{args.games}: no game files")
    passed = failed = 0
    for path in files:
        records = list(read_file(path))
        key = "game" if any(record.row for record in records) else "line"
        ours, errors = ({}, []) if args.self else replay_with_surus(args.surus, path, key)
        for game in ours.keys() - {record.game for record in records}:
            errors.append(f"{path.name}: game {game} is not in the file")
        for game in {game for file, game in EXCEPTIONS if file == path.name} - {record.game for record in records}:
            errors.append(f"{path.name}: game {game} of EXCEPTIONS is not in the file")
        failed += len(errors)
        print(*errors, sep="\n", end="\n" if errors else "")
        for record in records:
            outcome, why, errors = expected(record)
            if args.self:
                ending = outcome.winner, outcome.reason
                print(path.name, record.game, outcome.turns, *ending, outcome.final, why, sep="\t")
            else:
                errors += differences(ours.get(record.game), outcome)
            if errors:
                failed += 1
                print(f"{path.name} game {record.game}{why and f' ({why})'}", *errors, sep="\n  ")
            else:
                passed += 1
    print(f"pyrimaa games: {passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
