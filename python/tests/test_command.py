"""The command of the package, as users call it."""

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

SCRIPT = Path(sysconfig.get_path("scripts")) / "codexec"


def run(*arguments, command=None, **more):
    command = command or [sys.executable, "-m", "codexec"]
    return subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, timeout=120, **more)


def test_version_and_help():
    import codexec

    assert run("--version").stdout == f"codexec {codexec.__version__}\n"
    help_ = run("trace", "--help")
    assert help_.returncode == 0 and "Examples:" in help_.stdout
    wrong = run("trace", "--nonsense")
    assert wrong.returncode == 2 and "--nonsense" in wrong.stderr


@pytest.mark.skipif(not SCRIPT.exists(), reason="the script is not installed")
def test_the_script_is_the_command(tmp_path):
    (tmp_path / "a.py").write_text("print(6 * 7)\n")
    done = run("trace", tmp_path / "a.py", "--format", "json", command=[str(SCRIPT)])
    assert done.returncode == 0
    assert json.loads(done.stdout)["steps"][-1]["output"] == "42\n"


def test_status_and_streams(tmp_path):
    (tmp_path / "a.py").write_text("x = []\nprint(x[0])\n")
    found = run("check", tmp_path / "a.py")
    assert found.returncode == 1 and "IndexError" in found.stdout
    gone = run("trace", tmp_path / "gone.py")
    assert gone.returncode == 1 and "gone.py" in gone.stderr and gone.stdout == ""
    piped = run("trace", "-", "--format", "json", input="print(1)\n")
    assert json.loads(piped.stdout)["steps"][0]["output"] == "1\n"


def test_the_network_is_asked_in_one_process(tmp_path):
    # A binary of its own starts itself again here; the interpreter must not.
    (tmp_path / "a.py").write_text("x = 1 + 1\nprint(x)\n")
    done = run("trace", tmp_path / "a.py", "--no-fold")
    assert done.returncode == 0, done.stderr
    assert "print(x)" in done.stdout


def test_it_executes_in_the_sandbox(sandbox, tmp_path):
    (tmp_path / "a.py").write_text("import sys\nprint(6 * 7)\n")
    done = run("trace", tmp_path / "a.py", "--compare")
    assert done.returncode == 0, done.stderr
    assert "agree" in done.stdout
    assert run("doctor").returncode == 0
