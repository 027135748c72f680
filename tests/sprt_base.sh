#!/usr/bin/env bash
# Tests the working tree against HEAD, built separately: with the same engine every pair must be even.
# usage: tests/sprt_base.sh SURUS_BIN
set -u
result=$("$1" sprt --base HEAD --engine greedy --games 8 --json | tail -n 1)
echo "$result"
case "$result" in
  *'"games":8'*'"pairs":[0,0,4,0,0]'*'"state":"continue"'*) echo "sprt-base: 1 passed, 0 failed" ;;
  *) echo "sprt-base: 0 passed, 1 failed"; exit 1 ;;
esac
