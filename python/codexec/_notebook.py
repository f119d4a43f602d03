"""The cell magic `%%codexec`: `%load_ext codexec` first."""

from __future__ import annotations

import argparse
import html
import shlex
from typing import Any

from codexec import _api


def load_ipython_extension(ipython: Any) -> None:
    """Called by `%load_ext codexec`."""
    ipython.register_magic_function(magic, magic_kind="cell", magic_name="codexec")


class _Parser(argparse.ArgumentParser):
    """Raises an exception instead of exiting the process."""

    def error(self, message: str) -> Any:
        raise ValueError(f"%%codexec: {message}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="%%codexec", add_help=False)
    parser.add_argument("--engine", default="plan", choices=["plan", "run", "guide", "whole"])
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--inject", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--height", type=int, default=600)
    parser.add_argument("--input", default=None)
    parser.add_argument("--max-steps", type=int, default=1024)
    parser.add_argument("--packages", nargs="*", default=None)
    return parser


def magic(line: str, cell: str) -> Any:
    """The trace of this cell, which is not executed in the notebook.

    %%codexec [--engine plan|run|guide|whole] [--compare] [--check] [--inject] [--input TEXT] [--max-steps N]
    [--packages [NAME ...]] [--page [--height PIXELS]]

    --compare shows the prediction beside CPython's run in the sandbox, --check whether the cell raises, --page the page
    of `codexec view` in a frame.
    """
    asked = _parser().parse_args(shlex.split(line))
    packages = None if asked.packages is None else asked.packages or True
    if asked.check:
        return _api.check(cell, stdin=asked.input, packages=packages or False)
    options: dict[str, Any] = {"stdin": asked.input, "max_steps": asked.max_steps, "packages": packages}
    if asked.compare:
        return _api.compare(cell, inject=asked.inject, name="<cell>", **options)
    # The page draws object identity.
    options["references"] = asked.page and asked.engine != "whole"
    trace = _api.trace(cell, engine=asked.engine, inject=asked.inject, name="<cell>", **options)
    return Page(trace.html(), asked.height) if asked.page else trace


class Page:
    """A page in a notebook's frame. Its only permission is to run its own script."""

    def __init__(self, text: str, height: int) -> None:
        self.text = text
        self.height = height

    def __repr__(self) -> str:
        return f"<Page of {len(self.text)} characters>"

    def _repr_html_(self) -> str:
        frame = f'style="width:100%;height:{self.height}px;border:0" title="The trace of the cell"'
        return f'<iframe sandbox="allow-scripts" {frame} srcdoc="{html.escape(self.text)}"></iframe>'
