# Topological order: each node comes after the nodes that it depends on.


class CycleError(ValueError):
    __module__ = "graphlib"


class _Node:
    """A node, how many it still waits for, and those that wait for it."""

    def __init__(self, node):
        self.node = node
        self.waits = 0
        self.after = []
        self.given = False
        self.finished = False


def _needs(nodes):
    """The nodes of an iterable, as a call with `*` takes them."""
    try:
        places = iter(nodes)
    except TypeError:
        if hasattr(nodes, "__iter__") or hasattr(nodes, "__getitem__"):
            raise
        raise TypeError("Value after * must be an iterable, not " + _classof(nodes).__name__) from None
    return [node for node in places]


def _cycle(entries):
    """The nodes of a cycle, None without one: the first that is met when each node is followed as deep as it goes."""
    seen = set()
    depths = {}
    for first in entries:
        if first in seen:
            continue
        path = []
        places = []
        entry = first
        while True:
            if entry not in seen:
                seen.add(entry)
                depths[entry] = _len(path)
                path.append(entry)
                places.append(0)
            elif entry in depths:
                return [on.node for on in path[depths[entry] :]] + [entry.node]
            while path and places[-1] == _len(path[-1].after):
                del depths[path.pop()]
                places.pop()
            if not path:
                break
            entry = path[-1].after[places[-1]]
            places[-1] += 1
    return None


class TopologicalSorter:
    @classmethod
    def __class_getitem__(cls, item):
        return cls

    def __init__(self, graph=None):
        self._entries = {}
        self._ready = None
        self._given = 0
        self._finished = 0
        if graph is not None:
            for node, needs in graph.items():
                self.add(node, *_needs(needs))

    def _entry(self, node):
        entry = self._entries.get(node)
        if entry is None:
            entry = self._entries[node] = _Node(node)
        return entry

    def add(self, node, *predecessors):
        if self._ready is not None:
            raise ValueError("Nodes cannot be added after a call to prepare()")
        entry = self._entry(node)
        entry.waits += _len(predecessors)
        for need in predecessors:
            self._entry(need).after.append(entry)

    def prepare(self):
        if self._ready is not None:
            raise ValueError("cannot prepare() more than once")
        entries = [entry for entry in self._entries.values()]
        self._ready = [entry for entry in entries if entry.waits == 0]
        cycle = _cycle(entries)
        if cycle is not None:
            raise CycleError("nodes are in a cycle", cycle)

    def _prepared(self):
        if self._ready is None:
            raise ValueError("prepare() must be called first")

    def get_ready(self):
        self._prepared()
        ready = self._ready
        for entry in ready:
            entry.given = True
        self._ready = []
        self._given += _len(ready)
        return (*[entry.node for entry in ready],)

    def is_active(self):
        self._prepared()
        return self._finished < self._given or _len(self._ready) != 0

    def __bool__(self):
        return self.is_active()

    def done(self, *nodes):
        self._prepared()
        for node in nodes:
            entry = self._entries.get(node)
            if entry is None:
                raise ValueError("node " + _repr(node) + " was not added using add()")
            if entry.finished:
                raise ValueError("node " + _repr(node) + " was already marked done")
            if not entry.given:
                raise ValueError("node " + _repr(node) + " was not passed out (still not ready)")
            entry.finished = True
            self._finished += 1
            for later in entry.after:
                later.waits -= 1
                if later.waits == 0:
                    self._ready.append(later)

    def static_order(self):
        self.prepare()
        while self.is_active():
            nodes = self.get_ready()
            yield from nodes
            self.done(*nodes)
