"""Programs of projects in the sandbox against plain CPython: what they print, and how they end.

    python3 runs/run_vs_cpython.py ENTRIES [--codexec PATH] [--python COMMAND] [--jobs N]

ENTRIES is that of `real_projects.py`. Each program is executed twice by COMMAND, with an empty standard input and in a copy
of its root, and once by the sandbox. COMMAND may be more than an interpreter, which programs that are not trusted need:
`unshare -n setpriv --reuid 65534 --clear-groups python3` takes network and files from them. Prints the programs that are
not the same, and the counts: same, differs, cut (the same up to a limit of the sandbox), and what is not compared: outside
(network, windows, processes), unsteady (CPython does not do the same twice, with another environment), slow (CPython takes longer than 10 seconds).
"""

import argparse
import ast
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile

OUTSIDE = set(
    "asyncore curses ftplib http imaplib multiprocessing nntplib poplib pygame requests signal smtpd smtplib socket"
    " socketserver ssl subprocess telnetlib tkinter turtle urllib webbrowser wsgiref xmlrpc".split()
)
PROCESSES = re.compile(r"\bos\.(system|popen|fork|exec\w*|spawn\w*|kill)\b|ProcessPoolExecutor")


def outside(path, root):
    """Whether a program, or a module of its root that it imports, asks for network, windows or processes."""
    seen, waiting = set(), [path]
    while waiting:
        path = waiting.pop()
        if path in seen or not os.path.isfile(path):
            continue
        seen.add(path)
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        if PROCESSES.search(text):
            return True
        for node in ast.walk(tree):
            names = [item.name for item in getattr(node, "names", []) if isinstance(node, (ast.Import, ast.ImportFrom))]
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module] + ["%s.%s" % (node.module, name) for name in names]
            for name in names:
                if name.partition(".")[0] in OUTSIDE and name != "urllib.parse" and not name.startswith("urllib.parse."):
                    return True
                for folder in (root, os.path.dirname(path)):
                    place = os.path.join(folder, *name.split("."))
                    waiting += [place + ".py", os.path.join(place, "__init__.py")]
    return False


def plainly(options, root, path, **more):
    """`(output, end)` of a program in CPython, or None where it takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        copy = os.path.join(folder, "root")
        shutil.copytree(root, copy, symlinks=True)
        for at, folders, files in os.walk(copy):
            os.chmod(at, 0o777)
            for name in files:
                os.chmod(os.path.join(at, name), 0o666)
        inside = os.path.join(copy, os.path.relpath(path, root))
        world = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "PYTHONPATH": copy, "LANG": "C.UTF-8"}
        world |= {"PYTHONDONTWRITEBYTECODE": "1", **more}
        command = shlex.split(options.python) + ["-s", os.path.basename(inside)]
        try:
            run = subprocess.run(
                command, cwd=os.path.dirname(inside), env=world, stdin=subprocess.DEVNULL, capture_output=True, timeout=10
            )
        except subprocess.TimeoutExpired:
            return None
        said = run.stderr.decode("utf-8", "replace").rstrip().split("\n")
        named = re.match(r"[A-Za-z_][\w.]*(?=:|$)", said[-1])
        kind = named[0].rpartition(".")[2] if named and run.returncode == 1 else ""
        return run.stdout.decode("utf-8", "replace").replace(copy, "ROOT"), (run.returncode, kind)


def sandboxed(options, root, path):
    """`(output, end, limit)` of a program in the sandbox."""
    folder, name = os.path.split(path)
    command = [options.codexec, "trace", name, "--engine", "run", "--json", "--input", "", "--root", root]
    command += ["--max-steps", "100000", "--max-trace", str(32 << 20), "--timeout", "10"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    try:
        trace = json.loads(run.stdout)
    except json.JSONDecodeError:
        return "", (1, "SyntaxError") if "SyntaxError" in run.stderr else (None, run.stderr[-200:]), ""
    output = "".join(step.get("output", "") for step in trace["steps"]).replace(root, "ROOT")
    end = trace["outcome"]
    if end["kind"] == "raised":
        return output, (1, end["exception"].rpartition(".")[2]), ""
    if end["kind"] in ("finished", "exited"):
        return output, (end.get("code", 0), ""), ""
    return output, (None, str(end)), end["kind"]


def compared(options, line):
    """`(path, kind, what to say of it)`."""
    root, _, path = line.rpartition("\t")
    root = root or os.path.dirname(path)
    if outside(path, root):
        return path, "outside", ""
    plain = plainly(options, root, path)
    if plain is None:
        return path, "slow", ""
    if plain != plainly(options, root, path, HOME="/nowhere"):
        return path, "unsteady", ""
    output, end, limit = sandboxed(options, root, path)
    if limit and plain[0].startswith(output):
        return path, "cut", limit
    if (output, end) == plain:
        return path, "same", ""
    at = next((k for k, (a, b) in enumerate(zip(output, plain[0])) if a != b), min(len(output), len(plain[0])))
    start = max(0, at - 20)
    return path, "differs", "ends %s, %s in CPython; %r, %r" % (end, plain[1], output[start : at + 60], plain[0][start : at + 60])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("entries")
    parser.add_argument("--codexec", default="codexec")
    parser.add_argument("--python", default="python3")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with open(options.entries) as file:
        lines = file.read().split("\n")
    kinds = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, kind, said in pool.map(lambda line: compared(options, line), filter(None, lines)):
            kinds[kind] += 1
            if kind in ("differs", "cut"):
                print(kind, path, said, flush=True)
    print("programs:", sum(kinds.values()), dict(kinds))


main()
