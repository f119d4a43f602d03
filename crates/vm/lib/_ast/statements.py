# Classes of nodes, written by runs/plan_ast.py: their fields, places and what is not given.
# Level: methods

from _ast import AST


class mod(AST):
    'mod = Module(stmt* body, type_ignore* type_ignores)\n    | Interactive(stmt* body)\n    | Expression(expr body)\n    | FunctionType(expr* argtypes, expr returns)'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ()


class stmt(AST):
    'stmt = FunctionDef(identifier name, arguments args, stmt* body, expr* decorator_list, expr? returns, string? type_comment)\n     | AsyncFunctionDef(identifier name, arguments args, stmt* body, expr* decorator_list, expr? returns, string? type_comment)\n     | ClassDef(identifier name, expr* bases, keyword* keywords, stmt* body, expr* decorator_list)\n     | Return(expr? value)\n     | Delete(expr* targets)\n     | Assign(expr* targets, expr value, string? type_comment)\n     | AugAssign(expr target, operator op, expr value)\n     | AnnAssign(expr target, expr annotation, expr? value, int simple)\n     | For(expr target, expr iter, stmt* body, stmt* orelse, string? type_comment)\n     | AsyncFor(expr target, expr iter, stmt* body, stmt* orelse, string? type_comment)\n     | While(expr test, stmt* body, stmt* orelse)\n     | If(expr test, stmt* body, stmt* orelse)\n     | With(withitem* items, stmt* body, string? type_comment)\n     | AsyncWith(withitem* items, stmt* body, string? type_comment)\n     | Match(expr subject, match_case* cases)\n     | Raise(expr? exc, expr? cause)\n     | Try(stmt* body, excepthandler* handlers, stmt* orelse, stmt* finalbody)\n     | TryStar(stmt* body, excepthandler* handlers, stmt* orelse, stmt* finalbody)\n     | Assert(expr test, expr? msg)\n     | Import(alias* names)\n     | ImportFrom(identifier? module, alias* names, int? level)\n     | Global(identifier* names)\n     | Nonlocal(identifier* names)\n     | Expr(expr value)\n     | Pass\n     | Break\n     | Continue'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')
    end_lineno = None
    end_col_offset = None


class Module(mod):
    'Module(stmt* body, type_ignore* type_ignores)'
    __module__ = "ast"
    _fields = ('body', 'type_ignores')
    __match_args__ = ('body', 'type_ignores')


class Interactive(mod):
    'Interactive(stmt* body)'
    __module__ = "ast"
    _fields = ('body',)
    __match_args__ = ('body',)


class Expression(mod):
    'Expression(expr body)'
    __module__ = "ast"
    _fields = ('body',)
    __match_args__ = ('body',)


class FunctionType(mod):
    'FunctionType(expr* argtypes, expr returns)'
    __module__ = "ast"
    _fields = ('argtypes', 'returns')
    __match_args__ = ('argtypes', 'returns')


class FunctionDef(stmt):
    'FunctionDef(identifier name, arguments args, stmt* body, expr* decorator_list, expr? returns, string? type_comment)'
    __module__ = "ast"
    _fields = ('name', 'args', 'body', 'decorator_list', 'returns', 'type_comment')
    __match_args__ = ('name', 'args', 'body', 'decorator_list', 'returns', 'type_comment')
    returns = None
    type_comment = None


class AsyncFunctionDef(stmt):
    'AsyncFunctionDef(identifier name, arguments args, stmt* body, expr* decorator_list, expr? returns, string? type_comment)'
    __module__ = "ast"
    _fields = ('name', 'args', 'body', 'decorator_list', 'returns', 'type_comment')
    __match_args__ = ('name', 'args', 'body', 'decorator_list', 'returns', 'type_comment')
    returns = None
    type_comment = None


class ClassDef(stmt):
    'ClassDef(identifier name, expr* bases, keyword* keywords, stmt* body, expr* decorator_list)'
    __module__ = "ast"
    _fields = ('name', 'bases', 'keywords', 'body', 'decorator_list')
    __match_args__ = ('name', 'bases', 'keywords', 'body', 'decorator_list')


class Return(stmt):
    'Return(expr? value)'
    __module__ = "ast"
    _fields = ('value',)
    __match_args__ = ('value',)
    value = None


class Delete(stmt):
    'Delete(expr* targets)'
    __module__ = "ast"
    _fields = ('targets',)
    __match_args__ = ('targets',)


