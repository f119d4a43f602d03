"""Many programs, threads, processes, interrupts."""

import multiprocessing
import os
import signal
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


def test_many_are_lazy():
    def endless():
        k = 0
        while True:
            yield f"print({k})\n"
            k += 1

    traces = codexec.trace_many(endless())
    assert [next(traces).output for _ in range(3)] == ["0\n", "1\n", "2\n"]


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


def test_ctrl_c_is_seen_at_once():
    program = (
        "import codexec, time, sys\n"
        "print('begun', flush=True)\n"
        "begun = time.monotonic()\n"
        "try:\n"
        "    codexec.trace('x = 0\\nwhile True: x += 1\\n', max_steps=10**9, max_trace=10**8, timeout=60)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begun\n"
    time.sleep(1)
    sent = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n"
    took = time.monotonic() - sent
    child.kill()
    child.wait()
    # It takes a hundredth of a second on an idle machine; unseen, the plan would take a minute.
    assert took < 10, took


def test_importing_starts_nothing():
    program = "import codexec, threading, os; print(threading.active_count(), len(os.listdir('/proc/self/task')))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.split()[0] == "1"
    if os.path.isdir("/proc/self/task"):
        assert said.split()[1] == "1"
