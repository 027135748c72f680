#!/usr/bin/env bash
# A tournament of built-in engines and an external one, configured by an ini file for roundrobin: every game must end by the
# rules and be saved.
# usage: tests/tournament.sh SURUS_BIN
set -u
surus=$(realpath "$1")
simple_engine=$(realpath .venv/bin/simple_engine)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/bots.ini" <<INI
[global]
bots = greedy random simple
rounds = 4
timecontrol = 5s/30s/100/60s/20m

[greedy]
cmdline = '$surus' aei --engine greedy

[random]
cmdline = '$surus' aei --engine random
bot_seed = 3

[simple]
cmdline = '$simple_engine'
INI
"$surus" tournament "$dir/bots.ini" --out "$dir/run" --concurrency 2 --json >"$dir/events" || exit 1
games=$(grep -c '"event":"game"' "$dir/events")
rows=$(($(wc -l <"$dir/run/games.txt") - 1))
failures=$(grep -cE '"forfeit_reason"|"termination":"[^gem]"' "$dir/events")
tail -n 1 "$dir/events"
[ "$rows" -eq "$games" ] || failures=$((failures + 1))
[ -z "$(pgrep -f "$simple_engine")" ] || failures=$((failures + 1))
echo "tournament: $((games - failures)) passed, $failures failed"
[ "$failures" -eq 0 ]
