#!/usr/bin/env bash
# Variants of the network that answers the planner's questions, trained from nothing on the same data with the same CPU
# time and two seeds, in one table.
#
#   runs/answers_ablations.sh [OUT] [MINUTES] [VARIANT...]
#
# MINUTES (30) of CPU time of each of two threads for a variant and seed, so that other load changes no row; or 12M, the
# millions of tokens that every row sees. Variants: base
# learned-positions 2x384 6x192 joined-digits no-average, all of them by default, and 2x128. What is done already is not
# done again.
# OUT holds the questions that runs/train.sh makes, or they are made; CODEXEC_SEEDS are the seeds ("1 2").
#
#   CODEXEC_POINTS="1 2 4 8" CODEXEC_SEEDS=1 runs/answers_ablations.sh OUT 0 base 2x128
#
# The curve of two sizes: a row after each of these millions of tokens instead of one after MINUTES, with the share of
# 300 validation programs whose trace is exact.
#
#   CODEXEC_ONLY=train CODEXEC_MICRO=8192 CODEXEC_SEEDS=1 runs/answers_ablations.sh OUT 12M base
#
# Only the training, for a GPU: one such command for each row side by side fills it, once OUT holds the questions. The same
# command without CODEXEC_ONLY makes the table.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/answers-ablations}
minutes=${2:-30}
shift $(($# < 2 ? $# : 2))
variants=("$@")
if [ ${#variants[@]} = 0 ]; then variants=(base learned-positions 2x384 6x192 joined-digits no-average); fi
shared=${CODEXEC_SHARED:-../shared}
train=${CODEXEC_TRAIN:-$shared/corpora/train_programs.jsonl.zst}
valid=${CODEXEC_VALID:-$shared/corpora/valid_programs.jsonl.zst}
[ -e "$train" ] || train=examples
[ -e "$valid" ] || valid=examples
codexec=${CODEXEC:-target/release/codexec}
[ -n "${CODEXEC:-}" ] || cargo build --release
mkdir -p "$out"

file_of() { # NAME: as it is there, or as it will be made
  if [ -e "$out/$1.jsonl" ]; then echo "$out/$1.jsonl"; else echo "$out/$1.jsonl.zst"; fi
}
make_once() { # NAME ARGUMENTS...
  local file
  file=$(file_of "$1")
  shift
  [ -e "$file" ] || "$codexec" data plan "$@" --out "$file" --resume
}
make_once valid "$valid" --questions 300
make_once valid-alone "$valid" --no-fold --questions 300
unseen=(--exclude "$(file_of valid)" --exclude "$(file_of valid-alone)")
make_once operators --exercises 300000 --no-fold --seed 61 "${unseen[@]}"
make_once singleline --exercises 150000 --seed 62 "${unseen[@]}"
make_once codenetmut "$train" --questions 100 --seed 63 "${unseen[@]}"

configuration() { # VARIANT SEED BUDGET
  local layers=4 width=256 rotary=true digits='' average='average = 0.998'
  case $1 in
    base) ;;
    learned-positions) rotary=false ;;
    2x384) layers=2 width=384 ;;
    6x192) layers=6 width=192 ;;
    2x128) layers=2 width=128 ;;
    joined-digits) digits='digits = "joined"' ;;
    no-average) average='' ;;
    *) echo "unknown variant: $1" >&2; return 1 ;;
  esac
  cat <<EOF
seed = $2
dtype = "bf16"
threads = 2
log_every = 100
checkpoint_minutes = 2.0
keep_checkpoints = 1
[optimizer]
betas = [0.9, 0.98]
weight_decay = 0.01
clip = 1.0
muon = ["encoder.layer"]
$average
[model]
task = "answers"
rotary = $rotary
vocabulary = 2048
hidden_size = $width
layers = $layers
heads = $((width / 32))
max_source = 256
max_target = 512
$digits
[[stages]]
name = "all"
$3
mix = { operators = 1.0, singleline = 1.0, codenetmut = 1.0 }
batch_tokens = 8192
micro_tokens = ${CODEXEC_MICRO:-2048}
peak_lr = 1.5e-3
warmup_steps = 30
schedule = "constant"
EOF
}

export MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592
data=()
for name in operators singleline codenetmut; do data+=(--data "$name=$(file_of $name)"); done
points=(${CODEXEC_POINTS:-})
table=$out/table.md
[ "${CODEXEC_ONLY:-}" != train ] || table=/dev/null
{
  echo "| variant | seed | parameters | tokens | questions, folded (%) | questions, alone (%) |${points:+ traces, operators folded (%) | traces, alone (%) |}"
  echo "|---|--:|--:|--:|--:|--:|${points:+--:|--:|}"
} >"$table"
truth=$out/truth.jsonl.zst
[ ${#points[@]} = 0 ] || [ -e "$truth" ] || "$codexec" data traces "$valid" --mutants 0 --inputs 1 --max-source 100000 \
  --max-target 100000 --out "$truth"

row() { # RUN VARIANT SEED BUDGET INIT...
  local run=$1 variant=$2 seed=$3 budget=$4
  shift 4
  configuration "$variant" "$seed" "$budget" >"$run.toml"
  if [ ! -e "$run/done" ]; then
    "$codexec" pretrain --config "$run.toml" "${data[@]}" "$@" --cpu-time --out "$run" --resume 2>"$run.log"
    touch "$run/done"
  fi
  [ "${CODEXEC_ONLY:-}" != train ] || return 0
  for questions in valid valid-alone; do
    [ -e "$run/$questions.json" ] || "$codexec" eval questions "$(file_of $questions)" \
      --model "$run/checkpoint" --limit 3000 --json >"$run/$questions.json"
  done
  if [ ${#points[@]} != 0 ]; then
    for level in operators none; do
      [ -e "$run/$level/results.json" ] || "$codexec" eval --data "$truth" --model "$run/checkpoint" --fold $level \
        --limit 300 --out "$run/$level" >/dev/null
    done
  fi
  python3 - "$run" "$variant" "$seed" >>"$table" <<'EOF'
import json, pathlib, re, sys

run, variant, seed = pathlib.Path(sys.argv[1]), *sys.argv[2:]
tokens, before = 0, run
while True:  # a point of a curve goes on from the one before it
    rows = [json.loads(line) for line in (before / "metrics.jsonl").read_text().splitlines()]
    tokens += max(row.get("tokens", 0) for row in rows)
    if not (before / "from").exists():
        break
    before = pathlib.Path((before / "from").read_text().strip())
parameters = re.search(r"([\d.]+) M parameters", pathlib.Path(f"{run}.log").read_text())
exact = []
for name in ("valid", "valid-alone"):
    scores = json.loads((run / f"{name}.json").read_text())["scores"]
    exact.append(f"{100 * scores['exact'] / scores['questions']:.1f}")
for level in ("operators", "none"):
    if (run / level / "results.json").exists():
        tables = json.loads((run / level / "results.json").read_text())["sets"][0]["tables"]
        table = next(table for table in tables if "exact" in table["metrics"])
        exact.append(f"{100 * table['rows'][0]['scores'][table['metrics'].index('exact')]['value']:.1f}")
print(f"| {variant} | {seed} | {parameters[1] if parameters else '?'} M | {tokens / 1e6:.1f} M | {' | '.join(exact)} |")
EOF
}

budget="minutes = $minutes"
case $minutes in
  *[!0-9]*M) echo "$minutes: whole millions of tokens are wanted, as 12M" >&2; exit 2 ;;
  *M) budget="tokens = ${minutes%M}_000_000" ;;
esac
for variant in "${variants[@]}"; do
  for seed in ${CODEXEC_SEEDS:-1 2}; do
    if [ ${#points[@]} = 0 ]; then
      row "$out/$variant-$seed" "$variant" "$seed" "$budget"
      continue
    fi
    before=() seen=0
    for point in "${points[@]}"; do
      run=$out/$variant-$seed-${point}M
      mkdir -p "$run"
      [ ${#before[@]} = 0 ] || echo "${before[1]%/checkpoint}" >"$run/from"
      row "$run" "$variant" "$seed" "tokens = $(((point - seen) * 1000000))" "${before[@]}"
      before=(--init "$run/checkpoint") seen=$point
    done
  done
done
cat "$table"
