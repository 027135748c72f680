#!/usr/bin/env python3
"""Plays games between `surus gameroom bot` and the `gameroom` command of the package aei on the imitation of the server.

In the first session pyrimaa opens a game as gold and Surus joins it, in the second Surus opens one as gold and pyrimaa joins it.
pyrimaa plays with `surus aei`, Surus with a built-in engine.

A game passes if both clients report the same result and it is not a loss on time, by an illegal turn or by resignation. A
session passes if both clients succeed, and neither logs an error. The last line is `gameroom: N passed, M failed`, one per game
and one per session.
"""

import argparse
import configparser
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from roundrobin import command

PASSWORD = "100% secret"
DOCUMENT = Path(__file__).parents[2] / "docs" / "gameroom.md"
CONFIG = """
[global]
gameroom_url = {url}
min_move_time = 0
[Logging]
level = INFO
[surus]
username = bot_Pyrimaa
password = 100%% secret
cmdline = {engine}
timecontrol = {time_control}
"""
OURS = """
url = "{url}"
username = "bot_Surus"
password = "100% secret"
engine = "alphabeta:level=4,hash=1,seed={seed}"
directory = "bot"
data_dir = "board"
greeting = "Hello, I am Surus."
min_turn_time = 0
"""
OPEN = """
[open]
side = "gold"
timecontrol = "{time_control}"
count = 1
"""
TIME_CONTROL = "20s/60s/100/2m/30m"
BY_RULE = "gme"


def write_private(path, text):
    path.write_text(text)
    path.chmod(0o600)


def wait_for(pattern, path, seconds):
    """The first match in a file that is being written."""
    for _ in range(seconds * 10):
        found = re.search(pattern, path.read_text()) if path.exists() else None
        if found:
            return found
        time.sleep(0.1)
    return None


def session(surus, url, directory, pyrimaa_opens, seed, seconds):
    """Plays one game; returns the results that both clients report, and errors."""
    theirs, ours = directory / "pyrimaa", directory / "surus"
    theirs.mkdir(parents=True)
    ours.mkdir()
    (theirs / "run").mkdir()
    config = configparser.RawConfigParser()
    config.read_string(re.search(r"```ini\n(.*?)```", DOCUMENT.read_text(), re.S)[1])
    engine = f"{shlex.quote(surus)} aei --engine greedy:seed={seed}"
    config.read_string(CONFIG.format(url=url, engine=engine.replace("%", "%%"), time_control=TIME_CONTROL))
    with (theirs / "gameroom.cfg").open("w") as file:
        config.write(file)
    opened = "" if pyrimaa_opens else OPEN.format(time_control=TIME_CONTROL)
    write_private(ours / "bot.toml", OURS.format(url=url, seed=seed) + opened)

    def run(args, cwd):
        log = (cwd / "output.txt").open("w")
        return subprocess.Popen(args, cwd=cwd, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    bot = [surus, "gameroom", "bot", "--config", "bot.toml"]
    clients, errors = [], []
    try:
        if pyrimaa_opens:
            clients.append(run([command("gameroom"), "g"], theirs))
            gid = wait_for(r"Created game gid=(\d+)", theirs / "output.txt", 30)
            if gid:
                clients.append(run([*bot, "--join", gid[1]], ours))
        else:
            clients.append(run(bot, ours))
            gid = wait_for(r"game (\d+): opened", ours / "output.txt", 30)
            if gid:
                clients.append(run([command("gameroom"), "play", gid[1], "s"], theirs))
        if not gid:
            errors.append("the game was not opened")
        for client in clients:
            if client.wait(seconds) != 0:
                errors.append(f"{client.args[0]} ended with {client.returncode}")
    except subprocess.TimeoutExpired as error:
        errors.append(f"{error.cmd[0]} took too long")
    finally:
        for client in clients:
            if client.poll() is None:
                client.kill()
                client.wait()
    texts = [file.read_text(errors="replace") for file in (theirs / "output.txt", ours / "output.txt") if file.exists()]
    texts += [file.read_text(errors="replace") for file in (theirs / "logs").glob("*")]
    for line in "\n".join(texts).splitlines():
        # Between its end and its result, a game is contradictory for a moment; pyrimaa logs findgameid as an error.
        if re.search(r"\b(WARNING|ERROR|CRITICAL):|^Traceback| (warning|error): ", line) and "findgameid" not in line:
            errors.append(line)
    reported = re.findall(r"Game over, I \w+ result: '(\w+)'", "\n".join(texts))
    stored = re.findall(r"^game \d+: (\w+), permanent id \d+$", "\n".join(texts), re.M)
    return set(reported), set(stored), errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--surus", required=True, help="binary to test")
    parser.add_argument("--seconds", type=int, default=240, help="timeout per game (240)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    os.environ["no_proxy"] = "127.0.0.1"  # otherwise pyrimaa uses the proxy of the environment
    surus = str(Path(args.surus).resolve())
    accounts = [f"--account={name}:{PASSWORD}" for name in ("bot_Surus", "bot_Pyrimaa")]
    server = subprocess.Popen([surus, "gameroom", "fake", *accounts], stdout=subprocess.PIPE, text=True)
    passed = failed = 0
    try:
        url = re.search(r"http://\S+", server.stdout.readline())[0]
        with tempfile.TemporaryDirectory() as name:
            for number, pyrimaa_opens in enumerate((True, False)):
                opener = "pyrimaa" if pyrimaa_opens else "surus"
                directory = Path(name) / opener
                reported, stored, errors = session(
                    surus, url, directory, pyrimaa_opens, args.seed + number, args.seconds
                )
                good = len(reported) == 1 and reported == stored and next(iter(reported))[1] in BY_RULE
                print(f"{opener} opens: pyrimaa reports {reported}, surus {stored}{'' if good else ', FAILED'}")
                print(f"session: {'FAILED' if errors else 'ok'}", *errors[:20], sep="\n  ")
                passed += good + (not errors)
                failed += (not good) + bool(errors)
    finally:
        server.terminate()
        server.wait()
    print(f"gameroom: {passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
