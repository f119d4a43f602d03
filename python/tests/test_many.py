"""Many programs, threads, processes, interrupts."""

import multiprocessing
import os
import subprocess
import sys
import threading
import time

import codexec
import pytest


def test_many_are_in_order_and_none_costs_another_its_row(tmp_path):
    (tmp_path / "a.py").write_text("print('a')\n")
    programs = [
        "print(1)\n",
        "x = (\n",
        tmp_path / "a.py",
        tmp_path / "gone.py",
        {"source": "print(input())\n", "stdin": "7\n"},
        {"code": "print(8)\n", "name": "eight"},
        "1 / 0\n",
    ]
    traces = list(codexec.trace_many(programs, workers=2))
    assert [trace.output for trace in traces] == ["1\n", "", "a\n", "", "7\n", "8\n", ""]
    kinds = [trace.outcome.kind for trace in traces]
    assert kinds == ["finished", "syntax_error", "finished", "killed", "finished", "finished", "raised"]
    assert "gone.py: No such file" in traces[3].outcome.message
    assert traces[5].id == "eight"
    with pytest.raises(TypeError, match="iterable of programs"):
        codexec.trace_many("print(1)")
    with pytest.raises(TypeError, match="under program"):
        list(codexec.trace_many([{"text": "x"}]))
    wrong = [None, {"source": None}, 3, {"source": "x = 1", "stdin": 3}, "print(2)\n"]
    traces = list(codexec.trace_many(wrong))
    assert [trace.outcome.kind for trace in traces] == ["killed"] * 4 + ["finished"]
    assert "NoneType" in traces[0].outcome.message


def test_many_are_lazy_and_few_are_under_way():
    taken = []

    def endless():
        while True:
            taken.append(len(taken))
            yield f"print({taken[-1]})\n"

    traces = codexec.trace_many(endless(), workers=2)
    for k in range(200):
        assert next(traces).output == f"{k}\n"
        assert len(taken) <= k + 1 + 64
    traces.close()


ENDLESS = "x = 0\nwhile True: x += 1\n"
LIMITS = {"max_steps": 10**9, "max_trace": 10**8, "timeout": 300}


def test_a_trace_does_not_wait_for_those_behind_it():
    traces = codexec.trace_many(["print(1)\n", "x = (\n", *[ENDLESS] * 100], workers=2, **LIMITS)
    begun = time.monotonic()
    assert next(traces).output == "1\n" and next(traces).outcome == "syntax_error"
    traces.close()
    # Each of the others would take 300 seconds.
    assert time.monotonic() - begun < 60


def test_whoever_takes_no_more_ends_the_work():
    for trace in codexec.trace_many(["print(1)\n", ENDLESS, ENDLESS], **LIMITS):
        assert trace.output == "1\n"
        break
    del trace
    time.sleep(1)
    cpu = time.process_time()
    time.sleep(1)
    assert time.process_time() - cpu < 0.5


def test_what_an_iterable_raises_comes_behind_the_traces_before_it():
    def broken():
        yield "print(1)\n"
        yield tmp_path_gone
        yield "print(2)\n"
        raise LookupError("no more")

    tmp_path_gone = "gone.py"
    traces = codexec.trace_many(broken())
    assert [next(traces).output for _ in range(3)] == ["1\n", "", "2\n"]
    with pytest.raises(LookupError, match="no more"):
        next(traces)
    assert list(traces) == []
    with pytest.raises(codexec.EngineError):
        list(codexec.trace_many(["x = 1"], model="/gone", workers=2))


def test_many_with_a_network_that_answers(summed):
    programs = [f"x = {k}\ny = x + 1\n" for k in range(3)]
    found = list(codexec.trace_many(programs, fold="operators", workers=2))
    assert found == [codexec.trace(program, fold="operators") for program in programs]


def _goes_on(traces, queue):
    try:
        queue.put(next(traces).output)
    except codexec.CodexecError as error:
        queue.put(str(error))


