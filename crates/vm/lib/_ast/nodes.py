# Classes of nodes, written by runs/plan_ast.py: their fields, places and what is not given.
# Level: methods

from _ast import AST


class expr(AST):
    'expr = BoolOp(boolop op, expr* values)\n     | NamedExpr(expr target, expr value)\n     | BinOp(expr left, operator op, expr right)\n     | UnaryOp(unaryop op, expr operand)\n     | Lambda(arguments args, expr body)\n     | IfExp(expr test, expr body, expr orelse)\n     | Dict(expr* keys, expr* values)\n     | Set(expr* elts)\n     | ListComp(expr elt, comprehension* generators)\n     | SetComp(expr elt, comprehension* generators)\n     | DictComp(expr key, expr value, comprehension* generators)\n     | GeneratorExp(expr elt, comprehension* generators)\n     | Await(expr value)\n     | Yield(expr? value)\n     | YieldFrom(expr value)\n     | Compare(expr left, cmpop* ops, expr* comparators)\n     | Call(expr func, expr* args, keyword* keywords)\n     | FormattedValue(expr value, int conversion, expr? format_spec)\n     | JoinedStr(expr* values)\n     | Constant(constant value, string? kind)\n     | Attribute(expr value, identifier attr, expr_context ctx)\n     | Subscript(expr value, expr slice, expr_context ctx)\n     | Starred(expr value, expr_context ctx)\n     | Name(identifier id, expr_context ctx)\n     | List(expr* elts, expr_context ctx)\n     | Tuple(expr* elts, expr_context ctx)\n     | Slice(expr? lower, expr? upper, expr? step)'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')
    end_lineno = None
    end_col_offset = None


class expr_context(AST):
    'expr_context = Load | Store | Del'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ()


class boolop(AST):
    'boolop = And | Or'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ()


class operator(AST):
    'operator = Add | Sub | Mult | MatMult | Div | Mod | Pow | LShift | RShift | BitOr | BitXor | BitAnd | FloorDiv'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ()


class unaryop(AST):
    'unaryop = Invert | Not | UAdd | USub'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ()


class cmpop(AST):
    'cmpop = Eq | NotEq | Lt | LtE | Gt | GtE | Is | IsNot | In | NotIn'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ()


class comprehension(AST):
    'comprehension(expr target, expr iter, expr* ifs, int is_async)'
    __module__ = "ast"
    _fields = ('target', 'iter', 'ifs', 'is_async')
    __match_args__ = ('target', 'iter', 'ifs', 'is_async')
    _attributes = ()


class excepthandler(AST):
    'excepthandler = ExceptHandler(expr? type, identifier? name, stmt* body)'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')
    end_lineno = None
    end_col_offset = None


class arguments(AST):
    'arguments(arg* posonlyargs, arg* args, arg? vararg, arg* kwonlyargs, expr* kw_defaults, arg? kwarg, expr* defaults)'
    __module__ = "ast"
    _fields = ('posonlyargs', 'args', 'vararg', 'kwonlyargs', 'kw_defaults', 'kwarg', 'defaults')
    __match_args__ = ('posonlyargs', 'args', 'vararg', 'kwonlyargs', 'kw_defaults', 'kwarg', 'defaults')
    _attributes = ()
    vararg = None
    kwarg = None


class arg(AST):
    'arg(identifier arg, expr? annotation, string? type_comment)'
    __module__ = "ast"
    _fields = ('arg', 'annotation', 'type_comment')
    __match_args__ = ('arg', 'annotation', 'type_comment')
    _attributes = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')
    annotation = None
    type_comment = None
    end_lineno = None
    end_col_offset = None


class keyword(AST):
    'keyword(identifier? arg, expr value)'
    __module__ = "ast"
    _fields = ('arg', 'value')
    __match_args__ = ('arg', 'value')
    _attributes = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')
    arg = None
    end_lineno = None
    end_col_offset = None


