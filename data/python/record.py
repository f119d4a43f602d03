"""Records the values that a project's code uses while its owner's command runs.

Loaded at the start of every Python process of the command (`sitecustomize.py` on PYTHONPATH), and by
`python record.py script.py ...` for a script. Modules below the project's directory, or of named
packages, are rewritten when they are imported: every read of a name or an attribute and every call,
`e`, becomes `_codexec_v_(number, e)`, which notes the class of the value and returns it. Each
process appends its observations to its own file, one JSON array per line: file, module, line,
column, end line, end column (bytes), name, kind, class.

Unchanged: targets of assignments and deletions, annotations, patterns of `match`, `super(...)`,
constants that look like names. Determining a value's class calls nothing of it. No byte code is read
or written, so nothing rewritten outlives the command. A program that inspects its own byte code,
counts frames, or is at the edge of its recursion limit can notice the difference.
"""

import ast
import builtins
import importlib.util
import json
import os
import sys
import types
from importlib.machinery import SourceFileLoader

RECORD_CLASSES = (
    "None True False str_empty str_nonempty int_neg int_zero int_pos float_neg float_zero float_pos "
    "list_empty list_nonempty tuple_empty tuple_nonempty set_empty set_nonempty dict_empty "
    "dict_nonempty resource callable object"
).split()
_NO_PROJECT = {"site-packages", "dist-packages", ".tox", ".nox", ".eggs", "node_modules"}
_NOT_READ = {"True", "False", "None", "__class__", "__debug__", "super"}
_BUFFER = 2000
_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__
_FUNCTION, _METHOD, _BUILTIN = types.FunctionType, types.MethodType, types.BuiltinFunctionType


def class_of(value):
    """The number of a value's class, without calling anything of it. Frequent types come first."""
    kind = type(value)
    if kind is str:
        return 4 if value else 3
    if kind is int:
        return 7 if value > 0 else 6 if value == 0 else 5
    if value is None:
        return 0
    if kind is _FUNCTION or kind is _METHOD or kind is _BUILTIN:
        return 20
    if kind is bool:
        return 1 if value else 2
    if kind is list:
        return 12 if value else 11
    if kind is dict:
        return 18 if value else 17
    if kind is tuple:
        return 14 if value else 13
    if kind is float:
        return 8 if value < 0 else 9 if value == 0 else 10
    if kind is set:
        return 16 if value else 15
    if not callable(value):
        return 21
    entered = left = False
    for base in _mro_of(value if issubclass(kind, type) else kind):
        names = _dict_of(base)
        entered = entered or "__enter__" in names
        left = left or "__exit__" in names
    return 19 if entered and left else 20


