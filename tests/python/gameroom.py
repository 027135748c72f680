#!/usr/bin/env python3
"""Plays games under the `gameroom` command of the package aei, the client of the gameroom on arimaa.com.

The gameroom is a fake server on 127.0.0.1. In the first session the bot opens a game as gold, in the second it joins one as
silver. The opponent plays random turns; pyrimaa checks the turns and the clock.

A game passes if every turn is legal and in time and it ends by goal, elimination or immobilisation. A session passes if the
client sends the expected requests in order and reports the right result, and neither it nor the engine logs an error. The last line is `gameroom: N passed, M failed`, one per game and one per session.
"""

import argparse
import configparser
import http.server
import os
import queue
import random
import re
import shlex
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

from pyrimaa.aei import EngineResponse
from pyrimaa.board import BLANK_BOARD, Color, Position
from pyrimaa.game import Game
from pyrimaa.util import TimeControl

from random_positions import setup
from reference import SIDES, compact
from roundrobin import AEI_MESSAGES, BY_RULE, command, run

OLD_SIDES = {"g": "w", "s": "b"}  # the gameroom uses white and black
# Detects hangs and allows for a busy machine. With five seconds per turn the client would poll without a pause.
TIME_CONTROL = "10s/20s/100/20s/10m"
TURN = re.compile(r"[EMHDCRemhdcr][a-h][1-8][nsewx]?( [EMHDCRemhdcr][a-h][1-8][nsewx]?)*")
DOCUMENT = Path(__file__).parents[2] / "docs" / "gameroom.md"
# Differences from the configuration in the documentation.
CONFIG = """
[global]
gameroom_url = {url}/room
min_move_time = 0
[Logging]
level = DEBUG
net_level = DEBUG
engine_level = DEBUG
aei_level = DEBUG
[surus]
username = bot_Surus
password = 100%% secret
cmdline = {engine}
timecontrol = {time_control}
bot_seed = {seed}
"""
ROOM, TABLE = "/room/bot1gr.cgi", "/table/game.cgi"
AT_ROOM, AT_TABLE = {"sid": "room-1"}, {"sid": "table-1", "auth": "key-1"}
# The path and the required fields of each request.
REQUESTS = {
    "login": (ROOM, {"username": "bot_Surus", "password": "100% secret"}),
    "newGame": (ROOM, AT_ROOM | {"timecontrol": TIME_CONTROL, "rated": "0"}),
    "myGames": (ROOM, AT_ROOM),
    "join": (ROOM, AT_ROOM),
    "reserve": (ROOM, AT_ROOM | {"gid": "17"}),
    "sit": (TABLE, {"sid": "5", "grid": "9"}),
    "gamestate": (TABLE, {"sid": "table-1"}),
    "chat": (TABLE, AT_TABLE | {"chat": "Hello, I am Surus."}),
    "startmove": (TABLE, AT_TABLE),
    "move": (TABLE, AT_TABLE),
    "findgameid": (ROOM, {"tid": "17"}),
    "leave": (TABLE, AT_TABLE),
}


