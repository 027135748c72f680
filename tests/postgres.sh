#!/usr/bin/env bash
# Runs the tests of the archive on a temporary PostgreSQL server.
# The last line is "N passed, N failed", as ./test expects.
set -u
cd "$(dirname "$0")/.." || exit 2

# Debian installs the server binaries in a directory per version.
pg_bin=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$pg_bin" ] || pg_bin=$(dirname "$(command -v initdb)" 2>/dev/null)
[ -x "$pg_bin/initdb" ] || { echo "0 passed, 0 failed, 1 skipped (no root to install postgresql)"; exit 0; }

# The server refuses to run as root.
as_postgres() {
  if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

data="$PWD/target/postgres"
rm -rf "$data" && mkdir -p "$data"
[ "$(id -u)" -ne 0 ] || chown postgres "$data"
if ! as_postgres test -w "$data"; then
  # A parent directory is not accessible to that user.
  data=$(mktemp -d)
  [ "$(id -u)" -ne 0 ] || chown postgres "$data"
fi
stop() {
  (cd / && as_postgres "$pg_bin/pg_ctl" --pgdata "$data/db" --mode immediate --wait stop) >/dev/null 2>&1
  rm -rf "$data"
}
trap stop EXIT
started=
if (cd / && as_postgres "$pg_bin/initdb" --pgdata "$data/db" --username surus --auth trust --encoding UTF8 --locale C) \
  >"$data/start" 2>&1; then
  # If a port is in use, try the next one.
  for port in 54601 54733 55129 56003 57119; do
    options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c max_connections=60"
    (cd / && as_postgres "$pg_bin/pg_ctl" --pgdata "$data/db" --log "$data/log" --wait --options "$options" start) \
      >>"$data/start" 2>&1 && started=yes && break
  done
fi
if [ -z "$started" ]; then
  cat "$data/start" "$data/log" 2>/dev/null
  echo "0 passed, 1 failed"
  exit 1
fi

export SURUS_TEST_POSTGRES="postgres://surus@127.0.0.1:$port/postgres"
if [ $# -gt 0 ]; then
  "$@"
  exit
fi
log="$data/tests"
# Uses the test binaries of the workspace build: building the crate alone would rebuild its dependencies with other features.
tests=$(cargo test --workspace --tests --no-run --quiet --message-format json | grep 'crates/archive#' |
  grep -o '"executable":"[^"]*"' | cut -d '"' -f 4)
status=0
[ -n "$tests" ] || status=1
for binary in $tests; do
  (cd crates/archive && "$binary") >>"$log" 2>&1 || status=1
done
cat "$log"
awk '/^test result/ { for (i = 1; i < NF; i++) { if ($(i + 1) ~ /^passed/) p += $i; if ($(i + 1) ~ /^failed/) f += $i } }
  END { print p + 0 " passed, " f + 0 " failed" }' "$log"
exit $status