class Assign(stmt):
    'Assign(expr* targets, expr value, string? type_comment)'
    __module__ = "ast"
    _fields = ('targets', 'value', 'type_comment')
    __match_args__ = ('targets', 'value', 'type_comment')
    type_comment = None


class AugAssign(stmt):
    'AugAssign(expr target, operator op, expr value)'
    __module__ = "ast"
    _fields = ('target', 'op', 'value')
    __match_args__ = ('target', 'op', 'value')


class AnnAssign(stmt):
    'AnnAssign(expr target, expr annotation, expr? value, int simple)'
    __module__ = "ast"
    _fields = ('target', 'annotation', 'value', 'simple')
    __match_args__ = ('target', 'annotation', 'value', 'simple')
    value = None


class For(stmt):
    'For(expr target, expr iter, stmt* body, stmt* orelse, string? type_comment)'
    __module__ = "ast"
    _fields = ('target', 'iter', 'body', 'orelse', 'type_comment')
    __match_args__ = ('target', 'iter', 'body', 'orelse', 'type_comment')
    type_comment = None


class AsyncFor(stmt):
    'AsyncFor(expr target, expr iter, stmt* body, stmt* orelse, string? type_comment)'
    __module__ = "ast"
    _fields = ('target', 'iter', 'body', 'orelse', 'type_comment')
    __match_args__ = ('target', 'iter', 'body', 'orelse', 'type_comment')
    type_comment = None


class While(stmt):
    'While(expr test, stmt* body, stmt* orelse)'
    __module__ = "ast"
    _fields = ('test', 'body', 'orelse')
    __match_args__ = ('test', 'body', 'orelse')


class If(stmt):
    'If(expr test, stmt* body, stmt* orelse)'
    __module__ = "ast"
    _fields = ('test', 'body', 'orelse')
    __match_args__ = ('test', 'body', 'orelse')


class With(stmt):
    'With(withitem* items, stmt* body, string? type_comment)'
    __module__ = "ast"
    _fields = ('items', 'body', 'type_comment')
    __match_args__ = ('items', 'body', 'type_comment')
    type_comment = None


class AsyncWith(stmt):
    'AsyncWith(withitem* items, stmt* body, string? type_comment)'
    __module__ = "ast"
    _fields = ('items', 'body', 'type_comment')
    __match_args__ = ('items', 'body', 'type_comment')
    type_comment = None


class Match(stmt):
    'Match(expr subject, match_case* cases)'
    __module__ = "ast"
    _fields = ('subject', 'cases')
    __match_args__ = ('subject', 'cases')


class Raise(stmt):
    'Raise(expr? exc, expr? cause)'
    __module__ = "ast"
    _fields = ('exc', 'cause')
    __match_args__ = ('exc', 'cause')
    exc = None
    cause = None


class Try(stmt):
    'Try(stmt* body, excepthandler* handlers, stmt* orelse, stmt* finalbody)'
    __module__ = "ast"
    _fields = ('body', 'handlers', 'orelse', 'finalbody')
    __match_args__ = ('body', 'handlers', 'orelse', 'finalbody')


class TryStar(stmt):
    'TryStar(stmt* body, excepthandler* handlers, stmt* orelse, stmt* finalbody)'
    __module__ = "ast"
    _fields = ('body', 'handlers', 'orelse', 'finalbody')
    __match_args__ = ('body', 'handlers', 'orelse', 'finalbody')


class Assert(stmt):
    'Assert(expr test, expr? msg)'
    __module__ = "ast"
    _fields = ('test', 'msg')
    __match_args__ = ('test', 'msg')
    msg = None


class Import(stmt):
    'Import(alias* names)'
    __module__ = "ast"
    _fields = ('names',)
    __match_args__ = ('names',)


class ImportFrom(stmt):
    'ImportFrom(identifier? module, alias* names, int? level)'
    __module__ = "ast"
    _fields = ('module', 'names', 'level')
    __match_args__ = ('module', 'names', 'level')
    module = None
    level = None


class Global(stmt):
    'Global(identifier* names)'
    __module__ = "ast"
    _fields = ('names',)
    __match_args__ = ('names',)


class Nonlocal(stmt):
    'Nonlocal(identifier* names)'
    __module__ = "ast"
    _fields = ('names',)
    __match_args__ = ('names',)


class Expr(stmt):
    'Expr(expr value)'
    __module__ = "ast"
    _fields = ('value',)
    __match_args__ = ('value',)


class Pass(stmt):
    'Pass'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Break(stmt):
    'Break'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Continue(stmt):
    'Continue'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
