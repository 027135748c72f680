#!/usr/bin/env bash
# Runs on a cluster of this machine: a controller and two nodes of Slurm with the real sbatch. Needs root and the packages
# slurm-wlm and munge. The games must be those of the same runs without a cluster, each once.
# usage: tests/slurm.sh SURUS_BIN
set -u
surus=$(realpath "$1")
dir=$(mktemp -d)
chmod 755 "$dir"
export SLURM_CONF="$dir/slurm.conf"
declare -A daemon
passed=0
failed=0

# check NAME COMMAND...: counts a test.
check() {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok: $name"
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
  fi
}

stop_all() {
  scancel --user=root 2>/dev/null
  sleep 0.5
  local name
  for name in "${!daemon[@]}"; do kill -9 "${daemon[$name]}" 2>/dev/null; done
  # Their children: a step outlives the daemon of its node.
  local pid
  for pid in /proc/[0-9]*; do
    grep -qzF "SLURM_CONF=$SLURM_CONF" "$pid/environ" 2>/dev/null && [ "${pid#/proc/}" != $$ ] &&
      kill -9 "${pid#/proc/}" 2>/dev/null
  done
  rm -rf "$dir"
}
trap stop_all EXIT

mkdir "$dir/state" "$dir/n1" "$dir/n2" "$dir/munge"
chmod 700 "$dir/munge"
head -c 128 /dev/urandom >"$dir/munge/key"
chmod 400 "$dir/munge/key"
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=26817
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=2
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/state/pid
SlurmctldLogFile=$dir/state/log
SlurmdSpoolDir=$dir/%n
SlurmdPidFile=$dir/%n/pid
SlurmdLogFile=$dir/%n/log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=100000
ReturnToService=2
SlurmdTimeout=4
KillWait=2
CompleteWait=0
NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=26818 CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=26819 CPUs=1 State=UNKNOWN
PartitionName=debug Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >"$dir/cgroup.conf"

# start_daemon NAME COMMAND...
start_daemon() {
  local name=$1
  shift
  "$@" >>"$dir/$name.out" 2>&1 &
  daemon[$name]=$!
}
start_node() { start_daemon "$1" slurmd -D -N "$1" -f "$SLURM_CONF"; }

# wait_for SECONDS COMMAND...
wait_for() {
  local tries=$(($1 * 10))
  shift
  while ! "$@"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.1
  done
}

# games DIR: identity, result and turns of every game of a run, in order; a game that was saved twice shows twice.
games() {
  awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { print $column["id"], $column["result"], $column["movelist"] }' "$1/games.txt" | sort -n
}
same_games() { cmp <(games "$1") <(games "$2"); }
field() { "$surus" run status "$1" --json | grep -o "\"$2\":[a-z0-9]*" | head -n 1 | cut -d: -f2; }
is() { [ "$(field "$1" "$2")" = "$3" ]; }
prints() { # prints TEXT COMMAND...: the command prints the text
  local text=$1
  shift
  "$@" >"$dir/printed" 2>&1
  grep -qF -- "$text" "$dir/printed" || { cat "$dir/printed"; return 1; }
}

mkdir "$dir/runs"
cd "$dir/runs" || exit 1
start_daemon munged munged --foreground --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" \
  --pid-file="$dir/munge/pid" --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
