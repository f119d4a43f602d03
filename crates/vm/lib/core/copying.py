# Copies of objects whose classes describe them.


def _rebuilt(value, memo):
    # A copy as the class of a value describes it; a deep one with a memo.
    if _kind(value) != "own":
        _throw("a copy of an object")
    parts = value.__reduce_ex__(4)
    if isinstance(parts, str):
        return value
    make, args, state, items, pairs = [*parts, None, None, None][:5]
    if memo is not None:
        args = tuple([_deep_part(arg, memo) for arg in args])
    made = make(*args)
    if memo is not None:
        _push(_DEEP[-1], (value, made))
    if state is not None:
        if memo is not None:
            state = _deep_part(state, memo)
        method = _find(made, "__setstate__")
        if method is not _END:
            method(state)
        else:
            slots = None
            if isinstance(state, tuple) and _len(state) == 2:
                state, slots = state
            if state is not None:
                _with_state(made, state)
            if slots is not None:
                for name, one in slots.items():
                    setattr(made, name, one)
    if items is not None:
        for item in items:
            made.append(item if memo is None else _deep_part(item, memo))
    if pairs is not None:
        for key, one in pairs:
            if memo is not None:
                key, one = _deep_part(key, memo), _deep_part(one, memo)
            made[key] = one
    return made
