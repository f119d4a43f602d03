#!/usr/bin/env bash
# All tables of the embedded checkpoint for whole traces, or of another one, on whatever sets are at hand: the validation files that
# runs/default.sh makes, and ORCA's incomplete set. With beam 10 about an hour on two CPU cores. CODEXEC is the binary.
#
#   runs/whole.sh [MODEL_DIR|default] [DIR_WITH_EXAMPLES] [OUT] [OPTIONS_OF_EVAL...]
set -euo pipefail
cd "$(dirname "$0")/.."
model=${1:-default}
examples=${2:-target/default-run}
out=${3:-target/evaluation}
shift $(($# < 3 ? $# : 3))
orca=${CODEXEC_SHARED:-../shared}/orca/incomplete.json.gz

arguments=(--force --out "$out")
[ "$model" = default ] || arguments+=(--model "$model")
for name in steps traces; do
  if [ -e "$examples/$name-valid.jsonl.zst" ]; then arguments+=(--data "$examples/$name-valid.jsonl.zst"); fi
  if [ -e "$examples/$name.jsonl.zst" ]; then arguments+=(--train "$examples/$name.jsonl.zst"); fi
done
if [ -e "$orca" ]; then arguments+=(--data "$orca"); fi

codexec=${CODEXEC:-target/release/codexec}
[ -n "${CODEXEC:-}" ] || cargo build --release
"$codexec" eval --whole "${arguments[@]}" "$@" > /dev/null
if [ "$model" = default ]; then
  mkdir -p docs/results
  cp "$out/results.md" docs/results/default.md
fi
echo "$out/results.md"
