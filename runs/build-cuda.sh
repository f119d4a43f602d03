#!/usr/bin/env bash
# Build codexec with its `cuda` feature on a machine that has no GPU, no driver and no CUDA toolkit.
#
# usage: runs/build-cuda.sh [--full] [--cap N] [--kit DIR] [-- CARGO_ARGUMENTS...]
#
#   --full     also compile candle's kernels for quantised and mixture-of-experts tensors, which
#              codexec never uses; without it they are stubs that name themselves and abort
#   --cap N    compute capability to compile for, 80 or more (default 90: H100 and H200 only;
#              80 also runs on anything newer, compiled by the driver on first use)
#   --kit DIR  where the toolkit lives (default ${XDG_CACHE_HOME:-~/.cache}/codexec/cuda-13.0;
#              made once from PyPI wheels, 100 MB to download, checked against their hashes)
#   --help     print this
#
# Arguments after `--` go to `cargo build`, which already has
# `--release --locked --features cuda --bin codexec`: `-- --example gpu_probe` adds the probe.
#
# Leaves stripped, gzipped programs in target/cuda/carry (target/cuda-full/carry with --full).
# CARGO_TARGET_DIR moves `target`. Needs: x86-64 Linux, cargo, python3 with pip, a C++ compiler,
# binutils. How it works, how to run the result and what to look out for: docs/gpu.md.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TARGET=x86_64-unknown-linux-gnu
KIT=${XDG_CACHE_HOME:-$HOME/.cache}/codexec/cuda-13.0
CAP=90
FLAVOUR=cuda

die() { echo "build-cuda.sh: $*" >&2; exit 2; }

while [ $# -gt 0 ]; do
  case $1 in
    --full) FLAVOUR=cuda-full ;;
    --cap)  CAP=${2:?--cap needs a number}; shift ;;
    --kit)  KIT=${2:?--kit needs a directory}; shift ;;
    -h|--help) sed -n '2,/^set -/{/^set -/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
    --) shift; break ;;
    *) die "unknown argument '$1' (cargo's come after --); see --help" ;;
  esac
  shift
done
[[ $CAP =~ ^[0-9]+$ && $CAP -ge 80 ]] || die "--cap $CAP: bf16 needs 80 or more"
[ "$(uname -sm)" = "Linux x86_64" ] || die "needs x86-64 Linux, this is $(uname -sm)"
for tool in cargo python3 c++ ar strip readelf; do
  command -v "$tool" >/dev/null || die "'$tool' is not on the PATH; install it"
done

# CUDA 13.0 update 2. Not newer: nvcc 13.1 writes PTX 9.1, which a 580 driver refuses.
wheels() {
  cat <<'WHEELS'
nvidia-cuda-nvcc==13.0.88 --hash=sha256:56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03
nvidia-cuda-crt==13.0.88 --hash=sha256:2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4
nvidia-nvvm==13.0.88 --hash=sha256:c5f41ffeb6466944a026dfa5317d7d85355c119bbec279205d22f1869d1054e0
nvidia-cuda-runtime==13.0.96 --hash=sha256:7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548
nvidia-cuda-cccl==13.0.85 --hash=sha256:e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649
WHEELS
}

# The toolkit: $KIT/home looks like an installed one, $KIT/lite/nvcc stands in front of its nvcc.
make_kit() {
  echo "making the toolkit in $KIT" >&2
  rm -rf "$KIT"
  mkdir -p "$KIT/home/lib" "$KIT/lite"
  wheels > "$KIT/requirements.txt"
  python3 -m pip install -q --disable-pip-version-check --no-deps --only-binary=:all: \
    --require-hashes -r "$KIT/requirements.txt" --target "$KIT/wheels"
  local cuda=$KIT/wheels/nvidia/cu13 lib
  for dir in bin include nvvm; do ln -s "$cuda/$dir" "$KIT/home/$dir"; done
  # candle asks cudarc for `dynamic-linking`, so the linker is told to look for these. The code
  # opens them at run time instead and refers to nothing in them: empty archives will do.
  for lib in cuda nvrtc curand cublas cublasLt; do ar rc "$KIT/home/lib/lib$lib.a"; done
  # The full kernels do refer to the runtime; the static one finds the driver by itself.
  ln -s "$cuda/lib/libcudart_static.a" "$KIT/home/lib/libcudart.a"
  write_lite_nvcc > "$KIT/lite/nvcc"
  chmod +x "$KIT/lite/nvcc"
  touch "$KIT/complete"
}

