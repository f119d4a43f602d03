#!/usr/bin/env bash
# What the engines say that 300 short functions print (runs/functions/*.py): planned execution with methods folded, with
# operators folded and without folding, and whole traces. The score is the column `output`. CODEXEC is the binary.
#
#   runs/functions.sh [CHECKPOINT|-] [OUT]
set -euo pipefail
cd "$(dirname "$0")/.."
checkpoint=${1:--}
out=${2:-target/functions}

codexec=${CODEXEC:-target/release/codexec}
[ -n "${CODEXEC:-}" ] || cargo build --release
rm -rf "$out/programs"
mkdir -p "$out/programs"
for file in runs/functions/*.py; do
  awk -v to="$out/programs/$(basename "$file" .py)" \
    '/^#: / { name = to "-" $2 ".py"; next } name { print > name }' "$file"
done
$codexec data traces "$out/programs" --mutants 0 --out "$out/truth.jsonl.zst" --force

model=()
if [ "$checkpoint" != - ]; then model=(--model "$checkpoint"); fi
$codexec eval --data "$out/truth.jsonl.zst" "${model[@]}" --force --out "$out/plan"
$codexec eval --data "$out/truth.jsonl.zst" "${model[@]}" --fold operators --force --out "$out/operators"
$codexec eval --data "$out/truth.jsonl.zst" "${model[@]}" --no-fold --force --out "$out/no-fold"
$codexec eval --data "$out/truth.jsonl.zst" --whole --force --out "$out/whole"
