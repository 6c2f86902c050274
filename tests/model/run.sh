#!/bin/sh
# Checks the engine's protocols exhaustively with spin. Installs nothing.
# Exit: 0 verified, 1 an error was found or the search did not finish, 77 spin or a C compiler is absent.
#   run.sh [long]     `long` adds programs that take minutes and some gigabytes
set -u
here=$(cd "$(dirname "$0")" && pwd)
compiler=${CC:-cc}
for tool in spin "$compiler"; do
  if ! command -v "$tool" > /dev/null 2>&1; then
    echo "skipped: '$tool' is not installed (Debian: apt-get install spin gcc)"
    exit 77
  fi
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# check MODEL [-Dname=value ...]
check() {
  model=$1
  shift
  label="$model $*"
  cd "$work" || exit 1
  rm -f pan pan.* ./*.trail
  if ! spin "$@" -a "$here/$model" > spin.log 2>&1 || [ ! -f pan.c ]; then
    echo "FAILED $label: spin does not accept the model"
    cat spin.log
    failed=1
    return
  fi
  if ! "$compiler" -O2 -w -DSAFETY -DCOLLAPSE -DMEMLIM="${MEMLIM:-6000}" -o pan pan.c; then
    echo "FAILED $label: the verifier does not compile"
    failed=1
    return
  fi
  ./pan -m100000 > pan.log 2>&1
  summary=$(grep -E 'errors: [0-9]+' pan.log)
  states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log)
  case $summary in
    *'errors: 0')
      if grep -q -E 'max search depth too small|out of memory|reached -DMEMLIM' pan.log; then
        echo "FAILED $label: the search was cut short"
        failed=1
      else
        echo "verified $label: $states states"
      fi
      ;;
    *)
      echo "FAILED $label"
      grep -E '^pan:|errors' pan.log
      if [ -f "$model.trail" ]; then spin "$@" -t -p "$here/$model" | tail -60; fi
      failed=1
      ;;
  esac
}

check engine.pml -DVARS=2 -DPER=1 -DWORKERS=2 -DWAITS=1
check engine.pml -DVARS=1 -DPER=2 -DWORKERS=2 -DWAITS=1
check lane.pml
check stream.pml -DVARS=1 -DTASKS=3
check team.pml
check team.pml -DHELPERS=1 -DROUNDS=3 -DCHUNKS=3
if [ "${1:-}" = long ]; then
  check engine.pml -DVARS=3 -DPER=1 -DWORKERS=1 -DWAITS=0
  check engine.pml -DVARS=2 -DPER=2 -DWORKERS=1 -DWAITS=0
  check stream.pml -DVARS=2 -DTASKS=3
fi
exit $failed
