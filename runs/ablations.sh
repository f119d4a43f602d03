#!/usr/bin/env bash
# The variants of the curriculum at a small size, trained on the same data with the same budget, in one table.
#
#   runs/ablations.sh [OUT] [BUDGET] [VARIANT...]
#
# BUDGET is that of one variant, as `codexec pretrain --budget` takes it: minutes=10 (default), tokens=3e6. With
# tokens a run does not depend on how fast the machine is. Variants: base cel no-curriculum full-states
# joined-digits no-steps; all of them by default. What is done already is not done again: stop it at any time.
# CODEXEC_EXAMPLES is the size of SingleLine, CODEXEC_TRAIN and CODEXEC_VALID are the corpora, CODEXEC_LIMIT is the
# number of examples of each kind that are scored.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/ablations}
budget=${2:-minutes=10}
shift $(($# < 2 ? $# : 2))
variants=("$@")
if [ ${#variants[@]} = 0 ]; then
  variants=(base cel no-curriculum full-states joined-digits no-steps)
fi
shared=${CODEXEC_SHARED:-../shared}
examples=${CODEXEC_EXAMPLES:-60000}
limit=${CODEXEC_LIMIT:-200}
codexec=${CODEXEC:-target/release/codexec}
[ -n "${CODEXEC:-}" ] || cargo build --release
mkdir -p "$out"

train=${CODEXEC_TRAIN:-$shared/corpora/train_programs.jsonl.zst}
valid=${CODEXEC_VALID:-$shared/corpora/valid_programs.jsonl.zst}
templates=$shared/corpora/singleline_templates.jsonl.zst
[ -e "$train" ] || train=examples
[ -e "$valid" ] || valid=examples
lines=()
[ ! -e "$templates" ] || lines=(--templates "$templates")

make_once() { # FILE COMMAND...
  local file=$1
  shift
  [ -e "$file" ] || "$@" --out "$file"
}
small=(--max-source 110 --max-target 60)
whole=(--max-source 220 --max-target 380)
make_once "$out/singleline.jsonl.zst" "$codexec" data singleline "${lines[@]}" --count "$examples" --seed 1 "${small[@]}"
make_once "$out/singleline-valid.jsonl.zst" "$codexec" data singleline "${lines[@]}" --count 1000 --seed 2 "${small[@]}"
make_once "$out/codenetmut.jsonl.zst" "$codexec" data traces "$train" --operators all --mutants 3 --seed 1 "${whole[@]}"
make_once "$out/codenetmut-valid.jsonl.zst" "$codexec" data traces "$valid" --mutants 0 --seed 2 "${whole[@]}"
make_once "$out/steps.jsonl.zst" "$codexec" data singleline --count 0 --traces "$train" --programs 3000 --per-line 3 --seed 1 "${small[@]}"
if ! make_once "$out/tutorial.jsonl.zst" "$codexec" data tutorial --mutants 20 "${whole[@]}"; then
  # Without the documentation our own examples stand in for the tutorial.
  make_once "$out/tutorial.jsonl.zst" "$codexec" data traces examples --kind tutorial --operators all --mutants 40 "${whole[@]}"
fi

for variant in "${variants[@]}"; do
  run=$out/$variant
  if [ ! -e "$run/done" ]; then
    ablation=()
    [ "$variant" = base ] || ablation=(--ablation "$variant")
    data=()
    for set in singleline tutorial codenetmut steps; do data+=(--data "$set=$out/$set.jsonl.zst"); done
    "$codexec" pretrain --config curriculum/stages/curriculum-small.toml "${ablation[@]}" --budget "$budget" \
      "${data[@]}" --out "$run" --resume
    touch "$run/done"
  fi
  for set in singleline codenetmut; do
    [ -e "$run/$set.json" ] || {
      "$codexec" eval --whole --data "$out/$set-valid.jsonl.zst" --model "$run/checkpoint" --beam 1 --limit "$limit" \
        --json >"$run/$set.json.new"
      mv "$run/$set.json.new" "$run/$set.json"
    }
  done
done

python3 - "$out" "${variants[@]}" <<'PYTHON'
import json
import pathlib
import sys


def score(document, metric):
    """A score of the network by the name of its metric, with its interval, in percent."""
    for table in (table for one in document["sets"] for table in one["tables"]):
        for row in table["rows"]:
            if metric in table["metrics"] and row["engine"].startswith("whole"):
                found = row["scores"][table["metrics"].index(metric)]
                if found:
                    return "{value:.1f} [{low:.1f}, {high:.1f}]".format(**{k: 100 * v for k, v in found.items()})
    return "–"


columns = [
    ("singleline", "exact", "lines exact"),
    ("singleline", "id F1", "lines id F1"),
    ("codenetmut", "exact", "programs exact"),
    ("codenetmut", "id F1", "programs id F1"),
    ("codenetmut", "prefix", "prefix"),
    ("codenetmut", "values", "values"),
    ("codenetmut", "outcome", "outcome"),
]
out = pathlib.Path(sys.argv[1])
print("| variant | M tokens | minutes | " + " | ".join(name for _, _, name in columns) + " |")
print("|---|" + "--:|" * (len(columns) + 2))
for variant in sys.argv[2:]:
    run = out / variant
    lines = (run / "metrics.jsonl").read_text().splitlines()
    last = [line for line in map(json.loads, lines) if "loss" in line][-1]
    documents = {name: json.loads((run / f"{name}.json").read_text()) for name in ("singleline", "codenetmut")}
    cells = [score(documents[name], key) for name, key, _ in columns]
    print(f"| {variant} | {last['tokens'] / 1e6:.2f} | {last['elapsed'] / 60:.1f} | " + " | ".join(cells) + " |")
PYTHON
