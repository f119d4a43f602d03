"""Packages of the Python index with ten lines of use each: how many are planned as they run.

    python3 -m venv /tmp/packages
    /tmp/packages/bin/pip install $(python3 runs/package_uses.py --names)
    python3 runs/package_uses.py --python /tmp/packages/bin/python [--codexec PATH] [--show] [NAME…]

Each program is planned and run by `codexec trace --compare`; one is exact if no step differs. `--show` names what was made up
or why planning stopped.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import package_uses_later

NAMES_IN_THE_INDEX = "durations_nlp=durations-nlp ordered_set=ordered-set unidecode=Unidecode attr=attrs dateutil=python-dateutil dotenv=python-dotenv markdown=Markdown more_itertools=more-itertools slugify=python-slugify yaml=PyYAML"
DISTRIBUTIONS = dict(pair.split("=") for pair in NAMES_IN_THE_INDEX.split())

USES = {
    "attr": r"""
import attr
@attr.s(auto_attribs=True, order=True)
class Point:
    x: int
    y: int = attr.ib(default=3, validator=attr.validators.instance_of(int))
p = Point(1)
print(p, p == Point(1, 3), attr.asdict(p))
q = attr.evolve(p, y=5)
print(q > p, attr.fields(Point)[1].name)
try:
    Point(1, "a")
except TypeError as error:
    print(error.args[0][:30])
""",
    "boltons": r"""
from boltons.iterutils import chunked, windowed, unique, flatten
from boltons.strutils import slugify, camel2under
from boltons.dictutils import OMD
print(chunked(range(7), 3), list(windowed([1, 2, 3, 4], 2)))
print(unique([3, 1, 3, 2]), flatten([1, [2, [3]]]))
print(slugify("Hello, World!"), camel2under("FooBarBaz"))
d = OMD([("a", 1), ("b", 2), ("a", 3)])
print(d.getlist("a"), d["a"])
for key, value in d.items(multi=True):
    print(key, value)
""",
    "bottle": r"""
import bottle
app = bottle.Bottle()
@app.route("/hello/<name>")
def hello(name):
    return "Hello " + name
target, args = app.match({"PATH_INFO": "/hello/ann", "REQUEST_METHOD": "GET"})
print(target.callback(**args))
print(bottle.template("{{x}} and {{y}}", x=1, y="<b>"))
print(bottle.html_escape("<a>"), len(app.routes))
for rule in app.routes:
    print(rule.method, rule.rule)
""",
    "cachetools": r"""
from cachetools import LRUCache, cached, TTLCache
c = LRUCache(maxsize=2)
c["a"] = 1
c["b"] = 2
c["c"] = 3
print(sorted(c), c.currsize)
@cached(cache={})
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(20))
""",
    "click": r"""
import click
@click.command()
@click.option("--count", default=1, help="Number of greetings.")
@click.argument("name")
def hello(count, name):
    "Greets NAME."
    for _ in range(count):
        click.echo(f"Hello {name}")
hello(["--count", "2", "Ann"], standalone_mode=False)
try:
    hello(["--count", "x", "Ann"], standalone_mode=False)
except click.BadParameter as error:
    print(error.message)
""",
    "colorama": r"""
from colorama import Fore, Back, Style, init
init()
print(repr(Fore.RED + "red" + Style.RESET_ALL))
print(repr(Back.GREEN), repr(Fore.BLUE))
for name in ["RED", "GREEN"]:
    print(repr(getattr(Fore, name)))
from colorama import Cursor
print(repr(Cursor.UP(2)), repr(Cursor.POS(1, 2)))
""",
    "dateutil": r"""
from datetime import datetime
from dateutil.parser import parse
from dateutil.relativedelta import relativedelta
from dateutil.rrule import rrule, DAILY
print(parse("2024-03-05 10:20"), parse("5 March 2024"))
d = datetime(2024, 1, 31)
print(d + relativedelta(months=1), relativedelta(datetime(2024, 5, 1), d))
for day in rrule(DAILY, count=3, dtstart=datetime(2024, 2, 27)):
    print(day)