class FakeGameroom:
    """A gameroom with one game: answers the bot's requests and runs the game."""

    def __init__(self, side, seed):
        self.side, self.random = side, random.Random(seed)
        self.turns, self.position = [], Position(Color.GOLD, 4, BLANK_BOARD)
        self.seen = []  # all positions of the game
        self.turn = "g"  # side to move, None while a turn is checked
        self.clock, self.since = {}, time.monotonic()
        self.game = threading.Thread(target=self.referee, daemon=True)
        self.result = None  # winner and reason
        self.changes, self.changed = 0, threading.Condition()
        self.opponent = side == "s"  # has joined
        self.bot_waits = False  # the opponent moves only while the bot waits
        self.answers = queue.Queue()
        self.requests, self.errors = [], []

    def answer(self, path, fields):
        """The response to a request, as a mapping."""
        name = fields.get("action") or fields.get("what")
        if name != "gamestate":
            self.requests.append(name)
        place, expected = REQUESTS.get(name, (None, {}))
        if path != place or not fields.items() >= expected.items():
            self.errors.append(f"the request {name} at {path} has {fields}, expected {expected} at {place}")
            return {"error": "Unexpected request."}
        return getattr(self, name, self.ok)(fields)

    def ok(self, _):
        return {"ok": 1}

    def login(self, _):
        return AT_ROOM

    def newGame(self, fields):
        if fields.get("side") != OLD_SIDES[self.side]:
            self.errors.append(f"the new game is {fields}, expected side {OLD_SIDES[self.side]}")
        return self.join(fields)

    def myGames(self, _):
        return {"num": 0}

    def join(self, _):
        side = OLD_SIDES[self.side]
        return {f"17:{side}": f"gid=17\nside={side}\nplayer=opponent\n"}

    def reserve(self, _):
        return {"base": self.url + "/table", "cgi": "game.cgi", "tid": 5, "grid": 9}

    def sit(self, _):
        if self.side == "s":
            self.startmove(None)
        return {"sid": "table-1"}

    def startmove(self, _):
        if not self.game.is_alive() and not self.result:  # a client rejoins after restarting its engine
            self.game.start()
        return {"ok": 1}

    def findgameid(self, _):
        return {"gid": 123456}

    def gamestate(self, fields):
        with self.changed:
            if fields["wait"] != "0" and not self.opponent:
                self.change(opponent=True)
            elif fields["wait"] != "0":
                self.bot_waits = True
                self.changed.notify_all()
                self.changed.wait_for(lambda: self.changes != int(fields["lastchange"]), timeout=2)
            return self.state()

    def move(self, fields):
        with self.changed:
            if self.turn != self.side:
                self.errors.append(f"{fields['move']} came when it was not the bot's turn")
                return {"error": "It is not your turn."}
            before, self.turn = len(self.turns), None
            self.answers.put(fields["move"])
            self.changed.wait_for(lambda: len(self.turns) > before or self.result, timeout=5)
            return {"ok": 1} if len(self.turns) > before else {"error": "Illegal turn."}

    def state(self):
        players = {self.side: "bot_Surus", SIDES[self.side == "g"]: "opponent" if self.opponent else ""}
        limit = TimeControl(TIME_CONTROL)
        state = {"lastchange": self.changes, "auth": "key-1", "rated": 0, "postal": 0}
        state |= {"tcmove": limit.move, "tcreserve": limit.reserve, "tcpercent": limit.percent}
        state |= {"tcmax": limit.max_reserve, "tctotal": limit.time_limit}
        state |= {"tcturns": limit.turn_limit, "tcturntime": limit.max_turntime}
        state |= {"plycount": len(self.turns), "position": self.position.board_to_str()}
        for side, player in players.items():
            old, used = OLD_SIDES[side], int(time.monotonic() - self.since) if side == self.turn else 0
            reserve = self.clock.get(f"{side}reserve", limit.reserve)
            state |= {f"{old}player": player, f"{old}rating": 1500, f"{old}used": used, f"tc{old}reserve2": reserve}
        lines = [*self.turns, ""]  # the next turn is numbered already
        state["moves"] = "\n".join(f"{n // 2 + 1}{'wb'[n % 2]} {turn}" for n, turn in enumerate(lines))
        if self.turn:
            state["turn"] = OLD_SIDES[self.turn]
        if self.result:
            state["result"] = f"{OLD_SIDES[self.result[0]]} {self.result[1]}"
        return state

    def change(self, **values):
        with self.changed:
            vars(self).update(values)
            self.changes += 1
            self.changed.notify_all()

    def referee(self):
        """Runs the game; pyrimaa queries the two players alternately."""
        try:
            winner, reason = Game(PlayerProxy(self, "g"), PlayerProxy(self, "s"), TimeControl(TIME_CONTROL)).play()
        except ValueError:  # a turn that cannot be parsed
            winner, reason = self.side == "g", "i"
        self.change(result=(SIDES[winner], reason), turn=None)

    def opponents_turn(self):
        with self.changed:
            self.changed.wait_for(lambda: self.bot_waits, timeout=5)
            self.bot_waits = False
        side = SIDES[self.position.color]
        if len(self.turns) < 2:
            return setup(self.random, side, "12" if side == "g" else "78")
        while True:
            random.seed(self.random.random())  # pyrimaa chooses its random turns with the module's own generator
            steps, following = self.position.get_rnd_step_move()
            # a turn must change the board, and not for the third time to the same position
            if compact(following)[1:] != compact(self.position)[1:] and self.seen.count(compact(following)) < 2:
                return self.position.steps_to_str(steps)


