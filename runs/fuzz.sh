#!/usr/bin/env bash
# Random programs, planned and run for hours: what differs, with the smallest program that shows it.
#
#   runs/fuzz.sh [OUT] [SEED] [COUNT]
#
# Half of the programs are single statements, half have 3 to 7. A run that was stopped goes on, and so does one that a program
# took down with it: that program is a row. OUT/1 and OUT/3-7 have rows.jsonl; OUT/*.txt are the reports. docs/fuzz.md says how
# to read them. CODEXEC_FUZZ is the built example.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/fuzz}
seed=${2:-1000000}
count=${3:-50000}
fuzz=${CODEXEC_FUZZ:-target/release/examples/fuzz}
[ -n "${CODEXEC_FUZZ:-}" ] || cargo build --release -p codexec-plan --example fuzz
mkdir -p "$out"
for statements in 1 3-7; do
  # A program that ends the process is passed over on the second try after it.
  for try in $(seq 1000); do
    status=0
    "$fuzz" --seed "$seed" --count "$count" --statements "$statements" --minimise --keep "$out/$statements" \
      >"$out/$statements.txt" || status=$?
    # From 128 on a signal ended it; anything else is said, and ends the run.
    [ "$status" -ge 128 ] || break
    echo "$statements statements, try $try: ended by signal $((status - 128)), going on" >&2
  done
  [ "$status" = 0 ] || exit "$status"
  head -n 12 "$out/$statements.txt"
done
