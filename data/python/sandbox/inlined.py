"""Locates comprehensions inlined by CPython 3.12 and later, so that their events are omitted."""


# -- comprehensions inlined by CPython 3.12 and later ---------------------------------------------


def _compile(source):
    """Compiles the program.

    Under 3.12 a trace function makes the interpreter copy the variables of comprehensions of a
    module or class body over names of the same spelling around them, and back
    (https://github.com/python/cpython/issues/130809, mended in 3.13 and in the last 3.12s): the
    program itself would go wrong. There such a comprehension is compiled as the call of a function,
    which is what it was before.
    """
    code = compile(source, PROGRAM_FILE, "exec", 0, True)
    if sys.version_info[:2] != (3, 12):
        return code

    def inlined(code):
        return opcode.opmap["LOAD_FAST_AND_CLEAR"] in code.co_code[::2] and not code.co_flags & 1

    inner = [const for const in code.co_consts if type(const) is types.CodeType]
    if not inlined(code) and not any(map(inlined, inner)):
        return code
    import ast

    kinds = (ast.ListComp, ast.SetComp, ast.DictComp)

    def visit(node, apart):
        """Rewrites below one node; `apart` if the enclosing names are not those of a function."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            apart = False
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                value[:] = [visit(x, apart) if isinstance(x, ast.AST) else x for x in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, visit(value, apart))
        if not apart or not isinstance(node, kinds):
            return node
        if any(isinstance(x, (ast.NamedExpr, ast.Await)) for x in ast.walk(node)):
            return node
        argument = ast.arg(".0")
        first = node.generators[0].iter
        node.generators[0].iter = ast.copy_location(ast.Name(".0", ast.Load()), first)
        empty = dict(posonlyargs=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        function = ast.Lambda(ast.arguments(args=[argument], **empty), node)
        call = ast.Call(ast.copy_location(function, node), [first], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    tree = compile(source, PROGRAM_FILE, "exec", 0x400, True)
    return compile(visit(tree, True), PROGRAM_FILE, "exec", 0, True)


def _inlined(code, found):
    """Maps `id(code)` to what `_careful` needs, for a code object and those in it.

    The value is a list by instruction: None outside comprehensions, else `(opened, body)`: first
    lines of the comprehensions whose first iterable the instruction evaluates, outermost first, and
    the first line of the comprehension whose loop it belongs to, or 0, or minus that line for the
    instruction after the loop.
    """
    clear = opcode.opmap["LOAD_FAST_AND_CLEAR"]
    for const in code.co_consts:
        if type(const) is types.CodeType:
            _inlined(const, found)
    opcodes = code.co_code[::2]
    if clear not in opcodes:
        return found
    spans = [
        (p[0], p[2], p[1], p[3]) if None not in p else None for p in code.co_positions()
    ]
    loops = sorted(
        {spans[i] for i, op in enumerate(opcodes) if op == clear and spans[i]},
        key=lambda s: (s[0], s[1], -s[2], -s[3]),
    )
    plan = [None] * len(spans)
    exits = {}
    for loop in loops:
        _mark(plan, spans, opcodes, loop, clear, exits)
    for at, line in exits.items():
        plan[at] = plan[at] or ((), -line)
    found[id(code)] = plan
    return found


def _mark(plan, spans, opcodes, loop, clear, exits):
    """Adds one comprehension to the plan; outer ones come first and their loops hide inner ones."""
    inside = [
        s is not None and s[:2] >= loop[:2] and s[2:] <= loop[2:] for s in spans
    ]
    at = 0
    while at < len(spans):
        if not inside[at]:
            at += 1
            continue
        end = at
        while end < len(spans) and inside[end]:
            end += 1
        starts = [i for i in range(at, end) if opcodes[i] == clear and spans[i] == loop]
        first = starts[0] if starts else at
        for i in range(at, end):
            opened, body = plan[i] or ((), 0)
            if not body:
                plan[i] = (opened + (loop[0],), 0) if i < first else (opened, loop[0])
        if end < len(spans):
            exits[end] = loop[0]
        at = end