""",
    "docopt": r'''
from docopt import docopt
USAGE = """Usage:
  prog add <name> [--age=<n>]
  prog list [-v]

Options:
  --age=<n>  Age [default: 3].
  -v         Verbose.
"""
print(docopt(USAGE, ["add", "ann", "--age=5"]))
print(docopt(USAGE, ["list", "-v"])["-v"])
''',
    "dotenv": r"""
import io
from dotenv import dotenv_values, load_dotenv
values = dotenv_values(stream=io.StringIO("A=1\nB='two words'\n# no\nC=${A}x\n"))
print(dict(values))
import os
load_dotenv(stream=io.StringIO("NEW_NAME=hello"))
print(os.environ["NEW_NAME"])
for key, value in values.items():
    print(key, value)
""",
    "humanize": r"""
import humanize
from datetime import timedelta
print(humanize.intcomma(1234567), humanize.intword(1200000))
print(humanize.naturalsize(10**6), humanize.naturalsize(3000, binary=True))
print(humanize.ordinal(3), humanize.apnumber(5))
print(humanize.naturaldelta(timedelta(seconds=4000)))
print(humanize.precisedelta(timedelta(seconds=4000)))
for n in (1, 10, 100):
    print(humanize.scientific(n), humanize.fractional(n / 3))
""",
    "idna": r"""
import idna
print(idna.encode("münchen.de"), idna.decode("xn--mnchen-3ya.de"))
print(idna.alabel("straße"), idna.ulabel("xn--strae-oqa"))
try:
    idna.encode("a..b")
except idna.IDNAError as error:
    print(type(error).__name__, error)
for name in ["ä.com", "example.org"]:
    print(idna.encode(name, uts46=True))
""",
    "inflection": r"""
import inflection
print(inflection.camelize("device_type"), inflection.underscore("DeviceType"))
print(inflection.pluralize("person"), inflection.singularize("posts"))
print(inflection.titleize("man from the boondocks"), inflection.ordinalize(22))
print(inflection.parameterize("Donald E. Knuth"), inflection.tableize("RawScaledScorer"))
for word in ["octopus", "datum", "sheep"]:
    print(inflection.pluralize(word))
""",
    "jinja2": r"""
from jinja2 import Template, Environment
t = Template("Hello {{ name }}! {% for x in items %}{{ loop.index }}:{{ x|upper }} {% endfor %}")
print(t.render(name="Ann", items=["a", "b"]))
env = Environment(trim_blocks=True, autoescape=True)
env.filters["double"] = lambda x: x * 2
print(env.from_string("{{ v|double }} {{ '<b>' }}").render(v=4))
print(env.from_string("{% if a > 1 %}big{% else %}small{% endif %}").render(a=2))
try:
    env.from_string("{% if %}")
except Exception as error:
    print(type(error).__name__, error)
""",
    "jmespath": r"""
import jmespath
data = {"people": [{"name": "a", "age": 3}, {"name": "b", "age": 5}]}
print(jmespath.search("people[*].name", data))
print(jmespath.search("people[?age > `3`].name | [0]", data))
print(jmespath.search("length(people)", data), jmespath.search("max_by(people, &age).name", data))
expression = jmespath.compile("people[0].{n: name}")
print(expression.search(data))
""",
    "markdown": r"""
import markdown
print(markdown.markdown("# Title\n\nSome *text* and **bold**.\n\n- a\n- b\n"))
print(markdown.markdown("[link](http://a.b)"))
md = markdown.Markdown(extensions=["tables"])
html = md.convert("a | b\n- | -\n1 | 2\n")
print(html)
print(markdown.markdown("`code` & <b>"))
""",
    "marshmallow": r"""
from marshmallow import Schema, fields, ValidationError
class User(Schema):
    name = fields.Str(required=True)
    age = fields.Int(load_default=3)
print(User().load({"name": "ann"}))
print(User().dump({"name": "bob", "age": 5}))
try:
    User().load({"age": "x"})
except ValidationError as error:
    print(error.messages)
print(sorted(User().fields))
""",
    "mistune": r"""
