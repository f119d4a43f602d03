"""The command `codexec`, also as `python -m codexec`."""

import sys

from codexec import _codexec, _launcher


def main() -> int:
    """Runs the command line of this process. Returns its exit status."""
    _launcher.announce()
    return _codexec.command(["codexec", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
