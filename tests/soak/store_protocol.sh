#!/usr/bin/env bash
# A hundred thousand schedules of faults in a replicated store (docs/store-protocol.md), some minutes.
exec "$(dirname "$0")/../fuzz/protocol.sh" soak 100000
