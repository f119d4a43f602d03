#!/usr/bin/env bash
# Builds the playground into dist/: the planner as WebAssembly, and the page. README.md says what is needed.
#
#   RUSTC, CARGO_TARGET_DIR, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER   as cargo knows them
#   PLAYGROUND_CRATE   the folder of the module's crate, where it is not wasm/ here
#   PLAYGROUND_OPT     opt-level of the module: 3 (usual), s, z
#   WASM_OPT           binaryen's wasm-opt, to be run over the module; it takes minutes, and saves 8% before it is packed
set -euo pipefail
cd "$(dirname "$0")"

target=wasm32-unknown-unknown
# Of the module's own stack; the browser's is another one.
stack=4194304

fail() {
  echo "build.sh: $*" >&2
  exit 1
}

command -v cargo >/dev/null || fail "cargo is missing: install Rust (https://rustup.rs)"
command -v npm >/dev/null || fail "npm is missing: install Node.js 20 or later (https://nodejs.org)"
libraries=$("${RUSTC:-rustc}" --print target-libdir --target "$target")
ls "$libraries"/libstd-*.rlib >/dev/null 2>&1 ||
  fail "the standard library of $target is missing in $libraries: rustup target add $target, or set RUSTC to a compiler that has it"

crate=${PLAYGROUND_CRATE:-wasm}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/wasm/target}
export CARGO_PROFILE_RELEASE_OPT_LEVEL=${PLAYGROUND_OPT:-3}
RUSTFLAGS="${RUSTFLAGS:-} -C link-arg=-zstack-size=$stack" \
  cargo build --release --locked --target "$target" --manifest-path "$crate/Cargo.toml" ${CARGO_JOBS:+-j "$CARGO_JOBS"}

PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --silent --no-audit --no-fund
mkdir -p dist
module=$CARGO_TARGET_DIR/$target/release/codexec_playground.wasm
if [ -n "${WASM_OPT:-}" ]; then
  level=-O3
  [ "$CARGO_PROFILE_RELEASE_OPT_LEVEL" = 3 ] || level=-Oz
  "$WASM_OPT" "$level" --all-features --disable-gc --strip-debug --strip-producers "$module" -o dist/planner.wasm
else
  cp "$module" dist/planner.wasm
fi
npx --no-install tsc --noEmit
node scripts/page.mjs
node scripts/sizes.mjs dist/planner.wasm
