#!/usr/bin/env bash
# The whole recipe of the embedded checkpoint for whole traces: examples, training, evaluation. With CODEXEC_DEVICE=cuda (and
# CODEXEC, a program built for it, docs/gpu.md) about as the embedded one was made (which had three fifths of `steps`), in minutes; else as the one before it was, in about five
# hours on two CPU cores. The tutorial's examples need the documentation of Python (apt-get install python3-doc). Corpora are JSON
# Lines of programs; without them the statements of Python's standard library and the examples give a (much) smaller run.
#
#   runs/default.sh [OUT] [TRAIN_PROGRAMS] [VALID_PROGRAMS] [TEMPLATES]
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/default-run}
shared=${CODEXEC_SHARED:-../shared}
train=${2:-$shared/corpora/train_programs.jsonl.zst}
valid=${3:-$shared/corpora/valid_programs.jsonl.zst}
templates=${4:-$shared/corpora/singleline_templates.jsonl.zst}

codexec=${CODEXEC:-target/release/codexec}
[ -n "${CODEXEC:-}" ] || cargo build --release
mkdir -p "$out"

have() { [ -e "$1" ]; }
lines_from() { if have "$templates"; then echo "--templates $templates"; fi; }
if ! have "$train"; then train=examples; fi
if ! have "$valid"; then valid=examples; fi

make_once() { # FILE COMMAND...
  local file=$1
  shift
  have "$file" || "$@" --out "$file"
}
steps=(--max-source 110 --max-target 60)
traces=(--max-source 220 --max-target 380 --inputs 1)
make_once "$out/simple.jsonl.zst" $codexec data steps --count 90000 --seed 11 "${steps[@]}"
# shellcheck disable=SC2046
make_once "$out/steps.jsonl.zst" $codexec data singleline $(lines_from) --count 260000 --seed 1 "${steps[@]}"
# shellcheck disable=SC2046
make_once "$out/steps-valid.jsonl.zst" $codexec data singleline $(lines_from) --count 2000 --seed 2 "${steps[@]}"
make_once "$out/traces.jsonl.zst" $codexec data traces "$train" --mutants 5 --seed 1 "${traces[@]}"
make_once "$out/traces-valid.jsonl.zst" $codexec data traces "$valid" --mutants 0 --seed 2 "${traces[@]}"
make_once "$out/tutorial.jsonl.zst" $codexec data tutorial --mutants 20
if ! have "$out/tutorial"; then
  printf 'tutorial/classes\ntutorial/datastructures\n' > "$out/tutorial-test.txt"
  $codexec data split "$out/tutorial.jsonl.zst" --out "$out/tutorial" --fractions 100,0,0 \
    --test-problems "$out/tutorial-test.txt"
fi

# Large pages and no trimming: a tenth faster with glibc, the same result.
export MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
if [ "${CODEXEC_DEVICE:-cpu}" = cuda ]; then
  $codexec pretrain --config curriculum/stages/traces-gpu.toml --device cuda --tokenizer crates/model/src/default/tokenizer.json \
    --data simple="$out/simple.jsonl.zst" --data steps="$out/steps.jsonl.zst" --data traces="$out/traces.jsonl.zst" \
    --data tutorial="$out/tutorial.jsonl.zst" --out "$out/run" --resume
else
  $codexec pretrain --config curriculum/stages/singleline.toml --tokenizer crates/model/src/default/tokenizer.json \
    --data simple="$out/simple.jsonl.zst" --data steps="$out/steps.jsonl.zst" --out "$out/first" --resume
  $codexec pretrain --config curriculum/stages/codenet.toml --init "$out/first/checkpoint" \
    --data steps="$out/steps.jsonl.zst" --data traces="$out/traces.jsonl.zst" --out "$out/second" --resume
  $codexec pretrain --config curriculum/stages/codenet-more.toml --init "$out/second/checkpoint" \
    --data steps="$out/steps.jsonl.zst" --data traces="$out/traces.jsonl.zst" --out "$out/third" --resume
  $codexec pretrain --config curriculum/stages/codenet-tutorial.toml --init "$out/third/checkpoint" \
    --data steps="$out/steps.jsonl.zst" --data traces="$out/traces.jsonl.zst" \
    --data tutorial="$out/tutorial/train.jsonl.zst" --out "$out/run" --resume
fi

runs/whole.sh "$out/run/checkpoint" "$out" "$out/evaluation"
