"""Runs a sample, then the script that judges it, and writes a mark if the script comes to its end.

What a sample defines is not trusted: the script uses builtins as they were, an answer that is equal to whatever it is
compared with is refused, and so is a sample that puts its own in the place of what a module has. It is one process all
the same: who looks for this code in the frames above can cheat it.
"""


def judge(code, script, mark, asked):
    import ast
    import builtins
    import operator
    import sys

    write, flush = sys.stdout.write, sys.stdout.flush
    known, modules = dict(vars(builtins)), sys.modules
    module_of, mro_of, space_of = (type.__dict__[name].__get__ for name in ("__module__", "__mro__", "__dict__"))
    function, file = type(judge), "sample.py"
    values = (bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset)
    # What a class derived from a builtin may have without being equal to another value.
    harmless = """__init__ __new__ __repr__ __str__ __format__ __doc__ __module__ __qualname__ __slots__ __dict__ __weakref__
        __match_args__ __annotations__ __orig_bases__ __parameters__ __hash__ __missing__ __reduce__ __reduce_ex__ __copy__
        __deepcopy__ __getnewargs__ __getstate__ __setstate__ __init_subclass__ __class_getitem__ __setattr__ __delattr__
        __static_attributes__ __firstlineno__ __dir__""".split()
    probes = (object(), None, 0, 1, -7, "", "codexec", 2.5, (), [], {})
    operations = (operator.lt, operator.gt, operator.sub, operator.add, operator.contains)

    def is_own(cls):
        """Whether a class is the sample's, whatever it says of its module."""
        if module_of(cls, type(cls)) == "__main__":
            return True
        for one in space_of(cls, type(cls)).values():
            if type(one) is function and one.__code__.co_filename in (file, "<string>"):
                return True
        return False

    def succeeds(operation, *operands):
        try:
            return bool(operation(*operands))
        except BaseException:
            return False

    def is_refused(value):
        classes = mro_of(type(value), type(type(value)))
        own = [cls for cls in classes if cls.__flags__ & 1 << 9 and is_own(cls)]
        if not own:
            # Not only samples have such classes: `unittest.mock.ANY`.
            foreign = type(value).__flags__ & 1 << 9 and set(values).isdisjoint(classes)
            return bool(foreign) and sum(succeeds(operator.eq, value, probe) for probe in probes) > 1
        names = {name for cls in own for name in space_of(cls, type(cls)) if name[:2] == "__"}
        if not names.isdisjoint(special) and type(type(value)) is not type:
            return True
        if not set(values).isdisjoint(classes):
            return not names.issubset(harmless)
        if names.isdisjoint(special):
            return False
        equal = sum(succeeds(operator.eq, value, probe) for probe in probes)
        unequal = sum(succeeds(operator.ne, value, probe) for probe in probes)
        answers = any(succeeds(operation, value, probes[0]) for operation in operations)
        return equal > 1 or unequal < len(probes) - 1 or answers

    special = {name for kind in values for name in vars(kind) if name[:2] == "__"}.difference(harmless, ["__getattribute__"])

    def plain(value):
        """An answer, if it is compared as the language does."""
        seen, left = set(), [value]
        while left and len(seen) < 100_000:
            one = left.pop()
            if id(one) in seen:
                continue
            seen.add(id(one))
            if is_refused(one):
                raise AssertionError("an answer with comparisons of its own")
            for kind in (list, tuple, set, frozenset, dict):
                if isinstance(one, kind) and kind.__len__(one) < 100_000:
                    left.extend(kind.__iter__(one))
                    if kind is dict:
                        left.extend(dict.values(one))
        return value

    def changed():
        """What the sample put in the place of something in a module."""
        for name, value in known.items():
            if name not in ("_", "__build_class__") and vars(builtins).get(name, judge) is not value:
                return "builtins." + name
        for place, module in list(modules.items()):
            space = getattr(module, "__dict__", None)
            if type(space) is not dict or place in ("__main__", "__mp_main__") or space is vars(builtins):
                continue
            for name, value in list(space.items()):
                inner = [value]
                if isinstance(value, type) and value.__flags__ & 1 << 9:
                    inner += space_of(value, type(value)).values()
                for one in inner:
                    if type(one) is function and one.__code__.co_filename == file and not name.endswith("hook"):
                        return place + "." + name
                    if module_of(type(one), type(type(one))) == "__main__" and callable(one):
                        return place + "." + name
        return None

    def refuse_changes():
        what = changed()
        if what is not None:
            raise AssertionError("the sample changed " + what)

    tree = ast.parse(script, "test.py")
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            stored.add(node.name)
        elif isinstance(node, ast.arg):
            stored.add(node.arg)
        elif isinstance(node, ast.alias):
            stored.add((node.asname or node.name).split(".")[0])
    sign = mark + ":"

    class Guarded(ast.NodeTransformer):
        """Has the answers of all calls looked at. Constants stand for what the sample must not reach by a name."""

        def visit_Call(self, node):
            self.generic_visit(node)
            if isinstance(node.func, ast.Name) and node.func.id in ("super", "locals", "globals", "vars", "dir", "eval", "exec"):
                return node
            return ast.copy_location(ast.Call(ast.Constant(sign), [node], []), node)

        def visit_Name(self, node):
            kept = not isinstance(node.ctx, ast.Load) or node.id in stored or node.id in asked
            if kept or node.id not in known or node.id in ("super", "locals", "globals", "vars", "dir", "eval", "exec"):
                return node
            return ast.copy_location(ast.Constant(sign + node.id), node)

        def visit_JoinedStr(self, node):
            return node

    def linked(block):
        constants = []
        for one in block.co_consts:
            if type(one) is type(block):
                one = linked(one)
            elif type(one) is str and one.startswith(sign):
                one = known[one[len(sign) :]] if one != sign else plain
            constants.append(one)
        return block.replace(co_consts=tuple(constants))

    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checks = compile(ast.fix_missing_locations(Guarded().visit(tree)), "test.py", "exec", dont_inherit=True, optimize=0)
    checks = linked(checks)
    program = compile(code, file, "exec", dont_inherit=True, optimize=0)
    space = {"__name__": "__main__"}
    exec(program, space)
    refuse_changes()
    exec(checks, space)
    refuse_changes()
    write("\n" + mark + "\n")
    flush()
