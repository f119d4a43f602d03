"""The magic, in a kernel of its own."""

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")


def outputs(*cells, kernel="python3"):
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(book, timeout=120, kernel_name=kernel, allow_errors=True)
    client.execute()
    return [cell["outputs"] for cell in book.cells]


def test_cells_are_traced_and_not_executed(sandbox):
    found = outputs(
        "%load_ext codexec",
        "%%codexec --input 3\nn = int(input())\nfor k in range(n):\n    print(k)\n",
        "%%codexec --compare\nprint(6 * 7)\n",
        "%%codexec --check\nx = []\nx[0]\n",
        "'n' in dir()",
        "%%codexec --nonsense\nx = 1\n",
        "%%codexec --page --height 300\nx = [1]\ny = x\n",
    )
    assert found[0] == []
    shown = found[1][0]["data"]
    assert "<table" in shown["text/html"] and "n = 3" in shown["text/html"]
    assert shown["text/plain"].startswith("<Trace of <cell> by plan")
    assert "Comparison" in found[2][0]["data"]["text/plain"] and "42" in found[2][0]["data"]["text/html"]
    assert "IndexError" in found[3][0]["data"]["text/plain"]
    assert found[3][0]["data"]["text/html"].startswith('<pre class="codexec">&lt;string&gt;:2:')
    assert found[4][0]["data"]["text/plain"] == "False"
    assert found[5][0]["ename"] == "ValueError" and "nonsense" in found[5][0]["evalue"]
    framed = found[6][0]["data"]["text/html"]
    assert framed.startswith('<iframe sandbox="allow-scripts"') and "height:300px" in framed
    assert "codexec-data" in framed and "<script" not in framed


def test_functions_of_cells_are_traced():
    """A notebook's module has no text; its functions have."""
    found = outputs(
        "import codexec, math\nrate = 3",
        "def helper(x):\n    return math.floor(x) * rate",
        "def price(x):\n    return helper(x) + 1",
        "codexec.trace(price, 2.5).value_of('result').literal()",
        "keeps = 4\ncodexec.trace(lambda x: x + keeps, 1).value_of('result').literal()",
    )
    assert found[3][0]["data"]["text/plain"] == "7"
    assert found[4][0]["data"]["text/plain"] == "5"
