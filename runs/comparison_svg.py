#!/usr/bin/env python3
"""Draw what `codexec trace PROGRAM --compare` prints as an SVG, for the README.

    runs/comparison_svg.py [--codexec PROGRAM] [--program FILE] [--out FILE]

The text is the command's output, line by line; only the colours are added. The picture uses the reader's
own monospace font and loads nothing.
"""

import argparse
import pathlib
import re
import subprocess
from xml.sax.saxutils import escape

# Sizes in pixels; a word is stretched to as many cells as it has characters.
CELL, LINE, MARGIN, BAR = 8.4, 20, 18, 34
BACKGROUND, FRAME, TEXT = "#0d1117", "#161b22", "#e6edf3"
FAINT, RED, AMBER, GREEN, BLUE = "#8b949e", "#ff7b72", "#e3b341", "#7ee787", "#79c0ff"

# What is coloured in a line: the first row whose pattern matches decides.
LINES = [
    (r"^\$ ", GREEN),
    (r"^step +line", FAINT),
    (r"^✗", RED),
    (r"^(predicted|actual)\b", BLUE),
    (r"^Lines and values", FAINT),
    (r"^[a-z].*  +no$|^[a-z].*  wrong$", RED),
    (r"^[a-z].*  right$", GREEN),
]
WORDS = [(r"\b\d+%\?", AMBER), (r"✗.*$", RED), (r"^ +\d+ +\d+  ", FAINT)]


def spans(line):
    """The line as pairs of text and colour."""
    for pattern, colour in LINES:
        if re.search(pattern, line):
            return [(line, colour)]
    marks = [TEXT] * len(line)
    for pattern, colour in WORDS:
        for found in re.finditer(pattern, line):
            marks[found.start() : found.end()] = [colour] * (found.end() - found.start())
    pieces = []
    for character, colour in zip(line, marks):
        if pieces and pieces[-1][1] == colour:
            pieces[-1] = (pieces[-1][0] + character, colour)
        else:
            pieces.append((character, colour))
    return pieces


def window(width, height, label):
    """The window that lines stand in, up to the group of its texts."""
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        f'height="{height}" role="img" aria-label="{label}">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
        f'<path d="M0 {BAR}V8a8 8 0 0 1 8-8H{width - 8:.0f}a8 8 0 0 1 8 8V{BAR}z" fill="{FRAME}"/>',
    ]
    for at, colour in enumerate((RED, AMBER, GREEN)):
        out.append(f'<circle cx="{MARGIN + 4 + at * 20}" cy="{BAR / 2:.0f}" r="6" fill="{colour}"/>')
    out.append('<g font-family="ui-monospace,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="14">')
    return out


def rows(lines):
    """The words of lines, each at its place."""
    for row, line in enumerate(lines):
        y = BAR + MARGIN + row * LINE + 14
        x = 0
        for text, colour in spans(line):
            for word in re.finditer(r"\S+", text):
                # Each word has its place, so that columns stand whatever the font.
                left, wide = MARGIN + (x + word.start()) * CELL, len(word[0]) * CELL
                yield f'<text x="{left:.1f}" y="{y}" fill="{colour}" textLength="{wide:.1f}">{escape(word[0])}</text>'
            x += len(text)


def picture(lines):
    columns = max(len(line) for line in lines)
    width, height = columns * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN + BAR
    out = window(width, height, "Predicted and actual execution of a program")
    return "\n".join([*out, *rows(lines), "</g></svg>"]) + "\n"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--codexec", default=str(root / "target/release/codexec"))
    parser.add_argument("--program", default="examples/10_raises_index.py")
    parser.add_argument("--out", type=pathlib.Path, default=root / "docs/images/comparison.svg")
    given = parser.parse_args()
    command = [given.codexec, "trace", given.program, "--compare"]
    printed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    lines = [f"$ codexec trace {given.program} --compare", *printed.rstrip().splitlines()]
    given.out.write_text(picture(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