import mistune
print(mistune.html("# Title\n\nSome *text* and **bold**.\n"))
print(mistune.html("- a\n- b\n"))
parse = mistune.create_markdown(renderer="ast")
for token in parse("Hello `code`"):
    print(token["type"], len(token["children"]))
print(mistune.html("[a](http://b.c)"))
""",
    "more_itertools": r"""
from more_itertools import chunked, windowed, flatten, first, peekable, collapse, distinct_permutations
print(list(chunked([1, 2, 3, 4, 5], 2)), list(windowed([1, 2, 3], 2)))
print(list(flatten([[1], [2, 3]])), first([], default=0))
p = peekable([1, 2])
print(p.peek(), next(p), bool(p))
print(list(collapse([1, [2, [3, "ab"]]])))
print(list(distinct_permutations([1, 1, 2])))
""",
    "natsort": r"""
from natsort import natsorted, ns, index_natsorted
files = ["a10", "a2", "a1"]
print(natsorted(files), sorted(files))
print(natsorted(["B1", "a2", "A1"], alg=ns.IGNORECASE))
print(natsorted(["1.5", "1.25", "-3"], alg=ns.REAL))
print(index_natsorted(files))
""",
    "networkx": r"""
import networkx as nx
g = nx.Graph()
g.add_edge("a", "b", weight=3)
g.add_edges_from([("b", "c"), ("c", "d")])
print(g.number_of_nodes(), sorted(g.neighbors("b")))
print(nx.shortest_path(g, "a", "d"))
print(nx.degree_centrality(g)["b"])
d = nx.DiGraph([(1, 2), (2, 3)])
print(list(nx.topological_sort(d)), nx.is_directed_acyclic_graph(d))
print(list(nx.connected_components(g)) == [set("abcd")])
""",
    "packaging": r"""
from packaging.version import Version, parse
from packaging.specifiers import SpecifierSet
from packaging.requirements import Requirement
print(Version("1.2.3") < Version("1.10"), parse("2.0rc1").is_prerelease)
s = SpecifierSet(">=1.0,<2")
print("1.5" in s, list(s.filter(["0.9", "1.1", "2.0"])))
r = Requirement("requests[security]>=2.8.1; python_version < '3'")
print(r.name, r.extras, str(r.specifier), r.marker)
print(sorted([Version("1.0"), Version("1.0.dev1")]))
""",
    "parse": r"""
from parse import parse, search, findall, compile
print(parse("It's {}, I love it!", "It's spam, I love it!"))
r = parse("{name:w} is {age:d}", "ann is 42")
print(r["name"], r["age"], r.named)
print(search("age: {:d}", "name: x age: 12")[0])
print([x[0] for x in findall(">{}<", "<p>a</p><p>b</p>")])
""",
    "pluggy": r"""
import pluggy
spec = pluggy.HookspecMarker("demo")
impl = pluggy.HookimplMarker("demo")
class Spec:
    @spec
    def add(self, a, b): pass
class Plugin:
    @impl
    def add(self, a, b): return a + b
pm = pluggy.PluginManager("demo")
pm.add_hookspecs(Spec)
pm.register(Plugin())
print(pm.hook.add(a=1, b=2), len(pm.get_plugins()))
""",
    "prettytable": r"""
from prettytable import PrettyTable
t = PrettyTable(["name", "age"])
t.add_row(["ann", 3])
t.add_row(["bob", 12])
t.align["name"] = "l"
print(t)
print(t.get_string(sortby="age", reversesort=True))
print(t.get_csv_string())
""",
    "pydash": r"""
import pydash
print(pydash.chunk([1, 2, 3, 4, 5], 2), pydash.uniq([1, 1, 2]))
print(pydash.get({"a": {"b": [1, 2]}}, "a.b.1"), pydash.camel_case("hello world"))
print(pydash.group_by([1, 2, 3], lambda x: x % 2))
print(pydash.map_([{"a": 1}, {"a": 2}], "a"))
print(pydash.flatten_deep([1, [2, [3]]]), pydash.kebab_case("fooBar"))
""",
    "pyparsing": r"""
