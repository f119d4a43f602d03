# Level: methods
# Modules that are found and loaded manually.

import importlib.machinery
import os.path
import sys
import types


def _member_of(module, name):
    """`from module import name` of what is no module."""
    try:
        return getattr(module, name)
    except AttributeError:
        pass
    full = getattr(module, "__name__", "<unknown module name>") + "." + name
    found = _module(full)
    if found is not None:
        return found
    where = getattr(module, "__file__", None)
    title = getattr(module, "__name__", "<unknown module name>")
    message = "cannot import name " + _repr(name) + " from " + _repr(title) + " (" + (where or "unknown location") + ")"
    raise ImportError(message, name=title, path=where)


def _imported_object(module, names):
    """What an import asks of what is no module, and gives."""
    getattr(getattr(module, "__spec__", None), "_initializing", False)
    if names is not None and hasattr(module, "__path__"):
        for name in names:
            if name != "*" and not hasattr(module, name):
                _throw("a module of what is no package")
    return module


def _load_by_finders(name, path):
    for finder in [*sys.meta_path]:
        if getattr(finder, "__module__", "").startswith("_frozen_importlib"):
            continue
        find = getattr(finder, "find_spec", None)
        if find is None:
            _throw("a finder without find_spec")
        spec = find(name, path, None)
        if spec is None:
            continue
        if spec.loader is None:
            _throw("a namespace package of a finder")
        module = module_from_spec(spec)
        _place_module(name, module)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            sys.modules.pop(name, None)
            raise
        return
    raise ModuleNotFoundError("No module named " + _repr(name), name=name)


def resolve_name(name, package):
    if not name.startswith("."):
        return name
    if not package:
        raise ImportError("no package specified for " + _repr(name) + " (required for relative module names)")
    level = 0
    while level < _len(name) and name[level] == ".":
        level += 1
    bits = package.rsplit(".", level - 1)
    if _len(bits) < level:
        raise ImportError("attempted relative import beyond top-level package")
    return bits[0] + "." + name[level:] if name[level:] else bits[0]


def find_spec(name, package=None):
    name = resolve_name(name, package)
    module = _module(name)
    if module is not None and getattr(module, "__spec__", None) is not None:
        return module.__spec__
    parent = name.rpartition(".")[0]
    if parent:
        __import__(parent)
    found = _source_of(name)
    if found is False:
        return None
    if found is None:
        return None if _sandboxed() else _unknown("importlib.util.find_spec")
    if found is True:
        return importlib.machinery.ModuleSpec(name, importlib.machinery._OwnLoader())
    path, is_package = found
    locations = [path.rpartition("/")[0]] if is_package else None
    return spec_from_file_location(name, path, submodule_search_locations=locations)


def spec_from_file_location(name, location=None, *, loader=None, submodule_search_locations=None):
    if location is None:
        _throw("a module without a file")
    location = os.path.abspath(location)
    if loader is None:
        if not location.endswith(".py"):
            return None
        loader = importlib.machinery.SourceFileLoader(name, location)
    spec = importlib.machinery.ModuleSpec(name, loader, origin=location)
    spec._set_fileattr = True
    if submodule_search_locations is not None:
        spec.submodule_search_locations = submodule_search_locations
    elif location.endswith("/__init__.py"):
        spec.submodule_search_locations = [location.rpartition("/")[0]]
    return spec


def _spec_of(space, name):
    """`__spec__` or `__loader__` of a module that was imported from a file, by its globals."""
    spec = spec_from_file_location(space["__name__"], space["__file__"], submodule_search_locations=space.get("__path__"))
    space["__spec__"] = spec
    space["__loader__"] = spec.loader
    return space[name]


def spec_from_loader(name, loader, *, origin=None, is_package=None):
    if is_package is None:
        is_package = loader.is_package(name) if _find(loader, "is_package") is not _END else False
    return importlib.machinery.ModuleSpec(name, loader, origin=origin, is_package=is_package)


def module_from_spec(spec):
    module = None
    if hasattr(spec.loader, "create_module"):
        module = spec.loader.create_module(spec)
    elif hasattr(spec.loader, "exec_module"):
        raise ImportError("loaders that define exec_module() must also define create_module()")
    if module is None:
        module = _new_module(spec.name, None)
    module.__name__ = spec.name
    module.__loader__ = spec.loader
    module.__package__ = spec.parent
    module.__spec__ = spec
    if spec.submodule_search_locations is not None:
        module.__path__ = spec.submodule_search_locations
    if spec.has_location:
        module.__file__ = spec.origin
    return module