class alias(AST):
    'alias(identifier name, identifier? asname)'
    __module__ = "ast"
    _fields = ('name', 'asname')
    __match_args__ = ('name', 'asname')
    _attributes = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')
    asname = None
    end_lineno = None
    end_col_offset = None


class withitem(AST):
    'withitem(expr context_expr, expr? optional_vars)'
    __module__ = "ast"
    _fields = ('context_expr', 'optional_vars')
    __match_args__ = ('context_expr', 'optional_vars')
    _attributes = ()
    optional_vars = None


class match_case(AST):
    'match_case(pattern pattern, expr? guard, stmt* body)'
    __module__ = "ast"
    _fields = ('pattern', 'guard', 'body')
    __match_args__ = ('pattern', 'guard', 'body')
    _attributes = ()
    guard = None


class pattern(AST):
    'pattern = MatchValue(expr value)\n        | MatchSingleton(constant value)\n        | MatchSequence(pattern* patterns)\n        | MatchMapping(expr* keys, pattern* patterns, identifier? rest)\n        | MatchClass(expr cls, pattern* patterns, identifier* kwd_attrs, pattern* kwd_patterns)\n        | MatchStar(identifier? name)\n        | MatchAs(pattern? pattern, identifier? name)\n        | MatchOr(pattern* patterns)'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')


class type_ignore(AST):
    'type_ignore = TypeIgnore(int lineno, string tag)'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()
    _attributes = ()


class BoolOp(expr):
    'BoolOp(boolop op, expr* values)'
    __module__ = "ast"
    _fields = ('op', 'values')
    __match_args__ = ('op', 'values')


class NamedExpr(expr):
    'NamedExpr(expr target, expr value)'
    __module__ = "ast"
    _fields = ('target', 'value')
    __match_args__ = ('target', 'value')


class BinOp(expr):
    'BinOp(expr left, operator op, expr right)'
    __module__ = "ast"
    _fields = ('left', 'op', 'right')
    __match_args__ = ('left', 'op', 'right')


class UnaryOp(expr):
    'UnaryOp(unaryop op, expr operand)'
    __module__ = "ast"
    _fields = ('op', 'operand')
    __match_args__ = ('op', 'operand')


class Lambda(expr):
    'Lambda(arguments args, expr body)'
    __module__ = "ast"
    _fields = ('args', 'body')
    __match_args__ = ('args', 'body')


class IfExp(expr):
    'IfExp(expr test, expr body, expr orelse)'
    __module__ = "ast"
    _fields = ('test', 'body', 'orelse')
    __match_args__ = ('test', 'body', 'orelse')


class Dict(expr):
    'Dict(expr* keys, expr* values)'
    __module__ = "ast"
    _fields = ('keys', 'values')
    __match_args__ = ('keys', 'values')


class Set(expr):
    'Set(expr* elts)'
    __module__ = "ast"
    _fields = ('elts',)
    __match_args__ = ('elts',)


class ListComp(expr):
    'ListComp(expr elt, comprehension* generators)'
    __module__ = "ast"
    _fields = ('elt', 'generators')
    __match_args__ = ('elt', 'generators')


class SetComp(expr):
    'SetComp(expr elt, comprehension* generators)'
    __module__ = "ast"
    _fields = ('elt', 'generators')
    __match_args__ = ('elt', 'generators')


class DictComp(expr):
    'DictComp(expr key, expr value, comprehension* generators)'
    __module__ = "ast"
    _fields = ('key', 'value', 'generators')
    __match_args__ = ('key', 'value', 'generators')


class GeneratorExp(expr):
    'GeneratorExp(expr elt, comprehension* generators)'
    __module__ = "ast"
    _fields = ('elt', 'generators')
    __match_args__ = ('elt', 'generators')


class Await(expr):
    'Await(expr value)'
    __module__ = "ast"
    _fields = ('value',)
    __match_args__ = ('value',)


