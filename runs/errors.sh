#!/usr/bin/env bash
# Networks that predict runtime errors, trained on the same data with the same budget, and their scores in one table.
#
#   runs/errors.sh [OUT] [BUDGET] [ROW...]
#
# BUDGET is that of one network, as `codexec pretrain --budget` takes it: steps=1500 (default), minutes=10. Rows are those of
# the Exception IPA-GNN paper: transformer mil-local mil-global ipa-gnn none docstring film attention; the last four are the
# Exception IPA-GNN with ways to read the description of the input, the two before multiple-instance Transformers.
# none-global and docstring-global have an encoder that sees all of the program, and the description with it. `long` is docstring with four times the steps. All of them by
# default. ROW@SEED is a row with another seed. What is done already is not done again: stop it at any time.
# CODEXEC_TRAIN and CODEXEC_VALID are corpora, CODEXEC_PROBLEMS the problems' words about inputs; CODEXEC is the
# binary.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/errors}
budget=${2:-steps=1500}
shift $(($# < 2 ? $# : 2))
rows=("$@")
if [ ${#rows[@]} = 0 ]; then
  rows=(transformer mil-local mil-global ipa-gnn none docstring film attention none-global docstring-global)
fi
corpora=${CODEXEC_SHARED:-../shared}/corpora
train=${CODEXEC_TRAIN:-$corpora/train_programs.jsonl.zst}
valid=${CODEXEC_VALID:-$corpora/valid_programs.jsonl.zst}
problems=${CODEXEC_PROBLEMS:-$corpora/codenet_problems.jsonl.zst}
codexec=${CODEXEC:-target/release/codexec}
[ -n "${CODEXEC:-}" ] || cargo build --release
mkdir -p "$out"

make_once() { # FILE COMMAND...
  local file=$1
  shift
  [ -e "$file" ] || "$@" --out "$file"
}
words=()
[ ! -e "$problems" ] || words=(--descriptions "$problems")
make_once "$out/found.jsonl.zst" "$codexec" data errors "$train" "${words[@]}" --fractions 85,15,0 --mutants 0 --confusions 0 --unbalanced
make_once "$out/errors.jsonl.zst" "$codexec" data errors "$train" "${words[@]}" --fractions 85,15,0 --mutants 4 --confusions 5
make_once "$out/inputs.jsonl.zst" "$codexec" data errors "$train" "${words[@]}" --fractions 85,15,0 --mutants 0 --confusions 0 --other-inputs 6
make_once "$out/test.jsonl" "$codexec" data errors "$valid" "${words[@]}" --fractions 0,0,100 --other-inputs 6

config() { # ROW: its settings
  local architecture=exception-ipa-gnn description=docstring encoder=local source=40 seed=20261122
  case $1 in *@*) seed=${1#*@} ;; esac
  case ${1%@*} in
    ipa-gnn) architecture=ipa-gnn ;;
    # What sees all of the program has room for it.
    transformer) architecture=transformer source=512 ;;
    mil-local) architecture=mil-transformer ;;
    mil-global) architecture=mil-transformer encoder=global source=512 ;;
    none | film | attention) description=${1%@*} ;;
    none-global) description=none encoder=global source=512 ;;
    docstring-global) encoder=global source=512 ;;
    docstring | long) ;;
    *)
      echo "no row is called $1" >&2
      exit 2
      ;;
  esac
  sed -e "s/^seed = [0-9]*/seed = $seed/" -e "s/^architecture = \"[a-z-]*\"/architecture = \"$architecture\"/" \
    -e "s/^encoder = \"[a-z]*\"/encoder = \"$encoder\"/" -e "s/^max_source = [0-9]*/max_source = $source/" \
    -e "s/^description = \"[a-z]*\"/description = \"$description\"/" curriculum/stages/errors-small.toml
}

times() { # FACTOR KIND=TOTAL
  awk -v factor="$1" -v text="$2" 'BEGIN { split(text, part, "="); printf "%s=%g\n", part[1], factor * part[2] }'
}

for row in "${rows[@]}"; do
  run=$out/$row
  config "$row" > "$out/$row.toml"
  if [ ! -e "$run/done" ]; then
    of_row=$budget
    [ "${row%@*}" != long ] || of_row=$(times 4 "$budget")
    "$codexec" pretrain --config "$out/$row.toml" --budget "$of_row" --data "errors=$out/errors.jsonl.zst" \
      --data "found=$out/found.jsonl.zst" --data "inputs=$out/inputs.jsonl.zst" \
      --valid "found=$out/found.jsonl.zst" --valid "inputs=$out/inputs.jsonl.zst" --device cpu --out "$run" --resume
    touch "$run/done"
  fi
  for scored in natural other-inputs; do
    if [ ! -e "$out/$row-$scored.md" ]; then
      "$codexec" eval errors "$out/test.jsonl" "--$scored" --engines ipa --model "$run/checkpoint" > "$out/$row.part"
      mv "$out/$row.part" "$out/$row-$scored.md"
    fi
  done
done

for scored in natural other-inputs; do
  {
    sed -n 1,2p "$out/${rows[0]}-$scored.md"
    for row in "${rows[@]}"; do
      sed -n "s/^| ipa |/| $row |/p" "$out/$row-$scored.md"
    done
  } | tee "$out/table-$scored.md"
  echo
done
