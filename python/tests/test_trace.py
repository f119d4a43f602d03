"""Traces: what they say, against CPython itself where it can be asked."""

import base64
import contextlib
import gzip
import io
import json
import pickle
import re
import subprocess
import sys

import codexec
import pytest
from conftest import SUM


def printed(source):
    """What CPython prints, executed here: the tests' own programs alone."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, "<test>", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def lines(source):
    """The lines that CPython executes, by its own tracing."""
    seen = []
    code = compile(source, "<test>", "exec")

    def tracer(frame, event, argument):
        if frame.f_code.co_filename != "<test>":
            return None
        if event in ("call", "line", "return"):
            if not (frame.f_code.co_name == "<module>" and event in ("call", "return")):
                seen.append((event, frame.f_lineno))
        return tracer

    sys.settrace(tracer)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, {"__name__": "__main__"})
    finally:
        sys.settrace(None)
    return seen


def test_a_trace_says_what_cpython_does(summed):
    assert summed.output == printed(SUM)
    mine = [(step.event, step.line) for step in summed.steps]
    if sys.version_info[:2] == (3, 11):
        assert mine == lines(SUM)
    assert summed.outcome == "finished" and summed.outcome.exception is None
    assert summed.engine == "plan" and summed.python is None
    assert summed.stopped is None and not summed.truncated
    assert len(summed) == len(summed.steps) == len(mine)


def test_values_are_texts_with_objects(summed):
    assert [value.literal() for value in summed.values("total")] == [0, 1, 3, 6][:1] + [1, 3, 6]
    assert summed.values("b", function="add") == ["0", "1", "2", "3"]
    assert summed.value_of("total") == "6"
    assert summed.value_of("total").type == "int"
    assert summed.value_of("total").origin == "computed"
    assert hash(summed.value_of("total")) == hash("6")
    with pytest.raises(KeyError, match="totl"):
        summed.values("totl")
    with pytest.raises(KeyError):
        summed.value_of("total", 0)
    with pytest.raises(IndexError):
        summed.value_of("total", 1000)
    with pytest.raises(ValueError, match="no literal"):
        summed.value_of("add").literal()


def test_steps_are_a_sequence(summed):
    steps = summed.steps
    assert steps[0].source == "def add(a, b):"
    assert steps[-1].output == "6\n"
    assert [step.index for step in steps[2:6]] == [2, 3, 4, 5]
    assert [step.index for step in steps[::-2]] == list(range(len(steps)))[::-2]
    assert [step.index for step in steps] == list(range(len(steps)))
    with pytest.raises(IndexError):
        steps[len(steps)]
    call = next(step for step in steps if step.event == "call")
    assert call.function == "add" and call.depth == 1
    returned = next(step for step in steps if step.event == "return")
    assert returned.value == "0"
    assert steps[1].changes == {"total": "0"}
    assert set(steps[1].state) == {"add", "total"}


def test_a_trace_is_walked_by_its_steps(summed):
    assert [step.index for step in summed] == list(range(len(summed)))


def test_parts_are_pickled(summed):
    value, outcome = summed.value_of("total"), summed.outcome
    kept = pickle.loads(pickle.dumps((value, outcome)))
    assert kept == (value, outcome)
    assert (kept[0].step, kept[0].type, kept[0].origin) == (value.step, value.type, value.origin)


def test_what_is_missing_is_made_up_and_said():
    source = "import pandas as pd\nframe = pd.read_csv('a.csv')\nprint(frame)\n"
    trace = codexec.trace(source)
    assert trace.outcome == "finished" and trace.confidence < 1
    assert [(one.line, one.kind, one.name) for one in trace.injected][0] == (1, "import", "pandas")
    assert trace.value_of("frame").origin == "injected"
    assert pickle.loads(pickle.dumps(trace)).injected == trace.injected
    assert codexec.trace("print(x)").outcome.exception == "NameError"
    assert codexec.trace("print(x)", inject=True).outcome == "finished"
    assert codexec.trace("print(1)").injected == ()


def test_what_is_made_up_is_otherwise_in_other_worlds():
    source = """
from net import fetch, Gone
try:
    page = fetch('a')
except Gone:
    print('gone')
else:
    print('old' if page.date is None else 'new')