class Yield(expr):
    'Yield(expr? value)'
    __module__ = "ast"
    _fields = ('value',)
    __match_args__ = ('value',)
    value = None


class YieldFrom(expr):
    'YieldFrom(expr value)'
    __module__ = "ast"
    _fields = ('value',)
    __match_args__ = ('value',)


class Compare(expr):
    'Compare(expr left, cmpop* ops, expr* comparators)'
    __module__ = "ast"
    _fields = ('left', 'ops', 'comparators')
    __match_args__ = ('left', 'ops', 'comparators')


class Call(expr):
    'Call(expr func, expr* args, keyword* keywords)'
    __module__ = "ast"
    _fields = ('func', 'args', 'keywords')
    __match_args__ = ('func', 'args', 'keywords')


class FormattedValue(expr):
    'FormattedValue(expr value, int conversion, expr? format_spec)'
    __module__ = "ast"
    _fields = ('value', 'conversion', 'format_spec')
    __match_args__ = ('value', 'conversion', 'format_spec')
    format_spec = None


class JoinedStr(expr):
    'JoinedStr(expr* values)'
    __module__ = "ast"
    _fields = ('values',)
    __match_args__ = ('values',)


class Constant(expr):
    'Constant(constant value, string? kind)'
    __module__ = "ast"
    _fields = ('value', 'kind')
    __match_args__ = ('value', 'kind')
    kind = None


class Attribute(expr):
    'Attribute(expr value, identifier attr, expr_context ctx)'
    __module__ = "ast"
    _fields = ('value', 'attr', 'ctx')
    __match_args__ = ('value', 'attr', 'ctx')


class Subscript(expr):
    'Subscript(expr value, expr slice, expr_context ctx)'
    __module__ = "ast"
    _fields = ('value', 'slice', 'ctx')
    __match_args__ = ('value', 'slice', 'ctx')


class Starred(expr):
    'Starred(expr value, expr_context ctx)'
    __module__ = "ast"
    _fields = ('value', 'ctx')
    __match_args__ = ('value', 'ctx')


class Name(expr):
    'Name(identifier id, expr_context ctx)'
    __module__ = "ast"
    _fields = ('id', 'ctx')
    __match_args__ = ('id', 'ctx')


class List(expr):
    'List(expr* elts, expr_context ctx)'
    __module__ = "ast"
    _fields = ('elts', 'ctx')
    __match_args__ = ('elts', 'ctx')


class Tuple(expr):
    'Tuple(expr* elts, expr_context ctx)'
    __module__ = "ast"
    _fields = ('elts', 'ctx')
    __match_args__ = ('elts', 'ctx')


class Slice(expr):
    'Slice(expr? lower, expr? upper, expr? step)'
    __module__ = "ast"
    _fields = ('lower', 'upper', 'step')
    __match_args__ = ('lower', 'upper', 'step')
    lower = None
    upper = None
    step = None


class Load(expr_context):
    'Load'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Store(expr_context):
    'Store'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Del(expr_context):
    'Del'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class And(boolop):
    'And'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Or(boolop):
    'Or'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Add(operator):
    'Add'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Sub(operator):
    'Sub'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Mult(operator):
    'Mult'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class MatMult(operator):
    'MatMult'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Div(operator):
    'Div'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Mod(operator):
    'Mod'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Pow(operator):
    'Pow'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class LShift(operator):
    'LShift'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class RShift(operator):
    'RShift'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class BitOr(operator):
    'BitOr'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class BitXor(operator):
    'BitXor'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class BitAnd(operator):
    'BitAnd'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class FloorDiv(operator):
    'FloorDiv'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Invert(unaryop):
    'Invert'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Not(unaryop):
    'Not'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class UAdd(unaryop):
    'UAdd'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class USub(unaryop):
    'USub'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Eq(cmpop):
    'Eq'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class NotEq(cmpop):
    'NotEq'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Lt(cmpop):
    'Lt'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class LtE(cmpop):
    'LtE'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Gt(cmpop):
    'Gt'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class GtE(cmpop):
    'GtE'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class Is(cmpop):
    'Is'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class IsNot(cmpop):
    'IsNot'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class In(cmpop):
    'In'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class NotIn(cmpop):
    'NotIn'
    __module__ = "ast"
    _fields = ()
    __match_args__ = ()


