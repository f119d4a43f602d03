"""Executes a small notebook with `%%codexec` in a kernel, and makes docs/images/notebook.png of it.

    pip install . nbclient nbconvert ipykernel
    npm --prefix viewer ci
    python runs/notebook_picture.py

Needs Node and Chromium (`CHROMIUM`, else /usr/bin/chromium).
"""

import argparse
import os
import pathlib
import subprocess
import tempfile

import nbclient
import nbconvert
import nbformat

ROOT = pathlib.Path(__file__).resolve().parent.parent

CELLS = [
    "%load_ext codexec",
    """\
%%codexec
from shop import basket  # not installed

total = 0
for price in [3, 5]:
    total += price * 2
if basket.is_open():
    print("to pay:", total)""",
    """\
%%codexec --compare
words = "b a b".split()
count = {word: words.count(word) for word in words}
print(sorted(count.items()))""",
    """\
%%codexec --check
def mean(values):
    return sum(values) / len(values)

print(mean([]))""",
    """\
import codexec

RATES = {"tea": 19}

def gross(item, price):
    return price + RATES[item]

codexec.trace(gross, "tea", 50)""",
]

PICTURE = """
const { chromium } = require("node:module").createRequire(process.argv[2])("playwright-core");
(async () => {
  const browser = await chromium.launch({ executablePath: process.argv[3], args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 900, height: 600 }, deviceScaleFactor: 1.25, offline: true });
  await page.goto("file://" + process.argv[4]);
  await page.locator("main").screenshot({ path: process.argv[5] });
  await browser.close();
})();
"""

# What the page of `nbconvert` has around the cells.
STYLE = "<style>main { padding: 10px 14px 4px 0 !important } .jp-InputPrompt, .jp-OutputPrompt { flex: 0 0 60px !important }</style>"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs/images/notebook.png")
    out = parser.parse_args().out.resolve()
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    exporter = nbconvert.HTMLExporter(template_name="lab", require_js_url="", mathjax_url="", jquery_url="")
    page, _ = exporter.from_notebook_node(book)
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place) / "book.html"
        file.write_text(page.replace("</head>", f"{STYLE}</head>"))
        script = pathlib.Path(place) / "picture.cjs"
        script.write_text(PICTURE)
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        subprocess.run(["node", script, ROOT / "viewer" / "package.json", chromium, file, out], check=True)
    print(f"{out}: {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
