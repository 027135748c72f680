#!/usr/bin/env python3
"""Lets our engines play under the reference controller: the package's own `roundrobin` command.

`SURUS aei --engine random`, `SURUS aei --engine greedy` and the package's `simple_engine` play a round robin with both
colours. A game passes when it ends by the rules: goal, elimination or immobilisation. An illegal turn, a time-out, a
game that is missing because the controller gave up, and anything in the controller's log that does not belong to the
protocol fail. The last line is `roundrobin: N passed, M failed`, one per game.
"""

import argparse
import collections
import itertools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

BY_RULE = {"g": "goal", "e": "elimination", "m": "immobilisation"}
SPOKEN = {"protocol-version", "id", "aeiok", "readyok", "bestmove", "info", "log"}  # what an AEI engine may say
# The engines answer at once; the clock is there to catch one that hangs, and generous for a busy machine.
CONFIG = """\
[global]
rounds = {rounds}
loglevel = DEBUG
pgn_filename = result.pgn
timecontrol = 5s/20s/100/20s
strict_setup = True
bots = {bots}
"""
BOT = """
[{name}]
cmdline = {command}
"""


def command(name):
    """A command of the package: beside this Python, or else in the path."""
    found = shutil.which(name, path=os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))))
    if not found:
        sys.exit(f"the command {name} of the package aei is not installed")
    return found


def play(bots, rounds, directory, seconds):
    """Runs one tournament; returns the controller's exit code, or None after a time-out, and its log."""
    # roundrobin gives its configuration to a parser in which % stands for something else
    sections = (BOT.format(name=name, command=line.replace("%", "%%")) for name, line in bots)
    config = CONFIG.format(rounds=rounds, bots=" ".join(name for name, _ in bots)) + "".join(sections)
    (directory / "roundrobin.cfg").write_text(config)
    code = run([command("roundrobin"), "--config", "roundrobin.cfg"], directory, seconds)
    return code, (directory / "log").read_text(errors="replace").splitlines()


def run(call, directory, seconds):
    """Runs a controller, its outputs in the files `out` and `log`; returns its exit code, or None after a time-out."""
    with (directory / "out").open("w") as out, (directory / "log").open("w") as log:
        run = subprocess.Popen(call, cwd=directory, stdout=out, stderr=log, start_new_session=True)
        try:
            code = run.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            try:
                os.killpg(run.pid, signal.SIGKILL)  # a controller that gave up leaves its engines behind
            except ProcessLookupError:
                pass
            run.wait()
    return code


def complaints(log):
    """Lines of the controller's log that tell of an error, or of words that AEI does not have."""
    for line in log:
        heard = re.match(r"DEBUG:\S*:Received from bot: '(\S*?)(?: (.*))?\\n'$", line)
        if heard and (heard[1] not in SPOKEN or heard[1] == "log" and heard[2].startswith("Error")):
            yield line
        elif re.match(r"(WARNING|ERROR|CRITICAL):|Traceback|\S*(Error|Exception)\b", line):
            yield line


def games(pgn):
    """(gold, silver, code, plies) of every game."""
    text = pgn.read_text() if pgn.exists() else ""
    names = "White", "Black", "ResultCode", "PlyCount"
    return list(zip(*(re.findall(rf'^\[{name} "(.*)"\]', text, re.M) for name in names)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--surus", required=True, help="the program to test")
    parser.add_argument("--games", type=int, default=12, help="at least so many; full rounds of six are played (12)")
    parser.add_argument("--seconds", type=int, default=240, help="for all games together, then it is a failure (240)")
    args = parser.parse_args()

    surus = shlex.quote(str(Path(args.surus).resolve()))  # roundrobin starts engines through the shell
    def bots(seed):  # another seed for every round, or it would be the same games again
        return [
            ("random", f"{surus} aei --engine random:seed={seed}"),
            ("greedy", f"{surus} aei --engine greedy:seed={seed}"),
            ("simple", shlex.quote(command("simple_engine"))),
        ]

    rounds = -(-args.games // 6)
    passed = failed = 0
    played = collections.Counter()
    # roundrobin deals the same colours in every round; the reversed list of bots gives the other ones
    for seed, order in itertools.product(range(1, rounds + 1), (1, -1)):
        with tempfile.TemporaryDirectory() as name:
            code, log = play(bots(seed)[::order], 1, Path(name), args.seconds / (2 * rounds))
            for gold, silver, reason, plies in games(Path(name) / "result.pgn"):
                played[gold, silver] += 1
                passed += reason in BY_RULE
                failed += reason not in BY_RULE
                print(f"{gold} - {silver}: {BY_RULE.get(reason, f'FAILED, ended by {reason!r}')}, {plies} plies")
        wrong = [] if code == 0 else ["roundrobin " + ("took too long" if code is None else f"ended with {code}")]
        wrong += complaints(log)
        failed += len(wrong)
        print(*wrong[:10], sep="\n", end="\n" if wrong else "")
    for pair in itertools.permutations([name for name, _ in bots(1)], 2):
        if missing := rounds - played[pair]:
            failed += abs(missing)
            print(f"{' - '.join(pair)}: {played[pair]} games, {rounds} were expected")
    print(f"roundrobin: {passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