# An nvcc that answers for the kernels codexec does not use and passes everything else on. It runs
# in the directory of the crate `candle-kernels`, the source file last on its command line.
write_lite_nvcc() {
  cat <<'NVCC'
#!/usr/bin/env bash
set -euo pipefail
source_file=${!#} object= directory= previous=
for argument in "$@"; do
  case $previous in
    -o) object=$argument ;;
    --output-directory) directory=$argument ;;
  esac
  previous=$argument
done

compile_c() { cc -x c -c -fPIC -O1 -o "$object" -; }

case $(basename "$source_file") in
  quantized.cu) # a module without kernels
    printf '.version 9.0\n.target sm_%s\n.address_size 64\n' "$CUDA_COMPUTE_CAP" \
      > "$directory/quantized.ptx" ;;
  moe_gguf.cu) # one object with every function the crate declares
    { printf '#include <stdio.h>\n#include <stdlib.h>\n'
      grep -oE 'pub fn [A-Za-z0-9_]+' src/ffi.rs | cut -d' ' -f3 | sort -u | while read -r name; do
        printf 'void %s(void) { fputs("%s: left out of this build; runs/build-cuda.sh --full adds it\\n", stderr); abort(); }\n' \
          "$name" "$name"
      done
    } | compile_c ;;
  moe_*.cu|mmq_*.cu|mmvq_gguf.cu)
    echo 'typedef int nothing;' | compile_c ;;
  *) exec "$(dirname "$0")/../home/bin/nvcc" "$@" ;;
esac
NVCC
}

[ -e "$KIT/complete" ] || make_kit

export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$ROOT/target}/$FLAVOUR
export CUDA_HOME=$KIT/home CUDA_PATH=$KIT/home
export CUDA_COMPUTE_CAP=$CAP       # 90 becomes sm_90a
export CUDARC_CUDA_VERSION=13000   # the bindings, and which libraries are opened: libcublas.so.13, ...
case $FLAVOUR in
  cuda) export NVCC=$KIT/lite/nvcc ;;
  *)    export NVCC=$KIT/home/bin/nvcc ;;
esac
# cudarc's code opens libraries at run time under this cfg, but its build script refuses it beside
# `dynamic-linking`. Given --target, cargo keeps these flags from build scripts.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS='--cfg feature="dynamic-loading"'

cd "$ROOT"
BUILT=$(mktemp)
trap 'rm -f "$BUILT"' EXIT
cargo build --release --locked --features cuda --target "$TARGET" --bin codexec \
  --message-format=json-render-diagnostics "$@" > "$BUILT"

CARRY=$CARGO_TARGET_DIR/carry
mkdir -p "$CARRY"
grep -oP '"executable":"\K[^"]+' "$BUILT" | while read -r program; do
  needed=$(readelf -d "$program" | grep NEEDED)
  if grep -E 'lib(cuda|cublas|curand|nvrtc)' <<< "$needed"; then
    die "$program is linked to CUDA and would not start without it; did cudarc's version change?"
  fi
  packed=$CARRY/$(basename "$program").gz
  strip -o "$CARRY/stripped" "$program"
  gzip -9 -n -c "$CARRY/stripped" > "$packed"
  glibc=$(readelf -V "$program" | grep -oE 'GLIBC_2\.[0-9]+' | sort -V | tail -1)
  echo "$packed: $(stat -c %s "$packed") bytes, unpacked $(stat -c %s "$CARRY/stripped"), needs $glibc"
  rm "$CARRY/stripped"
done
