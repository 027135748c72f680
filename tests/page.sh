#!/usr/bin/env bash
# Unit tests of the page's pure modules.
set -u
output=$(node --test --test-reporter=tap tests/page/*.test.mjs)
status=$?
echo "$output"
awk '/^# pass / { passed = $3 } /^# fail / { failed = $3 } END { print "page-unit: " passed + 0 " passed, " failed + 0 " failed" }' <<<"$output"
exit "$status"
