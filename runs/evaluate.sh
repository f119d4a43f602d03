#!/usr/bin/env bash
# Tables of docs/results about the embedded networks, on the corpora and sets that are at hand, a file for
# each table.
#
#   runs/evaluate.sh [OUT] [PART...]
#
# Parts: plan questions functions rerank search errors guide prefix whole, all of them by default; `whole` takes longest
# and writes docs/results/default.md. What is done already is not done again: stop it at any time. CODEXEC is the binary,
# CODEXEC_SHARED the folder of the sets, CODEXEC_TRAIN and CODEXEC_VALID are corpora.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/evaluation}
shift $(($# < 1 ? $# : 1))
parts=("$@")
if [ ${#parts[@]} = 0 ]; then parts=(plan questions functions rerank search errors guide prefix whole); fi
shared=${CODEXEC_SHARED:-../shared}
train=${CODEXEC_TRAIN:-$shared/corpora/train_programs.jsonl.zst}
valid=${CODEXEC_VALID:-$shared/corpora/valid_programs.jsonl.zst}
orca=$shared/orca/incomplete.json.gz
templates=$shared/corpora/singleline_templates.jsonl.zst
[ -e "$train" ] || train=examples
[ -e "$valid" ] || valid=examples
codexec=${CODEXEC:-target/release/codexec}
[ -n "${CODEXEC:-}" ] || cargo build --release
mkdir -p "$out"

make_once() { # FILE COMMAND...
  local file=$out/$1
  shift
  [ -e "$file" ] || "$codexec" "$@" --out "$file"
}
table() { # FILE COMMAND...: what the command prints
  local file=$out/$1
  shift
  if ! [ -e "$file" ]; then
    echo "$file: codexec $*" >&2
    "$codexec" "$@" > "$file.part"
    mv "$file.part" "$file"
  fi
}
scores() { # FOLDER COMMAND...: results.md in the folder
  local folder=$out/$1
  shift
  if ! [ -e "$folder/results.md" ]; then
    echo "$folder/results.md: codexec $*" >&2
    "$codexec" "$@" --out "$folder" > /dev/null
  fi
}
orca_set=()
[ ! -e "$orca" ] || orca_set=(--data "$orca")

for part in "${parts[@]}"; do
  case $part in
    plan)
      make_once valid.jsonl.zst data traces "$valid" --mutants 0 --inputs 1 --max-source 100000 --max-target 100000
      data=(--data "$out/valid.jsonl.zst" "${orca_set[@]}")
      scores plan eval "${data[@]}"
      scores plan-operators eval "${data[@]}" --fold operators
      scores plan-alone eval "${data[@]}" --no-fold --limit 150
      ;;
    questions)
      make_once questions.jsonl.zst data plan "$valid" --questions 300
      make_once questions-alone.jsonl.zst data plan "$valid" --no-fold --questions 300
      make_once repeats-alone.jsonl.zst data plan "$valid" --no-fold --repeats --questions 300
      table questions.md eval questions "$out/questions.jsonl.zst" --limit 2000
      table questions-alone.md eval questions "$out/questions-alone.jsonl.zst" --limit 4000
      table repeats-alone.md eval questions "$out/repeats-alone.jsonl.zst" --limit 6000
      ;;
    functions)
      [ -e "$out/functions/done" ] || CODEXEC=$codexec runs/functions.sh - "$out/functions" > /dev/null
      touch "$out/functions/done"
      ;;
    rerank)
      make_once candidates.jsonl data candidates "$valid"
      table rerank.md eval rerank "$out/candidates.jsonl" --engines plan,fold-operators,run
      ;;
    search)
      if [ "$valid" = examples ]; then
        echo "search is left out: it needs a corpus with several programs of a problem" >&2
      else
        table search.md eval search "$valid" --max-steps 2000
      fi
      ;;
    errors)
      make_once errors.jsonl data errors "$valid" --fractions 0,0,100 --other-inputs 6
      table errors.md eval errors "$out/errors.jsonl" --natural --engines plan,combined
      table errors-other-inputs.md eval errors "$out/errors.jsonl" --other-inputs --engines plan,combined
      [ ! -e "$orca" ] || table errors-orca.md eval errors "$orca" --engines plan,combined --base-rate 0.5
      ;;
    guide | prefix)
      for set in functions stackoverflow; do
        programs=$shared/guided/$set.jsonl.gz
        if ! [ -e "$programs" ]; then
          echo "$part is left out: there is no $programs" >&2
        elif [ "$part" = guide ]; then
          table "guide-$set.md" eval guide --timeout 2 --predictors combined --programs "$programs"
        else
          table "prefix-$set.md" eval prefix --programs "$programs"
        fi
      done
      ;;
    whole)
      lines=()
      [ ! -e "$templates" ] || lines=(--templates "$templates")
      steps=(--max-source 110 --max-target 60)
      traces=(--max-source 220 --max-target 380 --inputs 1)
      mkdir -p "$out/whole"
      make_once whole/steps.jsonl.zst data singleline "${lines[@]}" --count 260000 --seed 1 "${steps[@]}"
      make_once whole/steps-valid.jsonl.zst data singleline "${lines[@]}" --count 2000 --seed 2 "${steps[@]}"
      make_once whole/traces.jsonl.zst data traces "$train" --mutants 5 --seed 1 "${traces[@]}"
      make_once whole/traces-valid.jsonl.zst data traces "$valid" --mutants 0 --seed 2 "${traces[@]}"
      [ -e "$out/whole/scores/results.md" ] || CODEXEC=$codexec runs/whole.sh default "$out/whole" "$out/whole/scores" --limit 300
      ;;
    *)
      echo "no part is called $part; there are: plan questions functions rerank search errors guide prefix whole" >&2
      exit 2
      ;;
  esac
done
