#!/bin/sh
# Profiles one benchmark case. Prints the functions that take most; files go to build/profile/.
#   tools/profile_case.sh CASE [perf|callgrind] [LIBRARY]
# perf samples the case for DURATION (5) seconds on THREADS (1) threads. callgrind counts instructions: it
# runs the case twice, with 1 and with 1 + CALLS (10) calls, so that the difference is the calls alone; load on
# the machine does not change it.
# PYTHON names the interpreter that has the library, and PYTHONPATH a source tree.
set -eu
usage='usage: tools/profile_case.sh CASE [perf|callgrind] [LIBRARY]; `benchmarks/run.py --list` lists both'
case=${1:?$usage}
tool=${2:-perf}
library=${3:-mixgrad}
python=${PYTHON:-python}
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/profile
threads=${THREADS:-1}
calls=${CALLS:-10}
mkdir -p "$out"
# The runner starts in benchmarks/, so a relative PYTHONPATH is made absolute.
case ${PYTHONPATH:-} in
  '' | /*) ;;
  *) PYTHONPATH=$(pwd)/$PYTHONPATH && export PYTHONPATH ;;
esac
needs() {
  command -v "$1" >/dev/null && return
  echo "profile_case.sh: there is no $1; install the package $2" >&2
  exit 2
}
export OMP_NUM_THREADS="$threads"
cd "$root/benchmarks"

case $tool in
  perf)
    needs perf linux-perf
    event=cycles # virtual machines may lack the counter
    perf stat -e cycles true 2>&1 | grep -q 'not supported' && event=cpu-clock
    perf record -q -e $event -F 997 -g -o "$out/$case.perf" -- \
      "$python" -m bench.measure "$case" "$library" --unchecked --threads "$threads" \
      --seconds "${DURATION:-5}" >/dev/null
    perf report -i "$out/$case.perf" --stdio --no-children -g none --percent-limit 0.5 2>/dev/null |
      grep -v '^#' | grep -v '^$' | head -40
    echo "all of it: perf report -i $out/$case.perf"
    ;;
  callgrind)
    needs valgrind valgrind
    for count in 1 $((1 + calls)); do
      valgrind --quiet --tool=callgrind --callgrind-out-file="$out/$case.$count.callgrind" \
        "$python" -m bench.measure "$case" "$library" --unchecked --threads "$threads" \
        --calls "$count" >/dev/null
    done
    for count in 1 $((1 + calls)); do
      callgrind_annotate --threshold=100 "$out/$case.$count.callgrind" >"$out/$case.$count.txt"
    done
    echo "instructions in one call, function"
    awk -v calls="$calls" '
      !/^ *[0-9,]+ \( *[0-9.]+%\)/ { next }
      { count = $1; gsub(",", "", count); count += 0; sub(/^ *[0-9,]+ \( *[0-9.]+%\) +/, "") }
      FNR == NR { few[$0] = count; next }
      count > few[$0] { printf "%12.0f  %s\n", (count - few[$0]) / calls, $0 }
    ' "$out/$case.1.txt" "$out/$case.$((1 + calls)).txt" | sort -rn | head -40
    echo "all of it: callgrind_annotate $out/$case.$((1 + calls)).callgrind, or kcachegrind"
    ;;
  *)
    echo "profile_case.sh: no tool is called '$tool'; $usage" >&2
    exit 2
    ;;
esac
