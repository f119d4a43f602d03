"""Installs missing packages into separate directories, one for each package and version.

Run by the user's interpreter, outside the sandbox, with names from untrusted programs. So nothing of a
package is executed or imported here: `pip` only downloads wheels, one at a time and without their
dependencies, which are read from the wheels and looked up by name alone (a dependency that names an
address is rejected, as are packages that exist only as source code); this program unpacks the files. A
directory appears completely or not at all.

Arguments: one JSON document. Prints JSON, one line per event.
"""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from email.parser import HeaderParser

MOST_PACKAGES = 300
MOST_BYTES = 8 << 30
MOST_FILES = 400_000
UNFINISHED = ".new-"

try:
    from pip._vendor.packaging.requirements import InvalidRequirement, Requirement
    from pip._vendor.packaging.specifiers import SpecifierSet
    from pip._vendor.packaging.utils import canonicalize_name
except ImportError as error:
    print(json.dumps({"no_pip": str(error)}))
    sys.exit(0)


class Refused(Exception):
    """Why a package is not available."""


def say(**what):
    print(json.dumps(what), flush=True)


class Installer:
    def __init__(self, root, seen):
        self.root = root
        self.there = {}  # versions by name, of what programs see already
        for directory in seen:
            for entry in os.listdir(directory):
                stem, ending = os.path.splitext(entry)
                name, dash, version = stem.partition("-")
                if ending in (".dist-info", ".egg-info") and dash:
                    self.there.setdefault(canonicalize_name(name), version.partition("-")[0])
        self.own = {}
        for entry in os.listdir(root):
            name, dash, version = entry.rpartition("-")
            if entry.startswith(UNFINISHED):
                shutil.rmtree(os.path.join(root, entry), ignore_errors=True)  # of one that was killed
            elif dash and not entry.startswith("."):
                self.own[name] = version
        self.there.update(self.own)

    def install(self, package):
        """A package with its requirements. All of it is unpacked before any of it appears."""
        with tempfile.TemporaryDirectory(dir=self.root, prefix=UNFINISHED) as place:
            new, wanted, open_ = {}, {}, [(Requirement(package), frozenset())]
            done = set()
            while open_:
                requirement, extras = open_.pop(0)
                name = canonicalize_name(requirement.name)
                key = (name, frozenset(requirement.extras), str(requirement.specifier))
                if key in done:
                    continue
                done.add(key)
                if requirement.url:
                    raise Refused(f"it needs {name} from an address, and only names are looked up")
                wanted[name] = wanted.get(name, SpecifierSet()) & requirement.specifier
                version = new.get(name, (None,))[0] or self.there.get(name)
                if version is not None and not wanted[name].contains(version, prereleases=True):
                    if name in self.own:
                        raise Refused(f"{name} {version} is there, and {name}{wanted[name]} is needed")
                    version = None
                if version is None:
                    if len(new) >= MOST_PACKAGES:
                        raise Refused(f"it needs more than {MOST_PACKAGES} packages")
                    new[name] = self.unpacked(name, wanted[name], place)
                if name in new:
                    open_.extend(self.needs(new[name][1], requirement.extras))
            for name, (version, directory) in new.items():
                target = os.path.join(self.root, f"{name}-{version}")
                if not os.path.exists(target):
                    os.rename(directory, target)
                self.own[name] = self.there[name] = version

    def unpacked(self, name, specifier, place):
        """The version of a wheel and the directory with its files."""
        say(installing=name)
        wheels = tempfile.mkdtemp(dir=place)
        command = [
            sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:",
            "--no-input", "--quiet", "--disable-pip-version-check", "--no-color",
            "--dest", wheels, "--", f"{name}{specifier}",
        ]  # fmt: skip
        run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        found = [entry for entry in os.listdir(wheels) if entry.endswith(".whl")]
        if run.returncode or len(found) != 1:
            raise Refused(last_words(run.stderr))
        directory = tempfile.mkdtemp(dir=place)
        unpack(os.path.join(wheels, found[0]), directory)
        shutil.rmtree(wheels)
        compiled = [sys.executable, "-I", "-S", "-m", "compileall", "-q", directory]
        subprocess.run(compiled, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.chmod(directory, 0o755)
        version = found[0].split("-")[1]
        return version, directory

    @staticmethod
    def needs(directory, extras):
        """The requirements of the package in a directory."""
        found = []
        for entry in os.listdir(directory):
            if not entry.endswith(".dist-info"):
                continue
            try:
                with open(os.path.join(directory, entry, "METADATA"), encoding="utf-8") as file:
                    lines = HeaderParser().parse(file).get_all("Requires-Dist") or []
            except (OSError, UnicodeDecodeError) as error:
                raise Refused(f"its metadata cannot be read: {error}") from None
            for line in lines:
                try:
                    requirement = Requirement(str(line))
                except InvalidRequirement:
                    raise Refused(f"it needs {line!r}, which is no requirement") from None
                marker = requirement.marker
                cases = [{"extra": extra} for extra in (extras or {""})]
                if marker is None or any(marker.evaluate(case) for case in cases):
                    found.append((requirement, extras))
        return found


def unpack(wheel, directory):
    """The files of a wheel that `import` finds: no scripts, no headers, nothing outside."""
    with zipfile.ZipFile(wheel) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_FILES or sum(e.file_size for e in entries) > MOST_BYTES:
            raise Refused("it is too large")
        for entry in entries:
            parts = entry.filename.split("/")
            if parts[0].endswith(".data"):
                if len(parts) < 3 or parts[1] not in ("purelib", "platlib"):
                    continue
                parts = parts[2:]
            if entry.is_dir() or stat.S_ISLNK(entry.external_attr >> 16):
                continue
            if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
                raise Refused("it has files outside of it")
            if len(parts) == 1 and parts[0].endswith(".pth"):
                continue
            path = os.path.join(directory, *parts)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with archive.open(entry) as source, open(path, "wb") as target:
                shutil.copyfileobj(source, target)


def last_words(text):
    """The last line of pip's messages."""
    lines = [line.strip() for line in text.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line[6:].strip() for line in lines if line.startswith("ERROR:")]
    errors = [line for line in errors if line and not line.endswith("Exception:")]
    return (errors or lines or ["pip said nothing"])[-1][:300]


def main():
    task = json.loads(sys.argv[1])
    installer = Installer(task["root"], task["seen"])
    for package in task["packages"]:
        failure = None
        try:
            if canonicalize_name(package) not in installer.own:
                installer.install(package)
        except Refused as refused:
            failure = str(refused)
        except Exception as error:  # A wheel may be broken in any way.
            failure = f"{type(error).__name__}: {error}"[:300]
        say(package=package, failure=failure)


main()
