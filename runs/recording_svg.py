#!/usr/bin/env python3
"""Record commands and what they print as an animated SVG, for the README.

    runs/recording_svg.py [--codexec PROGRAM] [--out FILE]

Each command is typed, then its output stands for some seconds. The text is the commands' own; only the colours are added.
The picture loads nothing and runs no script.
"""

import argparse
import pathlib
import subprocess

from comparison_svg import BAR, CELL, LINE, MARGIN, rows, window

COMMANDS = [
    ("codexec trace examples/05_count_letter.py", 7),
    ("codexec check docs/snippets/mean.py", 6),
    ("codexec trace docs/snippets/sales.py", 8),
]
ROWS, COLUMNS = 17, 100
# Seconds: of a part of a command as it is typed, and of the pause before its output.
TYPED, PAUSE = 0.35, 0.5


def screens(codexec, root):
    """What stands on the screen, line by line, and for how many seconds."""
    for command, seconds in COMMANDS:
        words = command.split(" ")
        for count in range(1, len(words) + 1):
            yield ["$ " + " ".join(words[:count])], PAUSE if count == len(words) else TYPED
        run = subprocess.run([codexec, *words[1:]], cwd=root, capture_output=True, text=True, check=False)
        if run.returncode > 1:
            raise SystemExit(f"{command}: {run.stderr.strip()}")
        lines = [line[:COLUMNS].rstrip() for line in run.stdout.rstrip().splitlines()]
        if len(lines) > ROWS - 1:
            lines = [*lines[: ROWS - 2], "…"]
        yield ["$ " + command, *lines], seconds


def picture(shown):
    width, height = COLUMNS * CELL + 2 * MARGIN, ROWS * LINE + 2 * MARGIN + BAR
    total = sum(seconds for _, seconds in shown)
    out = window(width, height, "Three commands and what they print")
    styles, parts, begin = [], [], 0.0
    for number, (lines, seconds) in enumerate(shown):
        start, end = 100 * begin / total, 100 * (begin + seconds) / total
        # Steps of visibility: a screen is there or not.
        styles.append(
            f"@keyframes s{number}{{0%{{visibility:{'visible' if start == 0 else 'hidden'}}}"
            f"{start:.3f}%{{visibility:visible}}{end:.3f}%{{visibility:hidden}}100%{{visibility:hidden}}}}"
            f"#s{number}{{visibility:hidden;animation:s{number} {total:.2f}s step-end infinite}}"
        )
        parts.append(f'<g id="s{number}">' + "".join(rows(lines)) + "</g>")
        begin += seconds
    out.append(f"<style>{''.join(styles)}</style>")
    return "\n".join([*out, *parts, "</g></svg>"]) + "\n"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--codexec", default=str(root / "target/release/codexec"))
    parser.add_argument("--out", type=pathlib.Path, default=root / "docs/images/terminal.svg")
    given = parser.parse_args()
    given.out.write_text(picture(list(screens(given.codexec, root))), encoding="utf-8")


if __name__ == "__main__":
    main()