class Rewriter(ast.NodeTransformer):
    """Wraps the reads and calls of one module. `place` returns the number of one."""

    def __init__(self, tree, place):
        self.place = place
        self.known = {}
        for node in ast.walk(tree):
            span = self.span(node)
            if span is not None:
                self.known[self.key(node)] = span

    @staticmethod
    def key(node):
        return (type(node), node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)

    @staticmethod
    def span(node):
        """Name, kind and place of an expression, or None."""
        if isinstance(node, ast.Call):
            inner, kind = node.func, "return value"
        else:
            inner, kind = node, "attribute" if isinstance(node, ast.Attribute) else "variable"
        if isinstance(inner, ast.Name) and inner.id not in _NOT_READ:
            start = inner.lineno, inner.col_offset
            return inner.id, kind, start, (inner.end_lineno, inner.end_col_offset)
        if isinstance(inner, ast.Attribute):
            line, end = inner.end_lineno, inner.end_col_offset
            return inner.attr, kind, (line, end - len(inner.attr.encode())), (line, end)
        return None

    def wrapped(self, node):
        # Nodes added after parsing (by pytest) have no place of their own.
        span = self.known.get(self.key(node))
        if span is None:
            return node
        name = ast.copy_location(ast.Name("_codexec_v_", ast.Load()), node)
        number = ast.copy_location(ast.Constant(32 * self.place(span)), node)
        return ast.copy_location(ast.Call(name, [number, node], []), node)

    def visit_Name(self, node):
        if not isinstance(node.ctx, ast.Load) or node.id[:1] == "@":
            return node
        return self.wrapped(node) if node.id not in _NOT_READ else node

    def visit_Attribute(self, node):
        node.value = self.visit(node.value)
        return self.wrapped(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            node.args = [self.visit(argument) for argument in node.args]
            return node
        self.generic_visit(node)
        return self.wrapped(node)

    def visit_AnnAssign(self, node):
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_FunctionDef(self, node):
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        node.body = [self.visit(statement) for statement in node.body]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.bases = [self.visit(base) for base in node.bases]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def left_alone(self, node):
        return node

    visit_MatchValue = visit_MatchClass = visit_MatchMapping = visit_TypeAlias = left_alone


class Recorder:
    """The observations of this process, and the modules to record."""

    def __init__(self, settings):
        self.root = os.path.realpath(settings["root"])
        self.packages = set(settings["packages"])
        self.exclude = settings["exclude"]
        self.parts = settings["parts"]
        prefixes = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
        prefixes = [os.path.realpath(prefix) + os.sep for prefix in prefixes]
        self.environments = [p for p in prefixes if p.startswith(self.root + os.sep)]
        self.places, self.seen, self.new = [], set(), []
        self.write = os.write
        self.out = None
        self.pid = os.getpid()

    # -- values -----------------------------------------------------------------------------------

    def loader_of_values(self):
        seen, add, classify = self.seen, self.seen.add, class_of

        def _codexec_v_(key, value):
            key += classify(value)
            if key not in seen:
                add(key)
                self.note(key)
            return value

        return _codexec_v_

    def note(self, key):
        self.new.append(key)
        if len(self.new) >= _BUFFER:
            self.flush()

    def flush(self):
        """Appends new observations to the file of this process: one write, complete lines."""
        new, self.new = self.new, []
        rows = [[*self.places[key >> 5], RECORD_CLASSES[key & 31]] for key in new]
        self.append(rows)

    def append(self, rows):
        if not rows:
            return
        try:
            if self.out is None or self.pid != os.getpid():
                self.pid = os.getpid()
                path = os.path.join(self.parts, "%d-%d.jsonl" % (self.pid, len(rows)))
                while os.path.exists(path):
                    path += "x"
                self.out = path
            text = "".join(json.dumps(row) + "\n" for row in rows).encode()
            out = os.open(self.out, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                while text:
                    text = text[self.write(out, text) :]
            finally:
                os.close(out)
        except OSError:
            pass  # the directory is gone: the command has ended before this process

    def after_fork(self):
        self.new = []  # the parent writes these
        self.out = None

    # -- modules ----------------------------------------------------------------------------------

    def wants(self, module, path):
        if any(module == name or module.startswith(name + ".") for name in self.exclude):
            return False
        real = os.path.realpath(path)
        if module.partition(".")[0] in self.packages:
            return True
        if not real.startswith(self.root + os.sep):
            return False
        inside = real[len(self.root) + 1 :].replace(os.sep, "/")
        if any(inside == x or inside.startswith(x.rstrip("/") + "/") for x in self.exclude):
            return False
        if not _NO_PROJECT.isdisjoint(inside.split("/")):
            return False
        return not any(real.startswith(place) for place in self.environments)

    def rewrite(self, tree, module, path, then=None):
        """Rewrites a tree in place; `then` changes it between reading and writing."""
        numbers = {}

        def place(span):
            if span not in numbers:
                name, kind, (line, column), (end_line, end_column) = span
                numbers[span] = len(self.places)
                self.places.append((path, module, line, column, end_line, end_column, name, kind))
            return numbers[span]

        rewriter = Rewriter(tree, place)
        if then is not None:
            then()
        rewriter.visit(tree)

    def code(self, data, module, path):
        """The rewritten code of a module, or None if it must be unchanged."""
        try:
            tree = ast.parse(data, path)
            self.rewrite(tree, module, os.path.realpath(path))
            return compile(tree, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            why = "%s: %s" % (type(error).__name__, error)
            self.append([[os.path.realpath(path), why]])
            return None


class RecordingLoader(SourceFileLoader):
    def get_code(self, fullname):
        path = self.get_filename(fullname)
        data = self.get_data(path)
        code = self.codexec_recorder.code(data, fullname, path)
        return self.source_to_code(data, path) if code is None else code


class RecordingFinder:
    """The first path finder: asks the others, and takes over recorded modules."""

    def __init__(self, recorder):
        self.codexec_recorder = recorder
        RecordingLoader.codexec_recorder = recorder

    def find_spec(self, fullname, path=None, target=None):
        finders = list(sys.meta_path)
        after = finders[finders.index(self) + 1 :] if self in finders else finders
        for finder in after:
            find = getattr(finder, "find_spec", None)
            spec = find(fullname, path, target) if find is not None else None
            if spec is None:
                continue
            if type(spec.loader) is SourceFileLoader:
                if fullname == "_pytest.assertion.rewrite":
                    self.prepare_pytest(spec.loader)
                elif self.codexec_recorder.wants(fullname, spec.loader.path):
                    spec.loader = RecordingLoader(spec.loader.name, spec.loader.path)
            return spec
        return None

    def invalidate_caches(self):
        pass

    def prepare_pytest(self, loader):
        """pytest rewrites the assertions of test modules itself; these are then recorded there,
        without its byte code files."""
        recorder, execute = self.codexec_recorder, loader.exec_module

        def exec_module(module):
            execute(module)
            rewrite = module.rewrite_asserts

            def rewrite_asserts(tree, source, module_path=None, config=None):
                def then():
                    rewrite(tree, source, module_path, config)

                name = os.path.splitext(os.path.basename(module_path or ""))[0]
                if module_path and recorder.wants(name, module_path):
                    recorder.rewrite(tree, name, os.path.realpath(module_path), then)
                else:
                    then()

            module.rewrite_asserts = rewrite_asserts
            module._read_pyc = lambda *arguments, **keywords: None
            module._write_pyc = lambda *arguments, **keywords: True

        loader.exec_module = exec_module


def install(settings):
    import atexit

    recorder = Recorder(settings)
    builtins._codexec_v_ = recorder.loader_of_values()
    sys.meta_path.insert(0, RecordingFinder(recorder))
    atexit.register(recorder.flush)
    leave = os._exit

    def _exit(status):
        recorder.flush()
        leave(status)

    # Children of `multiprocessing` exit through it, and so do workers of test runners.
    os._exit = _exit
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=recorder.flush, after_in_child=recorder.after_fork)
    return recorder


def run_script(arguments):
    """Runs a script as `python script.py ...` would, rewritten."""
    recorder = next(
        (f.codexec_recorder for f in sys.meta_path if hasattr(f, "codexec_recorder")), None
    )
    script = arguments[0]
    sys.argv[:] = arguments
    if os.path.abspath(sys.path[0]) == os.path.dirname(os.path.abspath(__file__)):
        sys.path[0] = os.path.dirname(os.path.realpath(script))
    if sys.version_info >= (3, 9):  # the interpreter does so from there on
        script = os.path.abspath(script)
    with open(script, "rb") as file:
        data = file.read()
    code = recorder.code(data, "__main__", script) if recorder is not None else None
    if code is None:
        code = compile(data, script, "exec", dont_inherit=True)
    main = type(sys)("__main__")
    loader = SourceFileLoader("__main__", script)
    vars(main).update(__file__=script, __builtins__=builtins, __loader__=loader, __spec__=None)
    sys.modules["__main__"] = main
    exec(code, vars(main))


def start():
    """At the start of a process: records, then runs the `sitecustomize` that this one hides."""
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != own]
    if "_codexec_v_" not in vars(builtins):
        try:
            install(json.loads(os.environ["CODEXEC_RECORD"]))
        except Exception as error:
            sys.stderr.write("codexec: not recording in this process: %s\n" % error)
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if __name__ == "__main__":
    run_script(sys.argv[1:])
elif __name__ == "sitecustomize":
    start()
