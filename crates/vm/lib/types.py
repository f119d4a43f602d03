# The part of `types` that is written in Python.

# -- read-only views of mappings


class SimpleNamespace:
    __module__ = "__main__"

    def __init__(self, /, **kwargs):
        for name in kwargs:
            _set_own(self, name, kwargs[name])

    def __repr__(self):
        name = "namespace" if _classof(self) is SimpleNamespace else _classof(self).__name__
        # It contains itself.
        if _len([one for one in _namespaces_shown if one is self]) != 0:
            return name + "(...)"
        _push(_namespaces_shown, self)
        try:
            return name + "(" + ", ".join([name + "=" + _repr(value) for name, value in self.__dict__.items()]) + ")"
        finally:
            _pop(_namespaces_shown)

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return self.__dict__ == other.__dict__
_namespaces_shown = []


class MappingProxyType:
    __module__ = "builtins"

    def __init__(self, mapping):
        if not isinstance(mapping, dict) and _find(mapping, "__getitem__") is _END or isinstance(mapping, (list, tuple, str)):
            raise TypeError("mappingproxy() argument must be a mapping, not " + _classof(mapping).__name__)
        self._mapping = mapping

    def __getitem__(self, key):
        return self._mapping[key]

    def __iter__(self):
        return iter(self._mapping)

    def __reversed__(self):
        return reversed(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def __contains__(self, key):
        return key in self._mapping

    def __eq__(self, other):
        return self._mapping == (other._mapping if isinstance(other, MappingProxyType) else other)

    def __ne__(self, other):
        return self._mapping != (other._mapping if isinstance(other, MappingProxyType) else other)

    def __or__(self, other):
        return self._mapping | (other._mapping if isinstance(other, MappingProxyType) else other)

    def __ror__(self, other):
        return other | self._mapping

    def __repr__(self):
        return "mappingproxy(" + _repr(self._mapping) + ")"

    def __str__(self):
        return _str(self._mapping)

    def get(self, key, default=None):
        return self._mapping.get(key, default)

    def keys(self):
        return self._mapping.keys()

    def values(self):
        return self._mapping.values()

    def items(self):
        return self._mapping.items()

    def copy(self):
        return self._mapping.copy()


_rename(MappingProxyType, "mappingproxy")
