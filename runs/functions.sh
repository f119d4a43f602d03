#!/usr/bin/env bash
# What the engines say that 300 short functions print (runs/functions/*.py): planned execution, the network alone, and
# whole traces. The score is the column `output`.
#
#   runs/functions.sh [CHECKPOINT|-] [OUT]
set -euo pipefail
cd "$(dirname "$0")/.."
checkpoint=${1:--}
out=${2:-target/functions}

cargo build --release
codexec=target/release/codexec
rm -rf "$out/programs"
mkdir -p "$out/programs"
for file in runs/functions/*.py; do
  awk -v to="$out/programs/$(basename "$file" .py)" \
    '/^#: / { name = to "-" $2 ".py"; next } name { print > name }' "$file"
done
$codexec data traces "$out/programs" --mutants 0 --out "$out/truth.jsonl.zst" --force

model=()
if [ "$checkpoint" != - ]; then model=(--model "$checkpoint"); fi
$codexec eval --data "$out/truth.jsonl.zst" "${model[@]}" --out "$out/plan"
$codexec eval --data "$out/truth.jsonl.zst" "${model[@]}" --no-fold --out "$out/no-fold"
$codexec eval --data "$out/truth.jsonl.zst" --whole --out "$out/whole"
