#!/usr/bin/env bash
# The recipe of the embedded checkpoint that answers the planner's questions: data of the three stages, training,
# evaluation, packing. It goes on where it stopped, so that short runs add up. Without the corpora the examples give a
# much smaller run.
#
#   runs/train.sh [OUT] [TRAIN_PROGRAMS] [VALID_PROGRAMS] [OPTIONS_OF_PRETRAIN...]
#   runs/train.sh target/run "" "" --piece 30        half an hour of training, and an evaluation of what there is
#   CODEXEC_PERCENT=1 runs/train.sh target/rehearsal examples examples --budget minutes=3
#                                                    all steps with a hundredth of the exercises, in a quarter of an hour
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/train-run}
shared=${CODEXEC_SHARED:-../shared}
train=${2:-$shared/corpora/train_programs.jsonl.zst}
valid=${3:-$shared/corpora/valid_programs.jsonl.zst}
shift $(($# < 3 ? $# : 3))
if ! [ -e "$train" ]; then train=examples; fi
if ! [ -e "$valid" ]; then valid=examples; fi

cargo build --release
codexec=target/release/codexec
mkdir -p "$out"

percent=${CODEXEC_PERCENT:-100}
some() { # of COUNT exercises
  echo $(($1 * percent / 100 > 100 ? $1 * percent / 100 : 100))
}
make_once() { # NAME ARGUMENTS...
  local file=$out/$1.jsonl.zst
  shift
  [ -e "$file" ] || $codexec data plan "$@" --out "$file" --resume
}
unseen=(--exclude "$out/valid.jsonl.zst" --exclude "$out/valid-alone.jsonl.zst")
make_once valid "$valid" --questions 300
make_once valid-alone "$valid" --no-fold --questions 300
make_once singleline --exercises "$(some 350000)" --seed 1 "${unseen[@]}"
make_once facts "$train" --most-characters 16 --seed 2 "${unseen[@]}"
make_once tutorial --tutorial --variants 4 --seed 3 "${unseen[@]}" || make_once tutorial examples --seed 3
make_once codenetmut "$train" --questions 300 --mutants 1 --variants 2 --seed 4 "${unseen[@]}"
make_once alone "$train" --no-fold --questions 120 --seed 5 "${unseen[@]}"
for domain in facts operators powers comparisons; do runs/small_domains.py "$domain" > "$out/small-$domain.jsonl"; done
runs/text_exercises.py > "$out/text.jsonl"
make_once text "$out/text.jsonl" "${unseen[@]}"
runs/operand_exercises.py "$(some 30000)" > "$out/operands.jsonl"
make_once operands "$out/operands.jsonl" --no-fold --seed 7 "${unseen[@]}"
runs/operand_exercises.py "$(some 30000)" 21 usual > "$out/usual.jsonl"
make_once usual "$out/usual.jsonl" --no-fold --seed 8 "${unseen[@]}"
runs/number_exercises.py "$(some 30000)" 1 > "$out/numbers.jsonl"
make_once numbers "$out/numbers.jsonl" --no-fold --seed 9 "${unseen[@]}"
runs/number_exercises.py "$(some 18000)" 2 tables > "$out/tables.jsonl"
make_once tables "$out/tables.jsonl" --no-fold --seed 10 "${unseen[@]}"
runs/number_exercises.py "$(some 12000)" 3 floats > "$out/floats.jsonl"
make_once floats "$out/floats.jsonl" --no-fold --seed 11 "${unseen[@]}"
runs/corner_exercises.py "$(some 20000)" 4 > "$out/corners.jsonl"
make_once corners "$out/corners.jsonl" --no-fold --seed 12 "${unseen[@]}"
make_once small-facts "$out/small-facts.jsonl" --no-fold
make_once small-operators "$out/small-operators.jsonl" --no-fold
make_once small-powers "$out/small-powers.jsonl" --no-fold
make_once small-comparisons "$out/small-comparisons.jsonl" --no-fold "${unseen[@]}"
make_once operators --exercises "$(some 600000)" --no-fold --seed 6 "${unseen[@]}"

# Large pages and no trimming: a tenth faster with glibc, the same result.
export MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
sets=(singleline facts text tutorial codenetmut alone operators operands usual numbers tables floats corners small-facts small-operators small-powers small-comparisons)
data=()
for name in "${sets[@]}"; do data+=(--data "$name=$out/$name.jsonl.zst"); done
$codexec pretrain --config curriculum/stages/answers.toml --init crates/model/src/default "${data[@]}" \
  --valid plan="$out/valid.jsonl.zst" --out "$out/run" --resume "$@"

checkpoint=$out/run/checkpoint
if ! [ -e "$checkpoint/model.safetensors" ]; then
  echo "the first stage goes on with the next run of this command"
  exit 0
fi
seen=()
for name in "${sets[@]}"; do seen+=("$out/$name.jsonl.zst"); done
for valid_questions in valid valid-alone; do
  $codexec eval questions "$out/$valid_questions.jsonl.zst" --model "$checkpoint" --seen "${seen[@]}" |
    tee "$out/questions-$valid_questions.md"
done
few=()
if [ "$percent" -lt 100 ]; then few=(--limit 20); fi
runs/plan.sh "$checkpoint" "$out/evaluation" "$valid" "${few[@]}"
$codexec pretrain --out "$out/run" --pack "$out/piece"
