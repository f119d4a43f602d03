#!/usr/bin/env bash
# The encoder of `codexec search`: trained on pairs of programs of one problem, and scored beside the zero-shot one.
#
#   runs/search.sh [OUT]
#
# CODEXEC_TRAIN and CODEXEC_VALID are corpora with `problem_id` (or `group`) and no problem in common; CODEXEC is the
# program. A run that was stopped goes on. OUT/checkpoint is what crates/model/src/search holds.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/search}
shared=${CODEXEC_SHARED:-../shared}
train=${CODEXEC_TRAIN:-$shared/corpora/train_programs.jsonl.zst}
valid=${CODEXEC_VALID:-$shared/corpora/valid_programs.jsonl.zst}
codexec=${CODEXEC:-target/release/codexec}
[ -n "${CODEXEC:-}" ] || cargo build --release
mkdir -p "$out"
"$codexec" pretrain --config curriculum/stages/search.toml --data "programs=$train" \
  --init crates/model/src/default --out "$out/run" --resume
for model in default "$out/run/checkpoint"; do
  "$codexec" eval search "$valid" --max-steps 2000 --model "$model" --outputs "$out/outputs.jsonl"
done
