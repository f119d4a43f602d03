# What cargo has to know to build the workspace in $1 for browsers; sourced by build.sh and .ci/run.

# Nothing is random there: checker/src/randomness.rs.
export RUSTFLAGS="${RUSTFLAGS:-} --cfg getrandom_backend=\"custom\""
# The grammar of Python is C, and its headers are those of the crate of the languages.
if [ -z "${CFLAGS_wasm32_unknown_unknown:-}" ]; then
  headers=$(cargo metadata --format-version 1 --locked --filter-platform wasm32-unknown-unknown --manifest-path "$1/Cargo.toml" |
    tr ',' '\n' | sed -n 's/.*"manifest_path":"\(.*tree-sitter-language-[^"/]*\)\/Cargo.toml".*/\1/p' | head -n 1)
  export CFLAGS_wasm32_unknown_unknown="-I$headers/wasm/include"
fi
