#!/usr/bin/env bash
# The working tree against its own last revision, built aside: the same engine, so every pair must end even.
# tests/sprt_base.sh SURUS
set -u
result=$("$1" sprt --base HEAD --engine greedy --games 8 --json | tail -n 1)
echo "$result"
case "$result" in
  *'"games":8'*'"pairs":[0,0,4,0,0]'*'"state":"continue"'*) echo "sprt-base: 1 passed, 0 failed" ;;
  *) echo "sprt-base: 0 passed, 1 failed"; exit 1 ;;
esac
