#!/usr/bin/env bash
# Format, vet, tests and example of the Go package. Usage: test.sh FOLDER (of libmixgrad, from the top)
set -euo pipefail
cd "$(dirname "$0")/../.."
library=$(realpath "${1:-build/release}")
export CGO_LDFLAGS="-L$library -Wl,-rpath,$library" GOFLAGS=-mod=mod GOPROXY=off
cd languages/go
unformatted=$(gofmt -l .)
if [ -n "$unformatted" ]; then
  echo "gofmt would change: $unformatted"
  exit 1
fi
go vet ./...
go test ./...
go run ./examples/digits
