#!/usr/bin/env bash
# Builds the playground into dist/: the planner and the checker as WebAssembly, and the page. README.md says what is needed.
#
#   RUSTC, CARGO_TARGET_DIR, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER   as cargo knows them
#   CC_wasm32_unknown_unknown, CFLAGS_wasm32_unknown_unknown   of a C compiler for the target, clang where it is not said
#   PLAYGROUND_CRATE   the folder of the modules' workspace, where it is not wasm/ here
#   PLAYGROUND_OPT     opt-level of the modules: 3 (usual), s, z
#   WASM_OPT           binaryen's wasm-opt, to be run over the modules; it takes minutes, and saves 8% before it is packed
set -euo pipefail
cd "$(dirname "$0")"

target=wasm32-unknown-unknown
# Of a module's own stack; the browser's is another one.
stack=4194304

fail() {
  echo "build.sh: $*" >&2
  exit 1
}

command -v cargo >/dev/null || fail "cargo is missing: install Rust (https://rustup.rs)"
command -v npm >/dev/null || fail "npm is missing: install Node.js 20 or later (https://nodejs.org)"
command -v "${CC_wasm32_unknown_unknown:-clang}" >/dev/null || fail "clang is missing, which compiles the grammar of Python: install it, or set CC_wasm32_unknown_unknown"
libraries=$("${RUSTC:-rustc}" --print target-libdir --target "$target")
ls "$libraries"/libstd-*.rlib >/dev/null 2>&1 ||
  fail "the standard library of $target is missing in $libraries: rustup target add $target, or set RUSTC to a compiler that has it"

crate=${PLAYGROUND_CRATE:-wasm}
export RUSTFLAGS="${RUSTFLAGS:-} -C link-arg=-zstack-size=$stack"
. ./target.sh "$crate"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/wasm/target}
export CARGO_PROFILE_RELEASE_OPT_LEVEL=${PLAYGROUND_OPT:-3}
cargo build --release --locked --workspace --target "$target" --manifest-path "$crate/Cargo.toml" ${CARGO_JOBS:+-j "$CARGO_JOBS"}

PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --silent --no-audit --no-fund
mkdir -p dist
for name in planner checker; do
  module=$CARGO_TARGET_DIR/$target/release/codexec_playground_$name.wasm
  if [ -n "${WASM_OPT:-}" ]; then
    level=-O3
    [ "$CARGO_PROFILE_RELEASE_OPT_LEVEL" = 3 ] || level=-Oz
    "$WASM_OPT" "$level" --all-features --disable-gc --strip-debug --strip-producers "$module" -o "dist/$name.wasm"
  else
    cp "$module" "dist/$name.wasm"
  fi
done
cp ../crates/model/src/steps/model.safetensors dist/steps.safetensors
npx --no-install tsc --noEmit
node scripts/page.mjs
node scripts/sizes.mjs dist/planner.wasm dist/checker.wasm dist/steps.safetensors
