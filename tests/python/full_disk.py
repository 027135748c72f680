"""Fills a 64 MB RAM disk while surus writes to it, and makes one read-only: expects a clear error, no corrupt file, and that the same command completes
the work once there is free space, with the result of an undisturbed run.

Requires its own mount namespace: unshare -rm python3 tests/python/full_disk.py --surus target/debug/surus
"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

passed = 0
failures = []


def check(condition, message):
    global passed
    if condition:
        passed += 1
    else:
        failures.append(message)
        print(f"FAILED: {message}", flush=True)


class Disk:
    """A mounted RAM disk."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(self.root)], check=True)

    def fill(self):
        """Uses all free space, to the last byte."""
        with open(self.root / "filler", "ab", buffering=0) as filler:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while True:
                        filler.write(bytes(size))
                except OSError:
                    pass

    def free_space(self):
        (self.root / "filler").unlink()

    def make_read_only(self):
        subprocess.run(["mount", "-o", "remount,ro", str(self.root)], check=True)

    def unmount(self):
        subprocess.run(["umount", str(self.root)], check=True)


class Surus:
    def __init__(self, binary):
        self.binary = binary

    def run(self, *args):
        return subprocess.run([self.binary, *args], capture_output=True, text=True, timeout=300)

    def start(self, *args):
        return subprocess.Popen([self.binary, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def fill_while_running(surus, disk, args, progress):
    """Starts a command, fills the disk after its first progress, and returns exit code and errors."""
    process = surus.start(*args)
    deadline = time.monotonic() + 120
    while not progress() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    disk.fill()
    _, error = process.communicate(timeout=300)
    return process.returncode, error


def size(path):
    return path.stat().st_size if path.exists() else 0


def test_command(surus, disk, name, args, journal, digest, undisturbed):
    """A command that writes a file fails with a clear error on a full disk and completes afterwards."""
    before = size(journal)
    code, error = fill_while_running(surus, disk, args, lambda: size(journal) > before + 20_000)
    check(code == 2, f"{name}: exit code {code}, expected 2; {error}")
    check("No space left" in error or "full" in error, f"{name}: unclear error: {error}")
    check("panicked" not in error, f"{name}: panic: {error}")
    disk.free_space()
    again = surus.run(*args)
    check(again.returncode == 0, f"{name}: not resumable: {again.stderr}")
    check(digest() == undisturbed, f"{name}: the result differs from an undisturbed run")


def games_digest(path):
    """IDs, results and turns of the games of a run, in order; times differ between runs."""
    lines = path.read_text().splitlines()
    columns = [lines[0].split("\t").index(name) for name in ("id", "result", "movelist")]
    rows = sorted(tuple(line.split("\t")[column] for column in columns) for line in lines[1:])
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def match(surus, disk, work):
    args = ["match", "random", "random:seed=2", "--games", "4000", "--resume", "--out"]
    surus.run(*args, str(work / "match"))
    run_dir = disk.root / "match"
    test_command(
        surus, disk, "match", [*args, str(run_dir)], run_dir / "games.txt",
        lambda: games_digest(run_dir / "games.txt"), games_digest(work / "match" / "games.txt"),
    )


def selfplay(surus, disk, work):
    args = ["learn", "selfplay", "--nodes", "100", "--games", "40", "--engine", "alphabeta:hash=1", "--out"]
    surus.run(*args, str(work / "selfplay"))
    name = "selfplay-1-of-1.packed"
    file = disk.root / "selfplay" / name
    test_command(
        surus, disk, "selfplay", [*args, str(disk.root / "selfplay")], file,
        lambda: file.read_bytes(), (work / "selfplay" / name).read_bytes(),
    )


def archive(surus, disk, work):
    games = work / "games.txt"
    surus.run("archive", "generate", "--games", "1000", "--seed", "7", "--out", str(games))
    store = disk.root / "archive.db"

    def export(path):
        return surus.run("archive", "export", "positions", "--db", str(path)).stdout

    surus.run("archive", "import", str(games), "--db", str(work / "archive.db"))
    wal = disk.root / "archive.db-wal"
    test_command(
        surus, disk, "import", ["archive", "import", str(games), "--db", str(store)],
        wal, lambda: export(store), export(work / "archive.db"),
    )


def board(surus, disk, _work):
    process = surus.start("play", "--port", "0", "--no-browser", "--data-dir", str(disk.root / "board"))
    try:
        line = next(line for line in process.stdout if "http://" in line)
        address = "http://" + line.split("http://")[1].split()[0].rstrip("/.")

        def request(path, body=None):
            data = json.dumps(body).encode() if body is not None else None
            headers = {"Content-Type": "application/json"}
            query = urllib.request.Request(f"{address}/api/v1/{path}", data=data, headers=headers)
            try:
                with urllib.request.urlopen(query, timeout=30) as answer:
                    return answer.status, json.load(answer)
            except urllib.error.HTTPError as error:
                return error.code, json.load(error)

        game = {"gold": {"kind": "human"}, "silver": {"kind": "human"}}
        kept = [request("games", game)[1]["id"] for _ in range(3)]
        disk.fill()
        # The write-ahead log may have space for a few more.
        for _ in range(2000):
            status, answer = request("games", game)
            if status != 201:
                break
            kept.append(answer["id"])
        check(status >= 500, f"board: status {status} on a full disk, expected 5xx")
        check("full" in answer.get("error", ""), f"board: unclear error: {answer}")
        status, listed = request("games?limit=50&offset=0")
        check(status == 200, f"board: the list answers {status} on a full disk")
        disk.free_space()
        status, answer = request("games", game)
        check(status == 201, f"board: status {status} after space was freed: {answer}")
        missing = [name for name in kept if request(f"games/{name}")[0] != 200]
        check(not missing, f"board: {len(missing)} of {len(kept)} games lost")
    finally:
        process.kill()
        process.wait()


def read_only(surus, disk, _work):
    """A directory that cannot be written to is an error at the start, before any game or request."""
    surus.run("match", "random", "random:seed=2", "--games", "2", "--out", str(disk.root / "match"))
    board_dir = disk.root / "board"
    process = surus.start("play", "--port", "0", "--no-browser", "--data-dir", str(board_dir))
    next(line for line in process.stdout if "Press Ctrl-C" in line)
    process.kill()
    process.wait()
    disk.make_read_only()
    out = str(disk.root / "other")
    for name, args in [
        ("board", ["play", "--port", "0", "--no-browser", "--data-dir", str(board_dir)]),
        ("new board", ["play", "--port", "0", "--no-browser", "--data-dir", out]),
        ("match", ["match", "random", "greedy", "--games", "2", "--out", out]),
        ("resumed match", ["match", "random", "random:seed=2", "--games", "4", "--resume", "--out", str(disk.root / "match")]),
        ("selfplay", ["learn", "selfplay", "--nodes", "100", "--games", "2", "--out", out]),
        ("engine logs", ["match", "random", "greedy", "--games", "2", "--engine-logs", out]),
    ]:
        done = surus.run(*args)
        check(done.returncode == 2, f"{name} in a read-only directory: exit code {done.returncode}, expected 2")
        check("ead-only" in done.stderr or "readonly" in done.stderr, f"{name}: unclear error: {done.stderr}")
        check("panicked" not in done.stderr and "game" not in done.stdout.lower(), f"{name}: {done.stdout} {done.stderr}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--surus", required=True)
    surus = Surus(str(pathlib.Path(parser.parse_args().surus).resolve()))
    for test in (match, selfplay, archive, board, read_only):
        with tempfile.TemporaryDirectory() as work, tempfile.TemporaryDirectory() as root:
            started = time.monotonic()
            disk = Disk(root)
            try:
                test(surus, disk, pathlib.Path(work))
            finally:
                disk.unmount()
                print(f"{test.__name__}: {time.monotonic() - started:.1f} s", flush=True)
    print(f"full-disk: {passed} passed, {len(failures)} failed")
    raise SystemExit(bool(failures))


main()
