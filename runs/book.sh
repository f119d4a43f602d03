#!/usr/bin/env bash
# Builds the documentation into target/book, with the playground in target/book/playground. That folder is what a page needs:
# any server of files has it, no headers are needed.
#
#   runs/book.sh               all of it; needs mdbook, and what playground/build.sh names
#   runs/book.sh --no-build    with the playground that lies in playground/dist
#   runs/book.sh --serve       afterwards, on http://127.0.0.1:8000 (PORT)
set -euo pipefail
cd "$(dirname "$0")/.."

build=yes serve=
for argument in "$@"; do
  case $argument in
    --no-build) build= ;;
    --serve) serve=yes ;;
    *)
      sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2
      exit 2
      ;;
  esac
done

command -v mdbook >/dev/null || {
  echo "book.sh: mdbook is missing: cargo install mdbook" >&2
  exit 1
}
[ -z "$build" ] || playground/build.sh
for file in index.html app.js app.css worker.js planner.wasm checker.wasm steps.safetensors; do
  [ -f "playground/dist/$file" ] || {
    echo "book.sh: playground/dist/$file is not there: run this without --no-build" >&2
    exit 1
  }
done

mdbook build
rm -rf target/book/playground
cp -r playground/dist target/book/playground
if [ -n "$serve" ]; then
  exec python3 -m http.server "${PORT:-8000}" --bind 127.0.0.1 --directory target/book
fi
