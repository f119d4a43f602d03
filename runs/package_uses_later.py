"""Lines of use of further packages, for package_uses.py."""

USES = {
    # These were written after the planner had been mended for those above, and measured before anything was changed for them.
    "anytree": r"""
from anytree import Node, RenderTree, PreOrderIter, findall
root = Node("root")
a = Node("a", parent=root)
b = Node("b", parent=root)
c = Node("c", parent=a)
for pre, fill, node in RenderTree(root):
    print(pre + node.name)
print([node.name for node in PreOrderIter(root)], c.path, a.is_leaf)
print(len(findall(root, lambda node: node.name in "ab")), root.height)
""",
    "deepdiff": r"""
from deepdiff import DeepDiff
a = {"x": 1, "y": [1, 2]}
b = {"x": 2, "y": [1, 2, 3]}
d = DeepDiff(a, b)
print(d)
print(d.get("values_changed"))
print(DeepDiff([1, 2], [2, 1], ignore_order=True))
print(bool(DeepDiff(a, dict(a))))
""",
    "emoji": r"""
import emoji
print(emoji.emojize("Python is :thumbs_up:"))
print(emoji.demojize("Python is 👍"))
print(emoji.is_emoji("👍"), emoji.emoji_count("a👍b❤️"))
for match in emoji.emoji_list("x 👍"):
    print(match)
print(emoji.replace_emoji("a👍", replace="!"))
""",
    "funcy": r"""
from funcy import chunks, group_by, lmap, lfilter, merge, flatten, retry, memoize, compose, first, walk_values, re_find
print(list(chunks(2, [1, 2, 3, 4, 5])), group_by(len, ["a", "bb", "c"]))
print(lmap(str, [1, 2]), lfilter(None, [0, 1]), merge({"a": 1}, {"b": 2}))
print(list(flatten([1, [2, [3]]])), compose(str, abs)(-2), first([7, 8]))
@memoize
def slow(x):
    print("slow", x)
    return x * 2
print(slow(2), slow(2))
print(walk_values(lambda x: x + 1, {"a": 1}), re_find(r"\d+", "ab12"))
""",
    "glom": r"""
from glom import glom, T, Coalesce, GlomError
data = {"a": {"b": {"c": 5}}, "list": [{"x": 1}, {"x": 2}]}
print(glom(data, "a.b.c"), glom(data, ("list", ["x"])))
print(glom(data, {"v": "a.b.c", "n": ("list", len)}))
print(glom(data, Coalesce("z", "a.b.c", default=0)), glom([1, 2], T[0]))
try:
    glom(data, "a.z")
except GlomError as error:
    print(type(error).__name__)
""",
    "lark": r'''
from lark import Lark, Transformer
grammar = """
start: sum
sum: NUMBER ("+" NUMBER)*
NUMBER: /[0-9]+/
%ignore " "
"""
class Add(Transformer):
    def sum(self, items):
        return sum(int(item) for item in items)
    def start(self, items):
        return items[0]
parser = Lark(grammar, parser="lalr")
tree = parser.parse("1 + 2 + 30")
print(tree.data, len(tree.children))
print(Add().transform(tree))
''',
    "mpmath": r"""
from mpmath import mp, mpf, sqrt, pi, matrix, factorial
mp.dps = 30
print(sqrt(2))
print(+pi)
print(mpf(1) / 3, mpf("0.1") + mpf("0.2"))
print(factorial(20), mp.exp(1))
print(mp.nstr(mp.sin(1), 10))
A = matrix([[1, 2], [3, 4]])
print(A * A)
""",
    "pygments": r"""
from pygments import highlight
from pygments.lexers import PythonLexer
from pygments.formatters import HtmlFormatter, NullFormatter
code = "x = 1\nprint('a')\n"
print(highlight(code, PythonLexer(), NullFormatter()))
print(highlight(code, PythonLexer(), HtmlFormatter()))
for kind, value in PythonLexer().get_tokens("a = 2"):
    print(kind, repr(value))
""",
    "pyrsistent": r"""
from pyrsistent import v, m, pmap, pvector, s, PRecord, field
a = v(1, 2, 3)
b = a.append(4)
print(a, b, b[1:3], len(b))
c = m(x=1, y=2)
d = c.set("x", 5)
print(c["x"], d["x"], sorted(d.items()))
print(s(1, 2, 2), pvector([1]) == v(1))
class P(PRecord):
    x = field(type=int)
print(P(x=3).x, P(x=3).set(x=4))
""",
    "slugify": r"""
from slugify import slugify
print(slugify("Hello, World!"), slugify("jaja---lol-méméméoo--a"))
print(slugify("one two three four", max_length=9, word_boundary=True))
print(slugify("A b", separator="_"), slugify("10 | 20 %", replacements=[["|", "or"], ["%", "percent"]]))
for text in ["  spaces  ", "ÜBER Über", "C'est déjà"]:
    print(slugify(text, lowercase=False))
print(slugify("the quick brown", stopwords=["the"]))
""",
    "sqlparse": r"""
import sqlparse
text = "select a, b from t where a > 1; insert into t values (1)"
parts = sqlparse.split(text)
print(parts)
print(sqlparse.format(parts[0], reindent=True, keyword_case="upper"))
statement = sqlparse.parse(parts[0])[0]
print(statement.get_type(), len(statement.tokens))
for token in statement.tokens[:4]:
    print(repr(str(token)))
""",
    "tinydb": r"""
from tinydb import TinyDB, Query
from tinydb.storages import MemoryStorage
db = TinyDB(storage=MemoryStorage)
db.insert({"name": "ann", "age": 3})
db.insert_multiple([{"name": "bob", "age": 5}, {"name": "cy", "age": 9}])
User = Query()
print(db.search(User.age > 4))
db.update({"age": 6}, User.name == "bob")
print(db.get(User.name == "bob"), len(db), db.contains(User.age == 100))
db.remove(User.age < 5)
print(db.all())
""",
    "tqdm": r"""
import io
from tqdm import tqdm, trange
out = io.StringIO()
total = 0
for i in tqdm(range(3), file=out, disable=True):
    total += i
print(total, out.getvalue() == "")
print(tqdm.format_sizeof(12345), tqdm.format_interval(3725))
bar = tqdm(total=10, disable=True)
bar.update(4)
print(bar.n, bar.total, list(trange(2, disable=True)))
""",
    "treelib": r"""
from treelib import Tree
tree = Tree()
tree.create_node("Harry", "harry")
tree.create_node("Jane", "jane", parent="harry")
tree.create_node("Bill", "bill", parent="harry")
tree.create_node("Diane", "diane", parent="jane")
print(tree.show(stdout=False))
print(tree.depth(), tree.size(), [n.tag for n in tree.children("harry")])
print([tree[node].tag for node in tree.expand_tree()])
print(tree.to_dict())
""",
    "bidict": r"""
from bidict import bidict, ValueDuplicationError
b = bidict({"one": 1, "two": 2})
print(b["one"], b.inverse[2])
b["three"] = 3
try:
    b["uno"] = 1
except ValueDuplicationError as error:
    print(error)
b.forceput("uno", 1)
print(dict(b), len(b.inv), sorted(b.inverse))
for name, number in b.items():
    print(name, number)
""",
    "html5lib": r"""
import html5lib
tree = html5lib.parse("<p>Hello <b>bold</b><br>text", namespaceHTMLElements=False)
print(tree.tag, [child.tag for child in tree])
body = tree.find("body")
print(body[0].text, body[0][0].text, body[0][1].tail)
print(html5lib.serialize(tree, tree="etree", omit_optional_tags=True))
fragment = html5lib.parseFragment("<li>a<li>b", container="ul", namespaceHTMLElements=False)
for item in fragment:
    print(item.tag, item.text)
""",
    "intervaltree": r"""
from intervaltree import IntervalTree, Interval
t = IntervalTree()
t[1:5] = "a"
t[3:8] = "b"
t.add(Interval(10, 12, "c"))
print(sorted(t[4]), len(t), t.overlaps(8, 11))
t.merge_overlaps(data_reducer=lambda x, y: x + y)
print(sorted(t))
t.chop(2, 4)
for interval in sorted(t):
    print(interval.begin, interval.end, interval.data)
""",
    "isodate": r"""
import isodate
from datetime import date, timedelta
print(isodate.parse_date("2024-W10-3"), isodate.parse_datetime("2024-03-05T10:20:30Z"))
d = isodate.parse_duration("P1Y2M3DT4H")
print(d, d.years, isodate.duration_isoformat(d))
print(date(2024, 1, 31) + isodate.parse_duration("P1M"), isodate.duration_isoformat(timedelta(hours=30)))
try:
    isodate.parse_duration("1 day")
except isodate.ISO8601Error as error:
    print(error)
for text in ("10:20", "102030.5"):
    print(isodate.parse_time(text))
""",
    "jsonpatch": r"""
import jsonpatch
before = {"name": "ann", "tags": ["a"], "age": 3}
patch = jsonpatch.JsonPatch([{"op": "replace", "path": "/name", "value": "bob"}, {"op": "add", "path": "/tags/-", "value": "b"}])
after = patch.apply(before)
print(after, before["name"])
found = jsonpatch.make_patch(before, after)
print(sorted(str(step) for step in found))
try:
    jsonpatch.apply_patch(before, [{"op": "test", "path": "/age", "value": 4}])
except jsonpatch.JsonPatchTestFailed as error:
    print(type(error).__name__, error)
""",
    "mako": r'''
from mako.template import Template
print(Template("Hello ${name}!").render(name="Ann"))
text = """
% for x in items:
* ${x | h}
% endfor
<%def name="twice(x)">${x}${x}</%def>${twice("ab")}
"""
t = Template(text)
print(t.render(items=["a<b", "c"]))
print(t.get_def("twice").render(x="z"))
''',
    "munch": r"""
from munch import Munch, munchify, DefaultMunch
m = Munch(a=1)
m.b = {"c": 2}
print(m, m.a, sorted(m))
n = munchify({"x": [{"y": 3}]})
print(n.x[0].y, n.toDict())
try:
    m.missing
except AttributeError as error:
    print(error)
print(DefaultMunch(0, {"k": 5}).other, "a" in m)
""",
    "pycparser": r"""
from pycparser import c_parser, c_generator, c_ast
tree = c_parser.CParser().parse("int add(int a, int b) { return a + b * 2; }", "x.c")
f = tree.ext[0]
print(f.decl.name, [p.name for p in f.decl.type.args.params])
print(c_generator.CGenerator().visit(tree))
class Names(c_ast.NodeVisitor):
    def visit_ID(self, node):
        print(node.name, node.coord.line)
Names().visit(tree)
""",
    "semver": r"""
from semver import Version
v = Version.parse("1.2.3-rc.1+build.5")
print(v, v.major, v.prerelease, v.build)
print(v.bump_minor(), v.finalize_version(), v.compare("1.2.3"))
print(max(Version.parse("1.10.0"), Version.parse("1.9.9")), Version(2) > v)
print(v.match(">=1.0.0"), v.to_tuple())
try:
    Version.parse("1.2")
except ValueError as error:
    print(error)
""",
    "toposort": r"""
from toposort import toposort, toposort_flatten, CircularDependencyError
data = {2: {11}, 9: {11, 8}, 10: {11, 3}, 11: {7, 5}, 8: {7, 3}}
print([sorted(level) for level in toposort(data)])
print(toposort_flatten(data))
try:
    toposort_flatten({1: {2}, 2: {1}})
except CircularDependencyError as error:
    print(error, error.data)
for level in toposort({"a": {"b"}, "b": set()}):
    print(level)
""",
    # The last ten were measured once, before anything was changed for them.
    "addict": r"""
from addict import Dict
d = Dict()
d.a.b.c = 2
d.items_ = [Dict(x=1), {"y": 2}]
print(d, d.a.b.c, d.to_dict())
e = Dict({"a": {"b": {"d": 3}}})
d.update(e)
print(d.a.b)
d.freeze()
try:
    d.missing
except KeyError as error:
    print("KeyError", error)
""",
    "arpeggio": r'''
from arpeggio import ZeroOrMore, Optional, EOF, ParserPython, RegExMatch, PTNodeVisitor, visit_parse_tree
def number(): return RegExMatch(r"\d+")
def factor(): return Optional(["+", "-"]), [number, ("(", expression, ")")]
def term(): return factor, ZeroOrMore(["*", "/"], factor)
def expression(): return term, ZeroOrMore(["+", "-"], term)
def calc(): return expression, EOF
class Visitor(PTNodeVisitor):
    def visit_number(self, node, children):
        return int(node.value)
    def visit_expression(self, node, children):
        return sum(child for child in children if isinstance(child, int))
parser = ParserPython(calc)
tree = parser.parse("1+2*3")
print(tree, len(tree))
print(visit_parse_tree(parser.parse("1+2+4"), Visitor()))
''',
    "blinker": r"""
from blinker import signal, Signal
started = signal("started")
def each(sender, **data):
    print("got", sender, data)
    return len(data)
started.connect(each)
print(started.send("a"), started.send("b", x=1) [0][1])
@started.connect_via("c")
def only(sender):
    print("only", sender)
started.send("c")
started.disconnect(each)
print(bool(started.receivers), signal("started") is started, started.name)
""",
    "cerberus": r"""
from cerberus import Validator
v = Validator({"name": {"type": "string", "required": True}, "age": {"type": "integer", "min": 10}})
print(v.validate({"name": "ann", "age": 20}), v.errors)
print(v.validate({"age": 5}), v.errors)
print(v.validate({"name": "bob", "other": 1}), v.errors)
w = Validator({"tags": {"type": "list", "schema": {"type": "string"}}, "n": {"coerce": int, "default": 3}})
print(w.validated({"tags": ["a"]}), w.normalized({"n": "7"}))
print(w.validate({"tags": [1]}), w.errors)
""",
    "itsdangerous": r"""
from itsdangerous import Signer, URLSafeSerializer, BadSignature
s = Signer("secret")
signed = s.sign("hello")
print(signed, s.unsign(signed))
try:
    s.unsign(b"hello.wrong")
except BadSignature as error:
    print(type(error).__name__, error)
u = URLSafeSerializer("key", salt="s")
token = u.dumps({"id": 5, "name": "ann"})
print(token, u.loads(token))
print(u.loads_unsafe(token + "x"))
""",
    "ply": r'''
import ply.lex as lex
import ply.yacc as yacc
tokens = ("NUMBER", "PLUS", "TIMES")
t_PLUS = r"\+"
t_TIMES = r"\*"
t_ignore = " "
def t_NUMBER(t):
    r"\d+"
    t.value = int(t.value)
    return t
def t_error(t):
    print("bad", t.value[0])
    t.lexer.skip(1)
precedence = (("left", "PLUS"), ("left", "TIMES"))
def p_expr(p):
    """expr : expr PLUS expr
            | expr TIMES expr"""
    p[0] = p[1] + p[3] if p[2] == "+" else p[1] * p[3]
def p_number(p):
    "expr : NUMBER"
    p[0] = p[1]
def p_error(p):
    print("syntax error")
lexer = lex.lex()
lexer.input("1 + 2 $ 3")
print([(t.type, t.value) for t in lexer])
parser = yacc.yacc(write_tables=False, debug=False)
print(parser.parse("1 + 2 * 3"))
''',
    "tinycss2": r"""
import tinycss2
rules = tinycss2.parse_stylesheet("a { color: red; margin: 0 1px } /* c */ @media print { b {} }", skip_whitespace=True)
for rule in rules:
    print(rule.type, getattr(rule, "at_keyword", None))
for declaration in tinycss2.parse_declaration_list(rules[0].content, skip_whitespace=True):
    print(declaration.name, [token.type for token in declaration.value], declaration.important)
print(tinycss2.serialize(rules), tinycss2.parse_one_component_value("12.5px").value)
from tinycss2.color3 import parse_color
print(parse_color("#ff8000"), parse_color("hsl(120, 100%, 50%)"))
""",
    "transitions": r"""
from transitions import Machine, MachineError
class Door:
    def on_enter_open(self):
        print("opened")
door = Door()
machine = Machine(door, states=["closed", "open", "locked"], initial="closed")
machine.add_transition("pull", "closed", "open")
machine.add_transition("push", "open", "closed", after=lambda: print("pushed"))
machine.add_transition("lock", "closed", "locked", conditions=lambda: True)
print(door.state, door.pull(), door.state, door.is_open())
try:
    door.lock()
except MachineError as error:
    print(error)
door.push()
print(door.lock(), door.state, machine.get_triggers("closed"))
""",
    "uritemplate": r"""
from uritemplate import URITemplate, expand, variables
t = URITemplate("https://api.example.com/users{/user}{?page,per}")
print(t.expand(user="ann", page=2), t.expand(user="a b"))
print(expand("{+path}/here", path="/foo/bar"), expand("{#x,y}", x=1, y=2))
print(list(variables("{a}{b*}{c:3}")), t.variable_names)
print(expand("{?keys*}", keys={"a": "1", "b": "2"}), expand("{list}", list=["x", "y"]))
for text in ("{var:2}", "{.var}"):
    print(expand(text, var="value"))
""",
    "webcolors": r"""
import webcolors
print(webcolors.name_to_hex("navy"), webcolors.hex_to_name("#daa520"))
print(webcolors.hex_to_rgb("#000080"), webcolors.rgb_to_hex((255, 0, 128)))
print(webcolors.normalize_hex("#09c"), webcolors.rgb_percent_to_rgb(("100%", "50%", "0%")))
print(webcolors.name_to_rgb("red").green, webcolors.html5_parse_legacy_color("chucknorris"))
try:
    webcolors.name_to_hex("nothing")
except ValueError as error:
    print(error)
for name in webcolors.names()[:2]:
    print(name)
""",
    # Ten that nobody had tried, measured once on 2026-11-29 before anything was changed for them.
    "textdistance": """
import textdistance
print(textdistance.hamming("test", "text"), textdistance.levenshtein("kitten", "sitting"))
print(round(textdistance.jaro("martha", "marhta"), 4), textdistance.lcsseq("abcdef", "acf"))
print(textdistance.jaccard("test", "text"))
print(textdistance.levenshtein.normalized_similarity("ab", "ac"))
""",
    "prettyprinter": """
from prettyprinter import pformat
print(pformat({"a": [1, 2, 3], "b": {"c": "text"}}))
print(pformat(list(range(5))))
print(pformat("x" * 10))
""",
    "roman": """
import roman
print([roman.toRoman(n) for n in (1, 4, 9, 40, 1990, 2024)])
print(roman.fromRoman("MCMXC"))
try:
    roman.toRoman(5000)
except roman.OutOfRangeError as error:
    print(error)
try:
    roman.fromRoman("IIX")
except roman.InvalidRomanNumeralError as error:
    print(error)
""",
    "num2words": """
from num2words import num2words
print(num2words(42), num2words(1999, to="year"))
print(num2words(3, to="ordinal"), num2words(3, to="ordinal_num"))
print(num2words(21, lang="de"), num2words(3.14))
""",
    "unidecode": """
from unidecode import unidecode
print(unidecode("kožušček"), unidecode("30 \\U0001d5c4\\U0001d5c6/\\U0001d5c1"))
print(unidecode("北亰"), unidecode("plain"))
""",
    "inflect": """
import inflect
p = inflect.engine()
print(p.plural("cat"), p.plural("child"), p.singular_noun("geese"))
print(p.a("apple"), p.number_to_words(121), p.ordinal(23))
print(p.join(["a", "b", "c"]))
""",
    "pyfiglet": """
from pyfiglet import Figlet
f = Figlet(font="small", width=60)
print(f.renderText("Hi"))
print(f.getDirection())
""",
    "dictdiffer": """
from dictdiffer import diff, patch, swap, revert
first = {"title": "hello", "fork": 20, "tags": ["a"]}
second = {"title": "hellooo", "fork": 20, "tags": ["a", "b"]}
result = list(diff(first, second))
print(result)
print(patch(result, first) == second)
print(list(swap(result)), revert(result, second) == first)
""",
    "furl": """
from furl import furl
f = furl("http://www.google.com/a/b?one=1&two=2")
f.args["three"] = "3"
del f.args["one"]
f.path /= "c"
print(f.url, f.host, f.port, f.scheme)
print(f.copy().set(fragment="here").url, list(f.args.items()))
""",
    "durations_nlp": """
from durations_nlp import Duration
d = Duration("2 hours and 5 minutes")
print(d.to_seconds(), d.to_minutes())
print(Duration("1d, 3h").to_hours())
""",
    "ordered_set": """
from ordered_set import OrderedSet
letters = OrderedSet("abracadabra")
print(letters, letters.index("c"), letters[2])
print(letters | OrderedSet("xyz"), letters & "cab", letters - {"a"})
letters.add("q")
letters.discard("b")
print(list(letters), len(letters), letters == list("aracdq"))
""",
}
