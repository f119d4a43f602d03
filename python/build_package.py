"""The build backend of the package: builds the launcher that becomes the sandbox, then calls maturin.

`pip install .` calls it. The environment variable CODEXEC_PROFILE selects another cargo profile than `dist`, such as
`dev` for tests, and CODEXEC_FEATURES the features of the module, such as `whole`. CODEXEC_GLIBC=2.17 links with zig
(`pip install "maturin[zig]" cargo-zigbuild`), so that the wheel runs with that glibc and later ones.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import (  # noqa: F401
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "python" / "codexec" / "bin" / "codexec-sandbox"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel, as in PEP 517."""
    return maturin.build_wheel(wheel_directory, _prepared(config_settings), metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """An editable wheel, as in PEP 660."""
    return maturin.build_editable(wheel_directory, _prepared(config_settings), metadata_directory)


def _prepared(config_settings):
    """Builds the launcher on systems with a sandbox, with the settings that maturin uses for the
    module."""
    profile = os.environ.get("CODEXEC_PROFILE", "dist")
    features = os.environ.get("CODEXEC_FEATURES", "")
    settings = dict(config_settings or {})
    args = f"--profile {profile}" + (f" --features {features}" if features else "")
    glibc = os.environ.get("CODEXEC_GLIBC", "")
    if glibc:
        args += f" --zig --compatibility manylinux_{glibc.replace('.', '_')}"
    settings.setdefault("build-args", args)
    if sys.platform == "linux":
        _build_launcher(profile, features, glibc)
    else:
        shutil.rmtree(PLACE.parent, ignore_errors=True)
    return settings


def _build_launcher(profile, features, glibc):
    # Together with the module's package, so that common dependencies are built once.
    command = ["cargo", "build"]
    if glibc:
        command = ["cargo", "zigbuild", "--target", f"{_target()}.{glibc}"]
    command += ["--locked", "--profile", profile, "--package", "codexec-data", "--package", "codexec-python"]
    command += ["--bin", "codexec-sandbox", "--message-format", "json-render-diagnostics"]
    command += ["--features", ",".join(f"codexec-python/{feature}" for feature in features.split(",") if feature)]
    try:
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout
    except FileNotFoundError:
        raise SystemExit("cargo is missing: install Rust 1.95 or later (https://rustup.rs), then try again") from None
    (binary,) = set(re.findall(r'"executable":"([^"]*codexec-sandbox)"', said))
    PLACE.parent.mkdir(exist_ok=True)
    shutil.copy(binary, PLACE)
    if profile != "dev" and shutil.which("strip"):
        subprocess.run(["strip", str(PLACE)], check=True)
    PLACE.chmod(0o755)


def _target():
    """The target that cargo builds for: that of CARGO_BUILD_TARGET, or this machine."""
    said = subprocess.run(["rustc", "-vV"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return os.environ.get("CARGO_BUILD_TARGET") or re.search(r"^host: (.*)$", said, re.MULTILINE)[1]
