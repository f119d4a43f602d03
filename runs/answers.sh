#!/usr/bin/env bash
# The recipe of the embedded checkpoint that answers the planner's questions: questions of programs and their variants,
# exercises, training, evaluation. It goes on where it stopped. Without the corpora the examples give a much smaller run.
#
#   runs/answers.sh [OUT] [TRAIN_PROGRAMS] [VALID_PROGRAMS]
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/answers-run}
shared=${CODEXEC_SHARED:-../shared}
train=${2:-$shared/corpora/train_programs.jsonl.zst}
valid=${3:-$shared/corpora/valid_programs.jsonl.zst}
if ! [ -e "$train" ]; then train=examples; fi
if ! [ -e "$valid" ]; then valid=examples; fi

cargo build --release
codexec=target/release/codexec
mkdir -p "$out"

make_once() { # FILE ARGUMENTS...
  local file=$1
  shift
  [ -e "$file" ] || $codexec data plan "$@" --out "$file"
}
make_once "$out/valid.jsonl.zst" "$valid" --questions 300
make_once "$out/plan.jsonl.zst" "$train" --questions 300 --variants 4 --seed 1 --exclude "$out/valid.jsonl.zst"
make_once "$out/methods.jsonl.zst" --exercises 350000 --seed 2 --exclude "$out/valid.jsonl.zst"
make_once "$out/all.jsonl.zst" "$train" --no-fold --questions 100 --variants 1 --seed 3 --exclude "$out/valid.jsonl.zst"

# Large pages and no trimming: a tenth faster with glibc, the same result.
export MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
$codexec pretrain --config curriculum/stages/answers.toml --init src/model/default \
  --data plan="$out/plan.jsonl.zst" --data methods="$out/methods.jsonl.zst" --data all="$out/all.jsonl.zst" \
  --valid plan="$out/valid.jsonl.zst" --out "$out/run" --resume

runs/plan.sh "$out/run/checkpoint" "$out/evaluation" "$valid"