from pyparsing import Word, nums, alphas, Suppress, Group, delimited_list, ParseException
integer = Word(nums).set_parse_action(lambda t: int(t[0]))
greeting = Word(alphas) + Suppress(",") + Word(alphas)
print(greeting.parse_string("Hello, World").as_list())
print(delimited_list(integer).parse_string("1,2,3").as_list())
pair = Group(Word(alphas)("key") + Suppress("=") + integer("value"))
print(pair.parse_string("a=5")[0]["value"])
try:
    integer.parse_string("x")
except ParseException as error:
    print(error)
""",
    "requests": r"""
import requests
r = requests.Request("GET", "http://example.org/a", params={"q": "x y"}, headers={"A": "b"}).prepare()
print(r.url, r.method, r.headers["A"])
print(requests.utils.quote("a b"), requests.codes.ok)
post = requests.Request("POST", "http://e.org", json={"a": 1}).prepare()
print(post.body, post.headers["Content-Type"])
s = requests.Session()
s.headers.update({"X": "1"})
print(s.headers["X"])
""",
    "rich": r"""
import io
from rich.console import Console
from rich.table import Table
from rich.text import Text
console = Console(file=io.StringIO(), width=40)
table = Table(title="T")
table.add_column("a")
table.add_row("1")
console.print(table)
print(console.file.getvalue())
print(Text("hello world").plain, len(Text.from_markup("[bold]x[/bold]")))
""",
    "schema": r"""
from schema import Schema, And, Use, Optional, SchemaError
s = Schema([{"name": And(str, len), "age": And(Use(int), lambda n: 0 < n < 99), Optional("sex"): str}])
print(s.validate([{"name": "Sue", "age": "28"}]))
try:
    s.validate([{"name": "", "age": 3}])
except SchemaError as error:
    print(error.code)
print(Schema(int).is_valid("a"))
""",
    "simpleeval": r"""
from simpleeval import simple_eval, SimpleEval
print(simple_eval("21 + 21"), simple_eval("x * 2", names={"x": 4}))
print(simple_eval("square(11)", functions={"square": lambda x: x * x}))
try:
    simple_eval("missing + 1")
except Exception as error:
    print(type(error).__name__)
s = SimpleEval()
print(s.eval("'a' + 'b' if 1 > 0 else 'c'"))
""",
    "six": r"""
import six
print(six.PY3, six.string_types, six.text_type("a"))
from six.moves import range as r, urllib
print(list(r(3)))
for k, v in six.iteritems({"a": 1}):
    print(k, v)
@six.add_metaclass(type)
class A(object):
    pass
print(A.__name__, six.b("x"), six.ensure_str(b"y"))
""",
    "sortedcontainers": r"""
from sortedcontainers import SortedList, SortedDict, SortedSet
s = SortedList([3, 1, 2])
s.add(0)
print(s, s.bisect(2), s[-1])
d = SortedDict({"b": 2, "a": 1})
print(d, d.peekitem(0), list(d.irange("a", "b")))
t = SortedSet([2, 1, 2])
t.add(5)
print(t, t.index(5), s.count(1))
""",
    "tabulate": r"""
from tabulate import tabulate
rows = [["ann", 3], ["bob", 12.5]]
print(tabulate(rows, headers=["name", "age"]))
print(tabulate(rows, headers=["name", "age"], tablefmt="grid"))
print(tabulate(rows, tablefmt="html"))
print(tabulate({"a": [1, 2], "b": ["x", "y"]}, headers="keys", tablefmt="github"))
print(tabulate([[1.23456]], floatfmt=".2f"))
""",
    "termcolor": r"""
from termcolor import colored, cprint
print(repr(colored("hello", "red")))
print(repr(colored("hello", "green", "on_red", attrs=["bold"], force_color=True)))
cprint("plain")
for color in ["red", "blue"]:
    print(repr(colored(color, color, force_color=True)))
""",
    "texttable": r"""
from texttable import Texttable
t = Texttable()
t.set_cols_align(["l", "r"])
t.add_rows([["name", "age"], ["ann", 3], ["bob", 12]])
print(t.draw())
t.set_deco(Texttable.HEADER)
print(t.draw())
""",
    "tomli": r"""
