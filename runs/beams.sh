#!/usr/bin/env bash
# Widths of the beam and both ways to search, side by side, on the whole programs that runs/default.sh
# keeps for validation. All 446 of them take some two hours of one core; --limit N takes N of them evenly.
#
#   runs/beams.sh [DATA] [OUT] [OPTIONS_OF_EVAL...]
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-target/default-run/traces-valid.jsonl.zst}
out=${2:-target/beams}
shift $(($# < 2 ? $# : 2))
codexec=${CODEXEC:-target/release/codexec}
if [ -z "${CODEXEC:-}" ]; then cargo build --release; fi

for search in published best; do
  $codexec eval --whole --data "$data" --beam 10,5,1 --search $search --force --out "$out/$search" "$@" > /dev/null
done
for search in published best; do
  printf '## --search %s\n\n' $search
  # From the heading of the set to the first breakdown.
  sed -n '/^## /,/^| by /{/^| by /!p}' "$out/$search/results.md" | sed 's/^## //'
  sed -n '/^- /p' "$out/$search/results.md"
  echo
done > "$out/beams.md"
echo "$out/beams.md"