class ExceptHandler(excepthandler):
    'ExceptHandler(expr? type, identifier? name, stmt* body)'
    __module__ = "ast"
    _fields = ('type', 'name', 'body')
    __match_args__ = ('type', 'name', 'body')
    type = None
    name = None


class MatchValue(pattern):
    'MatchValue(expr value)'
    __module__ = "ast"
    _fields = ('value',)
    __match_args__ = ('value',)


class MatchSingleton(pattern):
    'MatchSingleton(constant value)'
    __module__ = "ast"
    _fields = ('value',)
    __match_args__ = ('value',)


class MatchSequence(pattern):
    'MatchSequence(pattern* patterns)'
    __module__ = "ast"
    _fields = ('patterns',)
    __match_args__ = ('patterns',)


class MatchMapping(pattern):
    'MatchMapping(expr* keys, pattern* patterns, identifier? rest)'
    __module__ = "ast"
    _fields = ('keys', 'patterns', 'rest')
    __match_args__ = ('keys', 'patterns', 'rest')
    rest = None


class MatchClass(pattern):
    'MatchClass(expr cls, pattern* patterns, identifier* kwd_attrs, pattern* kwd_patterns)'
    __module__ = "ast"
    _fields = ('cls', 'patterns', 'kwd_attrs', 'kwd_patterns')
    __match_args__ = ('cls', 'patterns', 'kwd_attrs', 'kwd_patterns')


class MatchStar(pattern):
    'MatchStar(identifier? name)'
    __module__ = "ast"
    _fields = ('name',)
    __match_args__ = ('name',)
    name = None


class MatchAs(pattern):
    'MatchAs(pattern? pattern, identifier? name)'
    __module__ = "ast"
    _fields = ('pattern', 'name')
    __match_args__ = ('pattern', 'name')
    pattern = None
    name = None


class MatchOr(pattern):
    'MatchOr(pattern* patterns)'
    __module__ = "ast"
    _fields = ('patterns',)
    __match_args__ = ('patterns',)


class TypeIgnore(type_ignore):
    'TypeIgnore(int lineno, string tag)'
    __module__ = "ast"
    _fields = ('lineno', 'tag')
    __match_args__ = ('lineno', 'tag')


# The one object of each class that has no fields.
_one_Load = Load()
_one_Store = Store()
_one_Del = Del()
_one_And = And()
_one_Or = Or()
_one_Add = Add()
_one_Sub = Sub()
_one_Mult = Mult()
_one_MatMult = MatMult()
_one_Div = Div()
_one_Mod = Mod()
_one_Pow = Pow()
_one_LShift = LShift()
_one_RShift = RShift()
_one_BitOr = BitOr()
_one_BitXor = BitXor()
_one_BitAnd = BitAnd()
_one_FloorDiv = FloorDiv()
_one_Invert = Invert()
_one_Not = Not()
_one_UAdd = UAdd()
_one_USub = USub()
_one_Eq = Eq()
_one_NotEq = NotEq()
_one_Lt = Lt()
_one_LtE = LtE()
_one_Gt = Gt()
_one_GtE = GtE()
_one_Is = Is()
_one_IsNot = IsNot()
_one_In = In()
_one_NotIn = NotIn()

# Flags of `compile`.
PyCF_ALLOW_TOP_LEVEL_AWAIT = 8192
PyCF_ONLY_AST = 1024
PyCF_TYPE_COMMENTS = 4096