class PlayerProxy:
    """An engine for pyrimaa.game.Game that stands for the bot or its opponent."""

    protocol_version = 1

    def __init__(self, room, side):
        self.room, self.side, self.ident = room, side, {"name": side}

    def setoption(self, name, value):
        self.room.clock[name] = value

    def newgame(self):
        pass

    def isready(self, timeout=15):
        return []

    def go(self, searchtype=None):
        self.room.change(turn=self.side, since=time.monotonic())

    def stop(self):
        pass

    def makemove(self, turn):
        if self.side == "s":  # both players are notified of every turn
            following = self.room.position.do_move_str(turn)
            self.room.seen.append(compact(following))
            self.room.change(turns=[*self.room.turns, turn], position=following)

    def get_response(self, timeout=None):
        response = EngineResponse("bestmove")
        if self.side != self.room.side:
            response.move = self.room.opponents_turn()
            return response
        try:
            response.move = self.room.answers.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError from None
        if not TURN.fullmatch(response.move):  # pyrimaa is lenient
            raise ValueError(response.move)
        return response


def running_server(room):
    """Starts the server of a gameroom."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            reply = room.answer(self.path, dict(urllib.parse.parse_qsl(body, keep_blank_values=True)))
            quoted = ((key, str(value).replace("%", "%25").replace("\n", "%13")) for key, value in reply.items())
            try:
                self.send_response(200)
                self.send_header("Content-Type", "text/plain")
                self.end_headers()
                self.wfile.write("".join(f"{key}={value}\n" for key, value in quoted).encode())
            except ConnectionError:
                pass  # the client timed out and was killed

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    room.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def session(engine, side, seed, seconds):
    """Plays one game; returns the gameroom and the errors of the session."""
    room = FakeGameroom(side, seed)
    with tempfile.TemporaryDirectory() as name, running_server(room) as server:
        directory = Path(name)
        ours = CONFIG.format(url=room.url, engine=engine.replace("%", "%%"), time_control=TIME_CONTROL, seed=seed)
        (directory / "run").mkdir()  # otherwise the client logs a warning
        config = configparser.RawConfigParser()
        config.read_string(re.search(r"```ini\n(.*?)```", DOCUMENT.read_text(), re.S)[1])
        config.read_string(ours)
        with (directory / "gameroom.cfg").open("w") as file:
            config.write(file)
        game = ["g"] if side == "g" else ["play", "opponent", "s"]
        code = run([command("gameroom"), *game], directory, seconds)
        server.shutdown()
        files = [directory / "log", *(directory / "logs").glob("*")]
        log = [line for file in files for line in file.read_text(errors="replace").splitlines()]
    errors = room.errors + list(log_errors(log))
    if code != 0:
        errors.append("the client " + ("took too long" if code is None else f"ended with {code}"))
    opened = ["newGame"] if side == "g" else ["myGames", "join"]
    started = ["startmove"] if side == "g" else []
    turns = ["move"] * len(room.turns[SIDES.index(side) :: 2])
    expected = ["login", *opened, "reserve", "sit", "chat", *started, *turns, "findgameid", "leave"]
    if room.requests != expected:
        errors.append(f"the client requested {' '.join(map(str, room.requests))}, expected {' '.join(expected)}")
    result = room.state().get("result")
    if not any(re.search(rf":Game over.* result: '{result}'$", line) for line in log):
        errors.append(f"the client's log does not contain the result {result!r}")
    return room, errors


def log_errors(log):
    """Lines of the client's log that report errors or messages outside of AEI."""
    for line in log:
        message = re.search(r" DEBUG:\S*:Received from bot: '(\S*?)(?: (.*))?\\n'$", line)
        if message and (message[1] not in AEI_MESSAGES or message[1] == "log" and message[2].startswith(("Error", "Warning"))):
            yield line
        elif re.search(r"^(\S+ \S+ )?(WARNING|ERROR|CRITICAL):|^Traceback|^\S*(Error|Exception)\b", line):
            yield line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--surus", required=True, help="binary to test")
    parser.add_argument("--seconds", type=int, default=40, help="timeout per game (40)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    os.environ["no_proxy"] = "127.0.0.1"  # otherwise the client uses the proxy of the environment
    engine = shlex.quote(str(Path(args.surus).resolve())) + " aei --engine greedy"
    passed = failed = 0
    for side in SIDES:
        room, errors = session(engine, side, args.seed, args.seconds)
        winner, reason = room.result or (None, None)
        good = reason in BY_RULE
        end = f"{winner} wins by {BY_RULE[reason]}" if good else f"FAILED, ended by {reason!r}"
        print(f"as {side}: {end}, {len(room.turns)} plies")
        print(f"session as {side}: {'FAILED' if errors else 'ok'}", *errors[:10], sep="\n  ")
        passed += good + (not errors)
        failed += (not good) + bool(errors)
    print(f"gameroom: {passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
