"""Compiles the body of a function, or any piece of a program, as if it were a module.

Loaded before guide.py. Outside of functions Python allows no `return`, `yield` and `await`, and no name
that is `nonlocal` to a missing function. Such a piece is compiled as the body of a function whose names
are those of the module; a `return` ends it. Module-only statements, `import *` and imports of
`__future__`, have the same effect there as in a module.
"""


def guide_compile_body(source):
    """The code of a piece of a program; all its names are those of the module."""
    import ast

    tree = compile(source, PROGRAM_FILE, "exec", 0x400, True)
    body = _Body(ast)
    for statement in tree.body:
        body.visit(statement, False, set())
    tree.body = [body.function(tree.body)]
    if body.features:
        features = [ast.alias(name) for name in sorted(body.features)]
        tree.body.insert(0, ast.ImportFrom("__future__", features, 0))
    ast.fix_missing_locations(tree)
    whole = compile(tree, PROGRAM_FILE, "exec", 0, True)
    code = next(x for x in whole.co_consts if type(x) is types.CodeType)
    # Neither CO_OPTIMIZED nor CO_NEWLOCALS: it runs in the names of the module.
    changes = {"co_name": "<module>", "co_flags": code.co_flags & ~3}
    if hasattr(code, "co_qualname"):
        changes["co_qualname"] = "<module>"
    return code.replace(**changes)


def guide_import_all(module):
    """The effect of `from module import *` in a module."""
    names = getattr(module, "__all__", None)
    if names is None:
        names = [name for name in vars(module) if name[:1] != "_"]
    found = [(name, getattr(module, name)) for name in names if type(name) is str]
    _guide_frame(1).f_globals.update(found)


class _Body:
    """Rewrites statements of a module in place, so that they can be in a function."""

    def __init__(self, ast):
        self.ast = ast
        self.names, self.features = set(), set()
        self.is_async = self.yields = False
        self.returns = []

    def function(self, statements):
        ast = self.ast
        if self.is_async and self.yields:
            # An asynchronous generator returns no value. A tuple of one is true, whatever it
            # contains.
            for node in self.returns:
                if node.value is not None:
                    test = ast.Tuple([node.value], ast.Load())
                    self.become(node, ast.If(test, [ast.Return(None)], []))
        empty = "async def _codexec_body_(): pass" if self.is_async else "def _codexec_body_(): pass"
        function = ast.parse(empty).body[0]
        first = [ast.Global(sorted(self.names))] if self.names else []
        function.body = first + statements
        return function

    @staticmethod
    def become(node, other):
        node.__class__ = other.__class__
        for field in other._fields:
            setattr(node, field, getattr(other, field, None))

    def expression(self, text, at):
        """An expression on the line of a node."""
        whole = self.ast.parse(text).body[0].value
        for node in self.ast.walk(whole):
            self.ast.copy_location(node, at)
        return whole

    def visit(self, node, inside, bound):
        """Records the module's bindings; `inside` a function, whose callers bind `bound`."""
        ast = self.ast
        if isinstance(node, ast.Nonlocal):
            lost = [name for name in node.names if name not in bound]
            if lost:
                node.__class__ = ast.Global
                if not inside:
                    node.names, node.__class__ = [], ast.Pass
        if not inside:
            self.rewrite(node)
            self.note(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            own = {x.id for x in ast.walk(node) if isinstance(x, ast.Name)} if inside else set()
            bound = bound | own | {x.arg for x in ast.walk(node.args) if isinstance(x, ast.arg)}
            inside = True
        elif isinstance(node, ast.ClassDef):
            inside = True
        for child in ast.iter_child_nodes(node):
            self.visit(child, inside, bound)

    def rewrite(self, node):
        """Converts a module-only statement to one with the same effect."""
        ast = self.ast
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            # A name that is declared global cannot be annotated.
            value = node.value if node.value is not None else ast.Constant(None)
            if node.value is None:
                node.__class__ = ast.Expr
            else:
                node.__class__, node.targets, node.type_comment = ast.Assign, [node.target], None
            node.value = value
        elif isinstance(node, ast.ImportFrom) and node.module == "__future__":
            self.features.update(one.name for one in node.names)
            imported = self.expression("__import__('__future__')", node)
            values = [ast.Attribute(imported, one.name, ast.Load()) for one in node.names]
            targets = [ast.Name(one.asname or one.name, ast.Store()) for one in node.names]
            if len(values) == 1:
                target, value = targets[0], values[0]
            else:
                target, value = ast.Tuple(targets, ast.Store()), ast.Tuple(values, ast.Load())
            node.targets, node.value, node.type_comment = [target], value, None
            node.__class__ = ast.Assign
        elif isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            builtins._codexec_all_ = guide_import_all
            call = "_codexec_all_(__import__(%r, globals(), None, ['*'], %d))"
            node.value = self.expression(call % (node.module or "", node.level), node)
            node.__class__ = ast.Expr

    def note(self, node):
        """Records the names that a node binds, and the kind of function that its statement needs."""
        ast = self.ast
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self.names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.names.add(node.name)
        elif isinstance(node, ast.alias):
            self.names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self.names.add(node.name)
        elif isinstance(node, ast.Return):
            self.returns.append(node)
        elif isinstance(node, (ast.Yield, ast.YieldFrom)):
            self.yields = True
        elif isinstance(node, (ast.Await, ast.AsyncFor, ast.AsyncWith)):
            self.is_async = True
        elif isinstance(node, ast.comprehension) and node.is_async:
            self.is_async = True
        elif type(node).__name__[:5] == "Match":
            for field in ("name", "rest"):
                if isinstance(getattr(node, field, None), str):
                    self.names.add(getattr(node, field))
