"""Everything but traces."""

import codexec
import pytest


def test_check_finds_and_says_where(tmp_path):
    report = codexec.check("values = []\nprint(sum(values) / len(values))\n")
    (finding,) = report
    assert (finding.kind, finding.line, finding.message) == ("ZeroDivisionError", 2, "division by zero")
    assert finding.probability > 0.9
    assert bool(report) and len(report) == 1
    assert "2:" in str(report) and "ZeroDivisionError" in str(report)
    assert not codexec.check("print(1)\n")
    assert codexec.check("x = (\n").findings[0].kind == "SyntaxError"
    (tmp_path / "helper.py").write_text("def half(x):\n    return x / 0\n")
    (tmp_path / "main.py").write_text("import helper\nprint(helper.half(1))\n")
    (tmp_path / "bad.py").write_bytes(b"\xff\xfe")
    reports = codexec.check_many(tmp_path)
    assert [report.path for report in reports] == [str(tmp_path / name) for name in ("bad.py", "helper.py", "main.py")]
    assert reports[0].is_open and "bad.py" in reports[0].notes[0].text
    assert [finding.line for finding in reports[1]] == [2]
    (finding,) = codexec.check(tmp_path / "main.py")
    assert (finding.path, finding.line) == ("helper.py", 2)
    with pytest.raises(TypeError, match="not int"):
        codexec.check(5)


def test_mutants_are_the_same_for_the_same_seed():
    source = "x = 3\nfor k in range(x):\n    print(k + x)\n"
    mutants = codexec.mutate(source, 8, seed=7)
    assert mutants == codexec.mutate(source, 8, seed=7)
    assert mutants != codexec.mutate(source, 8, seed=8)
    assert len({mutant.text for mutant in mutants}) == 8 and all(mutant.edits for mutant in mutants)
    for mutant in mutants:
        compile(str(mutant), "<mutant>", "exec")
    with pytest.raises(ValueError):
        codexec.mutate("x = (\n")


def test_mutants_have_traces_where_an_engine_is_asked():
    source = "x = 3\nfor k in range(x):\n    print(k + x)\n"
    plain = codexec.mutate(source, 6, seed=7)
    assert all(mutant.trace is None for mutant in plain)
    planned = codexec.mutate(source, 6, seed=7, engine="plan")
    assert planned == plain
    for mutant in planned:
        assert mutant.trace.source == mutant.text
        assert mutant.trace.output == codexec.trace(mutant.text).output
    with pytest.raises(TypeError, match="max_steps"):
        codexec.mutate(source, 6, max_steps=5)
    ran = codexec.mutate(source, 6, seed=7, engine="run")
    assert [one.trace.output for one in ran] == [one.trace.output for one in planned]


def test_rerank_puts_the_right_sample_first():
    samples = ["print(int(input()) + 2)", "print(int(input()) * 2)", "print(1 / 0)"]
    order = codexec.rerank(samples, [("3\n", "6\n"), ("5\n", "10\n")])
    assert [ranked.sample for ranked in order][0] == 1
    assert order[0].passes == 2
    functions = ["def f(x):\n    return [x]\n", "def f(x):\n    return x\n"]
    assert codexec.rerank(functions, [{"call": "f(2)", "expected": "[2]"}])[0].sample == 0
    with pytest.raises(TypeError, match="expected"):
        codexec.rerank(samples, [{"stdin": "3"}])
    with pytest.raises(TypeError, match="list of programs"):
        codexec.rerank("print(1)", [])


def test_guide_runs_what_misses_values(sandbox):
    guided = codexec.guide("total = price * 2\nprint(total)\n", root=False)
    assert guided.coverage.share == 1.0
    assert guided.covered == {1, 2}
    assert str(guided).startswith("2 of 2 lines; finished\nline 1: name price = ")
    (made,) = guided.injected
    assert (made.line, made.kind, made.name) == (1, "name", "price")
    assert guided.trace.engine == "guide"


def test_prefix_makes_it_runnable(sandbox):
    found = codexec.prefix("if user.is_admin:\n    print('yes')\nelse:\n    print('no')\n")
    assert found.coverage.share == 1.0
    ran = codexec.trace(found.best.text + "\nif user.is_admin:\n    print('yes')\nelse:\n    print('no')\n", engine="run")
    assert ran.outcome == "finished" and ran.output in ("yes\n", "no\n")


def test_diff_tells_versions_apart(sandbox):
    assert codexec.diff("print(a + 1)\n", "print(1 + a)\n").verdict == "same"
    different = codexec.diff("print(a + 1)\n", "print(a + 2)\n")
    assert different.verdict == "different" and different.values


def test_search_finds_what_does_the_same(tmp_path):
    import subprocess
    import sys

    for name, source in {
        "sum": "total = 0\nfor k in range(10):\n    total += k\nprint(total)\n",
        "hello": "print('hello', 'world')\n",
        "text": "words = 'a b c'.split()\nprint(len(words))\n",
    }.items():
        (tmp_path / f"{name}.py").write_text(source)
    index = tmp_path / "index.parquet"
    subprocess.run([sys.executable, "-m", "codexec", "search", "index", tmp_path, "--out", index], check=True)
    found = codexec.search(index, "s = 0\nfor i in range(10):\n    s = s + i\nprint(s)\n", top=2)
    assert len(found) == 2 and found[0].id.endswith("sum.py") and found[0].output_similarity == 1.0
    with pytest.raises(codexec.EngineError, match="gone.parquet"):
        codexec.search(tmp_path / "gone.parquet", "x = 1")
    with pytest.raises(codexec.EngineError, match="<string>:1"):
        codexec.search(index, "x = (")
