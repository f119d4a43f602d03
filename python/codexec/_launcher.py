"""The small program that becomes the sandbox: data of the package."""

from pathlib import Path

from codexec import _codexec


def announce() -> None:
    """Names it to the native module, where the package has it: not where there is no sandbox for the system."""
    launcher = Path(__file__).with_name("bin") / "codexec-sandbox"
    if launcher.is_file():
        _codexec.use_launcher(launcher)
