"""The launcher that becomes the sandbox, as package data."""

from pathlib import Path

from codexec import _codexec


def announce() -> None:
    """Passes its path to the native module, if the package has it: not on systems without a sandbox."""
    launcher = Path(__file__).with_name("bin") / "codexec-sandbox"
    if launcher.is_file():
        _codexec.use_launcher(launcher)
