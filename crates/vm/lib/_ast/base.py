# `AST`: the base class of all nodes of a syntax tree.
# Level: methods


class AST:
    __module__ = "ast"
    _fields = ()
    _attributes = ()
    __match_args__ = ()

    def __init__(self, *args, **kwargs):
        fields = self._fields
        given = _len(args)
        name = _classof(self).__name__
        if given > _len(fields):
            plural = "" if _len(fields) == 1 else "s"
            most = " constructor takes at most " + _str(_len(fields))
            raise TypeError(name + most + " positional argument" + plural)
        for i in range(given):
            setattr(self, fields[i], args[i])
        for key, value in kwargs.items():
            if key in fields[:given]:
                raise TypeError(name + " got multiple values for argument '" + key + "'")
            setattr(self, key, value)