"""
    alone = codexec.trace(source)
    assert alone.worlds == [alone] and not any(one.other for one in alone.decisions)
    trace = codexec.trace(source, beam=5)
    assert [world.output for world in trace.worlds] == ["old\n", "new\n", "gone\n"]
    assert [str(one) for one in trace.worlds[2].decisions] == ["line 4: fetch() raises Gone"]
    assert trace.worlds[0] is trace or trace.worlds[0] == trace
    kept = pickle.loads(pickle.dumps(trace))
    assert [world.output for world in kept.worlds] == ["old\n", "new\n", "gone\n"]
    assert kept.worlds[1].decisions == trace.worlds[1].decisions


def test_numbers_are_numbers():
    for wrong in ({"max_steps": "3"}, {"timeout": "1"}, {"beam": True}, {"name": 3}):
        with pytest.raises(TypeError, match=f"{next(iter(wrong))} is a"):
            codexec.trace("x = 1", **wrong)


def test_what_led_to_an_exception_is_told():
    source = "try:\n    {}['k']\nexcept KeyError as e:\n    raise ValueError('bad') from e\n"
    trace = codexec.trace(source)
    (cause,) = trace.causes
    assert (cause.how, cause.exception, cause.message, cause.line, cause.file) == ("cause", "KeyError", "'k'", 2, 0)
    assert trace.steps[cause.step].line == 2
    assert repr(cause) == "<Cause caused by KeyError on line 2: 'k'>"
    assert pickle.loads(pickle.dumps(trace)).causes[0].line == 2
    assert codexec.trace("1 / 0").causes == []


def test_an_exception_is_an_outcome():
    trace = codexec.trace("x = [1, 2]\nprint(x[2])\n")
    assert trace.outcome == "raised"
    assert trace.outcome.exception == "IndexError"
    assert trace.outcome.message == "list index out of range"
    assert trace.outcome.line == 2
    trace = codexec.trace("import sys\nsys.exit(3)\n")
    assert trace.outcome.kind == "exited" and trace.outcome.code == 3


def test_a_syntax_error_is_an_outcome_by_every_engine(sandbox):
    for engine in ("plan", "run"):
        trace = codexec.trace("x = 1\ny = (\n", engine=engine)
        assert trace.outcome == "syntax_error", engine
        assert trace.outcome.line == 2
        assert len(trace.steps) == 0


def test_arguments_input_and_environment():
    source = "import os, sys\nprint(sys.argv[1:], input(), os.environ['WHO'])\n"
    trace = codexec.trace(source, args=["--n", "3"], stdin="hi\n", env={"WHO": "me"})
    assert trace.output == "['--n', '3'] hi me\n"
    with pytest.raises(TypeError, match="list of strings"):
        codexec.trace(source, args="--n 3")


def test_paths_have_a_project(tmp_path):
    (tmp_path / "helper.py").write_text("def twice(x):\n    return 2 * x\n")
    (tmp_path / "main.py").write_text("import helper\nprint(helper.twice(21))\n")
    (tmp_path / "data.txt").write_text("7\n")
    main = tmp_path / "main.py"
    assert codexec.trace(main).output == "42\n"
    assert codexec.trace(str(main)).files == ["main.py", "helper.py"]
    alone = codexec.trace(main, root=False)
    assert [one.why for one in alone.unknown] == ["helper"] and alone.injected
    main.write_text("print(open('data.txt').read())\n")
    assert codexec.trace(main).output == "7\n\n"
    with pytest.raises(codexec.CodexecError, match="nothing.py: No such file"):
        codexec.trace(tmp_path / "nothing.py")
    with pytest.raises(codexec.CodexecError, match="no such directory"):
        codexec.trace(main, root=tmp_path / "nowhere")


def test_a_directory_is_executed_by_its_main(tmp_path):
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "tax.py").write_text("RATE = 20\n")
    (package / "__main__.py").write_text("from .tax import RATE\nprint(RATE, __package__)\n")
    trace = codexec.trace(package)
    assert trace.output == "20 shop\n"
    with pytest.raises(codexec.CodexecError, match="__main__.py"):
        codexec.trace(tmp_path)


def test_files_that_are_no_programs_have_one_clear_error(tmp_path):
    for name, content in {"latin.py": b"x = '\xe9'\n", "zero.py": b"x = 1\0\n"}.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(codexec.CodexecError, match="latin.py"):
        codexec.trace(tmp_path / "latin.py")
    assert codexec.trace(tmp_path / "zero.py").outcome == "syntax_error"
    (tmp_path / "empty.py").write_text("")
    assert codexec.trace(tmp_path / "empty.py").outcome == "finished"
    (tmp_path / "large.py").write_text("#" * (5 << 20))
    with pytest.raises(codexec.CodexecError, match="larger"):
        codexec.trace(tmp_path / "large.py")
    with pytest.raises(codexec.CodexecError, match="<string>:2: a surrogate"):
        codexec.trace("x = 1\ny = '\ud800'")
    with pytest.raises(codexec.CodexecError, match="larger"):
        codexec.trace("x = 1\n" * 1_000_000)
    with pytest.raises(codexec.CodexecError, match="check_many"):
        codexec.check(tmp_path)
    for wrong in (3, None, b"x = 1"):
        with pytest.raises(TypeError, match="a text, a path or a function"):
            codexec.trace(wrong)


def test_a_module_as_python_m_executes_it(tmp_path, monkeypatch):
    shop = tmp_path / "shop"
    (shop / "tools").mkdir(parents=True)
    (shop / "__init__.py").write_text("")
    (shop / "money.py").write_text("def euros(x):\n    return f'{x} euros'\n")
    (shop / "report.py").write_text("import sys\nfrom .money import euros\nprint(euros(3), __package__, sys.argv[1:])\n")
    (shop / "__main__.py").write_text("from shop import money\nprint(money.euros(4), __package__)\n")
    (shop / "tools" / "count.py").write_text("print(__name__, __package__)\n")
    trace = codexec.trace(module="shop.report", root=tmp_path, args=["-v"])
    assert trace.output == "3 euros shop ['-v']\n"
    assert codexec.trace(module="shop", root=tmp_path).output == "4 euros shop\n"
    # A package without a file of its own.
    assert codexec.trace(module="shop.tools.count", root=tmp_path).output == "__main__ shop.tools\n"
    monkeypatch.chdir(tmp_path)
    trace = codexec.trace(module="shop.report")
    assert trace.output == "3 euros shop []\n" and trace.id == "shop/report.py"
    rows = [{"module": "shop"}, {"source": "print(1)\n", "module": "a column of its own"}, {"module": "shop.gone"}]
    traces = list(codexec.trace_many(rows))
    assert [trace.output for trace in traces] == ["4 euros shop\n", "1\n", ""]
    assert traces[2].id == "shop.gone" and "no module shop.gone" in traces[2].outcome.message
    for wrong in ("shop.gone", "shop.tools", "../shop", "shop.", ""):
        with pytest.raises(codexec.CodexecError, match="module|package"):
            codexec.trace(module=wrong)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "link.py").symlink_to(shop / "report.py")
    with pytest.raises(codexec.CodexecError, match="leads out"):
        codexec.trace(module="link", root=tmp_path / "out")
    for wrong in ({"root": False}, {"root": tmp_path / "gone"}):
        with pytest.raises((TypeError, codexec.CodexecError), match="root"):
            codexec.trace(module="shop", **wrong)
    with pytest.raises(TypeError, match="no other"):
        codexec.trace("x = 1", module="shop")


def test_a_module_is_what_cpython_executes(tmp_path, sandbox):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__main__.py").write_text("from . import part\nprint(part.x, __package__)\n")
    (tmp_path / "pack" / "part.py").write_text("x = 5\n")
    said = subprocess.run([sys.executable, "-m", "pack"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    both = codexec.compare(module="pack", root=tmp_path)
    assert both.agree and both.actual.output == said == "5 pack\n"


def test_why_has_the_links(summed):
    answer = summed.why("total")
    assert {link.line for link in answer.links} >= {2, 4, 5, 6}
    assert answer.links[-1].values["total"] == "6"
    assert "total" in str(answer)
    assert summed.why(output=0).links[-1].text == "6\n"
    with pytest.raises(LookupError):
        summed.why("nothing")


def test_json_and_pickle_keep_everything(summed):
    for states in ("full", "changes"):
        assert codexec.Trace.from_json(summed.to_json(states=states)) == summed
    assert pickle.loads(pickle.dumps(summed)) == summed
    stopped = codexec.trace("import zzz_unknown\nzzz_unknown.f()\nprint(1)\n", root=False)
    assert pickle.loads(pickle.dumps(stopped)) == stopped
    with pytest.raises(ValueError):
        codexec.Trace.from_json("{}")
    with pytest.raises(ValueError, match="full"):
        summed.to_json(states="half")


def test_repr_and_text(summed):
    assert repr(summed).startswith("<Trace of <string> by plan: ")
    assert "print(total)" in str(summed)
    assert repr(summed.steps[1]) == "<Step 1 line 4: total = 0>"


def shown(page):
    """What a page shows: the document that is packed into it."""
    packed = re.search(r'type="application/json\+gzip">([^<]*)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(packed.group(1))))


def test_pages_escape_and_load_nothing():
    trace = codexec.trace("x = '<script>alert(1)</script>'\nprint(x)\n", name="<b>.py", references=True)
    page = trace.html()
    assert "alert(1)" not in page and "default-src 'none'" in page
    page = shown(page)
    assert page["title"] == "<b>.py" and page["tabs"][0]["label"] == "predicted"
    assert page["tabs"][0]["trace"]["steps"][1]["output"] == "<script>alert(1)</script>\n"
    cell = trace._repr_html_()
    assert "<table" in cell and "<script>" not in cell and "&lt;script&gt;" in cell
    # What was made up stands out.
    cell = codexec.trace("from net import fetch\nx = fetch()\ny = 1\n")._repr_html_()
    assert re.search("made up, line 2: call fetch = ", cell)
    assert re.search('<i title="made up">x = ', cell) and ">y = 1<" in cell
    long = codexec.trace("for k in range(500):\n    pass\n")
    assert "more steps" in long._repr_html_()
    assert len(shown(long.html())["tabs"][0]["trace"]["steps"]) == 1001


def test_worlds_are_tabs_of_a_page():
    trace = codexec.trace("import shop\nif shop.count() > 3:\n    print(1)\n", beam=4)
    tabs = shown(trace.html())["tabs"]
    assert [tab["label"] for tab in tabs] == [f"world {k + 1}" for k in range(len(trace.worlds))]
    assert tabs[0]["made_up"] and tabs[0]["decisions"] and tabs[0]["probability"] <= 1


def test_run_is_cpython_and_says_so(sandbox):
    trace = codexec.trace(SUM, engine="run")
    assert trace.engine == "run" and trace.python.startswith("3.")
    assert trace.output == printed(SUM)
    assert trace.steps[1].state["total"].origin == "observed"
    assert codexec.trace("while True: pass\n", engine="run", timeout=0.5).outcome == "timeout"


def test_compare_finds_the_first_difference(sandbox):
    both = codexec.compare(SUM)
    assert both.agree and both.step is None and "agree" in str(both)
    assert both.predicted.engine == "plan" and both.actual.engine == "run"
    both = codexec.compare("import time\nx = 1\nprint(time.perf_counter() > 0)\n")
    assert both.actual.outcome == "finished"


def test_limits():
    trace = codexec.trace("while True: x = 1\n", max_steps=50)
    assert trace.outcome == "step_limit" and len(trace) == 50
    for wrong in ({"max_steps": 0}, {"max_steps": 2**40}, {"max_trace": 2**40}, {"env": {"A=B": "1"}}, {"args": ["a\0"]}, {"timeout": -1}, {"beam": 0}, {"timeout": float("nan")}):
        with pytest.raises(ValueError):
            codexec.trace("x = 1", **wrong)
    with pytest.raises(ValueError, match="fold"):
        codexec.trace("x = 1", fold="all")
    with pytest.raises(ValueError, match="engine"):
        codexec.trace("x = 1", engine="walk")
    with pytest.raises(codexec.EngineError, match="zzz_not_there"):
        codexec.trace("x = 1", packages=["zzz_not_there"])


def test_whole_traces_need_a_network_that_a_wheel_leaves_out():
    try:
        trace = codexec.trace("x = 1\ny = x + 1\n", engine="whole")
    except codexec.EngineError as error:
        assert "model=" in str(error)
    else:
        assert trace.engine == "whole" and len(trace) > 0