wait_for 10 test -S "$dir/munge/socket"
start_daemon controller slurmctld -D -f "$SLURM_CONF"
start_node n1
start_node n2
ready() { [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c idle)" -eq 2 ]; }
if ! wait_for 30 ready; then
  tail -n 20 "$dir"/*.out "$dir/state/log"
  check "two nodes are ready" false
fi
echo "two nodes ready after $SECONDS s"

# process_of TASK: the program that runs a task on a node.
process_of() {
  local pid
  for pid in $(pgrep -x surus); do
    tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qxF "SLURM_CONF=$SLURM_CONF" &&
      tr '\0' '\n' <"/proc/$pid/environ" | grep -qx "SLURM_ARRAY_TASK_ID=$1" && echo "$pid" && return
  done
  return 1
}
# suspend RUN TASK: stops the process of a task that has saved a game, like a machine that hangs. It has a block, and the lock
# of its journal.
suspended=
suspend() {
  grep -qs '^[0-9]' "$1/tasks/$2/games.txt" && suspended=$(process_of "$2") && kill -STOP "$suspended"
}
# Slurm delays a task that was requeued by two minutes.
start_now() { scontrol update "JobId=$(job "$1")_1" StartTime=now 2>>"$dir/scontrol.out"; }
job() { grep '^jobs' "$1/cluster.toml" | grep -o '[0-9]*' | tail -n 1; }
ended() { is "$1" queued 0 && is "$1" running 0; }

# A tournament, during which a node is lost: its daemon dies, its task hangs, is requeued, and waits for its own journal until
# the node is back.
engines=(alphabeta:hash=1 greedy random --nodes 100 --games 20 --max-turns 60)
"$surus" tournament "${engines[@]}" --out local --json >/dev/null || check "a tournament on one machine" false
"$surus" tournament "${engines[@]}" --out tournament --slurm --tasks 2 --detach >/dev/null 2>&1
check "a tournament runs" wait_for 30 suspend tournament 1
node=$(tr '\0' '\n' <"/proc/$suspended/environ" | grep '^SLURMD_NODENAME=' | cut -d= -f2)
kill -9 "${daemon[$node]}"
down() { sinfo -h -N -n "$node" -o %T | grep -q down; }
check "its node is lost" wait_for 30 down
check "the run is not complete" is tournament complete false
requeued() { start_now tournament; grep -q 'waiting for the process' tournament/logs/1.log; }
check "the task starts on the other node and waits" wait_for 30 requeued
start_node "$node"
kill -CONT "$suspended"
check "the tournament ends" "$surus" run status tournament --wait
check "its games are those of one machine, each once" same_games local tournament
echo "tournament after $SECONDS s"

# A match whose first submission is refused; then a task is requeued, all are cancelled, and the run is resumed.
match=(match alphabeta:hash=1 random --nodes 100 --games 40 --max-turns 60)
"$surus" "${match[@]}" --out local2 --json >/dev/null || check "a match on one machine" false
submit_match() { "$surus" "${match[@]}" --out match --slurm --tasks 2 --detach --partition "$1"; }
check "an unknown partition is an error that says what to do" \
  prints 'lists the partitions; then: surus run resume' submit_match nowhere
check "the run can be submitted afterwards" "$surus" run resume match --partition debug --detach
check "the match runs" wait_for 30 suspend match 1
check "a second submission is refused while it runs" prints 'are still queued or running' "$surus" run resume match
check "a task is requeued" scontrol requeue "$(job match)_1"
gone() { ! kill -0 "$suspended" 2>/dev/null; }
check "its process is killed" wait_for 30 gone
again() { start_now match; suspend match 1; }
check "it runs again" wait_for 30 again
check "the run is cancelled" "$surus" run cancel match
check "its tasks end" wait_for 20 ended match
check "it is not complete" is match complete false
check "the run is resumed and complete" "$surus" run resume match
check "its games are those of one machine, each once" same_games local2 match
echo "match after $SECONDS s"

# Another build on the nodes.
sed 's/^"engine 1 id" = .*/"engine 1 id" = "another"/' match/cluster.toml >changed
mv changed match/cluster.toml
check "a task with another engine is refused" prints 'engine 1 id was' "$surus" run resume match

# A sequential test and self-play, whose results do not depend on the tasks either.
test=(sprt greedy random --bounds 0,100 --games 400 --max-turns 60)
"$surus" "${test[@]}" --out local3 >local3.txt
check "a sequential test decides" "$surus" "${test[@]}" --out test --slurm --tasks 2
decision() { grep -E '^(Ptnml|LLR|H[01])' "$1"; }
"$surus" run status test >test.txt
check "its decision is that of one machine" cmp <(decision local3.txt) <(decision test.txt)
selfplay=(learn selfplay --games 6 --nodes 50 --max-turns 30)
"$surus" "${selfplay[@]}" --out data1 >/dev/null
check "self-play runs" "$surus" "${selfplay[@]}" --out data2 --slurm --tasks 2
for data in data1 data2; do "$surus" learn data merge $data --out $data.packed >/dev/null; done
check "its data are those of one machine" cmp data1.packed data2.packed
echo "all after $SECONDS s"

echo "slurm: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
