"""A version of a program whose functions note what they reach.

The first part of the program; `drawing.py` and `cases.py` follow.
"""

import ast
import builtins
import datetime
import operator
import types

ORDERS = {"lt": operator.lt, "lte": operator.le, "gt": operator.gt, "gte": operator.ge}


class Endless(BaseException):
    """A call takes too many steps."""


class Version:
    """One version: its tree with notes, and its module."""

    def __init__(self, text, name):
        self.name = name
        self.tree = ast.parse(text)
        self.reached, self.sides, self.equal = set(), {}, set()
        self.hits = 0
        self.statements, self.conditions, self.orders = {}, {}, {}
        self.raises = {node.lineno for node in ast.walk(self.tree) if isinstance(node, ast.Raise)}
        self.definitions = {node.name: node for node in self.tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
        noted = Noting(self).visit(ast.parse(text))
        self.module = types.ModuleType("program")
        self.module.__dict__.update(_hit=self.hit, _side=self.side, _order=self.order)
        words = words_of(self.tree)
        STATE.begin(Draw(words, {}, 0, self.module, in_module=True))
        self.gone = []
        for at, node in enumerate(noted.body):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                noted.body[at] = self.imported(node)
        for node in noted.body:
            for missing in sorted(undefined(self, node)):
                if missing not in self.module.__dict__:
                    self.module.__dict__[missing] = stand_in(missing, words)
            code = compile(ast.fix_missing_locations(ast.Module([node], [])), name, "exec")
            self.hits = 0
            exec(code, self.module.__dict__)

    def imported(self, node):
        """Executes an import, or binds stand-ins if it fails."""
        names = [(alias.asname or alias.name.split(".")[0]) for alias in node.names]
        try:
            exec(compile(ast.fix_missing_locations(ast.Module([node], [])), self.name, "exec"), self.module.__dict__)
        except ImportError:
            for name in names:
                if name != "*":
                    self.module.__dict__[name] = stand_in(name, words_of(self.tree))
        return ast.copy_location(ast.Pass(), node)

    def hit(self, number):
        self.reached.add(number)
        self.hits += 1
        if self.hits > MOST_HITS:
            raise Endless

    def side(self, number, value):
        self.sides.setdefault(number, set()).add(bool(value))
        self.hits += 1
        if self.hits > MOST_HITS:
            raise Endless
        return value

    def order(self, number, how, left, right):
        if isinstance(left, (int, float, str, datetime.date)) and isinstance(right, (int, float, str, datetime.date)) and left == right:
            self.equal.add(number)
        return ORDERS[how](left, right)

    def missed(self, lines):
        """Returns what no case reached within the lines of some definitions."""
        open_ = []
        for number, line in self.statements.items():
            if line in lines and number not in self.reached:
                open_.append(f"line {line} of {self.name} was not executed")
        for number, line in self.conditions.items():
            seen = self.sides.get(number, ())
            if line in lines and len(seen) == 1:
                side = "true" if True in seen else "false"
                open_.append(f"a condition on line {line} of {self.name} was always {side}")
        for number, line in self.orders.items():
            if line in lines and number not in self.equal:
                open_.append(f"the sides of a comparison on line {line} of {self.name} were never equal")
        return open_


def stand_in(name, words):
    """Returns a value for an undefined name."""
    if name in words["excepts"]:
        return exception_named(name)
    if name in words["classes"]:
        return EXCEPTIONS.setdefault(f"class {name}", type(name, (), {"__module__": "elsewhere"}))
    return Lazy(name, name)


class Noting(ast.NodeTransformer):
    """Inserts notes into the functions of a tree."""

    def __init__(self, version):
        self.version = version
        self.inside = 0
        self.count = 0

    def number(self, of, node):
        self.count += 1
        of[self.count] = node.lineno
        return ast.Constant(self.count)

    def call(self, name, *args):
        return ast.Call(ast.Name(name, ast.Load()), list(args), [])

    def side(self, node):
        if isinstance(node, ast.Constant):
            return node
        return ast.copy_location(self.call("_side", self.number(self.version.conditions, node), node), node)

    def visit_FunctionDef(self, node):
        self.inside += 1
        self.generic_visit(node)
        self.inside -= 1
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def generic_visit(self, node):
        super().generic_visit(node)
        if not self.inside:
            return node
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, name, self.noted(block, isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and name == "body"))
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            node.test = self.side(node.test)
        elif isinstance(node, ast.comprehension):
            node.ifs = [self.side(test) for test in node.ifs]
        elif isinstance(node, ast.BoolOp):
            node.values = node.values[:-1] and [self.side(value) for value in node.values[:-1]] + node.values[-1:]
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            number = self.number(self.version.orders, node)
            how = ast.Constant(type(node.ops[0]).__name__.lower())
            return ast.copy_location(self.call("_order", number, how, node.left, node.comparators[0]), node)
        return node

    def noted(self, block, of_function):
        noted = []
        for at, node in enumerate(block):
            docstring = at == 0 and of_function and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            declares = isinstance(node, (ast.Global, ast.Nonlocal))
            if not docstring and not declares:
                hit = ast.Expr(self.call("_hit", self.number(self.version.statements, node)))
                noted.append(ast.copy_location(hit, node))
            noted.append(node)
        return noted


def undefined(version, node):
    """Returns the unbound names that a definition reads."""
    bound = set(dir(builtins)) | set(version.module.__dict__)
    names = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            if isinstance(part.ctx, ast.Load):
                names.add(part.id)
            else:
                bound.add(part.id)
        elif isinstance(part, ast.arg):
            bound.add(part.arg)
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            bound.add(part.name)
        elif isinstance(part, ast.ExceptHandler) and part.name:
            bound.add(part.name)
        elif isinstance(part, ast.alias):
            bound.add((part.asname or part.name).split(".")[0])
        elif isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name:
            bound.add(part.name)
        elif isinstance(part, ast.MatchMapping) and part.rest:
            bound.add(part.rest)
    return names - bound