import tomli
text = 'title = "x"\n[owner]\nname = "ann"\nages = [1, 2, 3]\n[owner.more]\nborn = 1979-05-27\n'
data = tomli.loads(text)
print(data)
print(data["owner"]["more"]["born"].year)
try:
    tomli.loads("a = ")
except tomli.TOMLDecodeError as error:
    print(error)
print(tomli.loads("x = 1.5e3\ny = true"))
""",
    "toolz": r"""
from toolz import curry, compose, pipe, groupby, partition, merge, frequencies, get_in
from toolz.curried import map as cmap
print(groupby(len, ["a", "bb", "c"]), list(partition(2, [1, 2, 3, 4])))
add = curry(lambda a, b: a + b)
print(add(1)(2), compose(str, abs)(-3))
print(pipe([1, 2], cmap(lambda x: x + 1), list))
print(merge({"a": 1}, {"b": 2}), frequencies("abca"), get_in(["a", 0], {"a": [5]}))
""",
    "voluptuous": r"""
from voluptuous import Schema, Required, All, Length, Range, MultipleInvalid
s = Schema({Required("q"): All(str, Length(min=1)), "n": All(int, Range(min=1, max=20))})
print(s({"q": "x", "n": 5}))
try:
    s({"n": 30})
except MultipleInvalid as error:
    for e in error.errors:
        print(e)
print(Schema([int])([1, 2]))
""",
    "wcwidth": r"""
from wcwidth import wcwidth, wcswidth
print(wcwidth("a"), wcwidth("中"), wcswidth("コンニチハ"))
print(wcswidth("e\u0301"), wcwidth("\0"), wcwidth("\x01"))
for word in ["abc", "한글"]:
    print(word, wcswidth(word))
""",
    "xmltodict": r"""
import xmltodict
doc = xmltodict.parse("<a x='1'><b>t</b><b>u</b><c/></a>")
print(doc["a"]["@x"], doc["a"]["b"], doc["a"]["c"])
print(xmltodict.unparse({"r": {"a": "1", "@k": "v"}}, pretty=True))
try:
    xmltodict.parse("<a>")
except Exception as error:
    print(type(error).__name__, error)
""",
    "yaml": r"""
import yaml
text = "a: 1\nb:\n  - x\n  - 2.5\nc: {d: true, e: null}\n"
data = yaml.safe_load(text)
print(data)
print(yaml.safe_dump({"x": [1, 2], "y": {"z": "w"}}))
print(yaml.dump([1, {"a": "b"}], default_flow_style=True))
try:
    yaml.safe_load("a: [1")
except yaml.YAMLError as error:
    print(type(error).__name__)
""",
    **package_uses_later.USES,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", action="store_true", help="print what `pip install` takes, and end")
    parser.add_argument("--python", help="the interpreter whose packages are imported")
    parser.add_argument("--codexec", default="codexec")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("packages", nargs="*")
    args = parser.parse_args()
    # Programs run in folders of their own.
    if os.sep in args.codexec:
        args.codexec = os.path.abspath(args.codexec)
    if args.names:
        print(*(DISTRIBUTIONS.get(name, name) for name in USES))
        return
    if not args.python:
        sys.exit("--python is missing: the interpreter of an environment with the packages of --names")
    chosen = args.packages or list(USES)
    exact = 0
    for name in chosen:
        # A folder for each: what one writes is no module of another.
        with tempfile.TemporaryDirectory() as folder:
            same, said = is_exact(args, name, folder)
        exact += same
        if not same:
            why = said.strip().split("\n")[-1].split(": ", 2)[-1] if args.show else ""
            print(f"{name}: {why}".rstrip(": "), flush=True)
    print(f"exact: {exact} of {len(chosen)}")


def is_exact(args, name, folder):
    """Whether a program is planned as it runs, and what is said of it."""
    path = os.path.join(folder, f"uses_{name}.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(USES[name].lstrip("\n"))
    command = [args.codexec, "trace", path, "--compare", "--json", "--packages", "--python", os.path.abspath(args.python)]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    if not run.stdout:
        return False, run.stderr
    return json.loads(run.stdout)["divergence"] is None, run.stderr


if __name__ == "__main__":
    main()
