# The part of `collections` that is written in Python.


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        names = []
        word = ""
        for c in field_names:
            if c in ", \t\n":
                if word != "":
                    _push(names, word)
                word = ""
            else:
                word += c
        if word != "":
            _push(names, word)
    else:
        names = [_str(x) for x in field_names]
    seen = {}
    if rename:
        for i, name in enumerate(names):
            if not name.isidentifier() or name in _KEYWORDS or name[0] == "_" or name in seen:
                names[i] = "_" + _str(i)
            seen[name] = True
        seen = {}
    for name in [typename, *names]:
        if not name.isidentifier():
            raise ValueError("Type names and field names must be valid identifiers: " + _repr(name))
        if name in _KEYWORDS:
            raise ValueError("Type names and field names cannot be a keyword: " + _repr(name))
    for name in names:
        if name[0] == "_" and not rename:
            raise ValueError("Field names cannot start with an underscore: " + _repr(name))
        if name in seen:
            raise ValueError("Encountered duplicate field name: " + _repr(name))
        seen[name] = True

    class new(_NamedTuple):
        __module__ = "__main__"
        __slots__ = ()

    _rename(new, typename)
    usual = {}
    if defaults is not None:
        values = _list(defaults)
        if _len(values) > _len(names):
            raise TypeError("Got more default values than field names")
        for i, x in enumerate(values):
            usual[names[_len(names) - _len(values) + i]] = x
    return _with_fields(new, (*names,), usual)
