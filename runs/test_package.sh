#!/usr/bin/env bash
# Builds the Python package and runs its tests in an environment of its own, with stub and type checks.
#
#   runs/test_package.sh                     with the profile `dev`
#   CODEXEC_PROFILE=dist runs/test_package.sh
#   runs/test_package.sh python/tests/test_trace.py -k why
#
# Needs an index of Python packages (pip); where there is none it says so and does nothing, unless
# CODEXEC_TESTS_REQUIRE_PACKAGE is set.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pip="$work/venv/bin/pip --quiet --disable-pip-version-check --retries 2"
if ! { "$python" -m venv "$work/venv" && $pip install "maturin>=1.9,<2"; } > "$work/said" 2>&1; then
  tail -2 "$work/said" >&2
  if [ -n "${CODEXEC_TESTS_REQUIRE_PACKAGE:-}" ]; then exit 1; fi
  echo "the Python package is not tested: no environment, or no index of packages is reached" >&2
  exit 0
fi
export PATH="$work/venv/bin:$PATH"
export CODEXEC_PROFILE=${CODEXEC_PROFILE:-dev}
# As `cargo test` has them: only the module itself is then built here.
export CODEXEC_FEATURES=${CODEXEC_FEATURES-whole}
$pip wheel --no-deps --no-build-isolation --wheel-dir "$work/wheels" .
$pip install --no-index "$work"/wheels/*.whl
# What the tests need besides; a test whose library is not there is skipped.
$pip install pytest pytest-timeout
for library in polars pandas pyarrow duckdb "nbclient ipykernel" "mypy" "ray[data]"; do
  # shellcheck disable=SC2086
  $pip install $library || echo "$library cannot be installed: its tests are skipped" >&2
done
"$work/venv/bin/python" -m pytest -q -p no:cacheprovider --timeout 300 "${@:-python/tests}"
if "$work/venv/bin/python" -c "import mypy" 2> /dev/null; then
  config="$PWD/pyproject.toml"
  cd "$work"
  venv/bin/python -m mypy --config-file "$config" -p codexec
  venv/bin/python -m mypy.stubtest --mypy-config-file "$config" codexec._codexec
fi
