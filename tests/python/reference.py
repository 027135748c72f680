"""Recorded games: reading the files, replaying them with pyrimaa.

Shared by sample_positions.py and compare_games.py. Only what the package `aei` offers publicly is used: a game is
played by `pyrimaa.game.Game`, whose two engines here read their turns from the record.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from pyrimaa.aei import EngineResponse
from pyrimaa.game import Game

SIDES = "gs"
TAG = re.compile(r"\d+[gswb]$")
RESIGNATIONS = {"resign", "resigns", "lost", "loses"}


@dataclass
class Record:
    file: str
    game: str  # id of the archive row, or number of the line with the first turn in records.txt
    turns: list  # (tag, steps), takebacks carried out
    row: dict = field(default_factory=dict)  # the archive's columns, empty for a plain record


def compact(position):
    """The position as AEI writes it after `setposition`."""
    return SIDES[position.color] + " " + position.board_to_str("short")


def turns_of(lines):
    """The turns that remain after all takebacks."""
    turns = []
    for line in lines:
        tag, _, steps = line.strip().partition(" ")
        if not TAG.match(tag):
            raise ValueError(f"{tag!r} is not the number and side of a turn")
        tag, steps = tag.replace("w", "g").replace("b", "s"), steps.strip()
        if steps == "takeback":
            turns.pop()
        elif steps in RESIGNATIONS or not steps:
            continue
        else:
            expected = f"{len(turns) // 2 + 1}{SIDES[len(turns) % 2]}"
            if tag != expected:
                raise ValueError(f"turn {tag} where {expected} was expected")
            turns.append((tag, steps))
    return turns


def read_archive(path):
    with path.open(encoding="utf-8", errors="replace") as lines:
        header = next(lines).rstrip("\r\n").split("\t")
        for line in lines:
            row = dict(zip(header, line.rstrip("\r\n").split("\t")))
            yield Record(path.name, row["id"], turns_of(row["movelist"].split("\\n")), row)


def read_records(path):
    first, lines = None, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() + [""], 1):
        if line.strip() and not line.startswith("#"):
            first = first or number
            lines.append(line)
        elif lines and not line.strip():
            yield Record(path.name, str(first), turns_of(lines))
            first, lines = None, []


def game_files(directory):
    return sorted(Path(directory).glob("*.txt"))


def read_file(path):
    """The games of a file, which is an archive when its first line is a header with tabs."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        archive = "\t" in next(lines)
    return list(read_archive(path) if archive else read_records(path))


class OutOfTurns(Exception):
    """The record has no further turn."""


class RecordedEngine:
    """An engine for pyrimaa.game.Game that plays the turns of a record."""

    def __init__(self, turns):
        self.ident = {"name": "record"}
        self.turns = iter(turns)

    def get_response(self, timeout=None):
        response = EngineResponse("bestmove")
        response.move = next(self.turns, None)
        if response.move is None:
            raise OutOfTurns
        return response

    def isready(self, timeout=15):
        return []

    def newgame(self):
        pass

    def go(self, searchtype=None):
        pass

    def makemove(self, move):
        pass


@dataclass
class ReplayResult:
    """pyrimaa's replay of a game."""

    turns: int  # accepted
    final: str  # compact position after them
    winner: str | None  # "g", "s"; by rule or through an illegal turn
    reason: str | None  # "g", "e", "m"; "i" for an illegal turn (then not among `turns`)
    first_rejected_turn: str | None  # tag of the first turn that is illegal or after the end of the game


def replay(record):
    steps = [s for _, s in record.turns]
    game = Game(RecordedEngine(steps[::2]), RecordedEngine(steps[1::2]))
    winner = reason = None
    try:
        side, reason = game.play()
        winner = SIDES[side]
    except OutOfTurns:
        pass
    n = len(game.moves) - (reason == "i")  # pyrimaa lists the illegal turn too, but does not play it
    rejected = record.turns[n][0] if n < len(record.turns) else None
    return ReplayResult(n, compact(game.position), winner, reason, rejected)
