#!/usr/bin/env bash
# A tournament of our engines and an outside program, described in the ini file that the outside program's own
# package uses: every game must end by rule, and every game must be on disk.
# tests/tournament.sh SURUS
set -u
surus=$(realpath "$1")
simple=$(realpath .venv/bin/simple_engine)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/bots.ini" <<INI
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
cmdline = '$simple'
INI
"$surus" tournament "$folder/bots.ini" --out "$folder/run" --concurrency 2 --json >"$folder/events" || exit 1
games=$(grep -c '"event":"game"' "$folder/events")
rows=$(($(wc -l <"$folder/run/games.txt") - 1))
faults=$(grep -cE '"fault"|"reason":"[^gem]"' "$folder/events")
tail -n 1 "$folder/events"
[ "$rows" -eq "$games" ] || faults=$((faults + 1))
[ -z "$(pgrep -f "$simple")" ] || faults=$((faults + 1))
echo "tournament: $((games - faults)) passed, $faults failed"
[ "$faults" -eq 0 ]