def test_a_forked_process_begins_again():
    traces = codexec.trace_many(["print(1)\n"] * 3)
    assert next(traces).output == "1\n"
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_goes_on, args=(traces, queue))
    child.start()
    assert "forked" in queue.get(timeout=60)
    child.join()
    assert [trace.output for trace in traces] == ["1\n", "1\n"]


def test_progress_is_written_to_standard_error(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    list(codexec.trace_many(["x = 1\n"] * 20, progress=True))
    assert "20 of 20 programs" in capsys.readouterr().err


def test_one_worker_and_several_say_the_same():
    programs = [f"x = [{k}] * 3\nprint(sum(x))\n" for k in range(100)]
    one = [trace.to_json() for trace in codexec.trace_many(programs, workers=1)]
    assert one == [trace.to_json() for trace in codexec.trace_many(programs, workers=4)]


def test_threads_at_once():
    found = {}

    def work(k):
        found[k] = codexec.trace(f"print({k} * 2)\n").output

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: f"{k * 2}\n" for k in range(8)}


def test_the_lock_is_released():
    beats = []
    done = threading.Event()

    def beat():
        while not done.is_set():
            beats.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=beat)
    thread.start()
    codexec.trace("x = 0\nwhile x < 200000: x += 1\n", max_steps=400_000)
    done.set()
    thread.join()
    assert len(beats) > 3


def _child(k):
    return codexec.trace(f"print({k})\n").output


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools_of_processes(method):
    codexec.trace("x = 1\n")
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(_child, range(4)) == [f"{k}\n" for k in range(4)]


def _run_in_child(queue):
    queue.put(codexec.trace("print(5)\n", engine="run").output)


def test_the_sandbox_in_a_forked_process(sandbox):
    assert codexec.trace("print(4)\n", engine="run").output == "4\n"
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_run_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == "5\n"
    child.join()
    # The sandbox of this process goes on.
    assert codexec.trace("print(6)\n", engine="run").output == "6\n"


INTERRUPTED = """\
import codexec, os, signal, threading, time

endless = "x = 0\\nwhile True: x += 1\\n"
limits = {"max_steps": 10**9, "max_trace": 10**8, "timeout": 300}
calls = {
    "trace": lambda: codexec.trace(endless, **limits),
    "trace, a network is asked": lambda: codexec.trace(endless, fold="operators", **limits),
    "trace_many": lambda: list(codexec.trace_many(["print(1)\\n", endless, endless] * 50, **limits)),
    "check": lambda: codexec.check(endless, max_steps=10**9, timeout=300),
    "check_many": lambda: codexec.check_many([FILE] * 20, max_steps=10**9, timeout=300),
    "rerank": lambda: codexec.rerank([endless] * 4, [("", "1")], **limits),
}
open(FILE, "w").write(endless)
for name, call in calls.items():
    threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    try:
        call()
    except KeyboardInterrupt:
        seen = time.monotonic() - begun - 0.7
    else:
        seen = None
    time.sleep(1)
    cpu = time.process_time()
    time.sleep(1)
    cpu = time.process_time() - cpu
    print(name, seen, cpu, len(os.listdir("/proc/self/task")), sep="|", flush=True)
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
def test_ctrl_c_is_seen_at_once_and_ends_the_work(tmp_path):
    program = INTERRUPTED.replace("FILE", repr(str(tmp_path / "endless.py")))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    rows = [line.split("|") for line in done.stdout.splitlines()]
    assert len(rows) == 6
    for name, seen, cpu, threads in rows:
        # A tenth of a second on an idle machine; unseen, the work would take minutes.
        assert seen != "None" and float(seen) < 5, (name, seen)
        # Two threads that go on would take two seconds of the second.
        assert float(cpu) < 0.3, (name, cpu)
        assert threads == "1", name


def test_importing_starts_nothing():
    program = "import codexec, threading, os; print(threading.active_count(), len(os.listdir('/proc/self/task')))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.split()[0] == "1"
    if os.path.isdir("/proc/self/task"):
        assert said.split()[1] == "1"
