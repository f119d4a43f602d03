from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

c = Counter("abca")
d = defaultdict(list)
d["x"].append(1)
q = deque([1, 2, 3], maxlen=2)
q.appendleft(0)
o = OrderedDict(a=1, b=2)
o.move_to_end("a")
P = namedtuple("P", "x y")
p = P(1, y=2)
