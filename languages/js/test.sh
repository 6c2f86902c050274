#!/usr/bin/env bash
# Builds the WebAssembly modules where sources changed, tests the package in Node, its types, and the page in Chromium.
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v node > /dev/null; then
  echo "skipped: there is no node (Debian: nodejs)"
  exit 0
fi
bash build.sh
node --test test/*.test.js
if [ ! -x node_modules/.bin/tsc ] && ! npm install --no-audit --no-fund > /dev/null 2>&1; then
  echo "types: skipped, npm could not install TypeScript"
else
  node_modules/.bin/tsc --project test
  echo "types: hold"
fi
