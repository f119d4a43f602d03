"""The project of a program: its directory, the modules beside it, its arguments and environment.

Loaded after shared_child.py, whose parsing of import statements it shares. The driver shows the directory to the
sandbox, read-only; memory_files.py overlays the program's own files. Directories of other modules are shown likewise,
and package directories, optionally restricted to named packages.
"""

from _frozen_importlib_external import PathFinder

# Maximum project files read to determine a program's abilities, and their bytes.
MOST_FILES_READ, MOST_BYTES_READ = 2000, 4 << 20
# Modules that CPython imports before it searches a program's directory, besides those of its binary.
STARTED_WITH = frozenset(
    "abc codecs encodings genericpath importlib io os posixpath site stat zipimport _collections_abc _sitebuiltins".split()
)
MODULE_WORDS = re.compile(r"\w+").findall


class NamedPackages:
    """Finds modules of installed packages, restricted to the allowed ones."""

    def __init__(self, names, places):
        self.names, self.places = frozenset(names), places

    def find_spec(self, name, path=None, target=None):
        if path is not None or name not in self.names:
            return None
        return PathFinder.find_spec(name, self.places, target)

    def find_distributions(self, context):
        from importlib import metadata

        context = metadata.DistributionFinder.Context(name=context.name, path=self.places)
        return metadata.MetadataPathFinder.find_distributions(context)


class Project:
    """Location and inputs of a program; `options` are those of the worker."""

    def __init__(self, given, options):
        self.root, self.package = given["root"], given["package"]
        self.file, self.directory, self.name = given["file"], given["directory"], given["name"]
        self.arguments, self.environment = given["arguments"], given["environment"]
        inside = "" if self.root is None else self.root.rstrip("/") + "/"
        # Modules below the root are the program's, however they are found.
        self.paths = options["paths"]
        self.places = options["packages"] + options["named"] + [p for p in self.paths if not (p + "/").startswith(inside)]
        self.traced = options["traced"]

    def stand(self):
        """Moves this process to the working directory, which a program itself may not do."""
        if self.directory is not None:
            try:
                os.chdir(self.directory)
            except OSError:
                pass  # it has gone, or is not shown: the program sees that

    def enter(self, names, source):
        """Places the program with these names in its project. Returns its text and that of the modules that it may
        import."""
        sys.argv = [self.name] + self.arguments
        os.environ.update(self.environment)
        if self.root is None:
            return source
        _FILES.root = self.root.rstrip("/") + "/"
        _FILES.places = tuple(place.rstrip("/") + "/" for place in self.places)
        if self.traced["omit"]:
            _FILES.omits = re.compile("|".join(self.traced["omit"])).search
        if self.traced["include"]:
            _FILES.includes = re.compile("|".join(self.traced["include"])).search
        names["__file__"] = self.file
        if self.package:
            names["__package__"] = self.package
        texts = self.texts(source)
        self.make_way()
        sys.path.insert(0, self.root)
        return "\n".join([source] + texts)

    def make_way(self):
        """Removes imported modules of the worker that the project shadows, except those that the interpreter
        starts with."""
        there = set()
        for place in [self.root] + self.paths:
            try:
                there.update(name.partition(".")[0] for name in os.listdir(place))
            except OSError:
                pass  # there is nothing to be imported from
        for name in list(sys.modules):
            top = name.partition(".")[0]
            if top in there and top not in sys.builtin_module_names and top not in STARTED_WITH:
                del sys.modules[name]

    def texts(self, source):
        """Texts of the modules named in import statements of the program and, recursively, of those modules."""
        known, left = self.known(), MOST_BYTES_READ
        waiting, texts = [source], []
        while waiting and left > 0:
            for whole, several in IMPORTS(waiting.pop()):
                for word in MODULE_WORDS(whole + " " + several):
                    for path in known.pop(word, ()):
                        try:
                            with io.open(path, encoding="utf-8", errors="replace") as file:
                                text = file.read(left)
                        except OSError:
                            continue
                        left -= len(text)
                        waiting.append(text)
                        texts.append(text)
        return texts

    def known(self):
        """Paths of modules by the last part of their names; packages have all of theirs by their own."""
        found, seen = {}, 0
        everywhere = (step for top in [self.root] + self.paths for step in os.walk(top))
        for place, directories, files in everywhere:
            directories[:] = sorted(
                name
                for name in directories
                if name.isidentifier() and name[:2] != "__" and not os.path.exists(os.path.join(place, name, "pyvenv.cfg"))
            )
            for name in files:
                stem, _, end = name.partition(".")
                if end == "py":
                    key = os.path.basename(place) if stem in ("__init__", "__main__") else stem
                    found.setdefault(key, []).append(os.path.join(place, name))
            seen += len(files) + len(directories)
            if seen > MOST_FILES_READ:
                break
        return found
