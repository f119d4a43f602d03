"""Modules of the standard library with a few lines of use each: how many are planned as they run.

    python3 runs/library_uses.py [--codexec PATH] [--show]

Each program is planned and run by `codexec trace --compare`; one is exact if no step differs. `--show` names what was made
up or why planning stopped.
"""

import argparse
import json
import os
import subprocess
import tempfile

USES = {
    "argparse": r"""
import argparse
p = argparse.ArgumentParser(prog='x')
p.add_argument('n', type=int)
p.add_argument('--v', action='store_true')
a = p.parse_args(['3', '--v'])
print(a.n, a.v)
p.print_help()
""",
    "array": r"""
import array
a = array.array('i', [1, 2])
a.append(3)
print(a, a.tobytes(), a.typecode)
""",
    "ast": r"""
import ast
t = ast.parse('x = 1 + 2')
print(ast.dump(t))
print(ast.unparse(t), ast.literal_eval('[1, {2: 3}]'))
""",
    "asyncio": r"""
import asyncio
async def f(x):
    await asyncio.sleep(0.01)
    return x * 2
async def main():
    r = await asyncio.gather(f(1), f(2))
    print(r)
asyncio.run(main())
""",
    "base64": r"""
import base64, binascii
print(base64.b64encode(b'abc'), base64.b32encode(b'a'), base64.urlsafe_b64decode('YQ=='), binascii.hexlify(b'ab'), binascii.crc32(b'a'))
""",
    "bisect": r"""
import bisect, heapq
l = [1, 3]
bisect.insort(l, 2)
print(l, heapq.nlargest(2, l), list(heapq.merge([1], [2])))
""",
    "calendar": r"""
import calendar
print(calendar.month(2024, 2))
print(calendar.isleap(2000), calendar.monthrange(2023, 2))
""",
    "cmd": r"""
import cmd, io
class S(cmd.Cmd):
    def do_hi(self, a):
        print('hi', a)
    def do_q(self, a):
        return True
S(stdin=io.StringIO('hi x\nq\n')).onecmd('hi y')
""",
    "codecs": r"""
import codecs
print(codecs.encode('abc', 'rot13'), codecs.lookup('utf8').name, codecs.decode(b'YQ==', 'base64'))
""",
    "collections": r"""
from collections import *
P = namedtuple('P', 'x y')
print(P(1, 2)._replace(x=3), Counter('aab').most_common(1), ChainMap({1: 2}, {3: 4})[3], OrderedDict(a=1), deque([1, 2], 1))
""",
    "configparser": r"""
import configparser
c = configparser.ConfigParser()
c.read_string('[a]\nx = 1\ny = %(x)s2\n')
print(c.sections(), c.getint('a', 'x'), c['a']['y'])
""",
    "contextlib": r"""
import contextlib, io
@contextlib.contextmanager
def f():
    print('in')
    yield 1
    print('out')
with f() as x, contextlib.suppress(KeyError), contextlib.redirect_stdout(io.StringIO()) as o:
    print('q')
    {}['a']
print(o.getvalue())
with contextlib.ExitStack() as s:
    s.callback(print, 'bye')
""",
    "contextvars": r"""
import contextvars
v = contextvars.ContextVar('v', default=1)
t = v.set(2)
print(v.get())
v.reset(t)
print(v.get(), contextvars.copy_context().run(v.get))
""",
    "cookies": r"""
from http.cookies import SimpleCookie
c = SimpleCookie()
c['a'] = 'b'
c['a']['path'] = '/'
print(c.output())
""",
    "copyreg": r"""
import copy
class A:
    def __init__(self, v):
        self.v = v
a = A([1])
b = copy.deepcopy(a)
b.v.append(2)
print(a.v, b.v)
""",
    "csv": r"""
import csv, io
r = csv.DictReader(io.StringIO('a,b\n1,"2,3"\n'))
for row in r:
    print(row)
o = io.StringIO()
w = csv.writer(o, delimiter=';')
w.writerow([1, 'x;y', None])
print(o.getvalue())
""",
    "ctypes": r"""
import ctypes
print(ctypes.sizeof(ctypes.c_int), ctypes.c_uint8(257).value)
""",
    "dataclasses": r"""
from dataclasses import *
@dataclass(order=True)
class A:
    x: int
    y: list = field(default_factory=list)
a = A(1)
print(a, asdict(a), replace(a, x=2) > a, fields(A)[0].name)
""",
    "datetime": r"""
from datetime import datetime, timedelta, timezone
d = datetime(2024, 2, 29, 12, tzinfo=timezone.utc)
print(d + timedelta(days=366), d.isoformat(), d.strftime('%A %d %B'), datetime.strptime('2020-01-02', '%Y-%m-%d'))
""",
    "decimal": r"""
from decimal import Decimal, getcontext, ROUND_HALF_UP
getcontext().prec = 10
print(Decimal(1) / Decimal(3), Decimal('2.675').quantize(Decimal('0.01'), ROUND_HALF_UP), Decimal(2).sqrt())
""",
    "difflib": r"""
import difflib
print('\n'.join(difflib.unified_diff(['a', 'b'], ['a', 'c'], lineterm='')))
print(difflib.get_close_matches('appel', ['ape', 'apple']))
""",
    "dis": r"""
import dis
def f(a):
    return a + 1
print([i.opname for i in dis.get_instructions(f)])
""",
    "email": r"""
from email.message import EmailMessage
m = EmailMessage()
m['Subject'] = 'Hi'
m['From'] = 'a@b.c'
m.set_content('text')
print(m['Subject'], m.get_content_type())
print(m)
""",
    "enum": r"""
import enum
class C(enum.IntEnum):
    A = enum.auto()
    B = enum.auto()
print(C(1), list(C), C.A + 1, C['B'].name, C(C.B))
class F(enum.Flag):
    X = 1
    Y = 2
print(F.X | F.Y, F(3), F.X in F(3))
""",
    "etree": r"""
import xml.etree.ElementTree as ET
r = ET.fromstring('<a x="1"><b>t</b><b/></a>')
print(r.tag, r.attrib, [b.text for b in r.findall('b')])
print(ET.tostring(r))
""",
    "fractions": r"""
from fractions import Fraction
print(Fraction(3, 6) + Fraction('0.25'), Fraction(3.5).limit_denominator(10))
""",
    "functools": r"""
import functools
@functools.lru_cache(None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(30), fib.cache_info())
@functools.singledispatch
def g(x):
    return 'o'
@g.register
def _(x: int):
    return 'i'
print(g(1), g('a'), functools.reduce(lambda a, b: a * b, [1, 2, 3]))
""",
    "futures": r"""
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as p:
    print(list(p.map(lambda x: x * x, range(4))))
""",
    "getopt": r"""
import getopt
print(getopt.getopt(['-a', '--foo=1', 'x'], 'a', ['foo=']))
""",
    "getpass": r"""
import getpass, os, errno
print(errno.ENOENT, os.strerror(2), os.path.expanduser('~') != '')
""",
    "gettext": r"""
import gettext
print(gettext.gettext('a'), gettext.ngettext('x', 'y', 2))
""",
    "graphlib": r"""
import graphlib
print(list(graphlib.TopologicalSorter({'a': ['b'], 'b': ['c']}).static_order()))
""",
    "gzip": r"""
import gzip
d = gzip.compress(b'aaaa' * 10, mtime=0)
print(gzip.decompress(d))
""",
    "hashlib": r"""
import hashlib, hmac
print(hashlib.sha256(b'a').hexdigest()[:8], hashlib.md5(b'b').hexdigest(), hmac.new(b'k', b'm', 'sha1').hexdigest(), hashlib.blake2b(b'x').hexdigest()[:8])
""",
    "html": r"""
import html, html.parser
class P(html.parser.HTMLParser):
    def handle_starttag(self, t, a):
        print(t, a)
P().feed('<a href="x">y</a>')
print(html.escape('<a>'))
""",
    "http": r"""
import http
from http import HTTPStatus
print(HTTPStatus(404), HTTPStatus.OK.phrase, int(HTTPStatus.NOT_FOUND))
""",
    "imaplib": r"""
import smtplib, ftplib
print(smtplib.SMTP_PORT, ftplib.FTP_PORT)
""",
    "inspect": r"""
import inspect
def f(a, b=1, *c, d, **e):
    pass
s = inspect.signature(f)
print(s, list(s.parameters), inspect.isfunction(f))
""",
    "ipaddress": r"""
import ipaddress
n = ipaddress.ip_network('10.0.0.0/30')
print(list(n.hosts()), ipaddress.ip_address('10.0.0.1') in n)
""",
    "itertools": r"""
import itertools as i
print(list(i.groupby('aab')), list(i.islice(i.count(5), 3)), list(i.zip_longest('ab', 'c')), list(i.batched('abc', 2)) if hasattr(i, 'batched') else 0)
""",
    "json": r"""
import json
print(json.dumps({'a': [1, None, True], 'b': 'é'}, indent=2, sort_keys=True), json.loads('{"x": 1.5e3}'))
""",
    "locale": r"""
import locale
print(locale.setlocale(locale.LC_ALL, 'C'))
print(locale.format_string('%d', 1234, grouping=True))
""",
    "mock": r"""
import os
from unittest.mock import Mock, patch
m = Mock(return_value=3)
print(m(1), m.call_count)
m.assert_called_with(1)
with patch('os.getcwd', return_value='here'):
    print(os.getcwd())
""",
    "numbers": r"""
import numbers, cmath, math
print(isinstance(1, numbers.Integral), cmath.sqrt(-1), math.comb(5, 2), math.isqrt(17), math.dist((0, 0), (3, 4)))
""",
    "operator": r"""
import operator
print(operator.itemgetter(1, 0)('ab'), operator.attrgetter('real')(3), operator.methodcaller('upper')('a'))
""",
    "optparse": r"""
import optparse
p = optparse.OptionParser()
p.add_option('-n', type='int', dest='n')
o, a = p.parse_args(['-n', '3', 'x'])
print(o.n, a)
""",
    "pathlib": r"""
from pathlib import Path, PurePosixPath, PureWindowsPath
p = Path('a') / 'b.txt'
p.parent.mkdir()
p.write_text('hi')
print(p.read_text(), p.suffix, list(Path('.').rglob('*.txt')), PureWindowsPath('c:/x').drive)
""",
    "pdb": r"""
import bdb, code
print(code.compile_command('x = 1') is not None)
""",
    "pickle": r"""
import pickle
class A:
    def __init__(self, x):
        self.x = x
d = pickle.dumps([1, 'a', {2: (3,)}, A(4)])
print(len(d) > 10, pickle.loads(d)[3].x)
""",
    "platform": r"""
import platform, sys
print(platform.system(), platform.python_version(), sys.byteorder, sys.maxsize, platform.python_implementation())
""",
    "plistlib": r"""
import plistlib
print(plistlib.loads(plistlib.dumps({'a': 1})))
""",
    "pprint": r"""
import pprint
pprint.pprint({'a': list(range(30)), 'b': {'c': 'd' * 50}}, width=40)
""",
    "queue": r"""
import queue
q = queue.PriorityQueue()
q.put(2)
q.put(1)
print(q.get(), q.qsize())
""",
    "random": r"""
import random
random.seed(3)
print(random.random(), random.sample(range(10), 3), random.choices('abc', k=3), random.gauss(0, 1))
""",
    "re": r"""
import re
print(re.sub(r'(?P<x>\d+)', lambda m: str(int(m['x']) * 2), 'a1b22'), re.findall(br'\w', b'ab'), re.split(r'\s*,\s*', 'a , b'), re.fullmatch(r'(a)|(b)', 'b').groups())
""",
    "sched": r"""
import sched, time
s = sched.scheduler(time.monotonic, time.sleep)
s.enter(0.01, 1, print, ('a',))
s.run()
""",
    "secrets": r"""
import secrets
print(len(secrets.token_hex(4)), secrets.compare_digest('a', 'a'))
""",
    "select": r"""
import selectors, socket
s = selectors.DefaultSelector()
print(len(s.get_map()))
""",
    "shlex": r"""
import shlex
print(shlex.split('a "b c" d'), shlex.quote('a b'), shlex.join(['x', 'y z']))
""",
    "shutil": r"""
import shutil, os
os.makedirs('a/b')
open('a/b/c', 'w').write('x')
shutil.copytree('a', 'd')
print(sorted(os.walk('d')))
shutil.rmtree('a')
print(os.path.isdir('a'))
""",
    "signal": r"""
import signal
def h(n, f):
    print('got', n)
signal.signal(signal.SIGUSR1, h)
signal.raise_signal(signal.SIGUSR1)
""",
    "socket": r"""
import socket
print(socket.inet_aton('1.2.3.4'), socket.AF_INET)
""",
    "sqlite3": r"""
import sqlite3
c = sqlite3.connect(':memory:')
c.execute('create table t (a)')
c.execute('insert into t values (1)')
print(c.execute('select * from t').fetchall())
""",
    "statistics": r"""
import statistics as s
d = [1, 2, 2, 5]
print(s.mean(d), s.median(d), s.mode(d), s.stdev(d), s.quantiles(d), s.linear_regression([1, 2, 3], [2, 4, 6]))
""",
    "string": r"""
import string
print(string.Template('$a ${b}').substitute(a=1, b=2), string.capwords('a b'), string.Formatter().format('{0:>5}', 'x'))
""",
    "string2": r"""
import colorsys, quopri, mimetypes, fnmatch
print(colorsys.rgb_to_hsv(1, 0.5, 0), quopri.encodestring(b'a=b'), mimetypes.guess_type('a.png'), fnmatch.filter(['a.py', 'b'], '*.py'))
""",
    "stringprep": r"""
import stringprep, difflib, this
""",
    "struct": r"""
import struct
d = struct.pack('<Hi4s', 1, -2, b'ab')
print(d, struct.unpack('<Hi4s', d), struct.calcsize('P'))
""",
    "subprocess": r"""
import subprocess
r = subprocess.run(['echo', 'hi'], capture_output=True, text=True)
print(r.stdout)
""",
    "tarfile": r"""
import tarfile, io
b = io.BytesIO()
with tarfile.open(fileobj=b, mode='w') as t:
    i = tarfile.TarInfo('a')
    i.size = 2
    t.addfile(i, io.BytesIO(b'xy'))
b.seek(0)
print(tarfile.open(fileobj=b).getnames())
""",
    "tempfile": r"""
import tempfile, os
with tempfile.TemporaryDirectory() as d:
    open(os.path.join(d, 'x'), 'w').close()
    print(os.listdir(d))
print(os.path.exists(d))
""",
    "textwrap": r"""
import textwrap
print(textwrap.fill('aa bb cc dd ee', 6), textwrap.dedent('  a\n   b'), textwrap.shorten('hello big world', 10))
""",
    "threading": r"""
import threading
l = threading.Lock()
n = 0
def f(k):
    global n
    with l:
        n += k
ts = [threading.Thread(target=f, args=(i,)) for i in range(4)]
[t.start() for t in ts]
[t.join() for t in ts]
print(n)
""",
    "tokenize": r"""
import tokenize, io
for t in tokenize.generate_tokens(io.StringIO('x = 1').readline):
    print(t.type, t.string)
""",
    "tomllib": r"""
import tomllib
print(tomllib.loads('a = 1\n[b]\nc = [1, 2]'))
""",
    "traceback": r"""
import traceback
try:
    1 / 0
except ZeroDivisionError:
    print(traceback.format_exc())
""",
    "types": r"""
import types
n = types.SimpleNamespace(a=1)
print(n, types.MappingProxyType({1: 2}), types.new_class('C').__name__, isinstance(len, types.BuiltinFunctionType))
""",
    "typing": r"""
import typing
from typing import *
T = TypeVar('T')
class S(Generic[T]):
    pass
print(S[int], Optional[int], get_type_hints(lambda x: x), Union[int, str], Callable[[int], str])
""",
    "unicodedata": r"""
import unicodedata
print(unicodedata.name('é'), unicodedata.normalize('NFD', 'é').encode(), unicodedata.category('A'))
""",
    "unittest": r"""
import unittest
class T(unittest.TestCase):
    def test_a(self):
        self.assertEqual(1, 1)
    def test_b(self):
        with self.assertRaises(ValueError):
            int('x')
unittest.main(exit=False)
print('done')
""",
    "urllib": r"""
from urllib.parse import urlparse, urlencode, quote, urljoin, parse_qs
print(urlparse('http://a.b/c?d=e#f'), urlencode({'a': '1 2'}), quote('a b/c'), urljoin('http://a/b/', 'c'), parse_qs('a=1&a=2'))
""",
    "uuid": r"""
import uuid
print(uuid.uuid5(uuid.NAMESPACE_DNS, 'a.b'), uuid.UUID(int=5))
""",
    "warnings": r"""
import warnings
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always')
    warnings.warn('old', DeprecationWarning)
print(len(w), w[0].message, w[0].category)
""",
    "wave": r"""
import wave, io
b = io.BytesIO()
w = wave.open(b, 'wb')
w.setnchannels(1)
w.setsampwidth(2)
w.setframerate(8000)
w.writeframes(b'\0\0')
w.close()
print(len(b.getvalue()))
""",
    "weakref": r"""
import weakref
class A: pass
a = A()
r = weakref.ref(a)
print(r() is a)
d = weakref.WeakValueDictionary()
d['a'] = a
print(list(d))
del a
print(r(), len(d))
""",
    "zipfile": r"""
import zipfile, io
b = io.BytesIO()
with zipfile.ZipFile(b, 'w') as z:
    z.writestr('a.txt', 'hello')
with zipfile.ZipFile(b) as z:
    print(z.namelist(), z.read('a.txt'))
""",
    "zlib": r"""
import zlib, bz2, lzma
print(zlib.decompress(zlib.compress(b'aaa')), zlib.adler32(b'a'))
print(bz2.decompress(bz2.compress(b'aaa')))
""",
    "zoneinfo": r"""
from zoneinfo import ZoneInfo
from datetime import datetime
print(datetime(2024, 7, 1, tzinfo=ZoneInfo('UTC')))
""",
    # The last ten were measured once, before anything was changed for them.
    "cookiejar": r"""
from http.cookiejar import CookieJar, parse_ns_headers, http2time, time2isoz
print(parse_ns_headers(['a=b; path=/; expires=Wed, 09 Feb 1994 22:23:32 GMT', 'c=d']))
print(http2time('Wed, 09 Feb 1994 22:23:32 GMT'), time2isoz(0), len(CookieJar()))
""",
    "filecmp": r"""
import filecmp, os
os.makedirs('l')
os.makedirs('r')
for path, text in (('l/a', 'x'), ('r/a', 'x'), ('l/b', 'y'), ('r/b', 'zz'), ('r/c', '')):
    with open(path, 'w') as file:
        file.write(text)
d = filecmp.dircmp('l', 'r')
print(d.common, d.right_only, d.diff_files, d.same_files, filecmp.cmp('l/a', 'r/a', shallow=False))
""",
    "fileinput": r"""
import fileinput
for name in ('one', 'two'):
    with open(name, 'w') as file:
        file.write(name + '\nlast\n')
with fileinput.input(files=('one', 'two')) as lines:
    for line in lines:
        print(fileinput.filename(), lines.filelineno(), lines.lineno(), line.rstrip(), lines.isfirstline())
""",
    "email_texts": r"""
from email.utils import parseaddr, formataddr, format_datetime, parsedate_to_datetime
from email import message_from_string, header
m = message_from_string('From: Ann <a@b.c>\nSubject: =?utf-8?q?h=C3=A9?=\n\nbody\n')
print(parseaddr(m['From']), header.decode_header(m['Subject']), m.get_payload())
print(formataddr(('Bob', 'b@c.d')), parsedate_to_datetime('Wed, 09 Feb 1994 22:23:32 +0100'))
""",
    "pickletools": r"""
import pickle, pickletools
data = pickle.dumps([1, {'a': (2, 'x')}], protocol=2)
pickletools.dis(data)
print(pickletools.optimize(data), [op.name for op, arg, pos in pickletools.genops(data)][:4])
""",
    "reprlib": r"""
import reprlib
print(reprlib.repr(list(range(100))), reprlib.repr('x' * 80), reprlib.repr({i: i for i in range(9)}))
class N:
    @reprlib.recursive_repr('...')
    def __repr__(self):
        return f'N({self.me!r})'
n = N()
n.me = n
print(n)
r = reprlib.Repr()
r.maxlist = 2
print(r.repr([[1, 2, 3], 4, 5]))
""",
    "robotparser": r"""
from urllib.robotparser import RobotFileParser
p = RobotFileParser()
p.parse('User-agent: *\nDisallow: /private\nCrawl-delay: 3\n\nUser-agent: bot\nAllow: /'.split('\n'))
print(p.can_fetch('x', '/private/a'), p.can_fetch('bot', '/private'), p.crawl_delay('x'))
print(p)
""",
    "symtable": r"""
import symtable
t = symtable.symtable('def f(a):\n    global g\n    b = a\n    return lambda: b\n', 'x', 'exec')
f = t.get_children()[0]
print(f.get_name(), f.get_parameters(), f.get_locals(), f.get_globals(), f.lookup('b').is_referenced())
""",
    "wsgiref": r"""
from wsgiref.util import setup_testing_defaults, request_uri, shift_path_info
from wsgiref.headers import Headers
e = {'PATH_INFO': '/a/b'}
setup_testing_defaults(e)
print(request_uri(e), shift_path_info(e), e['SCRIPT_NAME'], e['SERVER_PROTOCOL'])
h = Headers([('Content-Type', 'text/plain')])
h.add_header('X', 'y', z='w')
print(h.items(), str(h))
""",
    "xmlrpc": r"""
import xmlrpc.client as x
text = x.dumps((1, 'a', [True, None], {'k': 2.5}), 'call', allow_none=True)
print(text)
print(x.loads(text))
try:
    x.loads(x.dumps(x.Fault(4, 'too many'), methodresponse=True))
except x.Fault as error:
    print(error.faultCode, error.faultString, x.DateTime('20240102T03:04:05'))
""",
}


def is_exact(options, name, text, folder):
    """Whether a program is planned as it runs, and what is said of it."""
    path = os.path.join(folder, f"uses_{name}.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.lstrip("\n"))
    run = subprocess.run(
        [options.codexec, "trace", path, "--compare", "--json"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    return json.loads(run.stdout)["divergence"] is None, run.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codexec", default="codexec")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    # Programs run in folders of their own.
    if os.sep in options.codexec:
        options.codexec = os.path.abspath(options.codexec)
    exact = 0
    for name, text in USES.items():
        # A folder for each: what one writes is no module of another.
        with tempfile.TemporaryDirectory() as folder:
            same, said = is_exact(options, name, text, folder)
        exact += same
        if not same:
            why = said.strip().split("\n")[-1].split(": ", 2)[-1] if options.show else ""
            print(f"{name}: {why}".rstrip(": "))
    print(f"exact: {exact} of {len(USES)}")


if __name__ == "__main__":
    main()
