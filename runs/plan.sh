#!/usr/bin/env bash
# The tables of planned execution: with folding, the network alone, and whole traces by beam search, on the validation
# programs and ORCA's incomplete set.
#
#   runs/plan.sh [MODEL_DIR|default] [OUT] [VALID_PROGRAMS] [OPTIONS_OF_EVAL...]
set -euo pipefail
cd "$(dirname "$0")/.."
model=${1:-default}
out=${2:-target/plan-evaluation}
shared=${CODEXEC_SHARED:-../shared}
valid=${3:-$shared/corpora/valid_programs.jsonl.zst}
shift $(($# < 3 ? $# : 3))
if ! [ -e "$valid" ]; then valid=examples; fi

cargo build --release
codexec=target/release/codexec
mkdir -p "$out"
truth=$out/valid.jsonl.zst
[ -e "$truth" ] || $codexec data traces "$valid" --mutants 0 --inputs 1 --max-source 100000 --max-target 100000 --out "$truth"
data=(--data "$truth")
if [ -e "$shared/orca/incomplete.json.gz" ]; then data+=(--data "$shared/orca/incomplete.json.gz"); fi
chosen=()
[ "$model" = default ] || chosen=(--model "$model")
$codexec eval "${data[@]}" "${chosen[@]}" --force --out "$out/plan" "$@" > /dev/null
$codexec eval "${data[@]}" "${chosen[@]}" --no-fold --force --out "$out/no-fold" "$@" > /dev/null
$codexec eval "${data[@]}" --whole --beam 1 --force --out "$out/whole" "$@" > /dev/null
echo "$out/plan/results.md $out/no-fold/results.md $out/whole/results.md"
