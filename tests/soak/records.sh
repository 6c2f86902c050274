#!/usr/bin/env bash
# Damaged files of records under sanitizers (docs/fuzzing.md); a million takes some minutes: tests/fuzz/record.sh soak 1000000.
exec "$(dirname "$0")/../fuzz/record.sh" soak 100000
