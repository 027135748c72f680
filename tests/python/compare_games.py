#!/usr/bin/env python3
"""Replays every recorded game of a directory with pyrimaa and compares with ours.

`SURUS replay --json FILE` prints one JSON object per game: game, line, turns, final, winner, reason, error. Turn count, final
position and ending must be those of pyrimaa.game, an error must be reported for just those games that pyrimaa does not
play to the end of the record, and the archive's own result and termination columns must agree.
With --self only pyrimaa's half is done, and printed for every game.
The last line is `pyrimaa games: N passed, M failed`, one per game.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass

from pyrimaa.board import BLANK_BOARD, Color, Position

from reference import SIDES, compact, game_files, read_file, verdict

STOPS = "stops"  # ours reports an error and stands where pyrimaa does, before the turn named
PLAYS_ON = "plays on"  # ours replays all of it by the rules of its time

# Every game that pyrimaa does not play to the end of its record: the first turn it refuses, why, and what we do.
ODD = {
    ("allgames2002.txt", "32"): ("15g", "after one push the dog on d4 is frozen by hc4, and pushes again", STOPS),
    ("allgames2002.txt", "46"): ("22g", "goes on after silver's goal in 21s", STOPS),
    ("allgames2002.txt", "55"): ("22g", "Cg3 pushes while dh3 freezes it", STOPS),
    ("records.txt", "255"): ("4s", "repeats a position for the third time; 5g would do so again", STOPS),
    ("records.txt", "267"): ("1g", "handicap: two pieces against three, and Ee5 outside the setup area", STOPS),
    ("records.txt", "803"): ("66s", "goes on after 66g took silver's last rabbit (before July 2008)", STOPS),
    ("records.txt", "1199"): ("36g", "repeats a position for the third time, as the record's last turn", STOPS),
    ("records.txt", "1446"): ("68g", "goes on after 67s took gold's last rabbit (before July 2008)", STOPS),
    ("records.txt", "1715"): ("34g", "goes on after 33s took gold's last rabbit (before July 2008)", STOPS),
}
BY_RULE = {"g", "e", "m"}  # follow from the position; the other codes are time, resignation and the like


@dataclass
class Outcome:
    turns: int
    final: str
    winner: str | None
    reason: str | None
    error: bool


def as_recorded(record):
    """The game played to the end of the record, whatever pyrimaa thinks of its turns; elimination ended none then."""
    position = Position(Color.GOLD, 4, BLANK_BOARD)
    for _, steps in record.turns:
        position = position.do_move_str(steps, strict_checks=False)
    winner = reason = None
    if goal := position.is_goal():
        winner, reason = SIDES[goal < 0], "g"
    elif not position.get_steps():
        winner, reason = SIDES[1 - position.color], "m"
    return Outcome(len(record.turns), compact(position), winner, reason, False)


def expected(record):
    """What ours must say of a game, and what is wrong with the table or the archive about it."""
    said = verdict(record)
    ending = (said.winner, said.reason) if said.reason in BY_RULE else (None, None)
    outcome = Outcome(said.turns, said.final, *ending, said.refused is not None)
    refused, why, ours = ODD.get((record.file, record.game), (None, "", STOPS))
    wrong = []
    if said.refused != refused:
        wrong.append(f"pyrimaa refuses {said.refused or 'nothing'}, the table of odd games has {refused or 'nothing'}")
    if ours == PLAYS_ON or (refused and record.row):
        recorded = as_recorded(record)
        ending = recorded.winner, recorded.reason
        outcome = recorded if ours == PLAYS_ON else outcome
    if record.row:
        side, code = {"w": "g", "b": "s"}.get(record.row["result"]), record.row["termination"]
        column = (side, code) if code in BY_RULE else (None, None)
        if ending != column:
            wrong.append(f"the archive says {column}, pyrimaa {ending}")
    return outcome, why, wrong


def ours_of(surus, path, key):
    """Our outcomes by game (its number in an archive, else its line), and what is wrong with the output as a whole."""
    run = subprocess.run([surus, "replay", "--json", path], capture_output=True, text=True, timeout=600)
    wrong, outcomes = [], {}
    if run.returncode not in (0, 1):  # 1: some game has an error
        wrong.append(f"{path.name}: replay ended with {run.returncode}: {run.stderr.strip()}")
    for line in run.stdout.splitlines():
        try:
            said = json.loads(line)
            name = str(said[key])
            # what the record itself says of its end, such as a resignation, is not the rules' affair
            ending = (said["winner"], said["reason"]) if said["reason"] in BY_RULE else (None, None)
            outcome = Outcome(said["turns"], said["final"], *ending, said["error"] is not None)
        except (ValueError, TypeError, KeyError) as error:
            wrong.append(f"{path.name}: {error!r} in {line[:120]}")
            continue
        if name in outcomes:
            wrong.append(f"{path.name}: game {name} printed twice")
        outcomes[name] = outcome
    return outcomes, wrong


def differences(ours, theirs):
    if ours is None:
        return ["not replayed"]
    pairs = ((name, getattr(ours, name), value) for name, value in vars(theirs).items())
    return [f"{name}: ours {mine!r}, pyrimaa {value!r}" for name, mine, value in pairs if mine != value]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--surus", help="the program to test")
    parser.add_argument("--games", required=True, help="directory with game files")
    parser.add_argument("--self", action="store_true", help="only pyrimaa's half")
    args = parser.parse_args()
    if not args.self and not args.surus:
        parser.error("--surus is needed, or --self")

    files = game_files(args.games)
    if not files:
        sys.exit(f"{args.games}: no game files")
    passed = failed = 0
    for path in files:
        records = list(read_file(path))
        key = "game" if any(record.row for record in records) else "line"
        ours, wrong = ({}, []) if args.self else ours_of(args.surus, path, key)
        for game in ours.keys() - {record.game for record in records}:
            wrong.append(f"{path.name}: game {game} is not in the file")
        for game in {game for file, game in ODD if file == path.name} - {record.game for record in records}:
            wrong.append(f"{path.name}: game {game} of the table of odd games is not in the file")
        failed += len(wrong)
        print(*wrong, sep="\n", end="\n" if wrong else "")
        for record in records:
            outcome, why, wrong = expected(record)
            if args.self:
                ending = outcome.winner, outcome.reason
                print(path.name, record.game, outcome.turns, *ending, outcome.final, why, sep="\t")
            else:
                wrong += differences(ours.get(record.game), outcome)
            if wrong:
                failed += 1
                print(f"{path.name} game {record.game}{why and f' ({why})'}", *wrong, sep="\n  ")
            else:
                passed += 1
    print(f"pyrimaa games: {passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
