#!/usr/bin/env python3
"""Plays games under the reference controller, the `roundrobin` command of the package aei.

`surus aei --engine random`, `surus aei --engine greedy` and the `simple_engine` of the package play a round robin with both
colours. A game passes if it ends by goal, elimination or immobilisation. Illegal turns, timeouts, missing games and messages
outside of the protocol fail. The last line is `roundrobin: N passed, M failed`, one per game.
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
AEI_MESSAGES = {"protocol-version", "id", "aeiok", "readyok", "bestmove", "info", "log"}  # sent by an AEI engine
# The engines answer immediately; the clock detects hangs and allows for a busy machine.
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
    """A command of the package: next to this Python, otherwise in PATH."""
    found = shutil.which(name, path=os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))))
    if not found:
        sys.exit(f"the command {name} of the package aei is not installed")
    return found


def play(bots, rounds, directory, seconds):
    """Runs one tournament; returns the controller's exit code, or None after a timeout, and its log."""
    # roundrobin reads its configuration with a parser that interpolates %
    sections = (BOT.format(name=name, command=line.replace("%", "%%")) for name, line in bots)
    config = CONFIG.format(rounds=rounds, bots=" ".join(name for name, _ in bots)) + "".join(sections)
    (directory / "roundrobin.cfg").write_text(config)
    code = run([command("roundrobin"), "--config", "roundrobin.cfg"], directory, seconds)
    return code, (directory / "log").read_text(errors="replace").splitlines()


def run(call, directory, seconds):
    """Runs a controller, its outputs in the files `out` and `log`; returns its exit code, or None after a timeout."""
    with (directory / "out").open("w") as out, (directory / "log").open("w") as log:
        run = subprocess.Popen(call, cwd=directory, stdout=out, stderr=log, start_new_session=True)
        try:
            code = run.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            try:
                os.killpg(run.pid, signal.SIGKILL)  # a controller that fails does not stop its engines
            except ProcessLookupError:
                pass
            run.wait()
    return code


def log_errors(log):
    """Lines of the controller's log that report errors or messages outside of AEI."""
    for line in log:
        message = re.match(r"DEBUG:\S*:Received from bot: '(\S*?)(?: (.*))?\\n'$", line)
        if message and (message[1] not in AEI_MESSAGES or message[1] == "log" and message[2].startswith("Error")):
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
    parser.add_argument("--surus", required=True, help="binary to test")
    parser.add_argument("--games", type=int, default=12, help="minimum number of games, rounded up to rounds of six (12)")
    parser.add_argument("--seconds", type=int, default=240, help="timeout for all games together (240)")
    args = parser.parse_args()

    surus = shlex.quote(str(Path(args.surus).resolve()))  # roundrobin starts engines through the shell
    def bots(seed):  # another seed for every round, so that the games differ
        return [
            ("random", f"{surus} aei --engine random:seed={seed}"),
            ("greedy", f"{surus} aei --engine greedy:seed={seed}"),
            ("simple", shlex.quote(command("simple_engine"))),
        ]

    rounds = -(-args.games // 6)
    passed = failed = 0
    played = collections.Counter()
    # roundrobin assigns the same colours in every round; the reversed list of bots swaps them
    for seed, order in itertools.product(range(1, rounds + 1), (1, -1)):
        with tempfile.TemporaryDirectory() as name:
            code, log = play(bots(seed)[::order], 1, Path(name), args.seconds / (2 * rounds))
            for gold, silver, reason, plies in games(Path(name) / "result.pgn"):
                played[gold, silver] += 1
                passed += reason in BY_RULE
                failed += reason not in BY_RULE
                print(f"{gold} - {silver}: {BY_RULE.get(reason, f'FAILED, ended by {reason!r}')}, {plies} plies")
        errors = [] if code == 0 else ["roundrobin " + ("took too long" if code is None else f"ended with {code}")]
        errors += log_errors(log)
        failed += len(errors)
        print(*errors[:10], sep="\n", end="\n" if errors else "")
    for pair in itertools.permutations([name for name, _ in bots(1)], 2):
        if missing := rounds - played[pair]:
            failed += abs(missing)
            print(f"{' - '.join(pair)}: {played[pair]} games, expected {rounds}")
    print(f"roundrobin: {passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
