#!/usr/bin/env bash
# The embedded predictor of missing values: events of the test suites of packages, and what is learned from them.
#
#   runs/values.sh FOLDER EVENTS [CODEXEC]
#
# FOLDER takes the source distributions, an environment and one file of events a package; what is there already is kept,
# so a run that was stopped goes on. EVENTS is a file of events that are there already. The tests run OUTSIDE THE
# SANDBOX, each package for 75 seconds. Packages of FRESH are recorded and never learned from.
set -euo pipefail

folder=$(realpath -m "$1")
events=$(realpath "$2")
codexec=$(realpath "${3:-target/release/codexec}")
LEARNED="arrow sqlparse tinydb funcy glom deepdiff beautifulsoup4 bleach dateparser python-dateutil inflect jmespath jsonpath-ng
  cachetools colander wtforms hyperframe hpack h2 wsproto oauthlib pyjwt simplejson tomlkit configobj webob pyramid pluggy
  prompt_toolkit blessed simpy pint uncertainties textblob parsel w3lib itemloaders kombu apscheduler croniter watchdog
  pyfakefs freezegun responses faker factory_boy graphene mashumaro apispec python-box omegaconf fire cmd2 unidecode
  netaddr astor asttokens executing jedi rope pycodestyle pyflakes autopep8 coverage docutils rfc3986 hyperlink furl asgiref
  dominate mistletoe pathspec tenacity jsonlines json5 agate semver license-expression"
FRESH="tablib anytree nbformat httpx isodate humanize plumbum prettytable construct transitions"

mkdir -p "$folder"/{sources,learned,fresh,log}
cd "$folder"
if [ ! -x venv/bin/pytest ]; then
  python3 -m venv venv
  # shellcheck disable=SC2086
  venv/bin/pip -q install $LEARNED $FRESH pytest pytest-mock pytest-asyncio hypothesis pytz tzdata requests parameterized \
    pytest-subtests lxml pyyaml jsonschema numpy regex chardet
fi

record() { # package, folder of events, and what of it is recorded
  local package=$1 to=$PWD/$2/$1.jsonl.zst
  shift 2
  [ -e "$to" ] && return
  timeout 120 venv/bin/pip -q download --no-deps --no-binary :all: -d sources "$package" || return 0
  local archive
  archive=$(find sources -maxdepth 1 -iname "${package//[-_]/?}-[0-9]*.tar.gz" | head -1)
  [ -n "$archive" ] || return 0
  tar xzf "$archive" -C sources
  local python=$PWD/venv/bin/python log=$PWD/log/$package
  echo "$package" >&2
  (cd "${archive%.tar.gz}" && timeout -k 10 120 "$codexec" guide record "$@" --out "$to" -- \
    timeout -s INT -k 20 75 "$python" -m pytest -q -p no:cacheprovider --no-header --maxfail=400 \
    -c /dev/null --rootdir .) >"$log" 2>&1 || true
}

for package in $LEARNED; do record "$package" learned; done
for package in $FRESH; do record "$package" fresh --package "${package//-/_}"; done

# One file a package: of each, one place in twenty is held out. Of EVENTS every fifth package is.
"$codexec" guide learn "$events" learned/*.jsonl.zst --fresh --most 6000 --least 10 --force --out values.safetensors
"$codexec" eval guide --events "$events" --predictors linear --predictor-model values.safetensors
zstd -dcq fresh/*.jsonl.zst >fresh.jsonl
"$codexec" eval guide --events fresh.jsonl --unlearned --predictors linear --predictor-model values.safetensors
