"""Asks CPython 3.11 anew what is wrong with each program of `syntax_errors.jsonl`, and writes it there.

    python3.11 data/tests/make_syntax_errors.py

To add a program, add a line with its `source`.
"""

import json
import sys
import warnings
from pathlib import Path

FILE = Path(__file__).with_name("syntax_errors.jsonl")


def verdict(source):
    try:
        compile(source, "program.py", "exec", dont_inherit=True)
    except SyntaxError as error:
        return {"source": source, "line": error.lineno or 0, "column": error.offset or 0, "message": error.msg}
    raise SystemExit(f"this compiles: {source!r}")


def main():
    if sys.version_info[:2] != (3, 11):
        raise SystemExit("run this with Python 3.11")
    warnings.simplefilter("ignore")
    rows = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    text = "".join(json.dumps(verdict(row["source"]), ensure_ascii=False) + "\n" for row in rows)
    FILE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
